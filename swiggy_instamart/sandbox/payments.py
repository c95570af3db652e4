"""The UPI machine behind a checkout: from pending to one of its ends, by itself, by the control API, or after the fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from swiggy_instamart.sandbox import tools_cart
from swiggy_instamart.sandbox.state import Order, Payment
from swiggy_instamart.sandbox.world import RefusalError, World


@dataclass(frozen=True, slots=True)
class End:
    """What a state of the payment says with flags, and what becomes of the order."""

    terminal: str | None  # "success", "failure" or not an end
    order_status: str | None
    paid: bool | None = None


STATES: Mapping[str, End] = {
    "pending": End(None, "PENDING_PAYMENT"),
    "success": End("success", None, paid=True),
    "paid": End("success", None, paid=True),
    "failed": End("failure", "FAILED", paid=False),
    "cancelled": End("failure", "CANCELLED", paid=False),
    "cart_changed": End("failure", "FAILED", paid=False),
    "refund-initiated": End("failure", "CANCELLED", paid=False),
}
UNKNOWN_WORD = End(None, None)


def find(world: World, *, paas_id: object, order_id: object = None) -> tuple[Order, Payment]:
    for order in world.state.orders:
        if order.payment is not None and order.paas_id == paas_id and order_id in (None, order.id):
            return order, order.payment
    raise RefusalError("Invalid paasId or orderId: no such payment")


def end(payment: Payment) -> str | None:
    """ "success", "failure", or None while it may still change."""
    if payment.terminal is not None:
        return "success" if payment.terminal else "failure"
    return STATES.get(payment.state, UNKNOWN_WORD).terminal


def move(world: World, order: Order, *, to: str, confirmed: bool | None = None, terminal: bool | None = None) -> None:
    """Put the payment in a state, known or not; a late success after a failure is possible, as at a bank."""
    if order.payment is None:
        raise RefusalError(f"Order {order.id} was not paid by UPI")
    meant = STATES.get(to, UNKNOWN_WORD)
    order.payment.state, order.payment.terminal = to, terminal
    order.paid = order.paid if meant.paid is None else meant.paid
    order.status = meant.order_status or order.status
    order.updated_at = world.now()
    if meant.paid and (world.switches.confirmed_on_success if confirmed is None else confirmed):
        place(world, order)
    else:
        order.payment.confirmed = bool(confirmed)


def place(world: World, order: Order) -> bool:
    """Make a paid order a placed one; True when it was not before. Its cart is empty then; one filled since is left alone."""
    if order.payment is not None:
        order.payment.confirmed = True
    if order.status == "PLACED":
        return False
    order.status, order.updated_at = "PLACED", world.now()
    if tools_cart.contents(world, world.state.cart) == order.items:
        tools_cart.empty(world)
    return True


def due_in(world: World, order: Order) -> float | None:
    """Seconds until the person pays by themselves; None when they will not."""
    wait = world.switches.autopay_s
    if wait is None or order.payment is None or order.payment.state != "pending":
        return None
    return max(0.0, order.created_at + wait - world.now())


def settle(world: World) -> None:
    """Let every payment that is due happen."""
    for order in world.state.orders:
        if due_in(world, order) == 0:
            move(world, order, to=world.switches.autopay_state)
