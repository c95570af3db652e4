"""From a spoken amount to packs: the best of what is on sale, told before it is written, and asked where it cannot be told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swiggy_instamart import carts, packs
from tests.support.ordering import Order, cart, line, variant

ONION = ("500 g", "1 kg", "2 kg")
EGGS = ("6 pieces", "10 pieces", "30 pieces")


def rows(*labels: str, **more: Any) -> list[dict[str, Any]]:
    return [variant(f"s{at}", "Onion", size=label, brand="Fresho", **more) for at, label in enumerate(labels)]


def found(
    labels: tuple[str, ...], amount: str | None, unit: str | None, count: int | None = None, **more: Any
) -> dict[str, Any]:
    wanted = {"query": "onion", "count": count, "amount": amount, "unit": unit, "error": ""}
    return packs.planned({**wanted, "variants": rows(*labels, **more)})


def taken(offer: dict[str, Any], option: int = 0) -> dict[str, int]:
    return {row["size"]: count for row, count in packs.chosen(offer, offer["variants"][option])}


# ---- what a pack holds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "holds"),
    [
        ("500 g", {"g": 500}),
        ("1 kg", {"g": 1000}),
        ("1.5 KG", {"g": 1500}),
        ("2.25 L", {"ml": 2250}),
        ("450ml", {"ml": 450}),
        ("1 ltr", {"ml": 1000}),
        ("2 x 500 g", {"g": 1000}),
        ("500 g x 2", {"g": 1000}),
        ("2×1 L", {"ml": 2000}),
        ("6 pieces", {"piece": 6}),
        ("12 N", {"piece": 12}),
        ("30 Eggs", {"piece": 30}),
        ("1 dozen", {"piece": 12}),
        ("Pack of 6", {"piece": 6}),
        ("6 pieces (300 g)", {"piece": 6, "g": 300}),
        ("400-600 g", {}),
        ("1 pc (400 g - 600 g)", {}),
        ("500 g (pack of 2)", {}),
        ("500 g + 50 g", {}),
        ("1 pack", {}),
        ("0 g", {}),
        ("", {}),
        ("family size", {}),
    ],
)
def test_a_label_says_what_a_pack_holds_or_leaves_it_open(label: str, holds: dict[str, int]) -> None:
    assert packs.sizes(label) == holds


# ---- the best of what is on sale ----------------------------------------------------------------------------------------


@pytest.mark.promise("P113", "P210")
@pytest.mark.parametrize(
    ("labels", "amount", "unit", "best"),
    [
        (ONION, "1/2", "kg", {"500 g": 1}),
        (ONION, "1", "kg", {"1 kg": 1}),
        (ONION, "3/2", "kg", {"1 kg": 1, "500 g": 1}),
        (ONION, "5/2", "kg", {"2 kg": 1, "500 g": 1}),
        (ONION, "7/2", "kg", {"2 kg": 1, "1 kg": 1, "500 g": 1}),
        (ONION, "11/2", "kg", {"2 kg": 2, "1 kg": 1, "500 g": 1}),
        (ONION, "10", "kg", {"2 kg": 5}),
        (("500 g", "1 kg"), "9/2", "kg", {"1 kg": 4, "500 g": 1}),
        (("250 g", "500 g", "1 kg"), "7/4", "kg", {"1 kg": 1, "500 g": 1, "250 g": 1}),
        (("500 ml", "1 L"), "2", "l", {"1 L": 2}),
        (("500 ml", "1 L"), "750", "ml", {"1 L": 1}),
        (("200 ml", "1 L"), "500", "ml", {"200 ml": 3}),
        (("500 g", "5 kg"), "6/5", "kg", {"500 g": 3}),
        (("1 kg", "5 kg"), "5/4", "kg", {"1 kg": 2}),
        (("1 kg",), "1/4", "kg", {"1 kg": 1}),
        (("100 g", "250 g"), "1/3", "kg", {"250 g": 1, "100 g": 1}),
        (EGGS, "1", "dozen", {"6 pieces": 2}),
        (EGGS, "1/2", "dozen", {"6 pieces": 1}),
        (EGGS, "5/2", "dozen", {"30 pieces": 1}),
        (EGGS, "3/2", "dozen", {"6 pieces": 3}),
    ],
)
def test_the_first_choice_is_exact_or_comes_near_in_the_fewest_packs(
    labels: tuple[str, ...], amount: str, unit: str, best: dict[str, int]
) -> None:
    assert taken(found(labels, amount, unit)) == best


@pytest.mark.parametrize(
    ("labels", "count", "unit", "best"),
    [
        (EGGS, 6, None, {"6 pieces": 1}),
        (EGGS, 12, None, {"6 pieces": 2}),
        (EGGS, 16, None, {"10 pieces": 1, "6 pieces": 1}),
        (EGGS, 2, None, {"6 pieces": 2}),
        (EGGS, 2, "piece", {"6 pieces": 1}),
        (EGGS, 12, "packet", {"6 pieces": 12}),
        (("1 piece",), 3, "piece", {"1 piece": 3}),
        (ONION, 3, "piece", {"500 g": 3}),
    ],
)
def test_a_bare_number_is_packs_unless_it_fills_one_with_pieces(
    labels: tuple[str, ...], count: int, unit: str | None, best: dict[str, int]
) -> None:
    assert taken(found(labels, None, unit, count)) == best


def test_packets_of_a_size_are_packets_of_that_size() -> None:
    assert taken(found(("1 L", "500 ml"), "500", "ml", 2)) == {"500 ml": 2}
    assert taken(found(("1 L", "200 ml"), "500", "ml", 2)) == {"1 L": 1}


def test_other_sizes_stay_on_offer_and_say_what_they_come_to() -> None:
    offer = found(ONION, "3/2", "kg")
    assert [taken(offer, option) for option in range(3)] == [{"1 kg": 1, "500 g": 1}, {"500 g": 3}, {"2 kg": 1}]
    assert [row["differs"] for row in offer["variants"]] == [None, None, ["2", "kg", "1.5", "kg"]]


def test_a_choice_that_is_offered_alone_stands_for_the_same() -> None:
    offer = found(ONION, "3/2", "kg")
    alone = {**offer, "variants": offer["variants"][:1]}
    assert taken(alone) == {"1 kg": 1, "500 g": 1}


def test_sizes_of_different_products_are_never_put_together() -> None:
    variants = [variant("a", "Toned Milk", size="500 ml"), variant("b", "Gold Milk", size="1 L")]
    offer = packs.planned({"query": "milk", "count": None, "amount": "3/2", "unit": "l", "variants": variants})
    assert [taken(offer, option) for option in range(2)] == [{"500 ml": 3}, {"1 L": 2}]


def test_a_shop_that_sells_only_so_many_is_taken_at_its_word() -> None:
    assert taken(found(("500 g", "1 kg"), "3", "kg", max_quantity=2)) == {"1 kg": 2, "500 g": 2}


def test_without_an_amount_the_order_of_the_shop_stands() -> None:
    offer = found(("1 kg", "500 g"), None, None, 3)
    assert [row["size"] for row in offer["variants"]] == ["1 kg", "500 g"]
    assert taken(offer) == {"1 kg": 3}


@pytest.mark.parametrize("labels", [("1 piece",), ("1 pack",), ("",), ("500 ml",), ("400-600 g",)])
def test_a_size_that_cannot_be_compared_has_no_plan(labels: tuple[str, ...]) -> None:
    assert taken(found(labels, "1", "kg")) == {}


amounts = st.builds(Fraction, st.integers(1, 4000), st.sampled_from([1, 1, 2, 3, 4]))
labels = st.lists(
    st.sampled_from([20, 50, 100, 200, 250, 400, 500, 900, 1000, 2000, 5000]), min_size=1, max_size=6, unique=True
)


@given(amounts, labels)
def test_what_is_taken_is_never_less_nor_a_pack_too_many_and_the_difference_is_told(amount: Fraction, sizes: list[int]) -> None:
    offer = found(tuple(f"{size} g" for size in sizes), str(amount), "g")
    best = offer["variants"][0]
    counts = {int(row["size"][:-2]): count for row, count in packs.chosen(offer, best)}
    total = sum(size * count for size, count in counts.items())
    assert total >= amount
    assert total - min(counts) < amount
    assert (best["differs"] is None) == (total == amount)
    alone = [size for size in sizes if amount % size == 0 and amount / size <= carts.MOST and size * carts.MOST >= amount]
    if alone and all(count <= 10 for count in counts.values()):
        assert total == amount, "one size alone comes out even"


# ---- in the order -------------------------------------------------------------------------------------------------------


def shopping(*labels: str, said: str) -> Order:
    order = Order().to_shopping()
    order.say(said)
    order.find(onions=rows(*labels), onion=rows(*labels), eggs=rows(*labels))
    return order


@pytest.mark.promise("P113", "P208")
def test_a_choice_says_the_packs_before_they_are_written_and_no_price_is_added_up() -> None:
    order = shopping(*ONION, said="1.5 kilo onions")
    assert "1: Fresho Onion, 1 kg at ₹28 and 500 g at ₹28;" in order.words
    assert "2: Fresho Onion, 3 x 500 g at ₹28 each;" in order.words
    assert "3: Fresho Onion 2 kg, ₹28." in order.words
    order.say("option 1")
    assert order.pending is not None
    assert [(row["size"], row["quantity"]) for row in order.pending.payload["edit"]["lines"]] == [("1 kg", 1), ("500 g", 1)]


@pytest.mark.promise("P210")
def test_what_does_not_come_out_even_is_said_when_it_is_in_the_cart() -> None:
    order = shopping("1 kg", said="1.25 kilo onions")
    assert "Fresho Onion, 2 x 1 kg at ₹28 each, 2 kg in all" in order.words
    order.say("option 1")
    order.settle({"cart": cart()})
    order.settle({"cart": cart(line("s0", 2, name="Onion", size="1 kg")), "report": {}, "overtaken": False})
    assert "The cart has 2 x Onion 1 kg. The packs come to 2 kg, you said 1.25 kg." in order.words


def test_a_mixed_choice_is_told_whole_when_it_is_in_the_cart() -> None:
    order = shopping(*ONION, said="1.5 kg onions")
    order.say("option 1")
    held = cart(line("bread-1", name="Brown Bread"))
    order.settle({"cart": held})
    lines = [line("s1", name="Onion", size="1 kg"), line("s0", name="Onion", size="500 g")]
    order.settle({"cart": cart(*held["lines"], *lines), "report": {}, "overtaken": False})
    assert "The cart has 1 x Onion 1 kg, 1 x Onion 500 g and 1 other item." in order.words
    assert order.standing.state["called"] == {"s0": "onions", "s1": "onions"}


@pytest.mark.promise("P114")
def test_packs_that_are_in_the_cart_already_are_added_to() -> None:
    order = shopping(*ONION, said="1.5 kg onions")
    order.say("option 1")
    order.settle({"cart": cart(line("s0", 2, name="Onion", size="500 g"))})
    assert order.pending is not None
    assert {row["spin"]: row["quantity"] for row in order.pending.payload["after"]} == {"s0": 3, "s1": 1}


@pytest.mark.promise("P113", "P210")
@pytest.mark.parametrize(
    ("size", "asked"),
    [
        ("1 piece", "I cannot tell how many packs of Fresho Onion 1 piece make 1 kg. How many shall I take?"),
        ("", "Fresho Onion states no size, so I cannot tell how many packs make 1 kg. How many shall I take?"),
    ],
)
def test_where_sizes_cannot_be_compared_it_is_asked_how_many(size: str, asked: str) -> None:
    order = shopping(size, said="one kilo onions")
    order.say("option 1")
    assert order.words == asked
    assert order.pending is None, "nothing is written on a guess"
    order.say("kitchen table chair lamp window")
    assert order.pending is None
    order.say("repeat")
    assert order.words == asked
    order.say("do")
    assert order.pending is not None
    assert [row["quantity"] for row in order.pending.payload["edit"]["lines"]] == [2]


@pytest.mark.promise("P113")
@pytest.mark.parametrize("number", ["zero", "21", "fifty"])
def test_how_many_is_one_to_twenty(number: str) -> None:
    order = shopping("1 piece", said="one kilo onions")
    order.say("option 1")
    order.say(number)
    assert "1 to 20" in order.words
    assert order.pending is None


def test_how_many_can_be_skipped_and_forgotten() -> None:
    order = shopping("1 piece", said="ek kilo onions")
    order.say("option 1")
    order.say("skip")
    assert order.standing.state["offers"] == []
    assert order.pending is None


@pytest.mark.promise("P113")
def test_more_than_twenty_packs_are_refused() -> None:
    for said in ("hundred kilo onions", "200 packets of 500 g onions"):
        order = shopping("1 kg", "10 kg", said=said) if "packets" in said else shopping("1 kg", said=said)
        order.say("option 1")
        assert "1 to 20" in order.words
        assert order.pending is None


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("two eggs", "1: Fresho Onion, 2 x 6 pieces at ₹28 each;"),
        ("six eggs", "1: Fresho Onion 6 pieces, ₹28;"),
        ("seven eggs", "1: Fresho Onion 10 pieces, ₹28;"),
        ("14 eggs", "1: Fresho Onion, 10 pieces at ₹28 and 6 pieces at ₹28, 16 pieces in all;"),
        ("two packets of eggs", "1: Fresho Onion, 2 x 6 pieces at ₹28 each;"),
    ],
)
def test_what_comes_by_the_piece_says_how_a_number_was_taken(said: str, option: str) -> None:
    assert option in shopping(*EGGS, said=said).words


def test_a_new_count_at_the_choice_means_packs() -> None:
    order = shopping(*EGGS, said="a dozen eggs")
    order.say("make it three")
    order.say("option 1")
    assert order.pending is not None
    assert [(row["size"], row["quantity"]) for row in order.pending.payload["edit"]["lines"]] == [("6 pieces", 3)]
