"""English: what was found, what the cart holds and how it differs, and why something cannot be done to it."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "too_many_items": "That was more than {most} items at once. Tell me up to {most} at a time.",
    "option": "{number}: {title}, {price}",
    "option.packs": "{number}: {title}, {packs}{total}",
    "option.total": ", {amount} in all",
    "packs.one": "{size} at {price}",
    "packs.many": "{count} x {size} at {price} each",
    "amount": "{number} {unit}",
    "pieces.one": "{count} piece",
    "pieces.many": "{count} pieces",
    "offer.one": "For {query} I found {options}. Shall I take it? Say option 1 or skip.",
    "offer.many": "For {query} I found {options}. Which one?",
    "nothing_to_choose": "There is nothing to choose from just now. What would you like?",
    "not_found": "I found nothing in stock for {queries}.",
    "not_checked": "I could not check {queries}; ask again in a while.",
    "search_down": "Swiggy's search finds nothing at all just now. It may be down, or not serve this address. Try again later.",
    "anything_else": "Anything else?",
    "more_of_it": "Say a number if you want more of it, or what else you need.",
    "how_many": "How many {title} would you like in all? Say a number; zero takes it out.",
    # The cart.
    "cart_has": "The cart has {lines}.",
    "cart_has.one": "The cart has {line} and {count} other item.",
    "cart_has.many": "The cart has {line} and {count} other items.",
    "removed": "Removed {title}.",
    "cart_empty_now": "The cart is empty now.",
    "cart": "In the cart: {lines}; {total} to pay. Anything else?",
    "cart.no_total": "In the cart: {lines}; the total could not be read. Anything else?",
    "cart.empty": "The cart is empty. What would you like?",
    "cart.reviewed": "In the cart: {lines}; {total} to pay. The review still stands.",
    "cart.lost": "Swiggy's cart is empty now. It held {lines}, and I changed nothing. Shall I put it back?",
    "overtaken": "The cart was changed elsewhere meanwhile, so I wrote nothing. {what} Say it again if you still want it.",
    "overtaken.what": "It is not what I last read.",
    # What was read differs from what was meant.
    "gap.removed": "Swiggy removed {line}; it is out of stock.",
    "gap.reduced": "Of {title} you can have {now}, not {meant}.",
    "gap.missing": "{line} did not stay in the cart.",
    "gap.changed": "The cart has {line} where I asked for {meant}.",
    "gap.foreign": "The cart also holds {line}, which I did not put there.",
    "left_out": "{title} is not to be had here now, so it is left out.",
    "left_out.unchecked": "I could not check {title}, so it is left out; ask for it again in a while.",
    "bill.line": "“{label}”, {value},",
    "bill.gone": "{line} is no longer in the bill.",
    "bill.new": "{line} is new in the bill.",
    "bill.moved": "{line} was {was} before.",
    "packs.differ": "The packs come to {packs}, you said {meant}.",
    "packs.how_many": "I cannot tell how many packs of {title} {size} make {meant}. How many shall I take?",
    "packs.how_many.no_size": "{title} states no size, so I cannot tell how many packs make {meant}. How many shall I take?",
    "coupons.unasked": "I could not ask Swiggy about coupons just now. What else would you like?",
    "coupons.served": "I do not use coupons. What Swiggy takes off by itself is in the total.",
    "coupons.none": "Coupons aren't available here. What else would you like?",
    # Why not.
    "unfit.cart_empty": "The cart is empty, so there is nothing to order. What would you like?",
    "unfit.cart_elsewhere": "The cart is for another address than the one you confirmed. "
    "Say yes and I put its items together for this one. Or say clear cart, or change address.",
    "unfit.none_here": "None of it can be had at this address now, so I changed nothing: {names}. What would you like instead?",
    "unfit.address_unseen": "Swiggy does not say which address this cart is for, so I will not order it. "
    "Say complete order again.",
    "unfit.unavailable": "Something in the cart cannot be delivered now: {names}. Remove it first, or say show cart.",
    "unfit.total_unreadable": "I could not read the total, so I will not order it. Say complete order to look again.",
    "unfit.over_limit": "The total is {total}. I only order below {limit}, so nothing was ordered. Remove something first.",
    "unfit.amounts_differ": "The cart says {total} but the payment would be {asked}, so I have not read it back. "
    "Say complete order to look again.",
    "unfit.no_scan": "Swiggy offers no UPI scan payment for this cart, and I do not order with cash. Nothing was ordered.",
    "unfit.no_screen": "No screen or notification could show you the payment link, so I have not started the review.",
    "unfit.unwritable": "The cart holds something I cannot write back, so I changed nothing: {names}. "
    "Change it in the Swiggy app.",
    "unfit.several_lines": "That fits more than one thing in the cart: {names}. Which one?",
    "unfit.no_such_line": "I do not see that in the cart. Say show cart to hear what is there.",
    "unfit.too_many": "I can take 1 to 20 of one item, so I changed nothing. How many?",
    "unfit.too_few": "I can take 1 to 20 of one item; 0 removes it. How many?",
    "unfit.no_such_option": "There is no such option. Choose one of the numbers I read, or say skip.",
    "unfit.recovering": "I am still looking for an order that I may have forgotten. "
    "I will not order anything before that has ended.",
    "unfit.blocked": "The earlier checkout is still being looked up. I will not order anything before that has ended.",
}
