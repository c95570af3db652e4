"""The kernel, driven in process: acceptance, one work at a time, the commit of a step, and what a raising step costs."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from interactions import clock, doorbells, events, leases, processes, saying, setbacks, sweep, turns
from interactions.contracts import Deadline, Effect, Heard, Reply, Settled, Step
from interactions.models import Checkpoint, DeviceEvent, InboxItem, InteractionSession, Utterance
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Move the clock by hand."""
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=seconds))


@pytest.mark.promise("P010", "P051")
def test_the_start_carries_the_remainder_and_a_turn_the_whole_text(script: Script, device: Any) -> None:
    talk.say(device, "Open scripted, two milk")
    talk.say(device, "open scripted again")
    assert script.heard() == ["two milk", "open scripted again"]


@pytest.mark.promise("P031", "P032", "P033")
def test_a_session_has_its_own_owner_deadlines_and_audio_but_no_conversation(script: Script, device: Any) -> None:
    talk.say(device, "open scripted", audio_session_id="a1")
    session = talk.session_of(device)
    assert (session.user_id, session.client_id, session.audio_session_id) == (device.owner_id, device.client_id, "a1")
    assert session.idle_at < session.hard_at
    assert not [
        field.name for model in (InteractionSession, Utterance) for field in model._meta.fields if "conversation" in field.name
    ]


@pytest.mark.promise("P034")
def test_the_audio_session_follows_the_latest_turn(script: Script, device: Any) -> None:
    talk.say(device, "open scripted", audio_session_id="a1")
    talk.say(device, "hello", audio_session_id="a2")
    talk.say(device, "hello again")
    assert talk.session_of(device).audio_session_id == "a2"


@pytest.mark.promise("P040", "P041", "P042", "P043")
def test_state_is_replaced_whole_or_left_and_the_turn_counter_grows_by_one(script: Script, device: Any) -> None:
    answers = iter([Step(phase="asking", state={"a": 1, "b": 2}), Step(state={"c": 3}), Step()])
    script.decide = lambda standing, event: next(answers)
    seen = []
    for text in ("open scripted", "one", "two"):
        talk.say(device, text)
        session = talk.session_of(device)
        seen.append((session.phase, session.state, session.turn, session.revision))
    assert seen == [("asking", {"a": 1, "b": 2}, 1, 1), ("asking", {"c": 3}, 2, 2), ("asking", {"c": 3}, 3, 3)]


@pytest.mark.promise("P064", "P204")
def test_turns_are_handled_in_the_order_they_were_accepted(script: Script, device: Any) -> None:
    talk.post(device, "open scripted")
    for text in ("one", "two", "three"):
        talk.post(device, text)
    turns.drain(talk.session_of(device).pk)
    assert script.heard() == ["", "one", "two", "three"]


@pytest.mark.promise("P254")
def test_a_post_that_skipped_a_number_waits_for_the_one_before(script: Script, device: Any) -> None:
    talk.say(device, "open scripted", seq=1)
    talk.say(device, "three", seq=3)
    assert script.heard() == [""]
    talk.say(device, "two", seq=2)
    assert script.heard() == ["", "two", "three"]


