"""Amounts as people say them, as exact fractions with a unit. Pure; nothing is rounded and nothing is guessed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Amount:
    """``used`` tokens said it. ``unit`` is kg, g, l, ml, dozen, packet, or None for a plain number."""

    value: Fraction
    unit: str | None
    used: int
