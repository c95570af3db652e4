"""What was found and what the cart holds, in English: options, edits and their differences, each with its numbers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from interactions.contracts import Choice, Reply
from swiggy_instamart.carts import Line
from swiggy_instamart.wording import READ_OUT, ask, clean, counted, listed, rupees, some, titled


def too_many_items(most: int) -> Reply:
    return ask(f"That was more than {most} items at once. Tell me up to {most} at a time.")


def _option(number: int, row: dict[str, Any]) -> str:
    name, brand = clean(row["name"]), clean(row["brand"], most=30) if row.get("brand") else ""
    title = name if not brand or brand.casefold() in name.casefold() else f"{brand} {name}"
    size = f" {clean(row['size'], most=30)}" if row.get("size") else ""
    return f"{number}: {title}{size}, {rupees(row.get('price_paise'))}"


def offer(found: dict[str, Any], *, opening: str = "") -> Reply:
    rows = found["variants"][:READ_OUT]
    options = [_option(n, row) for n, row in enumerate(rows, 1)]
    text = f"{opening} For {clean(found['query'], most=40)} I found {'; '.join(options)}. ".lstrip()
    text += "Shall I take it? Say option 1 or skip." if len(rows) == 1 else "Which one?"
    buttons = [Choice(f"option {n}", label) for n, label in enumerate(options, 1)]
    return ask(text, *buttons, "skip", key="offer", options=options)


def not_an_option(*, twice: bool) -> str:
    return "I still did not catch which one. Say a number, like option 1, or skip." if twice else "I did not catch which one."


def nothing_to_choose() -> Reply:
    return ask("There is nothing to choose from just now. What would you like?", "show cart", "complete order", key="items")


def not_found(queries: Iterable[str], *, unchecked: Iterable[str] = ()) -> str:
    missing, unsure = [clean(q, most=40) for q in queries], [clean(q, most=40) for q in unchecked]
    said = f"I found nothing in stock for {listed(missing, last='or')}." if missing else ""
    more = f"I could not check {listed(unsure, last='or')}; ask again in a while." if unsure else ""
    return f"{said} {more}".strip()


def search_seems_down() -> Reply:
    return ask("Swiggy's search finds nothing at all just now. It may be down, or not serve this address. Try again later.")


def written(report: dict[str, Any], *, opening: str, note: str) -> str:
    return " ".join(part for part in (opening, *differences(report), note) if part)


def anything_else(said: str, *, count: bool) -> Reply:
    more = "Say a number if you want more of it, or what else you need." if count else "Anything else?"
    return ask(f"{said} {more}".strip(), "show cart", "complete order", key="items")


def added(line: Line, *, others: int = 0) -> str:
    """What the cart was read to hold of this; what else it holds is numbered, so that nothing sounds forgotten."""
    more = f" and {others} other {'item' if others == 1 else 'items'}" if others else ""
    return f"The cart has {counted(line)}{more}."


def removed(line: Line) -> str:
    return f"Removed {titled(line.title)}."


def cart_now(lines: Sequence[Line]) -> str:
    return f"The cart has {some(lines)}." if lines else "The cart is empty now."


def differences(report: dict[str, Any]) -> list[str]:
    """Removed, capped and foreign lines, each with its numbers."""
    said = [
        f"Swiggy removed {row['quantity']} x {titled(row['name'])}; it is out of stock." for row in report.get("removed", ())
    ]
    said += [f"Of {titled(r['name'])} you can have {r['is']}, not {r['meant']}." for r in report.get("reduced", ())]
    said += [f"{r['quantity']} x {titled(r['name'])} did not stay in the cart." for r in report.get("missing", ())]
    said += [f"The cart has {r['is']} x {titled(r['name'])} where I asked for {r['meant']}." for r in report.get("changed", ())]
    said += [
        f"The cart also holds {r['quantity']} x {titled(r['name'])}, which I did not put there."
        for r in report.get("foreign", ())
    ]
    return said


def rebuilt(lines: Sequence[Line], *, missing: Sequence[str], unchecked: Sequence[str]) -> str:
    said = [cart_now(lines)]
    said += [f"{titled(name)} is not to be had here now, so it is left out." for name in missing]
    said += [f"I could not check {titled(name)}, so it is left out; ask for it again in a while." for name in unchecked]
    return " ".join(said)


def coupons(*, served: bool | None) -> Reply:
    """``served``: whether the shop lists the tool for them to this account; ``None``: it could not be asked."""
    if served is None:
        return ask("I could not ask Swiggy about coupons just now. What else would you like?", "show cart", "complete order")
    if served:
        return ask("I do not use coupons. What Swiggy takes off by itself is in the total.", "show cart", "complete order")
    return ask("Coupons aren't available here. What else would you like?", "show cart", "complete order")


def lost(lines: Sequence[Line]) -> Reply:
    text = f"Swiggy's cart is empty now. It held {some(lines)}, and I changed nothing. Shall I put it back?"
    return ask(text, "yes", "no", key="lost", cart=[counted(line) for line in lines])


def bill_changes(was: Sequence[Sequence[str]], now: Sequence[Sequence[str]], *, amounts: bool) -> list[str]:
    """Why a total is another one, by the shop's own lines; amounts that moved with the items explain nothing."""
    before, after = ({row[0]: row[1] for row in bill} for bill in (was, now))
    if not (before and after):
        return []
    gone = [f"{_billed(label, before[label])} is no longer in the bill." for label in before if label not in after]
    new = [f"{_billed(label, after[label])} is new in the bill." for label in after if label not in before]
    both = [label for label in before if label in after and before[label] != after[label]] if amounts else []
    moved = [f"{_billed(label, after[label])} was {clean(before[label], most=20)} before." for label in both]
    return [*gone, *new, *moved][:READ_OUT]


def _billed(label: str, value: str) -> str:
    return f"“{clean(label, most=40)}”, {clean(value, most=20)},"


def overtaken(changes: Sequence[str]) -> Reply:
    what = " ".join(changes) or "It is not what I last read."
    return ask(
        f"The cart was changed elsewhere meanwhile, so I wrote nothing. {what} Say it again if you still want it.", "show cart"
    )


def cart(lines: Sequence[Line], total_paise: int | None) -> Reply:
    if not lines:
        return ask("The cart is empty. What would you like?", cart=[])
    total = f"{rupees(total_paise)} to pay" if total_paise is not None else "the total could not be read"
    rows = [counted(line) for line in lines]
    return ask(f"In the cart: {some(lines)}; {total}. Anything else?", "complete order", cart=rows, total=rupees(total_paise))


def reviewed_cart(lines: Sequence[Line], total_paise: int | None) -> Reply:
    return ask(f"In the cart: {some(lines)}; {rupees(total_paise)} to pay. The review still stands.", "repeat", "cancel order")
