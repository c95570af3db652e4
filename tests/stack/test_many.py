"""Many at once: twenty utterances, four devices, several workers; doorbells that ring too often, and too many who answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from tests.support.system import Speaker, System

pytestmark = pytest.mark.on_postgres

ORDER = ("order swiggy", "yes", "milk", "option 1", "add bread", "option 2", "make it two", "show cart", "complete order")


@pytest.mark.race
@pytest.mark.promise("P204")
@pytest.mark.case("E05")
def test_twenty_utterances_of_four_devices_at_once_are_all_accepted_and_all_answered(house: System) -> None:
    """Two turns workers of two children each, on SQLite too."""
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
def test_two_workers_repeated_doorbells_and_repeated_posts_do_what_one_of_each_does(house: System, kitchen: Speaker) -> None:
    once = _order(house, kitchen)
    house.fresh()
    house.double("worker-effects")
    with house.celery() as bells:

        def again(post: Callable[[], Any], session: int) -> None:
            assert post().headers["Idempotent-Replayed"] == "true"
            for task, queue in (("interactions.drain", "turns"), ("interactions.perform", "effects")) * 4:
                bells.send_task(task, args=(session,), queue=queue)

        assert _order(house, kitchen, again=again) == once


@pytest.mark.promise("P204")
def test_numbered_posts_that_overtake_each_other_are_handled_by_their_numbers(house: System, kitchen: Speaker) -> None:
    kitchen.answer_to(kitchen.accepted("open echo", seq=1, capture_epoch="evening"))
    third = kitchen.accepted("three", seq=3, capture_epoch="evening")
    second = kitchen.accepted("two", seq=2, capture_epoch="evening")
    answers = [kitchen.answer_to(accepted) for accepted in (second, third)]
    assert answers[0]["seq"] < answers[1]["seq"]


def _order(
    house: System, kitchen: Speaker, *, again: Callable[[Callable[[], Any], int], None] | None = None
) -> tuple[list[str], list[tuple[str, str]]]:
    """What was said, and what the shop was asked."""
    start = kitchen.replies()["cursor"]
    for line in ORDER:
        post = partial(kitchen.post, line, key=f"the {line}")
        accepted = post().json()
        if again is not None:
            again(post, accepted["session"])
        kitchen.answer_to(accepted, question=True)
    told = kitchen.replies(after=start)["events"]
    texts = [str(one["data"]["text"]) for one in told if one["data"].get("text")]
    return texts, sorted((call["tool"], str(call["arguments"])) for call in house.calls())
