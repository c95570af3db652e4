"""After the checkout: the status poll that the server holds, and the idempotent confirm that never places an unpaid order."""

from __future__ import annotations

import time
from typing import Any

from swiggy_instamart.sandbox import money, payments
from swiggy_instamart.sandbox.state import Call, Confirm, Order, Payment
from swiggy_instamart.sandbox.tool import BOOLEAN, NUMBER, STRING, Answer, Args, Tool
from swiggy_instamart.sandbox.world import World


def _status(order: Order, payment: Payment) -> dict[str, Any]:
    end = payments.end(payment)
    return {
        "paasId": order.paas_id,
        "orderId": order.id,
        "status": payment.state,
        "terminal": end is not None,
        "isTerminalSuccess": end == "success",
        "isTerminalFailure": end == "failure",
        "confirmed": payment.confirmed,
        "orderStatus": order.status,
        "cartTotal": money.number(order.total),
    }


async def check_payment_status(world: World, args: Args, call: Call) -> Answer:
    payments.settle(world)
    order, payment = payments.find(world, paas_id=args["paasId"], order_id=args.get("orderId"))
    payment.polls += 1
    if (
        world.switches.autopay_polls is not None
        and payment.polls >= world.switches.autopay_polls
        and payment.state == "pending"
    ):
        payments.move(world, order, to=world.switches.autopay_state)
    before, until = payment.model_copy(), time.monotonic() + world.switches.hold_s
    while payments.end(payment) is None and payment.state == before.state and (left := until - time.monotonic()) > 0:
        due = payments.due_in(world, order)
        await world.changed(within=left if due is None else min(left, due + 0.001))
        payments.settle(world)
        # A reset meanwhile forgets the order: then this refuses.
        order, payment = payments.find(world, paas_id=args["paasId"], order_id=args.get("orderId"))
    data = _status(order, payment)
    return Answer(data, f"Payment {data['paasId']} of order {order.id} is {payment.state}.")


def confirm_order(world: World, args: Args, call: Call) -> Answer:
    payments.settle(world)
    order, payment = payments.find(world, paas_id=args["paasId"], order_id=args["orderId"])
    placed = False
    if order.paid:
        placed, result = payments.place(world, order), "success"
    elif payments.end(payment) == "failure":
        result = "failed"
    else:
        result = world.switches.confirm_unpaid
        if result == "failed":
            payments.move(world, order, to="failed")
    confirm = Confirm(call=call.n, at=world.now(), order_id=order.id, paas_id=str(order.paas_id), result=result, placed=placed)
    world.state.confirms.append(confirm)
    data = {"orderId": order.id, "paasId": order.paas_id, "orderStatus": order.status, "result": result}
    return Answer(data, f"Order {order.id}: {result}.")


TOOLS = (
    Tool(
        "check_payment_status",
        "How a UPI payment stands. Held until it changes.",
        check_payment_status,
        required={"paasId": STRING},
        optional={
            **dict.fromkeys(("orderId", "addressId", "cartId"), STRING),
            "lat": NUMBER,
            "lng": NUMBER,
            "finalize": BOOLEAN,
        },
    ),
    Tool(
        "confirm_order",
        "Finalise an order whose payment is through. Idempotent.",
        confirm_order,
        required={"orderId": STRING, "paasId": STRING},
        optional={"transactionId": STRING, "addressId": STRING, "cartId": STRING, "lat": NUMBER, "lng": NUMBER},
        writes=True,
    ),
)
