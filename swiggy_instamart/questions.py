"""The question that is open in each phase, asked again on request, by silence, or after words that meant nothing here. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interactions.contracts import Reply, Step
from swiggy_instamart import groceries, news, reviews, speech
from swiggy_instamart.machine import Phase
from swiggy_instamart.turn import Turn


def open_question(turn: Turn) -> Reply:
    """The same question in the same words, so that a repeat is one."""
    match turn.phase:
        case Phase.ADDRESS:
            return speech.propose(turn.state["address"]["label"])
        case Phase.ADDRESSES:
            return speech.which_address(turn.labels)
        case Phase.OLD_CART:
            return speech.keep_or_clear()
        case Phase.REVIEW if (review := turn.review) is not None:
            return read_back(review, maybe=turn.state.get("maybe", ()), validity_s=turn.options.review_validity_s)
        case Phase.SHOPPING if turn.offers:
            return groceries.offer(turn.offers[0])
        case Phase.PAYMENT:
            return news.paying(confirmed=False)
        case Phase.UNKNOWN:
            return news.still_unknown()
        case Phase.STARTING | Phase.WRITING | Phase.CHECKOUT:
            return speech.busy()
    return speech.items()


def again(turn: Turn, said: str = "unclear") -> Step:
    """The open question once more; nothing changes."""
    return turn.stay(open_question(turn), said=said)


def read_back(review: reviews.Review, *, maybe: Sequence[dict[str, Any]], validity_s: int) -> Reply:
    total, label = review.total_paise, review.label
    return speech.review(review.lines, total_paise=total, label=label, key=review.key, maybe=maybe, valid_s=2 * validity_s)


def helping(turn: Turn) -> Reply:
    return speech.helping(turn.phase.value, choosing=bool(turn.offers))
