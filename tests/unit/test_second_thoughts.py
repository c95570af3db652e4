"""What was refused stays refused, what may be our own voice changes nothing, and what was said is done whole or asked again."""

from __future__ import annotations

import pytest

from tests.support.ordering import BREAD, MILK, Order, cart, line


def proposed() -> Order:
    order = Order().to_shopping()
    order.say("same as last time")
    order.settle({"lines": [line("milk-1", 2)]})
    return order


@pytest.mark.promise("P210")
@pytest.mark.parametrize("no", ["no", "no thanks", "not now", "skip", "leave it", "nahi chahiye"])
def test_what_was_refused_is_not_put_in_by_the_next_okay(no: str) -> None:
    order = proposed()
    order.say(no)
    calls = len(order.calls)
    order.say("okay")
    assert len(order.calls) == calls


@pytest.mark.promise("P253", "P260")
@pytest.mark.parametrize("said", ["option 1", "any", "the other one", "remove the milk", "clear cart", "undo", "make it three"])
def test_words_that_may_be_our_own_voice_change_no_cart(said: str) -> None:
    order = Order().to_shopping(held=cart(line("milk-1")))
    order.say("bread")
    order.find(bread=BREAD)
    calls = len(order.calls)
    order.say(said, doubtful=True)
    assert len(order.calls) == calls


@pytest.mark.promise("P253")
@pytest.mark.parametrize("said", ["the other one", "any", "either is fine", "chalega"])
def test_no_option_is_taken_that_had_not_been_heard(said: str) -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find(milk=MILK)
    heard = order.replies
    order.say("add bread")
    order.find(bread=BREAD)
    calls = len(order.calls)
    order.say(said, listened=False, heard_upto=heard)
    assert len(order.calls) == calls


@pytest.mark.promise("P210")
def test_undo_takes_nothing_out_that_somebody_else_put_in() -> None:
    order = Order().to_shopping(held=cart(line("milk-1")))
    theirs = cart(line("milk-1"), line("bread-1", name="Modern Bread"), line("chips-1", 2, name="Chips"))
    order.add("bread", "option 1", before=cart(line("milk-1")), now=theirs)
    order.say("undo")
    order.settle({"cart": theirs})
    assert order.pending is not None
    assert {row["spin"] for row in order.pending.payload["after"]} == {"milk-1", "chips-1"}


@pytest.mark.promise("P210")
@pytest.mark.parametrize("said", ["remove the milk and make it two", "make it two and remove the milk"])
def test_of_several_commands_none_is_dropped_without_a_word(said: str) -> None:
    order = Order().to_shopping(held=cart(line("milk-1")))
    order.say("bread")
    order.find(bread=BREAD)
    before = order.standing.state["offers"]
    order.say(said)
    assert order.standing.state["offers"] == before
    assert order.words


MILK_AND_BREAD = (line("milk-1", 2, name="Amul Milk"), line("bread-1", 3, name="Brown Bread"))


@pytest.mark.promise("P210", "P212")
@pytest.mark.parametrize(
    "said",
    [
        *("one more milk and remove it", "one more milk, remove that", "remove one milk and remove it"),
        *("make the milk three and remove it", "remove one milk, make it one", "one more milk and make it two"),
        *("set milk to five and make it three", "remove the milk and make it two", "add one more milk and reduce it by one"),
        *("remove item one and make it two", "add curd, remove the milk and make it two", "one more milk and one less"),
        *("doodh ek kam karo aur ek kar do", "ek doodh hata do aur do kar do", "milk 3 kar do aur ek kam kar do"),
        *("ek doodh aur badha do aur usko hata do", "doodh hata do aur do kar do"),
        *("दूध तीन कर दो और एक कम कर दो", "एक दूध बढ़ा दो और उसे हटा दो", "एक दूध कम करो और दो कर दो"),
    ],
)
def test_it_is_no_other_line_than_the_one_named_in_the_same_breath(said: str) -> None:
    held = cart(*MILK_AND_BREAD)
    order = Order().to_shopping(held=held)
    order.say("bread teen kar do")
    order.settle({"cart": held})
    order.say(said)
    assert (order.phase, order.pending) == ("shopping", None)
    assert order.words
