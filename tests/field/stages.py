"""The order brought to each open question, so that one sentence can be said to all of them. Every trial gets its own copy."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from tests.support.ordering import Order, cart, line

BYSTANDERS = (line("ghee-1", 1, name="Cow Ghee"), line("salt-1", 1, name="Sea Salt"))  # what no sentence speaks of


def _empty() -> Order:
    return Order().to_shopping()


def _filled() -> Order:
    return holding()


def _choosing() -> Order:
    order = Order().to_shopping(held=cart(*BYSTANDERS))
    order.say("milk")
    order.find()
    return order


def _single() -> Order:
    order = Order().to_shopping(held=cart(*BYSTANDERS))
    order.say("bread")
    order.find()
    return order


def _counting() -> Order:
    return Order().to_shopping(held=cart(*BYSTANDERS)).add("milk", "one", before=cart(*BYSTANDERS), now=_with_milk(1))


def _added() -> Order:
    return Order().to_shopping(held=cart(*BYSTANDERS)).add("two milk", "one", before=cart(*BYSTANDERS), now=_with_milk(2))


def _with_milk(count: int) -> dict[str, Any]:
    return cart(*BYSTANDERS, line("milk-1", count))


def _address() -> Order:
    return Order().to_address()


def _label() -> Order:
    order = Order().to_address()
    order.say("no")
    return order


def _old_cart() -> Order:
    order = Order().to_address()
    order.say("yes")
    order.settle({"cart": cart(*BYSTANDERS)})
    return order


def _review() -> Order:
    return Order().to_review(held=_with_milk(2))


def _payment() -> Order:
    return Order().to_payment()


def _unknown() -> Order:
    from interactions.contracts import Unknown

    order = Order().to_checkout()
    order.settle(Unknown("no_answer"))
    return order


STAGES: Mapping[str, Callable[[], Order]] = {
    "empty": _empty,
    "filled": _filled,
    "choosing": _choosing,
    "single": _single,
    "counting": _counting,
    "added": _added,
    "address": _address,
    "label": _label,
    "old cart": _old_cart,
    "review": _review,
    "payment": _payment,
    "unknown": _unknown,
}


@cache
def _brought(stage: str) -> Order:
    return STAGES[stage]()


def at(stage: str, names: tuple[str, ...] = ()) -> Order:
    """A fresh order at ``stage``; ``filled`` holds ``names`` as well."""
    return _copy(holding(*names) if names and stage == "filled" else _brought(stage))


def _copy(order: Order) -> Order:
    """State and prompt are replaced and never changed in place, so a shallow copy is one of its own."""
    fork = copy.copy(order)
    fork.steps = list(order.steps)
    return fork


@cache
def holding(*names: str) -> Order:
    lines = [line(f"held-{n}", 1, name=name.title(), size="1 pack") for n, name in enumerate(names)]
    return Order().to_shopping(held=cart(*BYSTANDERS, *lines))
