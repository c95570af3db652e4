"""Why something cannot be done to this cart, one sentence for each reason; and why its bill is another one. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from interactions.contracts import Reply
from interactions.sentences import Sentences
from swiggy_instamart.wording import READ_OUT, ask, clean, listed, rupees, titled

# Of a reason that asks something: the answers to it. Any other one is a remark.
ANSWERS = {"cart_elsewhere": ("yes", "no", "clear_cart", "change_address")}
KEYS = {"cart_elsewhere": "lost"}
MORE = frozenset({"cart_empty", "none_here"})  # after which it is asked what else is wanted


def unfit(
    say: Sentences,
    code: str,
    *,
    names: Sequence[str] = (),
    total: int | None = None,
    limit: int | None = None,
    asked: int | None = None,
) -> Reply:
    which = listed(say, [titled(say, name) for name in names[:READ_OUT]]) or say("an_item")
    amounts = {"total": rupees(say, total), "limit": rupees(say, limit), "asked": rupees(say, asked)}
    said = say(f"unfit.{code}", names=which, **amounts)
    return ask(say, said, *ANSWERS.get(code, ("show_cart",)), key=KEYS.get(code))


def bill_changes(say: Sentences, was: Sequence[Sequence[str]], now: Sequence[Sequence[str]], *, amounts: bool) -> list[str]:
    """Why a total is another one, by the shop's own lines; amounts that moved with the items explain nothing."""
    before, after = ({row[0]: row[1] for row in bill} for bill in (was, now))
    if not (before and after):
        return []
    gone = [say("bill.gone", line=_billed(say, label, before[label])) for label in before if label not in after]
    new = [say("bill.new", line=_billed(say, label, after[label])) for label in after if label not in before]
    both = [label for label in before if label in after and before[label] != after[label]] if amounts else []
    moved = [say("bill.moved", line=_billed(say, row, after[row]), was=clean(say, before[row], most=20)) for row in both]
    return [*gone, *new, *moved][:READ_OUT]


def _billed(say: Sentences, label: str, value: str) -> str:
    return say("bill.line", label=clean(say, label, most=40), value=clean(say, value, most=20))
