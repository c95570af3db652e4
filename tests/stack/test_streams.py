"""A device that was away: it is told what it missed, once, in order, whoever died meanwhile."""

from __future__ import annotations

import pytest

from tests.support import web
from tests.support.system import BOUND_S, Speaker, System, converse
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_postgres


@pytest.mark.promise("P158")
def test_a_device_that_comes_back_with_its_number_gets_what_it_missed_once(house: System, kitchen: Speaker) -> None:
    with web.stream(house.url, kitchen) as stream:
        kitchen.ask("open echo")
        _, last, _ = stream.next()
    missed = [kitchen.answer_to(kitchen.accepted(f"number {n}"))["text"] for n in range(3)]
    with web.stream(house.url, kitchen, after=last) as stream:
        told = []
        while len([data for _, _, data in told if data.get("text") in missed]) < 3:
            told.append(stream.next())
        kitchen.ask("and now")
        told.append(stream.next())
    numbers = [number for _, number, _ in told]
    assert last is not None
    assert numbers == list(range(last + 1, last + 1 + len(numbers)))
    assert told[-1][2]["text"] == "You said: and now"


def test_a_device_without_a_number_gets_only_what_is_new(house: System, kitchen: Speaker) -> None:
    kitchen.ask("open echo")
    with web.stream(house.url, kitchen) as stream:
        kitchen.ask("hello")
        assert stream.next()[2]["text"] == "You said: hello"


@pytest.mark.race
@pytest.mark.promise("P158")
def test_what_happened_while_the_web_process_was_dead_is_told_once_when_it_is_back(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:
        session = device.say("open echo")["session"]
        converse(device, "hello")
        house.crash("web")
        house.overdue(session)
        wait_until(lambda: house.session(session) == "ended", BOUND_S, "beat to end the session")
        house.begin("web")
        ended = list(device.until(lambda event: event.kind == "interaction.ended", BOUND_S))
        converse(device, "open echo")
        numbers = [event.seq for event in device.heard]
    assert [event.kind for event in ended].count("interaction.ended") == 1
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
