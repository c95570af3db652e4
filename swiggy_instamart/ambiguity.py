"""Where an amount could be two, or none: what follows it, what stands before it, what could be a product. Pure.

``quantities`` asks here before it believes what it read; a doubt makes no amount, and the caller asks the person.
"""

from __future__ import annotations

from collections.abc import Sequence

from interactions import text
from swiggy_instamart import numbers, units, words
from swiggy_instamart.numbers import WORDS
from swiggy_instamart.units import COUNTED, MEASURES

MOST_PACKS = 20  # of one size; a larger number before a size is no number of packs
COUNTS_BESIDE = 100  # "two 500 ml" is two packs, "two 3 kg" may be two or three kilos


def divided(said: Sequence[str], end: int, *, first: bool) -> bool:
    """Whether a number goes on as none that is sold: "one over three", "a hundredth", "two and three"."""
    word = _word(said, end)
    more = numbers.read(said, end + 1 + (_word(said, end + 1) in words.UNIT_OF))
    divides = word in words.NUMBER_DIVIDERS or (first and word in words.NUMBER_JOINS)
    return word in words.SMALL_PARTS or word in numbers.MANY_OF or (divides and more is not None)


def broken(said: Sequence[str], start: int) -> bool:
    """Whether the number is the rest of one that was broken off: "two hundred, uh, fifty grams"."""
    before = start - 1
    while before >= 0 and _is_pause(said[before]):
        before -= 1
    if before == start - 1 or not is_number(said[before : before + 1]):
        return False
    while before >= 0 and is_number(said[before : before + 1]):
        before -= 1
    return before < 0 or _is_pause(said[before])


def runs_on(said: Sequence[str], end: int, found: numbers.Found) -> bool:
    """Whether a number is followed by another with which it makes no number ("one twenty", "two five", "2 3 kg")."""
    value, used = found
    word = _word(said, end)
    if any(tuple(said[end : end + size]) in words.NUMBERED for size in range(2, words.LONGEST_PHRASE)):
        return False  # "one seven up"
    in_digits = numbers.digits(said, end - used) is not None
    if word not in WORDS and not (in_digits and numbers.digits(said, end) is not None):
        return False
    beside = numbers.read(said, end)
    unit = units.read(said, end + beside[1], of_one=True) if beside else None
    if beside is None or unit is None or unit.unit.name not in MEASURES:
        return True
    behind = end + beside[1] + unit.used
    packed = units.read(said, behind)
    of_packs = (packed is not None and packed.unit.name in COUNTED) or _word(said, behind) in words.SIZE_OF
    # "two half kilo" may be two and a half, "do ek kilo" is a kilo or two
    doubtful = not of_packs and ((beside[0] < 1 and not in_digits) or word in words.APPROXIMATING)
    fits = (beside[0] <= 1 or beside[0] >= COUNTS_BESIDE) and not doubtful
    return not (value.denominator == 1 and 1 <= value <= MOST_PACKS and fits)


def is_product(said: Sequence[str], at: int, *, first: bool) -> bool:
    """ "do pav" are two buns, "do pav dhaniya" is half a kilo of coriander, "paneer do pav" half a kilo of paneer."""
    return first and not goes_on(said, at + 1)


def goes_on(said: Sequence[str], at: int) -> bool:
    """Whether a product is named next, and not the next item."""
    word = _word(said, at)
    return word[:1].isalnum() and word not in words.NUMBER_JOINS


def is_number(said: Sequence[str]) -> bool:
    return bool(said) and (said[0] in WORDS or numbers.digits(said, 0) is not None)


def _is_pause(word: str) -> bool:
    return not word[:1].isalnum() or word in words.NUMBER_JOINS or word in text.FILLERS


def _word(said: Sequence[str], at: int) -> str:
    return said[at] if at < len(said) else ""
