"""Which orders Swiggy lists, as frozen values. Pure: read tolerantly, and only what the shop does not rewrite later.

What it says of an order in words is kept as its words; ``unpaid`` is the one thing that is read out of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from interactions.contracts import Json, StrangeAnswerError
from swiggy_instamart import fields, money
from swiggy_instamart.envelopes import Body


@dataclass(frozen=True, slots=True)
class OrderSeen:
    """An order as the history shows it. Its method and fee parts are rewritten later, so they are not read."""

    order_id: str
    status: str
    kind: str = ""
    active: bool = False
    total_paise: int | None = None
    created_at: datetime | None = None
    address_id: str = ""
    payment_status: str = ""
    items: int | None = None
    message: str = ""
    lines: tuple[tuple[str, int | None], ...] = ()  # name and quantity

    @property
    def unpaid(self) -> bool:
        """Whether it waits for its payment, and so is not placed."""
        return {"pending", "payment"} <= set(self.status.lower().replace("_", " ").split())


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is said of an order on its way. All of it may be missing: the shop answers this with one general sentence too."""

    status: str = ""
    eta: str = ""
    due_at: datetime | None = None


def orders(body: Body) -> tuple[OrderSeen, ...]:
    rows = (body.data or {}).get("orders")
    if not isinstance(rows, list):
        raise StrangeAnswerError("malformed", "The list of orders cannot be read.")
    return tuple(_order(row) for row in fields.maps(rows) if fields.text(row, "orderId"))


def _order(row: Json) -> OrderSeen:
    address, bill = row.get("deliveryAddress"), row.get("billDetails")
    total = row.get("totalAmount")
    if total is None and isinstance(bill, Mapping):
        total = bill.get("grandTotal")
    return OrderSeen(
        order_id=fields.text(row, "orderId"),
        status=fields.text(row, "status", "currentStatus"),
        kind=fields.text(row, "orderType"),
        active=row.get("isActive") is True,
        total_paise=money.total(total),
        created_at=fields.moment(row.get("createdAt")),
        address_id=fields.text(address, "id") if isinstance(address, Mapping) else "",
        payment_status=fields.text(row, "paymentStatus"),
        items=fields.whole(row.get("itemCount")),
        message=fields.text(row, "statusMessage"),
        lines=tuple(
            (name, fields.whole(line.get("quantity")))
            for line in fields.maps(row.get("items"))
            if (name := fields.text(line, "name"))
        ),
    )


def delivery(body: Body) -> Delivery:
    row = body.data or {}
    return Delivery(fields.text(row, "statusText"), fields.text(row, "etaText"), fields.moment(row.get("deliveryBy")))
