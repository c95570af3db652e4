"""What Swiggy answers about money: how a cart can be paid, what a checkout did, whether it was paid.

Pure parsers. An order that waits for its payment is not a placed order, and an answer without an order id is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from interactions.contracts import Json, StrangeAnswerError
from swiggy_instamart import fields, money, splits
from swiggy_instamart.envelopes import Body

POLL_EVERY_MS, POLL_FOR_MS = 5_000, 300_000  # where the shop names none; the numbers that its clients use


@dataclass(frozen=True, slots=True)
class PaymentMethod:
    id: str
    kind: str  # intent, qr
    name: str = ""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class PaymentOptions:
    """``scan``: whether this cart can be paid over UPI by the page that shows a code and opens the app."""

    scan: bool
    methods: tuple[PaymentMethod, ...] = ()
    amount_paise: int | None = None


class Placing(StrEnum):
    PENDING_PAYMENT = "pending_payment"  # ordered, not placed: it waits for its payment
    PLACED = "placed"  # placed without a payment leg


@dataclass(frozen=True, slots=True)
class CheckedOut:
    """What a checkout did. ``link`` is the opaque payment page: a secret, so it is left out of every representation."""

    placing: Placing
    order_ids: tuple[str, ...]
    paas_id: str = ""
    transaction_id: str = ""
    link: str = field(default="", repr=False)
    poll_every_ms: int = POLL_EVERY_MS
    poll_for_ms: int = POLL_FOR_MS
    total_paise: int | None = None
    address_id: str = ""
    label: str = ""
    failures: int = 0  # of an order per store, how many were not placed
    parts: tuple[splits.Part, ...] = ()

    @property
    def order_id(self) -> str:
        return self.order_ids[0]


class Payment(StrEnum):
    PENDING = "pending"
    PAID = "paid"
    FAILED = "failed"
    CANCELLED = "cancelled"
    CART_CHANGED = "cart_changed"
    REFUNDED = "refunded"


@dataclass(frozen=True, slots=True)
class PaymentStatus:
    """``confirmed``: the order stands and needs no ``confirm_order``. ``word`` is the shop's own, for the log."""

    state: Payment
    confirmed: bool = False
    order_id: str = ""
    paas_id: str = ""
    word: str = ""
    order_status: str = ""
    total_paise: int | None = None


@dataclass(frozen=True, slots=True)
class Confirmed:
    result: str  # success, failed, pending, other
    order_id: str = ""
    order_status: str = ""


# ---- how it can be paid -------------------------------------------------------------------------------------------------


def payment_options(body: Body) -> PaymentOptions:
    """``platforms`` left out means that this cart cannot be paid over UPI, whatever else is listed."""
    data = body.data
    if data is None or not ("allMethods" in data or "platforms" in data or "cod" in data):
        raise StrangeAnswerError("malformed", "The payment options cannot be read.")
    platforms = data.get("platforms")
    groups = platforms.values() if isinstance(platforms, Mapping) else ()
    offered = [method for group in fields.maps(groups) for method in _methods(group.get("methods"))]
    listed = {method.id: method for method in (*_methods(data.get("allMethods")), *offered)}
    scan = any(method.kind == "qr" and method.enabled for method in offered)
    return PaymentOptions(scan, tuple(listed.values()), money.total(data.get("paymentAmount")))


def _methods(rows: Any) -> tuple[PaymentMethod, ...]:
    return tuple(
        PaymentMethod(
            identity, fields.text(row, "kind").lower(), fields.text(row, "displayName"), row.get("enabled") is not False
        )
        for row in fields.maps(rows)
        if (identity := fields.text(row, "id"))
    )


# ---- what a checkout did ------------------------------------------------------------------------------------------------

PLACED_WORDS = frozenset({"CONFIRMED", "PLACED", "ORDER_PLACED", "SUCCESS"})
PENDING_WORDS = frozenset({"PENDING_PAYMENT", "PAYMENT_PENDING", "PENDING"})
FAILED_WORDS = frozenset({"FAILED", "CANCELLED", "CANCELED", "REJECTED"})
LONGEST_ID = 200  # what a row has room for; a payment whose id cannot be kept cannot be followed


