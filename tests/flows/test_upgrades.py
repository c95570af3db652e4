"""A deploy in the middle: a running session meets newer, older or no code. It goes on, ends with a sentence, or is let be."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from interactions import clock, doorbells, registry, saying, sessions, sweep, turns, versions
from interactions.contracts import Effect, Heard, Migration, Reply, Settled, Step, StoredEffect
from interactions.models import ChainRun, Checkpoint, DeviceEvent, InboxItem, InteractionSession
from tests.support import scripted, talk
from tests.support.scripted import EXITS, Script, ScriptedMode

pytestmark = [pytest.mark.django_db, pytest.mark.on_sqlite]

SPENDING = {**ScriptedMode.phases, "spent": replace(EXITS, spending=True)}


def remembering(standing: Any, event: Any) -> Step:
    """Keeps what was said in its state, as version 1 does."""
    if isinstance(event, Heard):
        return Step(state={"said": [*standing.state.get("said", ()), event.text]}, say=(Reply(f"one {event.text}"),))
    return Step(state={"said": []})


def counting(standing: Any, event: Any) -> Step:
    """Version 2 keeps the same under another name, and would break on the old one."""
    if isinstance(event, Heard):
        words = [*standing.state["words"], event.text]
        return Step(state={"words": words}, say=(Reply(f"two {' '.join(words)}"),))
    return Step(state={"words": []})


def renamed(phase: str, state: Any) -> tuple[str, Any]:
    return phase, {"words": list(state["said"])}


def unmade(phase: str, state: Any) -> None:
    return None


def broken(phase: str, state: Any) -> tuple[str, Any]:
    raise KeyError("a key that was never there")


NEWER = {"version": 2, "migrations": {1: Migration(renamed)}, "phases": SPENDING, "kept": "Your list is kept."}


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> Script:
    """The code that opened the session."""
    script = scripted.install(monkeypatch)
    script.decide = remembering
    return script


def deploy(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Script:
    """From here on, workers run newer code."""
    script = scripted.install(monkeypatch, **(NEWER | changes))
    script.decide = counting
    return script


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=seconds))


def rings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    rung: list[int] = []
    monkeypatch.setattr(doorbells, "_publish", lambda task, argument, *, queue=None: rung.append(argument) or True)
    return rung


# ---- newer code meets an older session ------------------------------------------------------------------------------------


@pytest.mark.promise("P270")
def test_a_running_session_is_brought_up_before_its_next_turn(old: Script, device: Any, monkeypatch: Any) -> None:
    talk.say(device, "open scripted")
    talk.say(device, "milk")
    deploy(monkeypatch)
    assert talk.say(device, "bread") == ["two milk bread"]
    session = talk.session_of(device)
    assert (session.version, session.state, session.status) == (2, {"words": ["milk", "bread"]}, "active")


@pytest.mark.promise("P270")
def test_a_session_that_skipped_a_deploy_is_brought_up_one_version_after_the_other(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    talk.say(device, "open scripted")
    talk.say(device, "milk")
    onward = Migration(lambda phase, state: ("asking", {"words": [*state["words"], "and"]}))
    deploy(monkeypatch, version=3, migrations={1: Migration(renamed), 2: onward})
    assert talk.say(device, "bread") == ["two milk and bread"]
    assert (talk.session_of(device).version, talk.session_of(device).phase) == (3, "asking")


def test_a_session_that_was_opened_and_never_stepped_begins_as_the_newer_one(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    answer = talk.post(device, "open scripted")
    deploy(monkeypatch, migrations={1: Migration(broken)})
    turns.drain(answer.body["session"])
    assert talk.session_of(device).state == {"words": []}
    assert talk.say(device, "bread") == ["two bread"]


@pytest.mark.promise("P270")
@pytest.mark.parametrize("migrations", [{}, {1: Migration(unmade)}, {1: Migration(broken)}], ids=["none", "refused", "broken"])
def test_where_no_migration_leads_up_the_session_ends_with_what_was_kept(
    old: Script, device: Any, monkeypatch: Any, migrations: Any
) -> None:
    talk.say(device, "open scripted")
    talk.say(device, "milk")
    new = deploy(monkeypatch, migrations=migrations)
    (told,) = talk.say(device, "bread")
    assert told == f"{saying.ENGLISH('upgraded')} Your list is kept. Please start again."
    session = talk.session_of(device)
    assert (session.end_reason, session.ended_by, session.state) == ("upgraded", "upgrade", {"said": ["milk"]})
    assert new.closed == ["upgraded"]
    assert new.events == []
    assert InboxItem.objects.get(text="bread").status == "dropped"
    assert not ChainRun.objects.exists()
    assert not InteractionSession.objects.filter(work_pending=True).exists()


def test_a_mode_that_cannot_even_close_an_old_session_lets_it_end_all_the_same(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    talk.say(device, "open scripted")

    def closed(self: Any, standing: Any, reason: str, *, at: Any) -> None:
        raise KeyError("words")

    deploy(monkeypatch, migrations={}, closed=closed)
    (told,) = talk.say(device, "bread")
    assert told.startswith(saying.ENGLISH("upgraded"))
    assert talk.session_of(device).end_reason == "upgraded"


# ---- where something may have been bought ---------------------------------------------------------------------------------


def spent(script: Script, device: Any) -> InteractionSession:
    """A session whose ONCE was made: the phase says that something may have been bought."""
    script.decide = scripted.spending
    for text in ("open scripted", "ready", "confirm order"):
        talk.say(device, text)
    session = talk.session_of(device)
    assert session.phase == "spent"
    return session


@pytest.mark.promise("P270")
@pytest.mark.parametrize("migrations", [{}, {1: Migration(unmade)}, {1: Migration(broken)}], ids=["none", "refused", "broken"])
def test_no_upgrade_ever_ends_a_session_in_which_something_may_have_been_bought(
    old: Script, device: Any, monkeypatch: Any, caplog: pytest.LogCaptureFixture, migrations: Any
) -> None:
    session = spent(old, device)
    rung = rings(monkeypatch)
    new = deploy(monkeypatch, migrations=migrations)
    (told,) = talk.say(device, "where is it")
    assert told == saying.ENGLISH("stranded")
    assert talk.say(device, "hello") == []  # said once
    session.refresh_from_db()
    assert (session.status, session.version, session.work_pending) == ("active", 1, True)
    assert new.events == []
    assert caplog.text.count(f"Session {session.pk} is stranded in spent") == 1
    rung.clear()
    turns.drain(session.pk)
    assert rung == []
    assert not InboxItem.objects.filter(attempts__gt=0, status="waiting").exists()
    # The older code, where it still runs, goes on where it was.
    scripted.install(monkeypatch).decide = lambda standing, event: Step(say=(Reply("still here"),))
    turns.drain(session.pk)
    assert talk.spoken(device)[-2:] == ["still here", "still here"]


@pytest.mark.promise("P270")
@pytest.mark.parametrize("sign", ["open", "unstepped", "frozen"])
def test_a_phase_that_says_nothing_of_money_is_not_believed_against_the_rows(
    old: Script, device: Any, monkeypatch: Any, sign: str
) -> None:
    session = spent(old, device)
    InteractionSession.objects.update(phase="open")
    if sign == "open":
        Checkpoint.objects.filter(effect="spend").update(open_since=clock.now())
    elif sign == "unstepped":
        Checkpoint.objects.filter(effect="spend").update(stepped_at=None)
    else:
        InteractionSession.objects.update(frozen_until=clock.now() + timedelta(minutes=5))
    deploy(monkeypatch, migrations={})
    assert talk.say(device, "where is it") == [saying.ENGLISH("stranded")]
    session.refresh_from_db()
    assert session.status == "active"


@pytest.mark.parametrize(
    ("wish", "reason", "by"),
    [("stop", "left_while_upgrading", "utterance"), ("end", "ended_by_operator", "operator"), ("", "idle_timeout", "deadline")],
)
def test_a_stranded_session_still_obeys_stop_the_operator_and_its_deadlines(
    old: Script, device: Any, monkeypatch: Any, wish: str, reason: str, by: str
) -> None:
    session = spent(old, device)
    new = deploy(monkeypatch, migrations={})
    if wish == "stop":
        talk.post(device, "stop")
    elif wish == "end":
        sessions.add(session.pk, kind="end", at=clock.now(), data={"by": "operator"})
    else:
        later(monkeypatch, 601)
        sweep.deadlines(clock.now())
    turns.drain(session.pk)
    session.refresh_from_db()
    assert (session.end_reason, session.ended_by) == (reason, by)
    assert talk.spoken(device)[-1] == saying.ENGLISH("left")
    assert new.closed == [reason]
    assert not ChainRun.objects.exists()


# ---- what was stored about an effect --------------------------------------------------------------------------------------


def grams(effect: StoredEffect) -> StoredEffect:
    """Version 2 counts in grams what version 1 counted in kilograms, and calls the effect by another name."""
    return StoredEffect("look", {"grams": effect.payload["kilos"] * 1000}, effect.outcome)


def weighing(standing: Any, event: Any) -> Step:
    if isinstance(event, Settled):
        return Step(say=(Reply(f"{event.effect} {event.payload} {type(event.outcome).__name__}"),))
    return Step()


def staged(script: Script, device: Any, effect: str = "write") -> Checkpoint:
    """An effect that the old code asked for and did not perform."""
    script.decide = lambda standing, event: Step(
        state={"said": []}, effect=Effect(effect, {"kilos": 2}) if isinstance(event, Heard) else None
    )
    talk.say(device, "open scripted")
    answer = talk.post(device, "go")
    turns.drain(answer.body["session"], role=turns.Role.TURNS)
    found = Checkpoint.objects.get()
    assert (found.state, found.version) == ("staged", 1)
    return found


@pytest.mark.promise("P230", "P270")
def test_a_payload_of_the_old_code_is_read_through_its_migration_and_its_row_stays(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    before = staged(old, device)
    new = deploy(monkeypatch, migrations={1: Migration(renamed, grams)})
    new.decide = weighing
    turns.drain(before.session_id)
    assert [call.payload for call in new.calls] == [{"grams": 2000}]
    assert talk.spoken(device)[-1] == "look {'grams': 2000} Done"
    after = Checkpoint.objects.get()
    assert (after.effect, after.payload, after.payload_hash, after.version) == ("write", {"kilos": 2}, before.payload_hash, 1)


@pytest.mark.promise("P270")
def test_an_outcome_of_the_old_code_is_read_through_its_migration(old: Script, device: Any, monkeypatch: Any) -> None:
    before = staged(old, device)
    Checkpoint.objects.update(state="settled", outcome="done", result={"did": "it"}, settled_at=clock.now())
    new = deploy(monkeypatch, migrations={1: Migration(renamed, grams)})
    new.decide = weighing
    turns.drain(before.session_id)
    assert talk.spoken(device)[-1] == "look {'grams': 2000} Done"
    assert new.calls == []


@pytest.mark.promise("P270")
@pytest.mark.parametrize("begun", [False, True])
def test_an_effect_that_the_new_code_cannot_perform_fails_without_being_sent(
    old: Script, device: Any, monkeypatch: Any, begun: bool
) -> None:
    before = staged(old, device)
    if begun:
        Checkpoint.objects.update(state="started", fence=1, attempts=1, deadline_at=clock.now() + timedelta(seconds=5))
    without = {name: spec for name, spec in ScriptedMode.effects.items() if name != "write"}
    new = deploy(monkeypatch, effects=without)
    new.decide = weighing
    turns.drain(before.session_id)
    assert new.calls == []
    assert talk.spoken(device)[-1] == "write {'kilos': 2} Failed"
    assert new.orphans == (["write"] if begun else [])  # what a dead sender sent may still land


@pytest.mark.promise("P270")
def test_a_once_whose_answer_the_new_code_cannot_read_is_unknown_and_never_failed(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    session = spent(old, device)
    Checkpoint.objects.filter(effect="spend").update(stepped_at=None)

    def unreadable(effect: StoredEffect) -> StoredEffect:
        raise KeyError("total")

    new = deploy(monkeypatch, migrations={1: Migration(lambda phase, state: (phase, state), unreadable)})
    new.decide = weighing
    turns.drain(session.pk)
    assert talk.spoken(device)[-1] == "spend {'total': 100} Unknown"
    assert new.calls == []


# ---- older code meets a newer session -------------------------------------------------------------------------------------


@pytest.mark.promise("P270")
def test_a_worker_that_meets_a_newer_session_leaves_it_whole_and_rings_nobody(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    deploy(monkeypatch)
    talk.say(device, "open scripted")
    answer = talk.post(device, "milk")
    rung = rings(monkeypatch)
    older = scripted.install(monkeypatch)
    before = InteractionSession.objects.values().get()
    for _ in range(5):
        turns.drain(answer.body["session"])
    after = InteractionSession.objects.values().get()
    assert older.events == []
    assert rung == []
    assert {**after, "fence": before["fence"]} == before  # the lease was taken and given back; nothing else moved
    item = InboxItem.objects.get(text="milk")
    assert (item.status, item.attempts) == ("waiting", 0)
    sweep.pending(clock.now() + timedelta(seconds=10))
    sweep.pending(clock.now() + timedelta(seconds=10))
    assert rung == [item.session_id]  # once a sweep, whoever sweeps
    scripted.install(monkeypatch, **NEWER).decide = counting
    turns.drain(item.session_id)
    assert talk.spoken(device)[-1] == "two milk"


def test_a_newer_session_that_nobody_came_for_is_ended_long_after_its_last_deadline(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    deploy(monkeypatch)
    talk.say(device, "open scripted")
    session = talk.session_of(device)
    scripted.install(monkeypatch)
    later(monkeypatch, ScriptedMode.hard_s + 60)
    sweep.deadlines(clock.now())
    turns.drain(session.pk)
    session.refresh_from_db()
    assert session.status == "active"  # newer workers had a deploy's time to end it themselves
    later(monkeypatch, versions.NOBODY_CAME_S)
    turns.drain(session.pk)
    session.refresh_from_db()
    assert (session.end_reason, session.ended_by) == ("hard_timeout", "deadline")
    assert talk.spoken(device)[-1] == saying.ENGLISH("left")


# ---- no code at all -------------------------------------------------------------------------------------------------------


def switch_off(monkeypatch: pytest.MonkeyPatch) -> None:
    door = registry._registry
    left = {key: mode for key, mode in door.modes.items() if key != "scripted"}
    activations = tuple(one for one in door.activations if one[1] != "scripted")
    monkeypatch.setattr(registry, "_registry", replace(door, modes=left, activations=activations, loaded_at=clock.now()))


@pytest.mark.promise("P085")
def test_a_session_whose_mode_was_switched_off_ends_spoken_once_before_anybody_asks(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    talk.say(device, "open scripted")
    session = talk.session_of(device)
    switch_off(monkeypatch)
    sweep.ownerless(clock.now())
    sweep.ownerless(clock.now())
    turns.drain(session.pk)
    sweep.ownerless(clock.now())
    turns.drain(session.pk)
    session.refresh_from_db()
    assert (session.status, session.end_reason) == ("ended", "owner_unavailable")
    assert talk.spoken(device).count(saying.ENGLISH("gone")) == 1
    assert DeviceEvent.objects.filter(device=device, kind="interaction.ended").count() == 1


@pytest.mark.promise("P062", "P085")
def test_after_it_the_slot_is_free_and_the_chain_works_at_once(old: Script, device: Any, monkeypatch: Any) -> None:
    talk.say(device, "open scripted")
    switch_off(monkeypatch)
    assert talk.say(device, "milk") == [saying.ENGLISH("gone")]
    answer = talk.post(device, "what time is it")
    assert answer.body["session"] is None
    assert ChainRun.objects.count() == 1
    assert talk.post(device, "echo").body["disposition"] == "accepted"
    talk.handle(device)
    assert sessions.active(device.owner_id, device.client_id) is None or talk.session_of(device).mode == "echo"


@pytest.mark.promise("P085", "P270")
def test_a_session_of_a_mode_that_only_newer_processes_know_is_left_to_them_for_the_time_of_a_deploy(
    old: Script, device: Any, monkeypatch: Any
) -> None:
    with monkeypatch.context() as older:
        switch_off(older)
        known = registry._registry
    talk.post(device, "open scripted")  # a web process of the newer deploy
    session = talk.session_of(device)
    monkeypatch.setattr(registry, "_registry", known)
    sweep.ownerless(clock.now())
    turns.drain(session.pk)
    session.refresh_from_db()
    assert (session.status, talk.spoken(device)) == ("active", [])
    later(monkeypatch, versions.DEPLOY_S + 1)
    turns.drain(session.pk)
    assert talk.spoken(device) == [saying.ENGLISH("gone")]
