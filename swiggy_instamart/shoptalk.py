"""Shopping talk as what happened: wishes, picks, counts and removals, against the offers and the cart. Pure."""

from __future__ import annotations

from typing import Any

from interactions import text
from interactions.contracts import Step
from swiggy_instamart import carts, choosing, groceries, labels, packs, questions, talking, undoing, wording
from swiggy_instamart.machine import On
from swiggy_instamart.readings import Reading, Said, Wanted
from swiggy_instamart.turn import Happened, Turn


def talk(turn: Turn, reading: Reading) -> Happened | Step:
    """Shopping talk; at a review every row of it but showing the cart leaves the review."""
    match reading.said:
        case Said.WANTED:
            if reading.too_many or len(reading.items) > turn.options.items_per_turn:
                return turn.stay(groceries.too_many_items(turn.say, turn.options.items_per_turn), said="too many items")
            return _so_many_only(turn, reading) if reading.if_there else _wanted(reading)
        case Said.ASKED:  # a search answers, and changes nothing
            return Happened(On.WANTED, {"items": [packs.dump(item) for item in reading.items]})
        case Said.SEVERAL:
            return talking.several(turn, reading)
        case Said.SAME:
            return Happened(On.SAME_ASKED, {"query": reading.query})
        case Said.UNDO:
            return undoing.take_back(turn)
        case Said.OTHER:
            return talking.other(turn)
        case Said.ANY:
            return talking.any_of_them(turn)
        case Said.SELECT:
            return pick(turn, reading)
        case Said.QUANTITY | Said.REMOVE | Said.MORE | Said.FEWER:
            return edited(turn, reading)
        case Said.REPLACE:
            return _replaced(turn, reading)
        case Said.SHOW_CART:
            return Happened(On.CART_ASKED)
        case Said.COMPLETE:
            return Happened(On.REVIEW_ASKED)
        case Said.CLEAR:
            return Happened(On.CLEAR)
        case Said.CHANGE_ADDRESS:
            return _another_address(turn, reading)
    return questions.again(turn)


def _wanted(reading: Reading) -> Happened:
    return Happened(On.WANTED, {"items": [packs.dump(item) for item in reading.items], "also": reading.also})


def _so_many_only(turn: Turn, reading: Reading) -> Happened | Step:
    """ "Only one milk": the count of a line that is there, or of what is being chosen; else a wish."""
    item = reading.items[0]
    there = bool(carts.named(turn.lines, item.query, called=turn.state.get("called", {})))
    chosen = bool(turn.offers) and _open(turn, Reading(Said.REPLACE, query=item.query), among_lines=True)
    if there and chosen:
        return questions.again(turn)  # so many of the line, or so many of the options
    if chosen:
        return Happened(On.FOUND, {"recount": item.count})
    return _edited(turn, None, [item.query], item.count or 0) if there else _wanted(reading)


def _another_address(turn: Turn, reading: Reading) -> Happened:
    """ "Deliver to office instead": the address is proposed at once, and needs its yes like any other."""
    named = labels.match(reading.query, turn.labels, turn.names).index
    return Happened(On.CHANGE) if named is None else Happened(On.NAMED, {"index": named})


def edited(turn: Turn, reading: Reading) -> Happened | Step:
    if reading.said in (Said.MORE, Said.FEWER):
        return _shifted(turn, reading)
    if reading.said is Said.WANTED:
        return _so_many_only(turn, reading)
    return _quantity(turn, reading) if reading.said is Said.QUANTITY else _remove(turn, reading)


