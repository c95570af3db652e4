"""Two names with an "and" between them, which may be one product or two: what the search of the whole and of its parts settles.

Pure. The whole counts only where a title has both names in their order, as nobody sells every pair in one pack. Where neither
the whole nor the parts were really found it is asked, and the answer is taken from what was found already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interactions import text
from swiggy_instamart import words
from swiggy_instamart.machine import On
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.turn import Happened, Turn

Rows = list[dict[str, Any]]
ONE, TWO = 1, 2


def asked_for(items: Iterable[Mapping[str, Any]]) -> Rows:
    """What is searched: beside a whole that may be two things also each of its parts."""
    found: Rows = []
    for item in items:
        found.append(dict(item))
        for part in item.get("parts", ()):
            found.append({**item, "query": part, "part_of": item["query"], "parts": ()})
    return found


def settled(found: Rows) -> tuple[Rows, Rows]:
    """What there is to choose from; and the rows of a whole and its parts, where it has to be asked which."""
    for whole in (row for row in found if row.get("parts")):
        parts = [row for row in found if row.get("part_of") == whole["query"]]
        others = [row for row in found if row is not whole and row not in parts]
        rows, doubtful = _of_one(whole, parts)
        return [*others, *(_plain(row) for row in rows)], [_plain(row) for row in doubtful]
    return found, []


def _of_one(whole: dict[str, Any], parts: Rows) -> tuple[Rows, Rows]:
    both = tuple(word for part in whole["parts"] for word in _named(part))
    if together := [row for row in whole["variants"] if _has(row, both)]:
        return [{**whole, "variants": together}], []
    really = [any(_has(row, _named(part["query"])) for row in part["variants"]) for part in parts]
    if any(really) and all(hit or not part["variants"] for hit, part in zip(really, parts, strict=True)):
        return parts, []
    return ([], [whole, *parts]) if any(row["variants"] for row in (whole, *parts)) else ([whole], [])


def counted(turn: Turn, spoken: str, reading: Reading) -> Reading:
    """ "Both", "separate", "it's one thing": numbers, where it is asked whether it is one thing or two."""
    said = text.strip_farewell(text.tokens(spoken))
    number = ONE if said in words.ONE_THING else TWO if said in words.TWO_THINGS else None
    return Reading(Said.SELECT, number=number, bare=True) if number and turn.state.get("unsettled") else reading


def answered(turn: Turn, reading: Reading) -> Happened | None:
    """The answer to "one thing, or two?"."""
    rows: Rows = turn.state.get("unsettled") or []
    if not rows or reading.said is not Said.SELECT or reading.number not in (ONE, TWO):
        return None
    return Happened(On.FOUND, {"found": rows[:1] if reading.number == ONE else rows[1:]})


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("parts", "part_of")}


def _has(row: Mapping[str, Any], named: tuple[str, ...]) -> bool:
    """Whether the title has these words one after the other; a plural is the same word."""
    title = _named(f"{row['brand']} {row['name']}")
    size = len(named)
    return bool(named) and any(_alike(title[at : at + size], named) for at in range(len(title) - size + 1))


def _named(name: str) -> tuple[str, ...]:
    return tuple(word for word in text.tokens(name) if word not in words.JOINING_TITLES)


def _alike(title: Sequence[str], named: Sequence[str]) -> bool:
    return all(one.removesuffix("s") == other.removesuffix("s") for one, other in zip(title, named, strict=True))
