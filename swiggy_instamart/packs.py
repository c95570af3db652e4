"""From a spoken amount to a number of packs. Pure, exact, and the difference is always said, never rounded away silently."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from swiggy_instamart.hearing import Wanted

_SIZE = re.compile(
    r"(?:(?P<packs>\d+)\s*x\s*)?(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>kg|g|gm|gms|l|ltr|litre|litres|ml)\b", re.IGNORECASE
)
_IN_BASE = {
    **dict.fromkeys(("kg",), (Fraction(1000), "g")),
    **dict.fromkeys(("g", "gm", "gms"), (Fraction(1), "g")),
    **dict.fromkeys(("l", "ltr", "litre", "litres"), (Fraction(1000), "ml")),
    **dict.fromkeys(("ml",), (Fraction(1), "ml")),
}


def dump(item: Wanted) -> dict[str, Any]:
    return {"query": item.query, "count": item.count, "amount": str(item.amount) if item.amount else None, "unit": item.unit}


def count(wanted: Mapping[str, Any], variant: Mapping[str, Any]) -> tuple[int, str]:
    """How many packs of ``variant`` were meant, and a remark where that is not exactly what was said."""
    if wanted.get("amount") is None:
        return wanted.get("count") or 1, ""
    size, unit = _size(variant["size"]), _IN_BASE.get(wanted.get("unit") or "")
    if size is None or unit is None or size[1] != unit[1]:
        return wanted.get(
            "count"
        ) or 1, f"I cannot tell how that compares with a pack of {variant['size'] or 'no stated size'}."
    meant = Fraction(wanted["amount"]) * unit[0]
    if wanted.get("count"):
        meant *= wanted["count"]
    packs = ceil(meant / size[0])
    note = (
        ""
        if packs * size[0] == meant
        else f"The packs come to {_plain(packs * size[0], size[1])}, you said {_plain(meant, size[1])}."
    )
    return packs, note


def _size(text: str) -> tuple[Fraction, str] | None:
    found = _SIZE.search(text)
    if found is None:
        return None
    factor, base = _IN_BASE[found["unit"].lower()]
    return Fraction(found["number"]) * factor * int(found["packs"] or 1), base


def _plain(amount: Fraction, unit: str) -> str:
    return f"{float(amount):g} {unit}"
