"""What Swiggy lists of the account's orders, and what our own rows say of those it does not list. It only reads.

``track_order`` is not asked: it wants coordinates, and no answer of the shop holds any.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from interactions.contracts import AbandonedError, EffectError
from swiggy_instamart import recovery
from swiggy_instamart.history import Delivery, OrderSeen
from swiggy_instamart.models import CheckoutIntent
from swiggy_instamart.shop import Swiggy

State = CheckoutIntent.State
OURS = timedelta(hours=24)  # how long an order of ours that is not listed is still spoken of
RECENT = timedelta(hours=3)  # how long after a checkout "when will it come" is about it
NO_ORDER = (State.NOT_SENT, State.REFUSED, State.NOT_PLACED, State.UNPAID)
MOST = 3  # orders that are kept of a list


def answer(shop: Swiggy, *, user: int, now: datetime) -> dict[str, Any]:
    """The orders as listed, the newest first; what may exist unseen; and what was placed or waits here and is not listed."""
    listed = read(shop)
    known = {order.order_id for order in listed}
    ours = CheckoutIntent.objects.filter(
        order__account__user_id=user,
        state__in=(State.PENDING_PAYMENT, State.PLACED, State.PAID),
        created_at__gte=now - OURS,
    )
    unlisted = [
        {"total_paise": one.billed_paise or one.total_paise, "when": _when(one.created_at, now), "state": one.state}
        for one in ours.order_by("-pk")
        if not known & set(one.order_ids)
    ]
    return shown(shop, listed, now=now) | {"maybe": recovery.may_exist(user, now=now), "unlisted": unlisted}


def read(shop: Swiggy) -> list[OrderSeen]:
    """All and the active ones, since either list may be old. Raises where neither could be read."""
    pages = shop.wave(shop.orders, lambda: shop.orders(active_only=True))
    told = [page for page in pages if not isinstance(page, EffectError)]
    if not told:
        raise pages[0]
    found = {order.order_id: order for page in told for order in page}
    return sorted(found.values(), key=lambda order: order.created_at or datetime.min.replace(tzinfo=UTC), reverse=True)


def shown(shop: Swiggy, listed: Iterable[OrderSeen], *, now: datetime) -> dict[str, Any]:
    """The newest orders, active ones first, as the sentences need them; the delivery is asked for of the first alone."""
    rows = sorted(listed, key=lambda order: not order.active)[:MOST]
    delivery = _delivery(shop, rows[0]) if rows else Delivery()
    return {"orders": [_row(order, delivery if at == 0 else Delivery(), now) for at, order in enumerate(rows)]}


def recent(user: int, *, now: datetime) -> bool:
    """Whether something was ordered here a short while ago, so that "it" is that."""
    mine = CheckoutIntent.objects.filter(order__account__user_id=user, created_at__gte=now - RECENT)
    return mine.exclude(state__in=NO_ORDER).exists()


def _delivery(shop: Swiggy, order: OrderSeen) -> Delivery:
    if not order.active or order.unpaid or not order.address_id:
        return Delivery()
    try:
        return shop.delivery(order.order_id, order.address_id)
    except AbandonedError:
        raise
    except EffectError:  # the list has said what there is to say
        return Delivery()


def _row(order: OrderSeen, delivery: Delivery, now: datetime) -> dict[str, Any]:
    return {
        "status": delivery.status or order.status,
        "message": order.message,
        "active": order.active,
        "unpaid": order.unpaid,
        "total_paise": order.total_paise,
        "when": _when(order.created_at, now),
        "lines": [list(line) for line in order.lines],
        "items": order.items,
        "eta": delivery.eta,
        "due": f"{timezone.localtime(delivery.due_at):%H:%M}" if delivery.due_at else "",
        "overdue": delivery.due_at is not None and delivery.due_at < now,
    }


def _when(at: datetime | None, now: datetime) -> dict[str, Any] | None:
    """The time of today, else the date; the sentences say it."""
    if at is None:
        return None
    here = timezone.localtime(at)
    return {"today": here.date() == timezone.localtime(now).date(), "time": f"{here:%H:%M}", "date": here.date().isoformat()}
