"""Every sentence the person can hear from their consent on, in English. Pure: facts in, a Reply out.

Nothing here says "placed" of an order that waits for its payment, or claims a cancellation. The payment link is never text; it
stands in the data of ``interaction.payment``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interactions.contracts import Reply
from swiggy_instamart.wording import ask, clean, rupees, tell


def checking_out() -> Reply:
    return Reply("Placing it now.", expects_reply=False)


def turned_down(message: str) -> Reply:
    shop = f" Swiggy said: “{clean(message, most=120)}”." if message else ""
    return tell(f"Swiggy did not take the order.{shop} I am checking that nothing was placed.")


def not_placed(code: str) -> Reply:
    why = {
        "not_sent": "The order could not be sent, so nothing was placed.",
        "sign_in": "Swiggy did not accept our sign-in, so nothing was placed. The operator has to sign in again.",
        "unchecked": "Swiggy refused the order. I could not read your orders to double-check, so have a look in Swiggy.",
        "empty_cart": "Swiggy says that the cart is empty now. Look in Swiggy before you order again.",
    }.get(code, "I see no such order at Swiggy.")
    kept = "" if code == "empty_cart" else " The cart is kept."
    return ask(f"{why}{kept} Say complete order to review it again.", "complete order", "cancel order")


def unknown() -> Reply:
    return tell(
        "I don't know whether it was placed, please check Swiggy. I am looking for the order now, and I will not send it again."
    )


def still_unknown() -> Reply:
    return ask(
        "I do not see the order yet, but that proves nothing. I keep looking for a few minutes; please check Swiggy too.",
        "stop",
    )


def may_be_placed() -> Reply:
    return ask(
        "I could not find the order, but it may exist. Check Swiggy before you order again. You can go on shopping here."
    )


def seen(order: Mapping[str, Any]) -> Reply:
    number = f" {clean(str(order.get('order_id', '')), most=30)}" if order.get("order_id") else ""
    status = clean(str(order.get("status") or "not stated").replace("_", " ").lower(), most=30)
    return tell(
        f"Swiggy lists the order{number}; its state is “{status}”. Please check it in the Swiggy app. I sent nothing twice."
    )


# ---- after a recovery, and from the operator ----------------------------------------------------------------------------


def recovered() -> Reply:
    return ask(
        "I was interrupted and may have lost the last moments: an order may have been placed that I do not know of. What I "
        "read back no longer counts. I am looking at your Swiggy orders now; please check Swiggy too."
    )


def stray(order: Mapping[str, Any]) -> Reply:
    total = f" of {rupees(order['total_paise'])}" if order.get("total_paise") else ""
    when = f" from {clean(str(order['when']), most=20)}" if order.get("when") else ""
    status = clean(str(order.get("status") or "not stated").replace("_", " ").lower(), most=30)
    return ask(
        f"Swiggy lists an order{total}{when} that I have no record of; its state is “{status}”. Check it in the Swiggy app "
        "before you order again."
    )


def searched(*, read: bool) -> Reply:
    saw = "I have looked at your Swiggy orders" if read else "I could not read your Swiggy orders"
    return ask(f"{saw}. That proves nothing, so please check Swiggy too. You can go on; say complete order for a review.")


def settled_placed() -> Reply:
    return tell("The operator has checked it at Swiggy: that order was placed. I sent nothing twice.")


def settled_not_placed() -> Reply:
    return ask(
        "The operator has checked it at Swiggy, and I looked once more: that order was not placed. "
        "To order, say complete order.",
        "complete order",
    )


# ---- payment ------------------------------------------------------------------------------------------------------------


def pay(*, total_paise: int, reviewed_paise: int, link: str, screen: bool) -> tuple[Reply, Reply]:
    """The sentence, and the link for screens. The second is never spoken and carries no text of the link."""
    where = "Open the payment page on your screen" if screen else "Open the payment link I am sending you"
    total = rupees(total_paise)
    changed = f" Swiggy now asks {total}, not {rupees(reviewed_paise)}." if total_paise != reviewed_paise else ""
    said = f"The order waits for your payment of {total} by UPI.{changed} {where}. It is not placed until that is paid."
    return ask(said, "resend payment link", key="payment"), link_event(link, total_paise=total_paise)


def awaits_after_all(total_paise: int) -> Reply:
    """An answer that came late, told at a device whose session has gone on or ended."""
    return ask(
        f"Swiggy did take the order: it waits for your payment of {rupees(total_paise)} by UPI. The payment page is on the "
        "screen of this device, if it has one, and I send you its link. It is not placed until that is paid."
    )


def link_not_sent() -> Reply:
    """Nobody waits for it any more, so it cannot be asked for again."""
    return tell("I could not send you the payment link. It is on the screen of this device, if it has one; or look in Swiggy.")


def link_event(link: str, *, total_paise: int | None) -> Reply:
    data = {"link": link, "total": rupees(total_paise)}
    return Reply("Payment link", speech="", speak=False, expects_reply=False, kind="interaction.payment", data=data)


def notice(total_paise: int) -> str:
    """What goes with the link to the person's own channel."""
    return f"Your Instamart order waits for {rupees(total_paise)} by UPI. Open the link to pay; it is not placed before that."