@pytest.mark.promise("P254")
def test_a_gap_that_is_never_filled_waits_two_seconds_and_no_longer(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(device, "open scripted", seq=1)
    talk.say(device, "three", seq=3)
    later(monkeypatch, 2.1)
    turns.drain(talk.session_of(device).pk)
    assert script.heard() == ["", "three"]


@pytest.mark.promise("P254")
def test_a_lower_number_that_comes_later_undoes_nothing(script: Script, device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    talk.say(device, "open scripted", seq=1)
    talk.post(device, "three", seq=3)
    later(monkeypatch, 2.1)
    turns.drain(talk.session_of(device).pk)
    answer = talk.post(device, "two", seq=2)
    turns.drain(talk.session_of(device).pk)
    assert (answer.body["disposition"], script.heard()) == ("late", ["", "three"])


@pytest.mark.promise("P155", "P029")
def test_a_redelivered_doorbell_handles_nothing_twice(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    for _ in range(3):
        turns.drain(talk.session_of(device).pk)
    assert script.heard() == [""]


def test_a_session_that_somebody_holds_is_left_alone(script: Script, device: Any) -> None:
    talk.post(device, "open scripted")
    session = talk.session_of(device)
    lease = leases.claim(session.pk)
    assert lease is not None
    turns.drain(session.pk)
    assert script.heard() == []
    leases.release(lease)
    turns.drain(session.pk)
    assert script.heard() == [""]


def test_a_step_that_raises_costs_one_sentence_and_not_the_session(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")

    def raising(standing: Any, event: Any) -> Step:
        raise ZeroDivisionError

    script.decide = raising
    assert talk.say(device, "divide") == [saying.ENGLISH("sorry")]
    script.decide = lambda standing, event: Step(say=(Reply("fine"),))
    assert talk.say(device, "go on") == ["fine"]
    assert [item.status for item in InboxItem.objects.order_by("sequence")] == ["done", "dead", "done"]


@pytest.mark.promise("P253")
@pytest.mark.parametrize(("said", "latest"), [("go", "remark"), ("ready", "review")])
def test_an_apology_is_the_latest_prompt_but_where_a_phrase_may_spend(
    said: str, latest: str, script: Script, device: Any
) -> None:
    def decide(standing: Any, event: Any) -> Step:
        if getattr(event, "text", "") == "divide":
            raise ZeroDivisionError
        return scripted.spending(standing, event)

    script.decide = decide
    for words in ("open scripted", said, "divide", "yes"):
        talk.say(device, words)
    heard = script.events[-1]
    assert isinstance(heard, Heard)
    assert heard.prompt is not None
    assert heard.prompt.key == latest


def test_an_item_that_kills_its_worker_three_times_is_set_aside_with_an_apology(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    talk.post(device, "poison")
    talk.post(device, "good")
    InboxItem.objects.filter(text="poison").update(attempts=setbacks.ATTEMPTS)
    turns.drain(talk.session_of(device).pk)
    assert script.heard() == ["", "good"]
    assert InboxItem.objects.get(text="poison").status == "dead"


def test_a_decision_the_mode_did_not_declare_changes_nothing(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    for step in (
        Step(phase="nowhere"),
        Step(effect=Effect("fly")),
        Step(state={"at": object()}),
        Step(effect=Effect("look"), end="x"),
    ):
        script.decide = lambda standing, event, step=step: step  # type: ignore[misc]
        assert talk.say(device, "try") == [saying.ENGLISH("sorry")]
    session = talk.session_of(device)
    assert (session.phase, session.state, session.status) == ("open", {}, "active")


@pytest.mark.promise("P035")
def test_an_accepted_input_moves_the_idle_deadline_and_nothing_moves_the_hard_one(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(device, "open scripted")
    first = talk.session_of(device)
    assert (first.idle_at - first.started_at, first.hard_at - first.started_at) == (
        timedelta(minutes=10),
        timedelta(minutes=30),
    )
    later(monkeypatch, 300)
    talk.say(device, "still here")
    second = talk.session_of(device)
    assert second.idle_at >= first.idle_at + timedelta(seconds=299)
    assert second.hard_at == first.hard_at


@pytest.mark.promise("P036", "P037")
def test_activity_does_not_save_a_session_from_its_hard_limit_which_wins_over_idle(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(device, "open scripted")
    InteractionSession.objects.update(idle_at=clock.now() + timedelta(seconds=1700))
    later(monkeypatch, 1801)
    sweep.tick()
    turns.drain(talk.session_of(device).pk)
    assert [event.kind for event in script.events if isinstance(event, Deadline)] == ["hard"]
    assert talk.session_of(device).end_reason == "hard_timeout"


@pytest.mark.promise("P038")
def test_expiry_runs_the_end_once_frees_the_slot_and_tells_the_device(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.decide = lambda standing, event: (
        Step(say=(Reply("kept", expects_reply=False),), end="timed_out") if isinstance(event, Deadline) else Step()
    )
    talk.say(device, "open scripted")
    first = talk.session_of(device)
    later(monkeypatch, 601)
    for _ in range(2):
        sweep.tick()
        turns.drain(first.pk)
    assert talk.spoken(device) == ["kept"]
    assert script.closed == ["timed_out"]
    assert DeviceEvent.objects.filter(kind="interaction.ended").count() == 1
    talk.say(device, "open scripted")
    assert talk.session_of(device).pk != first.pk


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
def test_an_ended_session_is_let_go_of_although_its_worker_went_right_after_the_end(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    class GoneError(Exception):
        """The worker is no more."""

    def stopping() -> bool:
        ended = talk.session_of(device).status == "ended"
        if ended and killed:
            raise GoneError
        return ended

    talk.say(device, "open scripted")
    script.decide = lambda standing, event: Step(end="done")
    talk.post(device, "goodbye")
    session = talk.session_of(device)
    with suppress(GoneError):
        turns.drain(session.pk, stopping=stopping)
    later(monkeypatch, 3600)
    monkeypatch.setattr(processes, "gone", lambda name: killed)
    monkeypatch.setattr(doorbells, "ring", lambda row, task=doorbells.TURNS: turns.drain(row))
    sweep.tick()
    session.refresh_from_db()
    assert (session.status, session.work_pending, session.lease_owner) == ("ended", False, "")


@pytest.mark.promise("P039", "P046")
def test_a_turn_after_the_deadline_ends_the_session_instead_of_being_handled(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(device, "open scripted")
    later(monkeypatch, 601)
    told = talk.say(device, "two milk")
    assert "two milk" not in script.heard()
    assert talk.session_of(device).end_reason == "idle_timeout"
    assert InboxItem.objects.get(text="two milk").status == "dropped"
    assert any("too late" in text for text in told)


@pytest.mark.promise("P039")
def test_a_turn_received_in_time_is_handled_however_late_it_comes_to_it(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(device, "open scripted")
    talk.post(device, "two milk")
    later(monkeypatch, 599)
    sweep.tick()
    turns.drain(talk.session_of(device).pk)
    assert script.heard() == ["", "two milk"]


@pytest.mark.promise("P046", "P062")
def test_what_was_said_after_the_person_ended_the_session_is_heard_afresh(script: Script, device: Any) -> None:
    script.decide = lambda standing, event: (
        Step(end="closed") if isinstance(event, Heard) and event.text == "stop it" else Step()
    )
    talk.say(device, "open scripted")
    first = talk.session_of(device)
    for text in ("stop it", "open scripted and go on"):
        talk.post(device, text)
    turns.drain(first.pk)
    second = talk.session_of(device)
    assert second.pk != first.pk
    turns.drain(second.pk)
    assert script.heard() == ["", "stop it", "and go on"]


@pytest.mark.promise("P044")
def test_ending_an_old_session_leaves_the_new_one_in_its_slot(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    old = talk.session_of(device)
    script.decide = lambda standing, event: Step(end="closed") if isinstance(event, Heard) else Step()
    talk.say(device, "bye")
    talk.say(device, "open scripted")
    new = talk.session_of(device)
    turns.drain(old.pk)
    assert InteractionSession.objects.get(pk=new.pk).status == "active"


def test_a_raising_outcome_is_tried_three_times_then_becomes_a_plain_failure_then_ends_the_session(
    script: Script, device: Any
) -> None:
    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Settled):
            raise ZeroDivisionError
        return Step(effect=Effect("look"))

    script.decide = decide
    told = talk.say(device, "open scripted")
    assert told[-1] == saying.ENGLISH("broken")
    assert talk.session_of(device).end_reason == "internal_error"
    assert [type(outcome).__name__ for outcome in script.outcomes()] == ["Done", "Done", "Done", "Failed"]
    assert Checkpoint.objects.get().outcome == "done"


def test_every_reply_names_the_question_that_an_answer_by_hand_should_name(script: Script, device: Any) -> None:
    script.decide = scripted.spending
    talk.say(device, "open scripted")
    talk.say(device, "ready")
    talk.say(device, "what was that")
    question, other = DeviceEvent.objects.filter(device=device, kind="interaction.reply").order_by("seq")[1:3]
    assert [events.render(event)["prompt"] for event in (question, other)] == [question.pk, question.pk]


@pytest.mark.promise("P204")
def test_what_comes_in_during_a_turn_is_never_left_behind_by_the_release(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")

    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Heard) and event.text == "first":
            talk.post(device, "second")  # accepted while the holder thinks that "first" is alone
        return Step()

    script.decide = decide
    talk.say(device, "first")
    assert script.heard() == ["", "first", "second"]
    assert not talk.session_of(device).work_pending
