"""The choices of a question: there are some wherever one is open, in the language that is spoken, and each does something."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interactions.contracts import Reply
from swiggy_instamart import questions, wording
from swiggy_instamart.turn import Turn
from tests.support.ordering import Order, cart, line

HELD = cart(line("milk-1", 2))
MISUNDERSTOOD = {"not understood", "unclear", "busy", "aside"}


def offered() -> Order:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    return order


def held() -> Order:
    order = Order().to_address()
    order.say("yes")
    order.settle({"cart": HELD})
    return order


def chosen_elsewhere() -> Order:
    order = Order().to_address()
    order.say("no")
    return order


def lost() -> Order:
    order = Order().to_shopping(held=HELD)
    order.say("show cart")
    order.settle({"cart": cart()})
    return order


OPEN: dict[str, Callable[[], Order]] = {
    "address": lambda: Order(preferred_address_label="Home").to_address(),
    "label": chosen_elsewhere,
    "old cart": held,
    "item": lambda: Order().to_shopping(),
    "option": offered,
    "put back": lost,
    "review": lambda: Order().to_review(),
    "payment": lambda: Order().to_payment(),
}


def question(order: Order, lang: str) -> Reply:
    return questions.open_question(Turn(order.standing_in(lang), order.now, order.mode.options, ("Hermes",)))


@pytest.mark.promise("P213")
@pytest.mark.parametrize("lang", wording.LANGUAGES)
@pytest.mark.parametrize("at", OPEN)
def test_every_choice_of_an_open_question_does_something_when_it_is_tapped(at: str, lang: str) -> None:
    asked = question(OPEN[at](), lang)
    assert asked.lang == lang
    assert asked.choices
    for choice in asked.choices:
        order = OPEN[at]()
        step = order.say(choice.say, source="tap", in_reply_to=order.replies)
        assert step.said not in MISUNDERSTOOD, f"{at}: {choice.say}"
        assert order.standing.lang == "en", "a tap speaks in our words"


@pytest.mark.promise("P213")
def test_a_choice_is_labelled_in_the_language_of_its_reply() -> None:
    order = Order(preferred_address_label="Home").to_address()
    assert [choice.say for choice in question(order, "en").choices] == ["yes", "no", "change address"]
    assert [choice.say for choice in question(order, "hi").choices] == ["हाँ", "नहीं", "पता बदलो"]
