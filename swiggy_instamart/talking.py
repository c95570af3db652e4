"""Talk that refers to what came before: the other one, any of them, several commands, a wish that broke off. Pure."""

from __future__ import annotations

from typing import Any

from interactions.contracts import Step
from swiggy_instamart import carts, groceries, hearing, packs, questions, shoptalk, wording
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.turn import Happened, Turn

ALONE = frozenset({Said.NOTHING, Said.WANTED})


def other(turn: Turn) -> Happened | Step:
    """Of two options the one that was not chosen, or not read first; of more it is asked which."""
    chosen = turn.state.get("chosen")
    if turn.offers:
        just = chosen and chosen["turn"] == turn.standing.turn
        two = len(turn.offers[0]["variants"][: wording.READ_OUT]) == 2
        return shoptalk.pick(turn, Reading(Said.SELECT, number=2)) if two and not just else questions.again(turn)
    if not chosen:
        return questions.again(turn)
    found = chosen["found"]
    rest = [row for row in found["variants"][: wording.READ_OUT] if row["spin"] not in chosen["was"]]
    if not rest:
        return questions.again(turn)
    instead = {**found, "variants": rest, "instead": {"was": chosen["was"], "now": chosen["now"]}}
    if len(rest) > 1 or turn.phase is not Phase.SHOPPING:
        return turn.step(Phase.SHOPPING, groceries.offer(turn.say, instead), said="which other one", offers=[instead])
    return shoptalk.pick(turn, Reading(Said.SELECT, number=1), found=instead)


def swapped(found: dict[str, Any], edit: dict[str, Any]) -> dict[str, Any]:
    """The edit that puts what is chosen now in the place of what was chosen before."""
    instead = found.get("instead")
    if not instead:
        return edit
    back = [{"kind": "set", "spin": spin, "quantity": count, "queries": []} for spin, count in instead["was"].items()]
    return {**edit, "kind": "several", "edits": [*back, edit], "expect": instead["now"]}


def any_of_them(turn: Turn) -> Happened | Step:
    """The first option, which is then named."""
    return shoptalk.pick(turn, Reading(Said.SELECT, number=1)) if turn.offers else questions.again(turn)


def several(turn: Turn, reading: Reading) -> Happened | Step:
    """Edits first, in one write, and then the search for what is wanted."""
    wishes = [part for part in reading.parts if part.said is Said.WANTED and not part.if_there]
    wanted = [packs.dump(item) for part in wishes for item in part.items]
    edits: list[dict[str, Any]] = []
    for part in reading.parts:
        if part in wishes:
            continue
        found = shoptalk.edited(turn, part)
        if isinstance(found, Happened) and found.on is On.WANTED:  # one more, or only one, of what the cart does not hold
            wanted += found.facts["items"]
            continue
        if not isinstance(found, Happened) or found.on not in (On.EDITED, On.UNFIT):
            return questions.again(turn, said="not all of that")  # doing a part of it would drop the rest without a word
        if found.on is On.UNFIT:
            return found
        edits.append(found.facts["edit"])
    if len(wanted) + len(edits) > turn.options.items_per_turn:
        return turn.stay(groceries.too_many_items(turn.say, turn.options.items_per_turn), said="too many items")
    if not edits:
        return Happened(On.WANTED, {"items": wanted})
    edit = edits[0] if len(edits) == 1 else {"kind": "several", "edits": edits}
    return Happened(On.EDITED, {"edit": {**edit, "then": wanted}})


# ---- what broke off -----------------------------------------------------------------------------------------------------


def unfinished(turn: Turn, spoken: str) -> Step:
    """ "I need two litres" waits for what of; the next words are read behind it, and what was open stays so under it."""
    asking = {**turn.asking, "broken_off": {"text": spoken}}
    return turn.step(turn.phase, groceries.of_what(turn.say), said="of what", **asking)


def joined(turn: Turn, spoken: str, alone: Reading) -> Reading:
    """The words behind those that broke off, if together they are a wish and alone they say no amount."""
    broken_off = turn.state.get("broken_off")
    if not broken_off:
        return alone
    named = not any(item.count or item.amount for item in alone.items) and not alone.also
    if alone.said not in ALONE or not named:
        return alone
    together = hearing.read(f"{broken_off['text']} {spoken}", names=turn.names)
    return together if together.said in (Said.WANTED, Said.MORE) else alone


def lines_of(edit: dict[str, Any]) -> tuple[carts.Line, ...]:
    """What an edit adds."""
    edits = edit["edits"] if edit["kind"] == "several" else [edit]
    return tuple(line for one in edits if one["kind"] == "add" for line in carts.load(one["lines"]))
