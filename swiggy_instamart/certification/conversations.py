"""What is said while the order is certified: one whole order, and every other road an order can take. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactions.certification.contracts import Conversation, Line, Outside, Say, Wait

KITCHEN, PHONE = "kitchen", "phone"

# A shop whose polls are short, and a person who pays during the second of them.
WORLD: dict[str, Any] = {
    "hold_s": 0.02,
    "polling_interval_ms": 100,
    "max_poll_ms": 15_000,
    "autopay_polls": 2,
    "autopay_state": "success",
}
PAID, NOTHING = "paid; PLACED paid", "no checkout; no order"
# The first poll comes after the cap: how many come before it would be up to the machine, and points are numbered by them.
NOBODY_PAYS = WORLD | {"autopay_polls": None, "max_poll_ms": 2500, "polling_interval_ms": 2600}


def say(*texts: str, at: str = KITCHEN) -> tuple[Line, ...]:
    return tuple(Say(at, text) for text in texts)


LEFTOVER = Outside("cart", {"action": "set", "lines": [{"find": "butter", "quantity": 1}]})
TO_SHOPPING = say("order swiggy", "yes")
TO_REVIEW = (*TO_SHOPPING, *say("milk", "option 1", "complete order"))
TO_PAYMENT = (*TO_REVIEW, *say("confirm order"))

PLAIN = Conversation(
    "plain order",
    (
        LEFTOVER,
        *say("order swiggy", "yes", "clear cart", "milk", "option 1", "add bread", "option 2", "make it two"),
        *say("show cart", "complete order", "confirm order"),
        Wait(),
    ),
    ends=PAID,
    since=1,
    spends=10,
    world=WORLD,
)
EDITED = Conversation(
    "edit after review",
    (*TO_REVIEW, *say("make it two", "complete order", "confirm order"), Wait()),
    ends=PAID,
    since=len(TO_REVIEW),
    world=WORLD,
)
TWO_DEVICES = Conversation(
    "two devices of one account",
    (
        *say("order swiggy", "yes"),
        *say("order swiggy", at=PHONE),
        *say("milk", "option 1", "complete order"),
        *say("confirm order", at=PHONE),
        *say("confirm order"),
        Wait(),
    ),
    ends=PAID,
    since=2,
    world=WORLD,
)

VAGUE = "hmm let me have a think about that then"  # asked about while shopping and at a review: its faults take turns too
LEFT_OPEN = Conversation(
    "sentences that a language model is asked about",
    (*TO_SHOPPING, *say("milk", "option 1", VAGUE, "complete order", VAGUE, "confirm order"), Wait()),
    ends=PAID,
    since=4,
    world=WORLD,
)


def _cancelled(phase: str, *lines: Line, ends: str = NOTHING) -> Conversation:
    spoken = (*lines, *say("cancel order"), Wait())
    return Conversation(f"cancelled in {phase}", spoken, ends=ends, since=len(lines), world=WORLD)


CANCELLED = (
    _cancelled("confirm_address", *say("order swiggy")),
    _cancelled("select_address", *say("order swiggy", "change address")),
    _cancelled("existing_cart_decision", LEFTOVER, *TO_SHOPPING),
    _cancelled("shopping", *TO_SHOPPING),
    _cancelled("shopping, choosing", *TO_SHOPPING, *say("milk")),
    _cancelled("awaiting_confirmation", *TO_REVIEW),
    _cancelled("awaiting_payment", *TO_PAYMENT, ends=PAID),
)


def _paying(name: str, ends: str, world: Mapping[str, Any], *after: Line) -> Conversation:
    return Conversation(f"payment {name}", (*TO_PAYMENT, Wait(), *after), ends=ends, since=len(TO_REVIEW), world=world)


PAYMENTS = (
    _paying("succeeds and the shop waits for our confirm", PAID, WORLD | {"confirmed_on_success": False}),
    _paying("fails", "unpaid; FAILED", WORLD | {"autopay_state": "failed"}),
    _paying("is cancelled", "unpaid; CANCELLED", WORLD | {"autopay_state": "cancelled"}),
    _paying("is refunded", "unpaid; CANCELLED", WORLD | {"autopay_state": "refund-initiated"}),
    _paying("ends because the cart changed", "unpaid; FAILED", WORLD | {"autopay_state": "cart_changed"}),
    _paying(
        "is pending at the cap, then succeeds late",
        PAID,
        NOBODY_PAYS | {"confirm_unpaid": "pending"},
        Outside("payment", {"state": "success"}),
        Wait(long=True),
    ),
)

ALL = (PLAIN, EDITED, TWO_DEVICES, LEFT_OPEN, *CANCELLED, *PAYMENTS)
