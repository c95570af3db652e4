"""The life of a checkout intent: every change is a guarded update that counts its rows, and an event chained to the one before.

Every function that writes expects a transaction. An open intent keeps its order open; the change that resolves it may close it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from interactions import host
from interactions.contracts import Json
from swiggy_instamart import accounts
from swiggy_instamart.models import OPEN_STATES, CheckoutIntent, IntentEvent

State = CheckoutIntent.State


def by_utterance(utterance: int) -> CheckoutIntent | None:
    return CheckoutIntent.objects.select_related("order__account").filter(utterance=utterance).first()


def change(
    intent: CheckoutIntent,
    *,
    was: Sequence[str],
    to: str,
    at: datetime,
    event: str,
    facts: Json,
    personal: Json | None = None,
    **fields: Any,
) -> bool:
    """Move the intent on if it still stands where ``was`` says; False if somebody was first, and then nothing is written."""
    resolved = None if to in OPEN_STATES else at
    changed = CheckoutIntent.objects.filter(pk=intent.pk, state__in=was).update(state=to, resolved_at=resolved, **fields)
    if not changed:
        return False
    append(intent, event, at=at, facts={**facts, "state": to}, personal=personal)
    host.mark_open(intent.checkpoint, since=intent.created_at if resolved is None else None)
    if resolved is not None:
        accounts.release(intent.order_id, reason=to, at=at)
    if to == State.UNKNOWN:
        host.alarm(
            f"unknown:{intent.pk}", f"Checkout {intent.pk} has no known outcome. It is being looked up; check Swiggy too."
        )
    return True


# ---- the chain ----------------------------------------------------------------------------------------------------------


def append(intent: CheckoutIntent, name: str, *, at: datetime, facts: Json, personal: Json | None = None) -> IntentEvent:
    """Add an event. The UPDATE of the intent's row is the lock that numbers them."""
    CheckoutIntent.objects.filter(pk=intent.pk).update(revision=intent.revision)
    last = IntentEvent.objects.filter(intent=intent).order_by("-sequence").first()
    salt = secrets.token_hex(16)
    words = dict(personal or {})
    event = IntentEvent(
        intent=intent,
        sequence=last.sequence + 1 if last else 1,
        name=name,
        at=at,
        facts=dict(facts),
        personal=words,
        salt=salt,
        digests={key: _digest(salt, value) for key, value in words.items()},
        previous=last.hash if last else "",
    )
    event.hash = digest(event)
    event.save()
    return event


def digest(event: IntentEvent) -> str:
    body = [event.previous, event.intent_id, event.sequence, event.name, event.at.isoformat(), event.facts, event.digests]
    return hashlib.sha256(_canonical(body)).hexdigest()


def verify(intent: CheckoutIntent) -> bool:
    """Whether the chain is whole: nothing changed, left out or reordered, and the words left are those it was made of."""
    previous = ""
    for number, event in enumerate(IntentEvent.objects.filter(intent=intent).order_by("sequence"), 1):
        whole = event.sequence == number and event.previous == previous and event.hash == digest(event)
        if not whole or any(event.digests.get(key) != _digest(event.salt, value) for key, value in event.personal.items()):
            return False
        previous = event.hash
    return True


def redact(intent: CheckoutIntent) -> None:
    """Remove the personal words of every event; their digests, and so the chain, stay."""
    IntentEvent.objects.filter(intent=intent).update(personal={}, salt="")


def _digest(salt: str, value: Any) -> str:
    return hmac.new(salt.encode(), _canonical(value), hashlib.sha256).hexdigest()


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


# ---- what a review must know --------------------------------------------------------------------------------------------


def may_exist(user: int, *, since: datetime) -> list[CheckoutIntent]:
    """Checkouts that nobody saw and nobody ruled out: the next review opens with them."""
    doubtful = (State.UNKNOWN, State.UNFOUND, State.PAYMENT_UNKNOWN)
    found = CheckoutIntent.objects.filter(order__account__user_id=user, state__in=doubtful, created_at__gte=since)
    return list(found.order_by("created_at"))


def unresolved(user: int) -> bool:
    return CheckoutIntent.objects.filter(order__account__user_id=user, state__in=OPEN_STATES).exists()
