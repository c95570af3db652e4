"""What was asked last, and whether that is the open question: only then does a mere yes, no or number answer it. Pure.

Every spoken reply has a key, by which the host knows the latest of them: a question its own, a remark ``REMARK``. At a review
nothing but the read-back has one, so that this stays the prompt which a consent must have heard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from interactions.contracts import Heard, Reply, Standing, Step
from swiggy_instamart import questions
from swiggy_instamart.machine import Phase
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.repairs import Asked
from swiggy_instamart.turn import Turn

REMARK = "remark"

ANSWERS = frozenset({Said.YES, Said.NO, Said.SELECT, Said.ANY, Said.OTHER, Said.PUT_BACK})
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
    Asked.COUNT: WHICH_OR_HOW_MANY,
}


def keyed(step: Step, standing: Standing) -> Step:
    """The same decision, after which nothing that was said can be taken for an older question."""
    if (step.phase or standing.phase) == Phase.REVIEW:
        return step
    return replace(step, say=tuple(replace(reply, key=REMARK) if _is_remark(reply) else reply for reply in step.say))


def _is_remark(reply: Reply) -> bool:
    return reply.key is None and reply.speak and reply.kind == "interaction.reply"


def unasked(turn: Turn, event: Heard, reading: Reading) -> str:
    """Why ``reading`` answers nothing, in some words; empty where it does, or needs no question."""
    only_answers = reading.said in ANSWERS or (reading.said in COUNTS and not reading.query and reading.line is None)
    if only_answers and not event.was_asked:
        return "not asked yet"
    if _needs_no_question(turn, reading):
        return ""
    open_question = questions.open_question(turn).key
    asked_last = event.prompt is not None and event.prompt.key == open_question
    return "" if asked_last and reading.said in TAKES.get(questions.asked(turn), ()) else "not what was asked last"


def _needs_no_question(turn: Turn, reading: Reading) -> bool:
    """ "Option 2" and "put it back" name what they mean; so does anything where nothing is open that it could be taken for."""
    if reading.said in YES_OR_NO:
        return reading.said not in TAKES.get(questions.asked(turn), ())
    if reading.bare or reading.said is Said.ANY:
        return not (turn.offers or turn.state.get("count_for"))
    return True
