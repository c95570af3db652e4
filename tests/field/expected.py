"""What a sentence should lead to, written as short as it can be: ``remove bread; add 2 milk + 1/2 kg onions | nothing``.

A bar parts readings that are all right, a semicolon acts of one reading, a plus the things of one act. Amounts are exact and
folded to one unit, so that half a kilo and 500 g are the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from interactions import text
from swiggy_instamart import goods

IT = "it"  # whatever was last spoken of; never what no sentence speaks of
ANY = "*"  # a search for anything at all, which changes nothing
UNTOUCHED = frozenset({"cow ghee", "sea salt"})
WITH_THINGS = frozenset({"add", "remove", "set", "pick", "recount"})
FILLING = frozenset({"some", "more", "the", "a", "an", "few", "extra", "any", "of", "my", "our"})
BASE = {
    "kg": (Fraction(1000), "g"),
    "g": (Fraction(1), "g"),
    "l": (Fraction(1000), "ml"),
    "ml": (Fraction(1), "ml"),
}
UNITS = r"(?:kg|g|ml|l|dozen)\b"
_THING = re.compile(rf"(?:(?P<count>\d+) (?!{UNITS})(?:x )?)?(?:(?P<amount>\d+(?:[/.]\d+)?) ?(?P<unit>{UNITS}) ?)?(?P<name>.*)")


@dataclass(frozen=True, slots=True)
class Act:
    """One thing done or asked for. ``count`` packs, each of ``amount`` of ``unit`` where one was said."""

    does: str
    name: str = ""
    count: int = 1
    amount: Fraction | None = None
    unit: str = ""

    @property
    def measure(self) -> tuple[int, Fraction | None, str]:
        return self.count, self.amount, self.unit

    def meets(self, other: Act) -> bool:
        """Whether ``other``, as written, is this act."""
        if self.does != other.does or other.name == ANY:
            return self.does == other.does
        return self.measure == other.measure and (self.name == other.name or (other.name == IT and self.name not in UNTOUCHED))

    def __str__(self) -> str:
        amount = f"{self.amount} {self.unit}" if self.amount is not None else ""
        count = str(self.count) if self.does in WITH_THINGS and self.does != "remove" else ""
        return " ".join(part for part in (self.does, count, amount, self.name) if part)


Acts = frozenset[Act]


@dataclass(frozen=True, slots=True)
class Expected:
    """The readings that are right; an empty one is "nothing happens"."""

    readings: tuple[Acts, ...]

    @property
    def allowed(self) -> Acts:
        return frozenset().union(*self.readings)

    @property
    def names(self) -> tuple[str, ...]:
        """What the cart must hold for the sentence to make sense: things to be taken out or counted anew."""
        held = [act.name for act in self.allowed if act.does in {"remove", "set"} and act.name != IT]
        return tuple(sorted(set(held)))

    def __str__(self) -> str:
        return " | ".join("; ".join(sorted(map(str, acts))) or "nothing" for acts in self.readings)


NOTHING = Expected((frozenset(),))


@cache
def parse(written: str) -> Expected:
    return Expected(tuple(frozenset(_acts(reading.strip())) for reading in written.split("|")))


def _acts(reading: str) -> list[Act]:
    if reading == "nothing":
        return []
    found = []
    for act in reading.split(";"):
        does, _, rest = act.strip().partition(" ")
        if does in WITH_THINGS:
            found += [_thing(does, thing.strip()) for thing in rest.split(" + ")]
        else:
            found.append(Act(act.strip()))
    return found


def _thing(does: str, written: str) -> Act:
    match = _THING.fullmatch(written)
    assert match is not None, written
    amount = Fraction(match["amount"]) if match["amount"] else None
    return act(does, match["name"], count=int(match["count"]) if match["count"] else None, amount=amount, unit=match["unit"])


def act(does: str, name: str, *, count: int | None = None, amount: Fraction | None = None, unit: str | None = None) -> Act:
    """An act with its amount folded: kilos to grams, litres to millilitres, dozens to pieces."""
    packs = 1 if count is None else count
    if amount is not None and unit == "dozen":
        pieces = packs * amount * 12
        assert pieces.denominator == 1, pieces
        return Act(does, plain(name), int(pieces))
    if amount is not None and unit in BASE:
        factor, base = BASE[unit]
        return Act(does, plain(name), packs, amount * factor, base)
    return Act(does, plain(name), packs)


def wanted(item: Mapping[str, Any]) -> Act:
    """One item of a search, as the effect carries it."""
    amount = Fraction(item["amount"]) if item.get("amount") else None
    return act("add", item["query"], count=item.get("count"), amount=amount, unit=item.get("unit"))


def plain(name: str) -> str:
    """The bare name, in the language of the shop where it has one there."""
    words = tuple(word for word in text.tokens(name) if word not in FILLING)
    return " ".join(goods.named(words)) or name
