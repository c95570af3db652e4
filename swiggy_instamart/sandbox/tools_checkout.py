"""Checkout: the only tool that makes an order, and the long list of reasons for which it does not."""

from __future__ import annotations

import secrets
from typing import Any

from swiggy_instamart.sandbox import catalogue, money, tools_cart
from swiggy_instamart.sandbox.state import Address, Call, Cart, Checkout, Order, Payment
from swiggy_instamart.sandbox.tool import BOOLEAN, NUMBER, STRING, Answer, Args, Tool
from swiggy_instamart.sandbox.world import RefusalError, World

PLACED = "Instamart order placed successfully"
INTENTS = {
    "gpay://upi/": "Google Pay",
    "phonepe://": "PhonePe",
    "paytmmp://": "Paytm",
    "bhim://upi/": "BHIM",
    "credpay://upi/": "CRED",
    "super://": "super.money",
}
GROUPS = {"Cash": "Cash", "COD": "Cash", "UPI": "UPI"}
BRIDGE = "https://pay.example/"
SPLIT_FAILED = "One of the stores could not take the order"
LEFT_OUT = {"no_order_id": "orderId", "no_paas_id": "paasId", "no_bridge_url": "bridgeUrl"}


def get_payment_options(world: World, args: Args, call: Call) -> Answer:
    cart = tools_cart.current(world)
    if not cart.lines:
        return Answer({"allMethods": [], "paymentAmount": None}, "There is nothing to pay for.")
    data: dict[str, Any] = {"allMethods": [], "paymentAmount": money.text(tools_cart.total(world, cart))}
    data["placeOrderToolName"] = "checkout"
    if world.switches.upi:
        mobile = [{"id": key, "groupName": "UPI", "displayName": name, "kind": "intent"} for key, name in INTENTS.items()]
        desktop = [{"id": "PayWithQR", "groupName": "UPI", "displayName": "Scan QR", "kind": "qr"}]
        data["platforms"] = {
            device: {"groupName": "UPI", "methods": [row | {"enabled": True} for row in rows]}
            for device, rows in (("mobile", mobile), ("desktop", desktop))
        }
        data["allMethods"] = [{"id": row["id"], "kind": row["kind"]} for row in mobile + desktop]
    data["cod"] = {"available": world.switches.cash, "id": "Cash", "displayName": "Cash on Delivery"}
    return Answer(data, f"Payment options for {data['paymentAmount']}: {', '.join(tools_cart.methods(world))}.")


def _refuse(world: World, args: Args, *, cart: Cart, address: Address) -> tuple[str, int]:
    """The group to pay with and the amount, or the reason there is no order."""
    switches, said = world.switches, args.get("paymentMethod")
    if not said and switches.require_method:
        raise RefusalError("Missing paymentMethod: please select a payment method")
    group = GROUPS.get(str(said or "UPI"))
    if group is None:
        raise RefusalError(f"Invalid paymentMethod: {said} is not offered for this cart")
    if not cart.lines:
        raise RefusalError("Your cart is empty")
    if not switches.store_open:
        raise RefusalError("The store is closed right now")
    if address.store is None:
        raise RefusalError("This address is not serviceable at the moment")
    if cart.address_id != address.id:
        raise RefusalError("Please select a valid address for this cart")
    if not all(world.in_stock(catalogue.items()[line.spin], store=address.store) for line in cart.lines):
        raise RefusalError("Some items in your cart are out of stock")
    if group not in tools_cart.methods(world):
        raise RefusalError(f"{'Cash' if group == 'Cash' else group} payment is temporarily disabled for this cart")
    if args.get("intentApp") and args["intentApp"] not in INTENTS:
        raise RefusalError("Invalid intentApp")
    total = tools_cart.total(world, cart)
    if switches.order_cap_rupees is not None and total >= switches.order_cap_rupees * 100:
        raise RefusalError(f"Orders above the allowed limit of ₹{switches.order_cap_rupees} cannot be placed")
    if switches.minimum_rupees is not None and total < switches.minimum_rupees * 100:
        raise RefusalError(f"The minimum order value is ₹{switches.minimum_rupees}")
    return group, total + switches.checkout_extra_paise


def _order(world: World, *, cart: Cart, group: str, total: int, scan: bool) -> Order:
    now, upi = world.now(), group == "UPI"
    bridge = f"{world.origin}/pay/" if world.switches.pay_page else BRIDGE
    order = Order(
        id=world.new_id("ORD"),
        paas_id=world.new_id("PAAS") if upi else None,
        transaction_id=world.new_id("TXN") if upi else None,
        status="PENDING_PAYMENT" if upi else "CONFIRMED",
        method=group,
        total=total,
        address_id=cart.address_id or "",
        items=tools_cart.contents(world, cart),
        created_at=now,
        updated_at=now,
        payment=Payment(scan=scan) if upi else None,
        bridge_url=bridge + secrets.token_urlsafe(16) if upi else None,
    )
    world.state.orders.append(order)
    return order


def _to_pay(world: World, order: Order, *, scan: bool) -> dict[str, Any]:
    return {
        "status": "PENDING_PAYMENT",
        "orderId": order.id,
        "transactionId": order.transaction_id,
        "paasId": order.paas_id,
        "upiIntentUrl": f"upi://pay?x={secrets.token_hex(4)}",
        "bridgeUrl": order.bridge_url,
        "isQrFlow": scan,
        "pollingIntervalInMs": world.switches.polling_interval_ms,
        "maxTimeToPollForInMs": world.switches.max_poll_ms,
    }


def checkout(world: World, args: Args, call: Call) -> Answer:
    attempt = Checkout(call=call.n, at=world.now(), arguments=dict(args))
    world.state.checkouts.append(attempt)
    try:
        address = world.address(args["addressId"])
        cart = tools_cart.current(world)
        group, total = _refuse(world, args, cart=cart, address=address)
    except RefusalError as refused:
        attempt.refused = str(refused)
        raise
    scan, shape = bool(args.get("generateUPIQR")), world.switches.checkout_shape
    order = _order(world, cart=cart, group=group, total=total, scan=scan)
    attempt.committed, attempt.orders, attempt.total = True, [order.id], total
    ends = {"paymentMethod": group, "cartTotal": money.number(total)}
    if shape == "multi_store":
        rows = [{"orderId": order.id, "status": order.status}, {"error": SPLIT_FAILED}]
        counts = {"orderCount": 2, "successCount": 1, "failureCount": 1, "allSucceeded": False}
        return Answer({"orders": rows, **counts, **ends}, f"1 of 2 orders was placed. {SPLIT_FAILED}.")
    ends |= {"addressId": address.id, "deliveryAddress": address.line, "deliveryLabel": address.label}
    if group == "Cash":
        tools_cart.empty(world)
        data = {"orderId": order.id, "status": "CONFIRMED"} | ends
        answer = Answer(data, f"{PLACED}. Order {order.id}.", message=PLACED)
    else:
        data = _to_pay(world, order, scan=scan) | ends
        # The words never carry the link: the scan flow does not put it there.
        answer = Answer(data, f"Order {order.id} waits for a UPI payment of {money.text(total)}. It is not placed yet.")
    data.pop(LEFT_OUT.get(shape, ""), None)
    return answer


TOOLS = (
    Tool("get_payment_options", "How this cart can be paid.", get_payment_options, optional={"cartAmount": NUMBER}),
    Tool(
        "checkout",
        "Place the order. Not safe to repeat.",
        checkout,
        required={"addressId": STRING},
        optional={"paymentMethod": STRING, "intentApp": STRING, "generateUPIQR": BOOLEAN},
        writes=True,
    ),
)
