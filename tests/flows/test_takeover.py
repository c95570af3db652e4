"""What a dying worker leaves behind: counted before it runs, taken over by the next one, set aside if it kills."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from interactions import turns
from interactions.contracts import Effect, Failed, Heard, Reply, Settled, Step
from interactions.models import Checkpoint, InboxItem, InteractionSession
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)

DEATHS = 12  # more than anything may kill


class Death(BaseException):
    """As a kill: no handler of ours sees it, and the lease stays as it was."""


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
    assert take_over(device) == turns.ATTEMPTS
    assert talk.spoken(device)[-2:] == [turns.SORRY.text, "fine"]
    assert list(InboxItem.objects.order_by("sequence").values_list("status", "attempts"))[1:] == [("dead", 3), ("done", 1)]


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
    assert take_over(device) == turns.ATTEMPTS
    assert talk.spoken(device)[-2:] == ["that failed", "ok"]
    assert len(script.calls) == 1, "the call was made again for the sake of its outcome"


@pytest.mark.promise("P159")
def test_an_outcome_that_kills_also_as_a_plain_failure_ends_the_session_with_a_sentence(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")

    def outcome(event: Settled) -> Step:
        raise Death

    script.decide = looking_up(outcome)
    talk.post(device, "look")
    assert take_over(device) == turns.ATTEMPTS + 1
    assert talk.spoken(device)[-1] == turns.BROKEN.text
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
    for _ in range(turns.ATTEMPTS + 2):
        turns.drain(session, role=turns.Role.TURNS)
    assert Checkpoint.objects.get(effect="look").step_failures == 0
    turns.drain(session)
    assert [call.effect for call in script.calls] == ["spend"]
