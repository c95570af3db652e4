"""A database that is older than the world: what was said before the recovery spends nothing, whatever a mode makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from interactions import clock, events, recovery, turns
from interactions.contracts import Abandoned, Migration, Reply, Settled, Signal, Step, Unknown
from interactions.models import Checkpoint, InteractionSession, Utterance
from interactions.recovery import Report
from tests.support import scripted, talk
from tests.support.people import Owned
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.promise("P263"), pytest.mark.on_postgres]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    script = scripted.install(monkeypatch)
    script.decide = scripted.spending
    return script


@pytest.fixture
def asked(script: Script, kitchen: Owned) -> Owned:
    """At the question that the phrase answers."""
    talk.say(kitchen.device, "open scripted")
    talk.say(kitchen.device, "ready")
    return kitchen


def recover() -> Report:
    return recovery.recover(clock.now())


def told(script: Script) -> list[str]:
    return [event.name for event in script.events if isinstance(event, Signal)]


def spent(script: Script) -> int:
    return [call.effect for call in script.calls].count("spend")


# ---- nothing said before spends -----------------------------------------------------------------------------------------


def test_the_danger_is_real_without_a_recovery_forgotten_words_spend_again(script: Script, asked: Owned) -> None:
    with transaction.atomic():
        talk.say(asked.device, "confirm order")
        transaction.set_rollback(True)
    assert spent(script) == 1
    talk.say(asked.device, "confirm order")
    assert spent(script) == 2


@pytest.mark.promise("P263")
def test_words_that_waited_when_it_recovered_spend_nothing_also_where_the_mode_minds_nothing(
    script: Script, asked: Owned
) -> None:
    talk.post(asked.device, "confirm order")
    assert recover().sessions == 1
    talk.handle(asked.device)
    assert (spent(script), told(script)) == (0, ["recovered"])
    assert "Sorry" in talk.spoken(asked.device)[-1]


def test_words_said_after_it_spend_once(script: Script, asked: Owned) -> None:
    recover()
    talk.say(asked.device, "confirm order")
    assert spent(script) == 1


def test_words_whose_call_was_still_to_be_made_spend_nothing(
    script: Script, asked: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mode thinks once more before it spends, and the words are those from before."""
    words: list[int] = []

    def twice(standing: Any, event: Any) -> Step:
        if isinstance(event, Settled):
            return Step(effect=scripted.Effect("spend", {}, consent=words[0])) if event.effect == "look" else Step()
        words.append(getattr(event, "utterance", 0))
        return Step(effect=scripted.Effect("look"))

    script.decide = twice
    talk.post(asked.device, "confirm order")
    turns.drain(talk.session_of(asked.device).pk, role=turns.Role.TURNS)
    script.decide = lambda standing, event: Step()
    recover()
    script.decide = twice
    talk.handle(asked.device)
    assert spent(script) == 0


# ---- what was on its way ------------------------------------------------------------------------------------------------


def die(call: Any) -> dict[str, Any]:
    raise KeyboardInterrupt


@pytest.mark.promise("P138", "P154")
def test_what_may_have_been_spent_is_unknown_at_once_whoever_holds_the_session(script: Script, asked: Owned) -> None:
    script.act = die
    with pytest.raises(KeyboardInterrupt):
        talk.say(asked.device, "confirm order")
    session = talk.session_of(asked.device)
    assert session.lease_until is not None, "its holder may be alive"
    report = recover()
    assert (report.unknown, report.sessions, report.faults) == (1, 1, ())
    held = Checkpoint.objects.get(effect="spend")
    assert (held.state, held.outcome, held.result) == ("settled", "unknown", {"reason": "recovered"})
    talk.handle(asked.device)
    assert script.outcomes() == [Unknown("recovered")]
    assert spent(script) == 1
    assert "spend" in script.orphans


@pytest.mark.promise("P263", "P145")
def test_the_answer_of_a_holder_that_was_still_calling_is_kept_as_evidence(script: Script, asked: Owned) -> None:
    reports: list[Report] = []

    def act(call: Any) -> dict[str, Any]:
        reports.append(recover())
        return {"order": 1}

    script.act = act
    talk.say(asked.device, "confirm order")
    assert reports[0].unknown == 1
    assert [outcome.result for outcome in script.witnessed] == [{"order": 1}]
    talk.handle(asked.device)
    assert script.outcomes() == [Unknown("recovered")]


@pytest.mark.promise("P264")
def test_a_stored_write_counts_as_begun_so_that_it_looks_before_it_writes(script: Script, kitchen: Owned) -> None:
    script.decide = scripted.asking("write", cart=1)
    talk.say(kitchen.device, "open scripted")
    talk.post(kitchen.device, "write")
    turns.drain(talk.session_of(kitchen.device).pk, role=turns.Role.TURNS)
    assert Checkpoint.objects.get().attempts == 0
    script.decide = lambda standing, event: Step()
    assert recover().begun == 1
    assert recover().begun == 1
    script.decide = scripted.asking("write", cart=1)
    talk.handle(kitchen.device)
    assert [(call.effect, call.attempt) for call in script.calls] == [("write", 2)]
    assert not isinstance(script.outcomes()[0], Abandoned)


