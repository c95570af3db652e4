"""Says back what it hears. Small, but it uses every hook: a READ, a REPLAY, a ONCE with its phrase, a signal, each exit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactions.contracts import (
    Call,
    Choice,
    Deadline,
    Done,
    Effect,
    EffectSpec,
    Event,
    Heard,
    NotSentError,
    PhaseSpec,
    Policy,
    Reply,
    Settled,
    Signal,
    Silence,
    Standing,
    Started,
    Step,
    TurnedDownError,
)
from interactions.modes import Mode

EXITS = {
    "stop": "ends as cancelled",
    "help": "says what it can do",
    "silence": "asks once, then is quiet",
    "deadline": "closes",
}


class EchoMode(Mode):
    key = "echo"
    phrases = ("open echo", "start the echo")
    first_phase = "open"
    phases = {"open": PhaseSpec(**EXITS), "confirming": PhaseSpec(**EXITS)}
    effects = {
        "look_up": EffectSpec(Policy.READ, budget_s=6, attempts=2),
        "put_down": EffectSpec(Policy.REPLAY, budget_s=20, attempts=3),
        "shout": EffectSpec(Policy.ONCE, budget_s=10, phase="confirming", phrases=("shout it",)),
    }

    # ---- decide: pure -----------------------------------------------------------------------------------------------------

    def step(self, standing: Standing, event: Event) -> Step:
        match event:
            case Started(text=text):
                rest = f" You said: {text}" if text else ""
                return Step(state={"heard": [text] if text else []}, say=(Reply(self.settings["greeting"] + rest),))
            case Heard():
                return self._heard(standing, event)
            case Settled():
                return self._settled(standing, event)
            case Signal(name=name):
                return Step(say=(Reply(f"Something happened: {name}."),))
            case Silence(rung=rung):
                return Step(say=(Reply("Are you still there?"),) if rung == 1 else ())
            case Deadline(kind=kind):
                return Step(end=kind, say=(Reply("Echo is closed.", expects_reply=False),))

    def _heard(self, standing: Standing, event: Heard) -> Step:
        words = event.text.lower().strip(" .!?")
        state = {**standing.state, "heard": [*standing.state["heard"], event.text]}
        match words.split():
            case ["stop"] | ["cancel"]:
                return Step(end="cancelled", say=(Reply("Echo is closed.", expects_reply=False),))
            case ["help"]:
                return Step(say=(Reply("Say anything, or stop.", choices=(Choice("stop"),)),))
            case ["look", "up", *what]:
                return Step(state=state, effect=Effect("look_up", {"what": " ".join(what)}), cue="working")
            case ["put", "down", *what]:
                return Step(state=state, effect=Effect("put_down", {"what": " ".join(what)}))
            case ["review"]:
                return Step(phase="confirming", state=state, say=(Reply("To shout, say: shout it, now.", key="review"),))
            case _ if standing.phase == "confirming" and words.removeprefix("hermes ") == "shout it":
                return Step(state=state, effect=Effect("shout", {"what": state["heard"]}, consent=event.utterance))
            case _:
                return Step(phase="open", state=state, say=(Reply(f"You said: {event.text}"),))

    def _settled(self, standing: Standing, event: Settled) -> Step:
        match event.outcome:
            case Done(result=result):
                return Step(phase="open", say=(Reply(f"{event.effect}: {result['said']}"),))
            case other:
                return Step(phase="open", say=(Reply(f"{event.effect}: {type(other).__name__.lower()}"),))

    # ---- perform: the only place that touches the world ---------------------------------------------------------------------

    def perform(self, call: Call) -> Mapping[str, Any]:
        what = call.payload.get("what")
        if what == "nothing":
            raise NotSentError()
        if what == "trouble":
            raise TurnedDownError("no_trouble")
        return {"said": what, "attempt": call.attempt}
