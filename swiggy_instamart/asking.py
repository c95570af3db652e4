"""What is done where somebody asks about an order that was placed before: one read, and an answer. Pure.

It moves nothing: phase, cart, offers and review are as they were, and the open question is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from interactions.contracts import Effect, Reply, Step
from swiggy_instamart import afterwards, machine, questions, reviews, speech
from swiggy_instamart.machine import Phase, Then
from swiggy_instamart.turn import Turn


def read_orders(turn: Turn, to: Phase) -> Step:
    return replace(turn.stay(said="orders asked"), effect=Effect("orders", {"ask": turn.facts["ask"]}))


def say_orders(turn: Turn, to: Phase) -> Step:
    asked, unread = turn.facts["ask"], turn.facts.get("unread")
    if unread is not None:
        answer = afterwards.unread(turn.say, unread)
    else:
        answer = afterwards.orders(turn.say, turn.facts["result"], asked=asked)
    return turn.stay(answer, *_open(turn), said="orders" if unread is None else f"orders: {unread}")


def _open(turn: Turn) -> tuple[Reply, ...]:
    """What stands: the review with its worth, the payment that is awaited, the question that was asked."""
    if turn.phase is Phase.REVIEW and (review := turn.review) is not None:
        validity_s = turn.options.review_validity_s
        over = reviews.expired(review, prompt=turn.facts.get("prompt"), at=turn.at, validity_s=validity_s)
        return (speech.void(turn.say, "expired") if over else afterwards.review_stands(turn.say, review.total_paise),)
    if turn.phase in machine.BEFORE and turn.phase is not Phase.OLD_CART and turn.lines:
        return (afterwards.not_ordered_yet(turn.say), questions.open_question(turn))
    return (questions.open_question(turn),)


BUILDERS: Mapping[Then, Callable[[Turn, Phase], Step]] = {
    Then.READ_ORDERS: read_orders,
    Then.SAY_ORDERS: say_orders,
}