def pick(turn: Turn, reading: Reading, *, found: dict[str, Any] | None = None) -> Happened | Step:
    """One of the options: those of the open question, or of ``found``."""
    if found is None and not turn.offers:
        return turn.stay(questions.with_remark(turn, turn.say("nothing_to_choose")), said="no options")
    found = turn.offers[0] if found is None else found
    hits = choosing.fitting(found["variants"][: wording.READ_OUT], reading)
    if len(hits) > 1:
        return turn.stay(groceries.offer(turn.say, found, opening=turn.say("several_fit")), said="several options")
    if not hits and reading.number is None and (others := choosing.fitting(found["variants"], reading)):
        return _shown(turn, found, others)
    if not hits:
        return turn.stay(groceries.offer(turn.say, found, opening=turn.say("no_such_option")), said="no such option")
    taken = packs.chosen(found, hits[0])
    if not taken:
        asking = {**found, "packs_of": hits[0]["spin"]}
        question = groceries.how_many_packs(turn.say, asking)
        return turn.step(turn.phase, question, said="how many packs", offers=[asking, *turn.offers[1:]])
    return _added(found, taken, differs=hits[0].get("differs"))


def _shown(turn: Turn, found: dict[str, Any], first: choosing.Rows) -> Step:
    """What was found and not read out is not taken by its name alone: its price was not heard."""
    shown = {**found, "variants": [*first, *(row for row in found["variants"] if row not in first)]}
    return turn.step(turn.phase, groceries.offer(turn.say, shown), said="found, not read out", offers=[shown, *turn.offers[1:]])


def _added(found: dict[str, Any], taken: list[tuple[packs.Row, int]], *, differs: list[str] | None = None) -> Happened:
    """So many packs of each: what the choice said, or the answer to how many."""
    wrong = next((count for _, count in taken if not 1 <= count <= carts.MOST), None)
    if wrong is not None:
        return Happened(On.UNFIT, {"code": "too_many" if wrong > 0 else "too_few"})
    lines = [
        carts.Line(row["spin"], row["sku"], row["name"], row["size"], count, True, row["price_paise"], row["max_quantity"])
        for row, count in taken
    ]
    stated = found.get("count") is not None or found.get("amount") is not None
    edit = {"kind": "add", "lines": carts.dump(lines), "stated": stated, "differs": differs, "found": found}
    return Happened(On.EDITED, {"edit": talking.swapped(found, edit)})


def _quantity(turn: Turn, reading: Reading) -> Happened | Step:
    number = reading.number
    if number is None or not 0 <= number <= carts.MOST:
        return _miscounted(turn, reading)
    if turn.offers and (asked := packs.asked(turn.offers[0])) and not reading.query and reading.line is None:
        return _added(turn.offers[0], [(asked, number)])
    if turn.offers and not reading.query and reading.line is None and number:
        return Happened(On.FOUND, {"recount": number})
    return _edited(turn, reading.line, [reading.query] if reading.query else [], number)


def _miscounted(turn: Turn, reading: Reading) -> Happened:
    """A count that nothing can have. "How many?" is asked of the line that was meant, so that is kept for the answer."""
    facts: dict[str, Any] = {"code": "too_many" if reading.number else "too_few"}
    if turn.offers:  # where a number chooses
        return Happened(On.UNFIT, facts)
    edit = _at_line(turn, reading.line, [reading.query] if reading.query else [], {})
    if edit.on is not On.EDITED:
        return edit
    try:
        line = carts.meant(turn.lines, edit.facts["edit"], called=turn.state.get("called"))[0]
    except carts.UnfitError as error:
        return Happened(On.UNFIT, {"code": error.code, "names": list(error.names)})
    return Happened(On.UNFIT, {**facts, "of": line.spin})


def _remove(turn: Turn, reading: Reading) -> Happened | Step:
    line = reading.number if reading.number is not None else reading.line
    queries = [item.query for item in reading.items] or ([reading.query] if reading.query else [])
    if len(queries) == 1 and line is None and _open(turn, reading):
        return Happened(On.SKIPPED)  # what is being chosen is in no cart yet
    return _edited(turn, line, queries, 0)


def _shifted(turn: Turn, reading: Reading) -> Happened | Step:
    """So many more or fewer of a line; more of what the cart does not hold is wished for."""
    if turn.offers and not reading.query:
        return questions.again(turn)  # one more of the options, or of what the cart holds
    number, called = reading.number or 0, turn.state.get("called", {})
    if reading.said is Said.MORE and reading.query and not carts.named(turn.lines, reading.query, called=called):
        return talk(turn, Reading(Said.WANTED, items=(Wanted(reading.query, number),)))
    by = number if reading.said is Said.MORE else -number
    return _at_line(turn, None, [reading.query] if reading.query else [], {"kind": "shift", "by": by})


