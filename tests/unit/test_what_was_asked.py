"""What was asked last is what a yes, a no or a bare number answers; every question stays the one it is until it is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.ordering import Order, cart, line


def elsewhere() -> Order:
    """The cart turned out to be for another address than the one that was agreed to."""
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("complete order")
    held = cart(line("milk-1", 2), address="a3")
    order.settle({"cart": held, "scan": True, "reachable": True, "maybe": [], "blocked": False})
    return order


# ---- a cart for another address -----------------------------------------------------------------------------------------


@pytest.mark.promise("P102", "P216")
def test_a_cart_for_another_address_is_asked_about_in_the_same_words_after_silence_and_on_request() -> None:
    order = elsewhere()
    question = order.words
    assert question.startswith("The cart is for another address than the one you confirmed.")
    assert order.last.say[-1].key == "lost"
    order.silence(1)
    assert order.words == question
    order.say("repeat")
    assert order.words == question
    order.say("was that the one from before then")
    assert order.words == f"I did not catch a yes or a no. {question}"
    order.say("yes")
    assert order.calls[-1] == "rebuild"


@pytest.mark.promise("P209")
def test_help_at_a_cart_for_another_address_says_what_a_yes_does_there() -> None:
    order = elsewhere()
    order.say("help")
    assert order.words.startswith("Say yes to put its items together for the address you confirmed")
    assert [choice.say for choice in order.last.say[-1].choices] == ["yes", "no", "clear cart", "change address"]


# ---- at another device --------------------------------------------------------------------------------------------------


def lost() -> Order:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("complete order")
    order.settle({"cart": cart(), "scan": True, "reachable": True, "maybe": [], "blocked": False})
    return order


def proposed() -> Order:
    order = Order().to_shopping()
    order.say("same as last time")
    order.settle({"lines": [line("milk-1", 2)]})
    return order


@pytest.mark.promise("P205", "P259")
@pytest.mark.parametrize(
    ("open_", "key"), [(lost, "lost"), (elsewhere, "lost"), (proposed, "as_before")], ids=["lost", "elsewhere", "proposed"]
)
def test_a_question_that_goes_on_at_another_device_is_answered_there(open_: Callable[[], Order], key: str) -> None:
    order = open_()
    question = order.words
    order.prompt = None  # nothing was asked at that device yet
    order.signal("moved")
    assert order.words.endswith(question)
    assert order.last.say[-1].key == key
    order.silence(1)
    assert order.words == question
    order.say("yes")
    assert order.calls[-1] == "rebuild"
