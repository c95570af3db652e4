"""Our own sentences of a kitchen, written for this and found nowhere else; where each is said stands above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import yaml

from interactions import text
from swiggy_instamart import words
from tests.field import expected, labels, opening, sets
from tests.field.judge import Trial

EVERYWHERE = "everywhere"


@cache
def _written() -> Mapping[str, Mapping[str, str]]:
    known: Mapping[str, Mapping[str, str]] = yaml.load(
        (labels.HERE / "own.yml").read_text(encoding="utf-8"),
        yaml.BaseLoader,  # "yes" is a word here, and no truth value
    )
    return known


def sentences() -> int:
    return sum(len(said) for said in _written().values())


def shopping() -> Iterator[Trial]:
    """What is said to the shop, at the question it answers; at a review it must not spend, whatever else it does there."""
    for stage, known in _written().items():
        for said, written in known.items() if stage != EVERYWHERE else ():
            meant = expected.parse(written)
            domain = frozenset() not in meant.readings
            yield Trial(f"own at {stage}: {said}", said, stage, meant, domain=domain)
            if written != "consent" and not text.is_phrase(said, words.CONFIRM_PHRASES, opening.NAMES):
                yield Trial(f"own at {stage}: {said}", said, "review", ANYTHING_BUT_CONSENT, domain=domain, fitting=False)


ANYTHING_BUT_CONSENT = expected.parse("add *; pick *; set *; remove *; recount *; clear; rebuild")


def talk() -> Iterator[Trial]:
    """What is said to others, at every question."""
    for number, (said, meant) in enumerate(_written()[EVERYWHERE].items()):
        yield from sets.other_trade(number, f"own: {said}", said, expected.parse(meant))
