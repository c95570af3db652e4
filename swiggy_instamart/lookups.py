"""Looking for an order whose checkout got no answer. Only a positive sight counts; that it is absent proves nothing.

The session looks once by itself; after that the sweep goes on until ``look_until``, with or without the session.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from interactions import host
from interactions.contracts import EffectError, Json, Reply
from swiggy_instamart import intents, mcp, news
from swiggy_instamart.history import OrderSeen
from swiggy_instamart.models import CheckoutIntent, IntentEvent, Order
from swiggy_instamart.payments import BeatenError
from swiggy_instamart.shop import Swiggy

log = logging.getLogger(__name__)

State = CheckoutIntent.State
LOOK = "swiggy_instamart.look"
AGAIN_S = 15
STALE = timedelta(minutes=5)  # far beyond the call's 60 s and any lease over it
STALE_LOOK_S = 180
EARLY, LATE = timedelta(minutes=2), timedelta(minutes=15)


class BlindError(EffectError):
    """None of the lists could be read, so nothing was looked up."""

    code = "unread"


def evidence(shop: Swiggy, intent: CheckoutIntent) -> dict[str, Any]:
    """One look at the orders, the active ones and the cart, together. ``order`` is the one positively seen, or None."""
    listed, active, cart = shop.wave(shop.orders, lambda: shop.orders(active_only=True), shop.cart)
    seen = [rows for rows in (listed, active) if not isinstance(rows, EffectError)]
    if not seen:
        raise BlindError
    known = {number for ids in _other_ids(intent) for number in ids}
    hits = [order for rows in seen for order in rows if order.order_id not in known and _matches(order, intent)]
    emptied = None if isinstance(cart, EffectError) else not cart.lines
    order = {"order_id": hits[0].order_id, "status": hits[0].status, "total_paise": hits[0].total_paise} if hits else None
    return {"order": order, "cart_emptied": emptied}


def _other_ids(intent: CheckoutIntent) -> list[list[str]]:
    others = CheckoutIntent.objects.filter(order__account_id=intent.order.account_id).exclude(pk=intent.pk)
    return list(others.values_list("order_ids", flat=True))


def _matches(order: OrderSeen, intent: CheckoutIntent) -> bool:
    """The amount to the paisa, and the time; an order that tells no time must at least be active."""
    if order.total_paise != intent.total_paise:
        return False
    if order.created_at is None:
        return order.active
    return intent.created_at - EARLY <= order.created_at <= intent.created_at + LATE


def store(intent: CheckoutIntent, *, order: Json | None, at: datetime) -> bool:
    """Write down one look. Expects a transaction; True if the order was seen now for the first time."""
    CheckoutIntent.objects.filter(pk=intent.pk).update(looks=F("looks") + 1)
    if order is None:
        return False
    was = [State.UNKNOWN, State.UNFOUND, State.REFUSED]
    personal = {"order_id": order.get("order_id", "")}
    facts = {"status": order.get("status", "")}
    return intents.change(
        intent,
        was=was,
        to=State.SEEN,
        at=at,
        event="seen",
        facts=facts,
        personal=personal,
        order_ids=[order.get("order_id", "")],
    )


def due(now: datetime) -> None:
    """Ring for unknown checkouts whose next look is due."""
    _rescue(now)
    _take_over(now)
    waiting = CheckoutIntent.objects.filter(state=State.UNKNOWN, next_look_at__lte=now).order_by("next_look_at")
    for intent in waiting.values_list("pk", flat=True)[:20]:
        host.ring_after_commit(intent, LOOK)


def _take_over(now: datetime) -> None:
    """A look whose process died is due at once."""
    unknown = CheckoutIntent.objects.filter(state=State.UNKNOWN).exclude(looked_by="")
    for intent, looker in unknown.values_list("pk", "looked_by"):
        if host.gone(looker):
            unknown.filter(pk=intent, looked_by=looker).update(looked_by="", next_look_at=now)


def _rescue(now: datetime) -> None:
    """A checkout whose session ended, or broke, before its outcome was stored is unknown, and is looked up like any other."""
    for intent in CheckoutIntent.objects.filter(state=State.STARTED, created_at__lte=now - STALE)[:20]:
        with transaction.atomic():
            until = now + timedelta(seconds=STALE_LOOK_S)
            facts = {"code": "left_behind"}
            was, to = [State.STARTED], State.UNKNOWN
            intents.change(
                intent,
                was=was,
                to=to,
                at=now,
                event="unknown",
                facts=facts,
                code="left_behind",
                look_until=until,
                next_look_at=now,
            )


def look(intent_id: int) -> None:
    """One more look; the last one gives up, says so, and lets the account order again."""
    now, me = timezone.now(), host.holder()
    mine = CheckoutIntent.objects.filter(pk=intent_id, state=State.UNKNOWN, next_look_at__lte=now)
    if not mine.update(next_look_at=now + timedelta(seconds=AGAIN_S), looked_by=me):
        return
    _look(CheckoutIntent.objects.select_related("order").get(pk=intent_id))
    CheckoutIntent.objects.filter(pk=intent_id, looked_by=me).update(looked_by="")


def _look(intent: CheckoutIntent) -> None:
    order = None
    try:
        order = evidence(mcp.swiggy(), intent)["order"]
    except EffectError as error:
        log.warning("intent %s: not looked up: %s", intent.pk, error.code)
    except Exception:  # the edge of the task: whatever breaks, the account is not blocked for longer than the look-up
        log.exception("intent %s: a look broke", intent.pk)
    if order is not None or (intent.look_until is not None and timezone.now() >= intent.look_until):
        _conclude(intent, order)
    else:
        with transaction.atomic():
            store(intent, order=None, at=timezone.now())


def _conclude(intent: CheckoutIntent, order: Json | None) -> None:
    at = timezone.now()
    told: dict[str, datetime] = {}
    try:
        with transaction.atomic():
            data = {"utterance": intent.utterance, "order": dict(order) if order else None}
            if not host.signal(intent.session_id, name="lookup", data=data):
                reply = news.seen(order) if order else news.may_be_placed()
                host.tell(intent.order.device_id, cause=f"lookup:{intent.pk}", reply=reply, session_id=intent.session_id)
                told["told_at"] = at
            done = store(intent, order=order, at=at) if order else _give_up(intent, at=at)
            if not done:
                raise BeatenError
            if told:
                CheckoutIntent.objects.filter(pk=intent.pk).update(**told)
    except BeatenError:
        log.info("intent %s was settled meanwhile", intent.pk)


def untold(order: Order) -> list[tuple[CheckoutIntent, Reply]]:
    """Look-ups of this order that ended without the session getting to say so, and what is to be said."""
    found = CheckoutIntent.objects.filter(order=order, told_at=None, state__in=(State.SEEN, State.UNFOUND)).order_by("pk")
    return [(intent, _reply(intent)) for intent in found]


def _reply(intent: CheckoutIntent) -> Reply:
    if intent.state == State.UNFOUND:
        return news.may_be_placed()
    event = IntentEvent.objects.filter(intent=intent, name="seen").order_by("-sequence").first()
    status = event.facts.get("status", "") if event is not None else ""
    return news.seen({"order_id": next(iter(intent.order_ids), ""), "status": status})


def _give_up(intent: CheckoutIntent, *, at: datetime) -> bool:
    return intents.change(
        intent, was=[State.UNKNOWN], to=State.UNFOUND, at=at, event="unfound", facts={"looks": intent.looks + 1}
    )
