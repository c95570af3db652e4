"""From a spoken amount to the packs on sale. Pure and exact; what does not come out even is said, never rounded in silence.

``planned`` works out, when a search has answered, what each choice would put into the cart, so that the choice itself says it.
Where a size cannot be compared with what was said there is no plan, and the person is asked how many. No price is added up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import Any, NamedTuple

from interactions import text
from swiggy_instamart import units
from swiggy_instamart.carts import MOST
from swiggy_instamart.readings import Wanted

Row = Mapping[str, Any]
Amounts = Mapping[str, Fraction]  # in g, ml and pieces

DOZEN = 12
MOST_SUMS = 1000  # looked at; more of them only where sizes are odd on purpose
NEAR = Fraction(1, 2)  # of what was said; more than this over is taken only where nothing nearer is on sale
FIRST, LATER, LAST = range(3)
BASE: Mapping[str, tuple[int, str]] = {
    "kg": (1000, "g"),
    "g": (1, "g"),
    "l": (1000, "ml"),
    "ml": (1, "ml"),
    "piece": (1, "piece"),
    "dozen": (DOZEN, "piece"),
}
LARGER: Mapping[str, tuple[int, str]] = {"g": (1000, "kg"), "ml": (1000, "L")}

# What labels call a piece; "unit" in speech may be a packet.
_PIECES = frozenset({"n", "no", "nos", "u", "unit", "units", "egg", "eggs"})
_SIZE = re.compile(r"(?:(\d+)\s*x\s*)?(\d+(?:\.\d+)?)\s*([a-z]+)\b(?:\s*x\s*(\d+)\b)?")
_RANGE = re.compile(r"\d\s*(?:[a-z]+\s*)?(?:[-\u2013~]|to)\s*\d")
_PACK_OF = re.compile(r"(?:pack|set|box) of (\d+)")


class Plan(NamedTuple):
    """So many of each variant, by its id, and what they come to."""

    packs: tuple[tuple[str, int], ...]
    total: Fraction


def dump(item: Wanted) -> dict[str, Any]:
    parts = {"parts": list(item.parts)} if item.parts else {}
    return parts | {
        "query": item.query,
        "count": item.count,
        "amount": None if item.amount is None else str(item.amount),
        "unit": item.unit,
    }


def sizes(label: str) -> Amounts:
    """What a pack holds, in each dimension that its label states without doubt: "6 pieces (300 g)", "2 x 500 g"."""
    label = text.visible(label).casefold().replace("\u00d7", "x")
    found: dict[str, set[Fraction]] = {}
    for times, number, unit, behind in _SIZE.findall(label):
        name = "piece" if unit in _PIECES else units.UNITS.get(unit, "")
        if name in BASE:
            worth, base = BASE[name]
            found.setdefault(base, set()).add(Fraction(number) * worth * int(times or 1) * int(behind or 1))
    if several := _PACK_OF.search(label):
        return {"piece": Fraction(several[1])} if not found else {}
    if _RANGE.search(label):
        return {}
    return {base: amounts.pop() for base, amounts in found.items() if len(amounts) == 1 and amounts != {Fraction(0)}}


def planned(found: Row) -> dict[str, Any]:
    """``found`` with its variants in the order to be offered: of each product first what comes closest to what was said.

    Each variant says in ``packs`` how many of which it stands for, and in ``differs`` what that comes to if that is not exact.
    """
    rows = [{key: value for key, value in row.items() if key not in ("packs", "differs")} for row in found["variants"]]
    ranks: dict[str, int] = {}
    plans: dict[str, dict[str, Any]] = {}
    for product in _products(rows):
        meant = _meant(found, product)
        if meant is None and (found.get("count") or 0) > 1:
            # What comes by the piece says that "two eggs" are taken for packs.
            counted = [row for row in product if sizes(row["size"]).get("piece", 1) > 1]
            plans |= {row["spin"]: {"packs": [{"variant": row, "count": found["count"]}], "differs": None} for row in counted}
        comparable = [row for row in product if meant and meant[1] in sizes(row["size"])]
        ranks |= {row["spin"]: FIRST if meant is None else LAST for row in product}
        if meant is None or not comparable:
            continue
        best = _best(meant, _asked_size(found, comparable) or comparable)
        for row in comparable:
            leads = best is not None and row["spin"] == best.packs[0][0]
            plan = best if best and leads else _alone(meant, row)
            ranks[row["spin"]] = FIRST if leads else LATER if plan.packs[0][1] <= MOST else LAST
            plans[row["spin"]] = _told(plan, meant, comparable)
    ordered = sorted(rows, key=lambda row: ranks[row["spin"]])
    return {**found, "variants": [{**row, **plans.get(row["spin"], {})} for row in ordered]}


def chosen(found: Row, row: Row) -> list[tuple[Row, int]]:
    """The variants that choosing ``row`` stands for, each with its number of packs; none where that has to be asked."""
    if packs := row.get("packs"):
        return [(one["variant"], one["count"]) for one in packs]
    if found.get("count") is not None:
        return [(row, found["count"])]
    return [(row, 1)] if found.get("amount") is None else []


def asked(found: Row) -> Row | None:
    """The variant of which it was asked how many packs are meant."""
    return next((row for row in found["variants"] if row["spin"] == found.get("packs_of")), None)


def plain(amount: Fraction, base: str) -> tuple[str, str]:
    """A number and its unit as a label writes them: 1500 g is 1.5 kg."""
    many, name = LARGER.get(base, (1, base))
    value, unit = (amount / many, name) if amount >= many > 1 else (amount, base)
    return f"{float(round(value, 3)):g}", unit


def stated(found: Row) -> tuple[str, str] | None:
    """What was said, where it was an amount with a unit."""
    worth = BASE.get(found.get("unit") or "")
    return plain(Fraction(found["amount"]) * worth[0], worth[1]) if found.get("amount") and worth else None


# ---- one product --------------------------------------------------------------------------------------------------------


def _products(rows: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Sizes of one product together: equal brand and name."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(text.tokens(f"{row['brand']} / {row['name']}"), []).append(row)
    return list(groups.values())


def _meant(found: Row, product: Sequence[Row]) -> tuple[Fraction, str] | None:
    """What was said in the measure of its unit. A bare number means packs, unless it fills a pack of several pieces."""
    count, unit = found.get("count"), found.get("unit")
    if found.get("amount") is not None:
        if count is not None and count > MOST:
            return None
        worth, base = BASE[unit or ""]
        return Fraction(found["amount"]) * worth * (1 if count is None else count), base
    if count is None or unit == "packet":
        return None
    pieces = [size for row in product if (size := sizes(row["size"]).get("piece", Fraction(1))) > 1]
    return (Fraction(count), "piece") if pieces and (unit == "piece" or count >= min(pieces)) else None


def _asked_size(found: Row, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of "two packets of 500 ml" the pack of 500 ml, where it is on sale."""
    if found.get("count") is None or found.get("amount") is None:
        return []
    worth, base = BASE[found["unit"]]
    return [row for row in rows if sizes(row["size"])[base] == Fraction(found["amount"]) * worth]


