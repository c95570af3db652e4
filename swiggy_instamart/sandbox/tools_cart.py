"""The one cart of the account: replaced whole, capped and trimmed without an error, and gone when left alone too long."""

from __future__ import annotations

from typing import Any

from swiggy_instamart.sandbox import catalogue, money
from swiggy_instamart.sandbox.state import Address, Call, Cart, Line
from swiggy_instamart.sandbox.tool import NUMBER, STRING, Answer, Args, Tool
from swiggy_instamart.sandbox.world import RefusalError, World


def current(world: World) -> Cart:
    """The cart, after its time to live had its say."""
    cart = world.state.cart
    if cart.lines and world.now() - cart.touched_at > world.switches.cart_ttl_s:
        empty(world)
    return world.state.cart


def empty(world: World) -> None:
    world.state.cart = Cart(id=world.new_id("CART"), reads=world.state.cart.reads, touched_at=world.now())


def contents(world: World, cart: Cart) -> list[tuple[str, int]]:
    return [(world.name(catalogue.items()[line.spin]), line.quantity) for line in cart.lines]


def surging(world: World) -> bool:
    surge = world.switches.surge
    return surge == "on" or (surge == "flap" and world.state.cart.reads % 2 == 1)


def address_of(world: World, cart: Cart) -> Address | None:
    return next((a for a in world.addresses() if a.id == cart.address_id), None)


def total(world: World, cart: Cart) -> int:
    """What is to pay now, in paise."""
    address = address_of(world, cart)
    return world.payable(cart.lines, store=address.store if address else None, surge=surging(world))[1]


def methods(world: World) -> list[str]:
    return [name for name, on in (("Cash", world.switches.cash), ("UPI", world.switches.upi)) if on]


def _line(world: World, line: Line, *, store: str | None) -> dict[str, Any]:
    item = catalogue.items()[line.spin]
    price: int | float | str = money.number(world.price(item))
    if world.switches.item_prices == "text":
        price = money.text(world.price(item))
    return {
        "spinId": line.spin,
        "skuId": line.sku,
        "productId": item.product,
        "itemName": world.name(item),
        "itemVariant": item.size,
        "quantity": line.quantity,
        "isInStockAndAvailable": world.in_stock(item, store=store),
        "mrp": money.number(item.mrp),
        "discountedFinalPrice": price,
        "maxQuantity": world.cap(item),
        "maxQuantityMessage": None,
    }


def _echo(world: World, address: Address) -> dict[str, Any]:
    if world.switches.echo_address == "missing":
        return {}
    shown = address.base if world.switches.echo_address == "base" else address.id
    details = {
        "id": shown,
        "address": address.line,
        "area": "Demo",
        "name": address.label,
        "mobile": "x",
        "annotation": address.label,
        "category": address.category,
        "flatNo": "1",
        "city": "Bengaluru",
    }
    return {"selectedAddress": shown, "selectedAddressDetails": details}


def view(world: World, cart: Cart, lines: list[Line], *, unserviceable: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """The cart as Swiggy shows it."""
    address = address_of(world, cart)
    shown: dict[str, Any] = {"cartId": cart.id, **(_echo(world, address) if address else {})}
    store = address.store if address else None
    shown |= {"items": [_line(world, line, store=store) for line in lines], "unserviceableItems": unserviceable or []}
    shown |= {"addressWarning": None, "cartWarning": {"statusCode": 0, "message": ""}, "paymentOptions": None}
    if address is not None and address.store is None:
        shown["addressWarning"] = "This address is not serviceable at the moment"
    if not lines:
        return shown | {"cartAbsent": True, "cartAbsentReason": "Cart is empty", "availablePaymentMethods": []}
    bill, to_pay = world.payable(lines, store=store, surge=surging(world))
    rows = [{"label": label, "value": money.text(amount, decimals=True) if amount else "FREE"} for label, amount in bill]
    return shown | {
        "cartTotalAmount": money.text(to_pay),
        "billBreakdown": {"lineItems": rows, "toPay": {"label": "To Pay", "value": money.text(to_pay)}},
        "cartAbsent": False,
        "cartAbsentReason": None,
        "availablePaymentMethods": methods(world),
    }


def _prose(data: dict[str, Any]) -> str:
    if data["cartAbsent"]:
        return "Your cart is empty."
    rows = [f"- {i['quantity']} x {i['itemName']} ({i['itemVariant']}), spinId: {i['spinId']}" for i in data["items"]]
    return "\n".join(["Your Instamart cart:", *rows, f"To Pay: {data['billBreakdown']['toPay']['value']}"])


def get_cart(world: World, args: Args, call: Call) -> Answer:
    cart = current(world)
    cart.reads += 1
    lines, cart.old = (cart.lines, None) if cart.old is None else (cart.old, None)
    data = view(world, cart, lines)
    return Answer(data, _prose(data))


def update_cart(world: World, args: Args, call: Call) -> Answer:
    address = world.address(args["selectedAddressId"])
    before, kept = list(current(world).lines), dict[str, Line]()
    removed, reduced, elsewhere = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for row in args["items"]:
        quantity = row.get("quantity") if isinstance(row, dict) else None
        if not isinstance(quantity, int) or isinstance(quantity, bool) or not isinstance(row.get("spinId"), str):
            raise RefusalError("Invalid items: each needs a spinId, a skuId and a whole quantity")
        item, sku = catalogue.items().get(row["spinId"]), row.get("skuId")
        if item is None or not sku or quantity < 1:
            continue  # success that adds nothing, as in the field
        if address.store is None or sku != catalogue.sku(item.spin, store=address.store):
            elsewhere.append({"spinId": item.spin, "skuId": sku, "itemName": world.name(item), "quantity": quantity})
        elif not world.in_stock(item, store=address.store):
            removed.append({"spinId": item.spin, "itemName": world.name(item)})
        else:
            cap = world.cap(item)
            if quantity > cap:
                reason = f"Only {cap} of this item can be ordered"
                reduced.append({"spinId": item.spin, "itemName": world.name(item), "requestedQuantity": quantity})
                reduced[-1] |= {"cappedQuantity": cap, "reason": reason}
            kept[item.spin] = Line(spin=item.spin, sku=sku, quantity=min(quantity, cap))
    if world.switches.foreign_survives:
        kept = {line.spin: line for line in before if line.foreign} | kept
    cart = world.state.cart
    cart.address_id, cart.lines, cart.touched_at = address.id, list(kept.values()), world.now()
    data = view(world, cart, cart.lines, unserviceable=elsewhere)
    data |= {"removedOutOfStockItems": removed, "reducedQuantityItems": reduced}
    if world.switches.read_after_write == "empty":
        empty(world)
    cart.old = before if world.switches.read_after_write == "stale_once" else None
    return Answer(data, "Cart updated.\n" + _prose(data))


def clear_cart(world: World, args: Args, call: Call) -> Answer:
    if world.switches.clear != "silent":
        empty(world)
    verified: dict[str, Any] = {"verified": True}
    if world.switches.clear == "unverified":
        verified = {"verified": None, "acknowledged": True}
    return Answer(verified, "Cart cleared.")


ITEMS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"spinId": STRING, "skuId": STRING, "quantity": NUMBER},
        "required": ["spinId", "quantity"],
    },
}

TOOLS = (
    Tool("get_cart", "The current cart with its bill.", get_cart),
    Tool(
        "update_cart",
        "Replace the whole cart. Send every item each time.",
        update_cart,
        required={"selectedAddressId": STRING, "items": ITEMS},
        writes=True,
    ),
    Tool("clear_cart", "Empty the cart.", clear_cart, writes=True),
)
