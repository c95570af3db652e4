"""English: prices, lists, counts, and the answers that a screen shows as buttons."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "rupees": "₹{amount}",
    "no_price": "a price I could not read",
    "comma": ", ",
    "list.and": "{first} and {last}",
    "list.or": "{first} or {last}",
    "counted": "{count} x {title}",
    "more_lines": "{count} more",
    "unnamed": "unnamed",
    "nameless": "an item without a name",
    "nameless.size": "an item without a name, {size}",
    "named": "item named “{title}”",
    "link_left_out": "(a link)",
    "an_item": "an item",
    "not_stated": "not stated",
    # The answers: each is understood as the thing it stands for.
    "answer.yes": "yes",
    "answer.no": "no",
    "answer.stop": "stop",
    "answer.help": "help",
    "answer.repeat": "repeat",
    "answer.skip": "skip",
    "answer.option": "option {number}",
    "answer.keep_cart": "keep cart",
    "answer.clear_cart": "clear cart",
    "answer.show_cart": "show cart",
    "answer.complete_order": "complete order",
    "answer.confirm_order": "confirm order",
    "answer.cancel_order": "cancel order",
    "answer.change_address": "change address",
    "answer.resend": "resend payment link",
    "answer.take_over": "take it over",
}
