"""Ways round the last look, the count of attempts and the storing of an outcome, tried on the kernel itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interactions import attempts, clock, turns
from interactions.contracts import Effect, Failed, Heard, NoAnswerError, NotYetError, Reply, Settled, Step, Unknown
from interactions.models import Checkpoint, DeviceEvent, InboxItem, InteractionSession
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]

HALF = "milk \ud83d"  # what is left of a title that was cut in the middle of an emoji


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "BACKOFF_S", 0.0)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


def at_the_question(script: Script, device: Any) -> None:
    script.decide = scripted.spending
    talk.say(device, "open scripted")
    talk.say(device, "ready", seq=1)


# ---- the last look ------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P262", "P254")
def test_second_thoughts_that_overtake_the_phrase_on_the_way_are_heard_before_the_call(script: Script, device: Any) -> None:
    at_the_question(script, device)
    talk.post(device, "no wait", seq=3)  # said last, came first
    talk.post(device, "confirm order", seq=2)
    turns.drain(talk.session_of(device).pk)
    assert script.calls == []


@pytest.mark.promise("P262", "P132")
def test_a_phrase_that_another_recogniser_heard_more_around_is_no_consent(script: Script, device: Any) -> None:
    at_the_question(script, device)
    epoch = {"capture_epoch": "e", "start_ms": 1000}
    talk.post(device, "confirm order", end_ms=2000, **epoch)
    twin = talk.post(device, "no don't confirm order", source="wake", end_ms=2100, **epoch)
    assert twin.body["disposition"] == "duplicate"
    turns.drain(talk.session_of(device).pk)
    assert script.calls == []


@pytest.mark.promise("P022")
def test_a_phrase_that_two_recognisers_heard_alike_is_one_consent(script: Script, device: Any) -> None:
    at_the_question(script, device)
    epoch = {"capture_epoch": "e", "start_ms": 1000}
    talk.post(device, "confirm order", end_ms=2000, **epoch)
    talk.post(device, "Hermes, confirm the order.", source="wake", end_ms=2100, **epoch)
    turns.drain(talk.session_of(device).pk)
    assert len(script.calls) == 1


def test_a_phrase_that_waits_for_the_worker_that_calls_is_not_counted_as_poison(script: Script, device: Any) -> None:
    at_the_question(script, device)
    talk.post(device, "confirm order")
    session = talk.session_of(device)
    for _ in range(5):  # nobody serves the effects for a while, and the sweep rings again and again
        turns.drain(session.pk, role=turns.Role.TURNS)
    turns.drain(session.pk)
    assert len(script.calls) == 1


# ---- what cannot be stored ----------------------------------------------------------------------------------------------


def test_a_step_that_cannot_be_stored_costs_a_sentence_and_not_the_session(script: Script, device: Any) -> None:
    """A checkpoint's outcome comes before everything else, so one that cannot be stepped would hold it up for ever."""

    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Heard):
            return Step(effect=Effect("look", {}))
        if isinstance(event, Settled) and not isinstance(event.outcome, Failed):
            return Step(effect=Effect("write", {"title": HALF}))
        return Step(say=(Reply("I could not."),))

    script.decide = decide
    talk.say(device, "open scripted")
    assert talk.say(device, "milk") == ["I could not."]


def test_a_sentence_that_cannot_be_stored_costs_another_sentence(script: Script, device: Any) -> None:
    script.decide = lambda standing, event: Step(say=(Reply(HALF),), state={"title": HALF})
    talk.say(device, "open scripted")
    talk.say(device, "milk")
    assert not InboxItem.objects.filter(status="waiting").exists()


