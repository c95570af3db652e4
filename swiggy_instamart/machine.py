"""The ordering machine: phases, what can happen in them, and what is then done. One table, and what is not in it is illegal.

Everything that affects the order of things lives in this file. It knows no words, no Django and no Swiggy; an illegal move
raises and changes nothing. ``diagram`` prints ``docs/ordering.md`` from the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """Where an order stands. The values are on the wire and in the database."""

    STARTING = "starting"
    ADDRESS = "confirm_address"
    ADDRESSES = "select_address"
    OLD_CART = "existing_cart_decision"
    SHOPPING = "shopping"
    WRITING = "cart_update_in_progress"
    REVIEW = "awaiting_confirmation"
    CHECKOUT = "checkout_in_progress"
    PAYMENT = "awaiting_payment"
    UNKNOWN = "checkout_outcome_unknown"
    FINISHED = "finished"


class On(StrEnum):
    """What happened."""

    OPENED = "opened"  # the phrase was said, or said again after trouble
    SHUT = "shut"  # not linked, not set up, signed out, no address, an order that cannot be taken over
    ELSEWHERE = "order open elsewhere"
    TAKE_OVER = "take it over"
    NAMED = "address named"
    UNNAMED = "no address to propose"
    CHANGE = "change address"
    YES = "yes"
    NO = "no"
    CART_EMPTY = "cart empty"
    CART_FULL = "cart not empty"
    KEEP = "keep cart"
    CLEAR = "clear cart"
    CLEARED = "cleared"
    WANTED = "wanted"
    FOUND = "found"
    SKIPPED = "skipped"
    SAME_ASKED = "same as before"
    RECALLED = "orders recalled"
    EDITED = "edited"
    REBUILD = "put together again"
    LOST = "cart lost"
    COUPON = "coupon asked for"
    LEFT_OPEN = "left open"  # by every rule of understanding
    CART_ASKED = "cart asked"
    CART_SEEN = "cart seen"
    WRITTEN = "written"
    UNFIT = "unfit"  # what was asked cannot be done to this cart, and nothing was
    HURT = "hurt"  # a call failed, and nothing was placed
    REVIEW_ASKED = "complete order"
    REVIEWED = "reviewed"
    CONFIRMED = "confirm order"
    UNHEARD = "review not heard"
    EXPIRED = "review expired"
    MOVED = "session moved"
    SAME = "cart unchanged"
    DRIFTED = "cart changed"
    UNPAID = "payment pending"
    UNSURE = "payment unknown"
    PLACED = "placed"
    TURNED_DOWN = "turned down"
    NOT_SENT = "not sent"
    NOT_PAID = "not paid"
    NO_ANSWER = "no answer"
    SEEN = "order seen"
    ABSENT = "order not seen"
    GAVE_UP = "gave up"
    ORDERS_ASKED = "orders asked"
    ORDERS_SEEN = "orders seen"
    LINK_ASKED = "link asked"
    LINK_SENT = "link sent"
    STOP = "stop"
    IDLE = "deadline"


class Then(StrEnum):
    """What is done about it: a sentence, an effect, or both."""

    LIST_ADDRESSES = "list addresses"
    ASK_ADDRESS = "ask address"
    ASK_LABEL = "ask label"
    ASK_OLD_CART = "ask keep or clear"
    ASK_ITEMS = "ask items"
    CLEAR_CART = "clear cart"
    SEARCH = "search"
    OFFER = "offer"
    RECALL = "recall what was ordered"
    PROPOSE = "propose what was ordered"
    READ_CART = "read cart"
    WRITE_CART = "write cart"
    REBUILD = "look the basket up again"
    SAY_LOST = "say what the cart lost"
    LIST_TOOLS = "list tools"
    UNDERSTAND = "ask a language model"
    SAY_WRITTEN = "say what was written"
    SAY_CART = "say cart"
    READ_BACK = "read for review"
    SAY_REVIEW = "say review"
    SAY_HOW = "say how to confirm"
    SAY_UNHEARD = "say not heard yet"
    SAY_VOID = "say review is over"
    RECHECK = "read once more"
    CHECK_OUT = "check out"
    READ_ORDERS = "read orders"
    SAY_ORDERS = "say orders"
    SEND_LINK = "send link"
    SAY_LINK = "say link"
    LOOK_ONCE = "look at orders once"
    LOOK_UP = "look order up"
    SAY_UNFIT = "say why not"
    SAY_TROUBLE = "say trouble"
    SAY_NOT_PLACED = "say not placed"
    SAY_STILL_UNKNOWN = "say still unknown"
    SAY_UNKNOWN = "say may exist"
    SAY_SEEN = "say order seen"
    SAY_PLACED = "say placed"
    SAY_UNPAID = "say not paid"
    SAY_UNSURE = "say payment unknown"
    SAY_SHUT = "say why shut"
    SAY_ELSEWHERE = "say where the order is"
    TAKE_OVER = "take the order over"
    SAY_HERE = "say that it goes on here"
    SAY_CLOSED = "say closed"
    SAY_LEFT = "say what stands"


@dataclass(frozen=True, slots=True)
class Move:
    to: Phase
    then: Then


class IllegalMoveError(Exception):
    """The table has no such row. Nothing changed; say what can be said instead."""


P, E, T = Phase, On, Then
BEFORE = (P.STARTING, P.ADDRESS, P.ADDRESSES, P.OLD_CART, P.SHOPPING, P.WRITING, P.REVIEW)  # nothing can have been placed
AFTER = (P.CHECKOUT, P.PAYMENT, P.UNKNOWN)  # something may have been
ASKABLE = (P.STARTING, P.ADDRESS, P.ADDRESSES, P.OLD_CART, P.SHOPPING, P.REVIEW, P.PAYMENT, P.UNKNOWN)  # nothing is under way
TALK = (P.SHOPPING, P.REVIEW)  # whatever leaves the review voids it

TABLE: dict[tuple[Phase, On], Move] = {
    # from         on                   to            then
    (P.STARTING,  E.OPENED):       Move(P.STARTING,  T.LIST_ADDRESSES),
    (P.STARTING,  E.SHUT):         Move(P.FINISHED,  T.SAY_SHUT),
    (P.STARTING,  E.ELSEWHERE):    Move(P.STARTING,  T.SAY_ELSEWHERE),
    (P.STARTING,  E.TAKE_OVER):    Move(P.STARTING,  T.TAKE_OVER),
    (P.STARTING,  E.NAMED):        Move(P.ADDRESS,   T.ASK_ADDRESS),
    (P.STARTING,  E.UNNAMED):      Move(P.ADDRESSES, T.ASK_LABEL),
    (P.ADDRESS,   E.NAMED):        Move(P.ADDRESS,   T.ASK_ADDRESS),
    (P.ADDRESS,   E.NO):           Move(P.ADDRESSES, T.ASK_LABEL),
    (P.ADDRESS,   E.YES):          Move(P.ADDRESS,   T.READ_CART),  # no cart call before this row
    (P.ADDRESS,   E.CART_EMPTY):   Move(P.SHOPPING,  T.ASK_ITEMS),
    (P.ADDRESS,   E.REBUILD):      Move(P.SHOPPING,  T.REBUILD),
    (P.ADDRESS,   E.CART_FULL):    Move(P.OLD_CART,  T.ASK_OLD_CART),
    (P.ADDRESSES, E.NAMED):        Move(P.ADDRESS,   T.ASK_ADDRESS),
    (P.OLD_CART,  E.KEEP):         Move(P.SHOPPING,  T.ASK_ITEMS),
    (P.OLD_CART,  E.CLEAR):        Move(P.OLD_CART,  T.CLEAR_CART),
    (P.OLD_CART,  E.CLEARED):      Move(P.SHOPPING,  T.ASK_ITEMS),
    (P.SHOPPING,  E.FOUND):        Move(P.SHOPPING,  T.OFFER),
    (P.SHOPPING,  E.SKIPPED):      Move(P.SHOPPING,  T.OFFER),
    (P.SHOPPING,  E.RECALLED):     Move(P.SHOPPING,  T.PROPOSE),  # and puts nothing in
    (P.SHOPPING,  E.REBUILD):      Move(P.SHOPPING,  T.REBUILD),
    (P.SHOPPING,  E.CART_ASKED):   Move(P.SHOPPING,  T.READ_CART),
    (P.SHOPPING,  E.CART_SEEN):    Move(P.SHOPPING,  T.SAY_CART),
    (P.WRITING,   E.CART_SEEN):    Move(P.WRITING,   T.WRITE_CART),
    (P.WRITING,   E.WRITTEN):      Move(P.SHOPPING,  T.SAY_WRITTEN),
    (P.REVIEW,    E.CART_ASKED):   Move(P.REVIEW,    T.SAY_CART),
    (P.REVIEW,    E.YES):          Move(P.REVIEW,    T.SAY_HOW),
    (P.REVIEW,    E.UNHEARD):      Move(P.REVIEW,    T.SAY_UNHEARD),
    (P.REVIEW,    E.CONFIRMED):    Move(P.REVIEW,    T.RECHECK),
    (P.REVIEW,    E.SAME):         Move(P.CHECKOUT,  T.CHECK_OUT),  # the only row that spends
    (P.REVIEW,    E.DRIFTED):      Move(P.SHOPPING,  T.SAY_VOID),
    (P.REVIEW,    E.EXPIRED):      Move(P.SHOPPING,  T.SAY_VOID),
    (P.REVIEW,    E.MOVED):        Move(P.SHOPPING,  T.SAY_HERE),  # what was read at the device before counts no more
    (P.REVIEW,    E.NO):           Move(P.SHOPPING,  T.ASK_ITEMS),
    (P.CHECKOUT,  E.NOT_SENT):     Move(P.SHOPPING,  T.SAY_NOT_PLACED),
    (P.CHECKOUT,  E.TURNED_DOWN):  Move(P.CHECKOUT,  T.LOOK_ONCE),
    (P.CHECKOUT,  E.ABSENT):       Move(P.SHOPPING,  T.SAY_NOT_PLACED),
    (P.CHECKOUT,  E.SEEN):         Move(P.FINISHED,  T.SAY_SEEN),
    (P.CHECKOUT,  E.NO_ANSWER):    Move(P.UNKNOWN,   T.LOOK_UP),  # no answer is not a no
    (P.UNKNOWN,   E.SEEN):         Move(P.FINISHED,  T.SAY_SEEN),
    (P.UNKNOWN,   E.ABSENT):       Move(P.UNKNOWN,   T.SAY_STILL_UNKNOWN),
    (P.UNKNOWN,   E.GAVE_UP):      Move(P.SHOPPING,  T.SAY_UNKNOWN),
    (P.PAYMENT,   E.LINK_ASKED):   Move(P.PAYMENT,   T.SEND_LINK),
    (P.PAYMENT,   E.LINK_SENT):    Move(P.PAYMENT,   T.SAY_LINK),
    **{(p, E.ORDERS_ASKED): Move(p,           T.READ_ORDERS) for p in ASKABLE},  # asking moves nothing
    **{(p, E.ORDERS_SEEN):  Move(p,           T.SAY_ORDERS) for p in ASKABLE},
    **{(p, E.MOVED):        Move(p,           T.SAY_HERE) for p in (*BEFORE, *AFTER) if p is not P.REVIEW},
    **{(p, E.UNPAID):       Move(P.PAYMENT,   T.SEND_LINK) for p in (P.CHECKOUT, P.UNKNOWN)},
    **{(p, E.PLACED):       Move(P.FINISHED,  T.SAY_PLACED) for p in AFTER},
    **{(p, E.UNSURE):       Move(P.FINISHED,  T.SAY_UNSURE) for p in AFTER},
    **{(p, E.NOT_PAID):     Move(P.FINISHED,  T.SAY_UNPAID) for p in (P.PAYMENT, P.UNKNOWN)},
    **{(p, E.WANTED):       Move(P.SHOPPING,  T.SEARCH) for p in TALK},
    **{(p, E.SAME_ASKED):   Move(P.SHOPPING,  T.RECALL) for p in TALK},
    **{(p, E.EDITED):       Move(P.WRITING,   T.READ_CART) for p in TALK},
    **{(p, E.REVIEW_ASKED): Move(p,           T.READ_BACK) for p in TALK},
    **{(p, E.REVIEWED):     Move(P.REVIEW,    T.SAY_REVIEW) for p in TALK},
    **{(p, E.UNFIT):        Move(P.SHOPPING,  T.SAY_UNFIT) for p in (*TALK, P.WRITING)},
    **{(p, E.COUPON):       Move(p,           T.LIST_TOOLS) for p in TALK},
    **{(p, E.LEFT_OPEN):    Move(p,           T.UNDERSTAND) for p in TALK},
    **{(p, E.LOST):         Move(P.SHOPPING,  T.SAY_LOST) for p in (*TALK, P.WRITING)},
    **{(p, E.NAMED):        Move(P.ADDRESS,   T.ASK_ADDRESS) for p in TALK},
    **{(p, E.CHANGE):       Move(P.ADDRESSES, T.ASK_LABEL) for p in (*TALK, P.ADDRESS, P.OLD_CART)},
    **{(p, E.CLEAR):        Move(P.OLD_CART,  T.CLEAR_CART) for p in TALK},
    **{(p, E.HURT):         Move(p,           T.SAY_TROUBLE) for p in (P.STARTING, P.ADDRESS, P.OLD_CART, P.SHOPPING)},
    **{(p, E.HURT):         Move(P.SHOPPING,  T.SAY_TROUBLE) for p in (P.WRITING, P.REVIEW)},
    **{(p, e):              Move(P.FINISHED,  T.SAY_CLOSED) for p in BEFORE for e in (E.STOP, E.IDLE)},
    **{(p, e):              Move(P.FINISHED,  T.SAY_LEFT) for p in AFTER for e in (E.STOP, E.IDLE)},
}  # fmt: skip


def move(phase: str, on: On) -> Move:
    """Where ``on`` leads from ``phase``, and what is then done."""
    try:
        return TABLE[Phase(phase), on]
    except KeyError:
        raise IllegalMoveError(f"{on} has no row in {phase}; see TABLE in swiggy_instamart/machine.py") from None
