"""What was found and is still to be chosen from, as a queue whose first is the open question. Pure.

One rule for all of it: what a person asked for leaves the queue chosen, refused, named again, or with a word. A later wish is
asked about first, and what was open comes back behind it; "and bread" goes to the end, as the second of two items does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from interactions import text

Row = dict[str, Any]
MOST = 10  # open at once


class Queue(NamedTuple):
    """``later``: the question that comes back behind the new one. ``dropped``: what there was no room for, to be said."""

    offers: list[Row]
    later: str = ""
    dropped: tuple[str, ...] = ()


def joined(before: Sequence[Row], hits: Sequence[Row], *, also: bool, in_place: bool) -> Queue:
    """``before`` with ``hits`` in front; at the end where they are wished for ``also``, else ``in_place`` of the first."""
    if not hits:
        return Queue(list(before))
    kept = under(before, hits, also=also, in_place=in_place)
    fresh = hits if also else [_heir(row, before) for row in hits]
    offers = [*kept, *fresh] if also else [*fresh, *kept]
    put_off = bool(kept) and not also and kept[0] is before[0]
    return Queue(
        [{**row, "packs_of": None} if n and row.get("packs_of") else row for n, row in enumerate(offers[:MOST])],
        kept[0]["query"] if put_off else "",
        tuple(row["query"] for row in offers[MOST:]),
    )


def under(before: Sequence[Row], rows: Sequence[Mapping[str, Any]], *, also: bool, in_place: bool) -> list[Row]:
    """What stays open of ``before`` once ``rows`` are asked about."""
    if also:
        return list(before)
    return [row for row in before[1 if in_place else 0 :] if not any(again(row["query"], new["query"]) for new in rows)]


def names(offers: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["query"] for row in offers))


def again(older: str, newer: str) -> bool:
    """Whether it is the same thing, said with more words or fewer: "red onions" is, "onion chips" and "milk powder" are not."""
    was, now = _words(older), _words(newer)
    return was[-1:] == now[-1:] and (set(was) <= set(now) or set(now) <= set(was))


def _heir(row: Row, before: Sequence[Row]) -> Row:
    """Who says more exactly what shall come still wants it in the place of what was to go."""
    older = next((one for one in before if one.get("instead") and again(one["query"], row["query"])), None)
    return {"instead": older["instead"], **row} if older else row


def _words(query: str) -> list[str]:
    return [word.removesuffix("s") for word in text.tokens(query)]
