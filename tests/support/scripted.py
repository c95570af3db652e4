"""A mode that does what a test says, for tests of the kernel: it records every event and call, and can fail on cue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import pytest

from interactions import registry
from interactions.contracts import (
    Call,
    Effect,
    EffectSpec,
    Event,
    Heard,
    PhaseSpec,
    Policy,
    Reply,
    Settled,
    Standing,
    Started,
    Step,
)
from interactions.modes import Mode

EXITS = PhaseSpec(stop="closed", help="say anything", silence="still there?", deadline="closed")


@dataclass
class Script:
    """What the mode shall do, and what it was asked."""

    decide: Callable[[Standing, Event], Step] = lambda standing, event: Step(say=(Reply("ok"),))
    act: Callable[[Call], dict[str, Any]] = lambda call: {"did": call.effect}
    events: list[Event] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    witnessed: list[Any] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    rows: Callable[[Standing, Step], None] = lambda standing, step: None

    def heard(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Heard | Started)]

    def outcomes(self) -> list[Any]:
        return [event.outcome for event in self.events if isinstance(event, Settled)]


class ScriptedMode(Mode):
    key = "scripted"
    phrases = ("open scripted",)
    first_phase = "open"
    phases = {"open": EXITS, "asking": EXITS, "spent": EXITS}
    effects = {
        "look": EffectSpec(Policy.READ, budget_s=5, attempts=3),
        "write": EffectSpec(Policy.REPLAY, budget_s=5, attempts=2),
        "spend": EffectSpec(Policy.ONCE, budget_s=5, phase="asking", phrases=("confirm order",)),
    }

    def __init__(self, script: Script) -> None:
        super().__init__({})
        self.script = script

    def step(self, standing: Standing, event: Event) -> Step:
        self.script.events.append(event)
        return self.script.decide(standing, event)

    def perform(self, call: Call) -> dict[str, Any]:
        self.script.calls.append(call)
        return self.script.act(call)

    def record(self, standing: Standing, step: Step, *, at: Any, checkpoint: int | None) -> None:
        self.script.rows(standing, step)

    def orphaned(self, standing: Standing, effect: str, payload: Any, *, until: Any) -> None:
        self.script.orphans.append(effect)

    def witness(self, standing: Standing, call: Call, outcome: Any) -> None:
        self.script.witnessed.append(outcome)

    def closed(self, standing: Standing, reason: str, *, at: Any) -> None:
        self.script.closed.append(reason)


def install(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Script:
    """Stand the scripted mode behind the door, beside whatever the configuration brought in; ``changes`` make another code."""
    script = Script()
    mode = type("ChangedMode", (ScriptedMode,), changes)(script)
    door = registry._registry
    monkeypatch.setattr(
        registry,
        "_registry",
        replace(
            door,
            modes=MappingProxyType({**door.modes, mode.key: mode}),
            owners=MappingProxyType({**door.owners, mode.key: "scripted"}),
            activations=((("open", "scripted"), mode.key), *door.activations),
            accepting=door.accepting | {mode.key},
        ),
    )
    return script


def asking(effect: str, **payload: Any) -> Callable[[Standing, Event], Step]:
    """Decide to stage one effect for each thing heard, and to say how it ended."""

    def decide(standing: Standing, event: Event) -> Step:
        match event:
            case Heard():
                return Step(effect=Effect(effect, payload))
            case Settled(outcome=outcome):
                return Step(say=(Reply(type(outcome).__name__),))
        return Step()

    return decide


def spending(standing: Standing, event: Event) -> Step:
    """The shape of every money mode: ``ready`` asks, the phrase spends with itself as consent."""
    match event:
        case Heard(text="ready"):
            return Step(phase="asking", say=(Reply("Say the words.", key="review"),))
        case Heard(utterance=utterance, text=text) if "confirm order" in text and standing.phase == "asking":
            return Step(effect=Effect("spend", {"total": 100}, consent=utterance))
        case Settled(effect="spend", outcome=outcome):
            return Step(phase="spent", say=(Reply(type(outcome).__name__),))
    return Step(say=(Reply("ok"),))
