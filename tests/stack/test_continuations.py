"""A sentence that breaks off waits for its rest on real processes, and no longer than that."""

from __future__ import annotations

import time
from typing import Any

import pytest

from interactions.client import Device, Event
from tests.support.system import BOUND_S, Speaker, System, converse
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_sqlite

ALONE_S = 1.0  # how much later than at once a sentence is answered whose rest never comes


@pytest.mark.case("A09")
def test_two_finals_of_one_sentence_are_one_turn_and_the_first_alone_is_answered_soon(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:
        converse(device, "order swiggy", "yes")
        first = device.say("add two", source="stream")
        looked = wait_until(lambda: house.session(first["session"], "not_before"), BOUND_S, "a worker to leave it waiting")
        assert looked
        rest = device.say("packets of milk", source="stream")
        assert (rest["disposition"], rest["reason"]) == ("accepted", "continues")
        assert "milk" in answer(device, first)
        converse(device, "option 1")
        assert [line["quantity"] for line in house.ledger()["cart"]["lines"]] == [2]

        at_once, alone = (took(device, text) for text in ("add", "add seven"))  # not the words of our own prompt
        assert at_once + 0.5 < alone < at_once + ALONE_S, (at_once, alone)


def answer(device: Device, spoken: dict[str, Any]) -> str:
    """The question that what was said leads to."""

    def asks(event: Event) -> bool:
        return event.data.get("answers") == spoken["id"] and bool(event.data.get("expects_reply"))

    *_, event = device.until(asks, BOUND_S)
    return str(event.data["text"])


def took(device: Device, text: str) -> float:
    """How long the answer took."""
    began = time.monotonic()
    answer(device, device.say(text, source="stream"))
    return time.monotonic() - began
