"""What was asked last, and whether that is the open question: only then does a mere yes, no or number answer it. Pure.

Every spoken reply has a key, by which the host knows the latest of them: a question its own, a remark ``REMARK``. At a review
nothing but the read-back has one, so that this stays the prompt which a consent must have heard; whether a remark came after it
is noted in the state. Nothing but the read-back of the review that now stands offers the words that spend as an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interactions import text
from interactions.contracts import REMARK, Heard, Reply, Standing, Step
from swiggy_instamart import questions, replying, reviews, words
from swiggy_instamart.machine import Phase
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.repairs import Asked
from swiggy_instamart.turn import Turn

ANSWERS = frozenset({Said.YES, Said.NO, Said.SELECT, Said.ANY, Said.OTHER, Said.PUT_BACK})
NOT_LAST = "not what was asked last"
YES_OR_NO = frozenset({Said.YES, Said.NO})
COUNTS = frozenset({Said.QUANTITY, Said.MORE, Said.FEWER})
WHICH_OR_HOW_MANY = frozenset({Said.SELECT, Said.QUANTITY, Said.ANY})
# What each question does something about. Where any other is open, a yes, a no or a number does nothing.
TAKES: Mapping[Asked, frozenset[Said]] = {
    Asked.TAKE_OVER: YES_OR_NO,
    Asked.ADDRESS: YES_OR_NO,
    Asked.AS_BEFORE: YES_OR_NO,
    Asked.PUT_BACK: YES_OR_NO,
    Asked.PUT_HERE: YES_OR_NO,
    Asked.OPTION: YES_OR_NO | WHICH_OR_HOW_MANY,
    Asked.COUNT: YES_OR_NO | WHICH_OR_HOW_MANY,
    Asked.ONE_OR_TWO: frozenset({Said.NO, Said.SELECT}),
    Asked.OF_WHAT: frozenset({Said.NO}),
}


def keyed(step: Step, standing: Standing) -> Step:
    """The same decision, after which nothing that was said can be taken for an older question, or for a review it is not."""
    state = standing.state if step.state is None else step.state
    at_review = (step.phase or standing.phase) == Phase.REVIEW
    review = reviews.load(state["review"]).key if at_review and state.get("review") else None
    noted = _remarked(step, state, review) if at_review and not standing.working else None
    step = replace(step, say=tuple(_keyed(reply, review, at_review=at_review) for reply in step.say))
    return step if noted is None else replace(step, state={**state, "remarked": noted})


def _remarked(step: Step, state: Mapping[str, Any], review: str | None) -> bool | None:
    """Whether what was said last at a review is a remark, to which a no would be said; None where that is as it was noted.

    No key can tell: the read-back stays the prompt that a consent must have heard, whatever is said after it.
    """
    spoken = [reply for reply in step.say if reply.speak and reply.kind == "interaction.reply"]
    remark = bool(spoken) and spoken[-1].key not in (review, reviews.ASKED)
    return remark if spoken and remark != bool(state.get("remarked")) else None


def _keyed(reply: Reply, review: str | None, *, at_review: bool) -> Reply:
    if reply.key is not None and reply.key == review:
        return reply
    choices = tuple(choice for choice in reply.choices if not text.is_phrase(choice.say, words.CONFIRM_PHRASES, ()))
    key = None if at_review or reviews.is_key(reply.key) else reply.key
    if key is None and not at_review and reply.speak and reply.kind == "interaction.reply":
        key = REMARK
    return replace(reply, choices=choices, key=key)


def unasked(turn: Turn, event: Heard, reading: Reading) -> str:
    """Why ``reading`` answers nothing, in some words; empty where it does, or needs no question."""
    if reading.said is Said.NO and turn.other.get("asked"):
        return ""  # nothing is asked any more, and whoever changes their mind is not held to it
    only_answers = reading.said in ANSWERS or (reading.said in COUNTS and not reading.query and reading.line is None)
    if only_answers and not event.was_asked:
        return "not asked yet"
    if turn.phase is Phase.REVIEW and reading.said in YES_OR_NO and turn.state.get("remarked"):
        return "" if replying.denies_confirming(text.tokens(event.text)) else NOT_LAST
    if _needs_no_question(turn, reading):
        return ""
    open_question = questions.open_question(turn).key
    asked_last = event.prompt is not None and event.prompt.key == open_question
    return "" if asked_last and reading.said in TAKES.get(questions.asked(turn), ()) else NOT_LAST


def _needs_no_question(turn: Turn, reading: Reading) -> bool:
    """ "Option 2" and "put it back" name what they mean; so does anything where nothing is open that it could be taken for."""
    if reading.said in YES_OR_NO:
        return reading.said not in TAKES.get(questions.asked(turn), ())
    if reading.bare or reading.said is Said.ANY:
        return not (turn.offers or turn.state.get("count_for") or any(turn.asking.values()))
    return True
