"""Taking back the last edit of the cart: what is remembered of each, and its inverse. Pure.

An edit is taken back only from the cart that it left behind: what anybody changed since is never written over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interactions.contracts import Json, Step
from swiggy_instamart import carts, groceries, questions
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Happened, Turn

REMEMBERED = 5  # edits, the latest last


def noted(turn: Turn, edit: Mapping[str, Any], cart: Json, *, meant: Mapping[str, int]) -> list[dict[str, Any]]:
    """The edits to be taken back after this one, each as far as it was ``meant``; none from before another address."""
    known = [dict(one) for one in turn.state.get("undo", ())]
    before, after = turn.lines, carts.load(cart["lines"])
    was, now = carts.counts(before), carts.counts(after)
    if edit["kind"] == "undo":
        return known[:-1]
    if edit["kind"] == "rebuild":
        return []
    if was == now:
        return known
    ours = {spin for spin in {*was, *meant} if was.get(spin, 0) != meant.get(spin, 0)}  # the rest is somebody else's
    changed = [
        replace(line, quantity=was[line.spin])
        for line in before
        if line.spin in ours and was.get(line.spin, 0) != now.get(line.spin, 0)
    ]
    gone = [spin for spin in now if spin not in was and spin in ours]
    return [*known, {"now": now, "lines": carts.dump(changed), "gone": gone, "turn": turn.standing.turn}][-REMEMBERED:]


def take_back(turn: Turn) -> Happened | Step:
    """The last edit; or, where something was only asked for since, that."""
    known = turn.state.get("undo", ())
    wished = max((row.get("wished", -1) for row in turn.offers), default=-1)
    if turn.phase is Phase.SHOPPING and wished > (known[-1]["turn"] if known else -1):
        return _unwished(turn, [row for row in turn.offers if row.get("wished") != wished])
    if not known:
        return turn.stay(groceries.nothing_to_undo(turn.say), questions.open_question(turn), said="nothing to undo")
    last = known[-1]
    return Happened(On.EDITED, {"edit": {"kind": "undo", **{name: last[name] for name in ("now", "lines", "gone")}}})


def _unwished(turn: Turn, offers: list[dict[str, Any]]) -> Step:
    """What is still open of earlier wishes is asked."""
    said = groceries.nothing_added(turn.say)
    if offers:
        said = groceries.offer(turn.say, offers[0], opening=turn.say("nothing_added.more"))
    return turn.step(Phase.SHOPPING, said, said="wish taken back", offers=offers)
