"""A yes, a no or a skip while shopping: what it does is a matter of the open question, and of nothing under it. Pure.

"Add it" and "le lo" are a yes where it is asked whether to take something.
"""

from __future__ import annotations

from interactions import text
from interactions.contracts import Heard, Step
from swiggy_instamart import questions, shoptalk, speech, verbs, wishes, words
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.repairs import Asked
from swiggy_instamart.turn import Happened, Turn
from swiggy_instamart.words import Tokens

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
IT = words.THE_LAST | words.OF_THEM
TAKEN = (Asked.OPTION, Asked.AS_BEFORE, Asked.PUT_BACK, Asked.PUT_HERE)


def taken(turn: Turn, spoken: str, reading: Reading) -> Reading:
    """ "Yes, add it", "le lo": a yes, where something was offered. At a single option so is "daal do", else it may be dal."""
    alone = bool(turn.offers) and len(turn.offers[0]["variants"]) == 1
    if turn.phase is not Phase.SHOPPING or not (reading.said is Said.NOTHING or (alone and reading.said is Said.WANTED)):
        return reading
    said = text.strip_farewell(text.strip_courtesy(text.strip_name(text.tokens(spoken), turn.names)))
    return Reading(Said.YES) if questions.asked(turn) in TAKEN and _takes(said) else reading


def _takes(said: Tokens) -> bool:
    while agreed := wishes.starting(said, 0, words.YES, words.NEUTRAL):
        said = said[len(agreed) :]
    verb = wishes.starting(said, 0, words.ADD, words.TAKE, words.PUT)
    if verb and tuple(word for word in said[len(verb) :] if word != "in") in IT:
        return True
    return any(not rest or rest in IT for rest in verbs.closing(said, words.ADD_VERBS))


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
