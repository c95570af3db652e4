"""The same speech, heard twice: whether two texts report one sentence, or one the beginning of the other.

Pure. Used to find twins, never to understand: what is near enough to be a twin is not near enough to be an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rapidfuzz.distance import Levenshtein

from interactions import lexicon, text

NUMBERS = lexicon.words("numbers")  # enough to tell two short orders apart
NEGATIONS = lexicon.words("negations")
SOUNDS: Mapping[str, str] = {heard: meant for heard, meant in lexicon.phrases("sounds")}  # noqa: C416
_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIGITS = {str(n): name for n, name in enumerate(_NAMES)}


def near_equal(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether two recognisers heard the same words. Numbers and denials must agree; a leading name does not matter."""
    names = tuple(names)
    one, two = (folded(text.strip_name(text.tokens(s), names)) for s in (a, b))
    for words in (NUMBERS, NEGATIONS):
        if sorted(w for w in one if w in words or w[0].isdigit()) != sorted(w for w in two if w in words or w[0].isdigit()):
            return False
    left, right = "".join(one), "".join(two)
    return bool(left and right) and Levenshtein.distance(left, right) <= max(len(left), len(right)) // 5


def extends(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether ``a`` says all of ``b`` from its start, and then more: ``extends("add milk and bread", "add milk")``."""
    longer, shorter = (folded(text.strip_name(text.tokens(s), tuple(names))) for s in (a, b))
    return len(longer) > len(shorter) and text.starts_with(longer, shorter)


def tail(a: str, b: str, *, names: Iterable[str] = ()) -> str:
    """What ``a`` says beyond ``b``, which it extends, as it was said."""
    names = tuple(names)
    words = text.tokens(a)
    said = len(words) - len(text.strip_name(words, names)) + len(text.strip_name(text.tokens(b), names))
    return text.remainder(a, said) if extends(a, b, names=names) else ""


def folded(words: text.Tokens) -> text.Tokens:
    return tuple(SOUNDS.get(w, _DIGITS.get(w, w)) for w in words)
