"""The modes and plugins that are on say which workers are waited for; where one is needed and silent, the status is red."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interactions import clock, configuration, doorbells, queues, registry, status
from interactions.configuration import AlarmChannel, PluginEntry
from interactions.models import Heartbeat
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin

ALARM = AlarmChannel(plugin="hermes", target="ops")


class Quick(OrdinaryPlugin):
    id = "quick"

    def __init__(self) -> None:
        super().__init__(PluginEntry(enabled=True, events=["utterance"]), {})

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        return None


class Waiting(Quick):
    id = "waiting"

    def waits(self, event: ChainEvent) -> bool:
        return event.woken


class Looking(Quick):
    id = "looking"

    def check(self) -> str:
        return "ok"


@pytest.fixture
def switched_on(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Only these modes, plugins of the chain and alarm channel are on."""

    def on(modes: tuple[str, ...] = (), chain: tuple[OrdinaryPlugin, ...] = (), alarm: AlarmChannel | None = None) -> None:
        before = configuration.current()
        operator = before.host.operator.model_copy(update={"alarm": alarm})
        host = before.host.model_copy(update={"operator": operator})
        monkeypatch.setattr(configuration, "current", lambda: configuration.Configuration(before.directory, host, {}, {}))
        monkeypatch.setattr(registry, "modes", lambda: dict.fromkeys(modes))
        monkeypatch.setattr(registry, "ordinary", lambda: chain)

    return on


@pytest.mark.promise("P161")
@pytest.mark.parametrize(
    ("on", "turns", "effects"),
    [
        ({}, "", ""),
        ({"chain": (Quick(),)}, "plugin quick", ""),
        ({"chain": (Quick(), Waiting())}, "plugin quick, plugin waiting", "plugin waiting"),
        ({"chain": (Looking(),)}, "plugin looking", "plugin looking"),
        ({"modes": ("order",)}, "mode order", "mode order"),
        ({"modes": ("order",), "chain": (Quick(),)}, "mode order, plugin quick", "mode order"),
        ({"alarm": ALARM}, "", "operator.alarm"),
    ],
)
def test_whoever_is_on_says_which_queues_somebody_must_serve(
    switched_on: Any, on: dict[str, Any], turns: str, effects: str
) -> None:
    switched_on(**on)
    assert queues.needed_by() == {"turns": turns, "effects": effects}


@pytest.mark.promise("P161", "P163")
def test_a_needed_queue_that_nobody_serves_is_red_and_named_with_who_waits(db: None, switched_on: Any) -> None:
    switched_on(modes=("order",), chain=(Waiting(),))
    lights = status.lights()
    for queue in ("turns", "effects"):
        light = lights[f"queue {queue}"]
        assert not light.green
        assert f"worker on queue {queue}: never heard; mode order, plugin waiting wait for it" in light.text
    Heartbeat.objects.create(name="turns", at=clock.now())
    Heartbeat.objects.create(name="effects", at=clock.now() - timedelta(minutes=5))
    lights = status.lights()
    assert (lights["queue turns"].green, lights["queue effects"].green) == (True, False)


@pytest.mark.promise("P161")
def test_nobody_is_waited_for_who_has_nothing_to_do(db: None, switched_on: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    switched_on(chain=(Quick(),))
    lights = status.lights()
    assert (lights["queue turns"].green, lights["queue effects"].green) == (False, True)
    assert lights["queue effects"].text == "worker on queue effects: nothing that is on needs one"
    asked: list[str] = []
    monkeypatch.setattr(doorbells, "ask_for_heartbeat", asked.append)
    queues.ask_for_heartbeats()
    assert asked == ["turns"], "what is sent to a queue that nobody serves stays there for ever"
