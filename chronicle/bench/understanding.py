"""What reading a sentence costs: from its words to the mode's decision, every rung of the ladder and the machine's step.

``sentences.yml`` says what is said where. Only this thread's CPU is counted, and nothing that was read before is remembered.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

from chronicle.bench import stages
from chronicle.bench.stages import Place
from interactions import text
from interactions.contracts import Heard, Step

TABLE = Path(__file__).with_name("sentences.yml")
LONGEST = "longest"  # its sentences are no part of the mix: they show that the cost of many words stays bounded
Understand = Callable[[Place, Heard], Step]


class SentenceError(RuntimeError):
    """The table names sentences that are other turns than it says."""


@dataclass(frozen=True, slots=True, eq=False)  # a standing cannot be hashed, and a row of the table is itself alone
class Sentence:
    """One row of the table, where it is said, and the utterance as the host would hand it over."""

    stage: str
    lang: str
    text: str
    comes_to: str
    place: Place
    heard: Heard

    def decided(self, understand: Understand = Place.step) -> str:
        """What came of it: the call that is asked for, else the phase it leads to, else what the decision calls itself."""
        step, phase = understand(self.place, self.heard), self.place.standing.phase
        if step.effect is not None:
            return step.effect.name
        return step.phase if step.phase and step.phase != phase else step.said or phase


@dataclass(frozen=True)
class Cost:
    """CPU milliseconds of each sentence, in the middle of some rounds."""

    ms_of: Mapping[Sentence, float]

    @property
    def mix(self) -> float:
        return statistics.fmean(self._mix.values())

    @property
    def dearest(self) -> float:
        return max(self._mix.values())

    @property
    def longest(self) -> float:
        return max(ms for one, ms in self.ms_of.items() if one.stage == LONGEST)

    @property
    def in_mix(self) -> int:
        return len(self._mix)

    def by(self, attribute: str) -> Mapping[str, float]:
        """The mean of the mix for each stage, or each language."""
        found: dict[str, list[float]] = {}
        for one, ms in self._mix.items():
            found.setdefault(getattr(one, attribute), []).append(ms)
        return {name: statistics.fmean(several) for name, several in found.items()}

    @cached_property
    def _mix(self) -> Mapping[Sentence, float]:
        return {one: ms for one, ms in self.ms_of.items() if one.stage != LONGEST}


def table() -> tuple[Sentence, ...]:
    """Every sentence at its place. Raises SentenceError where one comes to something else than is written beside it."""
    rows = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    found = tuple(_at(stage, rows[stage]) for stage in rows)
    sentences = tuple(one for several in found for one in several)
    if wrong := [f"{one.stage}: {one.text!r} comes to {one.decided()!r}" for one in sentences if one.decided() != one.comes_to]:
        way_out = f"mend the reading, or say in {TABLE.name} what they come to"
        raise SentenceError("\n    ".join([f"these are other turns than were to be measured ({way_out}):", *wrong]))
    return sentences


def _at(stage: str, rows: Iterable[Sequence[str]]) -> tuple[Sentence, ...]:
    place = stages.STAGES[stage]()
    return tuple(Sentence(stage, lang, said, comes_to, place, place.heard(said)) for lang, said, comes_to in rows)


def batch(sentences: Sequence[Sentence], *, rounds: int, understand: Understand = Place.step) -> Cost:
    """Read all of them in turn, several times over."""
    taken: dict[Sentence, list[float]] = {one: [] for one in sentences}
    for _ in range(rounds):
        for one, spent in taken.items():
            text.normalise.cache_clear()
            began = time.thread_time_ns()
            understand(one.place, one.heard)
            spent.append((time.thread_time_ns() - began) / 1e6)
    return Cost({one: statistics.median(spent) for one, spent in taken.items()})
