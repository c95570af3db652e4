"""A deadline at the moment of the checkout's commit. Either the session ends and nothing was placed, or the checkout stands and
the session stays for it; never is "nothing was placed" said once an intent is stored. And a paid order beats every timer."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from interactions import clock, sessions, steps, sweep, turns
from interactions.models import DeviceEvent, InboxItem, InteractionSession
from swiggy_instamart import payments, settling
from swiggy_instamart.models import CheckoutIntent, Order, PaymentWatch
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.scripted import Script
from tests.support.shop import Till

pytestmark = pytest.mark.django_db(transaction=True)

NOTHING = "othing was placed"


@pytest.fixture
def session(till: Till) -> int:
    """The phrase was accepted in time, and the idle deadline is over by now."""
    session = till.to_phrase()
    InteractionSession.objects.filter(pk=session).update(idle_at=timezone.now() - timedelta(milliseconds=1))
    return session


def said(till: Till) -> str:
    return " ".join(talk.spoken(till.device))


def stands(till: Till) -> None:
    """The checkout was made once and its session is frozen for the payment."""
    session = talk.session_of(till.device)
    assert (session.status, session.phase) == ("active", "awaiting_payment")
    assert session.frozen_until is not None
    assert session.frozen_until > timezone.now()
    assert len(till.sandbox.calls("checkout")) == 1
    assert NOTHING not in said(till)


def overdue(session: int) -> bool:
    row = InteractionSession.objects.get(pk=session)
    return row.status == "active" and sessions.due(row, clock.now()) is not None


def naive_deadline(session: int) -> None:
    """Read that the time is over, then end the session."""
    if overdue(session):
        told = {"status": "ended", "end_reason": "idle_timeout", "ended_at": timezone.now()}
        InteractionSession.objects.filter(pk=session).update(**told)


def test_control_a_deadline_that_reads_and_then_ends_says_nothing_was_placed_of_a_placed_order(
    stage: Stage, till: Till, session: int
) -> None:
    beat = stage.act(lambda: naive_deadline(session))
    beat.to(decided := beat.halt_after(sys.modules[__name__], "overdue"))
    turns.drain(session)
    decided.go()
    beat.end()
    assert till.reason == "idle_timeout"
    assert len(till.sandbox.calls("checkout")) == CheckoutIntent.objects.count() == 1


@pytest.mark.promise("P206", "P204")
def test_a_deadline_seen_before_the_commit_and_put_in_after_the_call_is_not_due_any_more(
    stage: Stage, till: Till, session: int
) -> None:
    beat = stage.act(lambda: sweep.deadlines(clock.now()))
    beat.to(decided := beat.halt_before(transaction, "atomic"))
    turns.drain(session)
    decided.go()
    beat.end()
    till.handle()
    stands(till)
    assert InboxItem.objects.get(kind="deadline").status == "dropped"


@pytest.mark.promise("P206", "P204")
def test_a_deadline_that_is_put_in_while_the_cart_is_read_again_waits_behind_the_checkout(
    stage: Stage, till: Till, session: int
) -> None:
    worker = stage.act(lambda: turns.drain(session))
    worker.to(read_again := worker.halt_before(settling, "settled"))
    sweep.deadlines(clock.now())
    read_again.go()
    worker.end()
    till.handle()
    stands(till)


@pytest.mark.promise("P206", "P204")
def test_a_deadline_that_meets_the_commit_waits_for_it_and_is_not_due_any_more(stage: Stage, till: Till, session: int) -> None:
    worker = stage.act(lambda: turns.drain(session))
    worker.to(committing := worker.halt_after(steps, "_check_consent"))
    beat = stage.act(lambda: sweep.deadlines(clock.now())).start()
    beat.is_blocked()
    committing.go()
    beat.end()
    worker.end()
    till.handle()
    stands(till)


@pytest.mark.promise("P206", "P204")
def test_a_deadline_that_came_first_ends_the_session_and_the_phrase_spends_nothing(
    stage: Stage, till: Till, session: int
) -> None:
    talk.say(till.device, "no wait", source="typed")
    InteractionSession.objects.filter(pk=session).update(idle_at=timezone.now() - timedelta(milliseconds=1))
    sweep.deadlines(clock.now())
    talk.post(till.device, "confirm order", source="typed")
    till.handle()
    assert till.reason == "idle_timeout"
    assert (till.sandbox.calls("checkout"), CheckoutIntent.objects.count()) == ([], 0)


@pytest.mark.promise("P206", "P204")
@pytest.mark.parametrize("within_ms", [0, 60])
def test_however_deadline_and_phrase_fall_one_of_the_two_holds(stage: Stage, till: Till, within_ms: int) -> None:
    till.to_review()
    till.show()
    review = DeviceEvent.objects.filter(device=till.device).exclude(key="").latest("seq")
    session = talk.session_of(till.device).pk
    InteractionSession.objects.filter(pk=session).update(idle_at=timezone.now() + timedelta(milliseconds=within_ms))

    def phrase() -> None:
        talk.post(till.device, "confirm order", source="typed", in_reply_to=review.pk)

    def worker() -> None:
        for _ in range(20):
            turns.drain(session)

    def beat() -> None:
        for _ in range(10):
            sweep.tick(clock.now())

    stage.together(phrase, worker, worker, beat, beat)
    till.handle()
    if CheckoutIntent.objects.exists():
        stands(till)
    else:
        assert till.sandbox.calls("checkout") == []
        assert talk.session_of(till.device).end_reason in ("idle_timeout", "")


# ---- a turn at the same instant -------------------------------------------------------------------------------------------


def in_time_and_just_too_late(stage: Stage, kitchen: Any) -> int:
    """A turn is received in time; before it is stored its deadline passes, is put in, and comes to its commit."""
    talk.say(kitchen.device, "open scripted")
    session = talk.session_of(kitchen.device).pk
    device = stage.act(lambda: talk.post(kitchen.device, "milk"))
    device.to(accepting := device.halt_after(sessions, "due"))
    InteractionSession.objects.filter(pk=session).update(idle_at=timezone.now())
    sweep.deadlines(clock.now())
    worker = stage.act(lambda: turns.drain(session)).start()
    worker.is_blocked()
    accepting.go()
    device.end()
    worker.end()
    return session


@pytest.mark.postgres  # SQLite lets nothing in between a turn's receipt and its storing
def test_control_a_deadline_not_looked_at_again_under_the_lock_ends_a_session_that_was_spoken_to_in_time(
    stage: Stage, script: Script, kitchen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "_check_due", lambda *_, **__: None)
    session = in_time_and_just_too_late(stage, kitchen)
    assert InteractionSession.objects.get(pk=session).end_reason == "idle_timeout"
    assert script.heard() == [""]


@pytest.mark.postgres
@pytest.mark.promise("P204")
def test_a_turn_received_in_time_is_handled_although_its_deadline_was_on_its_way_to_the_commit(
    stage: Stage, script: Script, kitchen: Any
) -> None:
    session = in_time_and_just_too_late(stage, kitchen)
    assert InteractionSession.objects.get(pk=session).status == "active"
    assert script.heard() == ["", "milk"]


# ---- the payment's timers -------------------------------------------------------------------------------------------------


def paid_once(till: Till) -> None:
    assert till.watch.result == "paid"
    assert said(till).count("placed successfully") == 1
    assert len(till.sandbox.calls("checkout")) == 1
    assert Order.objects.get().closed_at is not None


@pytest.fixture
def at_cap(till: Till) -> int:
    """The watch's time is over while the payment is still pending."""
    till.to_payment()
    till.sandbox.settings(confirmed_on_success=False)
    till.at_cap()
    PaymentWatch.objects.update(next_poll_at=timezone.now())
    return till.watch.pk


