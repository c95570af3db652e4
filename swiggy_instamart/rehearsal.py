"""Practice: the order mode itself, at the practice shop, saying so at its start, at each review and at its end.

The decisions are those of a real order. What a real one leaves behind (rows, a payment link, a watch) is taken out of each
step here, so a rehearsal is nothing to anybody once its session has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from interactions.contracts import (
    Abandoned,
    Call,
    Deadline,
    Done,
    Effect,
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
    Standing,
    Started,
    Step,
)
from interactions.sentences import Sentences
from swiggy_instamart import machine, openings, places, reviews, rows, wording, words
from swiggy_instamart.machine import Phase
from swiggy_instamart.mode import SwiggyOrderMode

LEAVES = "ends the practice; nothing was ordered"
OVER = "rehearsed"


def _effects() -> dict[str, EffectSpec]:
    """Those of an order. Nothing of it lasts, nobody is notified, and the payment is waited for inside the session."""
    spent = replace(SwiggyOrderMode.effects["checkout"], lasting=False)
    kept = {name: spec for name, spec in SwiggyOrderMode.effects.items() if name != "notify"}
    return {**kept, "checkout": spent, "payment": EffectSpec(Policy.READ, budget_s=30, attempts=1)}


def _phases() -> dict[str, PhaseSpec]:
    ways = SwiggyOrderMode.phases.items()
    return {name: replace(way, stop=LEAVES, deadline=LEAVES, spending=False) for name, way in ways}


class SwiggyRehearsalMode(SwiggyOrderMode):
    """Orders groceries that nobody sells, from a shop that nobody pays."""

    key: ClassVar[str] = "swiggy_rehearsal"
    phrases: ClassVar[tuple[str, ...]] = words.BEGIN_PRACTICE
    kept: ClassVar[str] = wording.ENGLISH("rehearsal.over")
    phases: ClassVar[Mapping[str, PhaseSpec]] = _phases()
    effects: ClassVar[Mapping[str, EffectSpec]] = _effects()

    def _decide(self, standing: Standing, event: Event) -> Step:
        if (place := _overheard_at(event)) is not None:
            return overheard(standing, event, place)
        if isinstance(event, Signal) and event.name != "end":
            return Step(said=f"practice knows no {event.name}")
        if isinstance(event, Settled) and event.effect == "payment":
            if isinstance(event.outcome, Abandoned):  # what stopped it is heard next
                return Step(said="abandoned")
            if not _was_paid(event):
                return practised(Step(Phase.FINISHED.value, end=OVER), standing, event)
            paid = {"utterance": standing.state["intent"], "result": "paid", "total_paise": _paid(event)}
            return practised(super()._decide(standing, Signal(event.at, "payment", paid)), standing, event)
        return practised(super()._decide(standing, event), standing, event)

    # Nothing of a rehearsal is a row of an order, so nothing of it can count against one.

    def perform(self, call: Call) -> Json:
        from swiggy_instamart import rehearsing

        return rehearsing.perform(call, options=self.options)

    def record(self, standing: Standing, step: Step, *, at: datetime, checkpoint: int | None) -> None:
        return None

    def orphaned(self, standing: Standing, effect: str, payload: Json, *, until: datetime) -> None:
        return None

    def witness(self, standing: Standing, call: Call, outcome: Outcome) -> None:
        return None

    def recover(self, *, at: datetime) -> Mapping[str, int]:
        return {}

    def closed(self, standing: Standing, reason: str, *, at: datetime) -> None:
        return None

    def kept_in(self, lang: str) -> str:
        return wording.of(lang)("rehearsal.over")


# ---- from a step of an order to one of practice -------------------------------------------------------------------------


def practised(step: Step, standing: Standing, event: Event) -> Step:
    """The same decision without what a real order leaves behind, and with what must be said of it. Pure."""
    say = wording.of(step.lang or standing.lang)
    if step.phase == Phase.UNKNOWN:  # the practice shop fell silent: there is nothing to look up
        step = replace(
            step, phase=Phase.FINISHED.value, effect=None, say=(wording.tell(say, say("rehearsal.unanswered")),), end=OVER
        )
    step = _without_link(step, say)
    end = OVER if step.end in ("paid", "placed") else step.end
    return replace(step, say=_announced(step, standing, event, say), end=end, rows=(), freeze_s=None)


def _without_link(step: Step, say: Sentences) -> Step:
    """Where the payment link would go out, the practice shop is left to pay itself."""
    if step.effect is None or step.effect.name != "notify":
        return step
    awaits = next((row for row in step.rows if isinstance(row, rows.Awaits)), None)
    if awaits is None:
        return replace(step, effect=None, say=(wording.tell(say, say("rehearsal.no_link")),))
    payload = {"order_id": awaits.order_id, "paas_id": awaits.paas_id}
    pretends = wording.tell(say, say("rehearsal.pays", total=wording.rupees(say, awaits.total_paise)))
    return replace(step, effect=Effect("payment", payload), say=(pretends,))


def _announced(step: Step, standing: Standing, event: Event, say: Sentences) -> tuple[Reply, ...]:
    given_up = step.end is not None and isinstance(event, Heard | Deadline | Signal)
    spoken = () if given_up else tuple(reply for reply in step.say if reply.kind != "interaction.payment")
    late = {step.phase or standing.phase, standing.phase} & {*machine.AFTER, Phase.FINISHED}
    marked = bool(late) or step.end is not None or (isinstance(event, Settled) and event.effect == "orders")
    said = tuple(_marked(reply, say) if marked or reviews.is_key(reply.key) else reply for reply in spoken)
    first = (wording.tell(say, say("rehearsal.begins")),) if isinstance(event, Started) else ()
    last = (wording.tell(say, say("rehearsal.over")),) if step.end is not None else ()
    return tuple(replace(reply, data={**reply.data, "practice": True}) for reply in (*first, *said, *last))


def _marked(reply: Reply, say: Sentences) -> Reply:
    """The same reply, called practice in its first word."""
    speech = None if reply.speech is None else say("rehearsal.of", text=reply.speech)
    return replace(reply, text=say("rehearsal.of", text=reply.text), speech=speech)


# ---- beside a real order that is being reviewed -------------------------------------------------------------------------


def overheard(standing: Standing, event: Event, place: str) -> Step:
    """No practice while the same words would spend elsewhere: it does not begin, or ends at once. Pure."""
    say = wording.of(standing.lang)
    opening = isinstance(event, Settled) and event.effect == "addresses"
    why = say("rehearsal.shut" if opening else "rehearsal.cut", at=places.at(say, place))
    return Step(Phase.FINISHED.value, say=(wording.tell(say, why, practice=True),), end=openings.OVERHEARD)


def _overheard_at(event: Event) -> str | None:
    """Where the person's real order waits to be confirmed; empty where that is not told, None where none does."""
    if isinstance(event, Signal):
        return "" if event.name == "end" and event.data.get("reason") == openings.OVERHEARD else None
    if not isinstance(event, Settled) or not isinstance(event.outcome, Done):
        return None
    place: str | None = event.outcome.result.get(openings.OVERHEARD)
    return place


# ---- the payment --------------------------------------------------------------------------------------------------------


def _was_paid(event: Settled) -> bool:
    return isinstance(event.outcome, Done) and bool(event.outcome.result["paid"])


def _paid(event: Settled) -> int | None:
    assert isinstance(event.outcome, Done)
    total: int | None = event.outcome.result["total_paise"]
    return total
