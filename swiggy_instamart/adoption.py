"""The answer of a checkout that came when its session had given it up or was gone: the payment is followed all the same.

Expects a transaction. The person hears where to pay from the session, or at the device and on their own channel.
"""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Q

from interactions import host
from interactions.contracts import Json
from swiggy_instamart import intents, late, news, notices, payments, rows, settlement, telling
from swiggy_instamart.models import CheckoutIntent, PaymentWatch
from swiggy_instamart.options import Options

State = CheckoutIntent.State
SAID_PLACED = Q(state=State.PLACED, code=settlement.SETTLED)  # the operator's word, which the answer itself outweighs


def adopt(intent: CheckoutIntent, result: Json, *, at: datetime, options: Options) -> None:
    """A checkout's answer came after its session had given it up: it is watched at once, and the session told or its device."""
    facts = {"result": dict(result), "utterance": intent.utterance, "reviewed_paise": intent.total_paise}
    # The locks of session and device come first, as everywhere.
    signalled = host.signal(intent.session_id, name="awaits", data=facts)
    open_to_it = Q(state__in=payments.UNANSWERED) | SAID_PLACED
    alone = not signalled and CheckoutIntent.objects.filter(open_to_it, pk=intent.pk).exists()
    if alone:
        hand_over(intent, link=result["link"], total_paise=result["total_paise"], device=intent.order.device_id)
    if CheckoutIntent.objects.filter(SAID_PLACED, pk=intent.pk).exists():
        intents.change(intent, was=[State.PLACED], to=State.UNFOUND, at=at, event="placed_retracted", facts={}, code="")
    row = rows.awaits(intent.utterance, result)
    try:
        with transaction.atomic():
            payments.watch(intent, row, at=at, options=options)
    except IntegrityError:  # intent_one_open: a later checkout of the same order goes on
        _beside(intent, row, at=at)
    if alone:
        notices.owe(intent, at=at)


def _beside(intent: CheckoutIntent, row: rows.Awaits, *, at: datetime) -> None:
    """One checkout of an order is open at most. The earlier one's payment is read on as one whose end is not known."""
    fields = {
        "order_ids": [row.order_id],
        "paas_id": row.paas_id,
        "transaction_id": row.transaction_id,
        "bridge_url": row.link,
        "billed_paise": row.total_paise,
        "next_look_at": None,
        "told_at": at,
    }
    facts = {"billed_paise": row.total_paise}
    personal = {"order_id": row.order_id, "paas_id": row.paas_id, "link": row.link}
    was, to, event = payments.UNANSWERED, State.PAYMENT_UNKNOWN, "payment_beside"
    if not intents.change(intent, was=was, to=to, at=at, event=event, facts=facts, personal=personal, **fields):
        return
    interval_ms = int(late.INTERVAL.total_seconds() * 1000)
    ended = {"ended_at": at, "result": payments.UNKNOWN, "told_at": at} | late.after(payments.UNKNOWN, at=at)
    PaymentWatch.objects.create(intent=intent, interval_ms=interval_ms, deadline_at=at, **ended)
    said = f"Checkout {intent.pk} was answered late and waits for a payment, beside a later checkout of the same order."
    host.alarm(f"beside:{intent.pk}", f"{said} Two orders may exist; check Swiggy.")


def hand_over(intent: CheckoutIntent, *, link: str, total_paise: int | None, device: int) -> None:
    """Tell a device of the linked user what waits to be paid and where, once; its session did not get to say it."""
    total = total_paise if total_paise is not None else intent.total_paise
    say = telling.say_of(intent)
    told = {"awaits": news.awaits_after_all(say, total), "link": news.link_event(say, link, total_paise=total)}
    for name, reply in told.items():
        host.tell(device, cause=f"{name}:{intent.pk}", reply=reply, session_id=intent.session_id)
