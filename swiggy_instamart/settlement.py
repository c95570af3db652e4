"""What the operator may do about a checkout: guarded updates of the intent or its watch, each in its chain with who and why.

None of it calls checkout or confirm, and none lets anything be spent: after each of them only a new review and new words do.
That a checkout was not placed is answered by one more look, in a worker, and taken back by any later sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from interactions import host
from interactions.contracts import Reply
from interactions.sentences import Sentences
from swiggy_instamart import intents, late, news, notices, payments, telling
from swiggy_instamart.models import CheckoutIntent, IntentEvent, PaymentWatch

State = CheckoutIntent.State
NOT_PLACED = "not_placed"
LOOK = "swiggy_instamart.look"
SETTLED = "settled"  # the code of an intent that the operator has settled


class NotNowError(Exception):
    """It cannot be done as things stand; the message says why, and what to do. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something the operator can ask for, and in which states of the intent."""

    label: str
    states: tuple[str, ...]
    do: Callable[[CheckoutIntent, str, str, str], None]


def perform(act: str, intent_id: int, *, by: str, note: str, order_id: str = "") -> None:
    """Do it, or raise NotNowError."""
    if act not in ACTS:
        raise NotNowError("There is no such act; choose one of the list.")
    if not note.strip():
        raise NotNowError("Say why: the note is kept in the log of this checkout.")
    intent = CheckoutIntent.objects.select_related("order__account").get(pk=intent_id)
    if intent.state not in ACTS[act].states:
        raise NotNowError(f"It is {intent.get_state_display().lower()} now. Look at it again before you decide.")
    with transaction.atomic():
        ACTS[act].do(intent, by, note.strip()[:400], order_id.strip()[:200])


def possible(intent: CheckoutIntent) -> Mapping[str, str]:
    """What may be asked for as things stand: name -> label."""
    return {name: act.label for name, act in ACTS.items() if intent.state in act.states}


def _moved_on() -> NotNowError:
    return NotNowError("It changed a moment ago. Look at it again before you decide.")


# ---- placed or not ------------------------------------------------------------------------------------------------------


def _placed(intent: CheckoutIntent, by: str, note: str, order_id: str) -> None:
    """The operator has seen it at Swiggy."""
    at = timezone.now()
    told = _tell(intent, placed=True)
    personal = {"order_id": order_id} if order_id else {}
    fields: dict[str, Any] = {"order_ids": [order_id]} if order_id else {}
    fields |= {"next_look_at": None, "wish": "", "told_at": at if told else None}
    facts, was = {"by": by, "note": note}, list(ACTS["placed"].states)
    event = "settled_placed"
    if not intents.change(
        intent, was=was, to=State.PLACED, at=at, event=event, facts=facts, personal=personal, code=SETTLED, **fields
    ):
        raise _moved_on()


def _not_placed(intent: CheckoutIntent, by: str, note: str, order_id: str) -> None:
    """Only asked for here: the next look answers it."""
    at = timezone.now()
    if not intent.looks:
        raise NotNowError("Nobody has looked for it yet. Wait for the first look, then ask again.")
    open_ones = CheckoutIntent.objects.filter(pk=intent.pk, state__in=ACTS[NOT_PLACED].states, wish="")
    if not open_ones.update(wish=NOT_PLACED, next_look_at=at):
        raise NotNowError("That is being looked at already. The answer stands in the log of this checkout in a moment.")
    intents.append(intent, "not_placed_asked", at=at, facts={"by": by, "note": note})
    host.ring_after_commit(intent.pk, LOOK)


def answer(intent: CheckoutIntent, *, read: bool) -> None:
    """The look that the operator's word needed saw no such order, or could read nothing and so answers nothing."""
    at = timezone.now()
    asked = IntentEvent.objects.filter(intent=intent, name="not_placed_asked").order_by("-sequence").first()
    facts = {key: asked.facts.get(key, "") for key in ("by", "note")} if asked else {}
    with transaction.atomic():
        if not read:
            if CheckoutIntent.objects.filter(pk=intent.pk, wish=NOT_PLACED).update(wish=""):
                intents.append(intent, "not_placed_refused", at=at, facts={**facts, "why": "the orders could not be read"})
            return
        told = _tell(intent, placed=False)
        looked: dict[str, Any] = {"looks": F("looks") + 1, "wish": "", "told_at": at if told else None, "code": SETTLED}
        was = list(ACTS[NOT_PLACED].states)
        if not intents.change(intent, was=was, to=State.NOT_PLACED, at=at, event="settled_not_placed", facts=facts, **looked):
            transaction.set_rollback(True)


def _tell(intent: CheckoutIntent, *, placed: bool) -> bool:
    data = {"utterance": intent.utterance, "placed": placed}
    said, named = reply(telling.say_of(intent), placed=placed), cause(intent, placed=placed)
    return telling.of_intent(intent, name="settled", data=data, reply=said, cause=named)


def cause(intent: CheckoutIntent, *, placed: bool) -> str:
    return f"settled:{intent.pk}:{'placed' if placed else 'not'}"


def reply(say: Sentences, *, placed: bool) -> Reply:
    return news.settled_placed(say) if placed else news.settled_not_placed(say)


# ---- link and watch -----------------------------------------------------------------------------------------------------


def _resend(intent: CheckoutIntent, by: str, note: str, order_id: str) -> None:
    """To the linked user's own channel and screens, as the first time."""
    at = timezone.now()
    link = news.link_event(telling.say_of(intent), intent.bridge_url, total_paise=notices.billed(intent))
    before = IntentEvent.objects.filter(intent=intent, name=notices.RESENT).count()
    # The device is locked first, then the watch, then its intent.
    cause = f"link:{intent.pk}:again:{before + 1}"
    host.tell(intent.order.device_id, cause=cause, reply=link, session_id=intent.session_id)
    if not notices.owe(intent, at=at):  # it has ended meanwhile, and is not to be paid twice
        raise _moved_on()
    intents.append(intent, notices.RESENT, at=at, facts={"by": by, "note": note})


def _follow(intent: CheckoutIntent, by: str, note: str, order_id: str) -> None:
    """Read its status for a while longer. A confirm that may have been sent is never sent again."""
    at = timezone.now()
    watches = PaymentWatch.objects.filter(intent=intent).exclude(result=late.PAID)
    PaymentWatch.objects.filter(intent=intent, confirm_started_at=None).update(confirm_started_at=at)
    if not watches.exclude(ended_at=None).update(late_until=at + late.WINDOW, next_poll_at=at):
        raise _moved_on()
    intents.append(intent, "watch_rearmed", at=at, facts={"by": by, "note": note})
    host.ring_after_commit(watches.values_list("pk", flat=True)[0], payments.POLL)


ACTS: Mapping[str, Act] = {
    "placed": Act(
        "It was placed: I have seen it at Swiggy",
        (State.UNKNOWN, State.UNFOUND, State.NOT_PLACED, State.PAYMENT_UNKNOWN),
        _placed,
    ),
    NOT_PLACED: Act(
        "It was not placed: look once more, and settle it if nothing is seen", (State.UNKNOWN, State.UNFOUND), _not_placed
    ),
    "resend": Act("Send the payment link to its person again", (State.PENDING_PAYMENT,), _resend),
    "follow": Act("Follow its payment for half an hour more", (State.PAYMENT_UNKNOWN, State.UNPAID), _follow),
}
