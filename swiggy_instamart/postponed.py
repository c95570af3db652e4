"""Wishes that were said before they could be looked for: they wait for the answer about address and old cart. Pure.

``state["waiting"]`` has them in the form of a search. What is wished for twice is wished for as it was said last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interactions import text
from interactions.contracts import Step
from swiggy_instamart import clauses, groceries, hearing, packs, questions, wishes, words
from swiggy_instamart.readings import Reading, Said, Wanted
from swiggy_instamart.turn import Turn
from swiggy_instamart.wording import listed, plain, together

Rows = list[dict[str, Any]]


def wish(turn: Turn, spoken: str) -> Reading | None:
    """The wish that ``spoken`` is for sure: with a verb, a number, or the name of a known thing. Else it may be an address."""
    reading = hearing.read(spoken, names=turn.names)
    if reading.said is not Said.WANTED or reading.if_there or reading.open_ended:
        return None
    certain = clauses.verbal(wishes.mark(spoken)) or sure(reading)
    return reading if certain and not any(_placed(turn, item) for item in reading.items) else None


def sure(reading: Reading) -> bool:
    """Whether all of it is counted, or known as a thing that shops have."""
    return all(_counted(item) or _known(item) for item in reading.items)


def _counted(item: Wanted) -> bool:
    return item.count is not None or item.amount is not None


def _known(item: Wanted) -> bool:
    return all(tuple(one.split()) in words.KNOWN for one in item.parts or (item.query,))


def _placed(turn: Turn, item: Wanted) -> bool:
    """Whether a word of it is one that places are called by, or it is one of those around the name of a place ("deliver")."""
    places = words.LABEL_SPELLINGS.keys() | {word for label in turn.labels for word in text.tokens(label)}
    named = [set(text.tokens(one)) for one in item.parts or (item.query,)]
    return any(one & places or one <= words.LABEL_AROUND for one in named)


def beside(turn: Turn, new: Reading) -> Rows | None:
    """All that waits together with ``new``; None where that is more than is looked for at once."""
    rows = _merged(turn.state.get("waiting") or [], [packs.dump(item) for item in new.items])
    most = turn.options.items_per_turn
    return None if new.too_many or len(_merged(_opening(turn), rows)) > most else rows


def kept(turn: Turn, new: Reading) -> Step:
    """The open question stays, and what it waits for is said to be known."""
    rows = beside(turn, new)
    if rows is None:
        return too_many(turn)
    names = listed(turn.say, [plain(turn.say, item.query, most=40) for item in new.items])
    step = turn.stay(questions.with_remark(turn, turn.say("waits", items=names)), said="kept for later")
    return replace(step, state={**turn.state, "waiting": rows})


def too_many(turn: Turn) -> Step:
    remark = groceries.too_many_items(turn.say, turn.options.items_per_turn)
    question = questions.open_question(turn)
    return turn.stay(replace(question, text=together(remark.text, question.text)), said="too many items")


def facts(turn: Turn) -> dict[str, Any]:
    """What was said beside an answer, for the state that comes of that."""
    return {"waiting": turn.facts["waiting"]} if "waiting" in turn.facts else {}


def wanted(turn: Turn) -> Rows | None:
    """What there is to look for once it can be: what was said with the activation, and since. None if that is too much."""
    pending = _read(turn)
    rows = _merged(_opening(turn), turn.facts.get("waiting") or turn.state.get("waiting") or [])
    return None if (pending and pending.too_many) or len(rows) > turn.options.items_per_turn else rows


def _read(turn: Turn) -> Reading | None:
    pending = turn.state.get("pending", "")
    reading = hearing.read(pending, names=turn.names) if pending else None
    return reading if reading and reading.said is Said.WANTED else None


def _opening(turn: Turn) -> Rows:
    reading = _read(turn)
    return [packs.dump(item) for item in reading.items] if reading else []


def _merged(before: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> Rows:
    again = {row["query"] for row in new}
    return [*(row for row in before if row["query"] not in again), *new]
