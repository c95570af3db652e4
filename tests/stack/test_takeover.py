"""Processes that die, stand still or are fed poison while they work: somebody goes on within ten seconds, and once."""

from __future__ import annotations

import os
import signal
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.system import BOUND_S, Speaker, System, converse, frozen, spoken
from tests.support.waiting import wait_until

RESUMED_S = 10.0

once = pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="asked once; the database has no part in it")


def dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def children_of(parent: int) -> set[int]:
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split()}


@pytest.mark.race
@pytest.mark.promise("P152", "P155")
def test_a_turn_whose_child_is_killed_in_the_middle_is_taken_over_and_answered_once(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:
        session = int(device.say("open faulty")["session"])
        converse(device, "hello")
        with house.standing_still():
            device.say("stand still")
            device.say("and then")
            wait_until(
                lambda: house.value("SELECT MAX(attempts) FROM interactions_inboxitem WHERE text = 'stand still'"), 10, ""
            )
            died = time.monotonic()
            os.kill(house.holder(session), signal.SIGKILL)
        heard = list(device.until(lambda event: "and then" in str(event.data.get("text")), BOUND_S))
        assert time.monotonic() - died < RESUMED_S
    assert spoken(heard) == ["I stood still.", "You said: and then"]
    assert house.sql("SELECT attempts FROM interactions_inboxitem WHERE text = 'stand still'") == [(2,)]


@pytest.mark.race
@pytest.mark.postgres
@pytest.mark.promise("P152")
def test_a_turn_whose_child_stood_still_past_its_lease_is_taken_over_and_the_child_dies_as_it_wakes_up(
    house: System, kitchen: Speaker
) -> None:
    with kitchen.listening() as device:
        session = int(device.say("open faulty")["session"])
        converse(device, "hello")
        with house.standing_still():
            device.say("stand still")
            begun = "SELECT 1 FROM interactions_inboxitem WHERE text = 'stand still' AND attempts = 1"
            wait_until(lambda: house.sql(begun), BOUND_S, "the step to begin")
            holder = house.holder(session)
            stopped = time.monotonic()
            with frozen(holder):
                wait_until(lambda: house.holder(session) != holder, BOUND_S, "somebody else to hold the session")
                lease_s = float(house.environ.get("CHRONICLE_LEASE_S", 6))
                assert time.monotonic() - stopped < lease_s + RESUMED_S
            wait_until(lambda: dead(holder), BOUND_S, "the frozen child to die as it wakes up")
        assert spoken(list(device.until(lambda event: "stood" in str(event.data.get("text")), BOUND_S))) == ["I stood still."]


@once
@pytest.mark.race
@pytest.mark.promise("P152")
def test_what_an_orphan_is_doing_it_ends_and_nobody_does_it_again(house: System, kitchen: Speaker) -> None:
    """The parent of the pool is killed, its child lives on: it holds the session, and nobody is let in beside it."""
    with kitchen.listening() as device:
        session = int(device.say("open faulty")["session"])
        converse(device, "hello")
        with house.standing_still():
            device.say("look up the clock")
            begun = "SELECT 1 FROM interactions_checkpoint WHERE effect = 'look_up' AND state = 'started'"
            wait_until(lambda: house.sql(begun), BOUND_S, "the call to begin")
            orphan, parent = house.holder(session), house.children["worker-effects"].pid
            idle = children_of(parent) - {orphan}
            house.children["worker-effects"].signal(signal.SIGKILL)
            house.crash("beat")
            wait_until(lambda: all(map(dead, idle)), BOUND_S, "the idle children to end")
            assert not dead(orphan), "it was ended in the middle of a call"
            device.say("and then")
        wait_until(lambda: not house.children["worker-effects"].running(), BOUND_S, "the parent to be gone")
        house.begin("worker-effects", "beat")
        heard = list(device.until(lambda event: "and then" in str(event.data.get("text")), BOUND_S))
        assert spoken(heard)[-2:] == ["look_up: the clock", "You said: and then"]
        wait_until(lambda: dead(orphan), BOUND_S, "the orphan to end")
    assert house.sql("SELECT attempts FROM interactions_checkpoint WHERE effect = 'look_up'") == [(1,)]


@once
@pytest.mark.promise("P159")
def test_an_input_that_kills_its_worker_is_set_aside_with_an_apology_and_the_next_is_answered(
    house: System, kitchen: Speaker
) -> None:
    with kitchen.listening() as device:
        converse(device, "open faulty")
        device.say("die")
        device.say("go on")
        heard = list(device.until(lambda event: "go on" in str(event.data.get("text")), 3 * BOUND_S))
    assert spoken(heard) == ["Sorry, that did not work. Please say it again.", "You said: go on"]
    poison = "SELECT status, attempts FROM interactions_inboxitem WHERE text = 'die'"
    assert house.sql(poison) == [("dead", 3)]


@once
@pytest.mark.promise("P159")
def test_malformed_messages_and_unknown_rows_stop_no_worker(house: System, kitchen: Speaker) -> None:
    workers = ("worker-turns", "worker-effects", "worker-ticks")
    before = [house.children[name].pid for name in workers]
    kitchen.ask("open faulty")
    tasks = {"turns": "interactions.drain", "effects": "swiggy_instamart.poll", "ticks": "interactions.tick"}
    with house.celery() as bells:
        for queue, task in tasks.items():
            for arguments in ((), ("x",), (None,), (-1,), (10**30,), (99999,), ({"a": 1},), (1, 2, 3)):
                bells.send_task(task, args=arguments, queue=queue)
            bells.send_task("interactions.nothing", queue=queue)
            with bells.producer_or_acquire() as producer:
                for body, kind in ((b"\xff\x00", "application/json"), (b"{", "application/json"), (b"x", "application/x-y")):
                    producer.publish(body, routing_key=queue, exchange="", content_type=kind, content_encoding="utf-8")
    assert kitchen.ask("are you there") == "You said: are you there"
    assert kitchen.ask("look up the weather") == "look_up: the weather"
    house.wait_sweeps(1)
    assert [house.children[name].pid for name in workers] == before
    assert all(house.children[name].running() for name in workers)


@once
@pytest.mark.race
@pytest.mark.promise("P145", "P152")
@pytest.mark.case("E03")
def test_a_payment_whose_poller_is_killed_is_looked_at_again_and_doubled_doorbells_make_no_second_poll(
    house: System, kitchen: Speaker
) -> None:
    house.shop(hold_s=30.0)
    with kitchen.listening() as device:
        converse(device, "order swiggy", "yes", "milk", "option 1", "complete order", "confirm order")
        house.wait_call("check_payment_status")
        watch, poller = house.sql("SELECT id, polled_by FROM swiggy_instamart_paymentwatch")[0]
        with house.celery() as bells:
            for _ in range(8):
                bells.send_task("swiggy_instamart.poll", args=(watch,), queue="effects")
        house.wait_sweeps(1)
        assert len(house.calls("check_payment_status")) == 1, "polled twice at once"
        died = time.monotonic()
        os.kill(int(str(poller).rsplit(":", 3)[1]), signal.SIGKILL)
        house.wait_call("check_payment_status", count=2)
        assert time.monotonic() - died < RESUMED_S
        house.pay()
        *_, ended = device.until(lambda event: event.kind == "interaction.ended", BOUND_S)
    assert ended.data["reason"] == "paid"
    polls = house.calls("check_payment_status")[1:]
    assert all(later["at"] >= earlier["ended_at"] for earlier, later in pairwise(polls))
    counts = house.ledger()["counts"]
    assert (counts["checkouts"], counts["paid"], counts["placed"]) == (1, 1, 1)
    assert counts["confirms"] <= 1


@pytest.mark.race
@pytest.mark.promise("P064", "P152")
@pytest.mark.case("E11")
def test_add_and_remove_50_ms_apart_are_handled_one_after_the_other(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:  # two turns children and four effects children wait for it
        converse(device, "order swiggy", "yes", "add milk")
        house.shop(latency_ms=100)
        added, at = device.say("option 1"), time.monotonic()
        wait_until(lambda: time.monotonic() - at > 0.05, 1, "50 ms")
        removed = device.say("remove milk")
        heard = list(device.until(lambda event: event.data.get("answers") == removed["id"], BOUND_S))
        heard += list(device.until(lambda event: bool(event.data.get("expects_reply")), BOUND_S))
    order = [event.data["answers"] for event in heard if event.data.get("answers")]
    assert order == sorted(order), "the second was answered before the first"
    assert added["id"] in order
    writes = house.calls("update_cart") + house.calls("clear_cart")
    assert house.calls("update_cart"), "it was never added"
    assert house.ledger()["cart"]["lines"] == []
    assert all(later["at"] >= earlier["ended_at"] for earlier, later in pairwise(sorted(writes, key=lambda call: call["at"])))
