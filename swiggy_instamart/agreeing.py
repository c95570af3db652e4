"""A yes, a no or a skip while shopping: what it does is a matter of the open question, and of nothing under it. Pure."""

from __future__ import annotations

from interactions.contracts import Heard, Step
from swiggy_instamart import questions, shoptalk, speech
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.repairs import Asked
from swiggy_instamart.turn import Happened, Turn

PLAIN = frozenset({Said.YES, Said.NO, Said.SKIP})
# What a no leaves alone, by the question that it answers, and why that is done.
LEFT = {
    Asked.AS_BEFORE: ("proposed", "not put in"),
    Asked.PUT_BACK: ("lost", "not put in"),
    Asked.PUT_HERE: ("lost", "not put in"),
    Asked.ONE_OR_TWO: ("unsettled", "left alone"),
    Asked.OF_WHAT: ("broken_off", "left alone"),
    Asked.COUNT: ("count_for", "not counted"),
}


def answered(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    asked = questions.asked(turn)
    if done := _agreed(turn, asked) if reading.said is Said.YES else _left(turn, asked):
        return done
    if asked is Asked.COUNT and not turn.offers:  # "okay" to "say a number if you want more of it"
        return _leave(turn, "count_for", "not counted")
    first = speech.items(turn.say, opening=turn.say("all_right")) if asked is Asked.ITEM else None
    return questions.missed(turn, event.text, first=first, known=True)


def _agreed(turn: Turn, asked: Asked) -> Happened | Step | None:
    if asked is Asked.AS_BEFORE:
        return Happened(On.REBUILD, {"lines": turn.state["proposed"], "again": True})
    if asked in (Asked.PUT_BACK, Asked.PUT_HERE):
        return Happened(On.REBUILD, {"lines": turn.state["lost"]})
    if asked is Asked.OPTION and len(turn.offers[0]["variants"]) == 1:
        return shoptalk.pick(turn, Reading(Said.SELECT, number=1))
    return None


def _left(turn: Turn, asked: Asked) -> Happened | Step | None:
    if turn.offers and asked in (Asked.OPTION, Asked.COUNT):
        return Happened(On.SKIPPED)
    return _leave(turn, *LEFT[asked]) if asked in LEFT else None


def _leave(turn: Turn, name: str, said: str) -> Step:
    """The question is over, and what was open before it is asked."""
    left = {**turn.asking, name: None}
    return turn.step(
        Phase.SHOPPING, questions.with_remark(turn.after(Phase.SHOPPING, **left), turn.say("all_right")), said=said, **left
    )
