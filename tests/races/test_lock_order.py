"""Acceptance takes the person's lock, then the device's, then the session's: mixed posts end without deadlock, and only one
person waits for a lock that is held."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connections, transaction
from django.db.models import F

from interactions import events, turns
from interactions import people as acceptance
from interactions.errors import KeyReusedError
from interactions.models import DeviceEvent, InteractionSession, Person, Utterance
from tests.support import people, talk
from tests.support.interleave import Stage
from tests.support.scripted import Script
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


LOCKS: dict[str, tuple[Any, str]] = {"person": (acceptance, "_lock_person"), "device": (events, "hold")}


def crosswise(stage: Stage, device: int, one: tuple[str, str], other: tuple[str, str]) -> list[str]:
    """Two transactions that each have their first lock, or wait for it, before one asks for its second; what was raised."""
    raised: list[str] = []

    def take(order: tuple[str, str]) -> None:
        try:
            with transaction.atomic():
                for name in order:
                    getattr(*LOCKS[name])(device)
        except OperationalError as error:
            raised.append(str(error))

    first, second = stage.act(lambda: take(one)), stage.act(lambda: take(other))
    first.to(holds := first.halt_after(*LOCKS[one[0]]))
    if one[0] == other[0]:
        second.start().is_blocked()
        holds.go()
    else:
        second.to(holds_too := second.halt_after(*LOCKS[other[0]]))
        holds.go()
        first.is_blocked()
        holds_too.go()
    first.join()
    second.join()
    return raised


@pytest.mark.postgres  # SQLite has one lock, and so no order of them
def test_control_two_transactions_that_lock_in_different_orders_deadlock(stage: Stage, kitchen: Any) -> None:
    [raised] = crosswise(stage, kitchen.device.pk, ("person", "device"), ("device", "person"))
    assert "deadlock detected" in raised


@pytest.mark.promise("P226")
def test_two_transactions_that_lock_in_one_order_wait_for_each_other(stage: Stage, kitchen: Any) -> None:
    assert crosswise(stage, kitchen.device.pk, ("person", "device"), ("person", "device")) == []


def in_thread(work: Callable[[], None], faults: list[BaseException]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        except BaseException as fault:  # noqa: BLE001 - shown by the test, whatever it is
            faults.append(fault)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.promise("P226", "P204")
def test_two_hundred_mixed_posts_on_three_devices_with_drains_beside_them_end_without_deadlock(
    script: Script, asha: Any
) -> None:
    """200 posts: new ones, repeated keys, reused keys and twins, while two drains take the sessions' work."""
    devices = [people.with_device(asha, name).device for name in ("kitchen", "hall", "bath")]
    faults: list[BaseException] = []
    left = threading.Event()

    def poster(number: int) -> Callable[[], None]:
        def work() -> None:
            for turn in range(20):
                device = devices[(number + turn) % 3]
                key = f"{number % 5}-{turn}"  # two posters share each key, and so its device only half of the time
                try:
                    talk.post(device, "open scripted" if turn % 4 == 0 else f"words {turn}", key=key, source="typed")
                except KeyReusedError:
                    continue

        return work

    def drainer() -> None:
        while not left.is_set():
            for session in InteractionSession.objects.filter(work_pending=True).values_list("pk", flat=True):
                turns.drain(session)

    drains = [in_thread(drainer, faults) for _ in range(2)]
    for thread in [in_thread(poster(number), faults) for number in range(10)]:
        thread.join()
    wait_until(lambda: not InteractionSession.objects.filter(work_pending=True).exists(), 30, "every session is drained")
    left.set()
    for thread in drains:
        thread.join()
    assert faults == []
    assert InteractionSession.objects.count() == 3
    assert Utterance.objects.filter(reason="activation").count() == 3
    # What is stored counts, and not what the mode was asked: on a loaded machine a lease may run out, and then the worker that
    # had it has decided in vain, and another decides again.
    answered = DeviceEvent.objects.filter(kind="interaction.reply").values_list("payload__answers", flat=True)
    accepted = Utterance.objects.filter(disposition="accepted").exclude(reason="chain").values_list("pk", flat=True)
    assert sorted(answered) == sorted(accepted)
    for session in InteractionSession.objects.all():
        order = list(session.inbox.order_by("sequence").values_list("sequence", flat=True))
        assert order == list(range(1, len(order) + 1))
    for device in devices:
        seqs = list(device.events.order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))


@pytest.mark.postgres
@pytest.mark.promise("P226")
def test_a_person_whose_lock_is_held_delays_nobody_else(script: Script, kitchen: Any, elsewhere: Any) -> None:
    faults: list[BaseException] = []
    done: list[str] = []
    with transaction.atomic():
        Person.objects.filter(user=kitchen.device.owner).update(accepted=F("accepted") + 1)
        waiting = in_thread(lambda: done.append(talk.post(kitchen.device, "hello").body["disposition"]), faults)
        other = in_thread(lambda: done.append(talk.post(elsewhere.device, "hello").body["reason"]), faults)
        other.join(timeout=10)
        assert done == ["chain"]
        assert waiting.is_alive()
    waiting.join(timeout=10)
    assert (faults, done) == ([], ["chain", "accepted"])


@pytest.mark.promise("P226")
def test_the_first_words_ever_from_two_devices_at_once_are_both_accepted(stage: Stage, kitchen: Any, hall: Any) -> None:
    Person.objects.all().delete()
    acts = [lambda: talk.post(kitchen.device, "what is the time"), lambda: talk.post(hall.device, "play some music")] * 2
    stage.together(*acts)
    assert Person.objects.get().accepted == 4
