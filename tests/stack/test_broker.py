"""Without a broker nothing is refused, nothing is lost, and a command can do the work; with it back, the workers do."""

from __future__ import annotations

import time

import pytest

from tests.support.system import BOUND_S, Speaker, System, converse, spoken

POST_S = 1.0


@pytest.mark.promise("P204", "P227")
def test_what_is_said_without_a_broker_is_accepted_at_once_and_handled_by_a_command(house: System, kitchen: Speaker) -> None:
    kitchen.ask("open echo")
    house.crash("broker")
    said = []
    for n in range(3):
        began = time.monotonic()
        said.append(kitchen.accepted(f"number {n}"))
        assert time.monotonic() - began < POST_S
    assert kitchen.replies(after=said[0]["cursor"])["events"] == []
    house.manage("drain")
    told = kitchen.replies(after=said[0]["cursor"])["events"]
    assert [one["data"]["text"] for one in told if one["data"].get("text")] == [f"You said: number {n}" for n in range(3)]


@pytest.mark.race
@pytest.mark.promise("P204")
def test_a_broker_that_restarts_between_two_utterances_loses_neither(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:
        converse(device, "open echo", "before")
        house.crash("broker")
        between = device.say("between")
        house.begin("broker")
        after = device.say("after")
        heard = list(device.until(lambda event: event.data.get("answers") == after["id"], BOUND_S))
    assert spoken(heard) == ["You said: between", "You said: after"]
    assert [event.data["answers"] for event in heard if event.data.get("text")] == [between["id"], after["id"]]


@pytest.mark.promise("P158")
def test_an_open_stream_goes_on_while_redis_is_away_and_after_it_is_back(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:
        converse(device, "open echo")
        house.crash("broker")
        away = device.say("away")
        house.manage("drain")
        heard = list(device.until(lambda event: event.data.get("answers") == away["id"], BOUND_S))
        assert spoken(heard) == ["You said: away"]
        house.begin("broker")
        assert spoken(converse(device, "back again")) == ["You said: back again"]
        numbers = [event.seq for event in device.heard]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
