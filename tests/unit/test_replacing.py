"""One thing in the place of another: what is there goes with the choice of what comes, and stays where nothing is chosen."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.hearing import Reading, Said, Waiting, Wanted
from tests.support.ordering import Order, cart, line, variant

CURD = [variant("curd-1", "Amul Masti Curd"), variant("curd-2", "Nandini Curd", brand="Nandini")]
MILK, BREAD = line("milk-1", 2, name="Amul Milk"), line("bread-1", 1, name="Brown Bread")
HELD = cart(MILK, BREAD)


def read(said: str, waiting: Waiting = Waiting.NOTHING) -> Reading:
    return hearing.read(said, names=("Hermes",), waiting=waiting)


def replaces(query: str, item: Wanted, *, number: int | None = None, line: int | None = None) -> Reading:
    return Reading(Said.REPLACE, items=(item,), query=query, number=number, line=line)


@pytest.mark.promise("P115", "P210")
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.PICK, Waiting.REVIEW])
@pytest.mark.parametrize(
    ("said", "reading"),
    [
        *(
            (said, replaces("milk", Wanted("curd")))
            for said in (
                *("replace milk with curd", "change the milk to curd", "swap the milk for curd", "substitute curd for milk"),
                *("substitute milk with curd", "curd instead of milk", "get me curd instead of the milk"),
                *("instead of milk, curd", "instead of milk add curd", "exchange the milk for curd"),
                "give me curd in place of milk please",
                *("doodh ki jagah dahi", "doodh ki jagah dahi daal do", "doodh ke badle dahi chahiye"),
                *("doodh hata ke dahi daal do", "doodh ko dahi se badal do", "doodh ko dahi se replace kar do"),
                "mujhe doodh ke bajaye dahi dijiye",
                *("दूध की जगह दही", "दूध की जगह दही डाल दो", "दूध को दही से बदल दो", "दूध के बदले दही दे दो", "दूध हटा कर दही डाल दो"),
            )
        ),
        ("switch the paneer to tofu", replaces("paneer", Wanted("tofu"))),
        ("pyaaz ki jagah aadha kilo tamatar", replaces("onion", Wanted("tomato", None, Fraction(1, 2), "kg"))),
        ("change the milk to two breads", replaces("milk", Wanted("breads", 2))),
        ("replace all the milk with curd", replaces("milk", Wanted("curd"))),
        ("replace one milk with curd", replaces("milk", Wanted("curd"), number=1)),
        ("replace item two with eggs", replaces("", Wanted("eggs"), line=2)),
        ("change it to curd", replaces("", Wanted("curd"))),
        ("isko bread se badal do", replaces("", Wanted("bread"))),
        ("no, change it to curd", replaces("", Wanted("curd"))),
    ],
)  # fmt: skip
def test_what_goes_and_what_comes_are_told_apart_in_three_writings(said: str, reading: Reading, waiting: Waiting) -> None:
    assert read(said, waiting) == reading


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        *("change the milk to three", "doodh ko do kar do", "change the address to office", "change the music to jazz"),
        *("replace milk", "doodh ki jagah", "switch to english", "change milk to curd and bread", "change the alarm to seven"),
        *("replace the battery with a new one", "swap", "change delivery to tomorrow", "instead of that"),
    ],
)
def test_counts_other_business_and_half_sentences_replace_nothing(said: str) -> None:
    assert read(said).said is not Said.REPLACE


def replacing(said: str, *, order: Order | None = None) -> Order:
    order = order or Order().to_shopping(held=HELD)
    order.say(said)
    return order


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("replace milk with curd", {"curd-1": 1, "bread-1": 1}),
        ("doodh ki jagah do dahi", {"curd-1": 2, "bread-1": 1}),
        ("दूध की जगह दही", {"curd-1": 1, "bread-1": 1}),
        ("replace one milk with curd", {"milk-1": 1, "curd-1": 1, "bread-1": 1}),
        ("replace item two with curd", {"milk-1": 2, "curd-1": 1}),
    ],
)
def test_what_is_there_goes_with_the_choice_in_one_write(said: str, counts: dict[str, int]) -> None:
    order = replacing(said)
    assert order.calls[-1] == "search"
    order.find(curd=CURD)
    assert "write" not in order.calls
    order.say("the first one")
    order.settle({"cart": HELD})
    assert order.pending is not None
    assert {row["spin"]: row["quantity"] for row in order.pending.payload["after"]} == counts
    assert order.calls.count("write") == 1


@pytest.mark.promise("P115", "P118")
def test_where_nothing_is_found_it_stays_and_that_is_said() -> None:
    order = replacing("replace milk with curd")
    order.find()
    assert order.sentence("line_stays", title="Amul Milk 500 ml") in order.words
    assert (order.pending, order.calls.count("write")) == (None, 0)


@pytest.mark.promise("P115")
def test_where_nothing_is_chosen_it_stays_and_that_is_said() -> None:
    order = replacing("replace milk with curd")
    order.find(curd=CURD)
    order.say("skip")
    assert order.sentence("line_stays", title="Amul Milk 500 ml") in order.words
    assert (order.pending, order.calls.count("write")) == (None, 0)


@pytest.mark.promise("P115")
def test_what_was_counted_anew_meanwhile_is_not_taken_out() -> None:
    order = replacing("replace milk with curd")
    order.find(curd=CURD)
    order.say("the first one")
    order.settle({"cart": cart({**MILK, "quantity": 3}, BREAD)})
    assert (order.pending, order.calls.count("write")) == (None, 0)
    assert order.words.startswith(order.sentence("replaced_nothing"))
    assert order.sentence("line_stays", title="Amul Milk 500 ml") in order.words
    assert order.standing.state["offers"] == []
    replacing("replace milk with curd", order=order).find(curd=CURD)  # of the cart as it is now
    assert taken(order, cart({**MILK, "quantity": 3}, BREAD)) == {"curd-1": 1, "bread-1": 1}


def taken(order: Order, held: dict[str, Any] = HELD) -> dict[str, int]:
    """What the cart is asked to hold once the first option is taken."""
    order.say("the first one")
    order.settle({"cart": held})
    assert order.pending is not None
    return {row["spin"]: row["quantity"] for row in order.pending.payload["after"]}


@pytest.mark.promise("P115")
def test_what_is_gone_meanwhile_is_not_said_to_stay() -> None:
    order = replacing("replace milk with curd")
    order.find(curd=CURD)
    order.say("remove the milk")
    order.settle({"cart": HELD})
    order.settle({"cart": cart(BREAD), "report": {}})
    order.say("skip")
    assert order.sentence("line_stays", title="Amul Milk 500 ml") not in order.words


EGGS = [variant("egg-1", "Farm Eggs"), variant("egg-2", "White Eggs")]


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said", ["replace curd with eggs", "eggs instead of curd", "replace it with eggs", "dahi ki jagah eggs"]
)
def test_another_thing_in_the_place_of_what_comes_still_replaces_what_goes(said: str) -> None:
    order = replacing("replace milk with curd")
    order.find(curd=CURD)
    replacing(said, order=order).find(eggs=EGGS)
    assert order.sentence("line_stays", title="Amul Milk 500 ml") not in order.words
    assert taken(order) == {"egg-1": 1, "bread-1": 1}


@pytest.mark.promise("P115")
def test_where_the_other_thing_is_not_found_what_comes_can_still_be_chosen() -> None:
    order = replacing("replace milk with curd")
    order.find(curd=CURD)
    replacing("replace curd with eggs", order=order).find()
    assert order.sentence("line_stays", title="Amul Milk 500 ml") not in order.words
    assert taken(order) == {"curd-1": 1, "bread-1": 1}


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["replace bread with eggs", "add eggs"])
def test_a_replacement_that_is_put_off_is_told_and_comes_back(said: str) -> None:
    order = replacing("replace milk with curd")
    order.find(curd=CURD)
    replacing(said, order=order).find(eggs=EGGS)
    assert order.words.startswith(order.sentence("later", query="curd"))
    assert "milk-1" in taken(order)
    order.settle({"cart": HELD, "report": {}, "overtaken": False})
    assert "milk-1" not in taken(order)


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["replace milk with curd", "add paneer"])
def test_a_wish_that_is_put_off_for_a_replacement_is_told(said: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say("eggs")
    order.find(eggs=EGGS)
    replacing(said, order=order).find(curd=CURD, paneer=CURD)
    assert order.sentence("later", query="eggs") in order.words


@pytest.mark.promise("P115")
def test_what_comes_said_more_exactly_still_replaces_what_goes() -> None:
    order = replacing("replace milk with curd")
    order.find(curd=CURD)
    replacing("add amul curd", order=order).find(**{"amul curd": CURD[:1]})
    assert order.words.startswith("For amul curd I found")
    assert taken(order) == {"curd-1": 1, "bread-1": 1}


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["replace the paneer with curd", "paneer ki jagah dahi", "replace three milk with curd"])
def test_what_is_not_there_is_not_replaced(said: str) -> None:
    assert read(said).said is Said.REPLACE
    order = replacing(said)
    assert (order.pending, order.phase) == (None, "shopping")
    assert order.words.startswith(
        order.sentence("unfit.not_so_many" if "three" in said else "unfit.no_such_line", names="Amul Milk 500 ml")
    )


@pytest.mark.promise("P115")
def test_a_name_that_fits_two_lines_is_asked_about() -> None:
    order = replacing("milk ki jagah curd", order=Order().to_shopping(held=cart(MILK, line("milk-2", 1, name="Nandini Milk"))))
    assert "Nandini" in order.words
    assert order.pending is None


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["curd instead of eggs", "change it to curd", "eggs ki jagah dahi"])
def test_what_is_being_chosen_gives_way_to_another_wish(said: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say("eggs")
    order.find(eggs=[variant("egg-1", "Farm Eggs")])
    replacing(said, order=order).find(curd=CURD)
    assert [found["query"] for found in order.standing.state["offers"]] == ["curd"]
    order.say("the first one")
    order.settle({"cart": HELD})
    assert order.pending is not None
    assert {row["spin"]: row["quantity"] for row in order.pending.payload["after"]} == {"milk-1": 2, "bread-1": 1, "curd-1": 1}


@pytest.mark.promise("P103")
@pytest.mark.parametrize("said", ["ghar ki jagah office bhejo", "office instead of home", "घर की जगह ऑफिस"])
def test_one_address_in_the_place_of_another_is_proposed(said: str) -> None:
    order = replacing(said)
    assert (order.phase, order.pending) == ("confirm_address", None)
    assert order.standing.state["address"]["label"] == "Office"


# ---- the one, and not the other -----------------------------------------------------------------------------------------

NOT_MILK = (
    *(
        "not milk, curd",
        "not milk but curd",
        "no, not milk, curd",
        "curd, not milk",
        "I want curd not milk",
        "add curd, not milk",
    ),
    *("doodh nahi, dahi chahiye", "doodh nahi dahi", "milk nahi curd", "doodh nahin balki dahi do", "nahi, doodh nahi, dahi"),
    *("mujhe doodh nahi dahi chahiye", "dahi chahiye, doodh nahi", "arre doodh nahi dahi daal do"),
    *("दूध नहीं, दही चाहिए", "दूध नहीं दही", "दूध नही, दही डाल दो", "दही चाहिए, दूध नहीं"),
)


@pytest.mark.promise("P115", "P210")
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.COUNT, Waiting.REVIEW])
@pytest.mark.parametrize("said", NOT_MILK)
def test_the_one_and_not_the_other_replaces_by_name(said: str, waiting: Waiting) -> None:
    assert read(said, waiting) == Reading(Said.REPLACE, items=(Wanted("curd"),), query="milk", if_there=True)


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", NOT_MILK)
def test_what_is_denied_goes_only_with_the_choice_of_the_other(said: str) -> None:
    order = replacing(said)
    assert order.calls[-1] == "search"
    order.find(curd=CURD)
    assert "write" not in order.calls
    assert taken(order) == {"curd-1": 1, "bread-1": 1}


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["not eggs, curd", "ande nahi, dahi chahiye", "अंडे नहीं, दही चाहिए"])
def test_where_what_is_denied_is_not_there_the_other_is_a_wish(said: str) -> None:
    order = replacing(said)
    order.find(curd=CURD)
    assert taken(order) == {"milk-1": 2, "bread-1": 1, "curd-1": 1}


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["not milk, curd", "doodh nahi dahi"])
def test_where_what_is_denied_fits_two_lines_it_is_asked_about(said: str) -> None:
    order = replacing(said, order=Order().to_shopping(held=cart(MILK, line("milk-2", 1, name="Nandini Milk"))))
    assert "Nandini" in order.words
    assert order.pending is None


@pytest.mark.promise("P112")
@pytest.mark.parametrize(
    ("said", "pending"), [("not eggs, curd", "search"), ("ande nahi dahi", "search"), ("not farm, white", "cart")]
)
def test_among_options_it_is_another_wish_or_the_option_that_fits(said: str, pending: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say("eggs")
    order.find(eggs=EGGS)
    order.say(said)
    assert order.pending is not None
    assert order.pending.name == pending


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["milk nahi paneer", "not milk, paneer"])
def test_among_options_for_something_else_a_denial_is_asked_back(said: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say("eggs")
    order.find(eggs=EGGS)
    offers = order.standing.state["offers"]
    order.say(said)
    assert (order.pending, order.standing.state["offers"]) == (None, offers)


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        *("not milk", "doodh nahi", "doodh nahi hai", "doodh nahi mila", "doodh nahi aaya", "not now", "not you, mummy"),
        *("the milk is not boiled", "doodh nahi to dahi", "is it not milk, curd", "why not milk, curd", "not only milk, curd"),
        *("mujhe pata nahi", "koi baat nahi", "aaj nahi kal", "not today, tomorrow", "doodh nahi bheja", "दूध नहीं मिला"),
    ],
)
def test_what_only_denies_replaces_nothing(said: str) -> None:
    assert read(said).said not in {Said.REPLACE, Said.WANTED, Said.REMOVE}


@pytest.mark.promise("P113")
@pytest.mark.parametrize("said", ["not two milk, three milk", "do doodh nahi, teen doodh", "दो दूध नहीं, तीन दूध"])
def test_another_number_of_the_same_counts_it_anew(said: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say(said)
    order.settle({"cart": HELD})
    assert order.pending is not None
    assert {row["spin"]: row["quantity"] for row in order.pending.payload["after"]} == {"milk-1": 3, "bread-1": 1}
