"""Between the phrase and the call the cart is read once more; by then more may be known than when the phrase was judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.support.ordering import Order, cart, line

HELD = cart(line("milk-1", 2))


def confirmed() -> Order:
    """The phrase was said to the review, and the cart is being read once more."""
    order = Order().to_review()
    order.say("confirm order")
    assert order.pending is not None
    assert order.pending.name == "recheck"
    return order


def spends(order: Order) -> bool:
    order.settle({"cart": HELD})
    return "checkout" in order.calls


def test_control_the_same_cart_is_ordered() -> None:
    assert spends(confirmed())


@pytest.mark.promise("P248", "P201")
def test_a_review_whose_cut_is_reported_behind_the_phrase_is_read_again() -> None:
    order = confirmed()
    assert order.prompt is not None
    order.prompt = replace(order.prompt, finished_at=None, failed=True)
    assert not spends(order)
    assert order.phase == "awaiting_confirmation"
    assert order.last.say[0].key == "review:1"
    assert not [row for step in order.steps for row in step.rows if type(row).__name__ == "Intend"]


@pytest.mark.promise("P129")
@pytest.mark.parametrize(("limit", "spent"), [(269, False), (270, True), (None, True)])
def test_a_limit_that_the_operator_lowered_after_the_read_back_holds(limit: int | None, spent: bool) -> None:
    order = confirmed()
    order.mode.options = order.mode.options.model_copy(update={"order_limit_rupees": limit})
    assert spends(order) is spent
    if not spent:
        assert "I only order below ₹269" in order.words
        assert order.standing.state["review"] is None


@pytest.mark.promise("P129")
def test_a_cart_that_changed_is_told_as_changed_whatever_the_limit() -> None:
    order = confirmed()
    changed: dict[str, Any] = cart(line("milk-1", 3), total=200_000)
    order.settle({"cart": changed})
    assert "checkout" not in order.calls
    assert "2000" in order.words
