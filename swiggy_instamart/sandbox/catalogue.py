"""What the stores sell, read from ``catalogue.txt``, and how a search finds it. Pure: stock and prices that moved come in."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from swiggy_instamart.sandbox import money

DATA = Path(__file__).with_name("catalogue.txt")
PAGE = 20
DEFAULT_CAP = 12
NOISE_WORDS = "a an and of the some please for in with l litre liter ml kg g gram pack packet piece rs"
NOISE = frozenset(NOISE_WORDS.split())
SIZE = re.compile(r"^(?P<size>.+?) (?P<offer>[\d.]+)(?:/(?P<mrp>[\d.]+))?(?:\^(?P<cap>\d+))?(?P<out>!?)(?P<out2>(?:-2)?)$")


@dataclass(frozen=True, slots=True)
class Item:
    """One variant: a product in one size."""

    spin: str
    size: str
    offer: int
    mrp: int
    cap: int
    out_in: frozenset[str]
    product: str
    name: str
    brand: str


@dataclass(frozen=True, slots=True)
class Product:
    id: str
    name: str
    brand: str
    category: str
    promoted: bool
    veg: bool
    words: frozenset[str]
    other_words: frozenset[str]
    items: tuple[Item, ...]


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("oes", "o"), ("ches", "ch"), ("s", "")):
        if len(word) > len(ending) + 2 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)] + instead
    return word


def words(text: str) -> list[str]:
    found = (_stem(w) for w in re.findall(r"[a-z]+|\d+", text.casefold().replace("'", "")))
    return [word for word in found if word not in NOISE]


def _read(line: str, *, category: str) -> Product:
    head, name, others, sizes = (part.strip() for part in line.split("|"))
    veg, promoted, brand = not head.startswith("~"), "*" in head[:2], head.lstrip("~*").strip()
    mark = f"{zlib.crc32(f'{brand} {name}'.encode()):08X}"
    items = []
    for spec in sizes.split(";"):
        found = SIZE.match(spec.strip())
        if found is None:
            raise ValueError(f"{DATA.name}: cannot read the size {spec.strip()!r} of {brand} {name}")
        spin = f"SPIN{zlib.crc32((mark + found['size']).encode()):08X}"
        offer = money.paise(found["offer"])
        out = {"S1", "S2"} if found["out"] else {"S2"} if found["out2"] else set()
        # Most display names carry the brand, not all: as in the field.
        shown = name if category == "fruit" else f"{brand} {name}"
        mrp, cap = money.paise(found["mrp"] or found["offer"]), int(found["cap"] or DEFAULT_CAP)
        items.append(Item(spin, found["size"], offer, mrp, cap, frozenset(out), f"P{mark}", shown, brand))
    own, rest = frozenset(words(f"{brand} {name}")), frozenset(words(others))
    return Product(f"P{mark}", items[0].name, brand, category, promoted, veg, own, rest - own, tuple(items))


@cache
def products() -> tuple[Product, ...]:
    found, category = [], ""
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            category = line[3:]
        elif line and not line.startswith("#"):
            found.append(_read(line, category=category))
    return tuple(found)


@cache
def items() -> Mapping[str, Item]:
    return {item.spin: item for product in products() for item in product.items}


@cache
def by_id() -> Mapping[str, Product]:
    return {product.id: product for product in products()}


def sku(spin: str, *, store: str) -> str:
    """The variant's id at one store: the same variant has another one at the next."""
    return f"SKU{zlib.crc32(f'{store}/{spin}'.encode()):08X}"


def _fit(product: Product, wanted: list[str]) -> int:
    """How well a product answers the words: 0 is not at all; its own name counts over other words, those over beginnings."""
    score = 0
    for word in wanted:
        if word in product.words:
            score += 4
        elif word in product.other_words:
            score += 2
        elif len(word) >= 3 and any(known.startswith(word) for known in product.words):
            score += 1
        elif not word.isdigit():
            return 0
    return score


def search(query: str) -> tuple[Product, ...]:
    """Products for a query, best first, with sponsored rows pushed in at the top and in the middle as the shop does."""
    wanted = words(query)
    if not any(not word.isdigit() for word in wanted):
        return ()
    scored = [(score, product) for product in products() if (score := _fit(product, wanted))]
    scored.sort(key=lambda pair: (-pair[0], len(pair[1].words)))
    organic = [product for _, product in scored if not product.promoted]
    sponsored = [product for _, product in scored if product.promoted]
    if organic:
        home = organic[0].category
        sponsored += [p for p in products() if p.promoted and p.category == home and p not in sponsored]
    rows = list(organic)
    for place, product in zip((0, 4), sponsored, strict=False):
        rows.insert(min(place, len(rows)), product)
    return tuple(rows)
