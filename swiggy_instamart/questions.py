"""The question that is open in each phase, asked again on request, by silence, or after words that meant nothing here. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interactions import text
from interactions.contracts import Reply, Step
from interactions.sentences import Sentences
from swiggy_instamart import carts, groceries, news, places, reviews, speech, words
from swiggy_instamart.machine import Phase
from swiggy_instamart.turn import Turn


def open_question(turn: Turn) -> Reply:
    """The same question in the same words, so that a repeat is one."""
    match turn.phase:
        case Phase.STARTING if turn.other:
            return places.bringing(turn.say) if turn.other.get("asked") else places.elsewhere(turn.say, turn.other["place"])
        case Phase.ADDRESS:
            return speech.propose(turn.say, turn.state["address"]["label"])
        case Phase.ADDRESSES:
            return speech.which_address(turn.say, turn.labels)
        case Phase.OLD_CART:
            return speech.keep_or_clear(turn.say)
        case Phase.REVIEW if (review := turn.review) is not None:
            return read_back(turn.say, review, maybe=turn.state.get("maybe", ()), validity_s=turn.options.review_validity_s)
        case Phase.SHOPPING if turn.offers:
            return groceries.offer(turn.say, turn.offers[0])
        case Phase.SHOPPING if lost := turn.state.get("lost"):
            return groceries.lost(turn.say, carts.load(lost))
        case Phase.PAYMENT:
            return news.paying(turn.say, confirmed=False)
        case Phase.UNKNOWN:
            return news.still_unknown(turn.say)
        case Phase.STARTING | Phase.WRITING | Phase.CHECKOUT:
            return speech.busy(turn.say)
    return speech.items(turn.say)


def again(turn: Turn, said: str = "unclear") -> Step:
    """The open question once more; nothing changes."""
    return turn.stay(open_question(turn), said=said)


def missed(turn: Turn, spoken: str) -> Step:
    """Words that meant nothing while shopping: say so, once and then with help; what is open stays open.

    What is about something else gets one short look in for the whole session, and after that the plain question.
    """
    said, now = set(text.tokens(spoken)), turn.standing.turn
    aside = bool(said & words.OFF_TOPIC - words.SHOP_TALK)
    if not said or (aside and "aside" in turn.state):
        return again(turn)
    if aside:
        return turn.step(turn.phase, speech.still_ordering(turn.say), said="aside", aside=now)
    twice = turn.state.get("missed") == now - 1
    if turn.offers:
        reply = groceries.offer(turn.say, turn.offers[0], opening=groceries.not_an_option(turn.say, twice=twice))
    else:
        reply = speech.not_an_item(turn.say, twice=twice)
    return turn.step(turn.phase, reply, said="not understood", missed=now, lost=turn.state.get("lost"))


def just_asked_aside(turn: Turn) -> bool:
    return bool(turn.state.get("aside") == turn.standing.turn - 1)


def read_back(say: Sentences, review: reviews.Review, *, maybe: Sequence[dict[str, Any]], validity_s: int) -> Reply:
    total, label = review.total_paise, review.label
    rows, key, valid_s = review.lines, review.key, 2 * validity_s
    return speech.review(say, rows, total_paise=total, label=label, key=key, maybe=maybe, valid_s=valid_s)


def helping(turn: Turn) -> Reply:
    if turn.other:
        return open_question(turn)
    return speech.helping(turn.say, turn.phase.value, choosing=bool(turn.offers))
