"""A session moves while others are at work: who asked changes their mind, two ask at once, words at the device before."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from interactions import handover, steps, turns
from interactions.contracts import Heard, Reply, Signal, Standing, Step
from interactions.models import InboxItem, InteractionSession
from tests.support import people, talk
from tests.support.interleave import Stage
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)


def decide(standing: Standing, event: Any) -> Step:
    match event:
        case Heard(text=text) if text.startswith("here "):
            return Step(say=(Reply("Bringing it."),), take_over=int(text.split()[1]))
        case Heard(text="no"):
            return Step(end="declined")
        case Signal(name="not_moved"):
            return Step(end="not_moved")
    return Step(say=(Reply("ok"),))


@pytest.fixture
def there(script: Script, kitchen: Any) -> InteractionSession:
    """Open in the kitchen."""
    script.decide = decide
    return opened(kitchen)


@pytest.fixture
def asking(there: InteractionSession, hall: Any) -> InteractionSession:
    """In the hall, where it was asked for; the move waits."""
    session = opened(hall)
    talk.say(hall.device, f"here {there.pk}", source="typed")
    return session


def opened(owned: Any) -> InteractionSession:
    talk.say(owned.device, "open scripted", source="typed")
    return talk.session_of(owned.device)


def where(session: InteractionSession) -> str:
    session.refresh_from_db()
    assert session.client_id == session.device.client_id
    return session.client_id


def declined_while_it_moves(stage: Stage, there: InteractionSession, asking: InteractionSession, hall: Any) -> str:
    """A worker has decided what the "no" in the hall means, and commits it after the move did; how that session ended."""
    talk.post(hall.device, "no", source="typed")
    worker = stage.act(lambda: turns.drain(asking.pk))
    halt = worker.halt_before(steps, "commit")
    worker.to(halt)
    turns.drain(there.pk)
    halt.go()
    worker.end()
    asking.refresh_from_db()
    return asking.end_reason


def test_control_a_session_that_is_ended_under_its_holder_is_ended_twice(
    stage: Stage, there: InteractionSession, asking: InteractionSession, hall: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def naive(session: InteractionSession, *_: Any, **__: Any) -> None:
        InteractionSession.objects.filter(pk=session.pk).update(status="ended", end_reason=handover.ASKED)

    monkeypatch.setattr(handover, "_end", naive)
    assert declined_while_it_moves(stage, there, asking, hall) == "declined"
    assert where(there) == "hall"


@pytest.mark.promise("P259", "P205")
def test_a_holder_of_the_session_that_asked_loses_it_to_the_move_and_its_words_are_heard_afresh(
    stage: Stage, there: InteractionSession, asking: InteractionSession, hall: Any, script: Script
) -> None:
    assert declined_while_it_moves(stage, there, asking, hall) == handover.ASKED
    assert where(there) == "hall"
    turns.drain(asking.pk)
    turns.drain(there.pk)
    there.refresh_from_db()
    assert there.end_reason == "declined"
    assert script.closed == [handover.ASKED, "declined"]


@pytest.mark.promise("P259")
def test_who_declines_before_the_move_has_its_locks_is_not_moved_to(
    stage: Stage, there: InteractionSession, asking: InteractionSession, hall: Any
) -> None:
    worker = stage.act(lambda: turns.drain(there.pk))
    halt = worker.halt_before(steps, "commit")
    worker.to(halt)
    talk.say(hall.device, "no", source="typed")
    halt.go()
    worker.end()
    assert where(there) == "kitchen"
    assert InboxItem.objects.get(session=there, kind="moved").note == "handover_unasked"


@pytest.mark.promise("P259", "P165")
def test_words_at_the_device_before_wait_for_the_move_and_are_no_more_the_sessions(
    stage: Stage, there: InteractionSession, asking: InteractionSession, kitchen: Any, script: Script
) -> None:
    worker = stage.act(lambda: turns.drain(there.pk))
    halt = worker.halt_after(handover, "move")
    worker.to(halt)
    speaker = stage.act(lambda: talk.post(kitchen.device, "hello", source="typed")).start()
    speaker.is_blocked()
    halt.go()
    worker.end()
    assert speaker.end().body["reason"] == "chain"
    turns.drain(there.pk)
    assert "hello" not in script.heard()


@pytest.mark.promise("P259", "P205", "P226")
def test_two_devices_ask_at_once_and_the_session_has_one_place(
    stage: Stage, there: InteractionSession, hall: Any, kitchen: Any, asha: Any
) -> None:
    bath = people.with_device(asha, "bath")
    sessions = [there, opened(hall), opened(bath)]
    acts = [lambda owned=owned: talk.post(owned.device, f"here {there.pk}", source="typed") for owned in (hall, bath)]
    acts.append(lambda: talk.post(kitchen.device, "hello", source="typed"))
    acts += [lambda session=session: turns.drain(session.pk) for session in sessions]
    stage.together(*acts)
    for _ in range(3):
        for session in InteractionSession.objects.filter(work_pending=True).order_by("pk"):
            turns.drain(session.pk)
    holder = where(there)
    assert holder in ("hall", "bath")
    assert InteractionSession.objects.filter(status="active", client_id=holder).count() == 1
    moves = InboxItem.objects.filter(session=there, kind="moved", status="done").order_by("sequence")
    hops = [(move.data["from"], move.data["device"]) for move in moves]
    assert all(came == left for (_, came), (left, _) in pairwise(hops)), "it was moved from where it no longer was"
    assert not InboxItem.objects.filter(status="waiting").exists()
