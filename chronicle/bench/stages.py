"""The ordering mode brought to each open question, so that sentences can be said there. No database, no shop.

The mode is the one that is configured; what a shop would answer is given by hand, and each prompt was heard to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from interactions.contracts import Done, Effect, Event, Heard, Json, Prompt, Settled, Standing, Started, Step, Told
from interactions.modes import Mode

MODE = "swiggy_order"
DEVICE = 1
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
PAUSE = timedelta(seconds=3)  # between the end of a prompt and the answer
ADDRESSES = [
    {"id": "a1", "label": "Home", "line": "12 Demo Road"},
    {"id": "a2", "label": "Office", "line": "3 Work Street"},
]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the conversation stands, and what was said to the person last."""

    standing: Standing
    prompt: Prompt | None = None
    told: Told | None = None
    call: Effect | None = None  # what the shop was asked last

    def heard(self, text: str) -> Heard:
        """The utterance as the host would hand it over."""
        at = NOON if self.prompt is None or self.prompt.finished_at is None else self.prompt.finished_at + PAUSE
        return Heard(at, text, 1, at, DEVICE, heard_upto=self.standing.revision, prompt=self.prompt, told=self.told)

    def step(self, event: Event) -> Step:
        return _mode().step(self.standing, event)

    def after(self, event: Event) -> Place:
        """Where it stands once the mode has decided."""
        step = self.step(event)
        standing = replace(
            self.standing,
            phase=step.phase or self.standing.phase,
            state=self.standing.state if step.state is None else step.state,
            revision=self.standing.revision + 1,
        )
        spoken = tuple(reply for reply in step.say if reply.speak and reply.kind == "interaction.reply")
        told = Told(spoken, step.said) if spoken else self.told
        prompt = next((_heard_out(reply.key, standing.revision) for reply in step.say if reply.key), self.prompt)
        return Place(standing, prompt, told, step.effect)

    def says(self, text: str) -> Place:
        return self.after(self.heard(text))

    def gets(self, result: Json) -> Place:
        """The shop has answered what it was asked."""
        assert self.call is not None, "the shop was asked nothing"
        return self.after(Settled(NOON, self.call.name, self.call.payload, Done(result), self.prompt))


@cache
def _mode() -> Mode:
    from interactions import registry  # needs the settings of the stack, which is started first

    return registry.mode(MODE)


def _heard_out(key: str, number: int) -> Prompt:
    return Prompt(key, number, number, DEVICE, 10, 4000, NOON, NOON, NOON + timedelta(seconds=4))


def _cart(*names: str) -> dict[str, Any]:
    lines = [
        {"spin": name, "sku": f"K-{name}", "name": name.title(), "size": "500 g", "quantity": 1, "available": True}
        | {"price_paise": 2800, "max_quantity": 10}
        for name in names
    ]
    more = {"unserviceable": [], "writable": True, "unwritable": []}
    return {"address_id": "a1", "lines": lines, "total_paise": 2800 * len(lines) or None, **more}


def _variant(number: int, name: str) -> dict[str, Any]:
    row = {"spin": f"v{number}", "sku": f"K-v{number}", "product": f"P-v{number}", "name": name, "brand": name.split()[0]}
    return row | {"size": "500 ml", "price_paise": 2800 + number, "max_quantity": 10, "promoted": False}


HELD = ("ghee", "salt", "bread")


def _address() -> Place:
    opened = Place(Standing(1, 1, DEVICE, "starting", {}, 0, 0, NOON, capabilities={"screen": True, "voice": True}))
    return opened.after(Started(NOON, "", 1)).gets({"addresses": ADDRESSES, "elsewhere": None})


def _label() -> Place:
    return _address().says("no")


def _old_cart() -> Place:
    return _address().says("yes").gets({"cart": _cart(*HELD)})


def _shopping() -> Place:
    return _old_cart().says("keep cart")


def _choosing() -> Place:
    searching = _shopping().says("milk")
    assert searching.call is not None
    variants = [_variant(number, name) for number, name in enumerate(("Amul Taaza", "Nandini Milk", "Amul Gold"), 1)]
    return searching.gets({"found": [{**item, "variants": variants, "error": ""} for item in searching.call.payload["items"]]})


def _review() -> Place:
    read = {"cart": _cart(*HELD), "scan": True, "reachable": True, "maybe": [], "blocked": False}
    return _shopping().says("complete order").gets(read)


STAGES: Mapping[str, Callable[[], Place]] = {
    "address": _address,
    "label": _label,
    "old cart": _old_cart,
    "shopping": _shopping,
    "choosing": _choosing,
    "review": _review,
    "longest": _shopping,
}
