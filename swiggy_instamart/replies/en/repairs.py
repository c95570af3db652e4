"""English: what is said when nothing was understood, and what can be said at each open question."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "not_an_item": "I did not catch an item in that. Say, for example, add two milk.",
    "all_right": "All right.",
    "missed": "I did not get that.",
    "missed.address": "I did not catch a yes or a no.",
    "missed.old_cart": "I did not catch keep or clear.",
    "missed.option": "I did not catch which one.",
    "missed.count": "I did not catch a number or an item.",
    "missed.one_or_two": "I did not catch whether it is one thing or two.",
    "missed.of_what": "I did not catch an item in that.",
    "missed.as_before": "I did not catch a yes or a no.",
    "missed.put_back": "I did not catch a yes or a no.",
    "missed.put_here": "I did not catch a yes or a no.",
    "missed.again": "I still did not catch that. {can}",
    "missed.quiet": "I am listening. Say help to hear what you can say.",
    "missed.quiet.review": "The review still stands. I am listening. Say help to hear what you can say.",
    "no_words": "Sorry?",
    "no_words.again": "I still heard no words.",
    # Meant for somebody else.
    "aside": "Still ordering?",
    "still_ordering": "Still ordering? Tell me an item, or say cancel order.",
    # In passing.
    "passing.thanks": "You're welcome.",
    "passing.dear": "The prices are Swiggy's own. You can leave things out, or take others.",
    "passing.paid": "Nothing of this order is paid, and nothing of it is placed.",
    "passing.there": "Yes, I am here.",
    "passing.not_placed": "The order is not placed yet.",
    # Help.
    "help.opening": "I am still working on it. You can say cancel order.",
    "help.take_over": "Say take it over to go on with that order here, or no to leave it where it is.",
    "help.address": "Say yes to use {label}, no to choose another address, or cancel order.",
    "help.label": "Say the label of a saved address, like {example}, or cancel order.",
    "help.label.none": "Name a saved address in the Swiggy app, or say cancel order.",
    "help.old_cart": "Say keep cart or clear cart. Nothing changes before that. Or say cancel order.",
    "help.item": "Tell me what you need, like two milk and a bread, or half a kilo onions. Or say cancel order.",
    "help.more": "Tell me what else you need, like two milk and a bread. "
    "Or say show cart, remove item 1, complete order or cancel order.",
    "help.option": "Say option {numbers}, or skip. You can also tell me another item, or say cancel order.",
    "help.option.one": "Say yes to take it, or skip. You can also tell me another item, or say cancel order.",
    "help.count": "Say how many you want, like three. Or tell me what else you need, or say complete order.",
    "help.one_or_two": "Say one if it is one thing, two if they are two, or skip to leave it out. Or tell me what you need.",
    "help.of_what": "Tell me what you want that much of, like milk, or say skip to leave it out.",
    "help.as_before": "Say yes to put in what you ordered last time, no to leave it out, or tell me what you need.",
    "help.put_back": "Say yes to put the items back, no to leave the cart empty, or tell me what you need.",
    "help.put_here": "Say yes to put its items together for the address you confirmed, or no to leave the cart as it is. "
    "Or say clear cart, or change address.",
    "help.review": "Say confirm order to place it, tell me what to change, or say repeat, show cart or cancel order.",
    "help.busy": "I am still working on it. You can say cancel order.",
    "help.payment": "I am waiting for the payment. Say resend payment link to get the link again, or stop.",
    "help.unknown": "I am looking for the order at Swiggy. You can say stop; I tell you what I find.",
}