def link_sent(code: str, *, screen: bool) -> Reply:
    if code == "sent":
        return tell("I sent you the payment link.")
    where = "It is still on your screen. " if screen else ""
    return ask(f"I could not send the payment link to you. {where}Say resend payment link to try again.", "resend payment link")


def paying(*, confirmed: bool) -> Reply:
    again = "The order was sent once already and is not sent again. " if confirmed else ""
    return ask(
        f"{again}I am still waiting for the payment and check it by myself. You can say resend payment link, or stop.",
        "resend payment link",
        "stop",
    )


def parts(rows: Sequence[Mapping[str, str]]) -> tuple[Reply, ...]:
    """Of a cart that was split by store, what each of its orders came to; nothing where it was not split."""
    if not rows:
        return ()
    said = [f"Swiggy split this into {len(rows)} orders."]
    for number, row in enumerate(rows, 1):
        name = f"Order {number}, {clean(row['order_id'], most=30)}," if row["order_id"] else f"Order {number}"
        if row["error"] or not row["order_id"]:
            said.append(f"{name} failed: “{clean(row['error'] or 'no reason given', most=80)}”.")
        else:
            said.append(f"{name} is “{clean(row['status'] or 'not stated', most=30)}”.")
    return (tell(" ".join(said)),)


def placed(*, failures: int) -> Reply:
    """Placed without a payment leg. Of an order split by store some parts may have failed."""
    if failures:
        return tell(f"Only a part of it was placed: {failures} of the shop's orders failed. Please check it in the Swiggy app.")
    return tell("Instamart order placed successfully.")


def paid(total_paise: int | None) -> Reply:
    amount = f" {rupees(total_paise)} are paid." if total_paise else ""
    return tell(f"Instamart order placed successfully.{amount}")


def paid_late(total_paise: int | None) -> Reply:
    """Of a payment whose end was told as failed or unknown. It is another order than the one that may be going on now."""
    amount = f" of {rupees(total_paise)}" if total_paise else ""
    return tell(f"The earlier payment{amount} did go through after all: that Instamart order was placed successfully.")


UNPAID = {
    "payment_failed": "The payment failed, so the order was not placed. Your cart is kept; a new try needs a new review.",
    "payment_cancelled": "The order was cancelled at the payment. Swiggy refunds what was taken. Nothing else was sent.",
    "payment_refunded": "The payment is being refunded by Swiggy, so the order does not go ahead. Nothing else was sent.",
    "cart_changed": "Price or stock changed during the payment, so the order was not placed. Your cart needs a new review.",
}


def unpaid(reason: str) -> Reply:
    return tell(UNPAID.get(reason, UNPAID["payment_failed"]))


def unsure(reason: str) -> Reply:
    if reason == "payment_unmonitored":
        return tell(
            "Swiggy took the order but gave no way to follow its payment. Please check it in Swiggy. I will not send it again."
        )
    return tell(
        "I don't know how the payment ended, please check Swiggy. If it was paid, Swiggy settles it; I sent nothing twice."
    )


def payment_result(word: str, total_paise: int | None, *, late: bool = False) -> Reply:
    """The end of a payment, for whoever hears it outside the session it belonged to."""
    if word == "paid":
        return paid_late(total_paise) if late else paid(total_paise)
    return unpaid(word) if word in UNPAID else unsure(word)


def left(*, unknown: bool) -> Reply:
    what = "whether the order was placed is not known yet" if unknown else "the order still waits for its payment"
    return tell(f"I stop here, but nothing was cancelled: {what}. I keep checking and tell you how it ends.")
