"""The ordering mode: an event in, a decision out; and the door to its effects and rows. No rules of its own.

``step`` is pure: what happened (``listening``, ``settling``, ``outside``), where that leads (``machine``), what is then said
and asked for (``moves``, ``paying``). Everything that spends is in the one row of the machine that says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from interactions import configuration, language_model
from interactions.contracts import (
    Call,
    Deadline,
    EffectSpec,
    Event,
    Heard,
    Json,
    Outcome,
    PhaseSpec,
    Policy,
    Reply,
    Settled,
    Signal,
    Silence,
    Standing,
    Started,
    Step,
)
from interactions.modes import Mode
from swiggy_instamart import (
    endings,
    listening,
    machine,
    moves,
    openings,
    outside,
    places,
    prompts,
    questions,
    settling,
    speech,
    tongues,
    wording,
    words,
)
from swiggy_instamart.machine import IllegalMoveError, On, Phase
from swiggy_instamart.options import Options
from swiggy_instamart.repairs import Asked
from swiggy_instamart.turn import Doors, Happened, Turn

CLOSES = "closes the order; nothing was placed, the basket is kept"
STANDS = "says what stands and ends as left_while_paying; nothing is cancelled"


def _exits(phase: Phase) -> PhaseSpec:
    leave = STANDS if phase in machine.AFTER else CLOSES
    stays = "repeats the question once, looks in once, then is quiet"
    explains = wording.ENGLISH(f"help.{questions.BY_PHASE.get(phase, Asked.BUSY)}", label="it", example="Home")
    return PhaseSpec(stop=leave, help=explains, silence=stays, deadline=leave, spending=phase in machine.AFTER)


class SwiggyOrderMode(Mode):
    """Buys groceries at Instamart, with the exact words for exactly what was read back, once."""

    key: ClassVar[str] = "swiggy_order"
    phrases: ClassVar[tuple[str, ...]] = words.BEGIN_ORDER
    universal: ClassVar[Mapping[str, frozenset[tuple[str, ...]]]] = dict(words.UNIVERSAL)
    kept: ClassVar[str] = wording.ENGLISH("kept")
    first_phase: ClassVar[str] = Phase.STARTING.value
    phases: ClassVar[Mapping[str, PhaseSpec]] = {phase.value: _exits(phase) for phase in Phase}
    effects: ClassVar[Mapping[str, EffectSpec]] = {
        "addresses": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "cart": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "search": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "recall": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "tools": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "rebuild": EffectSpec(Policy.READ, budget_s=12, attempts=1),
        "write": EffectSpec(Policy.REPLAY, budget_s=20, attempts=2),
        "clear": EffectSpec(Policy.REPLAY, budget_s=20, attempts=2),
        "review": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "recheck": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "checkout": EffectSpec(
            Policy.ONCE,
            budget_s=60,
            phase=listening.CONFIRM_PHASE.value,
            phrases=listening.CONFIRM_PHRASES,
            lasting=True,
        ),
        "notify": EffectSpec(Policy.REPLAY, budget_s=10, attempts=2),
        "lookup": EffectSpec(Policy.READ, budget_s=12, attempts=1),
        "orders": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "understand": EffectSpec(Policy.READ, budget_s=6, attempts=1),
    }

    def __init__(self, settings: Json, *, names: tuple[str, ...] | None = None, model: bool | None = None) -> None:
        super().__init__(settings)
        self.options = Options.model_validate(dict(settings))
        self._names, self._model = names, model
        # Limits that the operator may set; the class holds what ships.
        self.idle_s, self.hard_s = self.options.idle_s, self.options.hard_s  # type: ignore[misc]
        self.effects = {name: self._limited(name, spec) for name, spec in type(self).effects.items()}  # type: ignore[misc]

    def _limited(self, name: str, spec: EffectSpec) -> EffectSpec:
        if name == "understand":
            return replace(spec, budget_s=language_model.budget_s())
        return replace(spec, attempts=self.options.read_attempts) if spec.policy is Policy.READ and spec.attempts > 1 else spec

    @property
    def names(self) -> tuple[str, ...]:
        """What the assistant is called; such a name may stand before a phrase."""
        if self._names is None:
            self._names = tuple(configuration.current().host.assistant.names)
        return self._names

    @property
    def model(self) -> bool:
        """Whether the operator has configured a language model."""
        return bool(language_model.models()) if self._model is None else self._model

    @property
    def doors(self) -> Doors:
        """This mode and its sister, and the words that open them."""
        return openings.configured(self.key, configuration.current())

    def step(self, standing: Standing, event: Event) -> Step:
        spoken = tongues.spoken_in(event)
        if spoken is None or spoken == standing.lang:
            return prompts.keyed(self._decide(standing, event), standing)
        return replace(prompts.keyed(self._decide(replace(standing, lang=spoken), event), standing), lang=spoken)

    def _decide(self, standing: Standing, event: Event) -> Step:
        turn = self._turn(standing, event.at)
        found = _happened(turn, event)
        if isinstance(found, Step):
            return found
        try:
            row = machine.move(standing.phase, found.on)
        except IllegalMoveError:
            if isinstance(event, Heard):
                return questions.missed(turn, event.text)
            return turn.stay(said=f"nothing to do: {found.on}")
        facts = {"prompt": getattr(event, "prompt", None), **found.facts}
        return moves.BUILDERS[row.then](replace(turn, facts=facts), row.to)

    def _turn(self, standing: Standing, at: datetime) -> Turn:
        return Turn(standing, at, self.options, self.names, model=self.model, doors=self.doors)

    # What follows touches the network or the database and is imported when it does, so that deciding needs neither.

    def perform(self, call: Call) -> Json:
        from swiggy_instamart import effects

        return effects.perform(call, options=self.options)

    def record(self, standing: Standing, step: Step, *, at: datetime, checkpoint: int | None) -> None:
        from swiggy_instamart import orders

        orders.record(standing, step.rows, at=at, checkpoint=checkpoint, options=self.options)

    def orphaned(self, standing: Standing, effect: str, payload: Json, *, until: datetime) -> None:
        from swiggy_instamart import accounts

        if effect in ("write", "clear", "checkout"):
            accounts.keep_quiet(standing.user, until=until)

    def waits(self, standing: Standing, effect: str, *, until: datetime, at: datetime) -> Reply | None:
        return speech.waiting(wording.of(standing.lang), (until - at).total_seconds()) if effect in ("write", "clear") else None

    def unfinished(self, standing: Standing, text: str) -> bool:
        return endings.breaks_off(self._turn(standing, standing.started_at), text)

    def continues(self, standing: Standing, text: str, more: str) -> bool:
        return endings.goes_on(self._turn(standing, standing.started_at), text, more)

    def kept_in(self, lang: str) -> str:
        return wording.of(lang)("kept")

    def left(self, standing: Standing, place: str) -> Reply:
        return places.left(wording.of(standing.lang), place)

    def witness(self, standing: Standing, call: Call, outcome: Outcome) -> None:
        from swiggy_instamart import orders

        orders.witness(call, outcome, options=self.options)

    def recover(self, *, at: datetime) -> Mapping[str, int]:
        from swiggy_instamart import recovery

        return recovery.begin(at=at, options=self.options)

    def closed(self, standing: Standing, reason: str, *, at: datetime) -> None:
        from swiggy_instamart import orders

        orders.close(standing, reason=reason, at=at)


def _happened(turn: Turn, event: Event) -> Happened | Step:
    match event:
        case Started():
            return Happened(On.OPENED, {"pending": event.text})
        case Heard():
            return listening.heard(turn, event)
        case Settled():
            return settling.settled(turn, event)
        case Signal():
            return outside.signalled(turn, event)
        case Silence():
            return outside.silent(turn, event)
        case Deadline():
            return outside.overdue(turn, event)
