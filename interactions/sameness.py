"""The same speech, heard twice: whether two texts report one sentence, or one a part of the other.

Pure. Used to find twins, never to understand. A word is the same only where it sounds the same or is one slip of spelling off,
and what tells two orders apart (numbers, denials) must be the very word: "seven pens" is no way to hear "seven eggs".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from num2words import num2words
from rapidfuzz.distance import Levenshtein

from interactions import lexicon, text

NUMBERS = lexicon.words("numbers")  # enough to tell two short orders apart
NEGATIONS = lexicon.words("negations")
TELLING = NUMBERS | NEGATIONS
SMALL = lexicon.words("articles") | lexicon.words("fillers")  # one recogniser writes them down, another does not
SOUNDS: Mapping[str, str] = {heard: meant for heard, meant in lexicon.phrases("sounds")}  # noqa: C416
_DIGITS = {str(n): tuple(num2words(n).replace("-", " ").split()) for n in range(100)}

SPELLED, LONG = 5, 7  # letters: below the first a word must sound the same, from the second on any one letter may be wrong
SILENT = frozenset("aeiouhy")  # what is left out or added in writing without another word coming of it
# Ways to write one sound, most of them of Hindi in Latin letters.
_SPELLINGS = tuple(
    (re.compile(written), sound)
    for written, sound in ((r"oo", "u"), (r"ee", "i"), (r"ph", "f"), (r"ck", "k"), (r"w", "v"), (r"(?:ie|ey|y)$", "i"))
)
_DOUBLED = re.compile(r"([a-z])\1+")


class Likeness(StrEnum):
    """What a second text is to a first."""

    SAME = "same"
    LESS = "less"  # a part of it
    MORE = "more"  # all of it from its start, and then more
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class _Spoken:
    """The words that count; ``places``: where each stands among all tokens."""

    words: text.Tokens
    places: tuple[int, ...]


def likeness(first: str, second: str, *, names: Iterable[str] = ()) -> Likeness:
    """What ``second`` is to ``first``. A name and courtesies around them do not matter."""
    names = tuple(names)
    if near_equal(first, second, names=names):
        return Likeness.SAME
    if not text.tokens(first) or extends(second, first, names=names):
        return Likeness.MORE if tail(second, first, names=names) else Likeness.SAME
    return Likeness.LESS if within(second, first, names=names) else Likeness.OTHER


def near_equal(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether two recognisers heard the same words. Numbers and denials must agree; a leading name does not matter."""
    if text.tokens(a) == text.tokens(b):
        return bool(text.tokens(a))
    return any(
        one.words and two.words and _met(one.words, two.words) == len(two.words) for one, two in _pairs(a, b, tuple(names))
    )


def resembles(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether two devices may have heard one wake's words, one of them badly: a fifth of the letters may differ.

    Too weak for a twin, whose words are lost: it is asked only which device has a wake.
    """
    names = tuple(names)
    one, two = (folded(text.strip_name(text.tokens(s), names)) for s in (a, b))
    telling = [sorted(word for word in words if word in TELLING or word[0].isdigit()) for words in (one, two)]
    left, right = "".join(one), "".join(two)
    near = Levenshtein.distance(left, right) <= max(len(left), len(right)) // 5
    return bool(left and right) and telling[0] == telling[1] and near


def extends(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether ``a`` says all of ``b`` from its start, and then more: ``extends("add milk and bread", "add milk")``."""
    return _beyond(a, b, tuple(names)) is not None


def within(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether ``a`` is some consecutive words of ``b``, and no more: one recogniser began later, or gave up earlier."""
    return any(
        _met(part.words, whole.words[start:]) is not None
        for part, whole in _pairs(a, b, tuple(names))
        for start in range(len(whole.words))
    )


def tail(a: str, b: str, *, names: Iterable[str] = ()) -> str:
    """What ``a`` says beyond ``b``, which it extends, as it was said; nothing where only courtesies follow."""
    if not text.tokens(b):
        return a.strip()
    before = _beyond(a, b, tuple(names))
    return text.remainder(a, before) if before else ""


def count(s: str, *, names: Iterable[str] = ()) -> int:
    """How many words of it count."""
    return len({*_spoken(text.tokens(s), text.strip_name(text.tokens(s), tuple(names))).places})


def _beyond(a: str, b: str, names: tuple[str, ...]) -> int | None:
    """How many tokens of ``a`` say all of ``b``, where more words follow."""
    for longer, shorter in _pairs(a, b, names):
        met = _met(shorter.words, longer.words) if shorter.words else None
        if met is not None and met < len(longer.words):
            return longer.places[met]
    return None


def _pairs(a: str, b: str, names: tuple[str, ...]) -> Iterator[tuple[_Spoken, _Spoken]]:
    """Both without what is said around them, and both as they stand: "okay" alone says something."""
    one, two = text.tokens(a), text.tokens(b)
    bare = (text.strip_courtesy(text.strip_name(text.strip_courtesy(said), names)) for said in (one, two))
    yield _spoken(one, next(bare)), _spoken(two, next(bare))
    yield _spoken(one, one), _spoken(two, two)


def _spoken(said: text.Tokens, rest: text.Tokens) -> _Spoken:
    skipped = len(said) - len(rest)
    counted = [
        (part, skipped + place)
        for place, word in enumerate(rest)
        if word not in SMALL or len(rest) == 1
        for part in _fold(word)
    ]
    return _Spoken(tuple(word for word, _ in counted), tuple(place for _, place in counted))


def folded(words: text.Tokens) -> text.Tokens:
    return tuple(part for word in words for part in _fold(word))


def _fold(word: str) -> text.Tokens:
    return _DIGITS.get(word) or (SOUNDS.get(word, word),)


def _met(shorter: text.Tokens, longer: text.Tokens) -> int | None:
    """How much of ``longer`` from its start says all of ``shorter``: the whole or else the least; None if nothing."""
    ends: set[int] = set()
    reached, seen = [(0, 0)], {(0, 0)}
    while reached:
        place = reached.pop()
        if place[0] == len(shorter):
            ends.add(place[1])
            continue
        for following in _steps(shorter, longer, *place):
            if following not in seen:
                seen.add(following)
                reached.append(following)
    return None if not ends else len(longer) if len(longer) in ends else min(ends)


def _steps(one: text.Tokens, two: text.Tokens, i: int, j: int) -> Iterator[tuple[int, int]]:
    """One word each, or one in two pieces ("swig gy")."""
    for left, right in ((1, 1), (2, 1), (1, 2)):
        if i + left <= len(one) and j + right <= len(two) and _alike(one[i : i + left], two[j : j + right]):
            yield i + left, j + right


def _alike(one: text.Tokens, two: text.Tokens) -> bool:
    a, b = sorted((_sound("".join(one)), _sound("".join(two))), key=len)
    if one == two or a == b:
        return True
    if any(_sound(word) in _TELLING_SOUNDS or word[0].isdigit() for word in (*one, *two)):
        return False
    if len(a) > 2 and b in (f"{a}s", f"{a}es"):
        return True
    if len(a) < SPELLED or a[0] != b[0] or Levenshtein.distance(a, b, score_cutoff=1) > 1:
        return False
    if len(a) >= LONG:
        return True
    at = next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    return len(b) > len(a) and b[at] in SILENT


def _sound(word: str) -> str:
    for written, sound in _SPELLINGS:
        word = written.sub(sound, word)
    return _DOUBLED.sub(r"\1", word)


_TELLING_SOUNDS = frozenset(map(_sound, TELLING))
