"""Until when an order that its session left behind keeps the account from a new one, at the latest. From the rows.

Nothing here ends anything: a payment, a look-up or a call ends by its own row, and mostly sooner.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from swiggy_instamart.lookups import STALE, STALE_LOOK_S
from swiggy_instamart.models import OPEN_STATES, CheckoutIntent, PaymentWatch
from swiggy_instamart.payments import GRACE_S

State = CheckoutIntent.State


def minutes_left(order: int, *, now: datetime) -> int | None:
    """In whole minutes from ``now``, at least one; None where nothing of the order is unresolved."""
    until = [_until(intent) for intent in CheckoutIntent.objects.filter(order=order, state__in=OPEN_STATES)]
    if not until:
        return None
    return max(1, -((now - max(until)) // timedelta(minutes=1)))


def _until(intent: CheckoutIntent) -> datetime:
    if intent.state == State.PENDING_PAYMENT:
        watch = PaymentWatch.objects.filter(intent=intent, ended_at=None).first()
        if watch is not None:
            return watch.deadline_at + timedelta(seconds=GRACE_S)  # one confirm at the cap, and the reads after it
    if intent.state == State.UNKNOWN and intent.look_until is not None:
        return intent.look_until
    return intent.created_at + STALE + timedelta(seconds=STALE_LOOK_S)  # of a call that nobody brings the answer of
