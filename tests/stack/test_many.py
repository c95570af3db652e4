"""Many at once: twenty utterances, four devices, several workers; doorbells that ring too often, and too many who answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest

from interactions.client import Event
from tests.support.system import Speaker, System, converse

ORDER = ("order swiggy", "yes", "milk", "option 1", "add bread", "option 2", "make it two", "show cart", "complete order")


@pytest.mark.race
@pytest.mark.promise("P152", "P155")
def test_twenty_utterances_of_four_devices_at_once_are_all_accepted_and_all_answered(house: System) -> None:
    house.double("worker-turns")
    speakers = [house.speakers[name] for name in ("kitchen", "hall", "study", "bedroom")]
    for speaker in speakers:
        speaker.ask("open echo")
    before = {speaker.client_id: speaker.replies()["cursor"] for speaker in speakers}
    seen = len(house.logs())
    with ThreadPoolExecutor(20) as pool:
        posts = [(speaker, pool.submit(speaker.accepted, f"number {n}")) for n in range(5) for speaker in speakers]
        answers = [(speaker, post.result()) for speaker, post in posts]
    for speaker, accepted in answers:
        assert speaker.answer_to(accepted)["answers"] == accepted["id"]
    for speaker in speakers:
        ids = [accepted["id"] for whose, accepted in answers if whose is speaker]
        told = speaker.replies(after=before[speaker.client_id])["events"]
        told = [one["data"]["answers"] for one in told if one["data"].get("text")]
        assert told == sorted(ids), "answered out of order, or twice"
    assert "locked" not in house.logs()[seen:]


@pytest.mark.race
@pytest.mark.promise("P204")
def test_two_effects_workers_and_repeated_doorbells_do_what_one_of_each_does(house: System, kitchen: Speaker) -> None:
    once = _order(house, kitchen)
    house.fresh()
    house.double("worker-effects")
    bells = house.celery()

    def ring(session: int) -> None:
        for task, queue in (("interactions.drain", "turns"), ("interactions.perform", "effects")) * 4:
            bells.send_task(task, args=(session,), queue=queue)

    with bells:
        again = _order(house, kitchen, ring=ring)
    assert again == once


def _order(house: System, kitchen: Speaker, *, ring: Any = None) -> tuple[list[str], list[tuple[str, Any]]]:
    """What was said, and what the shop was asked."""
    heard: list[Event] = []
    with kitchen.listening() as device:
        for line in ORDER:
            if ring is not None and heard:
                ring(heard[-1].data["session_id"])
            heard += converse(device, line)
    assert all(later.seq == earlier.seq + 1 for earlier, later in pairwise(device.heard))
    texts = [str(event.data["text"]) for event in heard if event.data.get("text")]
    return texts, sorted((call["tool"], str(call["arguments"])) for call in house.calls())
