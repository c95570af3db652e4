"""English: orders that were placed before, and practice. Swiggy's words stand in quotes, and never at the end of a sentence."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "orders.none_under_way": "Swiggy lists no order that is on its way.",
    "orders.none": "Swiggy lists no order of the last days.",
    "orders.says": "Swiggy says “{status}” of {which}{total}{when}",
    "orders.the_order": "the order",
    "orders.the_last_one": "the last one",
    "orders.the_last_order": "the last order",
    "orders.total": " of {total}",
    "orders.time": " from {time}",
    "orders.day": " from {day} {month}",
    "orders.end": "{says}.",
    "orders.held": "{says}: {held}, as it lists them.",
    "orders.count.one": "{count} item",
    "orders.count.many": "{count} items",
    "orders.not_said": "it does not say what",
    "orders.nothing": "nothing",
    "orders.adds": "It adds “{message}” to that.",
    "orders.eta": "It gives “{words}” for the delivery.",
    "orders.due": "It gives {time} for the delivery.",
    "orders.overdue": "It gives {time} for the delivery, which is over.",
    "orders.more.one": "It lists {count} more that is not delivered.",
    "orders.more.many": "It lists {count} more that are not delivered.",
    "orders.unpaid": "It is not placed until it is paid.",
    "orders.unlisted": "The order{total}{when} that was placed here is not in that list; please check it in the Swiggy app.",
    "orders.awaits": "The order{total}{when} waits for your payment; it is not placed until that is paid.",
    "orders.review_stands": "The order that I read to you, {total}, is not placed, and its review still stands. "
    "You can confirm it as before, or tell me what to change.",
    "orders.not_yet": "Nothing of the basket that you are filling now is ordered yet.",
    "orders.not_yours": "The Swiggy account here is not linked to you, so I can tell nothing of its orders.",
    "orders.not_set_up": "Swiggy is not set up here, so there are no orders that I could look at.",
    "unread.sign_in": "The Swiggy sign-in has ended, so I cannot look at your orders. The operator has to sign in again.",
    "unread.not_linked": "The Swiggy account is not linked to you any more, so I can tell nothing of it.",
    "unread.rate_limited": "Swiggy asks us to wait, so I could not look at your orders. Ask again in some minutes.",
    "unread.other": "I could not read your Swiggy orders just now, so I do not know. Please look in the Swiggy app.",
    "month.1": "January",
    "month.2": "February",
    "month.3": "March",
    "month.4": "April",
    "month.5": "May",
    "month.6": "June",
    "month.7": "July",
    "month.8": "August",
    "month.9": "September",
    "month.10": "October",
    "month.11": "November",
    "month.12": "December",
    # What opens one of the two while one is open.
    "opening.order": "This is a real order, not practice.",
    "opening.order.end": "To practise, end it first: say stop, then practice order Swiggy.",
    "opening.order.off": "Practice is not switched on here.",
    "opening.order.already": "Your order is open here already.",
    "opening.practice": "This is practice, not a real order.",
    "opening.practice.end": "To order in earnest, end the practice first: say stop, then order Swiggy.",
    "opening.practice.off": "Real orders are not switched on here.",
    "opening.practice.already": "The practice is open here already.",
    # Practice.
    "rehearsal.begins": "This is practice: nothing is ordered and nothing is paid, whatever you say.",
    "rehearsal.shut": "I do not practise now: your real order {at} waits to be confirmed, and would hear the same words. "
    "Confirm or cancel that one first.",
    "rehearsal.cut": "The practice ends here, and nothing of it was ordered or paid: your real order {at} now waits to be "
    "confirmed, and would hear the same words.",
    "rehearsal.of": "Practice. {text}",
    "rehearsal.pays": "A real order would now wait for your payment of {total} by UPI, and send you the link. "
    "Here I pretend that you pay.",
    "rehearsal.no_link": "Practice sends no payment link.",
    "rehearsal.unanswered": "The practice shop did not answer. In a real order I would not know whether it was placed, "
    "and look for it.",
    "rehearsal.over": "That was practice: nothing was ordered and nothing was paid. Say order Swiggy when you mean it.",
}
