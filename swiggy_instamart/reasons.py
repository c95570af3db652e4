"""Why something cannot be done to this cart, one sentence for each reason, in English. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interactions.contracts import Reply
from swiggy_instamart.wording import READ_OUT, ask, listed, rupees, titled

SENTENCES: Mapping[str, str] = {
    "cart_empty": "The cart is empty, so there is nothing to order. What would you like?",
    "cart_elsewhere": "The cart is for another address than the one you confirmed. Say yes and I put its items together for "
    "this one. Or say clear cart, or change address.",
    "none_here": "None of it can be had at this address now, so I changed nothing: {names}. What would you like instead?",
    "address_unseen": "Swiggy does not say which address this cart is for, so I will not order it. Say complete order again.",
    "unavailable": "Something in the cart cannot be delivered now: {names}. Remove it first, or say show cart.",
    "total_unreadable": "I could not read the total, so I will not order it. Say complete order to look again.",
    "over_limit": "The total is {total}. I only order below {limit}, so nothing was ordered. Remove something first.",
    "amounts_differ": "The cart says {total} but the payment would be {asked}, so I have not read it back. "
    "Say complete order to look again.",
    "no_scan": "Swiggy offers no UPI scan payment for this cart, and I do not order with cash. Nothing was ordered.",
    "no_screen": "No screen or notification could show you the payment link, so I have not started the review.",
    "unwritable": "The cart holds something I cannot write back, so I changed nothing: {names}. Change it in the Swiggy app.",
    "several_lines": "That fits more than one thing in the cart: {names}. Which one?",
    "no_such_line": "I do not see that in the cart. Say show cart to hear what is there.",
    "too_many": "I can take 1 to 20 of one item, so I changed nothing. How many?",
    "too_few": "I can take 1 to 20 of one item; 0 removes it. How many?",
    "no_such_option": "There is no such option. Choose one of the numbers I read, or say skip.",
    "recovering": "I am still looking for an order that I may have forgotten. I will not order anything before that has ended.",
    "blocked": "The earlier checkout is still being looked up. I will not order anything before that has ended.",
}


def unfit(
    code: str,
    *,
    names: Sequence[str] = (),
    total: int | None = None,
    limit: int | None = None,
    asked: int | None = None,
) -> Reply:
    which = listed([titled(name) for name in names[:READ_OUT]]) or "an item"
    said = SENTENCES[code].format(names=which, total=rupees(total), limit=rupees(limit), asked=rupees(asked))
    return ask(said, "show cart")
