"""The calls of the mode, one function each: who may make them, and when. They decide nothing else.

What is then done at the shop is in ``errands`` and, where it changes the cart, in ``writes``. The checkout is made once, by
the holder that began it, and only while its words are fresh and the account is quiet.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from interactions import host
from interactions.contracts import (
    Call,
    Json,
    NoAnswerError,
    NotSentError,
    NotYetError,
    OvertakenError,
    TurnedDownError,
)
from swiggy_instamart import (
    accounts,
    blocking,
    errands,
    intents,
    linked,
    lookups,
    mcp,
    notices,
    readiness,
    recovery,
    remembering,
    reviews,
    tracking,
)
from swiggy_instamart.models import CheckoutIntent
from swiggy_instamart.options import Options
from swiggy_instamart.shop import Swiggy

BOUGHT = (CheckoutIntent.State.PLACED, CheckoutIntent.State.PAID, CheckoutIntent.State.SEEN)
ORDERS_RECALLED = 10


def perform(call: Call, *, options: Options) -> Json:
    _check_linked(call)
    readiness.check(call.effect, options)
    return EFFECTS[call.effect](call, options)


def _check_linked(call: Call) -> None:
    """The operator may have linked the account to somebody else since the order was opened: its cart is theirs now."""
    if call.effect in UNLINKED or linked.is_linked(call.user):
        return
    raise NotSentError("not_linked") if call.effect == "checkout" else TurnedDownError("not_linked")


def _shop() -> Swiggy:
    return mcp.swiggy()


def _check_quiet(call: Call) -> None:
    accounts.check_quiet(call, now=timezone.now())


HERE = errands.Counter(_shop, _check_quiet)


# ---- reads --------------------------------------------------------------------------------------------------------------


def addresses(call: Call, options: Options) -> Json:
    """Who may order is settled before the shop is asked anything."""
    owner = linked.lookup().user
    if owner is None:
        raise TurnedDownError("not_configured")
    if owner != call.user:
        raise TurnedDownError("not_linked")
    verdict = readiness.opening(options)
    accounts.note_sign_in(call.user, ends_at=verdict.expires_at)
    other = accounts.elsewhere(call.user, session=call.session)
    if other is not None:
        order = other.pop("order")
        minutes = blocking.minutes_left(order, now=timezone.now()) if other["paying"] else None
        return {"elsewhere": {**other, "minutes": minutes}, "addresses": []}
    found = errands.addresses(HERE.reading(call, options))
    doubt = recovery.is_open(call.user) or bool(recovery.may_exist(call.user, now=timezone.now()))
    return {"elsewhere": None, "addresses": found, "sign_in_ending": verdict.state == "ending", "doubt": doubt}


def review(call: Call, options: Options) -> Json:
    """Cart and payment options in one wave; whether the payment link could reach anyone; checkouts that may exist."""
    lookups.hurry_before_a_review(call.user, now=timezone.now())
    return {
        **errands.read_back(HERE.reading(call, options), call.payload),
        "reachable": host.call_plugin("hermes", "reach", {"user": call.user}).ok,
        **recovery.known(call.user, now=timezone.now()),
    }


def recall(call: Call, options: Options) -> Json:
    """What this account last bought through us."""
    bought = CheckoutIntent.objects.filter(order__account__user_id=call.user, state__in=BOUGHT).order_by("-pk")
    orders = [list(lines) for lines in bought.values_list("lines", flat=True)[:ORDERS_RECALLED]]
    return {"lines": remembering.named(orders, call.payload["query"])}


def lookup(call: Call, options: Options) -> Json:
    intent = _intent(call.payload["utterance"])
    return lookups.evidence(HERE.reading(call, options), intent)


def orders(call: Call, options: Options) -> Json:
    return tracking.answer(HERE.reading(call, options), user=call.user, now=timezone.now())


# ---- spends -------------------------------------------------------------------------------------------------------------


def checkout(call: Call, options: Options) -> Json:
    """The one call that spends. Whatever is raised before ``checkout`` is proven not sent; nothing after it is."""
    now = timezone.now()
    if not reviews.fresh(call.payload["said_at"], at=now):
        raise NotSentError("too_late")
    try:
        accounts.check_quiet(call, now=now)
    except (NotYetError, OvertakenError) as error:
        raise NotSentError(error.code) from error
    return errands.place(HERE.writing(call), call.payload["address"])


def notify(call: Call, options: Options) -> Json:
    """Send the payment link to the linked user's own channel; it comes from the intent and is never part of the payload."""
    intent = _intent(call.payload["utterance"])
    result = notices.send(intent, user=call.user, delivery=str(call.payload["round"]))
    if not result.ok and result.error.startswith(notices.TRY_AGAIN):
        raise NoAnswerError("unreachable")  # tried once more under the same delivery id, which Hermes takes once
    return {"sent": result.ok, "error": "no_plugin" if result.error.startswith("no plugin") else result.error[:80]}


def _intent(utterance: int) -> CheckoutIntent:
    found = intents.by_utterance(utterance)
    if found is None:
        raise NotSentError("no_intent")
    return found


UNLINKED = frozenset(
    {"addresses", "lookup", "notify"}
)  # the first says it itself; the others are about what was ordered before

EFFECTS: Mapping[str, errands.Perform] = {
    **errands.alike(HERE),
    "addresses": addresses,
    "recall": recall,
    "review": review,
    "lookup": lookup,
    "orders": orders,
    "checkout": checkout,
    "notify": notify,
}
