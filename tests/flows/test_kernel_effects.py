"""The three policies of an effect, driven in process: what is tried again, what is replayed as stored, and what never is."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection

from interactions import attempts, clock, effects, leases, saying, turns
from interactions.contracts import (
    Abandoned,
    Call,
    Done,
    Effect,
    Event,
    Failed,
    Heard,
    NoAnswerError,
    NotSentError,
    NotYetError,
    Refused,
    Reply,
    Settled,
    Standing,
    Step,
    TurnedDownError,
    Unknown,
)
from interactions.models import Alarm, Checkpoint, DeviceEvent, InteractionSession
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "BACKOFF_S", 0.0)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


def failing(*errors: Exception) -> Any:
    """Raise these in turn, then succeed."""
    left = list(errors)

    def act(call: Any) -> dict[str, Any]:
        if left:
            raise left.pop(0)
        return {"did": call.effect}

    return act


def interrupt(checkpoint: Checkpoint) -> None:
    """Leave the checkpoint as a worker leaves it that died in the middle of the call."""
    Checkpoint.objects.filter(pk=checkpoint.pk).update(
        state="started", fence=0, attempts=1, started_at=clock.now(), deadline_at=clock.now() + timedelta(seconds=5)
    )


# ---- written before the first byte leaves -------------------------------------------------------------------------------


@pytest.mark.promise("P230")
@pytest.mark.parametrize("effect", ["look", "write"])
def test_an_effect_is_committed_with_its_payload_before_it_is_performed(script: Script, device: Any, effect: str) -> None:
    seen: list[tuple[Any, ...]] = []

    def act(call: Any) -> dict[str, Any]:
        def look() -> None:  # another connection sees only what is committed
            row = Checkpoint.objects.get(pk=call.checkpoint)
            seen.append((row.effect, row.policy, row.payload, len(row.payload_hash), row.state, row.attempts, row.outcome))
            connection.close()

        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        return {}

    script.decide, script.act = scripted.asking(effect, lines=[1, 2]), act
    talk.say(device, "open scripted")
    talk.say(device, "go")
    policy = "read" if effect == "look" else "replay"
    assert seen == [(effect, policy, {"lines": [1, 2]}, 64, "started", 1, "")]
    row = Checkpoint.objects.get()
    assert (row.state, row.outcome, row.started_at is not None, row.settled_at is not None) == ("settled", "done", True, True)


@pytest.mark.promise("P230")
@pytest.mark.parametrize(
    "change", [{"outcome": "failed"}, {"payload": {"other": 1}}, {"state": "staged", "outcome": ""}, {"result": {"x": 1}}]
)
def test_a_settled_checkpoint_never_changes_again(script: Script, device: Any, change: dict[str, Any]) -> None:
    script.decide = scripted.asking("look")
    talk.say(device, "open scripted")
    talk.say(device, "go")
    with pytest.raises(Exception, match=r"settled|keeps what was asked|never goes back"):
        Checkpoint.objects.update(**change)


# ---- READ and REPLAY ----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P156")
def test_a_read_is_tried_again_within_its_attempts(script: Script, device: Any) -> None:
    script.decide, script.act = scripted.asking("look"), failing(NoAnswerError(), NotSentError())
    talk.say(device, "open scripted")
    assert talk.say(device, "go") == ["Done"]
    assert [call.attempt for call in script.calls] == [1, 2, 3]


@pytest.mark.promise("P156")
def test_a_read_that_never_answers_fails_after_its_attempts(script: Script, device: Any) -> None:
    script.decide, script.act = scripted.asking("look"), failing(*[NoAnswerError() for _ in range(9)])
    talk.say(device, "open scripted")
    assert talk.say(device, "go") == ["Failed"]
    assert len(script.calls) == 3


def test_a_refusal_is_not_tried_again(script: Script, device: Any) -> None:
    script.decide, script.act = scripted.asking("look"), failing(TurnedDownError("closed", "The store is closed"))
    talk.say(device, "open scripted")
    talk.say(device, "go")
    assert script.outcomes() == [Refused("closed", "The store is closed")]
    assert len(script.calls) == 1


def test_a_wait_named_by_the_peer_beyond_the_budget_ends_the_attempts(script: Script, device: Any) -> None:
    script.decide, script.act = scripted.asking("look"), failing(NotSentError("rate", retry_after_s=600))
    talk.say(device, "open scripted")
    talk.say(device, "go")
    assert (script.outcomes(), len(script.calls)) == ([Failed("rate")], 1)


@pytest.mark.promise("P153", "P156")
def test_an_interrupted_write_is_replayed_with_its_stored_payload_and_knows_that_it_is_a_replay(
    script: Script, device: Any
) -> None:
    answers = iter([Step(effect=Effect("write", {"lines": ["milk", 2]})), Step()])
    script.decide = lambda standing, event: Step() if not isinstance(event, Heard | Settled) else next(answers)
    talk.say(device, "open scripted")
    talk.post(device, "go")
    turns.drain(talk.session_of(device).pk, role=turns.Role.TURNS)  # stages, performs nothing
    interrupt(Checkpoint.objects.get())
    turns.drain(talk.session_of(device).pk)
    assert [(call.payload, call.attempt) for call in script.calls] == [({"lines": ["milk", 2]}, 2)]
    assert script.orphans == ["write"]
    assert isinstance(script.outcomes()[0], Done)


def test_an_effect_that_may_not_start_yet_waits_and_is_not_taken_for_a_dead_sender(script: Script, device: Any) -> None:
    until = clock.now() + timedelta(hours=1)
    script.decide, script.act = scripted.asking("write"), failing(NotYetError(until))
    talk.say(device, "open scripted")
    talk.say(device, "go")
    session = talk.session_of(device)
    assert (session.not_before, session.work_pending, session.lease_until) == (until, True, None)
    turns.drain(session.pk)
    assert (script.orphans, [type(outcome) for outcome in script.outcomes()]) == ([], [Done])


def writing_when_told(standing: Any, event: Any) -> Step:
    return Step(effect=Effect("write")) if isinstance(event, Heard) and event.text == "go" else Step()


def test_a_long_wait_is_said_once_and_a_stop_ends_it_where_nothing_was_sent(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = clock.now() + timedelta(hours=1)
    monkeypatch.setattr(scripted.ScriptedMode, "waits", lambda *_, **__: Reply("one moment"))
    script.decide, script.act = writing_when_told, failing(*[NotYetError(until) for _ in range(9)])
    talk.say(device, "open scripted")
    assert talk.say(device, "go") == ["one moment"]
    assert talk.say(device, "anything else") == []
    talk.say(device, "cancel order")
    assert (script.outcomes(), script.heard()) == ([Abandoned()], ["", "go", "anything else", "cancel order"])


def test_a_stop_does_not_make_a_write_unsent_that_may_have_been_sent(script: Script, device: Any) -> None:
    until = clock.now() + timedelta(hours=1)
    script.decide, script.act = writing_when_told, failing(NoAnswerError(), *[NotYetError(until) for _ in range(9)])
    talk.say(device, "open scripted")
    talk.say(device, "go")
    for _ in range(3):
        talk.say(device, "stop")
    assert (script.outcomes(), script.orphans) == ([], ["write"])


def test_a_stop_does_not_make_an_interrupted_write_unsent(script: Script, device: Any) -> None:
    until = clock.now() + timedelta(hours=1)
    script.decide, script.act = writing_when_told, failing(*[NotYetError(until) for _ in range(9)])
    talk.say(device, "open scripted")
    talk.post(device, "go")
    turns.drain(talk.session_of(device).pk, role=turns.Role.TURNS)
    interrupt(Checkpoint.objects.get())
    for _ in range(3):
        talk.say(device, "stop")
    assert (script.outcomes(), script.orphans) == ([], ["write"])


def test_a_worker_of_turns_performs_nothing_and_leaves_it_to_the_other(script: Script, device: Any) -> None:
    script.decide = scripted.asking("look")
    talk.say(device, "open scripted")
    talk.post(device, "go")
    session = talk.session_of(device)
    turns.drain(session.pk, role=turns.Role.TURNS)
    assert (script.calls, Checkpoint.objects.get().state) == ([], "staged")
    turns.drain(session.pk)
    assert talk.spoken(device) == ["Done"]


def test_a_stop_word_makes_a_read_see_that_nobody_waits(script: Script, device: Any) -> None:
    looks: list[bool] = []

    def act(call: Any) -> dict[str, Any]:
        talk.post(device, "stop")
        looks.append(call.abandoned())
        return {}

    script.act = act
    script.decide = lambda standing, event: (
        Step(effect=Effect("look")) if isinstance(event, Heard) and event.text == "go" else Step()
    )
    talk.say(device, "open scripted")
    talk.say(device, "go")
    assert looks == [True]


# ---- ONCE ---------------------------------------------------------------------------------------------------------------


def at_the_question(script: Script, device: Any) -> None:
    script.decide = scripted.spending
    talk.say(device, "open scripted")
    talk.say(device, "ready")


@pytest.mark.promise("P137")
def test_a_once_is_committed_begun_with_its_consent_before_the_one_call(script: Script, device: Any) -> None:
    seen: list[tuple[str, int, bool]] = []

    def act(call: Any) -> dict[str, Any]:
        row = Checkpoint.objects.get(pk=call.checkpoint)
        seen.append((row.state, row.attempts, row.consent is not None))
        assert not connection.in_atomic_block
        return {}

    at_the_question(script, device)
    script.act = act
    assert talk.say(device, "confirm order") == ["Done"]
    assert seen == [("started", 1, True)]


@pytest.mark.promise("P138", "P156")
@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (NotSentError(), Failed("not_sent")),
        (TurnedDownError("closed"), Refused("closed")),
        (NoAnswerError(), Unknown("no_answer")),
        (ValueError("a bug after the send"), Unknown("ValueError")),
        (TimeoutError(), Unknown("TimeoutError")),
    ],
)
def test_a_once_is_never_tried_again_and_what_is_not_proven_is_unknown(
    script: Script, device: Any, error: Exception, outcome: Any
) -> None:
    at_the_question(script, device)
    script.act = failing(error)
    talk.say(device, "confirm order")
    assert script.outcomes() == [outcome]
    assert len(script.calls) == 1


@pytest.mark.promise("P154")
def test_a_once_found_begun_by_another_holder_is_unknown_and_never_called(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_question(script, device)

    def dies(*_: Any) -> None:
        raise leases.LostLeaseError

    with monkeypatch.context() as patch:
        patch.setattr(effects, "call_once", dies)
        talk.say(device, "confirm order")
    InteractionSession.objects.update(lease_until=None)
    turns.drain(talk.session_of(device).pk)
    assert (script.calls, script.outcomes(), script.orphans) == ([], [Unknown("interrupted")], ["spend"])


@pytest.mark.promise("P261")
def test_a_holder_that_slept_between_commit_and_call_spends_nothing(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_question(script, device)
    real = effects.call_once

    def sleeps_first(*arguments: Any) -> None:
        now = clock.now()
        with monkeypatch.context() as patch:
            patch.setattr(clock, "now", lambda: now + timedelta(seconds=11))
            real(*arguments)

    monkeypatch.setattr(effects, "call_once", sleeps_first)
    talk.say(device, "confirm order")
    assert (script.calls, script.outcomes()) == ([], [Failed("too_late")])


@pytest.mark.promise("P154")
def test_an_outcome_whose_fence_is_gone_is_kept_as_evidence_and_not_stepped(script: Script, device: Any) -> None:
    at_the_question(script, device)

    def act(call: Any) -> dict[str, Any]:
        InteractionSession.objects.update(fence=99)  # somebody took over meanwhile
        return {"order": 7}

    script.act = act
    talk.say(device, "confirm order")
    assert script.witnessed == [Done({"order": 7})]
    assert script.outcomes() == []


@pytest.mark.promise("P142", "P154")
def test_evidence_that_cannot_be_kept_alarms_the_operator_and_puts_no_row_into_the_log(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    at_the_question(script, device)

    def act(call: Any) -> dict[str, Any]:
        InteractionSession.objects.update(fence=99)
        return {"order": 7}

    def refused(*arguments: Any) -> None:
        raise IntegrityError("Failing row contains (https://pay.example/opaque)")

    script.act = act
    monkeypatch.setattr(scripted.ScriptedMode, "witness", refused)
    talk.say(device, "confirm order")
    assert Alarm.objects.get().cause == f"unkept:{Checkpoint.objects.get(effect='spend').pk}"
    assert "lease lost" in caplog.text
    assert "pay.example" not in caplog.text


@pytest.mark.promise("P132")
@pytest.mark.parametrize(
    "text", ["please confirm order", "confirm order now", "complete order confirm order", "yes confirm order"]
)
def test_other_words_than_the_phrase_spend_nothing_even_if_the_mode_asks(script: Script, device: Any, text: str) -> None:
    at_the_question(script, device)
    assert talk.say(device, text) == [saying.ENGLISH("sorry")]
    assert (script.calls, Checkpoint.objects.count()) == ([], 0)


@pytest.mark.promise("P220")
def test_the_phrase_spoken_in_another_phase_spends_nothing(script: Script, device: Any) -> None:
    script.decide = lambda standing, event: (
        Step(effect=Effect("spend", {}, consent=event.utterance)) if isinstance(event, Heard) else Step()
    )
    talk.say(device, "open scripted")
    assert talk.say(device, "confirm order") == [saying.ENGLISH("sorry")]
    assert script.calls == []


@pytest.mark.promise("P202", "P229")
def test_one_utterance_can_consent_only_once(script: Script, device: Any) -> None:
    at_the_question(script, device)
    consents: list[int] = []

    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Heard) and event.text == "confirm order":
            consents.append(event.utterance)
            return Step(effect=Effect("spend", {}, consent=event.utterance))
        if isinstance(event, Heard):
            return Step(effect=Effect("spend", {}, consent=consents[0]))
        return Step(say=(Reply(repr(event.outcome)),)) if isinstance(event, Settled) else Step()

    script.decide = decide
    talk.say(device, "confirm order")
    told = talk.say(device, "again with the old consent")
    assert len(script.calls) == 1
    assert "constraint" in told[0]


@pytest.mark.promise("P262")
def test_what_is_said_after_the_phrase_is_heard_before_the_call(script: Script, device: Any) -> None:
    at_the_question(script, device)
    for text in ("confirm order", "no wait"):
        talk.post(device, text)
    turns.drain(talk.session_of(device).pk)
    assert script.calls == []
    assert script.heard()[-2:] == ["confirm order", "no wait"]
    assert script.outcomes() == [Failed("overtaken")]


@pytest.mark.promise("P262")
def test_what_was_held_back_is_told_also_where_the_second_thought_had_an_effect_of_its_own(script: Script, device: Any) -> None:
    def decide(standing: Standing, event: Event) -> Step:
        match event:
            case Heard(text="confirm order", utterance=utterance):
                return Step(effect=Effect("look", {"consent": utterance}))
            case Settled(effect="look", outcome=Done(), payload={"consent": consent}):
                return Step(effect=Effect("spend", {}, consent=consent))
            case Heard(text="no wait"):
                return Step(effect=Effect("write", {}))
        return scripted.spending(standing, event)

    def act(call: Call) -> dict[str, Any]:
        if call.effect == "look":
            talk.post(device, "no wait")
        return {}

    at_the_question(script, device)
    script.decide, script.act = decide, act
    talk.say(device, "confirm order")
    assert [call.effect for call in script.calls] == ["look", "write"]
    assert script.outcomes()[-1] == Failed("overtaken")
    assert not Checkpoint.objects.filter(stepped_at=None).exists(), "what was held back waits for nobody"


@pytest.mark.promise("P262", "P202")
def test_the_phrase_said_twice_is_no_second_thought_and_spends_once(script: Script, device: Any) -> None:
    at_the_question(script, device)
    for _ in range(2):
        talk.post(device, "confirm order")
    turns.drain(talk.session_of(device).pk)
    assert len(script.calls) == 1


def test_a_worker_of_turns_throws_a_spending_step_away_uncommitted(script: Script, device: Any) -> None:
    at_the_question(script, device)
    talk.post(device, "confirm order")
    session = talk.session_of(device)
    turns.drain(session.pk, role=turns.Role.TURNS)
    assert Checkpoint.objects.count() == 0
    turns.drain(session.pk)
    assert len(script.calls) == 1


# ---- rows of the mode's own -----------------------------------------------------------------------------------------------


def test_a_refusing_constraint_discards_the_step_and_the_mode_is_told(script: Script, device: Any) -> None:
    def rows(standing: Any, step: Step) -> None:
        raise IntegrityError("UNIQUE constraint failed: one_open_order")

    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Settled):
            return Step(say=(Reply(repr(event.outcome)),))
        return Step(phase="asking", say=(Reply("opened"),), rows=("open",)) if isinstance(event, Heard) else Step()

    script.decide, script.rows = decide, rows
    talk.say(device, "open scripted")
    told = talk.say(device, "go")
    assert len(told) == 1
    assert "one_open_order" in told[0]
    assert talk.session_of(device).phase == "open"


@pytest.mark.promise("P158")
def test_nothing_of_a_refused_commit_reaches_the_device(script: Script, device: Any) -> None:
    def rows(standing: Any, step: Step) -> None:
        raise IntegrityError("no")

    script.rows = rows
    script.decide = lambda standing, event: (
        Step(say=(Reply("never said"),), rows=("x",)) if isinstance(event, Heard) else Step(rows=("x",))
    )
    talk.say(device, "open scripted")
    assert talk.say(device, "go") == [saying.ENGLISH("sorry")]
    seqs = list(DeviceEvent.objects.filter(device=device).order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, len(seqs) + 1))
