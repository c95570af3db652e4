"""The table of what was said and what came of it, and the targets that it is held to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.field.judge import Judged, Verdict

COLUMNS = ("rows", "in domain", "right", "asked back", "wrong", "dangerous", "opens")


@dataclass(slots=True)
class Row:
    """One set. A sentence counts once, as the worst of all its trials."""

    name: str
    worst: dict[str, Judged] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    trials: int = 0

    def take(self, judged: Judged) -> None:
        self.trials += 1
        known = self.worst.get(judged.trial.row)
        if known is None or judged.verdict > known.verdict:
            self.worst[judged.trial.row] = judged

    def count(self, verdict: Verdict, *, domain: bool = False) -> int:
        return sum(judged.verdict is verdict and (judged.trial.domain or not domain) for judged in self.worst.values())

    @property
    def domain(self) -> int:
        return sum(judged.trial.domain for judged in self.worst.values())

    @property
    def cells(self) -> Sequence[int]:
        return (len(self.worst), self.domain, *(self.count(verdict) for verdict in Verdict), len(self.opened))

    def share(self, verdict: Verdict) -> float:
        """Of the sentences in our domain."""
        return self.count(verdict, domain=True) / self.domain if self.domain else 0.0


@dataclass(frozen=True, slots=True)
class Target:
    name: str
    value: str
    met: bool

    def __str__(self) -> str:
        return f"  {'met   ' if self.met else 'MISSED'}  {self.name}: {self.value}"


def lines(rows: Iterable[Row]) -> Iterable[str]:
    rows = list(rows)
    width = max(len(row.name) for row in rows)
    sums = [sum(column) for column in zip(*(row.cells for row in rows), strict=True)]
    yield "  ".join([" " * width, *COLUMNS])
    for name, cells in [*((row.name, row.cells) for row in rows), ("all", sums)]:
        yield "  ".join([f"{name:<{width}}", *(f"{n:>{len(column)}}" for n, column in zip(cells, COLUMNS, strict=True))])


def at_least(name: str, share: float, least: float) -> Target:
    return Target(f"{name} at least {least:.0%}", f"{share:.1%}", share >= least)


def at_most(name: str, share: float, most: float) -> Target:
    return Target(f"{name} at most {most:.0%}", f"{share:.1%}", share <= most)


def none(name: str, count: int) -> Target:
    return Target(f"no {name}", str(count), count == 0)
