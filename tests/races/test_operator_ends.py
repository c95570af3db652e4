"""The operator ends a session in the middle of an effect: a read is given up, a write and a call that spends are waited for,
and from the checkout on nothing but the conversation ends."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from interactions import agenda, clock, sessions, steps, turns
from interactions.contracts import AbandonedError, Call
from interactions.models import Checkpoint, InteractionSession
from swiggy_instamart.models import CheckoutIntent, Order
from swiggy_instamart.shop import Swiggy
from tests.support import scripted, talk
from tests.support.interleave import BOUND_S, Act, Halt, Stage
from tests.support.scripted import Script
from tests.support.shop import Till
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def operator_ends(session: int) -> None:
    """What the button of the admin page does."""
    with transaction.atomic():
        assert sessions.end(session, by="operator", at=clock.now())


def naive_end(session: int) -> None:
    """What an operator would do by hand."""
    ended = {"status": "ended", "end_reason": "ended_by_operator", "ended_by": "operator", "ended_at": timezone.now()}
    InteractionSession.objects.filter(pk=session).update(**ended)


def at_the_call(stage: Stage, till: Till) -> tuple[int, Act, Halt]:
    """A worker that has committed the checkout and is about to call it."""
    session = till.to_phrase()
    worker = stage.act(lambda: turns.drain(session))
    worker.to(calling := worker.halt_before(Swiggy, "checkout"))
    return session, worker, calling


def test_control_a_session_ended_by_hand_leaves_its_checkout_to_nobody(stage: Stage, till: Till) -> None:
    session, worker, calling = at_the_call(stage, till)
    naive_end(session)
    calling.go()
    worker.end()
    till.handle()
    assert len(till.sandbox.calls("checkout")) == 1
    assert till.intent.state == "started", "an order waits to be paid, and nobody was told"
    assert Order.objects.get().session_ended_at is None, "and its account is blocked"


@pytest.mark.promise("P268", "P206", "P204")
def test_from_the_checkout_on_only_the_conversation_ends(stage: Stage, till: Till) -> None:
    session, worker, calling = at_the_call(stage, till)
    operator_ends(session)
    assert talk.session_of(till.device).status == "active"
    calling.go()
    worker.end()
    till.handle()
    assert (till.reason, till.intent.state) == ("ended_by_operator", "pending_payment")
    assert len(till.sandbox.calls("checkout")) == 1
    said = " ".join(talk.spoken(till.device))
    assert "nothing was cancelled" in said
    assert "othing was placed" not in said
    till.sandbox.payment("success")
    till.poll()
    assert " ".join(talk.spoken(till.device)).count("placed successfully") == 1
    assert (till.watch.result, Order.objects.get().closed_at is None) == ("paid", False)


@pytest.mark.promise("P262", "P204")
def test_an_end_that_comes_before_the_commit_is_heard_first_and_nothing_is_called(stage: Stage, till: Till) -> None:
    session = till.to_phrase()
    worker = stage.act(lambda: turns.drain(session))
    worker.to(reading := worker.halt_before(Swiggy, "cart"))
    operator_ends(session)
    reading.go()
    worker.end()
    till.handle()
    assert till.reason == "ended_by_operator"
    assert (till.sandbox.calls("checkout"), CheckoutIntent.objects.count()) == ([], 0)


@pytest.mark.promise("P204")
def test_an_end_that_meets_the_commit_waits_for_it(stage: Stage, script: Script, kitchen: Any) -> None:
    script.decide = scripted.spending
    for text in ("open scripted", "ready"):
        talk.say(kitchen.device, text, source="typed")
    session = talk.session_of(kitchen.device).pk
    talk.post(kitchen.device, "confirm order", source="typed")
    worker = stage.act(lambda: turns.drain(session))
    worker.to(committing := worker.halt_after(steps, "_check_consent"))
    operator = stage.act(lambda: operator_ends(session)).start()
    operator.is_blocked()
    committing.go()
    operator.end()
    worker.end()
    turns.drain(session)
    assert len(script.calls) == 1
    assert Checkpoint.objects.get(effect="spend").outcome == "done"
    assert script.closed == ["ended_by_operator"]


@pytest.mark.promise("P204", "P266")
def test_a_read_that_is_under_way_is_given_up(stage: Stage, script: Script, kitchen: Any) -> None:
    def act(call: Call) -> dict[str, Any]:
        asked.stop()
        wait_until(call.abandoned, BOUND_S, "the read to see that nobody waits")
        raise AbandonedError

    asked = Halt("the read")
    script.act, script.decide = act, scripted.asking("look")
    session = _asking(kitchen)
    worker = stage.act(lambda: turns.drain(session)).to(asked)
    operator_ends(session)
    asked.go()
    worker.end()
    assert Checkpoint.objects.get().outcome == "abandoned"
    assert script.closed == ["ended_by_operator"]


@pytest.mark.promise("P204")
def test_a_write_that_is_under_way_is_waited_for(stage: Stage, script: Script, kitchen: Any) -> None:
    def act(call: Call) -> dict[str, Any]:
        asked.stop()
        wait_until(partial(agenda.leaving, call.session), BOUND_S, "the end to be there")
        assert not call.abandoned()
        return {"written": True}

    asked = Halt("the write")
    script.act, script.decide = act, scripted.asking("write")
    session = _asking(kitchen)
    worker = stage.act(lambda: turns.drain(session)).to(asked)
    operator_ends(session)
    assert talk.session_of(kitchen.device).status == "active"
    asked.go()
    worker.end()
    assert Checkpoint.objects.get().outcome == "done"
    assert script.closed == ["ended_by_operator"]


@pytest.mark.promise("P204")
@pytest.mark.parametrize("effect", ["look", "write"])
def test_however_the_end_falls_the_session_ends_once_with_every_effect_settled(
    stage: Stage, script: Script, kitchen: Any, effect: str
) -> None:
    script.decide = scripted.asking(effect)
    session = _asking(kitchen)
    works = [partial(turns.drain, session)] * 3 + [partial(operator_ends, session)]
    stage.together(*works)
    turns.drain(session)
    assert talk.session_of(kitchen.device).end_reason == "ended_by_operator"
    assert script.closed == ["ended_by_operator"]
    assert set(Checkpoint.objects.values_list("state", flat=True)) <= {"settled"}


def _asking(kitchen: Any) -> int:
    talk.say(kitchen.device, "open scripted")
    talk.post(kitchen.device, "milk")
    return talk.session_of(kitchen.device).pk
