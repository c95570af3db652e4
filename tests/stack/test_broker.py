"""Without a broker nothing is refused, nothing is lost, and a command can do the work; with it back, the workers do."""

from __future__ import annotations

import contextlib
import os
import statistics
import time
import uuid
from collections.abc import Callable, Iterator

import httpx2
import pytest

from interactions import client
from tests.support.system import BOUND_S, Speaker, System, converse, frozen, spoken
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_postgres

POSTS = 100
P99_S = 1.0
RESUMED_S = 10.0
OUTAGE_S = 30.0

Outage = Callable[[System], contextlib.AbstractContextManager[None]]

once = pytest.mark.skipif(
    not os.environ.get("DATABASE_URL"), reason="asked once, on PostgreSQL; the database has no part in it"
)


@contextlib.contextmanager
def away(house: System) -> Iterator[None]:
    """No broker at all."""
    house.crash("broker")
    yield
    house.begin("broker")


@contextlib.contextmanager
def deaf(house: System) -> Iterator[None]:
    """One that accepts connections and never answers."""
    with frozen(house.children["broker"].pid):
        yield


def timed_posts(speaker: Speaker, count: int) -> tuple[list[int], list[float]]:
    """So many posts, one after the other; their ids, and how long each took after the first."""
    ids, took = [], []
    with httpx2.Client(base_url=speaker.url, headers=speaker.headers, timeout=15) as http:
        for n in range(count):
            body, key = {"text": f"number {n}", "source": "typed"}, {"Idempotency-Key": str(uuid.uuid4())}
            began = time.monotonic()
            answer = http.post("/api/v1/utterances", json=body, headers=key)
            took.append(time.monotonic() - began)
            assert answer.status_code == 202, answer.text
            ids.append(int(answer.json()["id"]))
    return ids, took[1:]


def answered(device: client.Device, upto: int, *, within: float = BOUND_S) -> list[int]:
    """Which utterances were answered, up to one."""
    heard = device.until(lambda event: event.data.get("answers") == upto and bool(event.data.get("text")), within)
    return [int(event.data["answers"]) for event in heard if event.data.get("text")]


@pytest.mark.race
@once
@pytest.mark.promise("P158", "P204", "P227")
@pytest.mark.parametrize("outage", [away, deaf])
def test_without_a_broker_posts_stay_quick_streams_go_on_and_a_command_does_the_work(
    house: System, kitchen: Speaker, outage: Outage
) -> None:
    with kitchen.listening() as device:
        converse(device, "open echo")
        _, usual = timed_posts(kitchen, 10)  # on a busy machine the rest of a post takes its time, too
        converse(device, "hello")
        with outage(house):
            said, took = timed_posts(kitchen, POSTS)
            assert statistics.quantiles(took, n=100)[98] < P99_S + max(usual)
            assert kitchen.replies(after=device.heard[-1].seq)["events"] == []
            began = time.monotonic()
            house.manage("drain")
            assert time.monotonic() - began < BOUND_S
            assert answered(device, said[-1]) == said, "lost, doubled or out of order"
            waiting = kitchen.accepted("and now")
        back = time.monotonic()
        assert answered(device, waiting["id"]) == [waiting["id"]]
        assert time.monotonic() - back < RESUMED_S
        numbers = [event.seq for event in device.heard]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@pytest.mark.race
@pytest.mark.promise("P204")
@pytest.mark.case("E04")
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


@pytest.mark.race
@pytest.mark.promise("P204")
def test_a_broker_that_forgets_everything_under_load_loses_nothing(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device, house.redis() as redis:
        converse(device, "open echo")
        said = []
        for n in range(20):
            said.append(int(device.say(f"number {n}")["id"]))
            redis.flushall()
        assert answered(device, said[-1]) == said


@pytest.mark.long
@once
@pytest.mark.promise("P204")
def test_six_restarts_of_the_broker_under_load_lose_nothing_and_leave_every_worker_alive(
    house: System, kitchen: Speaker
) -> None:
    workers = {name: house.children[name].pid for name in ("worker-turns", "worker-effects", "worker-ticks", "beat")}
    with kitchen.listening() as device:
        converse(device, "open echo")
        said = []
        for n in range(6):
            said += [int(device.say(f"look up {n} and {m}")["id"]) for m in range(3)]
            house.crash("broker")
            said += [int(device.say(f"number {n} and {m}")["id"]) for m in range(3)]
            house.begin("broker")
        back = time.monotonic()
        assert answered(device, said[-1], within=2 * BOUND_S) == said
        assert time.monotonic() - back < 2 * RESUMED_S  # a slice of twenty, and then the others
    assert {name: house.children[name].pid for name in workers} == workers
    assert all(house.children[name].running() for name in workers)


@pytest.mark.long
@once
@pytest.mark.promise("P204")
@pytest.mark.parametrize("outage", [away, deaf])
def test_work_goes_on_soon_after_a_broker_that_was_away_for_half_a_minute(
    house: System, kitchen: Speaker, outage: Outage
) -> None:
    with kitchen.listening() as device:
        converse(device, "open echo")
        with outage(house):
            waiting = device.say("anybody there")
            since = time.monotonic()
            wait_until(lambda: time.monotonic() - since > OUTAGE_S, 2 * OUTAGE_S, "half a minute")
        back = time.monotonic()
        assert answered(device, waiting["id"]) == [waiting["id"]]
        assert time.monotonic() - back < RESUMED_S
        wait_until(lambda: not house.red(), 2 * BOUND_S, "every light to be green again")
