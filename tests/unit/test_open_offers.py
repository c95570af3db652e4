"""What a person asked for is chosen, refused, named again, or spoken of: no open offer is lost in silence."""

from __future__ import annotations

import pytest

from swiggy_instamart import queued
from tests.support.ordering import BREAD, MILK, Order, cart, line, variant

ONIONS = [variant("onion-1", "Onion", size="500 g"), variant("onion-2", "Onion", size="1 kg")]
TOMATOES = [variant("tomato-1", "Tomato Hybrid", size="500 g"), variant("tomato-2", "Tomato Local", size="500 g")]
CURD = [variant("curd-1", "Set Curd"), variant("curd-2", "Thick Curd", brand="Milky Mist")]
SHELF = {"onions": ONIONS, "red onions": ONIONS, "tomatoes": TOMATOES, "tomato": TOMATOES, "curd": CURD, "chips": [], "dip": []}
HELD = cart(line("ghee-1", name="Cow Ghee"))


def wished(*said: str, order: Order | None = None) -> Order:
    """Each of these was said, and what it is was found."""
    order = order or Order().to_shopping()
    for one in said:
        order.say(one)
        order.find(**SHELF)
    return order


def open_of(order: Order) -> list[str]:
    return [row["query"] for row in order.standing.state["offers"]]


def chosen(order: Order, said: str) -> list[str]:
    """What choosing this puts into the cart, beside what it holds."""
    held = order.standing.state["cart"]
    order.say(said)
    order.settle({"cart": held})
    assert order.pending is not None
    after = order.pending.payload["after"]
    order.settle({"cart": cart(*after), "report": {}, "overtaken": False})
    return [row["spin"] for row in after if row not in held["lines"]]


# ---- the queue ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P117")
@pytest.mark.parametrize("said", ["add tomatoes", "I also need tomatoes", "tamatar bhi chahiye", "टमाटर चाहिए"])
@pytest.mark.parametrize("choice", ["pehla", "option 1", "the first one", "पहला"])
def test_a_later_wish_is_chosen_first_and_the_older_one_comes_back(said: str, choice: str) -> None:
    order = wished("onions", said)
    assert order.words.startswith(order.sentence("later", query="onions"))
    assert chosen(order, choice) == ["tomato-1"]
    assert open_of(order) == ["onions"]
    assert chosen(order, choice) == ["onion-1"]


@pytest.mark.promise("P117")
def test_what_is_joined_by_an_and_waits_behind_what_is_open() -> None:
    order = wished("onions", "and add tomatoes")
    assert order.words.startswith("For onions I found")
    assert open_of(order) == ["onions", "tomatoes"]


@pytest.mark.promise("P117")
@pytest.mark.parametrize("said", ["whichever", "any", "koi bhi"])
def test_whichever_takes_the_newest_offer(said: str) -> None:
    assert chosen(wished("onions", "add tomatoes"), said) == ["tomato-1"]


@pytest.mark.promise("P117")
@pytest.mark.parametrize("said", ["add red onions", "two onions", "half a kilo onions", "onion chahiye"])
def test_the_same_thing_named_again_takes_the_place_of_its_offer(said: str) -> None:
    order = Order().to_shopping()
    order.say("onions")
    order.find(onions=ONIONS)
    order.say(said)
    order.find(onions=ONIONS, onion=ONIONS, **{"red onions": ONIONS})
    assert len(open_of(order)) == 1
    assert "come back" not in order.words


@pytest.mark.parametrize(
    ("older", "newer", "again"),
    [
        *(("onions", newer, True) for newer in ("onions", "onion", "red onions")),
        *(("onions", newer, False) for newer in ("onion chips", "spring rolls", "tomatoes")),
        *(("milk", newer, False) for newer in ("milk powder", "buttermilk", "")),
        ("amul milk", "nandini milk", False),
        ("amul milk", "milk", True),
    ],
)
def test_a_name_with_more_words_is_the_same_thing_where_its_head_is(older: str, newer: str, again: bool) -> None:
    assert queued.again(older, newer) is again