def checked_out(body: Body) -> CheckedOut:
    """One of the three documented shapes. Whatever else came may still have placed an order: StrangeAnswerError."""
    data = body.data
    if data is None:
        raise StrangeAnswerError("no_order_id", "The checkout answered in prose, without an order id.")
    several = data.get("orders")
    rows = list(fields.maps(several)) if isinstance(several, list) else []
    parts = [row for row in rows if not _failed(row)]
    ids = tuple(dict.fromkeys(filter(None, (fields.text(row, "orderId") for row in (data, *parts, *rows)))))
    if not ids:
        raise StrangeAnswerError("no_order_id", "The checkout answered without an order id.")
    said = _word(data, "status")
    words = {*(_word(row, "status") or said for row in parts), *([said] if said else [])}
    paas_id, link = fields.text(data, "paasId"), fields.link(data.get("bridgeUrl"))
    transaction_id = fields.text(data, "transactionId")
    split = splits.of(rows)
    keepable = max(len(paas_id), len(transaction_id)) <= LONGEST_ID
    # A payment to make outweighs any word of success: until it is made, nothing is placed.
    if paas_id and link and keepable and words and words <= PLACED_WORDS | PENDING_WORDS:
        placing = Placing.PENDING_PAYMENT
    elif not (paas_id or link) and words and words <= PLACED_WORDS:
        placing = Placing.PLACED
    else:
        raise splits.HalfAnOrderError(f"Order {', '.join(ids)} came without what its payment needs.", split)
    return CheckedOut(
        placing=placing,
        order_ids=ids,
        paas_id=paas_id,
        transaction_id=transaction_id,
        link=link,
        poll_every_ms=_positive(data, "pollingIntervalInMs", POLL_EVERY_MS),
        poll_for_ms=_positive(data, "maxTimeToPollForInMs", POLL_FOR_MS),
        total_paise=money.total(data.get("cartTotal", data.get("totalAmount"))),
        address_id=fields.text(data, "addressId"),
        label=fields.text(data, "deliveryLabel"),
        failures=max(
            len(rows) - len(parts), fields.whole(data.get("failureCount")) or 0, int(data.get("allSucceeded") is False)
        ),
        parts=split,
    )


def _failed(row: Json) -> bool:
    """Whether this store's part of an order did not come about."""
    return not fields.text(row, "orderId") or bool(row.get("error")) or _word(row, "status") in FAILED_WORDS


def _positive(data: Json, name: str, default: int) -> int:
    found = fields.whole(data.get(name))
    return found if found is not None and found > 0 else default


# ---- whether it was paid ------------------------------------------------------------------------------------------------

WORDS: Mapping[str, Payment] = {
    "SUCCESS": Payment.PAID,
    "PAID": Payment.PAID,
    "FAILED": Payment.FAILED,
    "CANCELLED": Payment.CANCELLED,
    "CANCELED": Payment.CANCELLED,
    "CART_CHANGED": Payment.CART_CHANGED,
    "REFUND_INITIATED": Payment.REFUNDED,
    "REFUNDED": Payment.REFUNDED,
}


def payment_status(body: Body) -> PaymentStatus:
    """Flags first, words second; a word that is not known ends nothing."""
    data = body.data
    if data is None or not any(name in data for name in ("status", "terminal", "isTerminalSuccess", "isTerminalFailure")):
        raise StrangeAnswerError("malformed", "The payment status cannot be read.")
    return PaymentStatus(
        state=_payment(data),
        confirmed=data.get("confirmed") is True,
        order_id=fields.text(data, "orderId"),
        paas_id=fields.text(data, "paasId"),
        word=fields.text(data, "status")[:40],
        order_status=fields.text(data, "orderStatus")[:40],
        total_paise=money.total(data.get("cartTotal")),
    )


def _payment(data: Json) -> Payment:
    said = WORDS.get(_word(data, "status"), Payment.PENDING)
    won, lost = data.get("isTerminalSuccess") is True, data.get("isTerminalFailure") is True
    if won and (lost or said not in (Payment.PAID, Payment.PENDING)):  # it contradicts itself, and proves nothing
        return Payment.PENDING
    if won:
        return Payment.PAID
    if lost:
        return said if said not in (Payment.PAID, Payment.PENDING) else Payment.FAILED
    return Payment.PENDING if data.get("terminal") is False else said


def confirmed(body: Body) -> Confirmed:
    data = body.data
    if data is None or "result" not in data:
        raise StrangeAnswerError("malformed", "The answer to confirm_order cannot be read.")
    word = fields.text(data, "result").lower()
    result = word if word in ("success", "failed", "pending") else "other"
    return Confirmed(result, fields.text(data, "orderId"), fields.text(data, "orderStatus")[:40])


def _word(row: Json, name: str) -> str:
    return fields.text(row, name).upper().replace("-", "_").replace(" ", "_")
