"""What Swiggy's tools answer, as frozen values, and the pure parsers that read them.

Optional fields may be absent, numbers may be strings. An answer without its essence is a StrangeAnswerError, never a guess;
nothing is summed: a cart may hold rows that are not in its bill.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interactions.contracts import Json, StrangeAnswerError
from swiggy_instamart import fields, money
from swiggy_instamart.envelopes import Body


@dataclass(frozen=True, slots=True)
class Address:
    id: str
    label: str
    line: str


@dataclass(frozen=True, slots=True)
class AddressPage:
    addresses: tuple[Address, ...]
    next_page: int | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """One size of a product at one store. ``spin`` is the catalogue's id, ``sku`` that of the serving store."""

    spin: str
    sku: str
    product: str
    name: str
    brand: str
    size: str
    price_paise: int | None
    mrp_paise: int | None
    in_stock: bool
    promoted: bool = False
    max_quantity: int | None = None
    image: str = ""


@dataclass(frozen=True, slots=True)
class CartLine:
    """One row. ``price_paise`` is as the server gave it, per unit or per line: shown, never calculated with."""

    spin: str
    sku: str
    name: str
    size: str
    quantity: int
    available: bool = True
    price_paise: int | None = None
    max_quantity: int | None = None


@dataclass(frozen=True, slots=True)
class Cart:
    address_id: str
    lines: tuple[CartLine, ...]
    to_pay_paise: int | None = None
    bill: tuple[tuple[str, str], ...] = ()
    unserviceable: tuple[CartLine, ...] = ()
    absent: bool = False
    methods: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def writable(self) -> bool:
        """Whether every row can be sent back; otherwise a replacement of the cart would lose one."""
        return all(line.spin and line.sku and line.quantity > 0 for line in (*self.lines, *self.unserviceable))


@dataclass(frozen=True, slots=True)
class Reduced:
    spin: str
    name: str
    asked: int
    given: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """The write was taken. ``cart`` is ``None`` where the answer does not carry it: read it."""

    cart: Cart | None
    removed: tuple[CartLine, ...] = ()
    reduced: tuple[Reduced, ...] = ()


def same_address(one: str, other: str) -> bool:
    """Whether two ids mean one address: a cart shows only the part before the first ``__`` of a compound id."""
    return bool(one) and one.partition("__")[0] == other.partition("__")[0]


# ---- addresses ----------------------------------------------------------------------------------------------------------

_PROSE_ADDRESS = re.compile(r"\[(?P<label>[^\]\n]*)\](?P<line>[^\n]*?)\(\s*ID\s*:\s*(?P<id>[^)\s]+)\s*\)", re.IGNORECASE)
_PROSE_PAGE = re.compile(r"\buse page\s*=\s*(\d+)", re.IGNORECASE)


def addresses(body: Body) -> AddressPage:
    """One page, from the fields or from the prose ``[Label] … (ID: xyz)``."""
    if body.data is None:
        found = tuple(
            Address(row["id"], row["label"].strip(), row["line"].strip(" \t,:;.-–—*"))
            for row in _PROSE_ADDRESS.finditer(body.prose)
        )
        if not found and not re.search(r"\bno\b[^.\n]*\baddress", body.prose, re.IGNORECASE):
            raise StrangeAnswerError("malformed", "The list of addresses cannot be read.")
        page = _PROSE_PAGE.search(body.prose)
        return AddressPage(found, int(page[1]) if page and found else None)
    rows = body.data.get("addresses", body.data.get("items"))
    if not isinstance(rows, list):
        raise StrangeAnswerError("malformed", "The list of addresses cannot be read.")
    listed = []
    for row in fields.maps(rows):
        if identity := fields.text(row, "id", "addressId"):
            label = fields.text(row, "addressTag", "label", "annotation", "name", "addressCategory")
            listed.append(
                Address(identity, label, fields.text(row, "addressLine", "formattedAddress", "address", "fullAddress"))
            )
    return AddressPage(tuple(listed), _next_page(body.data.get("pagination")))


def _next_page(pagination: Any) -> int | None:
    if not isinstance(pagination, Mapping):
        return None
    page, pages = fields.whole(pagination.get("page")), fields.whole(pagination.get("totalPages"))
    if page is None:
        return None
    more = pagination.get("hasMore")
    return page + 1 if more is True or (more is None and pages is not None and page < pages) else None


# ---- products -----------------------------------------------------------------------------------------------------------


