"""What a dying worker leaves behind: counted before it runs, taken over by the next one, set aside if it kills."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from interactions import doorbells, host, leases, saying, setbacks, turns, watchdog
from interactions.contracts import Effect, Failed, Heard, Reply, Settled, Step
from interactions.models import Checkpoint, InboxItem, InteractionSession
from swiggy_instamart import lookups, payments
from swiggy_instamart.models import CheckoutIntent, PaymentWatch
from tests.support import scripted, talk
from tests.support.scripted import Script
from tests.support.shop import Till
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]

DEATHS = 12  # more than anything may kill


class Death(BaseException):
    """As a kill: no handler of ours sees it, and the lease stays as it was."""


@pytest.fixture(scope="module")
def dead() -> str:
    """The name of a process of this machine that has ended."""
    command = [sys.executable, "-c", "from interactions import processes; print(processes.name())"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


def take_over(device: Any) -> int:
    """One worker after the other until nothing waits; how many died."""
    session = talk.session_of(device).pk
    for died in range(DEATHS):
        InteractionSession.objects.filter(pk=session).update(lease_until=None)
        with suppress(Death):
            turns.drain(session)
            return died
    raise AssertionError("it kills for ever")


def looking_up(outcome: Any) -> Any:
    """Look something up for each thing heard; the outcome is stepped by ``outcome``."""

    def decide(standing: Any, event: Any) -> Step:
        match event:
            case Heard(text="look"):
                return Step(effect=Effect("look", {}))
            case Settled():
                return outcome(event)
        return Step(say=(Reply("ok"),))

    return decide


@pytest.mark.promise("P159")
def test_an_input_that_kills_every_worker_is_set_aside_with_an_apology_and_the_next_one_runs(
    script: Script, device: Any
) -> None:
    talk.say(device, "open scripted")

    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Heard) and event.text == "poison":
            raise Death
        return Step(say=(Reply("fine"),))

    script.decide = decide
    talk.post(device, "poison")
    talk.post(device, "good")
    assert take_over(device) == setbacks.ATTEMPTS
    assert talk.spoken(device)[-2:] == [saying.ENGLISH("sorry"), "fine"]
    assert list(InboxItem.objects.order_by("sequence").values_list("status", "attempts"))[1:] == [("dead", 3), ("done", 1)]


@pytest.mark.promise("P155", "P158")
def test_a_holder_that_was_overtaken_meets_what_was_told_already_and_stores_and_says_nothing(
    script: Script, device: Any, caplog: pytest.LogCaptureFixture
) -> None:
    talk.say(device, "open scripted")
    session = talk.session_of(device).pk

    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Heard) and script.heard().count(event.text) == 1:  # it stands still, and the next one comes
            InteractionSession.objects.filter(pk=session).update(lease_until=None)
            turns.drain(session)
        return Step(say=(Reply("fine"),))

    script.decide = decide
    talk.post(device, "hello")
    turns.drain(session)
    assert talk.spoken(device)[-2:] == ["ok", "fine"]
    assert InboxItem.objects.latest("pk").status == "done"
    assert "lease lost, nothing stored" in caplog.text
    assert "constraint" not in caplog.text


@pytest.mark.promise("P159")
def test_an_outcome_that_kills_its_worker_is_replaced_by_a_plain_failure(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")

    def outcome(event: Settled) -> Step:
        if event.outcome != Failed("step_failed"):
            raise Death
        return Step(say=(Reply("that failed"),))

    script.decide = looking_up(outcome)
    talk.post(device, "look")
    talk.post(device, "go on")
    assert take_over(device) == setbacks.ATTEMPTS
    assert talk.spoken(device)[-2:] == ["that failed", "ok"]
    assert len(script.calls) == 1, "the call was made again for the sake of its outcome"


@pytest.mark.promise("P159")
def test_an_outcome_that_kills_also_as_a_plain_failure_ends_the_session_with_a_sentence(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")

    def outcome(event: Settled) -> Step:
        raise Death

    script.decide = looking_up(outcome)
    talk.post(device, "look")
    assert take_over(device) == setbacks.ATTEMPTS + 1
    assert talk.spoken(device)[-1] == saying.ENGLISH("broken")
    assert talk.session_of(device).end_reason == "internal_error"


def test_an_outcome_that_another_worker_must_step_has_killed_nobody(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")

    def decide(standing: Any, event: Any) -> Step:
        match event:
            case Heard(text="confirm order"):
                return Step(effect=Effect("look", {"consent": event.utterance}))
            case Settled(effect="look", payload=payload):
                return Step(effect=Effect("spend", {}, consent=payload["consent"]))
            case Heard(text="ready"):
                return Step(phase="asking")
        return Step(say=(Reply("done"),))

    script.decide = decide
    talk.say(device, "ready")
    answer = talk.post(device, "confirm order")
    session = answer.body["session"]
    turns.drain(session, role=turns.Role.TURNS)
    Checkpoint.objects.filter(effect="look").update(state="started")  # its worker died between the outcome and the step
    Checkpoint.objects.filter(effect="look").update(state="settled", outcome="done", result={})
    for _ in range(setbacks.ATTEMPTS + 2):
        turns.drain(session, role=turns.Role.TURNS)
    assert Checkpoint.objects.get(effect="look").step_failures == 0
    turns.drain(session)
    assert [call.effect for call in script.calls] == ["spend"]


def test_a_claim_that_breaks_leaves_no_timer_to_kill_what_its_process_does_next(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    armed: list[bool] = []
    monkeypatch.setattr(watchdog, "arm", lambda lease_s: armed.append(True))
    monkeypatch.setattr(watchdog, "disarm", lambda: armed.append(False))
    session = talk.post(device, "open scripted").body["session"]

    def gone(seconds: float) -> Any:
        raise OperationalError("the connection is lost")

    with monkeypatch.context() as patch:
        patch.setattr(leases, "_from_now", gone)
        with pytest.raises(OperationalError):
            turns.drain(session)
    assert armed == [True, False]


# ---- a look at the shop whose process died ------------------------------------------------------------------------------


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """What the sweep rings for."""
    calls: list[tuple[int, str]] = []
    monkeypatch.setattr(host, "ring_after_commit", lambda row, task: calls.append((row, task)))
    return calls


@pytest.mark.promise("P145", "P152")
def test_a_poll_whose_process_is_gone_is_taken_over_at_once_and_one_that_lives_is_left_alone(
    till: Till, dead: str, rung: list[tuple[int, str]]
) -> None:
    till.to_payment()
    watch, now = till.watch.pk, timezone.now()
    held = {"polling": True, "next_poll_at": now, "lease_until": now + timedelta(seconds=payments.LEASE_S)}
    PaymentWatch.objects.update(polled_by=host.holder(), **held)
    payments.due(now)
    payments.poll(watch)
    assert (rung, till.watch.polling, till.sandbox.calls("check_payment_status")) == ([], True, [])
    PaymentWatch.objects.update(polled_by=dead, **held)
    payments.due(now)
    assert (rung, till.watch.polling) == ([(watch, payments.POLL)], False)
    payments.poll(watch)
    assert len(till.sandbox.calls("check_payment_status")) == 1


@pytest.mark.promise("P145", "P152")
def test_a_look_up_whose_process_is_gone_is_due_again_at_once(till: Till, dead: str, rung: list[tuple[int, str]]) -> None:
    till.sandbox.faults([{"tool": "checkout", "nth": 1, "kind": "drop", "where": "before"}])
    till.to_payment()
    intent, now = till.intent.pk, timezone.now()
    held = {"next_look_at": now + timedelta(seconds=lookups.AGAIN_S)}
    CheckoutIntent.objects.update(looked_by=host.holder(), **held)
    lookups.due(now)
    assert rung == []
    CheckoutIntent.objects.update(looked_by=dead, **held)
    lookups.due(now)
    assert rung == [(intent, lookups.LOOK)]
    looks = till.intent.looks
    lookups.look(intent)
    assert (till.intent.looks, till.intent.looked_by) == (looks + 1, "")


@pytest.mark.promise("P160")
def test_a_poll_rung_for_a_watch_that_is_not_committed_yet_does_nothing_and_the_watch_is_polled_afterwards(till: Till) -> None:
    till.to_payment()
    PaymentWatch.objects.all().delete()
    intent, polled = till.intent, threading.Event()

    def poll() -> None:
        try:
            payments.poll(watch.pk)
        finally:
            polled.set()
            connection.close()

    with transaction.atomic():
        due = timezone.now()
        deadline = due + timedelta(minutes=5)
        watch = PaymentWatch.objects.create(intent=intent, interval_ms=200, next_poll_at=due, deadline_at=deadline)
        early = threading.Thread(target=poll)
        early.start()
        if connection.vendor == "postgresql":  # sees nothing; on SQLite its claim waits for the commit
            wait_until(polled.is_set, 10, "the early poll to return")
            assert till.sandbox.calls("check_payment_status") == []
    early.join(30)
    PaymentWatch.objects.update(next_poll_at=timezone.now())
    payments.poll(watch.pk)
    assert till.watch.polls >= 1
    assert till.watch.last_status == "pending"


@pytest.mark.promise("P204")
def test_a_command_that_does_the_work_itself_rings_for_nobody(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[str] = []
    monkeypatch.setattr(doorbells.current_app, "send_task", lambda task, **_: published.append(task))
    monkeypatch.setattr(doorbells, "_broken_until", 0.0)
    talk.post(device, "open scripted")
    talk.post(device, "look")
    rung = len(published)
    call_command("drain", stdout=StringIO())
    assert script.heard() == ["", "look"]
    assert len(published) == rung
    assert doorbells.ring(1), "the bells stayed mute"
