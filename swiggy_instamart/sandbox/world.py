"""One account at one Swiggy: the state, its clock, its journal on disk and the bell that wakes who waits for a change."""

from __future__ import annotations

import secrets
import time
from collections import deque
from pathlib import Path

import anyio

from swiggy_instamart.sandbox import catalogue, money, state
from swiggy_instamart.sandbox.journal import Journal
from swiggy_instamart.sandbox.switches import Switches

FEE_TABLE: tuple[tuple[str, tuple[tuple[int | None, int | None], ...]], ...] = (
    # label, then (item total below this, fee) in paise; a fee of 0 is shown as FREE, None is no line at all
    ("Handling Fee", ((20_000, 980), (None, 1250))),
    ("Delivery Partner Fee", ((9_900, 3000), (19_900, 1600), (None, 0))),
    ("Small Cart Fee", ((10_000, 2000), (None, None))),
)
SURGE = 3000


class RefusalError(Exception):
    """The shop said no: HTTP 200 with success:false and these words."""


def fees(item_total: int) -> list[tuple[str, int]]:
    """The fee lines for an item total."""
    found = []
    for label, steps in FEE_TABLE:
        fee = next(fee for limit, fee in steps if limit is None or item_total < limit)
        if fee is not None:
            found.append((label, fee))
    return found


class World:
    """The state and the few questions every tool asks of it."""

    def __init__(self, *, data: Path | None = None, start: Switches | None = None) -> None:
        self.journal = Journal(data)
        self.origin = ""  # where this process listens
        self.start = start or Switches()
        self.state = self._fresh()
        self.recent: deque[tuple[float, bool]] = deque()  # tool calls of the last minute, for the rate limiter: when, a write
        self._bell = anyio.Event()
        saved = self.journal.load()
        if saved is not None:
            self.state = saved
            # Flags of this start win over what the last process was told.
            for name in self.start.model_fields_set:
                setattr(self.state.switches, name, getattr(self.start, name))

    def _fresh(self) -> state.State:
        return state.State(addresses=state.saved_addresses(), switches=self.start.model_copy(deep=True))

    def reset(self) -> None:
        self.state = self._fresh()
        self.recent.clear()
        self.journal.clear()
        self.commit()

    def commit(self, call: state.Call | None = None) -> None:
        """Make it last, before the reply leaves; then wake who waits."""
        self.journal.save(self.state, call)
        bell, self._bell = self._bell, anyio.Event()
        bell.set()

    async def changed(self, *, within: float) -> None:
        """Return at the next change, or when the time is over."""
        with anyio.move_on_after(within):
            await self._bell.wait()

    @property
    def switches(self) -> Switches:
        return self.state.switches

    def now(self) -> float:
        return time.time() + self.switches.clock_ahead_s

    def new_id(self, prefix: str) -> str:
        self.state.made += 1
        return f"{prefix}{self.state.made:04d}{secrets.token_hex(3).upper()}"

    # ---- addresses ----------------------------------------------------------------------------------------------------

    def addresses(self) -> list[state.Address]:
        """As the account has them now, newest order first."""
        kept = [a for a in self.state.addresses if not (self.switches.home == "absent" and a.label == "Home")]
        if self.switches.home == "twice":
            kept.append(state.Address(id="d4demo4twin4id", label="Home", line="7 Temple Street, Mysuru 570001", store="S2"))
        return [*state.more_addresses(), *kept] if self.switches.many_addresses else kept

    def address(self, address_id: object) -> state.Address:
        """By its whole id: the base of a compound id, as the cart echoes it, is not one."""
        for address in self.addresses():
            if address_id == address.id:
                return address
        raise RefusalError("Invalid addressId: no such saved address")

    # ---- stock --------------------------------------------------------------------------------------------------------

    def price(self, item: catalogue.Item) -> int:
        return self.state.prices.get(item.spin, item.offer)

    def name(self, item: catalogue.Item) -> str:
        return self.state.names.get(item.spin, item.name)

    def cap(self, item: catalogue.Item) -> int:
        return self.state.caps.get(item.spin, item.cap)

    def in_stock(self, item: catalogue.Item, *, store: str | None) -> bool:
        return not self.state.out.get(item.spin, store in item.out_in)

    # ---- the cart's money ---------------------------------------------------------------------------------------------

    def payable(self, lines: list[state.Line], *, store: str | None, surge: bool) -> tuple[list[tuple[str, int]], int]:
        """The bill's lines and what is to pay. Rows that cannot be had are in the cart and not in the bill."""
        known = catalogue.items()
        item_total = sum(
            self.price(known[line.spin]) * line.quantity for line in lines if self.in_stock(known[line.spin], store=store)
        )
        bill = [("Item Total", item_total), *fees(item_total)]
        if surge:
            bill.append(("Surge Fee", SURGE))
        if self.switches.discount_paise:
            bill.append(("Coupon Discount", -self.switches.discount_paise))
        return bill, max(0, money.round_up(sum(amount for _, amount in bill)))
