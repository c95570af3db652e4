"""The one writer of what an order leaves in the database, in the transaction of the step that decided it.

``accounts`` says whose turn it is, ``intents`` keeps the chain, ``payments`` and ``lookups`` go on after the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from interactions import host
from interactions.contracts import Call, Done, Outcome, Standing
from swiggy_instamart import (
    accounts,
    adoption,
    failing,
    intents,
    lookups,
    news,
    notices,
    openings,
    payments,
    recovery,
    rows,
    wording,
)
from swiggy_instamart.models import CheckoutIntent, Order, PaymentWatch, StrayOrder
from swiggy_instamart.options import Options

State = CheckoutIntent.State
LOOKED_AT = (State.SEEN, State.UNFOUND, State.NOT_PLACED)  # an answer in hand outweighs them


def record(standing: Standing, written: tuple[Any, ...], *, at: datetime, checkpoint: int | None, options: Options) -> None:
    """Write the rows of a step. An IntegrityError discards the step; nothing else may be raised here."""
    for row in written:
        WRITERS[type(row)](standing, row, at, checkpoint, options)


def _open(standing: Standing, row: rows.OpenOrder, at: datetime, checkpoint: int | None, options: Options) -> None:
    accounts.open_order(standing, at=at)


def _moved(standing: Standing, row: rows.Moved, at: datetime, checkpoint: int | None, options: Options) -> None:
    Order.objects.filter(session_id=standing.session, closed_at=None).update(device_id=standing.device)


def _read_back(standing: Standing, row: rows.ReadBack, at: datetime, checkpoint: int | None, options: Options) -> None:
    """Words that are meant for a practice of the same person would be good for this order now."""
    for session in host.active_sessions(openings.PRACTICE, user_id=standing.user):
        host.end(session, reason=openings.OVERHEARD)


def _intend(standing: Standing, row: rows.Intend, at: datetime, checkpoint: int | None, options: Options) -> None:
    order = Order.objects.filter(session_id=standing.session, closed_at=None).first()
    if order is None or checkpoint is None:
        raise IntegrityError("order_of_session")
    if recovery.is_open(standing.user):
        raise IntegrityError("recovery_open")
    if intents.unresolved(standing.user):  # an answer came late, of an order that had been closed
        raise IntegrityError("checkout_open")
    review = row.review
    intent = CheckoutIntent.objects.create(
        order=order,
        utterance=row.utterance,
        session_id=standing.session,
        checkpoint=checkpoint,
        revision=review["revision"],
        address_id=review["address_id"],
        address_label=review["label"],
        lines=review["lines"],
        total_paise=review["total_paise"],
        fingerprint=review["fingerprint"],
        created_at=at,
    )
    facts = {"revision": review["revision"], "fingerprint": review["fingerprint"], "total_paise": review["total_paise"]}
    personal = {"lines": review["lines"], "address_id": review["address_id"], "address_label": review["label"]}
    intents.append(intent, "intended", at=at, facts={**facts, "utterance": row.utterance}, personal=personal)


def _await(standing: Standing, row: rows.Awaits, at: datetime, checkpoint: int | None, options: Options) -> None:
    intent = _intent(row.utterance)
    payments.watch(intent, row, at=at, options=options)


def _end(standing: Standing, row: rows.Ended, at: datetime, checkpoint: int | None, options: Options) -> None:
    fields: dict[str, Any] = {"code": str(row.facts.get("code", ""))[:64]}
    if row.state == State.UNKNOWN:
        fields |= {
            "look_until": at + timedelta(seconds=options.lookup_s),
            "next_look_at": at + timedelta(seconds=options.lookup_interval_s),
        }
    if row.state == State.PLACED:
        fields |= {"order_ids": row.facts["order_ids"], "billed_paise": row.facts["total_paise"]}
    facts = {"code": fields["code"]}
    personal = {key: row.facts[key] for key in ("message", "order_ids") if row.facts.get(key)}
    intents.change(
        _intent(row.utterance),
        was=[State.STARTED, State.UNKNOWN, *(LOOKED_AT if row.state == State.PLACED else ())],
        to=row.state,
        at=at,
        event=row.state,
        facts=facts,
        personal=personal,
        **fields,
    )


def _looked(standing: Standing, row: rows.Looked, at: datetime, checkpoint: int | None, options: Options) -> None:
    lookups.store(_intent(row.utterance), order=row.order, at=at)


def _told(standing: Standing, row: rows.Told, at: datetime, checkpoint: int | None, options: Options) -> None:
    # The watch before its intent, as its end and its confirm do.
    PaymentWatch.objects.filter(intent__utterance=row.utterance, told_at=None).update(told_at=at)
    CheckoutIntent.objects.filter(utterance=row.utterance, told_at=None).update(told_at=at)


def _told_stray(standing: Standing, row: rows.ToldStray, at: datetime, checkpoint: int | None, options: Options) -> None:
    StrayOrder.objects.filter(account__user_id=standing.user, order_id=row.order_id, told_at=None).update(told_at=at)


WRITERS: Mapping[type, Callable[[Standing, Any, datetime, int | None, Options], None]] = {
    rows.OpenOrder: _open,
    rows.Moved: _moved,
    rows.ReadBack: _read_back,
    rows.Intend: _intend,
    rows.Awaits: _await,
    rows.Ended: _end,
    rows.Looked: _looked,
    rows.Told: _told,
    rows.ToldStray: _told_stray,
}


def _intent(utterance: int) -> CheckoutIntent:
    found = CheckoutIntent.objects.select_related("order").filter(utterance=utterance).first()
    if found is None:
        raise IntegrityError("intent_of_utterance")
    return found


# ---- the end of a session -----------------------------------------------------------------------------------------------


def close(standing: Standing, *, reason: str, at: datetime) -> None:
    """The session ends: its order closes with it, unless a checkout of it is unresolved. What was not told yet is told now."""
    order = Order.objects.filter(session_id=standing.session).first()
    if order is None:
        return
    # Whatever is still to be told is told where the session was last.
    Order.objects.filter(pk=order.pk, session_ended_at=None).update(session_ended_at=at, device_id=standing.device)
    accounts.release(order.pk, reason=reason, at=at)
    say = wording.of(standing.lang)
    ended = PaymentWatch.objects.filter(intent__order__account=order.account_id, told_at=None).exclude(ended_at=None)
    for watch in ended.select_related("intent"):  # also of an earlier order that was paid late: this session was to say it
        PaymentWatch.objects.filter(pk=watch.pk, told_at=None).update(told_at=at)
        late = watch.intent.order_id != order.pk
        reply = news.payment_result(say, watch.result, watch.intent.billed_paise, late=late)
        host.tell(standing.device, cause=f"{'late' if late else 'payment'}:{watch.intent_id}", reply=reply)
    for intent, cause, reply in lookups.untold(order):
        CheckoutIntent.objects.filter(pk=intent.pk, told_at=None).update(told_at=at)
        host.tell(standing.device, cause=cause, reply=reply)
    for stray, said in recovery.untold(order.account_id):
        StrayOrder.objects.filter(pk=stray.pk, told_at=None).update(told_at=at)
        host.tell(standing.device, cause=f"stray:{stray.pk}", reply=news.stray(say, said))
    if not standing.state.get("payment"):  # an answer that came late, and whose Signal ends with the session
        for intent in CheckoutIntent.objects.filter(order=order, state=State.PENDING_PAYMENT):
            total = intent.billed_paise
            adoption.hand_over(intent, link=intent.bridge_url, total_paise=total, device=standing.device)
            notices.owe(intent, at=at)


def witness(call: Call, outcome: Outcome, *, options: Options) -> None:
    """The answer of a checkout whose session went on without it: kept as evidence, and followed where there is a payment."""
    intent = CheckoutIntent.objects.select_related("order").filter(checkpoint=call.checkpoint).first()
    if intent is None:
        return
    at = timezone.now()
    result = dict(outcome.result) if isinstance(outcome, Done) else {}
    # Either locks the session, so it comes first.
    if result.get("placing") == "pending_payment":
        adoption.adopt(intent, result, at=at, options=options)
    elif result.get("placing") == "placed" and intent.state in lookups.LOOKED_FOR:
        order = {"order_id": result["order_ids"][0], "status": "placed", "total_paise": result["total_paise"]}
        lookups.conclude(intent, order)
    personal = {key: result[key] for key in ("order_ids", "paas_id", "transaction_id", "link") if result.get(key)}
    facts = {"outcome": type(outcome).__name__.lower(), "code": failing.code_of(outcome)}
    intents.append(intent, "witnessed", at=at, facts=facts, personal=personal)
