"""What is done where an order is open at another device, and when it comes to this one. Pure.

The session that asks has no order and makes no call; the host moves the other session and ends this one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from interactions.contracts import Step
from swiggy_instamart import news, places, questions, rows
from swiggy_instamart.machine import Phase, Then
from swiggy_instamart.turn import Turn


def say_elsewhere(turn: Turn, to: Phase) -> Step:
    """Say where the order is and offer to bring it here; nothing is opened."""
    other = {"session": turn.facts["session"], "place": turn.facts["place"]}
    return turn.step(to, places.elsewhere(turn.say, other["place"]), said="elsewhere", other=other)


def take_over(turn: Turn, to: Phase) -> Step:
    step = turn.step(to, places.bringing(turn.say), said="take over", other={**turn.other, "asked": True})
    return replace(step, take_over=turn.other["session"])


def say_here(turn: Turn, to: Phase) -> Step:
    """Where the order stands, and its open question in full. A review from another device is void; a payment link is shown."""
    reviewed = turn.phase is Phase.REVIEW
    payment = turn.state.get("payment") if to is Phase.PAYMENT else None
    link = (news.link_event(turn.say, payment["link"], total_paise=payment["total_paise"]),) if payment else ()
    question = places.hear_it_again(turn.say) if reviewed else questions.open_question(turn)
    lines = turn.lines if to in (Phase.SHOPPING, Phase.OLD_CART, Phase.WRITING) else ()
    here = places.here(turn.say, lines, reviewed=reviewed)
    return turn.step(to, here, question, *link, rows=(rows.Moved(),), said="moved", **turn.asking)  # which was asked just now


BUILDERS: Mapping[Then, Callable[[Turn, Phase], Step]] = {
    Then.SAY_ELSEWHERE: say_elsewhere,
    Then.TAKE_OVER: take_over,
    Then.SAY_HERE: say_here,
}
