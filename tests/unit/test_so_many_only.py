"""So many and no more: the count of what the cart holds, a wish for what it does not, and a question where it may be either."""

from __future__ import annotations

from typing import Any

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.hearing import Reading, Said, Waiting, Wanted
from tests.support.ordering import MILK, Order, cart, line

HELD = cart(line("milk-1", 3, name="Amul Milk"), line("bread-1", 1, name="Brown Bread"))
ONE_MILK = (
    *("only one milk", "just one milk", "one milk only", "I want only one milk", "I only need one milk", "keep only one milk"),
    *(
        "keep one milk",
        "keep just one packet of milk",
        "milk, only one",
        "one milk is enough",
        "only one packet of milk please",
    ),
    *(
        "sirf ek doodh",
        "doodh ek hi rakho",
        "ek hi doodh chahiye",
        "sirf ek doodh rakhna",
        "doodh sirf ek kar do",
        "bas ek doodh",
    ),
    *("mujhe sirf ek hi doodh chahiye", "ek doodh kaafi hai", "sirf ek doodh rehne do", "doodh ek hi rehne do"),
    *("सिर्फ एक दूध", "दूध एक ही रखो", "एक ही दूध चाहिए", "दूध सिर्फ एक रखना", "एक दूध काफी है"),
)


def read(said: str, waiting: Waiting = Waiting.NOTHING) -> Reading:
    return hearing.read(said, names=("Hermes",), waiting=waiting)


def after(order: Order, said: str, held: dict[str, Any] = HELD) -> dict[str, int]:
    order.say(said)
    order.settle({"cart": held})
    assert order.pending is not None
    assert order.pending.name == "write"
    return {row["spin"]: row["quantity"] for row in order.pending.payload["after"]}


@pytest.mark.promise("P113", "P115", "P210")
@pytest.mark.parametrize("said", ONE_MILK)
def test_of_what_is_there_it_is_the_count(said: str) -> None:
    assert after(Order().to_shopping(held=HELD), said) == {"milk-1": 1, "bread-1": 1}


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said", ["only one milk, remove the bread", "doodh ek hi rakho aur bread hata do", "दूध एक ही रखो और ब्रेड हटा दो"]
)
def test_in_one_breath_with_another_edit_it_is_the_count_too(said: str) -> None:
    assert after(Order().to_shopping(held=HELD), said) == {"milk-1": 1}


@pytest.mark.parametrize("said", ["ek hi packet", "only one packet", "एक ही पैकेट"])
def test_without_a_name_it_is_the_count_of_what_was_put_in(said: str) -> None:
    assert read(said) == Reading(Said.QUANTITY, number=1)


@pytest.mark.promise("P116")
@pytest.mark.parametrize("said", ["add only two milk", "add just two milk"])
def test_only_is_no_part_of_a_name(said: str) -> None:
    assert read(said) == Reading(Said.WANTED, items=(Wanted("milk", 2),))


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["only two eggs", "sirf do ande", "सिर्फ दो अंडे", "do hi ande chahiye"])
def test_of_anything_else_it_is_a_wish(said: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say(said)
    assert order.pending is not None
    assert [(item["query"], item["count"]) for item in order.pending.payload["items"]] == [("eggs", 2)]


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["keep one paneer", "sirf ek paneer rehne do"])
def test_what_shall_stay_and_is_not_there_is_told(said: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say(said)
    order.settle({"cart": HELD})
    assert order.pending is None
    assert order.words.startswith(order.sentence("unfit.no_such_line", names=""))


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["add only one milk", "sirf ek doodh daal do", "just add one milk", "bas ek doodh add karo"])
def test_a_verb_that_puts_in_sets_no_count(said: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say(said)
    assert "cart" not in order.calls[2:]
    assert order.pending is None or order.pending.name == "search"


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        *("ek doodh rehne do", "do doodh rehne dijiye", "एक दूध रहने दो", "ek packet doodh rehne dena"),
        *("isko rehne do", "usko rehne do", "इसको रहने दो"),
    ],
)
def test_what_may_stay_or_go_is_asked_back(said: str) -> None:
    assert read(said) == Reading(Said.NOTHING)


@pytest.mark.promise("P115", "P210")
@pytest.mark.parametrize(
    "said", ["doodh rehne do", "doodh ko rehne do", "abhi doodh rehne do", "दूध रहने दो", "doodh rehne dijiye"]
)
def test_a_thing_let_be_is_left_out(said: str) -> None:
    assert read(said) == Reading(Said.REMOVE, query="milk")


@pytest.mark.promise("P112")
@pytest.mark.parametrize("said", ["doodh rehne do", "remove the milk", "isko rehne do", "दूध रहने दो"])
def test_what_is_being_chosen_and_is_in_no_cart_is_passed_over(said: str) -> None:
    order = Order().to_shopping(held=cart(line("bread-1", 1, name="Brown Bread")))
    order.say("milk")
    order.find()
    order.say(said)
    assert (order.pending, order.standing.state["offers"]) == (None, [])


@pytest.mark.promise("P113")
def test_among_options_so_many_are_taken_of_the_one_to_be_chosen() -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    order.say("only two milk")
    assert (order.pending, order.standing.state["offers"][0]["count"]) == (None, 2)


@pytest.mark.promise("P115")
def test_among_options_of_what_the_cart_holds_too_it_is_asked_back() -> None:
    order = Order().to_shopping(held=HELD)
    order.say("milk")
    order.find(milk=MILK)
    offers = order.standing.state["offers"]
    order.say("only two milk")
    assert (order.pending, order.standing.state["offers"]) == (None, offers)


@pytest.mark.promise("P115")
def test_where_a_name_fits_two_lines_it_is_asked_which() -> None:
    held = cart(line("milk-1", 3, name="Amul Milk"), line("milk-2", 2, name="Nandini Milk"))
    order = Order().to_shopping(held=held)
    order.say("only one milk")
    order.settle({"cart": held})
    assert order.pending is None
    assert "Nandini" in order.words


@pytest.mark.parametrize("said", ["only one more milk", "milk only one more", "sirf ek aur doodh", "bas ek aur doodh chahiye"])
def test_only_one_more_is_one_more(said: str) -> None:
    assert read(said) == Reading(Said.MORE, number=1, query="milk")
