"""Two names with an "and" between them: the search tells whether they are one product or two, else it is asked."""

from __future__ import annotations

from typing import Any

import pytest

from swiggy_instamart import joining
from tests.support.ordering import Order, cart, line, variant

CHIPS, DIP = variant("chips-1", "Potato Chips", brand="Lays"), variant("dip-1", "Cheese Dip", brand="Veeba")
COMBO = variant("combo-1", "Nacho Chips & Dip Pack", brand="Doritos")
FUZZY = variant("soda-1", "Club Soda", brand="Schweppes")


def searching(said: str, **shelf: list[dict[str, Any]]) -> Order:
    order = Order().to_shopping(held=cart(line("milk-1", 1)))
    order.say(said)
    assert order.pending is not None
    assert len(order.pending.payload["items"]) == 3
    order.find(**{name.replace("_", " "): rows for name, rows in shelf.items()})
    return order


def offered(order: Order) -> list[tuple[str, list[str]]]:
    return [(found["query"], [row["spin"] for row in found["variants"]]) for found in order.standing.state["offers"]]


@pytest.mark.promise("P116", "P117")
@pytest.mark.case("A18")
@pytest.mark.parametrize(
    ("shelf", "offers"),
    [
        pytest.param(
            {"chips_and_dip": [CHIPS, COMBO], "chips": [CHIPS], "dip": [DIP]}, [("chips and dip", ["combo-1"])], id="one"
        ),
        pytest.param(
            {"chips_and_dip": [CHIPS], "chips": [CHIPS], "dip": [DIP]}, [("chips", ["chips-1"]), ("dip", ["dip-1"])], id="two"
        ),
        pytest.param({"chips": [CHIPS], "dip": [DIP]}, [("chips", ["chips-1"]), ("dip", ["dip-1"])], id="no-whole"),
        pytest.param({"chips_and_dip": [CHIPS], "chips": [CHIPS]}, [("chips", ["chips-1"])], id="one-part"),
    ],
)
@pytest.mark.parametrize("said", ["chips and dip", "add chips and dip", "chips aur dip", "चिप्स और dip"])
def test_the_search_of_the_whole_and_its_parts_settles_what_was_meant(
    said: str, shelf: dict[str, Any], offers: list[tuple[str, list[str]]]
) -> None:
    order = searching(said, **shelf)
    assert offered(order) == offers
    assert "write" not in order.calls


@pytest.mark.promise("P118")
def test_a_part_that_was_not_found_is_named() -> None:
    order = searching("chips and dip", chips=[CHIPS])
    assert order.sentence("not_found", queries="dip") in order.words


@pytest.mark.promise("P118")
def test_where_nothing_is_found_the_whole_is_named() -> None:
    order = searching("chips and dip")
    assert order.sentence("not_found", queries="chips and dip") in order.words


@pytest.mark.case("A18")
@pytest.mark.promise("P116")
@pytest.mark.parametrize(
    ("answer", "queries"),
    [
        *((answer, ["chips and dip"]) for answer in ("one", "it's one thing", "ek hi cheez", "एक ही", "1")),
        *((answer, ["chips", "dip"]) for answer in ("two", "both", "separate", "dono", "do alag", "दोनों अलग")),
    ],
)
def test_where_the_search_leaves_it_open_it_is_asked_and_the_answer_changes_no_cart(answer: str, queries: list[str]) -> None:
    order = searching("chips and dip", chips_and_dip=[FUZZY], chips=[CHIPS], dip=[FUZZY])
    assert order.words == order.sentence("one_or_two", query="chips and dip")
    assert order.standing.state["offers"] == []
    order.say(answer)
    assert [query for query, _ in offered(order)] == queries
    assert order.calls == ["addresses", "cart", "search"]


def test_an_answer_to_something_else_leaves_the_question_behind() -> None:
    order = searching("chips and dip", chips_and_dip=[FUZZY], chips=[CHIPS], dip=[FUZZY])
    order.say("two milk")
    assert order.pending is not None
    assert [item["query"] for item in order.pending.payload["items"]] == ["milk"]
    assert not order.standing.state["unsettled"]


@pytest.mark.promise("P117")
@pytest.mark.parametrize(
    ("said", "queries"),
    [("add chips and dip", ["chips", "dip", "milk", "bread"]), ("and add chips and dip", ["milk", "bread", "chips", "dip"])],
)
def test_what_is_still_to_be_chosen_is_not_lost_to_the_question(said: str, queries: list[str]) -> None:
    order = Order().to_shopping()
    order.say("milk and bread")
    order.find()
    order.say(said)
    order.find(**{"chips and dip": [FUZZY], "chips": [CHIPS], "dip": [FUZZY]})
    assert [query for query, _ in offered(order)] == queries


@pytest.mark.parametrize(
    ("title", "fits"),
    [
        *((title, True) for title in ("Chips & Dip", "Chip n Dips", "Lays Chips with Dip Combo")),
        *((title, False) for title in ("Dip Chips", "Chips", "Chips Salted Dip", "Cheese Dip")),
    ],
)
def test_a_title_has_both_names_in_their_order(title: str, fits: bool) -> None:
    whole = {"query": "chips and dip", "parts": ["chips", "dip"], "variants": [variant("x", title, brand="")], "error": ""}
    rows, _ = joining.settled([whole])
    assert bool(rows and rows[0]["variants"]) is fits
