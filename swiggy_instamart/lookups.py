"""Looking for an order whose checkout got no answer. Only a positive sight counts; that it is absent proves nothing.

The session looks once by itself; after that the sweep goes on until ``look_until``, with or without the session.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from interactions import host
from interactions.contracts import EffectError, Json, NoAnswerError, Reply
from swiggy_instamart import intents, linked, mcp, news, settlement, telling
from swiggy_instamart.history import OrderSeen
from swiggy_instamart.models import Account, CheckoutIntent, IntentEvent, Order, StrayOrder
from swiggy_instamart.shop import Swiggy

log = logging.getLogger(__name__)

State = CheckoutIntent.State
LOOK = "swiggy_instamart.look"
AGAIN_S = 15
STALE = timedelta(minutes=5)  # far beyond the call's 60 s and any lease over it
STALE_LOOK_S = 180
EARLY, LATE = timedelta(minutes=2), timedelta(minutes=15)
LATER, LONGEST = timedelta(minutes=5), timedelta(hours=24)  # looks after the look-up ended: ever rarer, for a day

LOOKED_FOR = [State.UNKNOWN, State.UNFOUND, State.NOT_PLACED]  # a sight reopens the last two


class BlindError(NoAnswerError):
    """None of the lists could be read, so nothing was looked up."""

    code = "unread"


def check_linked(account: Account) -> None:
    """The sign-in shows the orders of whoever is linked now; nobody else is told of them."""
    if not linked.is_linked(account.user_id):
        raise BlindError("not_linked")


def evidence(shop: Swiggy, intent: CheckoutIntent) -> dict[str, Any]:
    """One look at the orders, the active ones and the cart, together. ``order`` is the one positively seen, or None."""
    check_linked(intent.order.account)
    listed, active, cart = shop.wave(shop.orders, lambda: shop.orders(active_only=True), shop.cart)
    seen = [rows for rows in (listed, active) if not isinstance(rows, EffectError)]
    if not seen:
        raise BlindError
    known = {number for ids in _other_ids(intent) for number in ids}
    hits = [order for rows in seen for order in rows if order.order_id not in known and matches(order, intent)]
    emptied = None if isinstance(cart, EffectError) else not cart.lines
    order = {"order_id": hits[0].order_id, "status": hits[0].status, "total_paise": hits[0].total_paise} if hits else None
    return {"order": order, "cart_emptied": emptied}


def _other_ids(intent: CheckoutIntent) -> list[list[str]]:
    account = intent.order.account_id
    others = CheckoutIntent.objects.filter(order__account_id=account).exclude(pk=intent.pk)
    strays = list(StrayOrder.objects.filter(account_id=account).values_list("order_id", flat=True))
    return [*others.values_list("order_ids", flat=True), strays]


def matches(order: OrderSeen, intent: CheckoutIntent) -> bool:
    """The amount to the paisa, and the time; an order that tells no time must at least be active."""
    if order.total_paise != intent.total_paise:
        return False
    if order.created_at is None:
        return order.active
    return intent.created_at - EARLY <= order.created_at <= intent.created_at + LATE


def store(intent: CheckoutIntent, *, order: Json | None, at: datetime) -> bool:
    """Write down one look that could read. Expects a transaction; True if the order was seen now for the first time."""
    CheckoutIntent.objects.filter(pk=intent.pk).update(looks=F("looks") + 1)
    if order is None:
        return False
    was = [*LOOKED_FOR, State.REFUSED]
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
        next_look_at=None,
        wish="",
    )


def due(now: datetime) -> None:
    """Ring for unknown checkouts whose next look is due."""
    _rescue(now)
    _take_over(now)
    waiting = CheckoutIntent.objects.filter(state__in=LOOKED_FOR, next_look_at__lte=now).order_by("next_look_at")
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
    left = CheckoutIntent.objects.filter(state=State.STARTED, created_at__lte=now - STALE).select_related("order")
    for intent in left[:20]:
        leave_behind(intent, at=now, code="left_behind", look_s=STALE_LOOK_S)


def leave_behind(intent: CheckoutIntent, *, at: datetime, code: str, look_s: int) -> bool:
    """Nobody brings its answer any more: it is unknown, and that is said before the first look. False if somebody did."""
    until = at + timedelta(seconds=look_s)
    looks: dict[str, Any] = {"look_until": until, "next_look_at": at}
    was, to, facts = [State.STARTED], State.UNKNOWN, {"code": code}
    with transaction.atomic():
        device, session = intent.order.device_id, intent.session_id
        host.tell(device, cause=f"unknown:{intent.pk}", reply=news.unknown(telling.say_of(intent)), session_id=session)
        changed = intents.change(intent, was=was, to=to, at=at, event="unknown", facts=facts, code=code, **looks)
        if not changed:
            transaction.set_rollback(True)
    return changed


def look(intent_id: int) -> None:
    """One more look; the last of the look-up gives up, says so, and lets the account order again. After it come rarer ones."""
    now, me = timezone.now(), host.holder()
    due_ones = CheckoutIntent.objects.filter(pk=intent_id, state__in=LOOKED_FOR, next_look_at__lte=now)
    intent = due_ones.select_related("order__account").first()
    if intent is None:
        return
    again = now + timedelta(seconds=AGAIN_S) if intent.state == State.UNKNOWN else _later(intent, now)
    if not due_ones.filter(next_look_at=intent.next_look_at).update(next_look_at=again, looked_by=me):
        return
    _look(intent)
    CheckoutIntent.objects.filter(pk=intent_id, looked_by=me).update(looked_by="")


def hurry(doubted: Sequence[int], *, now: datetime) -> int:
    """Look at once for checkouts that an order was seen to match, however rare their looks have become."""
    waiting = CheckoutIntent.objects.filter(pk__in=doubted, state__in=LOOKED_FOR)
    found = list(waiting.values_list("pk", flat=True))
    if found:
        waiting.filter(next_look_at__gt=now).update(next_look_at=now)
    for intent in found:
        host.ring_after_commit(intent, LOOK)
    return len(found)


def hurry_before_a_review(user: int, *, now: datetime) -> None:
    """What a list shows by now must not be bought again: a sight reaches the session before its words can spend."""
    mine = CheckoutIntent.objects.filter(order__account__user_id=user, next_look_at__isnull=False)
    hurry(list(mine.values_list("pk", flat=True)), now=now)


def _later(intent: CheckoutIntent, now: datetime) -> datetime | None:
    """A list of orders may be old for long, so the looks go on for a day, each after as long again."""
    wait = max(LATER, now - intent.created_at)
    return now + wait if now + wait <= intent.created_at + LONGEST else None


def _look(intent: CheckoutIntent) -> None:
    order, read = None, False
    try:
        order = evidence(mcp.swiggy(), intent)["order"]
        read = True
    except EffectError as error:
        log.warning("intent %s: not looked up: %s", intent.pk, error.code)
    except Exception:  # the edge of the task: whatever breaks, the account is not blocked for longer than the look-up
        log.exception("intent %s: a look broke", intent.pk)
    over = intent.state == State.UNKNOWN and intent.look_until is not None and timezone.now() >= intent.look_until
    if order is None and intent.wish:
        settlement.answer(intent, read=read)
    elif order is not None or over:
        conclude(intent, order)
    elif read:
        with transaction.atomic():
            store(intent, order=None, at=timezone.now())


def conclude(intent: CheckoutIntent, order: Json | None) -> None:
    """Seen, or given up: written down and told in one commit, once. A sight after the end also alarms the operator."""
    at = timezone.now()
    data = {"utterance": intent.utterance, "order": dict(order) if order else None}
    say = telling.say_of(intent)
    reply = news.seen(say, order) if order else news.may_be_placed(say)
    with transaction.atomic():
        told = telling.of_intent(intent, name="lookup", data=data, reply=reply, cause=cause(intent, seen=order is not None))
        if not (store(intent, order=order, at=at) if order else _give_up(intent, at=at)):
            transaction.set_rollback(True)
            log.info("intent %s was settled meanwhile", intent.pk)
            return
        CheckoutIntent.objects.filter(pk=intent.pk).update(told_at=at if told else None)
        if order is None:
            host.alarm(
                f"unfound:{intent.pk}", f"Checkout {intent.pk} was not found, and may exist. Check Swiggy and settle it."
            )
        elif intent.state != State.UNKNOWN:
            said = f"Checkout {intent.pk} ({intent.state}) is listed at Swiggy after all, and is open again."
            host.alarm(f"seen:{intent.pk}", said)


def untold(order: Order) -> list[tuple[CheckoutIntent, str, Reply]]:
    """What came to light of this account's checkouts without a session getting to say so: its cause, and what is to be said.

    The session of a later order may have been the one to say it.
    """
    ended = Q(state__in=(State.SEEN, State.UNFOUND, State.NOT_PLACED)) | Q(state=State.PLACED, code=settlement.SETTLED)
    found = CheckoutIntent.objects.filter(ended, order__account=order.account_id, told_at=None).order_by("pk")
    return [(intent, *_late(intent)) for intent in found]


def _late(intent: CheckoutIntent) -> tuple[str, Reply]:
    say = telling.say_of(intent)
    if intent.state in (State.NOT_PLACED, State.PLACED):
        placed = intent.state == State.PLACED
        return settlement.cause(intent, placed=placed), settlement.reply(say, placed=placed)
    if intent.state == State.UNFOUND:
        return cause(intent, seen=False), news.may_be_placed(say)
    event = IntentEvent.objects.filter(intent=intent, name="seen").order_by("-sequence").first()
    status = event.facts.get("status", "") if event is not None else ""
    said = news.seen(say, {"order_id": next(iter(intent.order_ids), ""), "status": status})
    return cause(intent, seen=True), said


def cause(intent: CheckoutIntent, *, seen: bool) -> str:
    """What is told of a look-up outside a session: its end, and once more the sight that may come after it."""
    return f"{'seen' if seen else 'lookup'}:{intent.pk}"


def _give_up(intent: CheckoutIntent, *, at: datetime) -> bool:
    facts, later = {"looks": intent.looks}, _later(intent, at)
    return intents.change(
        intent, was=[State.UNKNOWN], to=State.UNFOUND, at=at, event="unfound", facts=facts, next_look_at=later
    )
