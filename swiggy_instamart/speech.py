"""What the person can hear until they consent. Pure: facts in, a Reply out, in the language of the given sentences.

The builders of search and cart are in ``groceries`` and ``reasons``, those from the consent on in ``news``.

Titles, labels and the shop's words are data: cleaned, cut short and quoted, never our own claim. A sentence may teach the
words that spend, but none ends in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interactions.contracts import Choice, Reply
from interactions.sentences import Sentences
from swiggy_instamart import reviews
from swiggy_instamart.carts import Difference, Line
from swiggy_instamart.wording import ask, clean, counted, listed, plain, rupees, some, tell, titled, together

# ---- opening and address ------------------------------------------------------------------------------------------------


def shut(say: Sentences, code: str) -> Reply:
    return tell(say, say.either("shut", code, "not_configured"))


def sign_in_ending(say: Sentences) -> Reply:
    return tell(say, say("sign_in_ending"))


def propose(say: Sentences, label: str, *, first: bool = False) -> Reply:
    """``first``: something else was said before the address was agreed to."""
    # The label exactly as Swiggy saved it: a changed one would be another address to the ear.
    question = together(say("address.first") if first else "", say("propose", label=label))
    return ask(say, question, "yes", "no", "change_address", key="address")


def which_address(say: Sentences, labels: Sequence[str], *, code: str = "") -> Reply:
    why = say.either("address", code)
    names = [plain(say, label, most=40) for label in labels if label]
    if not names:
        return ask(say, together(why, say("no_labels")), "cancel_order")
    question = together(why, say("which_address", labels=listed(say, names, last="or")))
    return ask(say, question, *map(Choice, names[:8]), key="address_label")


def old_cart(say: Sentences, lines: Sequence[Line], total_paise: int | None, *, other_address: bool) -> Reply:
    where = say("old_cart.where") if other_address else ""
    total = say("old_cart.total", total=rupees(say, total_paise)) if total_paise is not None else ""
    question = say("old_cart", lines=some(say, lines), total=total, where=where)
    return ask(say, question, "keep_cart", "clear_cart", key="old_cart", cart=[counted(say, line) for line in lines])


def keep_or_clear(say: Sentences) -> Reply:
    return ask(say, say("keep_or_clear"), "keep_cart", "clear_cart", key="old_cart")


def not_cleared(say: Sentences) -> Reply:
    return ask(say, say("not_cleared"), "keep_cart", "clear_cart", key="old_cart")


def items(say: Sentences, *, opening: str = "") -> Reply:
    return ask(say, together(opening, say("items")), "show_cart", "complete_order", key="items")


def not_an_item(say: Sentences) -> Reply:
    return ask(say, say("not_an_item"), "show_cart", "complete_order", "help", key="items")


def still_ordering(say: Sentences) -> Reply:
    return ask(say, say("still_ordering"), "cancel_order")


# ---- review and checkout ------------------------------------------------------------------------------------------------


def review(
    say: Sentences,
    lines: Sequence[Line],
    *,
    total_paise: int,
    label: str,
    key: str,
    valid_s: int,
    maybe: Sequence[dict[str, Any]] = (),
    unchosen: Sequence[str] = (),
) -> Reply:
    """The read-back. An order that may exist already, and what is not in this one, are heard before it can be confirmed."""
    rows, total, place = [counted(say, line) for line in lines], rupees(say, total_paise), plain(say, label, most=40)
    read_back = say("review", lines=listed(say, rows), label=place, total=total)
    missing = say("unchosen", queries=listed(say, [plain(say, one, most=40) for one in unchosen])) if unchosen else ""
    said = together(*(may_exist(say, row) for row in maybe), missing, read_back)
    data = {"cart": rows, "total": total, "address": place}
    asked = ask(say, said, "confirm_order", "show_cart", "cancel_order", key=key, **data)
    return replace(asked, valid_s=valid_s)


def no_review(say: Sentences) -> Reply:
    return ask(say, say("no_review"), "complete_order", "show_cart")


def may_exist(say: Sentences, row: dict[str, Any]) -> str:
    when = clean(say, row["when"], most=20)
    if row["total_paise"] is None:  # nothing is known of it but when it may have been placed
        return say("lost_moments", when=when)
    return say("may_exist", total=rupees(say, row["total_paise"]), when=when)


def waiting(say: Sentences, seconds: float) -> Reply:
    """An earlier request may still arrive; the cart is left alone until it cannot."""
    return tell(say, say("waiting", seconds=max(5, round(seconds / 5) * 5)))


AT_REVIEW = ("repeat", "show_cart", "cancel_order")  # the answers beside anything at a review but its read-back
AT_ANOTHER = ("complete_order", "cancel_order")


def how_to_confirm(say: Sentences) -> Reply:
    return ask(say, say("how_to_confirm"), *AT_REVIEW, key=reviews.ASKED)


def unheard(say: Sentences, code: str) -> Reply:
    said = say.either("unheard", code, "not_the_phrase")
    return ask(say, said, *(AT_ANOTHER if code == "other_device" else AT_REVIEW), key=reviews.ASKED)


def void(say: Sentences, code: str, *, changes: Sequence[str] = (), lost: bool = False) -> Reply:
    why, what = say(f"void.{code}"), " ".join(changes)
    if lost:
        return ask(say, _plain(say("void.lost", why=why, what=what)), "yes", "no", key="lost")
    return ask(say, _plain(say("void", why=why, what=what)), "complete_order")


def _plain(said: str) -> str:
    """Without the gap that something left out leaves."""
    return " ".join(said.split())


def outdated(say: Sentences) -> Reply:
    """Something came to light that was not known when the order was read back."""
    return ask(say, say("outdated"), "complete_order")


def drift(
    say: Sentences,
    was: Sequence[Line],
    now: Sequence[Line],
    *,
    total: tuple[int, int | None],
    moved: bool,
    gap: Difference,
    why: Sequence[str],
) -> list[str]:
    """What is different from what was reviewed, in words. ``why``: what else changed in the bill."""
    said = [say("drift.gone", line=counted(say, line)) for line in gap.missing]
    said += [say("drift.new", line=counted(say, line)) for line in gap.foreign]
    said += [say("drift.count", title=titled(say, line.title), now=now_, was=was_) for line, was_, now_ in gap.changed]
    known = {line.spin: line for line in was}
    said += [
        say("drift.unavailable", title=titled(say, x.title))
        for x in now
        if not x.available and x.spin in known and known[x.spin].available
    ]
    if moved:
        said.append(say("drift.moved"))
    if total[0] != total[1]:
        then, now_ = rupees(say, total[0]), rupees(say, total[1])
        said.append(say("drift.total", was=then, now=now_) if total[1] else say("drift.no_total"))
        said += why
    return said or [say("drift.replaced")]


# ---- help, trouble, the end ---------------------------------------------------------------------------------------------


def closed(say: Sentences, *, timeout: bool, doubt: bool) -> Reply:
    """``doubt``: an earlier checkout of this account may exist, so nothing is said about what was placed."""
    why = say("closed.timeout" if timeout else "closed.asked")
    return tell(say, say("closed.doubt" if doubt else "closed", why=why))


TROUBLE_ANSWERS = {
    "sign_in": ("cancel_order",),
    "sign_in_short": ("cancel_order",),
    "not_linked": ("cancel_order",),
    "rate_limited": ("show_cart", "cancel_order"),
    "unsure_clear": ("clear_cart", "keep_cart"),
    "unsure_clear_wait": ("clear_cart", "keep_cart"),
    "unsure": ("show_cart",),
    "unsure_wait": ("show_cart",),
}


def trouble(say: Sentences, code: str, *, what: str) -> Reply:
    """A call failed. ``what``: the name of what it was to do."""
    said = say.either("trouble", code, "other", what=say.either("what", what, "go_on"))
    return ask(say, said, *TROUBLE_ANSWERS.get(code, ("cancel_order",)))


def busy(say: Sentences) -> Reply:
    return ask(say, say("busy"), "cancel_order")


def still_there(say: Sentences) -> Reply:
    return ask(say, say("still_there"), "repeat", "cancel_order")
