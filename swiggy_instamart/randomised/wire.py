"""What must hold at the moment a request leaves or lands: the invariants that only the wire can show.

Nothing here asks the product's own guards: the consent, the cart and the order of writes are judged from rows and ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from interactions.contracts import Call, Json
from interactions.models import DeviceEvent, InboxItem, Utterance
from swiggy_instamart import carts
from swiggy_instamart.models import CheckoutIntent, PaymentWatch
from swiggy_instamart.randomised.clock import Clock
from swiggy_instamart.sandbox import state

SPENDS = frozenset({"confirm order", "कन्फर्म ऑर्डर", "कन्फ़र्म ऑर्डर", "कंफर्म ऑर्डर"})
NAMED = "hermes "
FRESH_S = 10.0 + 1.0  # from the end of the phrase to the call, and a clock's step

Complain = Callable[[str], None]


@dataclass(frozen=True)
class Poll:
    """A task that is no effect of a session: it follows a payment or looks for an order."""

    task: str
    row: int


@dataclass
class Sent:
    tool: str
    by: Any
    call: int = 0  # its number in the ledger, once it landed


@dataclass
class Wire:
    """Everything that left, by whom, and what was wrong about it."""

    clock: Clock
    complain: Complain
    linked: int = 0
    by: list[Any] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    heard: dict[int, float] = field(default_factory=dict)  # utterance -> the true second at which it was said
    confirms: list[str] = field(default_factory=list)  # the orders that a confirm was sent for
    newest: int = 0  # the latest checkpoint that changed the cart or ordered it
    shop: Any = None

    # ---- a request leaves

    def leaves(self, tool: str, arguments: Json) -> Any:
        by = self.by[-1] if self.by else None
        self.sent.append(Sent(tool, by))
        if isinstance(by, Call) and by.user != self.linked:
            self.complain(f"P170: {tool} was called for somebody who is not linked")
        if tool in ("update_cart", "clear_cart", "checkout"):
            self._alone(tool, by)
        if tool == "checkout":
            self._checkout(by)
        if tool == "confirm_order":
            self._confirm(arguments)
        if tool == "check_payment_status" and isinstance(by, Poll):
            self._poll(by)
        return by

    def _poll(self, by: Poll) -> None:
        if PaymentWatch.objects.filter(pk=by.row, late_until=None).exclude(ended_at=None).exists():
            self.complain("I13: a payment was polled after its end")

    def _alone(self, tool: str, by: Any) -> None:
        """P120, P264: no other change of this account may still be under way."""
        for packet in self.shop.under_way():
            same = isinstance(by, Call) and isinstance(packet.by, Call) and packet.by.checkpoint == by.checkpoint
            if packet.tool != "confirm_order" and not (same and tool != "checkout"):
                self.complain(f"P120: {tool} left while {packet.tool} of an earlier sender may still arrive")

    def _checkout(self, by: Any) -> None:
        if not isinstance(by, Call) or by.effect != "checkout":
            self.complain("I1: a checkout left outside of its effect")
            return
        if sum(one.tool == "checkout" and one.by.checkpoint == by.checkpoint for one in self.sent) > 1:
            self.complain(f"I1: checkpoint {by.checkpoint} sent its checkout twice")
        intent = CheckoutIntent.objects.filter(checkpoint=by.checkpoint).first()
        if intent is None:
            self.complain("P137: a checkout left without an intent")
            return
        if sum(one.tool == "checkout" and one.by.payload["utterance"] == intent.utterance for one in self.sent) > 1:
            self.complain(f"I1: utterance {intent.utterance} was spent twice")
        self._cart(intent)
        self._consent(intent, by)

    def _cart(self, intent: CheckoutIntent) -> None:
        """I2: what is ordered is what was read back."""
        if self.shop.meddled:
            return
        cart = self.shop.ledger()["cart"]
        there = {line["spin"]: line["quantity"] for line in cart["lines"]}
        if there != carts.counts(carts.load(intent.lines)):
            self.complain(f"I2: the cart holds {there}, not what was approved")
        if cart["total_paise"] != intent.total_paise:
            self.complain(f"I2: {cart['total_paise']} is to pay, not {intent.total_paise}")
        if carts.base(cart["address_id"] or "") != carts.base(intent.address_id):
            self.complain("I2: the cart is for another address")

    def _consent(self, intent: CheckoutIntent, by: Call) -> None:
        """P132, P202, P261, P262: an unused phrase, to this very review, heard before, young, and the last thing said."""
        said = Utterance.objects.get(pk=intent.utterance)
        if said.normal.removeprefix(NAMED) not in SPENDS or said.session_id != by.session:
            self.complain(f"P132: {said.text!r} spent money")
        captured = said.received_at - timedelta(milliseconds=said.spoken_age_ms)
        reviews = DeviceEvent.objects.filter(session=by.session, key=f"review:{intent.revision}", device=said.device_id)
        total = f"{intent.total_paise // 100:,}"
        if not any(
            one.delivered_at and one.delivered_at <= captured and one.seq <= (said.heard_upto or 0) and total in _digits(one)
            for one in reviews
        ):
            self.complain("P202: a review was confirmed that had not been heard at that device")
        age_s = self.clock.true_s - self.heard.get(said.pk, -1e9) + said.spoken_age_ms / 1000
        if age_s > FRESH_S:
            self.complain(f"P261: the phrase was {age_s:.1f} s old")
        after = InboxItem.objects.filter(session=by.session, status="waiting", kind__in=("heard", "end"))
        for item in after.select_related("utterance"):
            if item.utterance is None or item.utterance.normal.removeprefix(NAMED) not in SPENDS:
                self.complain(f"P262: {item.text!r} waited while the order was sent")

    def _confirm(self, arguments: Json) -> None:
        order = arguments["orderId"]
        self.confirms.append(order)
        if self.confirms.count(order) > 1:
            self.complain(f"P146: confirm_order was sent twice for {order}")

    # ---- a request lands

    def lands(self, tool: str, arguments: Json, by: Any, call: state.Call) -> None:
        for one in self.sent:
            if one.by is by and one.tool == tool and not one.call:
                one.call = call.n
        if tool not in ("update_cart", "clear_cart", "checkout") or not isinstance(by, Call):
            return
        if by.checkpoint < self.newest:
            self.complain(f"P264: {tool} of checkpoint {by.checkpoint} landed after checkpoint {self.newest} had")
        self.newest = max(self.newest, by.checkpoint)


def _digits(event: DeviceEvent) -> str:
    return str(event.payload.get("text", ""))
