"""What a voice must know of a language to say numbers, units and rupees. One value for each language, in ``languages``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lingo:
    """What one language calls things, and how it says numbers.

    ``units``: how each is written, then one and many of it as said. ``parts``: as said alone, and before a unit.
    """

    cardinal: Callable[[int], str]
    ordinal: Callable[[int], str]
    clock: Callable[[int, int], str]  # hours and minutes, still in digits
    rupee: tuple[str, str]
    paisa: tuple[str, str]
    units: Mapping[str, tuple[str, str]]
    parts: Mapping[str, tuple[str, str]]
    joiner: str
    point: str
    minus: str
    per: str
    over: str
    to: str
    times: str
    percent: str
    link: str


def by_spelling(units: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Several spellings may stand in one key, parted by spaces."""
    return {short: said for shorts, said in units.items() for short in shorts.split()}
