"""What reading a sentence costs: from its words to the mode's decision, every rung of the ladder and the machine's step.

``sentences.yml`` says what is said where. Only this thread's CPU is counted, and nothing that was read before is remembered.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
MISSED, MODEL = "not understood", "understand"  # what the mode calls a repair, and the call that asks a language model
Understand = Callable[[Place, Heard], Step]


class SentenceError(RuntimeError):
    """The table names sentences that are other turns than those to be measured."""


@dataclass(frozen=True, slots=True, eq=False)  # a standing cannot be hashed, and a row of the table is itself alone
class Sentence:
    """One row of the table, where it is said, and the utterance as the host would hand it over."""

    stage: str
    lang: str
    text: str
    place: Place
    heard: Heard

    @property
    def understood(self) -> bool:
        """Whether the rules alone make something of it."""
        step = self.place.step(self.heard)
        return step.said != MISSED and (step.effect is None or step.effect.name != MODEL)


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
    """Every sentence at its place. Raises SentenceError where one is not understood there."""
    rows: Mapping[str, Mapping[str, Sequence[str]]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    sentences = tuple(one for stage, said in rows.items() for one in _at(stage, said))
    if missed := [f"{one.stage}: {one.text}" for one in sentences if not one.understood]:
        way_out = f"mend the reading, or say it otherwise in {TABLE.name}"
        raise SentenceError(
            "\n    ".join([f"not understood, and so another turn than was to be measured ({way_out}):", *missed])
        )
    return sentences


def _at(stage: str, said: Mapping[str, Sequence[str]]) -> Iterator[Sentence]:
    place = stages.STAGES[stage]()
    for lang, texts in said.items():
        yield from (Sentence(stage, lang, words, place, place.heard(words)) for words in texts)


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
