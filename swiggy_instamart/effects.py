"""The calls of the mode, one function each: they read, write and report, and decide nothing.

Those that change the cart are in ``writes``. The checkout is made once, by the holder that began it, and only while its words
are fresh and the account is quiet.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from interactions import host, language_model
from interactions.contracts import (
    Call,
    EffectError,
    Json,
    NoAnswerError,
    NotSentError,
    NotYetError,
    OvertakenError,
    TurnedDownError,
)
from swiggy_instamart import (
    accounts,
    answers,
    carts,
    classifier,
    intents,
    linked,
    lookups,
    mcp,
    notices,
    readiness,
    recovery,
    reviews,
    searches,
    splits,
    tracking,
    writes,
)
from swiggy_instamart.models import CheckoutIntent
from swiggy_instamart.options import Options
from swiggy_instamart.receipts import CheckedOut, PaymentOptions
from swiggy_instamart.shop import Swiggy


def perform(call: Call, *, options: Options) -> Json:
    _check_linked(call)
    readiness.check(call.effect, options)
    return EFFECTS[call.effect](call, options)


def _check_linked(call: Call) -> None:
    """The operator may have linked the account to somebody else since the order was opened: its cart is theirs now."""
    if call.effect in UNLINKED or linked.is_linked(call.user):
        return
    raise NotSentError("not_linked") if call.effect == "checkout" else TurnedDownError("not_linked")


def _reading(call: Call, options: Options) -> Swiggy:
    """The shop for reads: each within its own bound, all within the budget, given up where nobody waits."""
    bound = min(call.deadline, timezone.now() + timedelta(seconds=options.mcp_attempt_s))
    return mcp.swiggy().until(bound, abandoned=_closing(call.abandoned))


def _closing(abandoned: Callable[[], bool]) -> Callable[[], bool]:
    """The same question, asked of the database; a thread of a wave would leave its own connection to it behind."""
    owner = threading.get_ident()

    def look() -> bool:
        try:
            return abandoned()
        finally:
            if threading.get_ident() != owner:
                connection.close()

    return look


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
        return {"elsewhere": other, "addresses": []}
    found = [{"id": one.id, "label": one.label, "line": one.line} for one in _reading(call, options).addresses()]
    doubt = recovery.is_open(call.user) or bool(recovery.may_exist(call.user, now=timezone.now()))
    return {"elsewhere": None, "addresses": found, "sign_in_ending": verdict.state == "ending", "doubt": doubt}


def cart(call: Call, options: Options) -> Json:
    shop = _reading(call, options)
    return {"cart": writes.cart_of(_again_if_lost(shop, shop.cart(), call.payload))}


def _again_if_lost(shop: Swiggy, cart: answers.Cart, payload: Json) -> answers.Cart:
    """A cart that is empty although it was known to hold something is read once more; then it is believed."""
    return shop.cart() if payload.get("held") and not cart.lines else cart


def rebuild(call: Call, options: Options) -> Json:
    return searches.again(_reading(call, options), call.payload["address"], carts.load(call.payload["lines"]))


def search(call: Call, options: Options) -> Json:
    shop = _reading(call, options)
    return {"found": searches.run(shop, call.payload["address"], call.payload["items"], samples=call.payload["samples"])}


def review(call: Call, options: Options) -> Json:
    """Cart and payment options in one wave; whether the payment link could reach anyone; checkouts that may exist."""
    lookups.hurry_before_a_review(call.user, now=timezone.now())
    shop = _reading(call, options)
    read, paying = shop.wave(shop.cart, shop.payment_options)
    for one in (read, paying):
        if isinstance(one, EffectError):
            raise one
    if _differ(read, paying):  # read one after the other, what moved in between is no difference
        read, paying = shop.cart(), shop.payment_options()
    return {
        "cart": writes.cart_of(_again_if_lost(shop, read, call.payload)),
        "scan": paying.scan,
        "asked_paise": paying.amount_paise if _differ(read, paying) else None,
        "reachable": host.call_plugin("hermes", "reach", {"user": call.user}).ok,
        **recovery.known(call.user, now=timezone.now()),
    }


def _differ(cart: answers.Cart, paying: PaymentOptions) -> bool:
    """Whether the payment would be of another amount than the cart says; a total that was not said differs from none."""
    return bool(cart.to_pay_paise and paying.amount_paise) and cart.to_pay_paise != paying.amount_paise


def tools(call: Call, options: Options) -> Json:
    return {"tools": sorted(_reading(call, options).tools())}


def understand(call: Call, options: Options) -> Json:
    """Which tool a language model chooses for what was said; nothing else of its answer is kept."""
    within_s = (call.deadline - timezone.now()).total_seconds()
    question = classifier.written(call.payload["shown"])
    tools = classifier.TOOLS
    chosen = language_model.ask(classifier.INSTRUCTIONS, question, tools, within_s=within_s, abandoned=call.abandoned)
    return {"tool": chosen.tool, "arguments": chosen.arguments.model_dump()}


def recheck(call: Call, options: Options) -> Json:
    accounts.check_quiet(call, now=timezone.now())
    return {"cart": writes.cart_of(_reading(call, options).cart())}


def lookup(call: Call, options: Options) -> Json:
    intent = _intent(call.payload["utterance"])
    return lookups.evidence(_reading(call, options), intent)


def orders(call: Call, options: Options) -> Json:
    return tracking.answer(_reading(call, options), user=call.user, now=timezone.now())


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
    try:
        answer = mcp.swiggy().until(call.deadline).checkout(call.payload["address"])
    except splits.HalfAnOrderError as error:
        if not error.parts:
            raise
        return {"placing": "split", "parts": [asdict(part) for part in error.parts]}
    return _checked_out(answer)


def _checked_out(answer: CheckedOut) -> Json:
    return {
        "placing": answer.placing.value,
        "order_ids": list(answer.order_ids),
        "paas_id": answer.paas_id,
        "transaction_id": answer.transaction_id,
        "link": answer.link,
        "total_paise": answer.total_paise,
        "poll_every_ms": answer.poll_every_ms,
        "poll_for_ms": answer.poll_for_ms,
        "failures": answer.failures,
        "parts": [asdict(part) for part in answer.parts],
    }


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

EFFECTS: Mapping[str, Callable[[Call, Options], Json]] = {
    "addresses": addresses,
    "cart": cart,
    "search": search,
    "rebuild": rebuild,
    "tools": tools,
    "review": review,
    "understand": understand,
    "recheck": recheck,
    "lookup": lookup,
    "orders": orders,
    "write": writes.write,
    "clear": writes.clear,
    "checkout": checkout,
    "notify": notify,
}
