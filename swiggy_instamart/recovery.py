"""After a recovery: what was begun is unknown, and the account's orders are searched for one that no intent here tells of.

The database may have lost a review, a consent, an intent, or a whole session; only the shop still knows. Until the search has
ended nothing of the account is reviewed, and the next review opens with what was found or may exist. It only ever reads.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from interactions import host
from interactions.contracts import EffectError
from swiggy_instamart import accounts, intents, late, linked, lookups, mcp, news, payments, telling
from swiggy_instamart.history import OrderSeen
from swiggy_instamart.models import Account, CheckoutIntent, IntentEvent, Order, PaymentWatch, Recovery, StrayOrder
from swiggy_instamart.options import Options
from swiggy_instamart.shop import Swiggy

log = logging.getLogger(__name__)

State = CheckoutIntent.State
SEARCH = "swiggy_instamart.search_orders"
HEARD_S = 3  # whoever is in an order hears of it before the search begins
DOUBT = timedelta(hours=24)  # how long what may exist opens every review
BEFORE = timedelta(minutes=10)  # how far the shop's clock may lag behind ours
LOOKED_FOR = Q(state__in=[State.STARTED, State.UNKNOWN]) | Q(state__in=lookups.LOOKED_FOR, next_look_at__isnull=False)


# ---- the beginning ------------------------------------------------------------------------------------------------------


def begin(*, at: datetime, options: Options) -> Mapping[str, int]:
    """Bar the accounts first; then whatever no session will come to. Outside any transaction; may be called again."""
    return {
        "accounts: their orders are searched before anything is reviewed": sum(
            _search(one, at, options) for one in _accounts()
        ),
        "checkouts without a session: unknown, said so, and looked up": _leave_behind(at, options),
        "payments: followed on, and taken for confirmed by us already": _follow_on(at),
    }


def _accounts() -> list[Account]:
    """All there are, and the linked user's, whose very first order may be what was lost."""
    owner = linked.lookup().user
    if owner is not None:
        Account.objects.get_or_create(user_id=owner)
    return list(Account.objects.order_by("pk"))


def _search(account: Account, at: datetime, options: Options) -> bool:
    until = at + timedelta(seconds=options.lookup_s)
    due = {"look_until": until, "next_look_at": at + timedelta(seconds=HEARD_S)}
    with transaction.atomic():
        # Whoever was calling when it happened may still be; the account is blocked no longer than the search runs.
        accounts.keep_quiet(account.user_id, until=min(until, at + accounts.LONGEST))
        if not Recovery.objects.filter(account=account, ended_at=None).update(**due):
            Recovery.objects.create(account=account, at=at, since=_known_until(account, at), **due)
    return True


def _known_until(account: Account, at: datetime) -> datetime:
    """The last that the rows tell of this account; what came after it may be missing."""
    orders = Order.objects.filter(account=account).aggregate(Max("opened_at"), Max("session_ended_at"), Max("closed_at"))
    events = IntentEvent.objects.filter(intent__order__account=account).aggregate(Max("at"))
    known: list[datetime] = [one for one in (*orders.values(), *events.values()) if one is not None and one <= at]
    return max([at - DOUBT, *known]) - BEFORE


def _leave_behind(at: datetime, options: Options) -> int:
    """The session of a checkout says itself that it is unknown, unless it has ended."""
    begun = CheckoutIntent.objects.filter(state=State.STARTED).select_related("order").order_by("pk")
    alone = [intent for intent in begun if not host.is_active(intent.session_id)]
    return sum(lookups.leave_behind(intent, at=at, code="recovered", look_s=options.lookup_s) for intent in alone)


def _follow_on(at: datetime) -> int:
    """``confirm_order`` may have been sent by a moment that was lost, and it is sent once at most: it counts as sent."""
    watched = PaymentWatch.objects.filter(late.still_watched(at)).select_related("intent").order_by("pk")
    for watch in watched:
        with transaction.atomic():
            if PaymentWatch.objects.filter(pk=watch.pk, confirm_started_at=None).update(confirm_started_at=at):
                intents.append(watch.intent, "confirm_presumed", at=at, facts={})
            PaymentWatch.objects.filter(pk=watch.pk).update(**payments.FREE, next_poll_at=at)
    return len(watched)


# ---- the search ---------------------------------------------------------------------------------------------------------


def due(now: datetime) -> None:
    """Ring for the searches whose next look is due."""
    for recovery in Recovery.objects.filter(ended_at=None, next_look_at__lte=now).values_list("pk", flat=True)[:20]:
        host.ring_after_commit(recovery, SEARCH)


def search(recovery_id: int) -> None:
    """One look at the orders; the last one ends the search, whether or not anything could be read."""
    now = timezone.now()
    mine = Recovery.objects.filter(pk=recovery_id, ended_at=None, next_look_at__lte=now)
    if not mine.update(next_look_at=now + timedelta(seconds=lookups.AGAIN_S)):
        return
    recovery = Recovery.objects.select_related("account").get(pk=recovery_id)
    over = recovery.look_until
    try:
        found, doubted = _strays(mcp.swiggy(), recovery)
    except EffectError as error:
        log.warning("recovery %s: orders not read: %s", recovery_id, error.code)
    except Exception:  # the edge of the task: whatever breaks, the account is not blocked for longer than the search
        log.exception("recovery %s: a look broke", recovery_id)
    else:
        Recovery.objects.filter(pk=recovery_id).update(looks=F("looks") + 1)
        for order in found:
            _note(recovery, order)
        if lookups.hurry(doubted, now=now):
            over += timedelta(seconds=4 * lookups.AGAIN_S)  # nothing is reviewed before that look was told
    if timezone.now() >= over:
        _end(recovery)