def _alone(meant: tuple[Fraction, str], row: Row) -> Plan:
    size = sizes(row["size"])[meant[1]]
    count = ceil(meant[0] / size)
    return Plan(((row["spin"], count),), count * size)


def _best(meant: tuple[Fraction, str], rows: Sequence[Row]) -> Plan | None:
    """Exactly what was said if it can be put together; else no less, and not far more, in the fewest packs; then the least."""
    amount, base = meant
    amounts = [amount, *(sizes(row["size"])[base] for row in rows)]
    fine = lcm(*(one.denominator for one in amounts))
    goal, *each = (int(one * fine) for one in amounts)  # whole numbers, so that adding is cheap
    if goal <= 0:
        return None
    most = [min(MOST, row.get("max_quantity") or MOST) for row in rows]
    found = list(_sums(goal, each, most))
    if not found:
        return None

    def worse(one: tuple[int, tuple[int, ...]]) -> tuple[bool, bool, int, int, int, int]:
        total, numbers = one
        over, count, kinds = total - goal, sum(numbers), sum(map(bool, numbers))
        far = over > goal * NEAR
        return over > 0, far, over if far else 0, count, over, kinds

    total, numbers = min(found, key=worse)
    packs = sorted(zip(each, rows, numbers, strict=True), key=lambda pack: -pack[0])
    return Plan(tuple((row["spin"], number) for _, row, number in packs if number), Fraction(total, fine))


def _sums(goal: int, each: Sequence[int], most: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Ways to come to ``goal`` or over it, grown pack by pack: what is enough is not grown on, so no pack is one too many."""
    growing: dict[int, tuple[int, ...]] = {0: (0,) * len(each)}
    seen = {0}
    for _ in range(MOST):
        grown: dict[int, tuple[int, ...]] = {}
        for total, numbers in growing.items():
            for at, size in enumerate(each):
                more = total + size
                if numbers[at] == most[at] or more in seen:
                    continue
                taken = (*numbers[:at], numbers[at] + 1, *numbers[at + 1 :])
                if more >= goal:
                    yield more, taken
                elif len(seen) < MOST_SUMS:
                    seen.add(more)
                    grown[more] = taken
        growing = grown


def _told(plan: Plan, meant: tuple[Fraction, str], rows: Sequence[Row]) -> dict[str, Any]:
    """Each variant stands in it whole, so that a choice means the same wherever it is put."""
    amount, base = meant
    variants = {row["spin"]: row for row in rows}
    differs = None if plan.total == amount else [*plain(plan.total, base), *plain(amount, base)]
    return {"packs": [{"variant": variants[spin], "count": count} for spin, count in plan.packs], "differs": differs}
