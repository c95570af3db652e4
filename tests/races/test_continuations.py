"""The rest of a sentence comes in the moment in which a worker begins the first part: it is joined, or a turn of its own."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from interactions import agenda, clock, continuations, turns
from interactions.models import InboxItem
from tests.support import scripted, talk
from tests.support.interleave import Stage
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)

BEGUN, REST = "add two", "packets of milk"
ONE, TWO = [f"{BEGUN} {REST}"], [BEGUN, REST]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch, unfinished=lambda mode, standing, text: text == BEGUN)


@pytest.fixture
def session(script: Script, kitchen: Any) -> int:
    """The first part waits, and its time is just over."""
    talk.say(kitchen.device, "open scripted", source="typed")
    talk.post(kitchen.device, BEGUN)
    overdue(BEGUN)
    script.events.clear()
    return talk.session_of(kitchen.device).pk


def overdue(text: str) -> None:
    InboxItem.objects.filter(text=text, status="waiting").update(not_before=clock.now() - timedelta(milliseconds=1))


def naive_begin(lease: Any, work: Any, mode: Any) -> bool:
    """Count the attempt of the row, whatever words it has by now."""
    InboxItem.objects.filter(pk=work.item.pk).update(attempts=work.item.attempts + 1)
    return True


def meeting(stage: Stage, session: int, device: Any) -> None:
    """The worker has read the first part, and then the rest is accepted."""
    worker = stage.act(lambda: turns.drain(session))
    worker.to(read := worker.halt_before(turns, "_begin"))
    talk.post(device, REST)
    read.go()
    worker.end()
    turns.drain(session)


def test_control_a_worker_that_begins_what_it_read_loses_the_rest(
    stage: Stage, session: int, script: Script, kitchen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "_begin", naive_begin)
    meeting(stage, session, kitchen.device)
    assert script.heard() == [BEGUN], "two of what?"


@pytest.mark.case("A09")
@pytest.mark.promise("P204")
def test_what_is_joined_before_the_worker_begins_is_heard_whole(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    meeting(stage, session, kitchen.device)
    assert script.heard() == ONE


@pytest.mark.case("A09")
@pytest.mark.promise("P204")
def test_what_comes_after_the_worker_has_begun_is_a_turn_of_its_own(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    worker = stage.act(lambda: turns.drain(session))
    worker.to(begun := worker.halt_after(turns, "_begin"))
    assert talk.post(kitchen.device, REST).body["reason"] == "mode"
    begun.go()
    worker.end()
    turns.drain(session)
    assert script.heard() == TWO


@pytest.mark.promise("P204", "P266")
def test_a_worker_that_has_seen_that_it_must_wait_sees_that_it_need_not_any_more(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    """The doorbell of what ends the wait finds the session taken, and nobody else rings before the time is over."""
    InboxItem.objects.filter(text=BEGUN).update(not_before=clock.now() + continuations.SPEAKING)
    worker = stage.act(lambda: turns.drain(session))
    worker.to(seen := worker.halt_after(agenda, "look"))
    talk.post(kitchen.device, "stop")
    turns.drain(session)  # its doorbell
    seen.go()
    worker.end()
    assert script.heard() == [BEGUN, "stop"]


@pytest.mark.postgres  # SQLite lets one transaction in at a time
@pytest.mark.promise("P204")
def test_a_worker_that_meets_the_rest_being_joined_waits_and_hears_it_whole(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    worker = stage.act(lambda: turns.drain(session))
    worker.to(read := worker.halt_before(turns, "_begin"))
    device = stage.act(lambda: talk.post(kitchen.device, REST))
    device.to(joining := device.halt_after(continuations, "joined"))
    read.go()
    worker.is_blocked()
    joining.go()
    device.end()
    worker.end()
    turns.drain(session)
    assert script.heard() == ONE


@pytest.mark.postgres
@pytest.mark.promise("P204")
def test_the_rest_that_found_nobody_at_work_and_then_a_worker_is_a_turn_of_its_own(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    device = stage.act(lambda: talk.post(kitchen.device, REST))
    device.to(found := device.halt_after(continuations, "_waiting"))
    worker = stage.act(lambda: turns.drain(session))
    worker.to(begun := worker.halt_after(turns, "_begin"))
    found.go()
    assert device.end().body["reason"] == "mode"
    begun.go()
    worker.end()
    turns.drain(session)
    assert script.heard() == TWO


@pytest.mark.promise("P204")
def test_however_they_meet_every_word_is_heard_once(stage: Stage, session: int, script: Script, kitchen: Any) -> None:
    for _ in range(8):
        stage.together(partial(turns.drain, session), partial(talk.post, kitchen.device, REST), partial(turns.drain, session))
        overdue(BEGUN)
        turns.drain(session)
        assert script.heard() in (ONE, TWO)
        talk.post(kitchen.device, BEGUN)
        overdue(BEGUN)
        script.events.clear()
