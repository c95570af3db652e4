"""Between ingress and the turn the world goes on: a device changes hands, a clock is set."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interactions import clock, devices, doorbells, sweep, turns
from interactions.models import Checkpoint, Device, InteractionSession
from tests.flows.test_twins import Moved, asked, device, handled, moved, opened, script
from tests.support import talk
from tests.support.scripted import Script

__all__ = ["asked", "device", "moved", "opened", "script"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.promise("P256", "P202")
def test_the_phrase_spends_nothing_where_its_device_was_given_to_somebody_else_meanwhile(
    script: Script, asked: Any, meera: Any
) -> None:
    talk.post(asked, "confirm order")
    session = talk.session_of(asked)
    Device.objects.filter(pk=asked.pk).update(owner=meera)
    turns.drain(session.pk)
    assert script.calls == []
    assert not Checkpoint.objects.exists()


@pytest.mark.promise("P256")
def test_the_phrase_spends_nothing_where_its_device_was_revoked_meanwhile(script: Script, asked: Any) -> None:
    talk.post(asked, "confirm order")
    devices.revoke(asked)
    handled(asked, script)
    assert script.calls == []
    assert talk.session_of(asked).end_reason == "device_revoked"


@pytest.mark.promise("P254")
@pytest.mark.parametrize("back_s", [90, 3600])
def test_what_waits_for_the_number_before_it_does_not_wait_for_a_clock_that_was_set_back(
    script: Script, asked: Any, moved: Moved, back_s: int
) -> None:
    talk.say(asked, "hello", seq=1)
    talk.post(asked, "hello again", seq=3)
    assert handled(asked, script)[-1] == "hello", "the second is still to come"
    moved.forward(-back_s)
    assert handled(asked, script)[-1] == "hello again"


@pytest.mark.promise("P152")
@pytest.mark.parametrize(("ahead", "rung"), [(timedelta(seconds=60), False), (timedelta(hours=1), True)])
def test_a_session_that_was_to_wait_is_rung_for_after_a_clock_was_set_back(
    script: Script, asked: Any, monkeypatch: pytest.MonkeyPatch, ahead: timedelta, rung: bool
) -> None:
    session, rings = talk.session_of(asked), []
    waiting = {"work_pending": True, "not_before": clock.now() + ahead}
    InteractionSession.objects.filter(pk=session.pk).update(**waiting)
    monkeypatch.setattr(doorbells, "ring", rings.append)
    sweep.pending(clock.now())
    assert rings == [session.pk] * rung


@pytest.mark.promise("P261", "P255")
@pytest.mark.parametrize("step_s", [90, -90])
def test_the_clock_of_the_service_is_set_between_the_phrase_and_its_turn_and_it_is_spent_once_at_most(
    script: Script, asked: Any, moved: Moved, step_s: int
) -> None:
    talk.post(asked, "confirm order", key="one")
    moved.forward(step_s)
    assert talk.post(asked, "confirm order", key="one").replayed
    handled(asked, script)
    moved.forward(-step_s)
    handled(asked, script)
    assert len(script.calls) == 1, "the mode here asks for no freshness, and the host for one use"
