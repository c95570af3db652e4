"""What is said after the phrase that spends. Accepted before the commit that begins the call, it is heard first and nothing is
called; accepted after that commit, it is too late, and is told so. There is no third case: both are writers of one row."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import pytest

from interactions import ingress, steps, turns
from interactions.contracts import Effect, Heard, Reply, Settled, Standing, Step
from interactions.models import Device
from swiggy_instamart import settling
from swiggy_instamart.models import CheckoutIntent
from swiggy_instamart.shop import Swiggy
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.scripted import Script
from tests.support.shop import Till

pytestmark = pytest.mark.django_db(transaction=True)

PHRASE, SECOND_THOUGHT = "confirm order", "no wait"


def shop(standing: Standing, event: Any) -> Step:
    """``ready`` reads back, the phrase spends, ``no wait`` takes it back; after the call it is too late, and that is said."""
    match event:
        case Heard(text="ready"):
            return Step(phase="asking", say=(Reply("Say the words.", key="review"),))
        case Heard(utterance=utterance, text=text) if text == PHRASE and standing.phase == "asking":
            return Step(phase="spent", effect=Effect("spend", {"total": 100}, consent=utterance))
        case Heard() if standing.phase == "asking":
            return Step(phase="open", say=(Reply("Taken back."),))
        case Heard():
            return Step(say=(Reply("Too late."),))
        case Settled(outcome=outcome):
            return Step(say=(Reply(type(outcome).__name__),))
    return Step()


@pytest.fixture
def session(script: Script, kitchen: Any) -> int:
    script.decide = shop
    talk.say(kitchen.device, "open scripted", source="typed")
    talk.say(kitchen.device, "ready", source="typed")
    talk.post(kitchen.device, PHRASE, source="typed")
    return talk.session_of(kitchen.device).pk


def look(work: Any, effect: Effect, spec: Any) -> None:
    """The last look as a plain read, before any row is locked."""
    LOOK(work, effect, spec)


LOOK, COMMIT = steps._check_consent, steps.commit


def naive_commit(lease: Any, work: Any, mode: Any, step: Step, **more: Any) -> Any:
    if step.effect is not None:
        look(work, step.effect, mode.effects[step.effect.name])
    return COMMIT(lease, work, mode, step, **more)


# ---- the two cases ------------------------------------------------------------------------------------------------------


def test_control_a_last_look_that_holds_no_row_spends_although_the_second_thought_was_accepted(
    stage: Stage, session: int, script: Script, kitchen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "_check_consent", lambda *_: None)
    monkeypatch.setattr(steps, "commit", naive_commit)
    worker = stage.act(lambda: turns.drain(session))
    worker.to(looked := worker.halt_after(sys.modules[__name__], "look"))
    said = talk.post(kitchen.device, SECOND_THOUGHT, source="typed")
    looked.go()
    worker.end()
    assert said.body["disposition"] == "accepted"
    assert [call.effect for call in script.calls] == ["spend"], "begun, and made, after the second thought"


@pytest.mark.promise("P262", "P204")
def test_a_second_thought_accepted_before_the_commit_is_heard_first_and_nothing_is_called(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    worker = stage.act(lambda: turns.drain(session))
    worker.to(halt := worker.halt_before(steps, "commit"))
    talk.post(kitchen.device, SECOND_THOUGHT, source="typed")
    halt.go()
    worker.end()
    assert script.calls == []
    assert talk.spoken(kitchen.device)[-2:] == ["Taken back.", "Failed"]


@pytest.mark.promise("P262", "P204")
def test_a_commit_that_meets_a_second_thought_being_accepted_waits_and_hears_it(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    device = stage.act(lambda: talk.post(kitchen.device, SECOND_THOUGHT, source="typed"))
    worker = stage.act(lambda: turns.drain(session))
    worker.to(deciding := worker.halt_before(steps, "commit"))
    device.to(accepting := device.halt_after(ingress, "_hand_over"))
    deciding.go()
    worker.is_blocked()
    accepting.go()
    device.end()
    worker.end()
    assert script.calls == []
    assert talk.spoken(kitchen.device)[-2:] == ["Taken back.", "Failed"]


@pytest.mark.promise("P262", "P204")
def test_a_second_thought_that_meets_the_commit_is_accepted_after_it_and_told_that_it_is_too_late(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    worker = stage.act(lambda: turns.drain(session))
    worker.to(committing := worker.halt_after(steps, "_check_consent"))
    device = stage.act(lambda: talk.post(kitchen.device, SECOND_THOUGHT, source="typed")).start()
    device.is_blocked()
    committing.go()
    device.end()
    worker.end()
    turns.drain(session)
    assert len(script.calls) == 1
    assert talk.spoken(kitchen.device)[-2:] == ["Done", "Too late."]


@pytest.mark.promise("P262", "P204")
def test_however_the_second_thought_falls_it_is_heard_first_or_told_that_it_is_too_late(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    for _ in range(8):
        script.calls.clear()
        before = Device.objects.get(pk=kitchen.device.pk).event_seq
        thought = partial(talk.post, kitchen.device, SECOND_THOUGHT, source="typed")
        stage.together(partial(turns.drain, session), thought, partial(turns.drain, session))
        turns.drain(session)
        said = talk.spoken(kitchen.device, after=before)
        assert (len(script.calls), said) in ((0, ["Taken back.", "Failed"]), (1, ["Done", "Too late."]))
        talk.say(kitchen.device, "ready", source="typed")
        talk.post(kitchen.device, PHRASE, source="typed")


# ---- in the shop --------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P262")
def test_what_is_said_before_the_checkout_is_committed_lets_the_shop_hear_of_none(stage: Stage, till: Till) -> None:
    session = till.to_phrase()
    worker = stage.act(lambda: turns.drain(session))
    worker.to(read_again := worker.halt_before(settling, "settled"))
    talk.post(till.device, "no wait", source="typed")
    read_again.go()
    worker.end()
    till.handle()
    assert till.sandbox.calls("checkout") == []
    assert CheckoutIntent.objects.count() == 0


@pytest.mark.promise("P262", "P206", "P268")
def test_what_is_said_after_it_is_told_what_stands_and_that_nothing_was_cancelled(stage: Stage, till: Till) -> None:
    session = till.to_phrase()
    worker = stage.act(lambda: turns.drain(session))
    worker.to(calling := worker.halt_before(Swiggy, "checkout"))
    talk.post(till.device, "cancel order", source="typed")
    calling.go()
    worker.end()
    till.handle()
    assert len(till.sandbox.calls("checkout")) == 1
    assert (till.intent.state, till.reason) == ("pending_payment", "left_while_paying")
    assert "nothing was cancelled" in " ".join(talk.spoken(till.device))
