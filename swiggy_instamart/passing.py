"""What is said in passing: thanks, that it is dear, whether it is paid, whether anybody is there, how much it is. Pure.

Each is told by its own words and small ones around them, and is answered honestly and shortly. Nothing is changed by it, but
that the cart is read for its total; the open question stays open, and a yes to such an answer is none to that question.
"""

from __future__ import annotations

from enum import StrEnum

from interactions import text
from interactions.contracts import Step
from swiggy_instamart import machine, questions, wording, words
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Happened, Turn
from swiggy_instamart.words import Tokens

LONGEST = 9  # words


class Passing(StrEnum):
    """The values name the sentences."""

    THANKS = "thanks"
    DEAR = "dear"
    PAID = "paid"
    THERE = "there"
    TOTAL = "total"


def read(said: Tokens) -> Passing | None:
    """``said`` is without names. Every word of it must belong."""
    known = frozenset(said)
    if not 0 < len(said) <= LONGEST:
        return None
    if {said, text.strip_courtesy(said)} & words.ANYBODY_THERE:
        return Passing.THERE
    for passing, own, around in (
        (Passing.THANKS, words.THANKING, words.AROUND_THANKS),
        (Passing.DEAR, words.DEAR, words.AROUND_DEAR),
    ):
        if known & own and known <= own | around:
            return passing
    asks = bool(known & words.ASKING) or said[0] in words.QUESTION
    if asks and known & words.PAYING and known <= words.PAYING | words.AROUND_PAYING | words.ASKING | words.QUESTION:
        return Passing.PAID
    summed = known & words.HOW_MUCH and known & words.SUMMED
    return Passing.TOTAL if summed and known <= words.HOW_MUCH | words.SUMMED | words.AROUND_SUMMED else None


def answered(turn: Turn, spoken: str) -> Happened | Step | None:
    """Where nothing is under way; what is waited for answers by itself."""
    passing = read(text.strip_name(text.tokens(spoken), turn.names)) if turn.phase in machine.ASKABLE else None
    if passing is None or turn.standing.working:
        return None
    if passing is Passing.TOTAL:
        return Happened(On.CART_ASKED) if turn.phase in machine.TALK else None
    if turn.phase not in machine.BEFORE:
        said = "" if passing is Passing.PAID else turn.say(f"passing.{passing}")
        return turn.stay(questions.with_remark(turn, said), said="in passing")
    said = wording.together(turn.say(f"passing.{passing}"), _not_placed(turn, passing))
    if turn.phase is Phase.REVIEW or turn.offers:  # which are long, and stay open without being read again
        return turn.stay(wording.ask(turn.say, said, *questions.short(turn).choices), said="in passing")
    return turn.stay(questions.with_remark(turn, said), said="in passing")


def _not_placed(turn: Turn, passing: Passing) -> str:
    """Who thanks at a review may believe that it is ordered."""
    at_review = turn.phase is Phase.REVIEW and passing is Passing.THANKS
    return turn.say("passing.not_placed") if at_review else ""
