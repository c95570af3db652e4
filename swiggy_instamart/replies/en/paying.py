"""English: everything from the consent on. Nothing says "placed" of an order that waits for its payment."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "checking_out": "Placing it now.",
    "turned_down": "Swiggy did not take the order.{shop} I am checking that nothing was placed.",
    "turned_down.shop": " Swiggy said: “{message}”.",
    "not_placed": "{why} The cart is kept. Say complete order to review it again.",
    "not_placed.empty": "{why} Say complete order to review it again.",
    "refused.not_sent": "The order could not be sent, so nothing was placed.",
    "refused.sign_in": "Swiggy did not accept our sign-in, so nothing was placed. The operator has to sign in again.",
    "refused.unchecked": "Swiggy refused the order. I could not read your orders to double-check, so have a look in Swiggy.",
    "refused.empty_cart": "Swiggy says that the cart is empty now. Look in Swiggy before you order again.",
    "refused.other": "I see no such order at Swiggy.",
    "unknown": "I don't know whether it was placed, please check Swiggy. I am looking for the order now, "
    "and I will not send it again.",
    "still_unknown": "I do not see the order yet, but that proves nothing. I keep looking for a few minutes; "
    "please check Swiggy too.",
    "may_be_placed": "I could not find the order, but it may exist. Check Swiggy before you order again. "
    "You can go on shopping here.",
    "seen": "Swiggy lists the order{number}; its state is “{status}”. Please check it in the Swiggy app. I sent nothing twice.",
    "seen.number": " {number}",
    # After a recovery, and from the operator.
    "recovered": "I was interrupted and may have lost the last moments: an order may have been placed that I do not know of. "
    "What I read back no longer counts. I am looking at your Swiggy orders now; please check Swiggy too.",
    "stray": "Swiggy lists an order{total}{when} that I have no record of; its state is “{status}”. "
    "Check it in the Swiggy app before you order again.",
    "stray.total": " of {total}",
    "stray.when": " from {when}",
    "searched.read": "I have looked at your Swiggy orders. That proves nothing, so please check Swiggy too. "
    "You can go on; say complete order for a review.",
    "searched.unread": "I could not read your Swiggy orders. That proves nothing, so please check Swiggy too. "
    "You can go on; say complete order for a review.",
    "settled.placed": "The operator has checked it at Swiggy: that order was placed. I sent nothing twice.",
    "settled.not_placed": "The operator has checked it at Swiggy, and I looked once more: that order was not placed. "
    "To order, say complete order.",
    # Payment.
    "pay.screen": "Open the payment page on your screen.",
    "pay.link": "Open the payment link I am sending you.",
    "pay": "The order waits for your payment of {total} by UPI.{changed} {where} It is not placed until that is paid.",
    "pay.changed": " Swiggy now asks {total}, not {reviewed}.",
    "awaits": "Swiggy did take the order: it waits for your payment of {total} by UPI. The payment page is on the "
    "screen of this device, if it has one, and I send you its link. It is not placed until that is paid.",
    "link_not_sent": "I could not send you the payment link. It is on the screen of this device, if it has one; "
    "or look in Swiggy.",
    "link": "Payment link",
    "notice": "Your Instamart order waits for {total} by UPI. Open the link to pay; it is not placed before that.",
    "link_sent": "I sent you the payment link.",
    "link_failed": "I could not send the payment link to you. Say resend payment link to try again.",
    "link_failed.screen": "I could not send the payment link to you. It is still on your screen. "
    "Say resend payment link to try again.",
    "paying": "I am still waiting for the payment and check it by myself. You can say resend payment link, or stop.",
    "paying.confirmed": "The order was sent once already and is not sent again. "
    "I am still waiting for the payment and check it by myself. You can say resend payment link, or stop.",
    "parts": "Swiggy split this into {count} orders.",
    "part": "Order {number}",
    "part.named": "Order {number}, {id},",
    "part.failed": "{name} failed: “{error}”.",
    "part.is": "{name} is “{status}”.",
    "no_reason": "no reason given",
    "placed": "Instamart order placed successfully.",
    "placed.partly": "Only a part of it was placed: {failures} of the shop's orders failed. Please check it in the Swiggy app.",
    "paid": "Instamart order placed successfully. {total} are paid.",
    "paid_late": "The earlier payment did go through after all: that Instamart order was placed successfully.",
    "paid_late.total": "The earlier payment of {total} did go through after all: that Instamart order was placed successfully.",
    "unpaid.payment_failed": "The payment failed, so the order was not placed. "
    "Your cart is kept; a new try needs a new review.",
    "unpaid.payment_cancelled": "The order was cancelled at the payment. Swiggy refunds what was taken. Nothing else was sent.",
    "unpaid.payment_refunded": "The payment is being refunded by Swiggy, so the order does not go ahead. "
    "Nothing else was sent.",
    "unpaid.cart_changed": "Price or stock changed during the payment, so the order was not placed. "
    "Your cart needs a new review.",
    "unsure.unmonitored": "Swiggy took the order but gave no way to follow its payment. Please check it in Swiggy. "
    "I will not send it again.",
    "unsure": "I don't know how the payment ended, please check Swiggy. If it was paid, Swiggy settles it; "
    "I sent nothing twice.",
    "left.unknown": "I stop here, but nothing was cancelled: whether the order was placed is not known yet. "
    "I keep checking and tell you how it ends.",
    "left.unpaid": "I stop here, but nothing was cancelled: the order still waits for its payment. "
    "I keep checking and tell you how it ends.",
}
