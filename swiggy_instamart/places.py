"""Every sentence about which device an order is at, in English. Pure: names in, a Reply out.

The name of a device is its owner's words: cleaned and cut short. Nothing here offers to confirm anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interactions.contracts import Reply
from swiggy_instamart.carts import Line
from swiggy_instamart.wording import ask, clean, some, tell

LONGEST_NAME = 40

SHUT: Mapping[str, str] = {
    "": "A Swiggy order is already open {at}. Go on there, or say cancel order there first.",
    "placing": "Your order {at} is being placed right now. Wait for its end, then say order Swiggy here again.",
    "paying": "An earlier order {at} is still being paid for or looked up. Order again once that has ended.",
}
NOT_TAKEN: Mapping[str, str] = {
    "handover_gone": "That order has ended meanwhile. Say order Swiggy to begin one here.",
    "handover_busy": "That order is being placed right now, so it stays there. Wait for its end, then say order Swiggy again.",
    "handover_lost": "Another device took that order over first. Say order Swiggy to hear where it is.",
    "handover_failed": "I could not bring the order here, so it stays where it is. Say order Swiggy to try again.",
}


def _at(place: str) -> str:
    return f"at {clean(place, most=LONGEST_NAME)}" if place else "at another device"


def shut(place: str, *, waits: str) -> Reply:
    """Why nothing can be opened or taken over here now."""
    return tell(SHUT[waits].format(at=_at(place)))


def elsewhere(place: str) -> Reply:
    return ask(f"A Swiggy order is already open {_at(place)}. Say take it over to go on with it here.", "take it over", "no")


def bringing() -> Reply:
    return tell("I bring the order here as soon as its last step is done.")


def stays(place: str) -> Reply:
    return tell(f"All right, the order {_at(place)} stays there.")


def not_taken(code: str) -> Reply:
    return tell(NOT_TAKEN.get(code, NOT_TAKEN["handover_failed"]))


def left(place: str) -> Reply:
    return tell(f"Your order goes on {_at(place)} now.")


def already_here() -> Reply:
    return tell("The order is at this device already.")


def here(lines: Sequence[Line], *, reviewed: bool) -> Reply:
    """Where the order stands as it arrives. ``reviewed``: it was read out at the device before, which is void here."""
    holds = f" In the cart: {some(lines)}." if lines else ""
    return tell(f"Your order goes on here.{holds}{' The review is over, so nothing was placed.' if reviewed else ''}")


def hear_it_again() -> Reply:
    return ask("Say complete order to hear it here, or tell me what to change.", "complete order", "show cart")
