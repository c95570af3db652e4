"""What the person can hear until they consent, in English. Pure: facts in, a Reply out.

The sentences of search and cart are in ``groceries`` and ``reasons``, those from the consent on in ``news``.

Titles, labels and the shop's words are data: cleaned, cut short and quoted, never our own claim. A sentence may teach the
words that spend, but none ends in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interactions.contracts import Choice, Reply
from swiggy_instamart.carts import Difference, Line
from swiggy_instamart.wording import ask, clean, counted, listed, rupees, some, tell, titled

# ---- opening and address ------------------------------------------------------------------------------------------------

SHUT = {
    "not_linked": "Swiggy ordering is not linked to you on this assistant, so I have not opened it.",
    "not_configured": "Swiggy ordering is not set up here. The operator has to link an account first.",
    "sign_in": "The Swiggy sign-in has ended. The operator has to sign in again; then say order Swiggy again.",
    "sign_in_short": "The Swiggy sign-in ends within minutes. The operator has to sign in again; then say order Swiggy again.",
    "sign_in_damaged": "The Swiggy sign-in file is damaged. The operator has to sign in again; then say order Swiggy again.",
    "no_address": "This Swiggy account has no saved address. Add one in the Swiggy app, then say order Swiggy again.",
}


ADDRESS_FIRST = "The address comes first; the cart and what you need come after it. "


def shut(code: str) -> Reply:
    return tell(SHUT.get(code, SHUT["not_configured"]))


def sign_in_ending() -> Reply:
    return tell("The Swiggy sign-in ends within a day. The operator should sign in again soon.")


def propose(label: str, *, opening: str = "") -> Reply:
    # The label exactly as Swiggy saved it: a changed one would be another address to the ear.
    return ask(f"{opening}Use {label} for delivery?", "yes", "no", "change address", key="address")


def which_address(labels: Sequence[str], *, code: str = "") -> Reply:
    why = {
        "ambiguous": "That fits more than one address. ",
        "unmatched": "That is not one of the saved labels. ",
        "first": ADDRESS_FIRST,
        "doubled": "That label is saved more than once, so I cannot tell which is meant. ",
    }.get(code, "")
    names = [clean(label, most=40) for label in labels if label]
    if not names:
        return ask(
            f"{why}The saved addresses have no usable labels. Name one in the Swiggy app, or say cancel order.", "cancel order"
        )
    return ask(f"{why}Which saved address should I use: {listed(names, last='or')}?", *names[:8], key="address_label")


def old_cart(lines: Sequence[Line], total_paise: int | None, *, other_address: bool) -> Reply:
    where = " It was filled for another address, so its items may not be deliverable." if other_address else ""
    total = f", {rupees(total_paise)} to pay" if total_paise is not None else ""
    text = f"Your Swiggy cart already has {some(lines)}{total}.{where} Keep cart or clear cart?"
    return ask(text, "keep cart", "clear cart", key="old_cart", cart=[counted(line) for line in lines])


def keep_or_clear() -> Reply:
    return ask("Say keep cart to order these as well, or clear cart to start with an empty one.", "keep cart", "clear cart")


def not_cleared() -> Reply:
    return ask(
        "The cart still has items in it, so it was not cleared. Keep cart, or clear cart again?", "keep cart", "clear cart"
    )


def items(*, opening: str = "") -> Reply:
    return ask(f"{opening} What would you like?".strip(), "show cart", "complete order", key="items")


def not_an_item(*, twice: bool) -> Reply:
    first = "I did not catch an item in that. Say, for example, add two milk."
    said = f"I still did not catch that. {HELP['shopping']}" if twice else first
    return ask(said, "show cart", "complete order", "help", key="items")


def still_ordering() -> Reply:
    return ask("Still ordering? Tell me an item, or say cancel order.", "cancel order")


# ---- review and checkout ------------------------------------------------------------------------------------------------


def review(
    lines: Sequence[Line], *, total_paise: int, label: str, key: str, valid_s: int, maybe: Sequence[dict[str, Any]] = ()
) -> Reply:
    """The read-back. An order that may exist already comes first, so that it is heard before anything can be confirmed."""
    before = "".join(f"{may_exist(row)} " for row in maybe)
    text = (
        f"{before}Your order: {listed([counted(line) for line in lines])}. To {clean(label, most=40)}. "
        f"{rupees(total_paise)} to pay by UPI scan. Say confirm order to place it, or tell me what to change."
    )
    choices = tuple(Choice(say) for say in ("confirm order", "show cart", "cancel order"))
    data = {"cart": [counted(line) for line in lines], "total": rupees(total_paise), "address": clean(label, most=40)}
    return Reply(text, choices=choices, key=key, data=data, valid_s=valid_s)


def no_review() -> Reply:
    return ask(
        "There is nothing to confirm yet. Say complete order and I read it back to you first.", "complete order", "show cart"
    )


def may_exist(row: dict[str, Any]) -> str:
    if row["total_paise"] is None:  # nothing is known of it but when it may have been placed
        return f"I was interrupted around {clean(row['when'], most=20)} and may have forgotten an order; please check Swiggy."
    return (
        f"An order of {rupees(row['total_paise'])} from {clean(row['when'], most=20)} may exist already; please check Swiggy."
    )


def waiting(seconds: float) -> Reply:
    """An earlier request may still arrive; the cart is left alone until it cannot."""
    return Reply(
        f"Swiggy may still be busy with an earlier request, so I wait about {max(5, round(seconds / 5) * 5)} seconds before I"
        " change the cart. Say stop to leave it.",
        expects_reply=False,
    )


def how_to_confirm() -> Reply:
    return ask(
        "A yes is not enough to spend money. Say confirm order, just these two words, if you want it placed.", "confirm order"
    )


UNHEARD = {
    "too_early": "I was still reading. Listen to the end, then say confirm order if you want it placed.",
    "not_heard": "You have not heard this review yet. Say repeat to hear it.",
    "cut": "The review was cut off. Say repeat to hear it in full.",
    "other_device": "The review was read on another device. Say complete order to hear it here.",
    "unsure": "I am not sure I heard that right. Please say it once more, clearly, on its own.",
    "old": "That reached me too late, so I placed nothing. Say it once more if you still want it.",
    "overtaken": "I have not placed the order, because you went on talking. The review still stands.",
    "not_the_phrase": "I place it only on the words confirm order, on their own.",
}


def unheard(code: str) -> Reply:
    return ask(UNHEARD.get(code, UNHEARD["not_the_phrase"]), "repeat", "cancel order")


def void(code: str, *, changes: Sequence[str] = (), lost: bool = False) -> Reply:
    why = {
        "expired": "That review is too old by now",
        "late": "Checking the cart took too long after your words",
        "drifted": "The cart changed after I read it to you",
    }[code]
    what = " ".join(changes)
    if lost:
        return ask(f"{why}, so nothing was placed. {what} The cart is empty. Shall I put it back?", "yes", "no", key="lost")
    return ask(
        f"{why}, so nothing was placed. {what} Say complete order to hear it again.".replace("  ", " "), "complete order"
    )


def outdated() -> Reply:
    """Something came to light that was not known when the order was read back."""
    return ask("What I read back before no longer counts. Say complete order to hear it again.", "complete order")


def drift(
    was: Sequence[Line], now: Sequence[Line], *, total: tuple[int, int | None], moved: bool, gap: Difference, why: Sequence[str]
) -> list[str]:
    """What is different from what was reviewed, in words. ``why``: what else changed in the bill."""
    said = [f"{counted(line)} is gone." for line in gap.missing]
    said += [f"{counted(line)} is new." for line in gap.foreign]
    said += [f"Of {titled(line.title)} there are {now_} instead of {was_}." for line, was_, now_ in gap.changed]
    known = {line.spin: line for line in was}
    said += [
        f"{titled(x.title)} is not available now."
        for x in now
        if not x.available and x.spin in known and known[x.spin].available
    ]
    if moved:
        said.append("The cart is for another address.")
    if total[0] != total[1]:
        said.append(f"The total was {rupees(total[0])} and is {rupees(total[1])}." if total[1] else "The total cannot be read.")
        said += why
    return said or ["An item was replaced by the shop."]


# ---- help, trouble, the end ---------------------------------------------------------------------------------------------


def closed(*, timeout: bool, doubt: bool) -> Reply:
    """``doubt``: an earlier checkout of this account may exist, so nothing is said about what was placed."""
    why = "The order timed out" if timeout else "I closed the order"
    if doubt:
        return tell(f"{why}. The earlier order may exist, please check Swiggy. What is in your Swiggy cart stays there.")
    return tell(f"{why}. Nothing was placed, and the items stay in your Swiggy cart.")


def trouble(code: str, *, what: str) -> Reply:
    if code == "sign_in":
        return ask("The Swiggy sign-in has ended. The operator has to sign in again; your cart is kept.", "cancel order")
    if code == "sign_in_short":
        short = "The Swiggy sign-in ends too soon to follow a payment, so nothing was placed."
        return ask(f"{short} The operator has to sign in again; your cart is kept.", "cancel order")
    if code == "not_linked":
        return ask("The Swiggy account is not linked to you any more, so I did nothing there.", "cancel order")
    if code == "rate_limited":
        return ask(f"Swiggy asks us to wait, so I could not {what}. Your cart is as it was; try again in some minutes.")
    unsure, wait = code.removesuffix("_wait"), code.endswith("_wait")
    before, later = ("Swiggy asks us to wait. ", "in some minutes") if wait else ("", "now")
    if unsure == "unsure_clear":
        text = f"{before}I am not sure whether the cart was cleared."
        return ask(f"{text} {'In some minutes, c' if wait else 'C'}lear cart again, or keep cart?", "clear cart", "keep cart")
    if unsure == "unsure":
        return ask(f"{before}I am not sure whether I could {what}. Say show cart {later} to hear what Swiggy has.", "show cart")
    return ask(f"I could not {what} just now. Say it again to try once more.", "cancel order")


HELP = {
    "confirm_address": "Say yes to use this address, no to choose another, or cancel order.",
    "select_address": "Say the label of one of your saved addresses, or cancel order.",
    "existing_cart_decision": "Say keep cart or clear cart. Nothing changes before that. Or say cancel order.",
    "shopping": "Tell me what you need, like two milk and a bread. Or say show cart, remove milk, complete order.",
    "choosing": "Say the number of an option, or skip. You can also say cancel order.",
    "awaiting_confirmation": "Say confirm order to place it, tell me what to change, or say cancel order to buy nothing.",
    "awaiting_payment": "I am waiting for the payment. Say resend payment link to get the link again, or stop.",
    "checkout_outcome_unknown": "I am looking for the order at Swiggy. You can say stop; I tell you what I find.",
}


def helping(phase: str, *, choosing: bool) -> Reply:
    key = "choosing" if phase == "shopping" and choosing else phase
    return ask(HELP.get(key, "I am still working on it. You can say cancel order."))


def busy() -> Reply:
    return ask("I am still working on the last thing.")


def still_there() -> Reply:
    return ask("Are you still there? Your basket is kept.")
