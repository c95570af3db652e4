"""The same speech, heard twice: whether two texts report one sentence, or one the beginning of the other.

Pure. Used to find twins, never to understand: what is near enough to be a twin is not near enough to be an order.
"""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

from interactions import text

_SOUNDS_LIKE = {"to": "two", "too": "two", "for": "four", "won": "one", "ate": "eight"}
_NAMES_OF_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIGITS = {str(n): name for n, name in enumerate(_NAMES_OF_NUMBERS)}
# Enough to tell two short orders apart.
_MORE_NUMBERS = {"eleven", "twelve", "fifteen", "twenty", "thirty", "fifty", "hundred", "half", "quarter", "dozen"}
_NUMBERS = frozenset(_NAMES_OF_NUMBERS) | _MORE_NUMBERS
_NEGATIONS = frozenset({"no", "not", "don't", "dont", "never", "nahi", "nahin", "mat", "cancel", "remove", "stop", "नहीं", "मत"})


def near_equal(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether two recognisers heard the same words. Numbers and denials must agree; a leading name does not matter."""
    names = tuple(names)
    one, two = (_sounds(text.strip_name(text.tokens(s), names)) for s in (a, b))
    for words in (_NUMBERS, _NEGATIONS):
        if sorted(w for w in one if w in words or w[0].isdigit()) != sorted(w for w in two if w in words or w[0].isdigit()):
            return False
    left, right = "".join(one), "".join(two)
    return bool(left and right) and Levenshtein.distance(left, right) <= max(len(left), len(right)) // 5


def extends(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether ``a`` says all of ``b`` from its start, and then more: ``extends("add milk and bread", "add milk")``."""
    longer, shorter = (_sounds(text.strip_name(text.tokens(s), tuple(names))) for s in (a, b))
    return len(longer) > len(shorter) and text.starts_with(longer, shorter)


def tail(a: str, b: str, *, names: Iterable[str] = ()) -> str:
    """What ``a`` says beyond ``b``, which it extends, as it was said."""
    names = tuple(names)
    words = text.tokens(a)
    said = len(words) - len(text.strip_name(words, names)) + len(text.strip_name(text.tokens(b), names))
    return text.remainder(a, said) if extends(a, b, names=names) else ""


def _sounds(words: text.Tokens) -> text.Tokens:
    return tuple(_SOUNDS_LIKE.get(w, _DIGITS.get(w, w)) for w in words)
