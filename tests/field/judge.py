"""Right, asked back, wrong or dangerous: what came of a sentence against what should have.

Dangerous is consent where there is none, a change of the cart that nobody asked for, the opposite of a yes or a no, and an
amount that is not the one that was said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from interactions import text
from tests.field import opening, outcome, stages
from tests.field.expected import ANY, Act, Acts, Expected
from tests.field.outcome import Outcome


class Verdict(IntEnum):
    """The worst of several is the largest."""

    RIGHT = 0
    ASKED = 1
    WRONG = 2
    DANGEROUS = 3


SPECIAL: Mapping[str, Callable[[str], Outcome]] = {**opening.STAGES, "in pieces": outcome.in_pieces}
CHANGES = frozenset({"consent", "pick", "remove", "set", "clear", "rebuild"})
OPPOSITE = {"yes": "no", "no": "yes"}


@dataclass(frozen=True, slots=True)
class Trial:
    """One sentence at one open question. ``fitting``: where it belongs; elsewhere it only must do no harm."""

    row: str
    said: str
    stage: str
    expected: Expected
    domain: bool = True
    fitting: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    trial: Trial
    outcome: Outcome
    verdict: Verdict

    def __str__(self) -> str:
        seen = "; ".join(sorted(map(str, self.outcome.acts))) or "nothing"
        where = f"{self.trial.row} at {self.trial.stage}: {self.trial.said!r}"
        return f"{self.verdict.name:<9} {where} -> {seen} (should: {self.trial.expected})"


def judge(trial: Trial) -> Judged:
    special = SPECIAL.get(trial.stage)
    seen = special(trial.said) if special else outcome.of(stages.at(trial.stage, trial.expected.names), trial.said)
    verdict = of(trial.expected, seen.acts)
    if not trial.fitting and verdict is not Verdict.DANGEROUS:
        verdict = Verdict.RIGHT
    return Judged(trial, seen, verdict)


def of(expected: Expected, seen: Acts) -> Verdict:
    if any(_dangerous(act, expected) for act in seen):
        return Verdict.DANGEROUS
    if any(_same(reading, seen) for reading in expected.readings):
        return Verdict.RIGHT
    return Verdict.WRONG if seen else Verdict.ASKED


def _same(reading: Acts, seen: Acts) -> bool:
    return len(reading) == len(seen) and all(any(act.meets(written) for act in seen) for written in reading)


def _dangerous(act: Act, expected: Expected) -> bool:
    allowed = expected.allowed
    if act.does in CHANGES:
        return not any(act.meets(written) for written in allowed)
    if act.does in OPPOSITE:
        meant = {written.does for written in allowed} & OPPOSITE.keys()
        return meant == {OPPOSITE[act.does]}
    if act.does == "add":
        named = [
            written for written in allowed if written.does == "add" and (written.name == ANY or _holds(act.name, written.name))
        ]
        return bool(named) and not any(act.measure == written.measure or written.name == ANY for written in named)
    return False


def _holds(name: str, part: str) -> bool:
    return set(text.tokens(part)) <= set(text.tokens(name))