def _strays(shop: Swiggy, recovery: Recovery) -> tuple[list[OrderSeen], list[int]]:
    """Orders since then that no intent knows; and the intents that one of them may belong to, whose own look finds it."""
    lookups.check_linked(recovery.account)
    pages = [
        page for page in shop.wave(shop.orders, lambda: shop.orders(active_only=True)) if not isinstance(page, EffectError)
    ]
    if not pages:
        raise lookups.BlindError
    account = recovery.account
    mine = CheckoutIntent.objects.filter(order__account=account)
    known = {order_id for ids in mine.values_list("order_ids", flat=True) for order_id in ids} | strays_of(account.pk)
    doubtful = list(mine.filter(LOOKED_FOR))
    seen = {order.order_id: order for page in pages for order in page if order.order_id not in known}
    recent = [one for one in seen.values() if (one.created_at >= recovery.since if one.created_at else one.active)]
    doubted = {intent.pk: order for intent in doubtful for order in recent if lookups.matches(order, intent)}
    return [order for order in recent if order not in doubted.values()], sorted(doubted)


def strays_of(account: int) -> set[str]:
    return set(StrayOrder.objects.filter(account=account).values_list("order_id", flat=True))


def _note(recovery: Recovery, order: OrderSeen) -> None:
    try:
        _record(recovery, order)
    except Exception as error:  # noqa: BLE001  the edge of one order; its type alone, since a database quotes rows in its message
        log.error("recovery %s: an order could not be recorded: %s", recovery.pk, type(error).__name__)


def _record(recovery: Recovery, order: OrderSeen) -> None:
    """Told once, written down, and the operator alarmed, in one commit."""
    at, account = timezone.now(), recovery.account
    fields = {"status": order.status[:60], "total_paise": order.total_paise, "placed_at": order.created_at, "seen_at": at}
    with transaction.atomic():
        cause = f"stray:{hashlib.sha256(order.order_id.encode()).hexdigest()[:24]}"
        said = news.stray(telling.say_to(account), told_of(order))
        told = telling.to_account(account, name="stray", data=told_of(order), reply=said, cause=cause)
        row, new = StrayOrder.objects.get_or_create(account=account, order_id=order.order_id[:200], defaults=fields)
        if not new:
            transaction.set_rollback(True)
            return
        if told:
            StrayOrder.objects.filter(pk=row.pk).update(told_at=at)
        host.alarm(f"stray:{row.pk}", f"After the recovery Swiggy lists an order that no checkout here knows (row {row.pk}).")


def told_of(order: OrderSeen | StrayOrder) -> dict[str, Any]:
    """What a session is told, as a Signal can carry it."""
    placed_at = order.created_at if isinstance(order, OrderSeen) else order.placed_at
    when = f"{timezone.localtime(placed_at):%H:%M}" if placed_at else ""
    return {"order_id": order.order_id, "status": order.status, "total_paise": order.total_paise, "when": when}


def untold(account: int) -> list[tuple[StrayOrder, dict[str, Any]]]:
    """Found, and its session ended before it got to say so."""
    return [(row, told_of(row)) for row in StrayOrder.objects.filter(account=account, told_at=None).order_by("pk")]


def _end(recovery: Recovery) -> None:
    at, account = timezone.now(), recovery.account
    with transaction.atomic():
        session = accounts.session_of(account.pk)
        if session is not None:  # elsewhere nobody waits for it
            read = Recovery.objects.filter(pk=recovery.pk, looks__gt=0).exists()
            host.signal(session, name="searched", data={"read": read})
        Recovery.objects.filter(pk=recovery.pk, ended_at=None).update(ended_at=at, next_look_at=None)


# ---- what a review must know --------------------------------------------------------------------------------------------


def known(user: int, *, now: datetime) -> dict[str, Any]:
    """What a review must open with, or wait for."""
    return {"maybe": may_exist(user, now=now), "blocked": intents.unresolved(user), "recovering": is_open(user)}


def is_open(user: int) -> bool:
    return Recovery.objects.filter(account__user_id=user, ended_at=None).exists()


def may_exist(user: int, *, now: datetime) -> list[dict[str, Any]]:
    """What may be ordered already, as the read-back opens with it: checkouts, orders that nobody here knows, lost moments.

    The last until somebody consented after having heard it.
    """
    since = now - DOUBT
    rows: list[dict[str, Any]] = [_of(one.total_paise, one.created_at) for one in intents.may_exist(user, since=since)]
    strays = StrayOrder.objects.filter(account__user_id=user, seen_at__gte=since).order_by("pk")
    rows += [_of(stray.total_paise, stray.placed_at or stray.seen_at) for stray in strays]
    for recovery in Recovery.objects.filter(account__user_id=user, at__gte=since).exclude(ended_at=None).order_by("pk"):
        later = CheckoutIntent.objects.filter(order__account=recovery.account_id, created_at__gt=recovery.at)
        found = StrayOrder.objects.filter(account=recovery.account_id, seen_at__gte=recovery.at)
        if not later.exists() and not found.exists():
            rows.append(_of(None, recovery.at))
    return rows


def _of(total_paise: int | None, at: datetime) -> dict[str, Any]:
    return {"total_paise": total_paise, "when": f"{timezone.localtime(at):%H:%M}"}
