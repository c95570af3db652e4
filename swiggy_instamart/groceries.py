"""What was found and what the cart holds: options, edits and their differences, each with its numbers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interactions.contracts import Choice, Reply
from interactions.sentences import Sentences
from swiggy_instamart import packs
from swiggy_instamart.carts import LONGEST_SIZE, MOST, Line
from swiggy_instamart.speech import AT_REVIEW
from swiggy_instamart.wording import READ_OUT, apart, ask, counted, listed, named, plain, rupees, some, tell, titled, together


def too_many_items(say: Sentences, most: int) -> Reply:
    return ask(say, say("too_many_items", most=most), "show_cart", "complete_order")


def _option(say: Sentences, number: int, found: dict[str, Any], row: dict[str, Any]) -> str:
    """What choosing it puts into the cart: one pack, or so many of each size."""
    price = rupees(say, row.get("price_paise"))
    taken = packs.chosen(found, row) if row.get("packs") else [(row, 1)]
    if sum(count for _, count in taken) == 1 or any(count > MOST for _, count in taken):
        return say("option", number=number, title=_titled(say, row, row.get("size")), price=price)
    parts = listed(say, [_packs(say, one, count) for one, count in taken])
    differs = row.get("differs")
    total = say("option.total", amount=amount(say, *differs[:2])) if differs else ""
    return say("option.packs", number=number, title=_titled(say, row), packs=parts, total=total)


def _titled(say: Sentences, row: Mapping[str, Any], size: str | None = None) -> str:
    name, brand = plain(say, row["name"]), plain(say, row["brand"], most=30) if row.get("brand") else ""
    title = name if not brand or brand.casefold() in name.casefold() else f"{brand} {name}"
    return apart(say, f"{title} {plain(say, size, most=LONGEST_SIZE)}" if size else title)


def _packs(say: Sentences, row: Mapping[str, Any], count: int) -> str:
    return say.many("packs", count, size=plain(say, row["size"], most=30), price=rupees(say, row.get("price_paise")))


def amount(say: Sentences, number: str, unit: str) -> str:
    return say.many("pieces", int(number)) if unit == "piece" else say("amount", number=number, unit=unit)


def how_many_packs(say: Sentences, found: dict[str, Any]) -> Reply:
    """Sizes that cannot be compared with what was said are never guessed at."""
    row = packs.asked(found) or {}
    size, meant = row.get("size"), packs.stated(found)
    said = amount(say, *meant) if meant else ""
    name = "packs.how_many" if size else "packs.how_many.no_size"
    question = say(name, title=_titled(say, row), size=plain(say, size or "", most=30), meant=said)
    return ask(say, question, "skip", key="packs")


def offer(say: Sentences, found: dict[str, Any], *, opening: str = "") -> Reply:
    rows = found["variants"][:READ_OUT]
    options = [_option(say, n, found, row) for n, row in enumerate(rows, 1)]
    question = say.many("offer", len(rows), query=plain(say, found["query"], most=40), options="; ".join(options))
    buttons = [Choice(say("answer.option", number=n), label) for n, label in enumerate(options, 1)]
    return ask(say, together(opening, question), *buttons, "skip", key="offer", options=options)


def one_or_two(say: Sentences, query: str, *, opening: str = "") -> Reply:
    return ask(say, together(opening, say("one_or_two", query=plain(say, query, most=40))), "skip", key="one_or_two")


def as_before(say: Sentences, lines: Sequence[Line]) -> Reply:
    return ask(say, say("as_before", lines=some(say, lines)), "yes", "no", key="as_before")


def of_what(say: Sentences) -> Reply:
    return ask(say, say("of_what"), "skip", "show_cart", key="of_what")


def named_at_review(say: Sentences, queries: Sequence[str]) -> Reply:
    """A bare name, which may be a wish and may be noise. The review stands."""
    names = listed(say, [plain(say, query, most=40) for query in queries])
    return ask(say, say("named_at_review", items=names), *AT_REVIEW)


def nothing_to_undo(say: Sentences) -> Reply:
    return tell(say, say("nothing_to_undo"))


def nothing_added(say: Sentences) -> Reply:
    return ask(say, say("nothing_added"), "show_cart", "complete_order", key="items")


def undone(say: Sentences, lines: Sequence[Line]) -> str:
    return together(say("undone"), cart_now(say, lines))


def not_found(say: Sentences, queries: Iterable[str], *, unchecked: Iterable[str] = ()) -> str:
    missing, unsure = ([plain(say, query, most=40) for query in some_] for some_ in (queries, unchecked))
    said = say("not_found", queries=listed(say, missing, last="or")) if missing else ""
    return together(said, say("not_checked", queries=listed(say, unsure, last="or")) if unsure else "")


def stays(say: Sentences, title: str) -> str:
    return say("line_stays", title=titled(say, title))


def given_up(say: Sentences, query: str) -> str:
    return say("given_up", query=plain(say, query, most=40))


def later(say: Sentences, query: str) -> str:
    return say("later", query=plain(say, query, most=40))


def search_seems_down(say: Sentences) -> Reply:
    return ask(say, say("search_down"), "show_cart", "cancel_order")


def written(say: Sentences, report: dict[str, Any], *, opening: str, differs: Sequence[str] | None = None) -> str:
    """``differs``: what the packs come to and what was said, each with its unit."""
    told = say("packs.differ", packs=amount(say, *differs[:2]), meant=amount(say, *differs[2:])) if differs else ""
    return together(opening, *differences(say, report), told)


def anything_else(say: Sentences, said: str, *, count: bool) -> Reply:
    more = say("more_of_it" if count else "anything_else")
    return ask(say, together(said, more), "show_cart", "complete_order", key="count" if count else "items")


def more_of(say: Sentences, line: Line) -> Reply:
    return ask(say, say("more_of", title=titled(say, line.title)), "show_cart", "complete_order", key="count")


def how_many(say: Sentences, line: Line) -> Reply:
    return ask(say, say("how_many", title=titled(say, line.title)), "show_cart", key="count")


def added(say: Sentences, *lines: Line, others: int = 0) -> str:
    """What the cart was read to hold of this; what else it holds is numbered, so that nothing sounds forgotten."""
    if others:
        return say.many("cart_has", others, line=say("comma").join(counted(say, line) for line in lines))
    return say("cart_has", lines=some(say, lines))


def removed(say: Sentences, line: Line) -> str:
    return say("removed", title=titled(say, line.title))


def cart_now(say: Sentences, lines: Sequence[Line]) -> str:
    return say("cart_has", lines=some(say, lines)) if lines else say("cart_empty_now")


def differences(say: Sentences, report: dict[str, Any]) -> list[str]:
    """Removed, capped and foreign lines, each with its numbers."""

    def lines(kind: str) -> list[str]:
        return [say(f"gap.{kind}", line=named(say, row["name"], row["quantity"])) for row in report.get(kind, ())]

    said = lines("removed")
    for row in report.get("reduced", ()):
        said.append(say("gap.reduced", title=titled(say, row["name"]), now=row["is"], meant=row["meant"]))
    said += lines("missing")
    for row in report.get("changed", ()):
        said.append(say("gap.changed", line=named(say, row["name"], row["is"]), meant=row["meant"]))
    return said + lines("foreign")


def rebuilt(say: Sentences, lines: Sequence[Line], *, missing: Sequence[str], unchecked: Sequence[str]) -> str:
    gone = [say("left_out", title=titled(say, name)) for name in missing]
    unsure = [say("left_out.unchecked", title=titled(say, name)) for name in unchecked]
    return together(cart_now(say, lines), *gone, *unsure)


def coupons(say: Sentences, *, served: bool | None) -> Reply:
    """``served``: whether the shop lists the tool for them to this account; ``None``: it could not be asked."""
    code = "unasked" if served is None else "served" if served else "none"
    return ask(say, say(f"coupons.{code}"), "show_cart", "complete_order")


def lost(say: Sentences, lines: Sequence[Line]) -> Reply:
    rows = [counted(say, line) for line in lines]
    return ask(say, say("cart.lost", lines=some(say, lines)), "yes", "no", key="lost", cart=rows)


def overtaken(say: Sentences, changes: Sequence[str]) -> Reply:
    return ask(say, say("overtaken", what=" ".join(changes) or say("overtaken.what")), "show_cart")


def cart(say: Sentences, lines: Sequence[Line], total_paise: int | None) -> Reply:
    """What it holds, and nothing asked: a question that is open stays the one it is."""
    if not lines:
        return ask(say, say("cart.empty"), "cancel_order", cart=[])
    rows, total = [counted(say, line) for line in lines], rupees(say, total_paise)
    name = "cart.no_total" if total_paise is None else "cart"
    return ask(say, say(name, lines=some(say, lines), total=total), "complete_order", cart=rows, total=total)


def reviewed_cart(say: Sentences, lines: Sequence[Line], total_paise: int | None) -> Reply:
    said = say("cart.reviewed", lines=some(say, lines), total=rupees(say, total_paise))
    return ask(say, said, "repeat", "cancel_order")
