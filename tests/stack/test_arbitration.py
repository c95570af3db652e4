"""Two speakers of one person hear one wake, on the real system: the better one answers, the other is told and stays silent."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

import pytest

from interactions.client import Device, Event
from tests.support.system import BOUND_S, Speaker, System, spoken
from tests.support.waiting import wait_until

pytestmark = pytest.mark.case("C02", "C03")

HELD_S = 0.25


def at_once(text: str, *devices: tuple[Device, float]) -> list[dict[str, Any]]:
    """Each device reports the wake with its score, all on one signal; what the service answered."""
    line = threading.Barrier(len(devices))
    answers: dict[int, dict[str, Any]] = {}

    def report(place: int, device: Device, score: float) -> None:
        line.wait(BOUND_S)
        answers[place] = device.say(text, source="wake", wake={"word": "hermes", "score": score})

    threads = [threading.Thread(target=report, args=(place, *one)) for place, one in enumerate(devices)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(BOUND_S)
    return [answers[place] for place in range(len(devices))]


def taken(device: Device) -> Event:
    """What a device is told that does not have the wake."""
    *_, event = device.until(lambda event: event.kind == "wake.heard" and event.data["taken_by"] is not None, BOUND_S)
    return event


def answered(device: Device, utterance: int) -> Event:
    *_, event = device.until(lambda event: event.data.get("answers") == utterance and bool(event.data.get("text")), BOUND_S)
    return event


def apart(house: System) -> float:
    rows = house.sql("SELECT received_at FROM interactions_utterance ORDER BY id")
    first, second = (moment if isinstance(moment, datetime) else datetime.fromisoformat(str(moment)) for (moment,) in rows)
    return abs((second - first).total_seconds())


@pytest.mark.race
@pytest.mark.parametrize("text", ["turn on the lamp", "open echo"])
def test_of_two_speakers_that_hear_one_wake_the_better_answers_and_no_sweep_is_waited_for(
    house: System, kitchen: Speaker, hall: Speaker, text: str
) -> None:
    house.halt("beat")
    with kitchen.listening() as near, hall.listening() as far:
        said = dict(zip((near, far), at_once(text, (near, 0.6), (far, 0.9)), strict=True))
        first = min((near, far), key=lambda device: int(said[device]["id"]))
        # A machine that is too busy for two posts within the time has shown only that one of them answers.
        winner = far if apart(house) < HELD_S else first
        loser = near if winner is far else far
        assert answered(winner, said[winner]["id"]).data["text"]
        told = taken(loser)
        assert told.data["taken_by"] == ("hall" if winner is far else "kitchen")
        assert told.data["reason"] in ("score", "later")
        assert spoken(loser.heard + loser.waiting()) == []
    assert house.value("SELECT count(*) FROM interactions_interactionsession") == (1 if text == "open echo" else 0)
    assert house.value("SELECT count(*) FROM interactions_chainrun") == (0 if text == "open echo" else 1)


def test_a_speaker_that_is_alone_waits_for_nobody(house: System, kitchen: Speaker, hall: Speaker) -> None:
    with kitchen.listening() as near:
        with hall.listening() as far:
            far.say("is anybody there")
        there = "SELECT count(*) FROM interactions_presence"
        wait_until(lambda: house.value(there) == 1, BOUND_S, "the other stream to have ended")
        said = near.say("turn on the lamp", source="wake", wake={"word": "hermes", "score": 0.5})
        answered(near, said["id"])
    held = "SELECT count(*) FROM interactions_chainrun WHERE not_before IS NOT NULL"
    assert house.value(held) == 0
