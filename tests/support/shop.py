"""The ordering mode in process against a real sandbox: rows in the database, calls on the wire, and the shop's own ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from interactions import clock
from interactions.models import Device, DeviceEvent
from swiggy_instamart import lookups, mcp, payments
from swiggy_instamart.models import CheckoutIntent, PaymentWatch
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support import talk


@contextmanager
def opened(directory: Path) -> Iterator[SandboxProcess]:
    """A sandbox of its own process, and the sign-in that it accepts."""
    mcp.preload()  # as a worker does, so that no call's time is spent on an import
    with SandboxProcess(hold_s=0) as sandbox:
        sandbox.write_tokens(directory)
        try:
            yield sandbox
        finally:
            mcp.close()


class Till:
    """Asha at her kitchen speaker. ``say`` types, so that a reply counts as heard once it was shown."""

    def __init__(self, device: Device, sandbox: SandboxProcess, patch: pytest.MonkeyPatch) -> None:
        self.device, self.sandbox, self.patch = device, sandbox, patch
        self.said: list[str] = []
        self.finds = False  # the cart is filled at the shop, where a test is not about the talk that fills it

    def say(self, text: str, **report: Any) -> str:
        """Answer the latest prompt; returns what was spoken because of it."""
        shown = DeviceEvent.objects.filter(device=self.device).exclude(key="").order_by("-seq").first()
        self.show()
        naming = {"in_reply_to": shown.pk} if shown else {}
        answer = " ".join(talk.say(self.device, text, **({"source": "typed"} | naming | report)))
        self.said.append(answer)
        return answer

    def show(self) -> None:
        DeviceEvent.objects.filter(device=self.device, delivered_at=None).update(
            delivered_at=clock.now() - timedelta(seconds=1)
        )

    def handle(self) -> str:
        """Handle what waits, and return everything spoken because of it."""
        before = Device.objects.get(pk=self.device.pk).event_seq
        talk.handle(self.device)
        return " ".join(talk.spoken(self.device, after=before))

    @property
    def phase(self) -> str:
        return talk.session_of(self.device).phase

    @property
    def reason(self) -> str:
        return talk.session_of(self.device).end_reason

    @property
    def ledger(self) -> dict[str, Any]:
        return self.sandbox.ledger()

    @property
    def intent(self) -> CheckoutIntent:
        return CheckoutIntent.objects.latest("pk")

    @property
    def watch(self) -> PaymentWatch:
        return PaymentWatch.objects.latest("pk")

    # ---- short ways to a phase

    def to_shopping(self) -> Till:
        self.say("order swiggy")
        self.say("yes")
        if self.phase == "existing_cart_decision":
            self.say("keep cart")
        return self

    def to_review(self) -> Till:
        self.to_shopping()
        if self.finds:
            self.sandbox.cart([{"find": "toned milk", "quantity": 1}])
        else:
            self.say("milk")
            self.say("option 1")
        self.say("complete order")
        return self

    def to_phrase(self) -> int:
        """The words that spend were accepted and wait for a worker; the number of the session."""
        self.to_review()
        self.show()
        review = DeviceEvent.objects.filter(device=self.device).exclude(key="").latest("seq")
        talk.post(self.device, "confirm order", source="typed", in_reply_to=review.pk)
        return talk.session_of(self.device).pk

    def to_payment(self) -> Till:
        self.to_review()
        self.say("confirm order")
        return self

    # ---- what the sweep would do

    def poll(self) -> None:
        """Let the watch's next poll be due, and make it."""
        PaymentWatch.objects.filter(ended_at=None).update(next_poll_at=timezone.now())
        payments.poll(self.watch.pk)

    def at_cap(self) -> None:
        PaymentWatch.objects.update(deadline_at=timezone.now() - timedelta(milliseconds=1))

    def look(self) -> None:
        CheckoutIntent.objects.filter(state="unknown").update(next_look_at=timezone.now())
        lookups.look(self.intent.pk)

    # ---- what must hold after anything

    def assert_gapless(self) -> None:
        """What the device was told is numbered without gaps."""
        numbers = list(DeviceEvent.objects.filter(device=self.device).order_by("seq").values_list("seq", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