def pay_at_the_last_moment(stage: Stage, till: Till, watch: int, point: str) -> None:
    beat = stage.act(lambda: payments.poll(watch))
    beat.to(read := beat.halt_before(payments, point))
    till.sandbox.payment("success")
    read.go()
    beat.end()
    till.handle()


@pytest.mark.case("D13")
def test_control_a_timer_that_trusts_the_status_it_read_gives_up_a_paid_order(
    stage: Stage, till: Till, at_cap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payments, "_last_word", lambda held: payments.finish(held, result="payment_failed"))
    pay_at_the_last_moment(stage, till, at_cap, "_last_word")
    assert till.watch.result == "payment_failed", "and it is paid"


@pytest.mark.case("D13")
@pytest.mark.promise("P148")
def test_a_payment_that_arrives_after_the_last_status_and_before_the_end_wins(stage: Stage, till: Till, at_cap: int) -> None:
    pay_at_the_last_moment(stage, till, at_cap, "_last_word")
    paid_once(till)
    assert len(till.sandbox.calls("confirm_order")) == 1


@pytest.fixture
def thawed(till: Till) -> int:
    """Waiting for the payment, with nothing left that holds the deadline off; the deadline waits in the inbox."""
    till.to_payment()
    past = timezone.now() - timedelta(seconds=1)
    session = talk.session_of(till.device).pk
    InteractionSession.objects.filter(pk=session).update(idle_at=past, frozen_until=past)
    sweep.deadlines(clock.now())
    till.sandbox.payment("success")
    PaymentWatch.objects.update(next_poll_at=timezone.now())
    return session


@pytest.mark.case("D13")
@pytest.mark.promise("P150", "P206")
def test_a_payment_that_ends_just_before_the_deadlines_commit_is_told_once(stage: Stage, till: Till, thawed: int) -> None:
    worker = stage.act(lambda: turns.drain(thawed))
    worker.to(deciding := worker.halt_before(steps, "commit"))
    payments.poll(till.watch.pk)
    deciding.go()
    worker.end()
    till.handle()
    paid_once(till)


@pytest.mark.case("D13")
@pytest.mark.promise("P150", "P206")
def test_a_payment_whose_end_meets_the_deadlines_commit_is_told_once(stage: Stage, till: Till, thawed: int) -> None:
    beat = stage.act(lambda: payments.poll(till.watch.pk))
    beat.to(ending := beat.halt_before(payments, "finish"))
    worker = stage.act(lambda: turns.drain(thawed))
    worker.to(committing := worker.halt_after(steps, "_mark_done"))
    ending.go()
    beat.is_blocked()
    committing.go()
    worker.end()
    beat.end()
    till.handle()
    paid_once(till)
