"""Shopping talk as what happened: wishes, picks, counts and removals, against the offers and the cart. Pure."""

from __future__ import annotations

from typing import Any

from interactions import text
from interactions.contracts import Step
from swiggy_instamart import carts, groceries, packs, questions, wording
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.turn import Happened, Turn


def talk(turn: Turn, reading: Reading) -> Happened | Step:
    """Shopping talk; at a review every row of it but showing the cart leaves the review."""
    match reading.said:
        case Said.WANTED:
            if reading.too_many or len(reading.items) > turn.options.items_per_turn:
                return turn.stay(groceries.too_many_items(turn.say, turn.options.items_per_turn), said="too many items")
            return Happened(On.WANTED, {"items": [packs.dump(item) for item in reading.items]})
        case Said.SELECT:
            return pick(turn, reading)
        case Said.QUANTITY:
            return _quantity(turn, reading)
        case Said.REMOVE:
            return _remove(turn, reading)
        case Said.SHOW_CART:
            return Happened(On.CART_ASKED)
        case Said.COMPLETE:
            return Happened(On.REVIEW_ASKED)
        case Said.CLEAR:
            return Happened(On.CLEAR)
        case Said.CHANGE_ADDRESS:
            return Happened(On.CHANGE)
    return questions.again(turn)


def pick(turn: Turn, reading: Reading) -> Happened | Step:
    if not turn.offers:
        return turn.stay(groceries.nothing_to_choose(turn.say), said="no options")
    found = turn.offers[0]
    rows = found["variants"][: wording.READ_OUT]
    if reading.number is not None:
        hits = rows[reading.number - 1 : reading.number] if reading.number >= 1 else []
    else:
        words = set(text.tokens(reading.query))
        hits = [row for row in rows if words and words <= set(text.tokens(f"{row['brand']} {row['name']} {row['size']}"))]
    if len(hits) != 1:
        return Happened(On.UNFIT, {"code": "no_such_option"}) if turn.phase is Phase.SHOPPING else questions.again(turn)
    count, note = packs.count(found, hits[0])
    line = carts.Line(
        hits[0]["spin"],
        hits[0]["sku"],
        hits[0]["name"],
        hits[0]["size"],
        count,
        True,
        hits[0]["price_paise"],
        hits[0]["max_quantity"],
    )
    if not 1 <= count <= carts.MOST:
        return Happened(On.UNFIT, {"code": "too_many" if count > carts.MOST else "too_few"})
    edit = {"kind": "add", "lines": carts.dump([line]), "stated": found.get("count") is not None or bool(note), "note": note}
    return Happened(On.EDITED, {"edit": edit})


def _quantity(turn: Turn, reading: Reading) -> Happened | Step:
    number = reading.number
    if number is None or not 0 <= number <= carts.MOST:
        return Happened(On.UNFIT, {"code": "too_many" if number else "too_few"})
    if turn.offers and not reading.query and reading.line is None and number:
        return Happened(On.FOUND, {"recount": number})
    return _edited(turn, reading.line, [reading.query] if reading.query else [], number)


def _remove(turn: Turn, reading: Reading) -> Happened | Step:
    line = reading.number if reading.number is not None else reading.line
    queries = [item.query for item in reading.items] or ([reading.query] if reading.query else [])
    return _edited(turn, line, queries, 0)


def _edited(turn: Turn, line: int | None, queries: list[str], quantity: int) -> Happened | Step:
    """Set one line. A number means the line as last read out; words are looked up in the cart as it is when it is read."""
    edit: dict[str, Any] = {"kind": "set", "quantity": quantity, "queries": queries}
    if line is not None:
        if not 1 <= line <= len(turn.lines):
            return Happened(On.UNFIT, {"code": "no_such_line"})
        edit["spin"] = turn.lines[line - 1].spin
    elif not queries:
        last = turn.state.get("count_for") or turn.state.get("last") or (turn.lines[0].spin if len(turn.lines) == 1 else None)
        if last is None:
            return Happened(On.UNFIT, {"code": "no_such_line"})
        edit["spin"] = last
    return Happened(On.EDITED, {"edit": edit})
