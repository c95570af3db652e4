"""Two devices hear one wake at once: one of them has it, whoever is first at the database and whatever a worker has begun."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from interactions import arbitration, clock, ingress, people, presence, steps, turns
from interactions.ingress import Answer
from interactions.models import ChainRun, Device, DeviceEvent, InboxItem, InteractionSession, Utterance
from interactions.reports import Report
from tests.support import people as household
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)

LAMP = "turn on the lamp"


@pytest.fixture
def devices(kitchen: Any, hall: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Device, Device]:
    """Both are there, and the clock stands still: however busy the machine is, they report of one moment."""
    now = timezone.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    for one in (kitchen, hall):
        presence.came(one.device.pk)
    return kitchen.device, hall.device


def wake(device: Device, text: str, score: float) -> Answer:
    report = Report(text, source="wake", wake={"word": "hermes", "score": score})
    return ingress.accept(device.pk, report, key=text, body_hash=text)


def unlocked(device_id: int, key: str, *, beside: Callable[[int], Any]) -> Device:
    """What ``people.lock`` returns, without its lock."""
    device = people.hearing(device_id, key)
    assert device.owner_id is not None
    beside(device.owner_id)
    return device


def answered() -> list[tuple[str, str]]:
    rows = DeviceEvent.objects.filter(speak=True).exclude(payload__text=None).order_by("pk")
    return [(row.device.client_id, row.payload["text"]) for row in rows]


# ---- two reports ----------------------------------------------------------------------------------------------------------


@pytest.mark.postgres  # SQLite lets one transaction in at a time
def test_control_without_the_lock_both_devices_have_it(
    stage: Stage, devices: tuple[Device, Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "lock", unlocked)
    acts = [stage.act(lambda device=device: wake(device, LAMP, 0.5)) for device in devices]
    halts = [act.halt_after(arbitration, "settle") for act in acts]
    for act, halt in zip(acts, halts, strict=True):
        act.to(halt)
    for halt in halts:
        halt.go()
    assert [act.end().body["reason"] for act in acts] == ["chain", "chain"]
    assert ChainRun.objects.count() == 2, "and both speak up"


@pytest.mark.case("C02")
@pytest.mark.promise("P226")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])  # the lock of the one with the lower number comes first, whoever was first
def test_the_second_of_two_reports_waits_and_only_one_device_answers(
    stage: Stage, devices: tuple[Device, Device], order: tuple[int, int]
) -> None:
    first, second = (devices[place] for place in order)
    ahead, behind = stage.act(lambda: wake(first, LAMP, 0.5)), stage.act(lambda: wake(second, LAMP, 0.9))
    ahead.to(halt := ahead.halt_after(arbitration, "settle"))
    behind.start().is_blocked()
    halt.go()
    assert [act.end().body["disposition"] for act in (ahead, behind)] == ["accepted", "accepted"]
    ChainRun.objects.update(not_before=None)
    for device in devices:
        talk.handle(device)
    assert answered() == [(second.client_id, f"The chain heard: {LAMP}")]


@pytest.mark.case("C02")
@pytest.mark.promise("P226", "P204")
def test_many_wakes_at_three_devices_at_once_end_without_deadlock_and_each_is_answered_once(
    stage: Stage, devices: tuple[Device, Device], asha: Any
) -> None:
    third = household.with_device(asha, "study").device
    presence.came(third.pk)
    said = [f"{number} {thing}" for number in ("one", "two", "three") for thing in ("lamps", "windows", "curtains")]
    for text in said:
        stage.together(
            *[
                lambda device=device, text=text, score=score: wake(device, text, score)
                for device, score in zip((*devices, third), (0.5, 0.7, 0.9), strict=True)
            ]
        )
        for run in ChainRun.objects.filter(status="staged"):
            ChainRun.objects.filter(pk=run.pk).update(not_before=None)
        for device in (*devices, third):
            talk.handle(device)
        Device.objects.update(lost_wake=None)
        Utterance.objects.update(reason="of an earlier round")
    assert [text for _, text in answered()] == [f"The chain heard: {text}" for text in said]


# ---- a worker that has just begun -----------------------------------------------------------------------------------------


def overtaken(stage: Stage, devices: tuple[Device, Device]) -> None:
    """A worker whose clock is ahead handles the first device's opening while the second one's report takes it over."""
    near, far = devices
    session = wake(near, "open scripted", 0.5).body["session"]
    InboxItem.objects.update(not_before=None)
    worker = stage.act(lambda: turns.drain(session))
    worker.to(halt := worker.halt_before(steps, "commit"))
    taken = wake(far, "open scripted", 0.9).body
    assert (taken["disposition"], taken["session"]) == ("accepted", session)
    halt.go()
    worker.end()
    InboxItem.objects.update(not_before=None)
    turns.drain(session)


def test_control_without_the_fence_the_device_that_lost_is_answered(
    stage: Stage, devices: tuple[Device, Device], script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arbitration, "_withdraw", lambda row: True)
    overtaken(stage, devices)
    assert answered() == [("kitchen", "ok")]
    assert InteractionSession.objects.get().device == devices[1], "whose next words the mode waits for"


@pytest.mark.case("C02", "C03")
@pytest.mark.promise("P204")
def test_a_worker_that_has_begun_for_the_device_that_lost_stores_nothing_of_it(
    stage: Stage, devices: tuple[Device, Device], script: Script
) -> None:
    overtaken(stage, devices)
    assert answered() == [("hall", "ok")]
    assert InteractionSession.objects.get().device == devices[1]
    assert InboxItem.objects.get().status == "done"
