"""A person at a device that talks to the service over HTTP only, the shop that witnesses, and a clock moved by hand.

``say`` posts, lets the workers' part run in process, and returns what the device was told to speak. Before the next sentence
what was told is played to its end and reported, as a speaker would.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.utils import timezone

from interactions import chain, silence, sweep, turns
from interactions.models import ChainRun, InteractionSession
from swiggy_instamart import lookups, payments, recovery
from swiggy_instamart.models import CheckoutIntent, PaymentWatch, Recovery
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support import browsing
from tests.support.people import Owned

_keys = itertools.count(1)
PAUSE_S = 2.0  # between the end of a reply and the beginning of the answer
PER_WORD_S = 0.5
LOOKS_S = 3.0  # how often the service looks whether something is due: beat's own pace
APART_S = 45  # how far the shop's clock may lag behind ours before it is set


class Clock:
    """The time of the service; it goes on by itself and can be moved forward, and the shop's with it."""

    def __init__(self, patch: pytest.MonkeyPatch, sandbox: SandboxProcess) -> None:
        self.ahead, self.told = timedelta(), timedelta()
        self.real, self.sandbox = timezone.now, sandbox
        patch.setattr(timezone, "now", self.now)

    def now(self) -> datetime:
        return self.real() + self.ahead

    def forward(self, seconds: float) -> None:
        self.ahead += timedelta(seconds=seconds)
        if self.ahead - self.told > timedelta(seconds=APART_S):
            self.sandbox.settings(clock_ahead_s=self.ahead.total_seconds())
            self.told = self.ahead


class Money(NamedTuple):
    """How often the shop was asked for a checkout and a confirm, and the orders that came of it."""

    checkouts: int
    orders: int
    confirms: int


NOTHING = Money(0, 0, 0)


