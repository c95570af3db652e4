"""Amounts as people say them, as exact fractions with a unit. Pure; nothing is rounded and nothing is guessed.

An amount that can be read in two ways is none: the caller asks. The words stand in ``languages``, their readers in ``numbers``
and ``units``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from swiggy_instamart import ambiguity, lexicon, numbers, units, words
from swiggy_instamart.numbers import WORDS
from swiggy_instamart.units import COUNTED, MEASURES, UNITS

__all__ = ["COUNTED", "MEASURES", "UNITS", "WORDS", "Amount", "at", "in_digits", "ordinal", "split", "unclear", "whole"]

PACKET, HUNDRED = "packet", "sau"
DOZEN = 12
MOST_DOZENS = 100

_GLUED = re.compile(r"(\d+(?:[./]\d+)?)([^\d./]+)", re.ASCII)
_TIMES = re.compile(r"x(\d+)", re.ASCII)
_NO_NUMBER = re.compile(r"\d[\d.,/]*|\d+[a-z]\d+|\d+\.\d+[a-z]\d*", re.ASCII)  # "1,5", "192.168.1.2", "1e10"
_ORDINAL = re.compile(r"(\d{1,2})(\D+)", re.ASCII)

ORDINALS: Mapping[str, int] = {
    said[0]: int(key) for language in lexicon.sections("ordinals") for key, ways in language.items() for said in ways
}


@dataclass(frozen=True, slots=True)
class Amount:
    """``used`` tokens said it. ``unit`` is kg, g, l, ml, dozen, packet, piece, or None for a plain number."""

    value: Fraction
    unit: str | None
    used: int


def split(said: Sequence[str]) -> tuple[str, ...]:
    """Digits of every script as ASCII, parted from the units glued to them: "500ml", "2x"; "7up" is left alone.

    "2 x 500 g" is so many packets of it.
    """
    out: list[str] = []
    tokens = [_ascii(word) for word in said]
    for here, word in enumerate(tokens):
        if (glued := _GLUED.fullmatch(word)) and (glued[2] in UNITS or glued[2] in words.OTHER_UNITS or glued[2] == "x"):
            out += [glued[1]] if glued[2] == "x" else [glued[1], glued[2]]
        elif times := _TIMES.fullmatch(word):
            out.append(times[1])
        elif word == "x" and (counted := numbers.digits(out, len(out) - 1) is not None) | (
            number := ambiguity.is_number(tokens[here + 1 :])
        ):
            out += [PACKET] if counted and number else []
        elif word in words.HUNDRED_BETWEEN and _is_hundred(tokens, here):
            out.append(HUNDRED)
        else:
            out.append(word)
    return tuple(out)


def _is_hundred(said: Sequence[str], here: int) -> bool:
    """Whether a word that is seldom a number stands between one and a measure."""
    before = tuple(said[max(0, here - 1) : here])
    counted = before in numbers.SMALL or before in numbers.FRACTIONS or numbers.digits(said, here - 1) is not None
    return bool(before) and counted and UNITS.get(_word(said, here + 1)) in MEASURES


def whole(said: Sequence[str], *, asked: bool = False) -> Fraction | None:
    """The number that these words are, all of them; None if anything else is said. A dozen is twelve here.

    ``asked``: a number is waited for, so that "to" and "do" are two. "no" is never nine.
    """
    said = split(said)
    found = numbers.read(said, 0, first=True, asked=asked)
    if found and found[1] == len(said):
        return found[0]
    amount = at(said, 0, article=True)
    if amount is None or amount.used != len(said) or amount.value >= MOST_DOZENS:
        return None
    return amount.value * DOZEN if amount.unit == "dozen" else amount.value if amount.unit is None and found is None else None


def ordinal(word: str) -> int | None:
    if (digits := _ORDINAL.fullmatch(word)) and digits[2] in words.ORDINAL_ENDINGS:
        return int(digits[1]) or None
    return ORDINALS.get(word)


def in_digits(word: str) -> str:
    """A small number word as digits, anything else as it is, so that "home two" is "Home 2"."""
    small = numbers.SMALL.get((word,), ambiguity.MOST_PACKS)
    return str(small) if small < ambiguity.MOST_PACKS and word not in numbers.DOUBTFUL else word


def unclear(said: Sequence[str], start: int) -> bool:
    """Whether a number stands at ``start`` that ``at`` would not read: it can be read in two ways, or in none ("1,5")."""
    word = said[start]
    strange = _NO_NUMBER.fullmatch(word) is not None or word in words.SMALL_PARTS
    return strange or word in WORDS or numbers.read(said, start, first=start == 0) is not None


def at(said: Sequence[str], start: int, *, article: bool = False) -> Amount | None:
    """The amount that begins at ``start``. ``article``: nothing was named before, so that "a" is one, and "dozen" a dozen."""
    first = article or start == 0
    found = numbers.read(said, start, first=first)
    if found is None:
        return _without_number(said, start) if article else None
    value, used = found
    end = start + used
    if units.foreign(said, end) or ambiguity.divided(said, end, first=first) or ambiguity.broken(said, start):
        return None
    unit = units.read(said, end, of_one=value < 1)
    if unit and said[end] in words.UNIT_OR_PRODUCT and ambiguity.is_product(said, end, first=first):
        unit = None
    if unit is None:
        quarter = units.read(said, start) if used == 1 else None  # "paav dhaniya"
        if quarter:
            return _amount(said, start, Fraction(1), quarter, first=first)
        return None if ambiguity.runs_on(said, end, found) else Amount(value, None, used + _of(said, end))
    amount = _amount(said, end, value, unit, first=first)
    if amount and not first and value.denominator != 1 and any(word in words.NUMBER_JOINS for word in said[start:end]):
        amount = (
            None if ambiguity.goes_on(said, end + amount.used) else amount
        )  # "milk three and half dozen eggs" is two things or one
    return amount and Amount(amount.value, amount.unit, amount.used + used)


def _amount(said: Sequence[str], start: int, value: Fraction, found: units.Found, *, first: bool) -> Amount | None:
    """``value`` of the unit at ``start``, with what is said behind it: "and a half", "500 gram", "of", "wala"."""
    unit, used = found
    if unit.name == "dozen" and value >= MOST_DOZENS:
        return None  # "three hundred and two dozens"
    value *= unit.worth
    end = start + used
    many = end + _of(said, end)
    if unit.name is None and units.foreign(said, many):
        return None
    if unit.name is None and (of_what := units.read(said, many)):  # "a couple of kilos"
        of_them = _amount(said, many, value, of_what, first=first)
        return of_them and Amount(of_them.value, of_them.unit, of_them.used + many - start)
    if unit.name == "dozen" or unit.name in MEASURES:
        joined = _word(said, end) in words.NUMBER_JOINS
        half = numbers.read(said, end + 1) if joined else None
        if half and half[0] < 1 and units.read(said, end + 1 + half[1], of_one=True) is None:
            value, used = value + half[0] * unit.worth, used + 1 + half[1]  # and not "a kilo and half a dozen"
    packed = units.read(said, end) if unit.name == "dozen" else None
    if packed and packed.unit.name in COUNTED and (value * DOZEN).denominator == 1:  # "half a dozen packets"
        return Amount(value * DOZEN, packed.unit.name, used + packed.used + _of(said, end + packed.used))
    if smaller := _smaller(said, end, unit.name):
        if not first and ambiguity.goes_on(said, end + smaller.used):
            return None  # "milk 1 litre 500 ml curd" is one thing or two
        value, used = value + smaller.value / units.SMALLER[unit.name or ""][1], used + smaller.used
    return Amount(value, unit.name, used + _of(said, start + used, of_size=True))


def _smaller(said: Sequence[str], start: int, unit: str | None) -> Amount | None:
    """ "ek kilo paanch sau gram" is one amount."""
    name, many = units.SMALLER.get(unit or "", ("", 0))
    found = numbers.read(said, start) if many else None
    below = units.read(said, start + found[1]) if found else None
    fits = found is not None and below is not None and below.unit.name == name and found[0] * below.unit.worth < many
    return Amount(found[0] * below.unit.worth, name, found[1] + below.used) if found and below and fits else None


def _without_number(said: Sequence[str], start: int) -> Amount | None:
    here = start + (_word(said, start) in words.ARTICLES)
    unit = units.read(said, here)
    goes_on = bool(_word(said, start + 1))
    if here == start:
        of = unit is not None and unit.unit.name is None and _of(said, here + unit.used)  # "couple of"
        alone = _word(said, start) in words.UNIT_ALONE and goes_on and not units.foreign(said, start)
        return _amount(said, start, Fraction(1), unit, first=True) if unit and (alone or of) else None
    if unit is None:
        return Amount(Fraction(1), None, 1) if goes_on else None
    amount = None if units.foreign(said, here) else _amount(said, here, Fraction(1), unit, first=True)
    return amount and Amount(amount.value, amount.unit, amount.used + 1)


def _of(said: Sequence[str], at: int, *, of_size: bool = False) -> int:
    word = _word(said, at)
    return int(word in words.UNIT_OF or (of_size and word in words.SIZE_OF))


def _ascii(word: str) -> str:
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in word)


def _word(said: Sequence[str], at: int) -> str:
    return said[at] if at < len(said) else ""
