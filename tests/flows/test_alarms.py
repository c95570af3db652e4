"""What the operator must know reaches them by a channel of its own: once per cause, at least once, red where it did not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import transaction

from interactions import alarms, clock, configuration, host, registry
from interactions.models import Alarm
from interactions.plugins import ActionResult

pytestmark = [pytest.mark.on_postgres, pytest.mark.django_db, pytest.mark.promise("P271")]


class Channel:
    """Stands in for the plugin that the configuration names; answers as it is told to."""

    def __init__(self) -> None:
        self.answers: list[ActionResult | Exception] = []
        self.taken: list[tuple[str, Mapping[str, Any]]] = []

    def call(self, action: str, data: Mapping[str, Any]) -> ActionResult:
        self.taken.append((action, data))
        answer = self.answers.pop(0) if self.answers else ActionResult(ok=True)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Channel:
    channel = Channel()
    door: Any = registry._registry
    monkeypatch.setattr(registry, "_registry", _replace(door, callable=MappingProxyType({**door.callable, "hermes": channel})))
    return channel


def _replace(door: Any, **fields: Any) -> Any:
    from dataclasses import replace

    return replace(door, **fields)


def wait(seconds: float) -> None:
    Alarm.objects.update(next_at=clock.now() - timedelta(seconds=seconds))


def test_an_alarm_is_raised_once_per_cause_with_the_change_that_causes_it() -> None:
    with transaction.atomic():
        host.alarm("unknown:1", "first")
        transaction.set_rollback(True)
    assert not Alarm.objects.exists()
    for text in ("first", "again"):
        host.alarm("unknown:1", text)
    assert Alarm.objects.get().text == "first"


def test_it_is_delivered_to_the_operators_channel_under_an_id_of_its_own_and_not_again(channel: Channel) -> None:
    host.alarm("unknown:1", "Checkout 1 has no known outcome.")
    for _ in range(2):
        alarms.deliver(Alarm.objects.get().pk)
    [(action, data)] = channel.taken
    assert (action, data["target"], data["text"]) == ("alarm", "ops", "Checkout 1 has no known outcome.")
    assert data["id"].startswith("alarm-unknown:1-")
    assert alarms.light().green


@pytest.mark.parametrize("fault", [ActionResult(ok=False, error="http_500"), RuntimeError("a fault of theirs")])
def test_what_was_not_taken_is_red_and_offered_again_later(channel: Channel, fault: Any) -> None:
    host.alarm("unknown:1", "Checkout 1")
    alarm = Alarm.objects.get().pk
    channel.answers = [fault]
    alarms.deliver(alarm)
    assert not alarms.light().green
    alarms.deliver(alarm)
    assert len(channel.taken) == 1, "not before its time"
    wait(1)
    alarms.deliver(alarm)
    assert len(channel.taken) == 2
    assert channel.taken[0][1]["id"] == channel.taken[1][1]["id"], "so that a twin is known"
    assert alarms.light().green


def test_the_attempts_have_an_end_and_what_was_never_delivered_stays_red(channel: Channel) -> None:
    host.alarm("unknown:1", "Checkout 1")
    channel.answers = [ActionResult(ok=False, error="http_500")] * 50
    for _ in range(20):
        wait(1)
        alarms.deliver(Alarm.objects.get().pk)
    assert len(channel.taken) == alarms.ATTEMPTS
    assert "http_500" in alarms.light().text
    assert not alarms.light().green


def test_the_sweep_rings_for_what_waits(channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
    from interactions import doorbells, sweep

    rung: list[tuple[int, str]] = []
    monkeypatch.setattr(doorbells, "_publish", lambda task, row, **_: rung.append((row, task)))
    host.alarm("unknown:1", "Checkout 1")
    sweep.tick()
    assert (Alarm.objects.get().pk, "interactions.alarm") in rung


@pytest.mark.promise("P227")
def test_it_is_delivered_by_a_worker_that_performs_effects() -> None:
    from celery import current_app

    assert current_app.amqp.router.route({}, "interactions.alarm")["queue"].name == "effects"


@pytest.mark.parametrize("missing", ["channel", "plugin"])
def test_where_nobody_would_be_told_the_check_says_so_and_the_alarm_is_red(
    missing: str, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import replace

    found = configuration.current()
    plugin = {"plugin": "nobody", "target": "ops"} if missing == "plugin" else None
    operator = configuration.Operator.model_validate({"alarm": plugin})
    settings.CHRONICLE = replace(found, host=found.host.model_copy(update={"operator": operator}))
    if missing == "plugin":  # written down and leading nowhere: no process starts so
        with pytest.raises(SystemCheckError, match=r"'operator\.alarm\.plugin' names 'nobody', which"):
            call_command("check")
    else:
        call_command("check")
        assert "No alarm channel" in capsys.readouterr().err
    host.alarm("unknown:1", "Checkout 1")
    alarms.deliver(Alarm.objects.get().pk)
    light = alarms.light()
    assert not light.green
    assert ("set operator.alarm" if missing == "channel" else "plugin nobody is off") in light.text


def test_hermes_takes_an_alarm_without_a_link_and_for_no_person(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from chronicle import webhook
    from chronicle.plugins import hermes
    from interactions.configuration import PluginEntry

    sent: list[Any] = []

    def deliver(body: Any, *, delivery: Any, **_: Any) -> ActionResult:
        sent.append((body, delivery))
        return ActionResult(ok=True)

    given = hermes.HermesSettings(webhook_url="https://here", webhook_secret="s")
    plugin = hermes.Hermes(PluginEntry(), given.model_dump())
    monkeypatch.setattr(webhook, "deliver", deliver)
    plugin.call("alarm", {"target": "ops", "text": "Checkout 1", "id": "alarm-unknown:1", "link": "https://pay"})
    assert sent == [({"event": "alarm", "target": "ops", "text": "Checkout 1", "link": None}, "alarm-unknown:1")]
    assert plugin.call("alarm", {"text": "Checkout 1"}).error == "no_target"