def _replaced(turn: Turn, reading: Reading) -> Happened | Step:
    """A search for what shall come; what shall go is taken out with the choice, if it is then still as it is now."""
    if all(labels.match(name, turn.labels).index is not None for name in (reading.query, reading.items[0].query)):
        return _another_address(turn, Reading(Said.CHANGE_ADDRESS, query=reading.items[0].query))  # "ghar ki jagah office"
    if _open(turn, reading):
        replacing = {name: turn.offers[0][name] for name in ("instead",) if name in turn.offers[0]}  # what goes is still to go
        return Happened(On.WANTED, {"items": [{**packs.dump(item), **replacing} for item in reading.items], "in_place": True})
    if reading.if_there and turn.offers:
        named = Reading(Said.SELECT, query=reading.items[0].query)  # "amul nahi, nandini"
        fits = choosing.fitting(turn.offers[0]["variants"][: wording.READ_OUT], named)
        return pick(turn, named) if fits else questions.again(turn)
    if reading.if_there and reading.query and not carts.named(turn.lines, reading.query, called=turn.state.get("called")):
        return _wanted(reading)
    edit = _at_line(turn, reading.line, [reading.query] if reading.query else [], {})
    if edit.on is not On.EDITED:
        return edit
    try:
        goes = carts.meant(turn.lines, edit.facts["edit"], called=turn.state.get("called"))[0]
    except carts.UnfitError as error:
        return Happened(On.UNFIT, {"code": error.code, "names": list(error.names)})
    there = carts.counts(turn.lines)[goes.spin]
    left = there - reading.number if reading.number else 0
    if left < 0:
        return Happened(On.UNFIT, {"code": "not_so_many", "names": [goes.title]})
    instead = {"was": {goes.spin: left}, "now": {goes.spin: there}, "title": goes.title}
    return Happened(On.WANTED, {"items": [{**packs.dump(item), "instead": instead} for item in reading.items]})


def _open(turn: Turn, reading: Reading, *, among_lines: bool = False) -> bool:
    """Whether what is named is no line (or may be one as well), but what is being chosen now."""
    if not turn.offers or reading.line is not None:
        return False
    said, asked = set(text.tokens(reading.query)), set(text.tokens(turn.offers[0]["query"]))
    there = not among_lines and said and carts.named(turn.lines, reading.query, called=turn.state.get("called"))
    return said <= asked and not there


def lacks_a_line(turn: Turn, reading: Reading) -> bool:
    """ "One more", and nothing was spoken of."""
    return reading.said is Said.MORE and not reading.query and not turn.offers and _last(turn) is None


def _last(turn: Turn) -> str | None:
    """The line that was last spoken of, or the only one."""
    last = turn.state.get("count_for") or turn.state.get("last")
    return last or (turn.lines[0].spin if len(turn.lines) == 1 else None)


def _edited(turn: Turn, line: int | None, queries: list[str], quantity: int) -> Happened | Step:
    return _at_line(turn, line, queries, {"kind": "set", "quantity": quantity})


def _at_line(turn: Turn, line: int | None, queries: list[str], edit: dict[str, Any]) -> Happened:
    """Edit one line. A number means the line as last read out; words are looked up in the cart as it is when it is read."""
    edit = {**edit, "queries": queries}
    if line is not None:
        if not 1 <= line <= len(turn.lines):
            return Happened(On.UNFIT, {"code": "no_such_line"})
        edit["spin"] = turn.lines[line - 1].spin
    elif not queries:
        if (last := _last(turn)) is None:
            return Happened(On.UNFIT, {"code": "no_such_line"})
        edit["spin"] = last
    return Happened(On.EDITED, {"edit": edit})
