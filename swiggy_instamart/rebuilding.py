"""Putting a basket together again: for another address, where every size has another id, or after the shop lost it. Pure.

Nothing is put back without a yes: to the new address, or to the question that says what the cart has lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interactions.contracts import Effect, Json, Step
from swiggy_instamart import carts, groceries
from swiggy_instamart.machine import On, Phase, Then
from swiggy_instamart.turn import Happened, Turn


def lost(turn: Turn, cart: Json) -> Happened | None:
    """A cart that was read empty although it was last known to hold something: the shop did not keep it."""
    held = [] if cart["lines"] else carts.dump(turn.lines)
    return Happened(On.LOST, {"cart": cart, "lines": held}) if held else None


def elsewhere(turn: Turn, cart: Json) -> Happened | None:
    """In mid-order another address was agreed to: what was chosen for the old one is chosen again for this one."""
    old, new = carts.base(cart["address_id"]), carts.base(turn.state["address"]["id"])
    moved = turn.state.get("shopped") and cart["lines"] and old and old != new
    return Happened(On.REBUILD, {"cart": cart, "lines": cart["lines"]}) if moved else None


def found(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    """What of it can be had here. Where nothing can, nothing is written: the old cart is better than none."""
    gone = [*result["missing"], *result["unchecked"]]
    names = {key: [line.title for line in carts.load(result[key])] for key in ("missing", "unchecked")}
    then = {"then": payload["then"]} if payload.get("then") else {}
    if not result["lines"]:
        return Happened(On.UNFIT, {"code": "none_here", "names": [name for some in names.values() for name in some], **then})
    if payload.get("again"):  # as ordered before: beside what the cart holds, and nothing of that goes
        return Happened(On.EDITED, {"edit": {"kind": "add", "lines": result["lines"], "stated": True, **names, **then}})
    edit = {"kind": "rebuild", "lines": result["lines"], "gone": [line["spin"] for line in gone], **names, **then}
    return Happened(On.EDITED, {"edit": edit})


# ---- what is done about it ----------------------------------------------------------------------------------------------


def say_lost(turn: Turn, to: Phase) -> Step:
    lines = turn.facts["lines"]
    return turn.step(
        to, groceries.lost(turn.say, carts.load(lines)), cart=turn.facts["cart"], offers=[], lost=lines, said="cart lost"
    )


def rebuild(turn: Turn, to: Phase) -> Step:
    """Look every line up again; the cart is read and written after that, as for any edit."""
    payload = {"address": turn.state["address"]["id"], "lines": turn.facts["lines"], "again": bool(turn.facts.get("again"))}
    payload["then"] = turn.state.get("waiting") or []
    changes = {name: turn.facts[name] for name in ("cart",) if name in turn.facts}
    return turn.step(
        to,
        effect=Effect("rebuild", payload),
        offers=turn.offers if payload["again"] else [],
        count_for=None,
        pending="",
        waiting=[],
        **changes,
    )


def opening(turn: Turn, edit: Mapping[str, Any], lines: Sequence[carts.Line]) -> str:
    return groceries.rebuilt(turn.say, lines, missing=edit["missing"], unchecked=edit["unchecked"])


BUILDERS: Mapping[Then, Callable[[Turn, Phase], Step]] = {Then.SAY_LOST: say_lost, Then.REBUILD: rebuild}
