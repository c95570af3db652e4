"""What a call of the mode does, once it may be made: read, search, read back, check out, ask a model. It decides nothing.

The shop is given: whose it is, and whether its money is real, is known to whoever asks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from interactions import language_model
from interactions.contracts import Call, EffectError, Json
from swiggy_instamart import answers, carts, classifier, searches, splits, writes
from swiggy_instamart.options import Options
from swiggy_instamart.receipts import CheckedOut, PaymentOptions
from swiggy_instamart.shop import Swiggy

Perform = Callable[[Call, Options], Json]


@dataclass(frozen=True, slots=True)
class Counter:
    """A shop, and what raises there while its cart must be left alone."""

    shop: Callable[[], Swiggy]
    quiet: Callable[[Call], None]

    def reading(self, call: Call, options: Options) -> Swiggy:
        return reading(self.shop(), call, attempt_s=options.mcp_attempt_s)

    def writing(self, call: Call) -> Swiggy:
        return self.shop().until(call.deadline)


def alike(at: Counter) -> dict[str, Perform]:
    """The calls that are the same at every shop. One that is added here is made in earnest and in practice."""

    def recheck(call: Call, options: Options) -> Json:
        at.quiet(call)
        return cart(at.reading(call, options), {})

    return {
        "cart": lambda call, options: cart(at.reading(call, options), call.payload),
        "search": lambda call, options: search(at.reading(call, options), call.payload),
        "rebuild": lambda call, options: rebuild(at.reading(call, options), call.payload),
        "tools": lambda call, options: tools(at.reading(call, options)),
        "understand": lambda call, options: understand(call),
        "recheck": recheck,
        "write": lambda call, options: writes.write(at.writing(call), call, quiet=at.quiet),
        "clear": lambda call, options: writes.clear(at.writing(call), call, quiet=at.quiet),
    }


def reading(shop: Swiggy, call: Call, *, attempt_s: float) -> Swiggy:
    """The shop for reads: each within its own bound, all within the budget, given up where nobody waits."""
    bound = min(call.deadline, timezone.now() + timedelta(seconds=attempt_s))
    return shop.until(bound, abandoned=_closing(call.abandoned))


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


def addresses(shop: Swiggy) -> list[dict[str, Any]]:
    return [{"id": one.id, "label": one.label, "line": one.line} for one in shop.addresses()]


def cart(shop: Swiggy, payload: Json) -> Json:
    return {"cart": writes.cart_of(_again_if_lost(shop, shop.cart(), payload))}


def _again_if_lost(shop: Swiggy, cart: answers.Cart, payload: Json) -> answers.Cart:
    """A cart that is empty although it was known to hold something is read once more; then it is believed."""
    return shop.cart() if payload.get("held") and not cart.lines else cart


def rebuild(shop: Swiggy, payload: Json) -> Json:
    return searches.again(shop, payload["address"], carts.load(payload["lines"]))


def search(shop: Swiggy, payload: Json) -> Json:
    return {"found": searches.run(shop, payload["address"], payload["items"], samples=payload["samples"])}


def tools(shop: Swiggy) -> Json:
    return {"tools": sorted(shop.tools())}


def read_back(shop: Swiggy, payload: Json) -> Json:
    """Cart and payment options in one wave."""
    read, paying = shop.wave(shop.cart, shop.payment_options)
    for one in (read, paying):
        if isinstance(one, EffectError):
            raise one
    if _differ(read, paying):  # read one after the other, what moved in between is no difference
        read, paying = shop.cart(), shop.payment_options()
    return {
        "cart": writes.cart_of(_again_if_lost(shop, read, payload)),
        "scan": paying.scan,
        "asked_paise": paying.amount_paise if _differ(read, paying) else None,
    }


def _differ(cart: answers.Cart, paying: PaymentOptions) -> bool:
    """Whether the payment would be of another amount than the cart says; a total that was not said differs from none."""
    return bool(cart.to_pay_paise and paying.amount_paise) and cart.to_pay_paise != paying.amount_paise


def place(shop: Swiggy, address: str) -> Json:
    """The one call that spends."""
    try:
        answer = shop.checkout(address)
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


def understand(call: Call) -> Json:
    """Which tool a language model chooses for what was said; nothing else of its answer is kept."""
    within_s = (call.deadline - timezone.now()).total_seconds()
    question = classifier.written(call.payload["shown"])
    tools = classifier.TOOLS
    chosen = language_model.ask(classifier.INSTRUCTIONS, question, tools, within_s=within_s, abandoned=call.abandoned)
    return {"tool": chosen.tool, "arguments": chosen.arguments.model_dump()}