class Ledger:
    """What the shop saw. It is asked anew for every look."""

    def __init__(self, sandbox: SandboxProcess) -> None:
        self.sandbox = sandbox

    @property
    def calls(self) -> list[str]:
        return [call["tool"] for call in self.sandbox.calls()]

    def arguments(self, tool: str) -> list[dict[str, Any]]:
        return [call["arguments"] for call in self.sandbox.calls(tool)]

    def count(self, *tools: str) -> int:
        return sum(call in tools for call in self.calls)

    @property
    def cart(self) -> dict[str, int]:
        """Title -> how many, as it really is."""
        return {f"{row['name']} {row['size']}": row["quantity"] for row in self.sandbox.ledger()["cart"]["lines"]}

    @property
    def total(self) -> int:
        total: int = self.sandbox.ledger()["cart"]["total_paise"]
        return total

    @property
    def orders(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.sandbox.ledger()["orders"]
        return found

    @property
    def money(self) -> Money:
        """Every attempt counts, also one that was lost on its way."""
        seen = self.sandbox.ledger()
        tools = [call["tool"] for call in seen["calls"]]
        return Money(tools.count("checkout"), len(seen["orders"]), tools.count("confirm_order"))


@dataclass
class Speaker:
    """One person at one device."""

    owned: Owned
    sandbox: SandboxProcess
    clock: Clock
    http: Client = field(default_factory=browsing.client)
    cursor: int = 0
    events: list[dict[str, Any]] = field(default_factory=list)
    unplayed: list[dict[str, Any]] = field(default_factory=list)

    # ---- the device's part: HTTP and nothing else

    def post(self, text: str, *, age_ms: int = 0, **body: Any) -> dict[str, Any]:
        """Report something heard; nothing is handled yet."""
        headers = self.owned.headers | {"Idempotency-Key": f"flow-{next(_keys)}", "Utterance-Age": str(age_ms)}
        sent = {"text": text, "source": "stream"} | body
        answer = self.http.post("/api/v1/utterances", sent, content_type="application/json", headers=headers)
        assert answer.status_code == 202, answer.content
        accepted: dict[str, Any] = answer.json()
        return accepted

    def hear(self) -> str:
        """Fetch what came since; returns what is to be spoken."""
        answer = self.http.get(f"/api/v1/replies?after={self.cursor}", headers=self.owned.headers).json()
        assert not answer["reset"]
        self.cursor = answer["cursor"]
        rows = [{**event["data"], "kind": event["event"]} for event in answer["events"]]
        said = [row for row in rows if row["speak"] and row.get("text")]
        self.events += rows
        self.unplayed += said
        return " ".join(row["text"] for row in said)

    def play(self) -> None:
        """Play what is waiting, one after the other, and report each end."""
        for row in self.unplayed:
            self.clock.forward(row["est_ms"] / 1000)
            self.report(row["reply_id"], "finished")
        self.unplayed = []

    def report(self, reply: int, state: str) -> None:
        url = f"/api/v1/replies/{reply}/playback"
        answer = self.http.post(url, {"state": state}, content_type="application/json", headers=self.owned.headers)
        assert answer.status_code == 200, answer.content

    @property
    def current(self) -> dict[str, Any] | None:
        """What a screen that draws itself anew is told."""
        session: dict[str, Any] | None = self.http.get("/api/v1/sessions/current", headers=self.owned.headers).json()["session"]
        return session

    # ---- the person's part

    def say(self, text: str, *, listened: bool = True, **body: Any) -> str:
        """Speak, and hear what was answered. Whoever did not listen spoke into what was being played."""
        self.utter(text, listened=listened, **body)
        self.work()
        return self.hear()

    def utter(self, text: str, *, listened: bool = True, **body: Any) -> dict[str, Any]:
        """Speak; the workers have not come to it yet."""
        if listened:
            self.play()
            self.clock.forward(PAUSE_S + PER_WORD_S * len(text.split()))
        return self.post(text, **body)

    def tap(self, text: str, **body: Any) -> str:
        """Touch a button of the question on the screen."""
        self.clock.forward(1)
        return self.say(text, listened=False, **({"source": "tap", "in_reply_to": self.question["reply_id"]} | body))

    # ---- the workers' part

    def work(self) -> None:
        """Everything that waits, as the workers would come to it."""
        for session in InteractionSession.objects.filter(work_pending=True).order_by("pk").values_list("pk", flat=True):
            turns.drain(session)
        for run in ChainRun.objects.filter(status="staged").order_by("pk").values_list("pk", flat=True):
            chain.run(run)

    def wait_for_payment(self) -> str:
        """Let the watch's next look be due and made, and hear what came of it."""
        self.clock.forward(5.1)
        for watch in PaymentWatch.objects.filter(ended_at=None).values_list("pk", flat=True):
            payments.poll(watch)
        self.work()
        return self.hear()

    def wait_for_look_up(self, seconds: float = 15.1) -> str:
        self.clock.forward(seconds)
        for intent in CheckoutIntent.objects.exclude(next_look_at=None).values_list("pk", flat=True):
            lookups.look(intent)
        self.work()
        return self.hear()

    def wait_for_search(self, seconds: float = 15.1) -> str:
        """The same of a recovery, which searches the orders of everybody."""
        self.clock.forward(seconds)
        for row in Recovery.objects.filter(ended_at=None).values_list("pk", flat=True):
            recovery.search(row)
        self.work()
        return self.hear()

    def silent(self, seconds: float) -> list[str]:
        """Say nothing for so long, while the service looks every few seconds; what is then said, once it has been played."""
        said: list[str] = []
        while seconds > 0:
            self.clock.forward(min(seconds, LOOKS_S))
            seconds -= LOOKS_S
            sweep.deadlines(self.clock.now())
            silence.sweep(self.clock.now())
            self.work()
            if told := self.hear():
                said.append(told)
                self.play()
        return said

    # ---- what is to be seen

    @property
    def session(self) -> InteractionSession:
        return InteractionSession.objects.filter(client_id=self.owned.device.client_id, user=self.owned.device.owner).latest(
            "pk"
        )

    @property
    def phase(self) -> str:
        return self.session.phase

    @property
    def ended(self) -> str:
        """The reason; empty while the session is active."""
        return self.session.end_reason or ""

    @property
    def question(self) -> dict[str, Any]:
        """The last thing that was asked."""
        return next(row for row in reversed(self.events) if row["kind"] == "interaction.reply" and row["expects_reply"])

    @property
    def choices(self) -> list[str]:
        return [choice["say"] for choice in self.question["choices"]]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [row for row in self.events if row["kind"] == kind]

    @property
    def intent(self) -> CheckoutIntent:
        return CheckoutIntent.objects.latest("pk")

    @property
    def watch(self) -> PaymentWatch:
        return PaymentWatch.objects.latest("pk")

    # ---- short ways

    def to_shopping(self, text: str = "order swiggy") -> Speaker:
        """Open for items; the greeting is not listened to, which no question before the review minds."""
        for words in (text, "yes"):
            self.utter(words, listened=False)
            self.work()
            self.hear()
        if self.phase == "existing_cart_decision":
            self.say("keep cart", listened=False)
        self.unplayed = []
        return self

    def to_review(self) -> Speaker:
        """At a review of two milk, found in the cart."""
        self.to_shopping()
        self.sandbox.cart([{"find": "toned milk", "quantity": 2}])
        self.say("complete order")
        assert self.phase == "awaiting_confirmation", self.events[-1]
        return self

    def to_payment(self) -> Speaker:
        self.to_review()
        self.say("confirm order")
        assert self.phase == "awaiting_payment", self.events[-1]
        return self
