"""Random days in short: the same few at every run, those that once went wrong, and proof that a missing guard is seen.

``make certify-random`` lives thousands of turns of them. A day that failed there is kept in ``tests/flows/random``, as a list
of acts that anybody can read, and is lived again here for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from swiggy_instamart.randomised import controls, run, stage

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="one thread, one connection: PostgreSQL would show nothing more"),
    pytest.mark.on_sqlite,
]

KEPT = sorted((Path(__file__).parent / "random").glob("*.json"))
SEEN = sorted((Path(__file__).parent / "random" / "controls").glob("*.json"))
SEED, DAYS, ACTS = 1, 5, 25


@pytest.fixture(autouse=True)
def _stage() -> Iterator[None]:
    with stage.begin():
        yield


@pytest.mark.promise("P120", "P146", "P154", "P156", "P204", "P206", "P261", "P262", "P264")
def test_whatever_happens_in_a_random_day_nothing_is_lost_and_nothing_is_ordered_twice() -> None:
    assert run.days(SEED, count=DAYS, acts=ACTS) is None


@pytest.mark.parametrize("day", KEPT, ids=lambda path: path.stem)
def test_a_day_that_once_went_wrong_goes_well(day: Path) -> None:
    assert run.play(run.load(day)) == []


@pytest.mark.parametrize("day", SEEN, ids=lambda path: path.stem)
def test_a_missing_guard_is_seen(day: Path) -> None:
    with controls.CONTROLS[day.stem.replace("-", " ")]():
        assert run.play(run.load(day)), "the guard is away and nobody noticed"


@pytest.mark.parametrize("day", SEEN, ids=lambda path: path.stem)
def test_with_the_guard_the_same_day_goes_well(day: Path) -> None:
    assert run.play(run.load(day)) == []


def test_every_control_has_the_day_that_it_spoils() -> None:
    assert {day.stem.replace("-", " ") for day in SEEN} == set(controls.CONTROLS)
