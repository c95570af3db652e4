"""Following a payment to its end: short polls, one at a time over all watches, each claimed by a guarded update.

The watch owns the end. ``confirm_order`` is sent at most once per order, by whoever set ``confirm_started_at``; an error
of ours is never called a failed payment; the end is committed with its Signal, or with the event itself after the session.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from interactions import host
from interactions.contracts import EffectError, NotSentError, TurnedDownError
from swiggy_instamart import intents, late, mcp, news, notices, rows, telling
from swiggy_instamart.models import CheckoutIntent, PaymentWatch
from swiggy_instamart.options import Options
from swiggy_instamart.receipts import Payment, PaymentStatus

log = logging.getLogger(__name__)

State = CheckoutIntent.State
POLL = "swiggy_instamart.poll"
LEASE_S = 90  # a poll and a confirm, each 35 s, and some
SHORTEST_WINDOW_MS, LONGEST_INTERVAL_MS = 60_000, 60_000
GRACE_S = 60  # status reads after a confirm at the cap that got no answer

# An answer in hand outweighs any look from outside, and the operator's.
UNANSWERED = [State.STARTED, State.UNKNOWN, State.SEEN, State.UNFOUND, State.NOT_PLACED]
FREE: Mapping[str, Any] = {"polling": False, "polled_by": "", "lease_until": None}
UNASKED = (NotSentError, TurnedDownError)  # a confirm would fare no better now, and there is only one
PAID, UNKNOWN = late.PAID, "payment_unknown"
ENDINGS: Mapping[Payment, str] = {
    Payment.FAILED: "payment_failed",
    Payment.CANCELLED: "payment_cancelled",
    Payment.REFUNDED: "payment_refunded",
    Payment.CART_CHANGED: "cart_changed",
}


class BeatenError(Exception):
    """Somebody else ended this watch first; what was about to be stored is taken back."""


# ---- the beginning ------------------------------------------------------------------------------------------------------


def watch(intent: CheckoutIntent, row: rows.Awaits, *, at: datetime, options: Options) -> None:
    """From here on the payment is followed. Expects a transaction."""
    # The shop's two numbers are its wishes: neither may keep the payment from being looked at, or from being made.
    interval_ms = max(min(row.interval_ms or 0, LONGEST_INTERVAL_MS), int(options.payment_interval_s * 1000))
    most_ms = options.payment_window_s * 1000
    window = timedelta(milliseconds=max(min(row.window_ms or most_ms, most_ms), SHORTEST_WINDOW_MS))
    moved = intents.change(
        intent,
        was=UNANSWERED,
        to=State.PENDING_PAYMENT,
        at=at,
        event="payment_awaited",
        facts={"billed_paise": row.total_paise, "interval_ms": interval_ms, "window_s": window.total_seconds()},
        personal={"order_id": row.order_id, "paas_id": row.paas_id, "link": row.link},
        order_ids=[row.order_id],
        paas_id=row.paas_id,
        transaction_id=row.transaction_id,
        bridge_url=row.link,
        billed_paise=row.total_paise,
        next_look_at=None,
    )
    if moved:
        first = at + timedelta(milliseconds=interval_ms)
        deadline = intent.created_at + window
        PaymentWatch.objects.create(intent=intent, interval_ms=interval_ms, next_poll_at=first, deadline_at=deadline)


# ---- the sweep ----------------------------------------------------------------------------------------------------------


def due(now: datetime) -> None:
    """Ring for the payment that has waited longest, open ones first; the next sweep rings for the next."""
    if _is_polled(now):
        return
    order = (F("ended_at").asc(nulls_first=True), "next_poll_at")
    waiting = PaymentWatch.objects.filter(late.still_watched(now), next_poll_at__lte=now).order_by(*order)
    found = waiting.values_list("pk", flat=True).first()
    if found is not None:
        host.ring_after_commit(found, POLL)


def _is_polled(now: datetime) -> bool:
    """Whether somebody is looking at a payment. Whoever is dead, or out of time, is not: the watch is free again."""
    polled = PaymentWatch.objects.filter(polling=True)
    for watch, poller, lease_until in polled.values_list("pk", "polled_by", "lease_until"):
        if lease_until is not None and lease_until > now and not host.gone(poller):
            return True
        polled.filter(pk=watch, polled_by=poller, lease_until=lease_until).update(**FREE)
    return False


# ---- one poll -----------------------------------------------------------------------------------------------------------


def poll(watch_id: int) -> None:
    """Look once, and act on what was seen. Does nothing where somebody else is polling or nothing is due."""
    with host.leased(LEASE_S):  # from before the claim: a process frozen inside it must not wake up as a poller
        held = _claim(watch_id, now=timezone.now())
        if held is not None:
            _follow(held)


def _follow(held: PaymentWatch) -> None:
    wait = late.INTERVAL if held.ended_at is not None else timedelta(milliseconds=held.interval_ms)
    try:
        notices.send_owed(held)
        wait = max(wait, _look(held))
    except Exception as error:  # noqa: BLE001  the edge of the task; its type alone, since a database quotes rows in its message
        log.error("watch %s: a look broke: %s", held.pk, type(error).__name__)
        if held.ended_at is None and _hopeless(held):
            finish(held, result=UNKNOWN)
    finally:
        next_poll_at = timezone.now() + wait
        mine = PaymentWatch.objects.filter(pk=held.pk, polling=True, polled_by=held.polled_by)
        mine.update(**FREE, next_poll_at=next_poll_at)


def _claim(watch_id: int, *, now: datetime) -> PaymentWatch | None:
    if _is_polled(now):
        return None
    free = PaymentWatch.objects.filter(late.still_watched(now), pk=watch_id, polling=False, next_poll_at__lte=now)
    try:
        with transaction.atomic():
            lease_until = now + timedelta(seconds=LEASE_S)
            taken = free.update(polling=True, polled_by=host.holder(), lease_until=lease_until, polls=F("polls") + 1)
    except IntegrityError:  # watch_one_poll: another payment is being looked at
        return None
    return PaymentWatch.objects.select_related("intent__order__account").get(pk=watch_id) if taken else None


def _look(held: PaymentWatch) -> timedelta:
    """One status read, and what it asks for; returns for how long the shop wants to be left alone."""
    intent = held.intent
    over = held.ended_at is None and timezone.now() >= held.deadline_at
    try:
        status = mcp.swiggy().payment_status(intent.paas_id, intent.order_ids[0])
    except EffectError as error:
        log.warning("watch %s: no status: %s", held.pk, error.code)
        PaymentWatch.objects.filter(pk=held.pk).update(last_error=error.code[:40])
        if over and (_hopeless(held) or not isinstance(error, UNASKED)):
            _last_word(held)
        return timedelta(seconds=error.retry_after_s or 0)
    PaymentWatch.objects.filter(pk=held.pk).update(last_status=status.state.value, last_error="")
    _act(held, status, over=over)
    return timedelta()


def _act(held: PaymentWatch, status: PaymentStatus, *, over: bool) -> None:
    if status.state in ENDINGS:
        finish(held, result=ENDINGS[status.state])
    elif status.state is Payment.PAID and status.confirmed:
        _paid(held)
    elif status.state is Payment.PAID and held.confirm_started_at is None:
        _confirm(held)
    elif over:
        _last_word(held)


def _last_word(held: PaymentWatch) -> None:
    """The cap is reached: one confirm finalises, unless one was sent before. Without its answer the end stays unknown."""
    if held.confirm_started_at is None:
        _confirm(held, at_cap=True)
    elif held.confirm_result or _hopeless(held):
        finish(held, result=UNKNOWN)


def _hopeless(held: PaymentWatch) -> bool:
    return timezone.now() >= held.deadline_at + timedelta(seconds=GRACE_S)


def _confirm(held: PaymentWatch, *, at_cap: bool = False) -> None:
    """Send ``confirm_order``: only whoever sets ``confirm_started_at`` may, and it is set before the call."""
    at, intent = timezone.now(), held.intent
    with transaction.atomic():
        watched = late.still_watched(at)
        mine = PaymentWatch.objects.filter(watched, pk=held.pk, confirm_started_at=None, polled_by=held.polled_by)
        if not mine.update(confirm_started_at=at):
            return
        intents.append(intent, "confirm_started", at=at, facts={"at_cap": at_cap})
    try:
        answer = mcp.swiggy().confirm_order(intent.order_ids[0], intent.paas_id, intent.transaction_id)
    except EffectError as error:
        log.warning("watch %s: confirm without answer: %s", held.pk, error.code)
        PaymentWatch.objects.filter(pk=held.pk).update(last_error=error.code[:40])
        return
    PaymentWatch.objects.filter(pk=held.pk).update(confirm_result=answer.result)
    if answer.result == "success":
        _paid(held)
    elif at_cap:
        finish(held, result="payment_failed" if answer.result == "failed" else UNKNOWN)


# ---- the end ------------------------------------------------------------------------------------------------------------


def _paid(held: PaymentWatch) -> None:
    if held.ended_at is None:
        finish(held, result=PAID)
    else:
        late.arrived(held, at=timezone.now())


def finish(held: PaymentWatch, *, result: str) -> bool:
    """Store the end and tell it, in one transaction; False if it had ended before. Session and device are locked first."""
    at, intent = timezone.now(), held.intent
    state = {PAID: State.PAID, UNKNOWN: State.PAYMENT_UNKNOWN}.get(result, State.UNPAID)
    more = late.after(result, at=at)
    try:
        with transaction.atomic():
            told = _tell(intent, result=result, total_paise=notices.billed(intent))
            ended = PaymentWatch.objects.filter(pk=held.pk, ended_at=None)
            if not ended.update(ended_at=at, result=result, told_at=at if told else None, **FREE, **more):
                raise BeatenError
            facts = {"result": result}
            was = [State.PENDING_PAYMENT]
            intents.change(
                intent, was=was, to=state, at=at, event="payment_ended", facts=facts, code=result, told_at=at if told else None
            )
    except BeatenError:
        return False
    return True


def _tell(intent: CheckoutIntent, *, result: str, total_paise: int) -> bool:
    """To the session, whose step will say it; or to the device, where the session has ended. True if it is said already."""
    data: dict[str, Any] = {"utterance": intent.utterance, "result": result, "total_paise": total_paise}
    if host.signal(intent.session_id, name="payment", data=data):
        return False
    reply = news.payment_result(telling.say_of(intent), result, total_paise)
    host.tell(intent.order.device_id, cause=f"payment:{intent.pk}", reply=reply, session_id=intent.session_id)
    return True
