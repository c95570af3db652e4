"""Our own sentences of a kitchen, written for this and found nowhere else; where each is said stands above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import yaml

from tests.field import expected, labels, sets
from tests.field.judge import Trial

EVERYWHERE = "everywhere"


@cache
def _written() -> Mapping[str, Mapping[str, str]]:
    known: Mapping[str, Mapping[str, str]] = yaml.load(
        (labels.HERE / "own.yml").read_text(encoding="utf-8"), yaml.BaseLoader  # "yes" is a word here, and no truth value
    )
    return known


def sentences() -> int:
    return sum(len(said) for said in _written().values())


def shopping() -> Iterator[Trial]:
    """What is said to the shop, at the question it answers."""
    for stage, known in _written().items():
        for said, meant in known.items() if stage != EVERYWHERE else ():
            yield from sets.in_domain(f"own at {stage}: {said}", str(said), stage, expected.parse(meant))


def talk() -> Iterator[Trial]:
    """What is said to others, at every question."""
    for number, (said, meant) in enumerate(_written()[EVERYWHERE].items()):
        yield from sets.other_trade(number, f"own: {said}", str(said), expected.parse(meant))
