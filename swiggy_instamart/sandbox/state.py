"""Everything the sandbox remembers, as plain models: what a killed process finds again in its ``--data`` directory."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from swiggy_instamart.sandbox.faults import Rule
from swiggy_instamart.sandbox.switches import Switches

DEMO_PHONE = "+91xxxxxx0000"


class Address(BaseModel):
    id: str
    label: str
    line: str
    category: str = "OTHER"
    store: str | None = None  # None: no store delivers there
    phone: str = DEMO_PHONE

    @property
    def base(self) -> str:
        return self.id.split("__", 1)[0]


class Line(BaseModel):
    spin: str
    sku: str
    quantity: int
    foreign: bool = False


class Cart(BaseModel):
    id: str = "CART1"
    address_id: str | None = None
    lines: list[Line] = Field(default_factory=list)
    touched_at: float = 0
    reads: int = 0
    old: list[Line] | None = None  # read_after_write: stale_once


class Payment(BaseModel):
    """One UPI payment: what the bank knows, whatever the order says."""

    state: str = "pending"
    confirmed: bool = False
    terminal: bool | None = None
    polls: int = 0
    scan: bool = True


class Order(BaseModel):
    id: str
    paas_id: str | None = None
    transaction_id: str | None = None
    status: str  # PENDING_PAYMENT, CONFIRMED, PLACED, FAILED, CANCELLED, DELIVERED
    paid: bool = False
    method: str
    total: int
    address_id: str
    items: list[tuple[str, int]]
    created_at: float
    updated_at: float
    payment: Payment | None = None
    bridge_url: str | None = None


class Checkout(BaseModel):
    """One checkout call that reached the shop: ``committed`` when it made an order."""

    call: int
    at: float
    arguments: dict[str, Any]
    committed: bool = False
    orders: list[str] = Field(default_factory=list)
    total: int | None = None
    refused: str | None = None


class Confirm(BaseModel):
    call: int
    at: float
    order_id: str
    paas_id: str
    result: str
    placed: bool = False


class Call(BaseModel):
    """One tools/call as it came over the wire."""

    n: int
    tool: str
    arguments: dict[str, Any]
    at: float
    ended_at: float | None = None
    outcome: str | None = None  # done, refused, unknown tool, lost, turned away; None: never ended
    message: str | None = None
    fault: str | None = None


class Refresh(BaseModel):
    """One refresh token that came to /auth/token."""

    at: float
    body: str  # json, form
    result: str  # granted, refused, unread, down


class State(BaseModel):
    addresses: list[Address]
    cart: Cart = Field(default_factory=Cart)
    orders: list[Order] = Field(default_factory=list)
    checkouts: list[Checkout] = Field(default_factory=list)
    confirms: list[Confirm] = Field(default_factory=list)
    calls: list[Call] = Field(default_factory=list)
    rpc: dict[str, int] = Field(default_factory=dict)
    http: dict[str, int] = Field(default_factory=dict)
    refreshes: list[Refresh] = Field(default_factory=list)
    used_up: list[str] = Field(default_factory=list)  # refresh tokens that brought another one
    searches: int = 0
    made: int = 0  # numbers ids
    out: dict[str, bool] = Field(default_factory=dict)  # spin -> out of stock everywhere, over the catalogue
    prices: dict[str, int] = Field(default_factory=dict)
    caps: dict[str, int] = Field(default_factory=dict)
    names: dict[str, str] = Field(default_factory=dict)
    switches: Switches = Field(default_factory=Switches)
    rules: list[Rule] = Field(default_factory=list)


def saved_addresses() -> list[Address]:
    """Home is not the first, the first sounds like it, and no store reaches the farm. One id of each style in the field."""
    return [
        Address(id="b7demo2home2id", label="Home 2", line="44 Lake View Road, Indiranagar, Bengaluru 560038", store="S2"),
        Address(
            id="a0demo0home0id__t0ken1",
            label="Home",
            line="12 Demo Road, Koramangala, Bengaluru 560034",
            category="HOME",
            store="S1",
        ),
        Address(id="90210455", label="Farm House", line="Survey No. 8, Kanakapura Road, Ramanagara 562117"),
    ]


def more_addresses() -> list[Address]:
    return [
        Address(id=f"c{n:02d}demo0other0id", label=f"Friend {n}", line=f"{n} Cross Street, Jayanagar, Bengaluru", store="S2")
        for n in range(1, 22)
    ]
