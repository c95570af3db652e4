"""Arithmetic of carts: merge an edit into what the server holds, compare two carts, name the differences.

Pure values. Money is integer paise and only ever repeated from the server, never summed: a bill has fees and excluded rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from interactions import text

MOST = 20  # of one line
LONGEST_NAME, LONGEST_SIZE = 60, 30
LONGEST_TITLE = LONGEST_NAME + LONGEST_SIZE + 2
NAMELESS = "an item without a name"


class UnfitError(Exception):
    """The edit cannot be made to this cart; nothing was changed. ``code`` names the sentence, ``names`` what it is about."""

    def __init__(self, code: str, *names: str) -> None:
        super().__init__(code)
        self.code = code
        self.names = names


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a cart, as far as we can write it back."""

    spin: str
    sku: str
    name: str
    size: str
    quantity: int
    available: bool = True
    price_paise: int | None = None
    max_quantity: int | None = None

    @property
    def title(self) -> str:
        """The name, cut short where it is long, so that the size that tells two packs apart is always there."""
        name, size = _short(self.name, LONGEST_NAME), _short(self.size, LONGEST_SIZE)
        if not text.tokens(name):
            return f"{NAMELESS}, {size}" if size else NAMELESS
        return f"{name} {size}".strip()


@dataclass(frozen=True, slots=True)
class Difference:
    """How the cart that is differs from the cart that was meant."""

    missing: tuple[Line, ...] = ()
    foreign: tuple[Line, ...] = ()
    changed: tuple[tuple[Line, int, int], ...] = ()  # line, meant, is

    def __bool__(self) -> bool:
        return bool(self.missing or self.foreign or self.changed)


def _short(words: str, most: int) -> str:
    words = text.visible(words)
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def load(rows: Iterable[Mapping[str, Any]]) -> tuple[Line, ...]:
    return tuple(Line(**row) for row in rows)


