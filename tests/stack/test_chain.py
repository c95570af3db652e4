"""The ordinary chain on real processes: a sentence is offered once, whatever becomes of its messages and of its worker."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter

import pytest

from tests.support.system import BOUND_S, Speaker, System
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_sqlite

SAID_S = 10.0  # from the death of a worker to the word that nobody knows
NOT_SURE = "I'm not sure whether that was done. Please check before you say it again."


def offered(house: System) -> Counter[int]:
    """How often each utterance came to the first plugin of the chain, which writes down what it is given."""
    file = house.data / "recorder.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    return Counter(json.loads(line)["utterance"] for line in lines if line.endswith("\n"))


@pytest.mark.race
@pytest.mark.promise("P265")
def test_a_sentence_whose_worker_died_in_the_middle_is_said_once_and_never_done_again(house: System, kitchen: Speaker) -> None:
    with house.standing_still():
        said = kitchen.accepted("stand still")
        holder = "SELECT holder FROM interactions_chainrun WHERE status = 'claimed'"
        worker = str(wait_until(lambda: house.value(holder), BOUND_S, "somebody to claim the sentence")).rsplit(":", 3)[1]
        wait_until(lambda: offered(house)[said["id"]], BOUND_S, "the chain to have begun")
        os.kill(int(worker), signal.SIGKILL)
        died = time.monotonic()
        assert kitchen.answer_to(said)["text"] == NOT_SURE
        assert time.monotonic() - died < SAID_S
    run = house.value("SELECT id FROM interactions_chainrun")
    with house.celery() as app:  # a message that comes late, doubled, and at the other queue too
        for task, queue in (("run_chain", "turns"), ("run_chain", "turns"), ("run_waiting_chain", "effects")):
            app.send_task(f"interactions.{task}", args=(run,), queue=queue)
    assert kitchen.ask("are you there") == "The chain heard: are you there"
    told = [one["data"] for one in kitchen.replies(after=said["cursor"])["events"] if one["data"].get("answers") == said["id"]]
    assert [data["text"] for data in told if data.get("text")] == [NOT_SURE]
    assert house.value("SELECT status FROM interactions_chainrun WHERE id = %s", run) == "lost"
    assert offered(house)[said["id"]] == 1


@pytest.mark.race
@pytest.mark.promise("P265")
def test_a_sentence_whose_message_was_lost_or_doubled_is_offered_once(house: System, kitchen: Speaker) -> None:
    said = []
    with house.redis() as redis, house.celery() as app:
        for n in range(6):
            accepted = kitchen.accepted(f"number {n}")
            said.append(accepted)
            if n % 2:
                redis.flushall()
                continue
            run = house.value("SELECT id FROM interactions_chainrun WHERE utterance_id = %s", accepted["id"])
            for queue in ("turns", "effects"):
                app.send_task("interactions.run_chain", args=(run,), queue=queue)
    for n, accepted in enumerate(said):
        assert kitchen.answer_to(accepted)["text"] == f"The chain heard: number {n}"
    seen = offered(house)
    assert [seen[accepted["id"]] for accepted in said] == [1] * len(said)