# ---- again, and in part -------------------------------------------------------------------------------------------------


def test_it_may_be_run_again_and_never_forgets_what_was_said_since(script: Script, asked: Owned) -> None:
    recover()
    first = talk.session_of(asked.device).recovered_upto
    talk.post(asked.device, "confirm order")
    assert recover().unknown == 0
    last = talk.session_of(asked.device).recovered_upto
    assert last == Utterance.objects.latest("pk").pk
    assert first is not None
    assert first < last
    talk.handle(asked.device)
    assert spent(script) == 0


def test_a_mode_that_breaks_keeps_no_other_session_from_being_barred(
    script: Script, asked: Owned, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a fault of ours")

    script.decide = broken
    monkeypatch.setattr(scripted.ScriptedMode, "recover", broken)
    with pytest.raises(CommandError, match="run it again"):
        call_command("recover")
    shown = capsys.readouterr().out
    assert "NOT DONE: mode scripted raised RuntimeError" in shown
    assert "could not be told" in shown
    script.decide = scripted.spending
    talk.post(asked.device, "what")
    InteractionSession.objects.update(lease_until=None)
    assert talk.session_of(asked.device).recovered_upto is not None


def test_the_command_says_what_it_did(script: Script, asked: Owned, capsys: pytest.CaptureFixture[str]) -> None:
    script.decide = lambda standing, event: Step(say=(Reply("I was away."),))
    call_command("recover")
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("1 active sessions: nothing said in them before ")
    assert shown[-1].startswith("recovered;")
    assert talk.spoken(asked.device)[-1] == "I was away."


@pytest.mark.promise("P158")
def test_a_device_that_was_told_what_the_database_forgot_hears_what_is_said_at_the_recovery(
    script: Script, asked: Owned
) -> None:
    with transaction.atomic():
        talk.say(asked.device, "what")
        talk.say(asked.device, "what else")
        heard_upto = events.current_seq(asked.device.pk)
        transaction.set_rollback(True)
    script.decide = lambda standing, event: Step(say=(Reply("I was away."),))
    recover()
    batch = events.since(asked.device.pk, heard_upto, limit=100)
    assert batch.reset
    assert [row.payload.get("text") for row in events.since(asked.device.pk, batch.cursor, limit=100).events] == ["I was away."]


@pytest.mark.promise("P142", "P263")
def test_a_row_that_the_database_refuses_is_named_by_its_session_and_quoted_nowhere(
    script: Script, asked: Owned, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(standing: Any, step: Step) -> None:
        raise IntegrityError("Failing row contains (https://pay.example/opaque)")

    script.decide = lambda standing, event: Step(rows=("one",))
    script.rows = refused
    [fault] = recover().faults
    assert "IntegrityError" in fault
    assert "could not be told" in caplog.text
    assert "pay.example" not in caplog.text


# ---- and an upgrade at once ---------------------------------------------------------------------------------------------


@pytest.mark.promise("P263", "P270")
def test_newer_code_tells_an_older_session_only_after_it_brought_it_up(
    script: Script, asked: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = scripted.install(monkeypatch, version=2, migrations={1: Migration(lambda phase, state: (phase, {"words": []}))})
    newer.decide = lambda standing, event: Step(phase="open", say=(Reply(f"void, {len(standing.state['words'])} words"),))
    assert recover().faults == ()
    session = talk.session_of(asked.device)
    assert (session.version, session.phase, talk.spoken(asked.device)[-1]) == (2, "open", "void, 0 words")


@pytest.mark.promise("P263", "P270")
def test_an_older_session_that_cannot_be_brought_up_is_named_and_spends_nothing(
    script: Script, asked: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.post(asked.device, "confirm order")
    newer = scripted.install(monkeypatch, version=2)
    [fault] = recover().faults
    assert "older code" in fault
    talk.handle(asked.device)
    assert (newer.calls, talk.session_of(asked.device).end_reason) == ([], "upgraded")


def test_a_mode_that_was_used_lately_and_is_not_loaded_is_named_and_nothing_is_called_done(
    script: Script, asked: Owned, capsys: pytest.CaptureFixture[str]
) -> None:
    InteractionSession.objects.update(mode="switched_off", status="ended", end_reason="done", ended_at=clock.now())
    with pytest.raises(CommandError, match="recovered in part"):
        call_command("recover")
    assert "mode switched_off was used lately and is not loaded" in capsys.readouterr().out
