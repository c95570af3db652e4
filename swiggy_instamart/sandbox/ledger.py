"""What happened, for a test to count and a demo to print: every call in order, the cart, the money, the orders."""

from __future__ import annotations

from typing import Any

from swiggy_instamart.sandbox import catalogue, payments, tools_cart
from swiggy_instamart.sandbox.world import World


def cart(world: World) -> dict[str, Any]:
    """The cart as it really is, whatever the switches show to a client."""
    now, known = tools_cart.current(world), catalogue.items()
    rows = [line.model_dump() | {"name": world.name(known[line.spin]), "size": known[line.spin].size} for line in now.lines]
    return {
        "id": now.id,
        "address_id": now.address_id,
        "lines": rows,
        "total_paise": tools_cart.total(world, now) if rows else 0,
    }


def show(world: World) -> dict[str, Any]:
    payments.settle(world)
    state = world.state
    return {
        "calls": [call.model_dump() for call in state.calls],
        "rpc": state.rpc,
        "http": state.http,
        "refreshes": [refresh.model_dump() for refresh in state.refreshes],
        "cart": cart(world),
        "checkouts": [checkout.model_dump() for checkout in state.checkouts],
        "orders": [order.model_dump() for order in state.orders],
        "confirms": [confirm.model_dump() for confirm in state.confirms],
        "counts": {
            "checkouts": len(state.checkouts),
            "committed": sum(checkout.committed for checkout in state.checkouts),
            "paid": sum(order.paid for order in state.orders),
            "placed": sum(order.status in ("PLACED", "CONFIRMED") for order in state.orders),
            "confirms": len(state.confirms),
        },
    }