@pytest.mark.promise("P210")
def test_taking_back_a_wish_leaves_those_before_it_open() -> None:
    order = wished("onions", "add tomatoes")
    order.say("undo")
    assert order.words.startswith("I put nothing in. For onions I found")
    assert open_of(order) == ["onions"]
    order.say("undo")
    assert open_of(order) == []


@pytest.mark.promise("P117")
def test_what_there_is_no_room_for_is_named() -> None:
    order = Order().to_shopping()
    for at in range(queued.MOST + 1):
        order.say(f"add brand{chr(97 + at)} milk")
        order.find(**{f"brand{chr(97 + at)} milk": MILK})
    assert order.sentence("given_up", query="branda milk") in order.words
    assert len(open_of(order)) == queued.MOST


# ---- at a review --------------------------------------------------------------------------------------------------------


def reviewed(order: Order, *, held: dict[str, object] = HELD) -> str:
    order.say("complete order")
    order.settle({"cart": held, "scan": True, "reachable": True, "maybe": [], "blocked": False})
    return order.words


@pytest.mark.promise("P126")
@pytest.mark.parametrize(
    ("said", "names"),
    [(["onions"], "onions"), (["onions and milk"], "onions and milk"), (["onions", "add tomatoes"], "tomatoes and onions")],
)
def test_a_review_says_first_what_was_asked_for_and_is_not_in_it(said: list[str], names: str) -> None:
    order = wished(*said, order=Order().to_shopping(held=HELD))
    told = reviewed(order)
    assert order.phase == "awaiting_confirmation"
    assert told.startswith(order.sentence("unchosen", queries=names) + " Your order: 1 x Cow Ghee 500 ml.")
    order.say("repeat")
    assert order.words == told
    assert reviewed(order) == told


@pytest.mark.promise("P126")
def test_a_thing_that_may_be_two_and_what_was_had_before_are_named_at_a_review_too() -> None:
    order = Order().to_shopping(held=HELD)
    order.say("add chips and dip")
    order.find(chips=BREAD, dip=MILK, **{"chips and dip": BREAD})
    assert reviewed(order).startswith(order.sentence("unchosen", queries="chips and dip"))
    order = Order().to_shopping(held=HELD)
    order.say("same as last time")
    order.settle({"lines": [line("milk-1", 2)]})
    assert reviewed(order).startswith(order.sentence("unchosen", queries=order.sentence("unchosen.before")))


@pytest.mark.promise("P126")
def test_a_review_of_all_that_was_asked_for_says_nothing_of_the_kind() -> None:
    order = wished("onions", order=Order().to_shopping(held=HELD))
    order.say("skip")
    assert reviewed(order).startswith("Your order: 1 x Cow Ghee 500 ml.")


@pytest.mark.promise("P132")
def test_the_words_that_spend_count_only_once_what_is_missing_was_heard() -> None:
    order = wished("onions", order=Order().to_shopping(held=HELD))
    reviewed(order)
    order.say("confirm order", listened=False)
    assert order.pending is None
    order = wished("onions", order=Order().to_shopping(held=HELD))
    reviewed(order)
    order.say("confirm order")
    assert order.calls[-1] == "recheck"


@pytest.mark.promise("P128")
def test_where_nothing_can_be_reviewed_what_is_open_stays_open() -> None:
    order = wished("onions")
    reviewed(order, held=cart())
    assert open_of(order) == ["onions"]
    order = Order().to_shopping(held=HELD)
    order.say("show cart")
    order.settle({"cart": cart()})
    assert "lost" in str(order.prompt)
    reviewed(order, held=cart())
    assert order.standing.state["lost"]


# ---- a new wish at an open offer ----------------------------------------------------------------------------------------

WASH = [variant("wash-1", "Surf Excel Detergent", brand="Surf Excel", size="500 g")]
NEW = {"washing powder": WASH, "surf excel": WASH, "tomatoes": TOMATOES, "tomato": TOMATOES, "bread": BREAD, "oil": WASH}


