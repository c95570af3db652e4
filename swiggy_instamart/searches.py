"""Searching in waves: several samples of one item, or several items, three calls in flight at most; then one list per item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from interactions.contracts import EffectError, TurnedDownError
from swiggy_instamart import answers, carts, goods
from swiggy_instamart.shop import AT_ONCE, Swiggy

KEPT = 8  # variants kept of each item; a screen shows them all


def run(shop: Swiggy, address: str, items: Sequence[dict[str, Any]], *, samples: int) -> list[dict[str, Any]]:
    """What was found for each item. A single item is asked for ``samples`` times at once, since equal searches may differ."""
    if len(items) == 1:
        query = items[0]["query"]
        found = shop.wave(*(partial(shop.search, address, query) for _ in range(samples)))
        answered = [one for one in found if not isinstance(one, EffectError)]
        if not answered:
            raise found[0]
        return [{**items[0], "variants": merge(answered, wished=query), "error": ""}]
    listed: list[dict[str, Any]] = []
    throttled = False
    for start in range(0, len(items), AT_ONCE):
        wave = items[start : start + AT_ONCE]
        if throttled:  # asking on would only lengthen the wait
            listed += [{**item, "variants": [], "error": "rate_limited"} for item in wave]
            continue
        found = shop.wave(*(partial(shop.search, address, item["query"]) for item in wave))
        throttled = any(isinstance(one, EffectError) and one.code == "rate_limited" for one in found)
        listed += [_listed(item, one) for item, one in zip(wave, found, strict=True)]
    if all(row["error"] for row in listed):
        raise TurnedDownError("rate_limited") if throttled else next(one for one in found if isinstance(one, EffectError))
    return listed


def again(shop: Swiggy, address: str, lines: Sequence[carts.Line]) -> dict[str, Any]:
    """The same sizes as the store of this address has them, with its own ids; what it lacks, and what could not be asked."""
    found: dict[str, list[carts.Line]] = {"lines": [], "missing": [], "unchecked": []}
    error: EffectError | None = None
    for start in range(0, len(lines), AT_ONCE):
        wave = lines[start : start + AT_ONCE]
        if error is not None and error.code == "rate_limited":
            found["unchecked"] += wave
            continue
        for line, seen in zip(wave, shop.wave(*(partial(shop.search, address, line.name) for line in wave)), strict=True):
            if isinstance(seen, EffectError):
                error = seen
                found["unchecked"].append(line)
            elif hit := next((one for one in seen if one.spin == line.spin and one.in_stock and one.sku), None):
                found["lines"].append(replace(line, sku=hit.sku, available=True, max_quantity=hit.max_quantity))
            else:
                found["missing"].append(line)
    if error is not None and len(found["unchecked"]) == len(lines):
        raise error
    return {name: carts.dump(some) for name, some in found.items()}


def _listed(item: dict[str, Any], found: Any) -> dict[str, Any]:
    if isinstance(found, EffectError):
        return {**item, "variants": [], "error": found.code}
    return {**item, "variants": merge([found], wished=item["query"]), "error": ""}


def merge(samples: Iterable[Sequence[answers.Variant]], *, wished: str = "") -> list[dict[str, Any]]:
    """One list of what can be bought: each variant once, the shop's own order kept, promoted ones after the others.

    Of either, what only has the wish in its name comes last: among onions the onion chips.
    """
    kept: dict[str, answers.Variant] = {}
    for variants in samples:
        for variant in variants:
            if not (variant.in_stock and variant.spin and variant.sku):
                continue
            before = kept.get(variant.spin)
            if before is None or (before.promoted and not variant.promoted):
                kept[variant.spin] = variant
    ordered = sorted(kept.values(), key=lambda variant: (variant.promoted, goods.another(variant.name, wished)))
    names = ("spin", "sku", "product", "name", "brand", "size", "price_paise", "max_quantity", "promoted")
    return [{name: asdict(variant)[name] for name in names} for variant in ordered[:KEPT]]


def report(
    meant: Sequence[carts.Line],
    found: Sequence[carts.Line],
    *,
    removed: Sequence[answers.CartLine],
    reduced: Sequence[answers.Reduced],
) -> dict[str, Any]:
    """How the cart differs from what was meant, each line once and with its numbers: by the shop's own words first."""
    gap = carts.difference(meant, found)
    there, names = carts.counts(found), {line.spin: line.title for line in (*found, *meant)}
    wanted = carts.counts(meant)
    gone = {line.spin for line in removed}
    capped = {row.spin for row in reduced if there.get(row.spin, 0) != wanted.get(row.spin, 0)}
    return {
        "removed": [{"name": line.title, "quantity": line.quantity} for line in gap.missing if line.spin in gone],
        "missing": [{"name": line.title, "quantity": line.quantity} for line in gap.missing if line.spin not in gone | capped],
        "reduced": [{"name": names.get(s, ""), "meant": wanted.get(s, 0), "is": there.get(s, 0)} for s in sorted(capped)],
        "changed": [
            {"name": row.title, "meant": meant_, "is": is_} for row, meant_, is_ in gap.changed if row.spin not in capped
        ],
        "foreign": [{"name": line.title, "quantity": line.quantity} for line in gap.foreign],
    }
