"""The shop as its callers see it: one typed method per tool, synchronous, each bounded by the table of timeouts.

A call either returns what the shop answered or raises one of the sorted errors; nothing is ever sent twice from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

from django.utils import timezone

from interactions.contracts import EffectError, Json, NotSentError, StrangeAnswerError, TurnedDownError
from swiggy_instamart import answers, envelopes, history, receipts

Answer = TypeVar("Answer")

READ_S, WRITE_S, POLL_S, CHECKOUT_S = 6.0, 20.0, 35.0, 60.0
TIMEOUTS: Mapping[str, float] = {
    "get_addresses": READ_S,
    "search_products": READ_S,
    "get_cart": READ_S,
    "get_payment_options": READ_S,
    "get_orders": READ_S,
    "get_delivery_status": READ_S,
    "update_cart": WRITE_S,
    "clear_cart": WRITE_S,
    "check_payment_status": POLL_S,  # the shop holds it for about 19 s
    "confirm_order": POLL_S,
    "checkout": CHECKOUT_S,
}
READS = frozenset(
    {
        "get_addresses",
        "search_products",
        "get_cart",
        "get_payment_options",
        "get_orders",
        "get_delivery_status",
        "check_payment_status",
    }
)
AT_ONCE = 3  # calls in flight together
MOST_PAGES = 20


class Line(Protocol):
    """What a line of a cart must have to be written."""

    @property
    def spin(self) -> str: ...
    @property
    def sku(self) -> str: ...
    @property
    def quantity(self) -> int: ...


class Caller(Protocol):
    """How a request reaches the shop; ``mcp`` has the one implementation."""

    def call(self, tool: str, arguments: Json, *, timeout_s: float, abandoned: Callable[[], bool] | None = None) -> Any: ...

    def tools(self, *, timeout_s: float) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class Swiggy:
    """``until`` bounds every call by a moment; ``abandoned`` ends the waiting of reads, never of a write."""

    caller: Caller
    deadline: datetime | None = None
    abandoned: Callable[[], bool] | None = None

    def until(self, deadline: datetime, *, abandoned: Callable[[], bool] | None = None) -> Swiggy:
        """The same shop, whose calls end by ``deadline``."""
        return replace(self, deadline=deadline, abandoned=abandoned)

    # ---- reads

    def addresses(self) -> tuple[answers.Address, ...]:
        """All addresses, page by page, in the shop's order."""
        found: dict[str, answers.Address] = {}
        page: int | None = 1
        for _ in range(MOST_PAGES):
            read = self._read("get_addresses", {"page": page, "pageSize": 10}, answers.addresses)
            new = {address.id: address for address in read.addresses if address.id not in found}
            found |= new
            page = read.next_page
            if page is None or not new:
                break
        return tuple(found.values())

    def search(self, address_id: str, query: str, *, offset: int = 0) -> tuple[answers.Variant, ...]:
        """What the store of this address sells under these words; nothing found says nothing about why."""
        arguments: dict[str, Any] = {"addressId": address_id, "query": query}
        return self._read("search_products", arguments | ({"offset": offset} if offset else {}), answers.variants)

    def cart(self) -> answers.Cart:
        try:
            return self._read("get_cart", {}, answers.cart)
        except TurnedDownError as error:
            if error.code != "empty_cart":
                raise
            return answers.Cart(address_id="", lines=(), absent=True)

    def payment_options(self) -> receipts.PaymentOptions:
        return self._read("get_payment_options", {}, receipts.payment_options)

    def orders(self, *, active_only: bool = False) -> tuple[history.OrderSeen, ...]:
        """The account's Instamart orders, which the shop types DASH. That one is missing here proves nothing."""
        arguments = {"count": 20, "orderType": "DASH", "activeOnly": active_only}
        return self._read("get_orders", arguments, history.orders)

    def delivery(self, order_id: str, address_id: str) -> history.Delivery:
        """What the shop says of an order on its way; often nothing."""
        return self._read("get_delivery_status", {"orderId": order_id, "addressId": address_id}, history.delivery)

    def payment_status(self, paas_id: str, order_id: str) -> receipts.PaymentStatus:
        return self._read("check_payment_status", {"paasId": paas_id, "orderId": order_id}, receipts.payment_status)

    def tools(self) -> frozenset[str]:
        """The names of the tools that are served to this account today."""
        return self.caller.tools(timeout_s=self._left(READ_S))

    # ---- writes

    def update_cart(self, address_id: str, lines: Iterable[Line]) -> answers.Written:
        """Replace the whole cart."""
        items = [{"spinId": line.spin, "skuId": line.sku, "quantity": line.quantity} for line in lines]
        return self._write("update_cart", {"selectedAddressId": address_id, "items": items}, answers.written)

    def clear_cart(self) -> None:
        """Ask for an empty cart. The shop may say yes and not do it: read the cart again."""
        self._write("clear_cart", {}, lambda body: None)

    def checkout(self, address_id: str) -> receipts.CheckedOut:
        """Order the cart, to be paid over UPI by scan or tap. Never cash, never a named app, never twice."""
        arguments = {"addressId": address_id, "paymentMethod": "UPI", "generateUPIQR": True}
        return self._write("checkout", arguments, receipts.checked_out)

    def confirm_order(self, order_id: str, paas_id: str, transaction_id: str = "") -> receipts.Confirmed:
        """Reconcile an order after its payment. It never places an unpaid one."""
        arguments = {"orderId": order_id, "paasId": paas_id}
        return self._write(
            "confirm_order", arguments | ({"transactionId": transaction_id} if transaction_id else {}), receipts.confirmed
        )

    # ---- together

    def wave(self, *thunks: Callable[[], Any]) -> tuple[Any, ...]:
        """Run these calls in flight together, three at most; one that failed has its error in its place."""
        with ThreadPoolExecutor(max_workers=max(1, min(AT_ONCE, len(thunks))), thread_name_prefix="swiggy-wave") as pool:
            started = [pool.submit(copy_context().run, _settle, thunk) for thunk in thunks]
            return tuple(one.result() for one in started)

    # ---- the way there

    def _read(self, tool: str, arguments: Json, parse: Callable[[envelopes.Body], Answer]) -> Answer:
        return self._send(tool, arguments, parse, abandoned=self.abandoned)

    def _write(self, tool: str, arguments: Json, parse: Callable[[envelopes.Body], Answer]) -> Answer:
        return self._send(tool, arguments, parse, abandoned=None)

    def _send(
        self, tool: str, arguments: Json, parse: Callable[[envelopes.Body], Answer], *, abandoned: Callable[[], bool] | None
    ) -> Answer:
        result = self.caller.call(tool, arguments, timeout_s=self._left(TIMEOUTS[tool]), abandoned=abandoned)
        try:
            return parse(envelopes.read(result))
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError) as error:
            # The effect is done, whatever our reading of it stumbled over: that must not look like a fault of ours alone.
            raise StrangeAnswerError("malformed", f"The answer to {tool} cannot be read.") from error

    def _left(self, most_s: float) -> float:
        if self.deadline is None:
            return most_s
        left = (self.deadline - timezone.now()).total_seconds()
        if left <= 0:
            raise NotSentError("no_time", "The time for this call was over before it was sent.")
        return min(most_s, left)


def _settle(thunk: Callable[[], Any]) -> Any:
    try:
        return thunk()
    except EffectError as error:
        return error
