"""The two calls that change the cart: the stored replacement, and clearing it. What came of either is proven by reading.

On a second attempt the cart is read first: only the one that the replacement was computed from is written over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from interactions.contracts import Call, Json
from swiggy_instamart import answers, carts, searches
from swiggy_instamart.shop import Swiggy


def cart_of(cart: answers.Cart) -> dict[str, Any]:
    """A cart as the mode keeps it."""
    unwritable = [
        line.name for line in (*cart.lines, *cart.unserviceable) if not (line.spin and line.sku and line.quantity > 0)
    ]
    return {
        "address_id": cart.address_id,
        "lines": carts.dump(carts.Line(**asdict(line)) for line in cart.lines),
        "total_paise": cart.to_pay_paise,
        "bill": [[label, value] for label, value in cart.bill],
        "unserviceable": [line.name for line in cart.unserviceable],
        "writable": cart.writable,
        "unwritable": unwritable,
    }


def write(shop: Swiggy, call: Call, *, quiet: Callable[[Call], None]) -> Json:
    """The stored replacement; sent again only if the cart is still the one that it was computed from."""
    before, after = carts.load(call.payload["before"]), carts.load(call.payload["after"])
    address, moved = call.payload["address"], call.payload.get("moved", False)
    if call.attempt > 1:
        quiet(call)
        seen = shop.cart()
        here = not moved or answers.same_address(seen.address_id, address)
        if carts.same(_lines(seen), after) and here:
            return _written(seen, after, removed=(), reduced=())
        cleared = moved and not seen.lines
        if not carts.same(_lines(seen), before) and not cleared:
            report = searches.report(before, _lines(seen), removed=(), reduced=())
            return {"cart": cart_of(seen), "report": report, "overtaken": True}
    quiet(call)  # last, so that nothing comes between it and the call
    if not after:
        shop.clear_cart()
        return _written(shop.cart(), after, removed=(), reduced=())
    if moved and before:  # else stock is counted on top of what the old cart still holds
        shop.clear_cart()
    answer = shop.update_cart(address, after)
    there = answer.cart
    if there is None or not carts.same(_lines(there), after):
        there = shop.cart()
    return _written(there, after, removed=answer.removed, reduced=answer.reduced)


def _lines(cart: answers.Cart) -> tuple[carts.Line, ...]:
    return tuple(carts.Line(**asdict(line)) for line in cart.lines)


def _written(
    seen: answers.Cart,
    after: tuple[carts.Line, ...],
    *,
    removed: tuple[answers.CartLine, ...],
    reduced: tuple[answers.Reduced, ...],
) -> Json:
    report = searches.report(after, _lines(seen), removed=removed, reduced=reduced)
    return {"cart": cart_of(seen), "report": report, "overtaken": False}


def clear(shop: Swiggy, call: Call, *, quiet: Callable[[Call], None]) -> Json:
    """Asked for once, proven by reading; the shop may say yes and not do it. Sent again only while it is the same cart."""
    if call.attempt > 1:
        quiet(call)
        seen = shop.cart()
        if not seen.lines or not carts.same(_lines(seen), carts.load(call.payload["before"])):
            return {"cart": cart_of(seen)}
    quiet(call)
    shop.clear_cart()
    return {"cart": cart_of(shop.cart())}
