"""Everything at once, in threads with connections of their own: one checkout at most, no deadlock, one end, nothing open."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import close_old_connections, connection
from django.utils import timezone

from interactions import clock, sessions, sweep, turns
from interactions.models import Checkpoint, DeviceEvent, InboxItem, InteractionSession
from swiggy_instamart import lookups, payments
from swiggy_instamart.models import CheckoutIntent, Order, PaymentWatch
from tests.support import talk
from tests.support.shop import Till

pytestmark = pytest.mark.django_db(transaction=True)


def together(*acts: Callable[[], Any], seed: int) -> list[BaseException]:
    """Run all of them at once; returns what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> None:
        try:
            start.wait(10)
            act()
        except Exception as error:  # noqa: BLE001  returned to the test
            raised.append(error)
        finally:
            connection.close()

    order = list(acts)
    random.Random(seed).shuffle(order)
    threads = [threading.Thread(target=run, args=(act,)) for act in order]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "a deadlock"
    close_old_connections()
    return raised


def gapless(till: Till) -> None:
    numbers = list(DeviceEvent.objects.filter(device=till.device).order_by("seq").values_list("seq", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.promise("P204", "P202", "P226")
@pytest.mark.parametrize("seed", range(4))
def test_phrases_cancels_sweeps_and_workers_at_once_spend_at_most_once(till: Till, seed: int) -> None:
    till.to_review()
    till.show()
    review = DeviceEvent.objects.filter(device=till.device).exclude(key="").latest("seq")
    session = talk.session_of(till.device).pk

    def phrase() -> None:
        talk.post(till.device, "confirm order", source="typed", in_reply_to=review.pk)

    acts: list[Callable[[], Any]] = [phrase] * 3
    acts += [lambda: turns.drain(session)] * 3 + [lambda: turns.drain(session, role=turns.Role.TURNS)]
    acts += [lambda: sweep.tick(clock.now())] * 2
    if seed % 2:
        acts.append(lambda: talk.post(till.device, "cancel order", source="typed"))
    raised = together(*acts, seed=seed)
    assert [error for error in raised if "locked" not in str(error)] == []
    till.handle()
    assert len(till.sandbox.calls("checkout")) <= 1
    assert Checkpoint.objects.filter(policy="once").count() <= 1
    assert not InboxItem.objects.filter(status="waiting", session__status="active").exists()
    assert CheckoutIntent.objects.count() == len(till.sandbox.calls("checkout"))
    gapless(till)


@pytest.mark.promise("P146", "P150", "P226")
@pytest.mark.parametrize("seed", range(4))
def test_polls_stops_and_sweeps_at_once_confirm_once_and_tell_one_end(till: Till, seed: int) -> None:
    till.to_payment()
    till.sandbox.settings(confirmed_on_success=False)
    till.sandbox.payment("success")
    PaymentWatch.objects.update(next_poll_at=timezone.now() - timedelta(seconds=1))
    session, watch = talk.session_of(till.device).pk, till.watch.pk
    acts: list[Callable[[], Any]] = [lambda: payments.poll(watch)] * 3 + [lambda: turns.drain(session)] * 2
    acts += [lambda: sweep.tick(clock.now()), lambda: talk.post(till.device, "stop", source="typed")]
    raised = together(*acts, seed=seed)
    assert [error for error in raised if "locked" not in str(error)] == []
    till.poll()
    till.handle()
    assert len(till.sandbox.calls("confirm_order")) <= 1
    assert till.watch.result == "paid"
    assert sum("placed successfully" in text for text in talk.spoken(till.device)) == 1
    assert Order.objects.get().closed_at is not None
    gapless(till)


@pytest.mark.promise("P207", "P226")
@pytest.mark.parametrize("seed", range(4))
def test_looks_stops_and_workers_at_once_tell_one_sighting(till: Till, seed: int) -> None:
    till.to_review()
    till.sandbox.settings(orders_stale=True)
    till.sandbox.faults([{"tool": "checkout", "nth": 1, "kind": "drop", "where": "after"}])
    till.say("confirm order")
    till.sandbox.settings(orders_stale=False)
    CheckoutIntent.objects.update(next_look_at=timezone.now() - timedelta(seconds=1))
    session, intent = talk.session_of(till.device).pk, till.intent.pk
    acts: list[Callable[[], Any]] = [lambda: lookups.look(intent)] * 3 + [lambda: turns.drain(session)] * 2
    acts += [lambda: talk.post(till.device, "stop", source="typed"), lambda: sweep.tick(clock.now())]
    acts.append(lambda: ended(session))
    raised = together(*acts, seed=seed)
    assert [error for error in raised if "locked" not in str(error)] == []
    till.handle()
    till.look()
    till.handle()
    assert sum("Swiggy lists the order" in text for text in talk.spoken(till.device)) == 1
    assert till.intent.state == "seen"
    assert Order.objects.get().closed_at is not None
    assert not InboxItem.objects.filter(status="waiting").exists()
    gapless(till)


def ended(session: int) -> None:
    from django.db import transaction

    with transaction.atomic():
        sessions.add(session, kind="end", at=clock.now(), data={"by": "device"})


def test_an_address_whose_label_no_row_can_hold_costs_a_sentence_and_nothing_is_placed(till: Till) -> None:
    till.to_review()
    session = InteractionSession.objects.get()
    state = session.state
    state["review"]["label"] = "Home " * 60  # PostgreSQL refuses it, SQLite takes it
    InteractionSession.objects.update(state=state)
    till.say("confirm order")
    assert till.phase in ("shopping", "awaiting_payment")
    assert len(till.sandbox.calls("checkout")) == CheckoutIntent.objects.count()


@pytest.mark.promise("P226")
def test_the_first_words_ever_from_two_devices_at_once_are_both_accepted(till: Till, hall: Any) -> None:
    from interactions.models import Person

    Person.objects.all().delete()
    acts = [lambda: talk.post(till.device, "what is the time"), lambda: talk.post(hall.device, "play some music")] * 2
    raised = together(*acts, seed=1)
    assert [error for error in raised if "locked" not in str(error)] == []
    assert Person.objects.get().accepted == 4
