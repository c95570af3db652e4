"""Numbers in words and digits, exactly, in every language of ``languages``: what stands at one place among tokens.

Pure. ``read`` gives the value and how many tokens said it, or nothing. A word that is a number in one language and something
else in another ("do", "saath") counts only where it cannot be the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from swiggy_instamart import lexicon, units, words
from swiggy_instamart.words import Tokens

Found = tuple[Fraction, int]
Said = Sequence[str]

MANY = 1000  # behind a scale of this size "and a half" is half of the scale to some, and a half to others
_DIGITS = re.compile(r"\d{1,7}(?:\.\d{1,4})?", re.ASCII)
_RATIO = re.compile(r"(\d{1,2})/(\d{1,2})", re.ASCII)


def _entries(kind: str) -> Iterator[tuple[Tokens, str]]:
    return ((said, key) for language in lexicon.sections(kind) for key, ways in language.items() for said in ways)


def _single(kind: str) -> dict[str, int]:
    return {said[0]: int(key) for said, key in _entries(kind)}


def _below_hundred() -> dict[Tokens, int]:
    found = {said: int(key) for said, key in _entries("numbers")}
    for numbers, tens in zip(lexicon.sections("numbers"), lexicon.sections("tens"), strict=True):
        ones = [(int(key), said) for key, ways in numbers.items() if 1 <= int(key) <= 9 for said in ways]
        for key, ways in tens.items():
            for ten in ways:
                found |= {ten: int(key)} | {(*ten, *said): int(key) + one for one, said in ones}
    return found


SMALL: Mapping[Tokens, int] = _below_hundred()
SCALES: Mapping[str, int] = _single("scales")
ONE_OF: Mapping[str, int] = _single("one_of")
MANY_OF: Mapping[str, int] = _single("many_of")
IF_ASKED: Mapping[str, int] = _single("numbers_if_asked")
FRACTIONS: Mapping[Tokens, Fraction] = {said: Fraction(key) for said, key in _entries("fractions")}
SHIFTS: Mapping[str, Fraction] = {said[0]: Fraction(key) for said, key in _entries("shifts")}
DOUBTFUL = words.NUMBER_BEFORE_UNIT | words.NUMBER_OR_VERB | words.UNIT_OR_PRODUCT
WORDS = frozenset({*(word for said in (*SMALL, *FRACTIONS) for word in said), *SCALES, *SHIFTS, *MANY_OF}) - DOUBTFUL


def digits(said: Said, at: int) -> Fraction | None:
    word = _word(said, at)
    return Fraction(word) if _DIGITS.fullmatch(word) else None


def read(said: Said, start: int, *, first: bool = False, asked: bool = False) -> Found | None:
    """The number at ``start``. ``first``: nothing was named before it; ``asked``: a number is what is waited for."""
    if asked and len(said) == 1 and said[0] in IF_ASKED:
        return Fraction(IF_ASKED[said[0]]), 1
    part = _shifted(said, start) or _part(said, start, asked=asked)
    if part:
        return _scaled(said, start, part)
    if _word(said, start) in words.NUMBER_POINTS:
        return _decimals(said, start, (Fraction(0), 0))
    if ratio := _ratio(said, start):
        return ratio, 1
    value = digits(said, start)
    found = _cardinal(said, start, first=first, asked=asked) or ((value, 1) if value is not None else None)
    if found is None:
        return None
    if _word(said, start + found[1]) in words.NUMBER_POINTS:
        return _decimals(said, start, found)
    return found if found[0].denominator != 1 else _with_part(said, start, found)


# ---- parts of one -------------------------------------------------------------------------------------------------------


def _part(said: Said, start: int, *, asked: bool = False) -> Found | None:
    """ "half", "a quarter", "two thirds", "dedh"."""
    for size in (2, 1):
        phrase = tuple(said[start : start + size])
        if len(phrase) == size and phrase in FRACTIONS and _meant(said, start + size - 1, asked=asked):
            return FRACTIONS[phrase], size
    if _word(said, start) in words.ARTICLES and (of := ONE_OF.get(_word(said, start + 1))):
        return Fraction(1, of), 2
    return None


def _shifted(said: Said, start: int) -> Found | None:
    """ "saadhe teen", "paune do", "sava do": the number is moved. Alone the word is a fraction, or nothing."""
    shift = SHIFTS.get(_word(said, start))
    small = _small(said, start + 1, asked=True) if shift is not None else None
    value = digits(said, start + 1) if small is None else Fraction(small[0])
    if shift is None or value is None or value.denominator != 1 or not 1 <= value < 100:
        return None
    return value + shift, 1 + (small[1] if small else 1)


def _scaled(said: Said, start: int, found: Found) -> Found:
    """ "dhai sau" is 250, "half a million" is not less."""
    value, used = found
    scale = SCALES.get(_word(said, start + used))
    return (value * scale, used + 1) if scale and (value * scale).denominator == 1 else found


def _ratio(said: Said, at: int) -> Fraction | None:
    ratio = _RATIO.fullmatch(_word(said, at))
    return Fraction(int(ratio[1]), int(ratio[2])) if ratio and int(ratio[2]) else None


def _decimals(said: Said, start: int, whole: Found) -> Found | None:
    value, used = whole
    places = ""
    while (digit := SMALL.get((_word(said, start + used + 1 + len(places)),), 10)) < 10 or (
        len(word := _word(said, start + used + 1 + len(places))) == 1 and word.isdecimal()
    ):
        places += str(digit if digit < 10 else int(word))
    return (Fraction(f"{value}.{places}"), used + 1 + len(places)) if places and value.denominator == 1 else None


def _with_part(said: Said, start: int, found: Found) -> Found | None:
    """ "two and a half", "1 1/2", "three quarters", "five and a half million"."""
    value, used = found
    end = start + used
    joined = _word(said, end) in words.NUMBER_JOINS
    if ratio := _ratio(said, end + joined):
        return value + ratio, used + joined + 1
    if joined and (part := _smaller_part(said, end + 1)):
        if value >= MANY:
            return None
        return _scaled(said, start, (value + part[0], used + 1 + part[1]))
    many = MANY_OF.get(_word(said, end)) or (ONE_OF.get(_word(said, end)) if value == 1 else None)
    exact = value < 100 or any(word in words.NUMBER_JOINS for word in said[start:end])  # "one hundred thirty fifths"
    return (value / many, used + 1) if many and exact else found


def _smaller_part(said: Said, start: int) -> Found | None:
    part = _part(said, start)
    if part is None and (small := _small(said, start)):
        word = _word(said, start + small[1])
        of = MANY_OF.get(word) or (ONE_OF.get(word) if small[0] == 1 else None)
        part = (Fraction(small[0], of), small[1] + 1) if of else None
    return part if part and part[0] < 1 else None


# ---- whole numbers ------------------------------------------------------------------------------------------------------


def _cardinal(said: Said, start: int, *, first: bool, asked: bool) -> Found | None:
    total, used, ceiling = 0, 0, 0
    while True:
        join = int(used > 0 and _word(said, start + used) in words.NUMBER_JOINS)
        group = _group(said, start + used + join, opening=not used, first=first and not used, asked=asked)
        if group is None or (join and _smaller_part(said, start + used + join)) or (ceiling and group[0] >= ceiling):
            break
        value, more = group
        scale = SCALES.get(_word(said, start + used + join + more), 0)
        if scale >= MANY and ceiling and scale >= ceiling:
            break
        used += join + more + (scale >= MANY)
        if scale < MANY:
            return Fraction(total + value), used
        total, ceiling = total + value * scale, scale
    return (Fraction(total), used) if used else None


def _group(said: Said, start: int, *, opening: bool, first: bool, asked: bool) -> tuple[int, int] | None:
    """One to 9999 as said between larger scales: "three hundred and two", "eleven hundred", "hundred"."""
    head = _small(said, start, first=first, asked=asked) or _before_scale(said, start, opening=opening)
    if head is None:
        return None
    value, used = head
    if SCALES.get(_word(said, start + used)) != 100 or not value:
        return _short(said, start, head) or head
    value, used = value * 100, used + 1
    join = _word(said, start + used) in words.NUMBER_JOINS
    at = start + used + join
    rest = None if _part(said, at) or (join and _smaller_part(said, at)) else _small(said, at)
    if rest is None and join and (number := digits(said, at)) is not None and number.denominator == 1 and number < 100:
        rest = int(number), 1
    if rest and rest[0] and SCALES.get(_word(said, at + rest[1])) != 100:
        return value + rest[0], used + join + rest[1]
    return value, used


def _short(said: Said, start: int, head: tuple[int, int]) -> tuple[int, int] | None:
    """ "two fifty grams" is 250 g; without such a unit it could be anything."""
    tens = _small(said, start + 1) if head[1] == 1 and 1 <= head[0] <= 9 else None
    unit = units.read(said, start + 1 + tens[1]) if tens and tens[0] >= 20 else None
    return (head[0] * 100 + tens[0], 1 + tens[1]) if tens and unit and unit.unit.name in {"g", "ml"} else None


def _small(said: Said, at: int, *, first: bool = False, asked: bool = False) -> tuple[int, int] | None:
    for size in (2, 1):
        phrase = tuple(said[at : at + size])
        if len(phrase) == size and phrase in SMALL and (size > 1 or _meant(said, at, first=first, asked=asked)):
            return SMALL[phrase], size
    return None


def _before_scale(said: Said, at: int, *, opening: bool) -> tuple[int, int] | None:
    """ "3 hundred", and where a number begins also "a hundred" and "hundred"."""
    number = digits(said, at)
    if number is not None and number.denominator == 1 and number < 100 and _word(said, at + 1) in SCALES:
        return int(number), 1
    if not opening:
        return None
    if _word(said, at) in words.ARTICLES and _word(said, at + 1) in SCALES:
        return 1, 1
    return (1, 0) if _word(said, at) in SCALES else None


def _meant(said: Said, at: int, *, first: bool = False, asked: bool = False) -> bool:
    """Whether a word that may be another one is the number here."""
    word, after = said[at], _word(said, at + 1)
    if asked or word not in DOUBTFUL or units.read(said, at + 1):
        return True
    if word in words.UNIT_OR_PRODUCT:
        return False
    if after in SCALES or after in words.NUMBER_POINTS or after in MANY_OF:
        return True
    return word in words.NUMBER_OR_VERB and first and after[:1].isalnum() and after not in words.NOT_COUNTED


def _word(said: Said, at: int) -> str:
    return said[at] if 0 <= at < len(said) else ""
