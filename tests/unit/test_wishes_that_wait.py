"""What is said to the first questions: an answer in any of its words, and wishes beside it, which wait for it."""

from __future__ import annotations

import pytest

from interactions.contracts import Failed
from tests.support.ordering import Order, cart, line


def searched(order: Order) -> list[tuple[str, int | None]]:
    """What is being looked for now."""
    assert order.pending is not None
    assert order.pending.name == "search", order.pending
    return [(item["query"], item["count"]) for item in order.pending.payload["items"]]


# ---- the answer ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P101", "P210")
@pytest.mark.parametrize(
    "said",
    [
        *(
            "yes home is fine",
            "home is fine",
            "home please",
            "home",
            "yes, to home",
            "the home one",
            "yes please deliver to home",
        ),
        *("haan ghar pe", "ghar wala", "haan ghar pe bhejo", "ghar hi theek hai", "haan ghar pe bhej do", "ghar sahi hai"),
        *("घर वाला", "हाँ घर पे", "हाँ घर ठीक है", "घर पर भेज दो"),
    ],
)
def test_naming_the_address_that_was_proposed_agrees_to_it(said: str) -> None:
    order = Order().to_address()
    order.say(said)
    assert order.calls == ["addresses", "cart"]
    assert order.standing.state["address"]["label"] == "Home"


@pytest.mark.promise("P100", "P101")
@pytest.mark.parametrize(
    ("said", "label"),
    [("the office one", "Office"), ("office is fine", "Office"), ("office wala", "Office"), ("home 2", "Home 2")],
)
def test_naming_another_address_proposes_that_one_and_reads_no_cart(said: str, label: str) -> None:
    order = Order().to_address()
    order.say(said)
    assert order.words.count(label) == 1
    assert order.standing.state["address"]["label"] == label
    assert order.calls == ["addresses"]


@pytest.mark.promise("P101", "P102")
@pytest.mark.parametrize(
    "said", ["is home fine", "home or office", "home is wrong", "maybe home", "which home", "home is not fine", "kya ghar pe"]
)
def test_what_asks_doubts_or_denies_the_proposed_address_agrees_to_nothing(said: str) -> None:
    order = Order().to_address()
    order.say(said)
    assert order.calls == ["addresses"]


@pytest.mark.promise("P101", "P253")
@pytest.mark.parametrize("how", ["not delivered", "after a remark", "perhaps our own voice"])
def test_a_label_agrees_only_where_a_yes_would(how: str) -> None:
    order = Order().to_address()
    if how == "after a remark":
        order.silence(2)
    order.say("home", **({"heard_upto": 0} if how == "not delivered" else {}), doubtful=how == "perhaps our own voice")
    assert order.calls == ["addresses"]
    assert order.words == "Use Home for delivery?"
    order.say("home")
    assert order.calls == ["addresses", "cart"]


# ---- wishes that wait ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P101", "P107")
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("deliver home, and add milk", [("milk", None)]),
        ("yes, add milk", [("milk", None)]),
        ("yes and two milk", [("milk", 2)]),
        ("yes add two milk and a bread", [("milk", 2), ("bread", 1)]),
        ("home, two milk, bread", [("milk", 2), ("bread", None)]),
        ("add two milk and deliver to home", [("milk", 2)]),
        ("haan ghar pe, do doodh daal do", [("milk", 2)]),
        ("haan do doodh daal do", [("milk", 2)]),
        ("हाँ घर पे, दो दूध डाल दो", [("milk", 2)]),
    ],
)
def test_wishes_beside_the_yes_are_looked_for_after_it(said: str, wanted: list[tuple[str, int | None]]) -> None:
    order = Order().to_address()
    order.say(said)
    assert order.calls == ["addresses", "cart"]
    order.settle({"cart": cart()})
    assert searched(order) == wanted
    assert not order.standing.state["waiting"]


