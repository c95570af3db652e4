"""The ordering mode as a dialogue: a fake standing, events in, decisions out. No database, no clock, no shop.

Calls are answered by hand or by ``Shop``, a cart in memory that is just enough to speak an order from end to end.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from interactions.contracts import (
    Deadline,
    Done,
    Effect,
    Event,
    Heard,
    Outcome,
    Prompt,
    Settled,
    Signal,
    Silence,
    Standing,
    Started,
    Step,
    Told,
)
from swiggy_instamart import wording
from swiggy_instamart.mode import SwiggyOrderMode

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
DEVICE = 7
ADDRESSES = [
    {"id": "a2__t", "label": "Home 2", "line": "2 Other Road"},
    {"id": "a1__t", "label": "Home", "line": "12 Demo Road"},
    {"id": "a3", "label": "Office", "line": "3 Work Street"},
]


def variant(
    spin: str, name: str, *, size: str = "500 ml", price: int = 2800, brand: str = "Amul", **more: Any
) -> dict[str, Any]:
    row = {"spin": spin, "sku": f"K-{spin}", "product": f"P-{spin}", "name": name, "brand": brand, "size": size}
    return row | {"price_paise": price, "max_quantity": 10, "promoted": False} | more


MILK = [variant("milk-1", "Amul Taaza"), variant("milk-2", "Nandini Milk", brand="Nandini"), variant("milk-3", "Amul Gold")]
BREAD = [variant("bread-1", "Brown Bread", size="400 g", brand="Britannia", price=5000)]
SHELF = {"milk": MILK, "bread": BREAD}


def line(spin: str, quantity: int = 1, *, name: str = "Amul Taaza", **more: Any) -> dict[str, Any]:
    row = {"spin": spin, "sku": f"K-{spin}", "name": name, "size": "500 ml", "quantity": quantity}
    return row | {"available": True, "price_paise": 2800, "max_quantity": 10} | more


def cart(*lines: dict[str, Any], total: int | None = 26900, address: str = "a1", **more: Any) -> dict[str, Any]:
    row = {"address_id": address, "lines": list(lines), "total_paise": total if lines else None, "unserviceable": []}
    return row | {"writable": True, "unwritable": []} | more


PENDING = {
    "placing": "pending_payment",
    "order_ids": ["ORD1"],
    "paas_id": "PAAS1",
    "transaction_id": "TXN1",
    "link": "https://pay.example/opaque",
    "total_paise": 26900,
    "poll_every_ms": 5000,
    "poll_for_ms": 300000,
    "failures": 0,
}


class Order:
    """One session of the mode. ``steps`` are all decisions so far; ``heard`` what the person was told."""

    def __init__(self, *, screen: bool = True, model: bool = False, **settings: Any) -> None:
        self.mode = SwiggyOrderMode(settings, names=("Hermes",), model=model)
        capabilities = {"screen": screen, "voice": True}
        self.standing = Standing(1, 42, DEVICE, "starting", {}, 0, 0, NOON, capabilities=capabilities)
        self.now = NOON
        self.steps: list[Step] = []
        self.utterances = 100
        self.replies = 0
        self.prompt: Prompt | None = None
        self.told: Told | None = None
        self.pending: Effect | None = None

    # ---- what happens

    def event(self, event: Event) -> Step:
        """Step the mode and take the decision over, as the host does."""
        step = self.mode.step(self.standing, event)
        self.steps.append(step)
        state = self.standing.state if step.state is None else step.state
        phase = step.phase or self.standing.phase
        turn = self.standing.turn + isinstance(event, Heard | Started)
        moved = {"phase": phase, "state": state, "turn": turn, "lang": step.lang or self.standing.lang}
        self.standing = replace(self.standing, revision=self.standing.revision + 1, **moved)
        if spoken := tuple(reply for reply in step.say if reply.speak and reply.kind == "interaction.reply"):
            self.told = Told(spoken, step.said)
        for reply in step.say:
            self.replies += 1
            if reply.key:
                words = len(reply.text.split())
                self.prompt = Prompt(reply.key, self.replies, self.replies, DEVICE, words, words * 400, self.now, self.now)
        self.pending = step.effect
        return step

    def start(self, text: str = "") -> Step:
        return self.event(Started(self.now, text, self._utterance()))

    def say(self, text: str, **more: Any) -> Step:
        """Say something to the open question, some seconds after it was played to its end."""
        self.now += timedelta(seconds=2)
        if self.prompt is not None and self.prompt.finished_at is None and more.pop("listened", True):
            self.now += timedelta(milliseconds=self.prompt.est_ms)
            self.prompt = replace(self.prompt, finished_at=self.now)
            self.now += timedelta(seconds=3)
        more.pop("listened", None)
        fields: dict[str, Any] = {"heard_upto": self.replies, "prompt": self.prompt, "device": DEVICE, "told": self.told}
        fields |= more
        return self.event(Heard(self.now, text, self._utterance(), received_at=self.now, **fields))

    def settle(self, outcome: Outcome | dict[str, Any]) -> Step:
        """Let the call that was asked for end in ``outcome``."""
        assert self.pending is not None, "no call was asked for"
        done = outcome if not isinstance(outcome, dict) else Done(outcome)
        return self.event(Settled(self.now, self.pending.name, self.pending.payload, done, self.prompt))

    def signal(self, name: str, **data: Any) -> Step:
        return self.event(Signal(self.now, name, data))

    def deadline(self, kind: str = "idle") -> Step:
        return self.event(Deadline(self.now, kind))

    def silence(self, rung: int) -> Step:
        return self.event(Silence(self.now, rung))

    def _utterance(self) -> int:
        self.utterances += 1
        return self.utterances

    # ---- what came of it

    @property
    def phase(self) -> str:
        return self.standing.phase

    @property
    def last(self) -> Step:
        return self.steps[-1]

    @property
    def kept(self) -> dict[str, Any]:
        """The state, but for how often something was not understood, and whether the last word was a remark."""
        return {name: value for name, value in self.standing.state.items() if name not in ("misses", "aside", "remarked")}

    @property
    def words(self) -> str:
        """What the last decision said."""
        return " ".join(reply.text for reply in self.last.say)

    def standing_in(self, lang: str) -> Standing:
        """Where it stands, as if this language were spoken."""
        return replace(self.standing, lang=lang)

    def sentence(self, name: str, **values: object) -> str:
        """What this sentence is in the language that is spoken."""
        return wording.of(self.standing.lang)(name, **values)

    @property
    def calls(self) -> list[str]:
        """Every call that was asked for, in order."""
        return [step.effect.name for step in self.steps if step.effect is not None]

    # ---- short ways to a phase

    def to_address(self, text: str = "", *, addresses: list[dict[str, Any]] | None = None) -> Order:
        self.start(text)
        self.settle({"addresses": ADDRESSES if addresses is None else addresses, "elsewhere": None})
        return self

    def to_shopping(self, text: str = "", *, held: dict[str, Any] | None = None) -> Order:
        self.to_address(text)
        self.say("yes")
        self.settle({"cart": held or cart()})
        if held and held["lines"]:
            self.say("keep cart")
        return self

    def add(self, query: str, option: str, *, now: dict[str, Any], before: dict[str, Any] | None = None) -> Order:
        """Search, choose and write, against a cart that was ``before`` and is ``now``."""
        self.say(query)
        self.find()
        self.say(option)
        self.settle({"cart": before or cart()})
        self.settle({"cart": now, "report": {}, "overtaken": False})
        return self

    def find(self, **shelf: list[dict[str, Any]]) -> Step:
        assert self.pending is not None
        assert self.pending.name == "search"
        known = SHELF | shelf
        rows = [{**item, "variants": known.get(item["query"], []), "error": ""} for item in self.pending.payload["items"]]
        return self.settle({"found": rows})

    def to_review(self, *, held: dict[str, Any] | None = None, **more: Any) -> Order:
        held = held or cart(line("milk-1", 2))
        self.to_shopping(held=held)
        self.say("complete order")
        self.settle({"cart": held, "scan": True, "reachable": True, "maybe": [], "blocked": False} | more)
        return self

    def to_checkout(self) -> Order:
        self.to_review()
        self.say("confirm order")
        self.settle({"cart": cart(line("milk-1", 2))})
        return self

    def to_payment(self) -> Order:
        self.to_checkout()
        self.settle(PENDING)
        self.settle({"sent": True, "error": ""})
        return self