def dump(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [asdict(line) for line in lines]


def counts(lines: Iterable[Line]) -> dict[str, int]:
    """How many of each variant; two rows of one variant count together."""
    found: dict[str, int] = {}
    for line in lines:
        found[line.spin] = found.get(line.spin, 0) + line.quantity
    return {spin: quantity for spin, quantity in found.items() if quantity > 0}


def same(one: Iterable[Line], other: Iterable[Line]) -> bool:
    return counts(one) == counts(other)


def difference(meant: Sequence[Line], found: Sequence[Line]) -> Difference:
    wanted, there = counts(meant), counts(found)
    first = {line.spin: line for line in (*reversed(found), *reversed(meant))}
    return Difference(
        missing=tuple(replace(first[spin], quantity=wanted[spin]) for spin in wanted if spin not in there),
        foreign=tuple(replace(first[spin], quantity=there[spin]) for spin in there if spin not in wanted),
        changed=tuple(
            (first[spin], wanted[spin], there[spin]) for spin in wanted if spin in there and wanted[spin] != there[spin]
        ),
    )


def base(address_id: str) -> str:
    """The part of a compound address id that carts echo."""
    return address_id.split("__", 1)[0]


def fingerprint(address_id: str, lines: Iterable[Line], total_paise: int) -> str:
    """What a consent is given to: the address, every line as it stands, the total."""
    rows = sorted([line.spin, line.sku, line.quantity, line.available] for line in lines)
    return hashlib.sha256(json.dumps([base(address_id), rows, total_paise]).encode()).hexdigest()


def named(lines: Sequence[Line], query: str, *, called: Mapping[str, str] | None = None) -> list[Line]:
    """The lines that ``query`` fits; those it is the whole name of go before others.

    ``called`` is what a person asked for when they chose a line: milk stays milk, whatever its title says.
    """
    words = set(text.tokens(query))
    hits = [line for line in lines if words and words <= _words(line, (called or {}).get(line.spin, ""))]
    return [line for line in hits if set(text.tokens(line.name)) == words] or hits


def find(lines: Sequence[Line], query: str, *, called: Mapping[str, str] | None = None) -> Line:
    """The one line that ``query`` names; none or several are refused by name."""
    hits = named(lines, query, called=called)
    if len({line.spin for line in hits}) > 1:
        raise UnfitError("several_lines", *(line.title for line in hits))
    if not hits:
        raise UnfitError("no_such_line", query)
    return hits[0]


def merge(lines: Sequence[Line], edit: Mapping[str, Any], *, called: Mapping[str, str] | None = None) -> tuple[Line, ...]:
    """The exact full replacement that makes ``edit`` true of the server's ``lines``."""
    unwritable = [line.title for line in lines if not (line.spin and line.sku and line.quantity > 0)]
    if unwritable:
        raise UnfitError("unwritable", *unwritable)
    kept = _joined(lines)
    if any(kept[spin].quantity != count if spin in kept else count for spin, count in edit.get("expect", {}).items()):
        raise UnfitError("changed_since")
    if edit["kind"] == "several":
        for one in edit["edits"]:
            kept = {line.spin: line for line in merge(tuple(kept.values()), one, called=called)}
    elif edit["kind"] == "undo":
        if counts(lines) != edit["now"]:  # somebody changed it since: that is not written over
            raise UnfitError("changed_since")
        kept = {spin: line for spin, line in kept.items() if spin not in edit["gone"]}
        kept |= {line.spin: line for line in load(edit["lines"])}
    elif edit["kind"] == "rebuild":
        for line in load(edit["lines"]):
            kept[line.spin] = _counted(line, line.quantity)
        for spin in edit["gone"]:
            kept.pop(spin, None)
    elif edit["kind"] == "add":
        for line in load(edit["lines"]):
            before = kept.get(line.spin)
            kept[line.spin] = _counted(line if before is None else before, line.quantity + (before.quantity if before else 0))
    else:
        for line in meant(tuple(kept.values()), edit, called=called):
            quantity = line.quantity + edit["by"] if edit["kind"] == "shift" else edit["quantity"]
            if quantity < 0 and edit["kind"] == "shift":
                raise UnfitError("not_so_many", line.title)
            if quantity == 0:
                kept.pop(line.spin, None)
            else:
                kept[line.spin] = _counted(line, quantity)
    return tuple(kept.values())


def meant(lines: Sequence[Line], edit: Mapping[str, Any], *, called: Mapping[str, str] | None = None) -> list[Line]:
    """The lines that a "set" or a "shift" is about: the one with this id, or one for each of the words."""
    if edit.get("spin"):
        found = [line for line in lines if line.spin == edit["spin"]]
        if not found:
            raise UnfitError("no_such_line")
        return found
    return [find(lines, query, called=called) for query in edit["queries"]]


def edited(before: Sequence[Line], now: Sequence[Line], edit: Mapping[str, Any]) -> str | None:
    """The one line that an edit was about, as far as that can be told: its own id, or the only one that it changed."""
    was, there = counts(before), counts(now)
    changed = [spin for spin in was.keys() | there.keys() if was.get(spin) != there.get(spin)]
    spin: str | None = edit.get("spin")
    return spin or (changed[0] if len(changed) == 1 else None)


def _counted(line: Line, quantity: int) -> Line:
    if not 1 <= quantity <= MOST:
        raise UnfitError("too_many" if quantity > MOST else "too_few", line.title)
    return replace(line, quantity=quantity)


def _joined(lines: Sequence[Line]) -> dict[str, Line]:
    kept: dict[str, Line] = {}
    for line in lines:
        before = kept.get(line.spin)
        kept[line.spin] = line if before is None else replace(before, quantity=before.quantity + line.quantity)
    return kept


def _words(line: Line, called: str = "") -> set[str]:
    words = set(text.tokens(f"{line.name} {line.size} {called}"))
    return words | {word[:-1] for word in words if word.endswith("s")} | {word + "s" for word in words}
