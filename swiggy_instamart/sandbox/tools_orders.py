"""The orders of the account, typed DASH, and what can be asked of one on its way. None of it proves an absence."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from swiggy_instamart.sandbox import money, payments
from swiggy_instamart.sandbox.state import Call, Order
from swiggy_instamart.sandbox.tool import BOOLEAN, NUMBER, OBJECT, STRING, Answer, Args, Tool
from swiggy_instamart.sandbox.world import RefusalError, World

IST = timezone(timedelta(hours=5, minutes=30))
ACTIVE = frozenset({"PENDING_PAYMENT", "CONFIRMED", "PLACED"})
KIND = "DASH"
DAY = 86_400
DELIVERED_AFTER_S = 2700
MOST = 20


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, tz=IST).strftime("%Y-%m-%d %H:%M")


def _status(world: World, order: Order) -> str:
    arrived = order.status in ("CONFIRMED", "PLACED") and world.now() - order.updated_at > DELIVERED_AFTER_S
    return "DELIVERED" if arrived else order.status


def _long_ago(world: World) -> Order:
    """The one order every account here has: delivered two weeks ago, all that a stale list knows."""
    at = world.now() - 14.5 * DAY
    return Order(
        id="ORDOLD0001",
        status="DELIVERED",
        paid=True,
        method="UPI",
        total=41_200,
        address_id=world.state.addresses[0].id if world.state.addresses else "",
        items=[("Nandini Toned Milk", 2), ("Fresho Onion", 1)],
        created_at=at,
        updated_at=at,
    )


def _shown(world: World, order: Order) -> dict[str, Any]:
    status = _status(world, order)
    return {
        "orderId": order.id,
        "status": status,
        "createdAt": _when(order.created_at),
        "updatedAt": _when(order.updated_at),
        "itemCount": sum(quantity for _, quantity in order.items),
        "totalAmount": money.number(order.total),
        # Rewritten at settlement, with made-up parts of the bill: as in the field.
        "paymentMethod": "UPIIntent",
        "orderType": KIND,
        "isActive": status in ACTIVE,
        "deliveryAddress": {"id": order.address_id},
        **({"statusMessage": world.switches.status_message} if world.switches.status_message else {}),
        "currentStatus": status,
        "historyStatus": status,
        "storeName": "Instamart",
        "items": [{"name": name, "quantity": quantity} for name, quantity in order.items],
        "billDetails": {"itemTotal": 0, "deliveryFee": 0, "packagingFee": 0, "grandTotal": money.number(order.total)},
        "paymentStatus": "PAID" if order.paid else "PENDING",
    }


def get_orders(world: World, args: Args, call: Call) -> Answer:
    payments.settle(world)
    kind, count = args.get("orderType") or KIND, int(args.get("count") or 10)
    if not 1 <= count <= MOST:
        raise RefusalError(f"Invalid count: at most {MOST}")
    found = [] if world.switches.orders_stale else list(reversed(world.state.orders))
    if world.switches.orders_hide_pending:
        found = [order for order in found if order.status != "PENDING_PAYMENT"]
    rows = [_shown(world, order) for order in [*found, _long_ago(world)]]
    rows = [row for row in rows if kind == KIND and (row["isActive"] or not args.get("activeOnly"))]
    shown = rows[:count]
    lines = [f"- {r['orderId']} {r['status']} ₹{r['totalAmount']} {r['createdAt']}" for r in shown]
    return Answer({"orders": shown, "hasMore": len(rows) > count}, "\n".join([f"{len(lines)} Instamart orders:", *lines]))


def _find(world: World, order_id: object) -> Order:
    payments.settle(world)
    for order in world.state.orders:
        if order.id == order_id:
            return order
    raise RefusalError("Invalid orderId: no such order")


def track_order(world: World, args: Args, call: Call) -> Answer:
    order = _find(world, args["orderId"])
    status = {"statusMessage": f"Your order is {_status(world, order).lower()}", "etaMinutes": 12, "etaText": "12 mins"}
    data: dict[str, Any] = {"orderId": order.id, "orderTitle": "Instamart", "orderSubtitle": f"{len(order.items)} items"}
    return Answer(data | {"status": status, "pollingIntervalSeconds": 10}, str(status["statusMessage"]))


def get_delivery_status(world: World, args: Args, call: Call) -> Answer:
    order = _find(world, args["orderId"])
    if world.switches.delivery_status == "empty":
        return Answer({}, "Delivery status fetched successfully.", message="Delivery status fetched successfully.")
    now_ms = int(world.now() * 1000)
    data = {
        "orderId": order.id,
        "deliveryBy": int(order.updated_at * 1000) + 12 * 60_000,
        "serverNow": now_ms,
        "etaText": "12 mins",
        "cancelled": order.status == "CANCELLED",
        "delivered": _status(world, order) == "DELIVERED",
        "statusText": _status(world, order),
        "pollIntervalSec": 10,
    }
    return Answer(data, f"Order {order.id}: {data['statusText']}.")


def report_error(world: World, args: Args, call: Call) -> Answer:
    subject = f"Instamart MCP: {args['tool']}"
    data = {"mailto": "mailto:support@example.com", "summary": {"subject": subject, "body": args["errorMessage"]}}
    return Answer(data, "Thank you, the error was noted.")


TOOLS = (
    Tool(
        "get_orders",
        "Orders of the last 15 days.",
        get_orders,
        optional={"count": NUMBER, "orderType": STRING, "activeOnly": BOOLEAN},
    ),
    Tool("track_order", "Where an order is.", track_order, required={"orderId": STRING, "lat": NUMBER, "lng": NUMBER}),
    Tool(
        "get_delivery_status",
        "When an order arrives.",
        get_delivery_status,
        required={"orderId": STRING, "addressId": STRING},
    ),
    Tool(
        "report_error",
        "Report a problem with a tool.",
        report_error,
        required={"tool": STRING, "errorMessage": STRING},
        optional={**dict.fromkeys(("domain", "flowDescription", "userNotes"), STRING), "toolContext": OBJECT},
        writes=True,
    ),
)
