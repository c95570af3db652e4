"""Two looks at the orders, and a person who leaves meanwhile: one sighting is told once, and nothing stays open."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from interactions import clock, host, sessions, sweep, turns
from interactions.models import InboxItem
from swiggy_instamart import lookups
from swiggy_instamart.models import CheckoutIntent, Order
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.shop import Till

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def seen(till: Till) -> CheckoutIntent:
    """A checkout without an answer; by now the shop lists its order, and the next look is due."""
    till.to_review()
    till.sandbox.settings(orders_stale=True)
    till.sandbox.faults([{"tool": "checkout", "nth": 1, "kind": "drop", "where": "after"}])
    till.say("confirm order")
    till.sandbox.settings(orders_stale=False)
    CheckoutIntent.objects.update(next_look_at=timezone.now() - timedelta(seconds=1))
    return till.intent


def told(till: Till) -> int:
    return sum("Swiggy lists the order" in text for text in talk.spoken(till.device))


def naive_conclude(intent: CheckoutIntent, order: Any) -> None:
    """Tell what was seen, then store it; whether somebody else did so meanwhile is not asked."""
    host.signal(intent.session_id, name="lookup", data={"utterance": intent.utterance, "order": dict(order)})
    CheckoutIntent.objects.filter(pk=intent.pk).update(state="seen", resolved_at=timezone.now())


def both_see_it(stage: Stage, intent: CheckoutIntent) -> None:
    """Two looks have found the order before one of them concludes: the first took longer than the time between two."""
    looks = []
    for _ in range(2):
        CheckoutIntent.objects.update(next_look_at=timezone.now() - timedelta(seconds=1))
        look = stage.act(lambda: lookups.look(intent.pk))
        looks.append((look, halt := look.halt_before(lookups, "conclude")))
        look.to(halt)
    for _, halt in looks:
        halt.go()
    for look, _ in looks:
        look.end()


def test_control_to_tell_and_then_store_tells_one_sighting_twice(
    stage: Stage, till: Till, seen: CheckoutIntent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookups, "conclude", naive_conclude)
    both_see_it(stage, seen)
    assert InboxItem.objects.filter(kind="signal", status="waiting").count() == 2


@pytest.mark.promise("P207", "P204")
def test_of_two_looks_that_both_saw_the_order_one_tells_it(stage: Stage, till: Till, seen: CheckoutIntent) -> None:
    both_see_it(stage, seen)
    till.handle()
    assert (till.intent.state, told(till)) == ("seen", 1)


@pytest.mark.promise("P207", "P226")
@pytest.mark.parametrize("seed", range(2))
def test_looks_stops_and_workers_at_once_tell_one_sighting(stage: Stage, till: Till, seen: CheckoutIntent, seed: int) -> None:
    session, intent = talk.session_of(till.device).pk, seen.pk
    acts: list[Callable[[], Any]] = [lambda: lookups.look(intent)] * 3 + [lambda: turns.drain(session)] * 2
    acts += [lambda: talk.post(till.device, "stop", source="typed"), lambda: sweep.tick(clock.now())]
    acts.append(lambda: ended(session))
    random.Random(seed).shuffle(acts)
    stage.together(*acts)
    till.handle()
    till.look()
    till.handle()
    assert told(till) == 1
    assert till.intent.state == "seen"
    assert Order.objects.get().closed_at is not None
    assert not InboxItem.objects.filter(status="waiting").exists()
    till.assert_gapless()


def ended(session: int) -> None:
    with transaction.atomic():
        sessions.end(session, by="device", at=clock.now())
