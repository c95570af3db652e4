"""Units as people say them: what an amount is sold by, and what one of them is worth.

Pure tables, read from the languages, and the reader of one unit among tokens. A unit that nothing is sold by here is known, so
that "two pounds of rice" never becomes two of something.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from swiggy_instamart import lexicon, words
from swiggy_instamart.words import Tokens

MEASURES = frozenset({"kg", "g", "l", "ml"})
COUNTED = frozenset({"packet", "piece"})
SMALLER: Mapping[str, tuple[str, int]] = {"kg": ("g", 1000), "l": ("ml", 1000)}


class Unit(NamedTuple):
    """One of it is ``worth`` so much of ``name``; "pair" has no name and is worth two."""

    worth: Fraction
    name: str | None


class Found(NamedTuple):
    unit: Unit
    used: int


def _unit(key: str) -> Unit:
    number, _, name = key.rpartition(" ")
    return Unit(Fraction(key), None) if key.isdigit() else Unit(Fraction(number or 1), name)


PHRASES: Mapping[Tokens, Unit] = {
    said: _unit(key) for language in lexicon.sections("units") for key, ways in language.items() for said in ways
}
UNITS: Mapping[str, str] = {
    said[0]: unit.name for said, unit in PHRASES.items() if len(said) == 1 and unit.worth == 1 and unit.name is not None
}
LONGEST = max(map(len, PHRASES))


def read(said: Sequence[str], start: int, *, of_one: bool = False) -> Found | None:
    """The unit at ``start``; with ``of_one`` also behind "of a", as in "half of a kilo"."""
    skip = 0
    if of_one:
        skip += _is(said, start, words.UNIT_OF)
        skip += _is(said, start + skip, words.ARTICLES)
    for at in {start + skip: skip, start: 0}:
        for size in range(LONGEST, 0, -1):
            phrase = tuple(said[at : at + size])
            if len(phrase) == size and phrase in PHRASES and not named(said, at + size - 1):
                return Found(PHRASES[phrase], at - start + size)
    return None


def named(said: Sequence[str], at: int) -> bool:
    """Whether the name of a product begins with what could be a unit: "gram flour", "pav bhaji"."""
    return any(tuple(said[at : at + size]) in words.NAMES for size in range(2, words.LONGEST_PHRASE))


def foreign(said: Sequence[str], start: int) -> bool:
    """Whether the unit at ``start`` is one that nothing is sold by, also in two words ("kilo watt")."""
    found = read(said, start)
    if found is None or found.unit.name not in MEASURES:
        return _word(said, start) in words.OTHER_UNITS
    beside = start + found.used
    doubled = UNITS.get(_word(said, beside)) in MEASURES and not named(said, beside)
    return doubled or _word(said, beside) in words.OTHER_UNITS


def _is(said: Sequence[str], at: int, listed: frozenset[str]) -> bool:
    return _word(said, at) in listed


def _word(said: Sequence[str], at: int) -> str:
    return said[at] if at < len(said) else ""
