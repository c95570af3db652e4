"""The person asks, or leaves, at the moment in which the payment's watch sees its end: one confirm, one announcement, and
nothing that a turn does undoes the end."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from interactions import clock, host, steps, sweep, turns
from swiggy_instamart import mcp, news, payments, wording
from swiggy_instamart.models import Order, PaymentWatch
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.shop import Till

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.case("D12")]


@pytest.fixture
def paid(till: Till) -> PaymentWatch:
    """Paid at the shop, which waits for a confirm; nobody here knows yet, and the next look is due."""
    till.sandbox.settings(confirmed_on_success=False)
    till.to_payment()
    till.sandbox.payment("success")
    PaymentWatch.objects.update(next_poll_at=timezone.now() - timedelta(seconds=1))
    return till.watch


def confirms(till: Till) -> int:
    return len(till.sandbox.calls("confirm_order"))


def announced(till: Till) -> int:
    return " ".join(talk.spoken(till.device)).count("placed successfully")


def ended_once(till: Till) -> None:
    assert (till.watch.result, till.intent.state) == ("paid", "paid")
    assert (confirms(till), announced(till)) == (1, 1)
    assert len(till.sandbox.calls("checkout")) == 1
    assert Order.objects.get().closed_at is not None


def held(watch: PaymentWatch) -> PaymentWatch:
    return PaymentWatch.objects.select_related("intent__order").get(pk=watch.pk)


# ---- two that see it ----------------------------------------------------------------------------------------------------


def naive_confirm(one: PaymentWatch) -> None:
    """Read that nobody has confirmed, then confirm."""
    if PaymentWatch.objects.get(pk=one.pk).confirm_started_at is None:
        send(one)


def send(one: PaymentWatch) -> None:
    PaymentWatch.objects.filter(pk=one.pk).update(confirm_started_at=timezone.now())
    mcp.swiggy().confirm_order(one.intent.order_ids[0], one.intent.paas_id, one.intent.transaction_id)


def both(stage: Stage, watch: PaymentWatch, owner: Any, name: str) -> None:
    """Two workers have seen the payment and are about to confirm, before one of them goes on."""
    lookers = [stage.act(lambda: payments._look(held(watch))) for _ in range(2)]
    halts = [looker.halt_before(owner, name) for looker in lookers]
    for looker, halt in zip(lookers, halts, strict=True):
        looker.to(halt)
    for halt in halts:
        halt.go()
    for looker in lookers:
        looker.end()


def test_control_to_read_and_then_confirm_confirms_twice(
    stage: Stage, till: Till, paid: PaymentWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payments, "_confirm", lambda one, **_: naive_confirm(one))
    both(stage, paid, sys.modules[__name__], "send")
    assert confirms(till) == 2


@pytest.mark.promise("P146", "P204")
def test_of_two_that_are_about_to_confirm_one_does_and_one_end_is_told(stage: Stage, till: Till, paid: PaymentWatch) -> None:
    both(stage, paid, payments, "_confirm")
    till.poll()
    till.handle()
    ended_once(till)


# ---- the person asks ----------------------------------------------------------------------------------------------------


def naive_turn(watch: PaymentWatch) -> None:
    """A turn that keeps a row it has read and writes it back whole."""
    row = PaymentWatch.objects.get(pk=watch.pk)
    row.last_status = "asked"
    write_back(row)


def write_back(row: PaymentWatch) -> None:
    row.save()


def test_control_a_turn_that_writes_back_what_it_read_undoes_the_end(stage: Stage, till: Till, paid: PaymentWatch) -> None:
    turn = stage.act(lambda: naive_turn(paid))
    turn.to(halt := turn.halt_before(sys.modules[__name__], "write_back"))
    payments.poll(paid.pk)
    assert till.watch.result == "paid"
    halt.go()
    turn.end()
    assert till.watch.ended_at is None


@pytest.mark.promise("P150", "P204")
def test_a_question_decided_before_the_end_and_stored_after_it_undoes_nothing(
    stage: Stage, till: Till, paid: PaymentWatch
) -> None:
    talk.post(till.device, "is it done", source="typed")
    session = talk.session_of(till.device).pk
    worker = stage.act(lambda: turns.drain(session))
    worker.to(decided := worker.halt_before(steps, "commit"))
    payments.poll(paid.pk)
    decided.go()
    worker.end()
    till.handle()
    ended_once(till)
    assert till.reason == "paid"


@pytest.mark.promise("P150", "P204")
def test_an_end_that_meets_the_commit_of_a_question_waits_for_it_and_is_told_after_it(
    stage: Stage, till: Till, paid: PaymentWatch
) -> None:
    talk.post(till.device, "is it done", source="typed")
    session = talk.session_of(till.device).pk
    watcher = stage.act(lambda: payments.poll(paid.pk))
    watcher.to(ending := watcher.halt_before(payments, "finish"))
    worker = stage.act(lambda: turns.drain(session))
    worker.to(committing := worker.halt_after(steps, "_mark_done"))
    ending.go()
    watcher.is_blocked()
    committing.go()
    watcher.end()
    worker.end()
    till.handle()
    ended_once(till)
    assert till.reason == "paid"


# ---- the person leaves --------------------------------------------------------------------------------------------------


def naive_tell(intent: Any, *, result: str, total_paise: int) -> bool:
    """Ask whether the session is there, then tell it or the device."""
    data = {"utterance": intent.utterance, "result": result, "total_paise": total_paise}
    if host.is_active(intent.session_id):
        host.signal(intent.session_id, name="payment", data=data)
        return False
    host.tell(intent.order.device_id, cause="payment", reply=news.payment_result(wording.ENGLISH, result, total_paise))
    return True


@pytest.mark.postgres  # on SQLite the one transaction lets nobody leave in between
def test_control_to_ask_for_the_session_and_then_tell_it_tells_nobody(
    stage: Stage, till: Till, paid: PaymentWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payments, "_tell", naive_tell)
    watcher = stage.act(lambda: payments.poll(paid.pk))
    watcher.to(asked := watcher.halt_before(host, "signal"))
    till.say("stop")
    asked.go()
    watcher.end()
    till.handle()
    assert (till.watch.result, announced(till)) == ("paid", 0)


@pytest.mark.promise("P150", "P206", "P204")
def test_an_end_that_comes_just_after_the_person_left_is_told_once(stage: Stage, till: Till, paid: PaymentWatch) -> None:
    watcher = stage.act(lambda: payments.poll(paid.pk))
    watcher.to(seen := watcher.halt_before(payments, "finish"))
    till.say("stop")
    seen.go()
    watcher.end()
    till.handle()
    ended_once(till)
    assert till.reason == "left_while_paying"


@pytest.mark.promise("P150", "P206", "P204")
def test_an_end_that_comes_while_the_person_is_leaving_is_told_once(stage: Stage, till: Till, paid: PaymentWatch) -> None:
    talk.post(till.device, "stop", source="typed")
    session = talk.session_of(till.device).pk
    worker = stage.act(lambda: turns.drain(session))
    worker.to(leaving := worker.halt_before(steps, "commit"))
    payments.poll(paid.pk)
    leaving.go()
    worker.end()
    till.handle()
    ended_once(till)
    assert till.reason == "left_while_paying"


@pytest.mark.promise("P146", "P150", "P226")
@pytest.mark.parametrize("seed", range(2))
def test_polls_stops_and_sweeps_at_once_confirm_once_and_tell_one_end(
    stage: Stage, till: Till, paid: PaymentWatch, seed: int
) -> None:
    session, watch = talk.session_of(till.device).pk, paid.pk
    acts: list[Callable[[], Any]] = [lambda: payments.poll(watch)] * 3 + [lambda: turns.drain(session)] * 2
    acts += [lambda: sweep.tick(clock.now()), lambda: talk.post(till.device, "stop", source="typed")]
    random.Random(seed).shuffle(acts)
    stage.together(*acts)
    till.poll()
    till.handle()
    ended_once(till)
    till.assert_gapless()
