"""What the person can hear from their consent on. Pure: facts in, a Reply out, in the language of the given sentences.

Nothing here says "placed" of an order that waits for its payment, or claims a cancellation. The payment link is never text; it
stands in the data of ``interaction.payment``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from interactions.contracts import Reply
from interactions.sentences import Sentences
from swiggy_instamart.wording import ask, clean, rupees, tell

UNPAID = ("payment_failed", "payment_cancelled", "payment_refunded", "cart_changed")


def checking_out(say: Sentences) -> Reply:
    return tell(say, say("checking_out"))


def turned_down(say: Sentences, message: str) -> Reply:
    shop = say("turned_down.shop", message=clean(say, message, most=120)) if message else ""
    return tell(say, say("turned_down", shop=shop))


def not_placed(say: Sentences, code: str) -> Reply:
    name = "not_placed.empty" if code == "empty_cart" else "not_placed"
    return ask(say, say(name, why=say.either("refused", code, "other")), "complete_order", "cancel_order")


def unknown(say: Sentences) -> Reply:
    return tell(say, say("unknown"))


def still_unknown(say: Sentences) -> Reply:
    return ask(say, say("still_unknown"), "stop")


def may_be_placed(say: Sentences) -> Reply:
    return ask(say, say("may_be_placed"), "show_cart", "complete_order")


def seen(say: Sentences, order: Mapping[str, Any]) -> Reply:
    number = clean(say, str(order.get("order_id", "")), most=30) if order.get("order_id") else ""
    return tell(say, say("seen", number=say("seen.number", number=number) if number else "", status=_status(say, order)))


def _status(say: Sentences, order: Mapping[str, Any]) -> str:
    return clean(say, str(order.get("status") or say("not_stated")).replace("_", " ").lower(), most=30)


# ---- after a recovery, and from the operator ----------------------------------------------------------------------------


def recovered(say: Sentences) -> Reply:
    return ask(say, say("recovered"), "cancel_order")


def stray(say: Sentences, order: Mapping[str, Any]) -> Reply:
    total = say("stray.total", total=rupees(say, order["total_paise"])) if order.get("total_paise") else ""
    when = say("stray.when", when=clean(say, str(order["when"]), most=20)) if order.get("when") else ""
    return ask(say, say("stray", total=total, when=when, status=_status(say, order)), "show_cart", "complete_order")


def searched(say: Sentences, *, read: bool) -> Reply:
    return ask(say, say("searched.read" if read else "searched.unread"), "complete_order", "show_cart")


def settled_placed(say: Sentences) -> Reply:
    return tell(say, say("settled.placed"))


def settled_not_placed(say: Sentences) -> Reply:
    return ask(say, say("settled.not_placed"), "complete_order")


# ---- payment ------------------------------------------------------------------------------------------------------------


def pay(say: Sentences, *, total_paise: int, reviewed_paise: int, link: str, screen: bool) -> tuple[Reply, Reply]:
    """The sentence, and the link for screens. The second is never spoken and carries no text of the link."""
    total, reviewed = rupees(say, total_paise), rupees(say, reviewed_paise)
    changed = say("pay.changed", total=total, reviewed=reviewed) if total_paise != reviewed_paise else ""
    said = say("pay", total=total, changed=changed, where=say("pay.screen" if screen else "pay.link"))
    return ask(say, said, "resend", key="payment"), link_event(say, link, total_paise=total_paise)


def awaits_after_all(say: Sentences, total_paise: int) -> Reply:
    """An answer that came late, told at a device whose session has gone on or ended."""
    return ask(say, say("awaits", total=rupees(say, total_paise)))


def link_not_sent(say: Sentences) -> Reply:
    """Nobody waits for it any more, so it cannot be asked for again."""
    return tell(say, say("link_not_sent"))


def link_event(say: Sentences, link: str, *, total_paise: int | None) -> Reply:
    shown = tell(say, say("link"), link=link, total=rupees(say, total_paise))
    return replace(shown, speech="", speak=False, kind="interaction.payment")


def notice(say: Sentences, total_paise: int) -> str:
    """What goes with the link to the person's own channel."""
    return say("notice", total=rupees(say, total_paise))


def link_sent(say: Sentences, code: str, *, screen: bool) -> Reply:
    if code == "sent":
        return tell(say, say("link_sent"))
    return ask(say, say("link_failed.screen" if screen else "link_failed"), "resend")


def paying(say: Sentences, *, confirmed: bool) -> Reply:
    return ask(say, say("paying.confirmed" if confirmed else "paying"), "resend", "stop", key="payment")


def parts(say: Sentences, rows: Sequence[Mapping[str, str]]) -> tuple[Reply, ...]:
    """Of a cart that was split by store, what each of its orders came to; nothing where it was not split."""
    if not rows:
        return ()
    said = [say("parts", count=len(rows))]
    for number, row in enumerate(rows, 1):
        known = clean(say, row["order_id"], most=30) if row["order_id"] else ""
        name = say("part.named", number=number, id=known) if known else say("part", number=number)
        if row["error"] or not row["order_id"]:
            said.append(say("part.failed", name=name, error=clean(say, row["error"] or say("no_reason"), most=80)))
        else:
            said.append(say("part.is", name=name, status=clean(say, row["status"] or say("not_stated"), most=30)))
    return (tell(say, " ".join(said)),)


def placed(say: Sentences, *, failures: int) -> Reply:
    """Placed without a payment leg. Of an order split by store some parts may have failed."""
    return tell(say, say("placed.partly", failures=failures) if failures else say("placed"))


def paid(say: Sentences, total_paise: int | None) -> Reply:
    return tell(say, say("paid", total=rupees(say, total_paise)) if total_paise else say("placed"))


def paid_late(say: Sentences, total_paise: int | None) -> Reply:
    """Of a payment whose end was told as failed or unknown. It is another order than the one that may be going on now."""
    return tell(say, say("paid_late.total", total=rupees(say, total_paise)) if total_paise else say("paid_late"))


def unpaid(say: Sentences, reason: str) -> Reply:
    return tell(say, say.either("unpaid", reason, "payment_failed"))


def unsure(say: Sentences, reason: str) -> Reply:
    return tell(say, say("unsure.unmonitored" if reason == "payment_unmonitored" else "unsure"))


def payment_result(say: Sentences, word: str, total_paise: int | None, *, late: bool = False) -> Reply:
    """The end of a payment, for whoever hears it outside the session it belonged to."""
    if word == "paid":
        return paid_late(say, total_paise) if late else paid(say, total_paise)
    return unpaid(say, word) if word in UNPAID else unsure(say, word)


def left(say: Sentences, *, unknown: bool) -> Reply:
    return tell(say, say("left.unknown" if unknown else "left.unpaid"))
