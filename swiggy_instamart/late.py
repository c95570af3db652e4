"""A payment that arrives after its end was told: looked for a while longer, reported once, and never taken back.

Only reading goes on. What was told as failed or unknown becomes paid; nothing ever leads from paid to anything else.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from interactions import host
from swiggy_instamart import intents, news, notices, telling
from swiggy_instamart.models import CheckoutIntent, Order, PaymentWatch

State = CheckoutIntent.State
WINDOW, INTERVAL = timedelta(minutes=30), timedelta(minutes=2)
PAID = "paid"


def still_watched(now: datetime) -> Q:
    """Watches that may be looked at: those without an end, and for a while those that did not end paid."""
    return Q(ended_at=None) | Q(late_until__gt=now)


def after(result: str, *, at: datetime) -> dict[str, Any]:
    """What the end of a watch stores so that money that comes after it is still seen."""
    return {} if result == PAID else {"late_until": at + WINDOW, "next_poll_at": at + INTERVAL}


def arrived(held: PaymentWatch, *, at: datetime) -> None:
    """It was paid after all. Told in the order that is going on, whose review is then over, or at the device."""
    intent = held.intent
    with transaction.atomic():
        told = _tell(intent)
        was = PaymentWatch.objects.filter(pk=held.pk, late_until__isnull=False).exclude(result=PAID)
        if not was.update(result=PAID, late_until=None, told_at=at if told else None, polling=False, lease_until=None):
            transaction.set_rollback(True)
            return
        ended, facts = [State.PAYMENT_UNKNOWN, State.UNPAID], {"result": PAID}
        intents.change(intent, was=ended, to=State.PAID, at=at, event="paid_late", facts=facts, code=PAID)


def _tell(intent: CheckoutIntent) -> bool:
    total = notices.billed(intent)
    data = {"utterance": intent.utterance, "result": PAID, "total_paise": total, "late": True}
    going_on = Order.objects.filter(account_id=intent.order.account_id, closed_at=None).first()
    if going_on is not None and host.signal(going_on.session_id, name="payment", data=data):
        return False
    reply = news.paid_late(telling.say_of(intent), total)
    host.tell(intent.order.device_id, cause=f"late:{intent.pk}", reply=reply, session_id=intent.session_id)
    return True
