"""The run: a batch of bare turns and a batch of readings, again and again, so that whatever disturbs one disturbs the other.

Each pair gives ratios of its own, and the first of a pair is once the floor and once the reading.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chronicle.bench import judgement, turns, understanding
from chronicle.bench.judgement import Judged
from chronicle.bench.stages import Place
from chronicle.bench.understanding import Sentence, Understand

BUDGET = 0.5  # of the floor's CPU time


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: as it stands, half a minute for each database."""

    pairs: int = 7
    turns: int = 50  # of a batch; the kernel counts in hundredths of a second
    rounds: int = 5
    warm: int = 40


@dataclass(frozen=True, slots=True)
class Pair:
    """What was measured side by side."""

    floor: turns.Cost
    reading: understanding.Cost


RATIOS: Mapping[str, Callable[[understanding.Cost], float]] = {
    "understanding a sentence, over the mix": lambda reading: reading.mix,
    "the dearest sentence of the mix": lambda reading: reading.dearest,
    "nearly sixty words in one breath": lambda reading: reading.longest,
}


def run(
    speaker: turns.Speaker, *, size: Size, say: Callable[[str], None], understand: Understand = Place.step
) -> tuple[Pair, ...]:
    """Warm up, then measure pair by pair. ``understand`` is what is held against the floor."""
    sentences = understanding.table()
    say(f"warming up: {size.warm} bare turns, {len(sentences)} sentences")
    speaker.batch(_texts(sentences, size.warm))
    understanding.batch(sentences, rounds=1, understand=understand)
    return tuple(_pairs(speaker, sentences, size=size, say=say, understand=understand))


def _pairs(
    speaker: turns.Speaker, sentences: Sequence[Sentence], *, size: Size, say: Callable[[str], None], understand: Understand
) -> Iterator[Pair]:
    texts = _texts(sentences, size.turns)
    for number in range(1, size.pairs + 1):
        if number % 2:
            floor = speaker.batch(texts)
            reading = understanding.batch(sentences, rounds=size.rounds, understand=understand)
        else:
            reading = understanding.batch(sentences, rounds=size.rounds, understand=understand)
            floor = speaker.batch(texts)
        say(
            f"pair {number} of {size.pairs}: floor {floor.ms:.1f} ms of CPU, understanding {reading.mix:.2f} ms, "
            f"ratio {reading.mix / floor.ms:.3f}"
        )
        yield Pair(floor, reading)


def _texts(sentences: Sequence[Sentence], count: int) -> list[str]:
    """The floor is told the same sentences, so that both have the same words to carry."""
    return [sentences[number % len(sentences)].text for number in range(count)]


def judge(pairs: Sequence[Pair]) -> tuple[Judged, ...]:
    return tuple(
        Judged(name, judgement.spread([cost(pair.reading) / pair.floor.ms for pair in pairs]), BUDGET)
        for name, cost in RATIOS.items()
    )


def shares(pairs: Sequence[Pair], attribute: str) -> Mapping[str, float]:
    """The middle ratio for each open question, or each language."""
    by = [(pair.floor.ms, pair.reading.by(attribute)) for pair in pairs]
    return {name: statistics.median(found[name] / floor for floor, found in by) for name in by[0][1]}
