"""Which of several reports of one wake has it: a choice by when it was heard, where a session is open, and the score."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from interactions.arbitration import Wake, is_one, takes
from interactions.echo import Sound

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def wake(said: str = "", *, ended_s: float = 0.0, lasted_s: float = 0.0, **more: float | bool) -> Wake:
    ended = NOON + timedelta(seconds=ended_s)
    return Wake(Sound((), ended - timedelta(seconds=lasted_s), ended), said, **more)  # type: ignore[arg-type]


@pytest.mark.case("C02")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (wake("order swiggy"), wake("order swing", ended_s=0.4), True),
        (wake("order swiggy"), wake("Hermes, order swiggy", ended_s=1.9), True),
        (wake("order swiggy"), wake("order swiggy", ended_s=2.1), False),
        (wake("turn on the lamp"), wake("play some jazz", ended_s=0.2), True),  # the far one heard it badly
        (wake("turn on the lamp"), wake("play some jazz", ended_s=0.4), False),
        (wake(), wake(ended_s=0.3), True),
        (wake(), wake(ended_s=1.2), False),
        (wake(), wake("turn on the lamp", ended_s=2.5, lasted_s=2.0), True),  # it began where the other was announced
        (wake(), wake("turn on the lamp", ended_s=0.1, lasted_s=2.0), False),  # it ended there
    ],
)
def test_two_reports_are_of_one_wake_by_time_and_the_less_they_agree_in_words_the_nearer(
    one: Wake, other: Wake, same: bool
) -> None:
    assert is_one(one, other, ["Hermes"]) is is_one(other, one, ["Hermes"]) is same


@pytest.mark.parametrize(
    ("new", "old", "decided"),
    [
        (wake(score=0.9), wake(score=0.6, open=True), (True, "score")),
        (wake(score=0.6), wake(score=0.9, open=True), (False, "score")),
        (wake(score=0.6), wake(score=0.6, open=True), (False, "first")),
        (wake(), wake(open=True), (False, "first")),
        (wake(score=0.9), wake(score=0.6), (False, "later")),
        (wake(score=0.9), wake(score=0.1, at_session=True, open=True), (False, "session")),
        (wake(score=0.1, at_session=True), wake(score=0.9), (True, "session")),
    ],
)
def test_an_open_session_has_it_then_the_better_score_and_once_it_is_decided_the_first(
    new: Wake, old: Wake, decided: tuple[bool, str]
) -> None:
    assert takes(new, old) == decided
