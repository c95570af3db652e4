"""Whose turn it is at the one shop account: one open order, one session, and nobody's while an old request may still arrive.

An order outlives its session while a checkout of it is unresolved.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError
from django.db.models import Q

from interactions import host
from interactions.contracts import Call, NotYetError, OvertakenError, Standing
from swiggy_instamart.models import OPEN_STATES, Account, CheckoutIntent, Order

log = logging.getLogger(__name__)

LONGEST = timedelta(seconds=75)  # the budget of a checkout, and some
LEFT_S = 60  # an order is older than this before the sweep wonders whose it is


def open_order(standing: Standing, *, at: datetime) -> None:
    """The account's order is this session's from now on; an IntegrityError says that another one is open."""
    account, _ = Account.objects.get_or_create(user_id=standing.user)
    if Order.objects.filter(account=account, closed_at=None).exists():
        raise IntegrityError("order_one_open")
    Order.objects.create(account=account, session_id=standing.session, device_id=standing.device, opened_at=at)


def note_sign_in(user: int, *, ends_at: datetime | None) -> None:
    """When the sign-in of this account ends, as far as its files tell; for the operator's eyes."""
    account, _ = Account.objects.get_or_create(user_id=user)
    Account.objects.filter(pk=account.pk).exclude(sign_in_ends_at=ends_at).update(sign_in_ends_at=ends_at)


def keep_quiet(user: int, *, until: datetime) -> None:
    """No cart write or checkout of this account before ``until``: an earlier one may still arrive."""
    account, _ = Account.objects.get_or_create(user_id=user)
    later = Q(quiet_until=None) | Q(quiet_until__lt=until)
    Account.objects.filter(later, pk=account.pk).update(quiet_until=until)


def check_quiet(call: Call, *, now: datetime) -> None:
    """Raises NotYetError while the account must be left alone, OvertakenError where its order is not this session's."""
    order = Order.objects.select_related("account").filter(session_id=call.session, closed_at=None).first()
    if order is None or order.session_ended_at is not None:
        raise OvertakenError("no_order")
    quiet_until = order.account.quiet_until
    if quiet_until is not None and quiet_until > now + LONGEST:  # a clock stepped back since; nothing in flight lasts so long
        quiet_until = now + LONGEST
        Account.objects.filter(pk=order.account_id).update(quiet_until=quiet_until)
    if quiet_until is not None and quiet_until > now:
        raise NotYetError(quiet_until)


def elsewhere(user: int, *, session: int) -> dict[str, Any] | None:
    """The account's open order, if it belongs to another session: where it is, what it waits for, and the session, if one
    that can be taken over has it."""
    order = Order.objects.filter(account__user_id=user, closed_at=None).exclude(session_id=session).first()
    if order is None:
        return None
    paying = order.session_ended_at is not None
    placing = not paying and CheckoutIntent.objects.filter(order=order, state=CheckoutIntent.State.STARTED).exists()
    where = {"place": host.device_name(order.device_id), "paying": paying, "placing": placing, "order": order.pk}
    return where | {"session": None if paying or placing else order.session_id}


def session_of(account: int) -> int | None:
    """The session that has the account's open order, while it goes on."""
    going_on = Order.objects.filter(account=account, closed_at=None, session_ended_at=None)
    return going_on.values_list("session_id", flat=True).first()


def release(order: int, *, reason: str, at: datetime) -> None:
    """Close the order if its session has ended and nothing of it is unresolved."""
    if CheckoutIntent.objects.filter(order=order, state__in=OPEN_STATES).exists():
        return
    over = Order.objects.filter(pk=order, closed_at=None).exclude(session_ended_at=None)
    over.update(closed_at=at, close_reason=reason or "ended")


def sweep(now: datetime) -> None:
    """Close what a session left open that ended by a road without us. There should be none, so each is a fault in the log."""
    left = Order.objects.filter(closed_at=None, session_ended_at=None, opened_at__lte=now - timedelta(seconds=LEFT_S))
    for order in left:
        if not host.is_active(order.session_id):
            log.error("order %s was left open by session %s", order.pk, order.session_id)
            Order.objects.filter(pk=order.pk, session_ended_at=None).update(session_ended_at=now)
            release(order.pk, reason="left_open", at=now)
