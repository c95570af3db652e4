"""From pairs of batches to a verdict. Pure: the middle of the ratios, how sure it is, and whether that is within the budget.

A budget is missed when the lower end of the 95 % interval is above it: a noisy machine widens the interval and accuses nobody.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

SURE = 0.95
FEWEST = 6  # ratios; of fewer not even the whole range holds the middle so surely


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of some measurements, and the interval that holds the true one with 95 %, whatever they are spread like."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.3f} ({self.low:.3f} to {self.high:.3f})"


def spread(values: Sequence[float]) -> Spread:
    """By order statistics: each value is as likely above the true median as below it, and nothing else is supposed."""
    if len(values) < FEWEST:
        raise ValueError(f"{len(values)} pairs say nothing for sure; measure {FEWEST} or more")
    ordered = sorted(values)
    cut = max(cut for cut in range(len(ordered) // 2 + 1) if _missed(len(ordered), cut) <= 1 - SURE)
    return Spread(statistics.median(ordered), ordered[cut], ordered[-1 - cut])


def _missed(count: int, cut: int) -> float:
    """How likely the true median lies outside, when ``cut`` values are taken off at either end."""
    return float(2 * sum(math.comb(count, below) for below in range(cut + 1)) / 2**count)


@dataclass(frozen=True, slots=True)
class Judged:
    """One ratio and what it may be."""

    name: str
    ratio: Spread
    budget: float

    @property
    def missed(self) -> bool:
        return self.ratio.low > self.budget
