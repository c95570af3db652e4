"""What is done about each move among search, choice and cart: a sentence, an effect, the next state. Pure.

A write of the cart is asked for here and nowhere else, always whole, and always computed from a cart that was just read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from interactions import text
from interactions.contracts import Effect, Reply, Step
from interactions.sentences import Sentences
from swiggy_instamart import (
    carts,
    ceiling,
    groceries,
    joining,
    packs,
    postponed,
    questions,
    queued,
    rebuilding,
    speech,
    undoing,
)
from swiggy_instamart.machine import Phase, Then
from swiggy_instamart.repairs import Asked
from swiggy_instamart.turn import Turn
from swiggy_instamart.wording import tell, together

# What every shop of this kind always has: only where one of these is not found either does the search itself seem down.
STAPLES = frozenset({"milk", "curd", "bread", "eggs", "rice", "sugar", "salt", "atta", "onions", "potatoes", "tomatoes"})

# ---- search and choice --------------------------------------------------------------------------------------------------


def search(turn: Turn, to: Phase) -> Step:
    facts = turn.facts
    return search_for(turn, to, facts["items"], also=bool(facts.get("also")), in_place=bool(facts.get("in_place")))


def search_for(
    turn: Turn, to: Phase, items: list[dict[str, Any]], *say: Reply, also: bool = False, in_place: bool = False, **changes: Any
) -> Step:
    """``also``: what is found comes behind what is open; ``in_place``: in the place of the open question."""
    address, asked = turn.state["address"]["id"], joining.asked_for(items)
    payload = {"address": address, "items": asked, "samples": turn.options.search_samples, "also": also, "in_place": in_place}
    return turn.step(to, *say, effect=Effect("search", payload), count_for=None, **changes)


def offer(turn: Turn, to: Phase) -> Step:
    """Put the first of what was found as a question; a skip takes the next, a number said alone is its count."""
    if "recount" in turn.facts:
        first, *rest = turn.offers
        first = packs.planned({**first, "count": turn.facts["recount"], "amount": None, "unit": "packet", "packs_of": None})
        return turn.step(to, groceries.offer(turn.say, first), offers=[first, *rest])
    if "found" not in turn.facts:
        return _next_offer(turn, to, turn.offers[1:], opening=_stays(turn.say, turn.lines, turn.offers[:1]))
    found, unsettled = joining.settled(turn.facts["found"])
    also, in_place = bool(turn.facts.get("also")), bool(turn.facts.get("in_place"))
    if unsettled and not queued.under(turn.offers, unsettled[:1], also=also, in_place=in_place):
        opening = _given_up(turn, unsettled) if in_place else ""
        question = groceries.one_or_two(turn.say, unsettled[0]["query"], opening=opening)
        return turn.step(to, question, offers=[], unsettled=unsettled)
    found = [*found, *unsettled[1:]]  # beside other questions it is taken for two, and each can be skipped
    if turn.state.get("fruitless") and not _unchecked(found) and _even_staples_are_missing(found):
        return turn.step(to, groceries.search_seems_down(turn.say))
    missing = [row["query"] for row in found if not row["variants"] and not row.get("error")]
    hits = [packs.planned({**row, "wished": turn.standing.turn}) for row in found if row["variants"]]
    unfound = [row for row in found if not row["variants"]]
    asked = [] if hits else [row.get("instead") for row in turn.offers[:1]]  # that question is still open
    stays = _stays(turn.say, turn.lines, [row for row in unfound if row.get("instead") not in asked])
    queue = queued.joined(turn.offers, hits, also=also, in_place=in_place)
    gone = _given_up(turn, hits) if hits and in_place else ""
    opening = together(
        groceries.not_found(turn.say, missing, unchecked=_unchecked(found)),
        *(stays, gone, *(groceries.given_up(turn.say, query) for query in queue.dropped)),
        groceries.later(turn.say, queue.later) if queue.later else "",
    )
    return _next_offer(turn, to, queue.offers, opening=opening, fruitless=not hits)


def _stays(say: Sentences, lines: Sequence[carts.Line], rows: list[dict[str, Any]]) -> str:
    """What was to be replaced by something that was not found or not taken, as far as the cart still has it."""
    there = carts.counts(lines)
    meant = [instead for row in rows if (instead := row.get("instead", {})).get("title")]
    return together(*(groceries.stays(say, one["title"]) for one in meant if one["now"].keys() & there.keys()))


def _given_up(turn: Turn, hits: list[dict[str, Any]]) -> str:
    """What was being chosen, until something else was named in its place; and what that would have replaced."""
    before = turn.offers[:1]
    if not before or any(row.get("instead") == before[0].get("instead") is not None for row in hits):
        return ""
    if stays := _stays(turn.say, turn.lines, before):
        return stays
    replaces = any(row.get("instead") for row in hits)
    return groceries.given_up(turn.say, before[0]["query"]) if replaces else ""


def replaced_nothing(turn: Turn, to: Phase, found: dict[str, Any], cart: dict[str, Any]) -> Step:
    """The cart is no more the one in which something was to be replaced: that choice is over, and what goes is asked anew."""
    answered = bool(turn.offers) and turn.offers[0]["query"] == found["query"]
    opening = together(turn.say("replaced_nothing"), _stays(turn.say, carts.load(cart["lines"]), [found]))
    return _next_offer(turn, to, turn.offers[1:] if answered else turn.offers, opening=opening, cart=cart)


def _even_staples_are_missing(found: list[dict[str, Any]]) -> bool:
    nothing = not any(row["variants"] for row in found)
    return nothing and any(text.normalise(row["query"]) in STAPLES for row in found)


def _unchecked(found: list[dict[str, Any]]) -> list[str]:
    return [row["query"] for row in found if row.get("error")]


def _next_offer(turn: Turn, to: Phase, offers: list[dict[str, Any]], *, opening: str, **changes: Any) -> Step:
    offers = [{**offers[0], "packs_of": None}, *offers[1:]] if offers else []  # it is asked which one, and no more how many
    question = groceries.offer(turn.say, offers[0], opening=opening) if offers else speech.items(turn.say, opening=opening)
    return turn.step(to, question, offers=offers, count_for=None, **changes)


# ---- cart ---------------------------------------------------------------------------------------------------------------


def read_cart(turn: Turn, to: Phase) -> Step:
    """Every edit starts from the cart as it is; so does showing it, which leaves open what is."""
    payload: dict[str, Any] = {"why": "start" if to is Phase.ADDRESS else "show", "held": bool(turn.lines)}
    if to is Phase.WRITING:
        payload |= {"why": "edit", "edit": turn.facts["edit"]}
    open_ = turn.asking if to is Phase.SHOPPING else {}
    return turn.step(to, effect=Effect("cart", payload), **open_, **postponed.facts(turn))


def write_cart(turn: Turn, to: Phase) -> Step:
    """The exact full replacement, stored before it is sent, with the cart it was computed from."""
    address, edit, cart = turn.state["address"]["id"], turn.facts["edit"], turn.facts["cart"]
    payload = {
        "address": address,
        "before": cart["lines"],
        "after": turn.facts["after"],
        "edit": edit,
        "moved": edit["kind"] == "rebuild" and carts.base(cart["address_id"]) != carts.base(address),
    }
    return turn.step(to, effect=Effect("write", payload), cart=turn.facts["cart"])


def say_written(turn: Turn, to: Phase) -> Step:
    """What the cart now holds, as proven by reading it; then the next thing to choose, if any."""
    edit, cart = turn.facts["edit"], turn.facts["cart"]
    lines = carts.load(cart["lines"])
    opening = _opening(turn, edit, lines)
    found = edit.get("found")
    added = edit["kind"] == "add" or found is not None
    answered = found is not None and bool(turn.offers) and found["query"] == turn.offers[0]["query"]
    offers = turn.offers[1:] if answered else turn.offers
    called = dict(turn.state.get("called", {}))
    if found is not None:
        called |= {line["spin"]: found["query"] for line in edit["lines"]}
    spin = edit["lines"][0]["spin"] if added else carts.edited(turn.lines, lines, edit)
    kept = next((line.spin for line in lines if line.spin == spin), None)
    said = groceries.written(turn.say, turn.facts["report"], opening=opening, differs=edit.get("differs"))
    said = together(said, ceiling.remark(turn, cart))
    count_for = kept if added and not edit["stated"] and not offers else None
    if offers:
        question = groceries.offer(turn.say, offers[0], opening=said)
    else:
        question = groceries.anything_else(turn.say, said, count=count_for is not None)
    changes: dict[str, Any] = {
        "cart": cart,
        "offers": offers,
        "called": called,
        "over_limit": ceiling.noted(turn, cart),
        "last": kept if spin else turn.state.get("last"),
    }
    meant = carts.counts(carts.load(turn.facts["after"]))
    changes |= {"undo": undoing.noted(turn, edit, cart, meant=meant), "chosen": _chosen(turn, edit, lines)}
    if edit.get("then"):  # what was wanted in the same breath
        return search_for(turn, to, edit["then"], tell(turn.say, said), also=bool(offers), **changes)
    return turn.step(to, question, count_for=count_for, **changes)


def _chosen(turn: Turn, edit: dict[str, Any], lines: tuple[carts.Line, ...]) -> dict[str, Any] | None:
    """What was chosen among which options, as long as it is the last thing that was done to the cart."""
    if edit.get("found") is None:
        return None
    was, now = carts.counts(turn.lines), carts.counts(lines)
    spins = [line["spin"] for line in edit["lines"]]
    back = {spin: was.get(spin, 0) for spin in spins}
    expected = {spin: now.get(spin, 0) for spin in spins}
    found = {name: value for name, value in edit["found"].items() if name != "instead"}
    return {"found": found, "was": back, "now": expected, "turn": turn.standing.turn}


def _opening(turn: Turn, edit: dict[str, Any], lines: tuple[carts.Line, ...]) -> str:
    """What the cart holds of this now; ``turn`` still has the cart as it was read before."""
    before = turn.lines
    if edit.get("missing") or edit.get("unchecked"):
        return rebuilding.opening(turn, edit, lines)
    if edit["kind"] == "add":
        meant = [line["spin"] for line in edit["lines"]]
        these = [line for line in lines if line.spin in meant]
        return groceries.added(turn.say, *these, others=_others(lines, *these)) if these else ""
    if edit["kind"] == "rebuild":
        return rebuilding.opening(turn, edit, lines)
    if edit["kind"] == "undo":
        return groceries.undone(turn.say, lines)
    if edit["kind"] == "several":
        return groceries.cart_now(turn.say, lines)
    spin = edit.get("spin") or (carts.edited(before, lines, edit) if edit["kind"] == "shift" or not edit["quantity"] else None)
    if spin is None:
        return groceries.cart_now(turn.say, lines)
    now = next((line for line in lines if line.spin == spin), None)
    was = next((line for line in before if line.spin == spin), None)
    if now is None:
        return groceries.removed(turn.say, was) if was else groceries.cart_now(turn.say, lines)
    return groceries.added(turn.say, now, others=_others(lines, now))


def _others(lines: tuple[carts.Line, ...], *these: carts.Line) -> int:
    return len(carts.counts(lines).keys() - {line.spin for line in these})


def say_cart(turn: Turn, to: Phase) -> Step:
    if to is Phase.REVIEW:
        return turn.stay(groceries.reviewed_cart(turn.say, turn.lines, turn.total), said="cart shown")
    cart = turn.facts["cart"]
    lines, asking = carts.load(cart["lines"]), turn.asking
    if not carts.same(lines, turn.lines):
        asking["lost"] = None  # it was asked of the cart as it was
    shown = groceries.cart(turn.say, lines, cart["total_paise"])
    shown = replace(shown, text=together(shown.text, ceiling.remark(turn, cart)))
    if questions.asked(turn.after(to, cart=cart, **asking)) is Asked.ITEM:
        more = turn.say("anything_else" if lines else "items")
        shown = replace(shown, text=together(shown.text, more), key="items")
    return turn.step(to, shown, cart=cart, over_limit=ceiling.noted(turn, cart), **asking)


BUILDERS: Mapping[Then, Callable[[Turn, Phase], Step]] = {
    Then.SEARCH: search,
    Then.OFFER: offer,
    Then.READ_CART: read_cart,
    Then.WRITE_CART: write_cart,
    Then.SAY_WRITTEN: say_written,
    Then.SAY_CART: say_cart,
    **rebuilding.BUILDERS,
}
