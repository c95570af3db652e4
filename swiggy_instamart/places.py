"""What is said about which device an order is at. Pure: names in, a Reply out.

The name of a device is its owner's words: cleaned and cut short. Nothing here offers to confirm anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from interactions.contracts import Reply
from interactions.sentences import Sentences
from swiggy_instamart.carts import Line
from swiggy_instamart.wording import ask, plain, some, tell

LONGEST_NAME = 40


def at(say: Sentences, place: str) -> str:
    """Where an order is, as part of a sentence; not said where the place has no name."""
    return say("at", place=plain(say, place, most=LONGEST_NAME)) if place else say("at.somewhere")


def shut(say: Sentences, place: str, *, waits: str, minutes: int | None = None) -> Reply:
    """Why nothing can be opened or taken over here now; and in how many minutes it can at the latest, where that is known."""
    until = say.many("blocked_for", minutes) if minutes else ""
    return tell(say, say.either("elsewhere", waits, "open", at=at(say, place), until=until))


def elsewhere(say: Sentences, place: str) -> Reply:
    return ask(say, say("elsewhere", at=at(say, place)), "take_over", "no", key="take_over")


def bringing(say: Sentences) -> Reply:
    return tell(say, say("bringing"))


def stays(say: Sentences, place: str) -> Reply:
    return tell(say, say("stays", at=at(say, place)))


def not_taken(say: Sentences, code: str) -> Reply:
    return tell(say, say.either("not_taken", code, "handover_failed"))


def left(say: Sentences, place: str) -> Reply:
    return tell(say, say("left_for", at=at(say, place)))


def already_here(say: Sentences) -> Reply:
    return tell(say, say("already_here"))


def here(say: Sentences, lines: Sequence[Line], *, reviewed: bool) -> Reply:
    """Where the order stands as it arrives. ``reviewed``: it was read out at the device before, which is void here."""
    holds = say("here.holds", lines=some(say, lines)) if lines else ""
    return tell(say, say("here", holds=holds, review=say("here.review") if reviewed else ""))


def hear_it_again(say: Sentences) -> Reply:
    return ask(say, say("hear_it_again"), "complete_order", "show_cart")
