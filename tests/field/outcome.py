"""What a sentence led to: every act the mode asked for, down to the full replacement of the cart that it would have written.

The shop answers as a shop does: a cart is read as it was, a write succeeds. So "changes the cart" means a write or a clear that
was asked for, and "consent" means the look that only the money phrase begins.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from interactions.contracts import Effect, Failed
from swiggy_instamart import carts, machine
from swiggy_instamart.machine import On
from tests.field import expected, stages
from tests.field.expected import Act, Acts
from tests.support.ordering import Order

Offers = list[dict[str, Any]]
MOST_CALLS = 8
SILENT = frozenset({On.UNFIT, On.UNHEARD, On.WANTED, On.EDITED, On.FOUND, On.WRITTEN, On.CART_SEEN, On.HURT, On.LOST})
CALLED = {On.STOP: "close", On.CART_ASKED: "show", On.REVIEW_ASKED: "review", On.CONFIRMED: "consent", On.CHANGE: "address",
          On.NAMED: "address", On.SKIPPED: "skip", On.LINK_ASKED: "link", On.CLEAR: "clear", On.KEEP: "keep",
          On.COUPON: "coupon", On.REBUILD: "rebuild", On.TAKE_OVER: "take over"}  # fmt: skip
SAID = frozenset({"help", "repeat"})
SPENDING = frozenset({"recheck", "checkout"})


@dataclass(frozen=True, slots=True)
class Outcome:
    acts: Acts
    words: str
    seconds: float  # CPU of the step that heard it


def of(order: Order, said: str) -> Outcome:
    """Say ``said`` and let everything it asks for happen."""
    acts: set[Act] = set()
    with _watched() as moves:
        began = time.process_time()
        step = order.say(said)
        seconds = time.process_time() - began
        words = order.words
        acts |= {Act(CALLED.get(on, on.value)) for on in moves if on not in SILENT}
        if step.said in SAID:
            acts.add(Act(step.said))
        if step.end:
            acts.add(Act("close"))
        if On.FOUND in moves:
            acts.add(expected.act("recount", expected.IT, count=order.standing.state["offers"][0]["count"]))
        acts |= _called(order)
    return Outcome(frozenset(acts), words, seconds)


def in_pieces(said: str) -> Outcome:
    """Several finals of one sentence, one soon after the other."""
    order = stages.at("empty")
    heard = [of(order, piece) for piece in said.split(" / ")]
    acts = frozenset().union(*(one.acts for one in heard))
    return Outcome(acts, heard[-1].words, sum(one.seconds for one in heard))


@contextmanager
def _watched() -> Iterator[list[On]]:
    """The rows of the machine that were taken."""
    taken: list[On] = []
    real = machine.move

    def move(phase: str, on: On) -> machine.Move:
        row = real(phase, on)
        if not taken or on not in SILENT:
            taken.append(on)
        return row

    machine.move = move
    try:
        yield taken
    finally:
        machine.move = real


def _called(order: Order) -> set[Act]:
    acts: set[Act] = set()
    for _ in range(MOST_CALLS):
        effect = order.pending
        if effect is None:
            break
        offers = order.standing.state.get("offers", [])
        acts |= _effect(effect, offers, order.standing.state.get("called", {}))
        if effect.name == "cart" and effect.payload["why"] == "edit":
            order.settle({"cart": order.standing.state["cart"]})
        elif effect.name == "write":
            held = {**order.standing.state["cart"], "lines": effect.payload["after"]}
            order.settle({"cart": held, "report": {}, "overtaken": False})
        elif effect.name == "understand":
            order.settle(Failed("not_configured"))
        else:
            break
    return acts


def _effect(effect: Effect, offers: Offers, called: Mapping[str, str]) -> set[Act]:
    if effect.name in SPENDING:
        return {Act("consent")}
    if effect.name == "search":
        return {expected.wanted(item) for item in effect.payload["items"] if "part_of" not in item}
    if effect.name == "write":
        return set(_written(effect, offers, called))
    return {Act("clear")} if effect.name == "clear" else set()


def _written(effect: Effect, offers: Offers, asked: Mapping[str, str]) -> Iterator[Act]:
    """How the cart that would be written differs from the one that was read. A thing goes by what was asked for, as milk."""
    before, after = carts.load(effect.payload["before"]), carts.load(effect.payload["after"])
    was, now = carts.counts(before), carts.counts(after)
    called = {line.spin: line.name for line in (*before, *after)} | dict(asked)
    variants = offers[0]["variants"] if offers else []
    options = {row["spin"]: str(number) for number, row in enumerate(variants, 1)}
    for spin in sorted(was.keys() | now.keys()):
        if spin not in now:
            yield expected.act("remove", called[spin])
        elif spin not in was:
            yield expected.act("pick", options.get(spin, called[spin]), count=now[spin])
        elif was[spin] != now[spin]:
            yield expected.act("set", called[spin], count=now[spin])