@pytest.mark.promise("P100", "P107")
@pytest.mark.parametrize("said", ["no, office, and add milk", "office and two milk", "add milk and deliver to office"])
def test_wishes_beside_the_name_of_another_address_wait_for_its_yes(said: str) -> None:
    order = Order().to_address()
    order.say(said)
    assert order.words == "Use Office for delivery?"
    assert order.calls == ["addresses"]
    order.say("yes")
    order.settle({"cart": cart()})
    assert [query for query, _ in searched(order)] == ["milk"]


@pytest.mark.promise("P101", "P107")
def test_wishes_before_the_yes_are_kept_and_said_to_be_and_come_after_those_of_the_opening() -> None:
    order = Order().to_address("eggs")
    order.say("two milk")
    assert order.words == "I keep milk for after that. Use Home for delivery?"
    order.say("I need bread")
    order.say("add three milk")
    assert order.calls == ["addresses"]
    order.say("no")
    order.say("paneer")
    assert order.words.startswith("I keep paneer for after that. Which saved address should I use")
    order.say("home")
    order.say("yes")
    order.settle({"cart": cart()})
    assert searched(order) == [("eggs", None), ("bread", None), ("milk", 3), ("paneer", None)]


@pytest.mark.promise("P105", "P107")
@pytest.mark.parametrize("said", ["keep cart", "keep it and add bread", "clear cart"])
def test_wishes_wait_for_the_decision_about_the_old_cart_too(said: str) -> None:
    order = Order().to_address()
    order.say("yes, add milk")
    order.settle({"cart": cart(line("butter", name="Butter"))})
    assert order.phase == "existing_cart_decision"
    order.say("two eggs")
    assert order.words.startswith("I keep eggs for after that. Say keep cart")
    order.say(said)
    if said == "clear cart":
        order.settle({"cart": cart()})
    assert [query for query, _ in searched(order)] == ["milk", "eggs", *(["bread"] if "bread" in said else [])]


@pytest.mark.promise("P105")
@pytest.mark.parametrize("said", ["keep two milk", "keep the milk", "only one milk", "clear the milk", "remove the butter"])
def test_what_may_be_about_the_old_cart_is_no_wish(said: str) -> None:
    order = Order().to_address()
    order.say("yes")
    order.settle({"cart": cart(line("butter", name="Butter"))})
    order.say(said)
    assert order.phase == "existing_cart_decision"
    assert not order.standing.state.get("waiting")


@pytest.mark.promise("P107", "P116")
def test_more_wishes_than_one_search_takes_are_refused_and_those_before_them_stay() -> None:
    order = Order().to_address("milk, bread, eggs and curd")
    order.say("add paneer")
    order.say("add butter")
    assert "more than 5 items at once" in order.words
    assert order.words.endswith("Use Home for delivery?")
    order.say("yes")
    order.settle({"cart": cart()})
    assert [query for query, _ in searched(order)] == ["milk", "bread", "eggs", "curd", "paneer"]


@pytest.mark.promise("P107")
def test_a_cart_that_cannot_be_read_loses_no_wish() -> None:
    order = Order().to_address()
    order.say("yes, add milk")
    order.settle(Failed("timeout"))
    order.say("yes")
    order.settle({"cart": cart()})
    assert searched(order) == [("milk", None)]


@pytest.mark.promise("P107", "P126")
def test_wishes_beside_a_change_of_address_in_mid_order_come_after_the_basket_was_put_together_again() -> None:
    order = Order().to_shopping(held=cart(line("milk-1")))
    order.say("change address")
    order.say("office")
    order.say("yes, and add bread")
    order.settle({"cart": cart(line("milk-1"))})
    assert order.calls[-1] == "rebuild"
    order.settle({"lines": [line("milk-9")], "missing": [], "unchecked": []})
    order.settle({"cart": cart(line("milk-1"))})
    order.settle({"cart": cart(line("milk-9"), address="a3"), "report": {}, "overtaken": False})
    assert searched(order) == [("bread", None)]


@pytest.mark.promise("P101", "P102")
@pytest.mark.parametrize(
    "said", ["yes, my sister's place", "home delivery", "home made", "yes the flat", "deepa's house", "two"]
)
def test_words_that_may_be_an_address_are_no_wish(said: str) -> None:
    order = Order().to_address()
    order.say(said)
    assert not order.standing.state.get("waiting")
