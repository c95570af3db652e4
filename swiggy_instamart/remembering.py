"""What was ordered before, as our own rows know it: proposed as a question, and put in only on a yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interactions.contracts import Effect, Json, Step
from swiggy_instamart import carts, groceries, questions
from swiggy_instamart.machine import On, Phase, Then
from swiggy_instamart.turn import Happened, Turn


def recall(turn: Turn, to: Phase) -> Step:
    return turn.step(to, effect=Effect("recall", {"query": turn.facts["query"]}), **turn.asking)


def recalled(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    return Happened(On.RECALLED, {"lines": list(result["lines"])})


def propose(turn: Turn, to: Phase) -> Step:
    lines = turn.facts["lines"]
    if not lines:
        question = questions.with_remark(turn, turn.say("none_before"))
        return turn.step(to, question, said="nothing ordered before", **turn.asking)
    return turn.step(to, groceries.as_before(turn.say, carts.load(lines)), said="proposed", proposed=lines)


def named(orders: list[list[dict[str, Any]]], query: str) -> list[dict[str, Any]]:
    """Of orders, the latest first: all of the last one, or of the last one that has it the line that ``query`` names."""
    for rows in orders:
        if not query:
            return rows
        try:
            found = carts.find(carts.load(rows), query)
        except carts.UnfitError:
            continue
        return carts.dump([found])
    return []


BUILDERS: Mapping[Then, Callable[[Turn, Phase], Step]] = {Then.RECALL: recall, Then.PROPOSE: propose}