def variants(body: Body) -> tuple[Variant, ...]:
    """Every size of every product found, in the shop's order. No products is a success that says nothing about why."""
    rows = (body.data or {}).get("products")
    if not isinstance(rows, list):
        raise StrangeAnswerError("malformed", "The products found cannot be read.")
    return tuple(
        found
        for product in fields.maps(rows)
        for row in fields.maps(product.get("variations"))
        if (found := _variant(product, row))
    )


def _variant(product: Json, row: Json) -> Variant | None:
    spin = fields.text(row, "spinId")
    if not spin:
        return None
    price = row.get("price")
    prices: Json = price if isinstance(price, Mapping) else {"offerPrice": price}
    in_stock = row.get("isInStockAndAvailable")
    if in_stock is None:
        in_stock = product.get("inStock", True) and product.get("isAvail", True)
    return Variant(
        spin=spin,
        sku=fields.text(row, "skuId"),
        product=fields.text(product, "productId", "parentProductId"),
        name=fields.text(row, "displayName") or fields.text(product, "displayName"),
        brand=fields.text(row, "brandName") or fields.text(product, "brand"),
        size=fields.text(row, "quantityDescription"),
        price_paise=money.amount(prices.get("offerPrice")),
        mrp_paise=money.amount(prices.get("mrp")),
        in_stock=in_stock is True,
        promoted=product.get("isPromoted") is True or row.get("isPromoted") is True,
        max_quantity=fields.whole(row.get("maxQuantity")),
        image=fields.link(row.get("imageUrl")),
    )


# ---- cart ---------------------------------------------------------------------------------------------------------------


def cart(body: Body) -> Cart:
    found = _cart(body.data)
    if found is None:
        raise StrangeAnswerError("malformed", "The cart cannot be read.")
    return found


def written(body: Body) -> Written:
    """A cart write that was taken, with what the shop removed or reduced; both come as successes."""
    data = body.data or {}
    reduced = tuple(
        Reduced(
            spin=fields.text(row, "spinId"),
            name=fields.text(row, "itemName", "name"),
            asked=fields.whole(row.get("requestedQuantity")) or 0,
            given=fields.whole(row.get("cappedQuantity")) or 0,
            reason=fields.text(row, "reason"),
        )
        for row in fields.maps(data.get("reducedQuantityItems"))
    )
    return Written(_cart(body.data), _lines(data.get("removedOutOfStockItems")), reduced)


def _cart(data: Json | None) -> Cart | None:
    if data is None:
        return None
    absent = data.get("cartAbsent") is True
    if not isinstance(data.get("items"), list) and not absent:
        return None
    details = data.get("selectedAddressDetails")
    lines = _lines(data.get("items"))
    return Cart(
        address_id=fields.text(data, "selectedAddress") or (fields.text(details, "id") if isinstance(details, Mapping) else ""),
        lines=lines,
        to_pay_paise=_to_pay(data),
        bill=_bill(data.get("billBreakdown")),
        unserviceable=_lines(data.get("unserviceableItems")),
        absent=absent or not lines,
        methods=tuple(str(name) for name in fields.values(data.get("availablePaymentMethods"))),
        warnings=tuple(filter(None, (_warning(data.get("addressWarning")), _warning(data.get("cartWarning"))))),
    )


def _lines(rows: Any) -> tuple[CartLine, ...]:
    return tuple(
        CartLine(
            spin=fields.text(row, "spinId"),
            sku=fields.text(row, "skuId"),
            name=fields.text(row, "itemName", "displayName", "name"),
            size=fields.text(row, "itemVariant", "quantityDescription"),
            quantity=fields.whole(row.get("quantity")) or 0,
            available=row.get("isInStockAndAvailable") is not False,
            price_paise=money.amount(row.get("discountedFinalPrice")),
            max_quantity=fields.whole(row.get("maxQuantity")),
        )
        for row in fields.maps(rows)
    )


def _to_pay(data: Json) -> int | None:
    """The fee-inclusive total: the bill's own line; only where there is none, the cart's total."""
    breakdown = data.get("billBreakdown")
    to_pay = breakdown.get("toPay") if isinstance(breakdown, Mapping) else None
    if to_pay is not None:
        return money.total(to_pay.get("value") if isinstance(to_pay, Mapping) else to_pay)
    return money.total(data.get("cartTotalAmount"))


def _bill(breakdown: Any) -> tuple[tuple[str, str], ...]:
    rows = breakdown.get("lineItems") if isinstance(breakdown, Mapping) else None
    return tuple((fields.text(row, "label"), fields.text(row, "value")) for row in fields.maps(rows))


def _warning(value: Any) -> str:
    return fields.text(value, "message") if isinstance(value, Mapping) else value.strip() if isinstance(value, str) else ""