@pytest.mark.promise("P117")
@pytest.mark.parametrize(
    "said",
    [
        *("any brand of washing powder", "koi bhi washing powder", "कोई भी washing powder"),
        *("surf excel", "tomatoes", "some bread", "tamatar", "kisi bhi brand ka tel"),
    ],
)
@pytest.mark.parametrize("then", ["whichever", "koi bhi"])
def test_another_product_by_its_name_is_a_wish_and_whichever_takes_it(said: str, then: str) -> None:
    order = wished("onions")
    order.say(said)
    order.find(**NEW)
    assert open_of(order)[1:] == ["onions"]
    assert chosen(order, then)[0] in {"wash-1", "tomato-1", "bread-1"}


@pytest.mark.promise("P117")
@pytest.mark.parametrize("said", ["and bread", "aur bread"])
def test_a_name_behind_an_and_waits_behind_what_is_open(said: str) -> None:
    order = wished("onions")
    order.say(said)
    order.find(**NEW)
    assert open_of(order) == ["onions", "bread"]


@pytest.mark.promise("P112")
@pytest.mark.parametrize(
    "said", ["the blue one", "neela wala", "that is my brother", "hmm", "option nine", "whatever you think"]
)
def test_what_is_no_wish_anywhere_is_none_at_an_offer(said: str) -> None:
    order = wished("onions")
    order.say(said)
    assert order.pending is None
    assert open_of(order) == ["onions"]


@pytest.mark.promise("P112")
def test_an_option_that_was_not_read_out_is_read_out_before_it_is_taken() -> None:
    rows = [*MILK, variant("milk-4", "Toned Milk", brand="Heritage")]
    order = Order().to_shopping()
    order.say("milk")
    order.find(milk=rows)
    order.say("heritage")
    assert order.pending is None
    assert order.words.startswith("For milk I found 1: Heritage Toned Milk")
    assert chosen(order, "option 1") == ["milk-4"]


# ---- which one ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P112")
@pytest.mark.parametrize(
    ("said", "spin"),
    [
        *((said, "milk-3") for said in ("last one", "the last one", "take the last one", "last option")),
        *((said, "milk-3") for said in ("aakhri wala", "akhri wala de do", "आखिरी वाला")),
        *((said, "milk-2") for said in ("middle one", "the middle one please", "beech wala", "bich wali", "बीच वाला")),
    ],
)
def test_an_option_is_named_by_its_place(said: str, spin: str) -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    assert chosen(order, said) == [spin]


@pytest.mark.promise("P112")
def test_of_two_options_none_is_in_the_middle() -> None:
    order = wished("onions")
    order.say("the middle one")
    assert order.pending is None
    assert open_of(order) == ["onions"]


TAKING = [
    *("yes add it", "add it", "take it", "i'll take it", "put it in", "sure add that one", "yes please add it"),
    *("le lo", "haan le lo", "de do", "daal do", "ले लो", "डाल दो"),
]


@pytest.mark.promise("P112")
@pytest.mark.parametrize("said", TAKING)
def test_whoever_says_to_add_it_takes_the_only_option(said: str) -> None:
    order = Order().to_shopping()
    order.say("bread")
    order.find()
    assert chosen(order, said) == ["bread-1"]


@pytest.mark.promise("P112")
@pytest.mark.parametrize("said", [*(one for one in TAKING if one not in {"daal do", "डाल दो"}), "don't add it", "mat le lo"])
def test_of_several_options_it_is_asked_which(said: str) -> None:
    order = wished("onions")
    order.say(said)
    assert order.pending is None
    assert open_of(order) == ["onions"]


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        *("I don't want the atta anymore", "i don't want the atta any more", "I no longer want the atta"),
        *("remove the atta after all", "atta nahi chahiye ab", "ab atta nahi chahiye", "अब आटा नहीं चाहिए"),
    ],
)
def test_what_is_not_wanted_any_more_is_taken_out(said: str) -> None:
    held = cart(line("atta-1", name="Chakki Atta", size="5 kg"), line("ghee-1", name="Cow Ghee"))
    order = Order().to_shopping(held=held)
    order.say(said)
    order.settle({"cart": held})
    assert order.pending is not None
    assert [row["spin"] for row in order.pending.payload["after"]] == ["ghee-1"]
