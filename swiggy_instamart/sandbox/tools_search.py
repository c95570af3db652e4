"""Search and go-to items: products with their variations, priced and numbered for the store of one address."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from swiggy_instamart.sandbox import catalogue, money
from swiggy_instamart.sandbox.state import Address, Call
from swiggy_instamart.sandbox.tool import NUMBER, STRING, Answer, Args, Tool
from swiggy_instamart.sandbox.world import World

GO_TO = (
    "Nandini Toned Milk",
    "Fresho Onion",
    "Britannia Whole Wheat Bread",
    "Aashirvaad Shudh Chakki Atta",
    "Suguna Classic Eggs",
)
SAMPLE = 0.6


def _per_unit(size: str, price: int) -> str | None:
    found = re.fullmatch(r"([\d.]+) (ml|g|L|kg|pieces?)", size)
    if found is None:
        return None
    amount = float(found[1]) * (1000 if found[2] in ("L", "kg") else 1)
    unit = {"L": "ml", "kg": "g"}.get(found[2], found[2])
    if unit.startswith("piece"):
        return f"{price / 100 / amount:.1f}/piece"
    return f"{price / amount:.1f}/100 {unit}"


def _variation(world: World, product: catalogue.Product, item: catalogue.Item, *, store: str) -> dict[str, Any]:
    price, cap = world.price(item), world.cap(item)
    return {
        "spinId": item.spin,
        "skuId": catalogue.sku(item.spin, store=store),
        "quantityDescription": item.size,
        "displayName": world.name(item),
        "brandName": item.brand,
        "price": {
            "mrp": money.number(item.mrp),
            "offerPrice": money.number(price),
            "unitLevelPrice": _per_unit(item.size, price),
        },
        "isInStockAndAvailable": world.in_stock(item, store=store),
        "imageUrl": f"https://media-assets.swiggy.com/sandbox/{item.spin}",
        "rating": {"value": "4.5", "count": "1K"},
        "sla": {"value": "10", "unit": "mins"},
        "vegClassifier": "VEG" if product.veg else "NONVEG",
        "maxQuantity": cap,
        "maxQuantityMessage": f"You can add up to {cap} of this item",
    }


def _product(world: World, product: catalogue.Product, *, store: str) -> dict[str, Any]:
    variations = [_variation(world, product, item, store=store) for item in product.items]
    return {
        "displayName": world.name(product.items[0]),
        "brand": product.brand,
        # The product's own flag is rosier than its variations': theirs is the one that counts.
        "inStock": True,
        "isAvail": True,
        "productId": product.id,
        "parentProductId": f"P{product.id}",
        "isPromoted": product.promoted,
        "badges": [{"type": "t", "text": "Bestseller"}] if product.name in GO_TO else [],
        "variations": variations,
    }


def _page(world: World, rows: Sequence[catalogue.Product], *, address: Address, offset: int, found: str) -> Answer:
    if address.store is None or not rows:
        # As in the field: nothing says whether nothing matched, the search is down, or nobody delivers there.
        return Answer({"nextOffset": "1", "products": [], "similarProducts": []}, f"No products found for {found}.")
    store = address.store
    shown = rows[offset : offset + catalogue.PAGE]
    data: dict[str, Any] = {"products": [_product(world, p, store=store) for p in shown], "similarProducts": []}
    if len(rows) > offset + catalogue.PAGE:
        data["nextOffset"] = str(offset + catalogue.PAGE)
    lines = [f"Found {len(shown)} products for {found}:"]
    for n, row in enumerate(data["products"], start=offset + 1):
        sizes = "; ".join(
            f"{v['quantityDescription']} ₹{v['price']['offerPrice']} (spinId: {v['spinId']}, skuId: {v['skuId']})"
            + ("" if v["isInStockAndAvailable"] else " out of stock")
            for v in row["variations"]
        )
        lines.append(f"{n}. {row['displayName']}{' [Ad]' if row['isPromoted'] else ''}: {sizes}")
    return Answer(data, "\n".join(lines))


def search_products(world: World, args: Args, call: Call) -> Answer:
    address = world.address(args["addressId"])
    query = str(args["query"])
    rows = () if world.switches.search_down else catalogue.search(query)
    if world.switches.sampling and len(rows) > 1:
        world.state.searches += 1
        chance = random.Random(f"{world.switches.sampling_seed}/{query}/{world.state.searches}")
        rows = tuple(row for row in rows if chance.random() < SAMPLE) or rows[:1]
    return _page(world, rows, address=address, offset=int(args.get("offset") or 0), found=f'"{query}"')


def your_go_to_items(world: World, args: Args, call: Call) -> Answer:
    address = world.address(args["addressId"])
    rows = [product for product in catalogue.products() if product.name in GO_TO]
    return _page(world, rows, address=address, offset=int(args.get("offset") or 0), found="your go-to items")


TOOLS = (
    Tool(
        "search_products",
        "Search groceries at the store that serves an address.",
        search_products,
        required={"addressId": STRING, "query": STRING},
        optional={"offset": NUMBER},
    ),
    Tool(
        "your_go_to_items",
        "The items this account buys most.",
        your_go_to_items,
        required={"addressId": STRING},
        optional={"offset": NUMBER},
    ),
)
