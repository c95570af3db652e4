"""What certification must know of the order mode: how it is hurried, when it is at rest, and how an order ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from interactions.certification.contracts import Conversation, Evidence, Fault, Peer
from swiggy_instamart.certification import conversations, invariants
from swiggy_instamart.certification.peer import ShopPeer

FAULTS = (
    Fault("acts, then drops the reply", {"kind": "drop", "where": "after"}),
    Fault("drops the connection before it acts", {"kind": "drop"}),
    Fault("refuses (400)", {"kind": "status", "status": 400}),
    Fault("hangs", {"kind": "hang"}),
    Fault("answers 500", {"kind": "status", "status": 500}),
    Fault("acts, then a malformed body", {"kind": "malformed", "where": "after"}),
    Fault("acts, then says success:false", {"kind": "success_false", "where": "after"}),
    Fault("signs us out (401)", {"kind": "status", "status": 401}),
    Fault("acts; we are killed before the answer", {"kind": "hang", "where": "after"}, then="kill", acted=True),
    Fault("acts late; we are killed meanwhile", {"kind": "slow", "seconds": 1.0}, then="kill"),
    Fault("acts late; we are frozen past the lease", {"kind": "slow", "seconds": 1.0}, then="stop"),
)

# Waiting times of the mode, while certified.
TIMEOUTS_S = {"read": 1.5, "write": 2.0, "poll": 1.5, "checkout": 2.5}
OPTIONS: Mapping[str, Any] = {
    "payment_interval_s": 0.1,
    "payment_window_s": 15,
    "lookup_s": 2,
    "lookup_interval_s": 0.3,
    "mcp_attempt_s": 1.5,
}


class SwiggyOrderSuite:
    mode = "swiggy_order"
    owner = "asha"
    devices = (conversations.KITCHEN, conversations.PHONE)
    conversations: tuple[Conversation, ...] = conversations.ALL
    faults = FAULTS

    def hasten(self) -> None:
        from interactions import registry
        from swiggy_instamart import late, lookups, payments, recovery, shop

        mode: Any = registry.mode(self.mode)
        mode.options = mode.options.model_copy(update=dict(OPTIONS))
        mode.silence_s = ()  # a reminder on a busy machine would be one more point in one of two runs that are compared
        payments.LEASE_S, payments.GRACE_S, payments.SHORTEST_WINDOW_MS = 4, 1, 2500
        lookups.AGAIN_S, lookups.STALE_LOOK_S, lookups.STALE = 0.3, 2, timedelta(seconds=6)  # type: ignore[assignment]
        late.INTERVAL, recovery.HEARD_S = timedelta(seconds=0.2), 0.2  # type: ignore[assignment]
        late.WINDOW = timedelta(seconds=2 * payments.LEASE_S)  # as in earnest, a frozen poller does not outlast it
        timeouts: Any = shop.TIMEOUTS
        named = {shop.READ_S: "read", shop.WRITE_S: "write", shop.POLL_S: "poll", shop.CHECKOUT_S: "checkout"}
        timeouts.update({tool: TIMEOUTS_S[named[seconds]] for tool, seconds in timeouts.items()})

    def preload(self) -> None:
        from interactions import language_model
        from swiggy_instamart import mcp
        from swiggy_instamart.sandbox import protocol

        assert protocol
        mcp.preload()
        language_model.preload()

    def peer(self) -> Peer:
        return ShopPeer()

    def busy(self, *, long: bool) -> bool:
        from swiggy_instamart import late
        from swiggy_instamart.models import CheckoutIntent, PaymentWatch, Recovery

        followed = PaymentWatch.objects.filter(late.still_watched(timezone.now()) if long else Q(ended_at=None))
        looked_for = CheckoutIntent.objects.filter(state__in=("started", "unknown"))
        return followed.exists() or looked_for.exists() or Recovery.objects.filter(ended_at=None).exists()

    def check(self, evidence: Evidence) -> list[str]:
        cart = list(invariants.cart(evidence, meant=_meant()))
        return cart if evidence.midway else invariants.check(evidence) + cart

    def excused(self) -> bool:
        from swiggy_instamart.models import CheckoutIntent, PaymentWatch

        unanswered = PaymentWatch.objects.exclude(confirm_started_at=None).filter(confirm_result="")
        doubtful = CheckoutIntent.objects.filter(state__in=("unknown", "unfound", "seen", "not_sent", "payment_unknown"))
        return unanswered.exists() or doubtful.exists()

    def random(self, *, turns: int, seed: int) -> int:
        from swiggy_instamart.randomised import run

        return run.main(turns=turns, seed=seed)

    def outcome(self, evidence: Evidence) -> str:
        from swiggy_instamart.models import CheckoutIntent

        states = ", ".join(CheckoutIntent.objects.order_by("pk").values_list("state", flat=True)) or "no checkout"
        orders = ", ".join(f"{order['status']}{' paid' if order['paid'] else ''}" for order in evidence.ledger["orders"])
        return f"{states}; {orders or 'no order'}"


def _meant() -> dict[str, int] | None:
    """The last replacement that was asked for and went through as asked; None where the person heard of a difference."""
    from interactions.models import Checkpoint
    from swiggy_instamart import carts

    last = Checkpoint.objects.filter(effect__in=("write", "clear")).order_by("-pk").first()
    if last is None or last.outcome != "done" or last.result.get("overtaken"):
        return None
    return carts.counts(carts.load(last.payload.get("after", ())))
