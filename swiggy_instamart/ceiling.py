"""That a cart has come to the limit, at which it will not be ordered: told with the cart when it comes to that. Pure.

It is told once, and again only after the cart was below. A total that could not be read changes nothing of this; the review
refuses such a cart as before, whatever was told here.
"""

from __future__ import annotations

from interactions.contracts import Json
from swiggy_instamart.turn import Turn
from swiggy_instamart.wording import rupees


def reached(turn: Turn, cart: Json) -> bool:
    total, limit = cart["total_paise"], turn.options.limit_paise
    return bool(total is not None and limit is not None and total >= limit)


def remark(turn: Turn, cart: Json) -> str:
    """A sentence to stand with what is said of the cart; mostly empty."""
    if not reached(turn, cart) or turn.state.get("over_limit"):
        return ""
    total, limit = rupees(turn.say, cart["total_paise"]), rupees(turn.say, turn.options.limit_paise)
    return turn.say("over_limit", total=total, limit=limit)


def noted(turn: Turn, cart: Json) -> bool:
    """What the state says of it from here on, as ``over_limit``."""
    unread = bool(cart["lines"]) and cart["total_paise"] is None
    return bool(turn.state.get("over_limit")) if unread else reached(turn, cart)
