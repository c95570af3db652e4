"""Which of the options that were read out is meant: by its number, its words, its size, or what it has most of. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from interactions import text
from swiggy_instamart import packs
from swiggy_instamart.readings import Reading

Rows = list[dict[str, Any]]


def fitting(rows: Rows, reading: Reading) -> Rows:
    """All options that fit: one is chosen, none and several are asked about."""
    if reading.number is not None:
        return rows[reading.number - 1 : reading.number] if reading.number >= 1 else []
    said = set(text.tokens(reading.query))
    hits = [row for row in rows if said <= set(text.tokens(f"{row['brand']} {row['name']} {row['size']}"))]
    for item in reading.items:
        worth, base = packs.BASE[item.unit or ""]
        hits = [row for row in hits if packs.sizes(row["size"]).get(base) == (item.amount or 0) * worth]
    if not (said or reading.items or (reading.trait and len(rows) > 1)):
        return []  # of one alone, "the smaller one" is another
    return _most(hits, reading.trait) if reading.trait else hits


def _most(rows: Rows, trait: str) -> Rows:
    """The cheapest, dearest, largest, smallest, last or middle one; all of them where they cannot be compared."""
    if trait in ("last", "middle"):
        at = len(rows) - 1 if trait == "last" else len(rows) // 2
        return rows[at : at + 1] if trait == "last" or len(rows) % 2 else rows
    values = _prices(rows) if trait in ("cheapest", "dearest") else _sizes(rows)
    if values is None or not rows:
        return rows
    best = min(values) if trait in ("cheapest", "smallest") else max(values)
    return [row for row, value in zip(rows, values, strict=True) if value == best]


def _prices(rows: Sequence[Mapping[str, Any]]) -> list[Fraction] | None:
    """What each choice would cost, for it may stand for several packs: three small ones are dearer than one of half a kilo."""
    planned = [row for row in rows if row.get("packs")]
    if planned and len(planned) < len(rows):
        return None  # of the others it has yet to be asked how many
    choices = [row.get("packs") or [{"variant": row, "count": 1}] for row in rows]
    prices = [[(one["variant"].get("price_paise"), one["count"]) for one in choice] for choice in choices]
    if any(price is None for choice in prices for price, _ in choice):
        return None
    return [Fraction(sum(price * count for price, count in choice)) for choice in prices]


def _sizes(rows: Sequence[Mapping[str, Any]]) -> list[Fraction] | None:
    held = [packs.sizes(row["size"]) for row in rows]
    base = next((base for base in (held[0] if held else {}) if all(base in one for one in held)), None)
    return None if base is None else [one[base] for one in held]
