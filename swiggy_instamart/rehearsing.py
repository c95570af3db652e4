"""The calls of a rehearsal, all of them at the practice shop. No row of a real order is read or written here.

Who may rehearse needs no look: nobody's account, sign-in or money is behind it. The practice shop has one cart, so one person
practises at a time, and begins with it empty.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from interactions import host
from interactions.contracts import AbandonedError, Call, Json, NotSentError
from swiggy_instamart import errands, history, openings, practice, reviews, tracking
from swiggy_instamart.machine import Phase
from swiggy_instamart.options import Options
from swiggy_instamart.receipts import Payment
from swiggy_instamart.shop import Swiggy

PAUSE_S = 0.5  # between two looks at a payment; the shop holds each for a while
LEFT_S = 3.0  # of the budget, when the last look is over
JUST_NOW = timedelta(minutes=2)


def perform(call: Call, *, options: Options) -> Json:
    return EFFECTS[call.effect](call, options)


def _shop() -> Swiggy:
    return practice.shop()


def _anybody(call: Call) -> None:
    """No earlier request of a practice cart is waited for: it is nobody's."""


HERE = errands.Counter(_shop, _anybody)


def _overheard(call: Call) -> str | None:
    """Where a real order of the same person waits for the phrase that spends; None if none does."""
    waiting = host.active_sessions(openings.ORDER, user_id=call.user, phase=Phase.REVIEW.value)
    return host.place_of(waiting[0]) if waiting else None


def addresses(call: Call, options: Options) -> Json:
    if (place := _overheard(call)) is not None:
        return {openings.OVERHEARD: place}
    if any(session < call.session for session in host.active_sessions(openings.PRACTICE)):
        busy = {"session": None, "place": "", "paying": False, "placing": False}
        return {"elsewhere": busy, "addresses": []}
    read = HERE.reading(call, options)
    read.clear_cart()
    return {"elsewhere": None, "addresses": errands.addresses(read)}


def review(call: Call, options: Options) -> Json:
    """As for a real order, but for what only a real one has: a link to be shown, and earlier checkouts."""
    if (place := _overheard(call)) is not None:
        return {openings.OVERHEARD: place}
    return {**errands.read_back(HERE.reading(call, options), call.payload), "reachable": True, "maybe": []}


def checkout(call: Call, options: Options) -> Json:
    if not reviews.fresh(call.payload["said_at"], at=timezone.now()):
        raise NotSentError("too_late")
    return errands.place(HERE.writing(call), call.payload["address"])


def payment(call: Call, options: Options) -> Json:
    """Wait until the practice shop has let itself be paid; nobody is sent a link."""
    paid_to, order = practice.shop().until(call.deadline, abandoned=call.abandoned), call.payload
    while True:
        status = paid_to.payment_status(order["paas_id"], order["order_id"])
        if status.state is Payment.PAID:
            return {"paid": True, "total_paise": status.total_paise}
        if (call.deadline - timezone.now()).total_seconds() < LEFT_S:
            return {"paid": False, "total_paise": None}
        if call.abandoned():
            raise AbandonedError
        time.sleep(PAUSE_S)


def lookup(call: Call, options: Options) -> Json:
    """After a refusal: an order of the last moments, if the practice shop lists one after all."""
    since = timezone.now() - JUST_NOW
    seen = [one for one in HERE.reading(call, options).orders() if one.created_at is not None and one.created_at > since]
    return {"order": _seen(seen[0]) if seen else None}


def _seen(order: history.OrderSeen) -> Json:
    return {"order_id": order.order_id, "status": order.status, "total_paise": order.total_paise}


def orders(call: Call, options: Options) -> Json:
    read = HERE.reading(call, options)
    return tracking.shown(read, tracking.read(read), now=timezone.now())


def recall(call: Call, options: Options) -> Json:
    """Nothing was ever bought here."""
    return {"lines": []}


EFFECTS: Mapping[str, errands.Perform] = {
    **errands.alike(HERE),
    "addresses": addresses,
    "recall": recall,
    "review": review,
    "lookup": lookup,
    "orders": orders,
    "checkout": checkout,
    "payment": payment,
}