@pytest.mark.promise("P138", "P230")
def test_a_database_that_is_away_for_a_moment_after_the_call_loses_no_answer(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    from interactions import leases

    at_the_question(script, device)
    real, times = leases.guard, iter([OperationalError("gone"), OperationalError("gone")])

    def guard(lease: Any, **more: Any) -> None:
        if script.calls and (error := next(times, None)):
            raise error
        real(lease, **more)

    monkeypatch.setattr(leases, "guard", guard)
    assert talk.say(device, "confirm order") == ["Done"]
    assert Checkpoint.objects.get().outcome == "done"


# ---- waiting ------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P156")
def test_a_write_that_only_waited_is_never_given_up(script: Script, device: Any) -> None:
    script.decide = scripted.asking("write")
    until = clock.now() + timedelta(seconds=30)

    def wait(call: Any) -> dict[str, Any]:
        raise NotYetError(until)

    script.act = wait
    talk.say(device, "open scripted")
    talk.say(device, "milk")
    session = talk.session_of(device)
    for _ in range(12):  # each sentence said meanwhile rings for it
        turns.drain(session.pk)
    script.act = lambda call: {}
    turns.drain(session.pk)
    assert talk.spoken(device)[-1] == "Done"
    assert script.calls[-1].attempt > 1  # it looks before it writes: somebody may have written meanwhile


@pytest.mark.promise("P264")
def test_a_write_without_an_answer_that_then_has_to_wait_is_still_an_orphan(script: Script, device: Any) -> None:
    script.decide = scripted.asking("write")
    errors = [NoAnswerError("cut"), NotYetError(clock.now() + timedelta(seconds=30))]

    def act(call: Any) -> dict[str, Any]:
        raise errors.pop(0)

    script.act = act
    talk.say(device, "open scripted")
    talk.say(device, "milk")
    assert script.orphans == ["write"]


@pytest.mark.promise("P266")
def test_stop_is_obeyed_while_a_read_may_not_begin_yet(script: Script, device: Any) -> None:
    script.decide = lambda standing, event: (
        Step(effect=Effect("look", {}))
        if isinstance(event, Heard) and event.text == "milk"
        else Step(end="stopped", say=(Reply("bye"),))
        if isinstance(event, Heard)
        else Step()
    )

    def wait(call: Any) -> dict[str, Any]:
        raise NotYetError(clock.now() + timedelta(seconds=30))

    script.act = wait
    talk.say(device, "open scripted")
    talk.say(device, "milk")
    talk.say(device, "stop")
    assert InteractionSession.objects.get().end_reason == "stopped"


# ---- what was told as past, or never spoken -------------------------------------------------------------------------------


@pytest.mark.promise("P201", "P214")
def test_a_question_that_reached_the_device_as_past_was_never_put(script: Script, device: Any) -> None:
    from interactions import events

    script.decide = lambda standing, event: Step(say=(Reply("Say the words.", key="review", valid_s=60),))
    talk.say(device, "open scripted")
    event = DeviceEvent.objects.filter(device=device, key="review").get()
    DeviceEvent.objects.update(expires_at=clock.now() - timedelta(seconds=1))
    events.since(device.pk, event.seq - 1, limit=10)
    talk.say(device, "hello")
    heard = next(one for one in script.events if isinstance(one, Heard))
    assert heard.prompt is not None
    assert heard.prompt.delivered_at is None


@pytest.mark.promise("P201")
def test_a_question_that_was_not_to_be_spoken_was_not_heard(script: Script, device: Any) -> None:
    script.decide = lambda standing, event: Step(say=(Reply("Say the words.", key="review"),))
    talk.say(device, "open scripted")
    DeviceEvent.objects.filter(key="review").update(speak=False)
    talk.say(device, "hello")
    heard = next(one for one in script.events if isinstance(one, Heard))
    assert heard.prompt is not None
    assert heard.prompt.failed


def test_an_unknown_stays_unknown(script: Script, device: Any) -> None:
    at_the_question(script, device)

    def act(call: Any) -> dict[str, Any]:
        raise RuntimeError("whatever")

    script.act = act
    talk.say(device, "confirm order")
    assert script.outcomes() == [Unknown("RuntimeError")]


@pytest.mark.promise("P138")
def test_a_holder_that_waits_for_the_database_with_an_answer_in_hand_is_not_killed_before_its_lease(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interactions import leases, watchdog

    armed: list[float] = []
    monkeypatch.setattr(watchdog, "arm", armed.append)
    at_the_question(script, device)
    seen: list[float] = []
    real = InteractionSession.objects.filter

    def noting(*args: Any, **more: Any) -> Any:
        if script.calls and "fence" in more and not seen:
            seen.append(armed[-1])
        return real(*args, **more)

    monkeypatch.setattr(InteractionSession.objects, "filter", noting)
    talk.say(device, "confirm order")
    assert seen == [5 + leases.margin_s()]
    assert armed[-1] == leases.short_s()
