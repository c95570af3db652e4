"""Where a sentence breaks off, and whether the next one goes on with it: by its last words, its reading, and what is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.ordering import BREAD, MILK, Order, cart, line


def shopping() -> Order:
    return Order().to_shopping()


def choosing() -> Order:
    order = Order().to_shopping()
    order.say("milk")
    order.find(milk=MILK)
    return order


def counting() -> Order:
    """ "How many?" is open."""
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.standing = replace(order.standing, state={**order.standing.state, "count_for": "milk-1"})
    return order


def breaks_off(order: Order, said: str) -> bool:
    return order.mode.unfinished(order.standing, said)


def goes_on(order: Order, begun: str, more: str) -> bool:
    """Whether the second final is one turn with the first, which waits for it."""
    return breaks_off(order, begun) and order.mode.continues(order.standing, begun, more)


AMOUNTS = ("add two", "Add two.", "please add two um", "I need 2", "two", "remove two", "order three", "mujhe teen", "दो सौ")
UNITS = (
    "half a litre",
    "I need two litres",
    "do packet",
    "add two packets",
    "aadha kilo",
    "मुझे आधा लीटर",
    "दो पैकेट",
    "a dozen",
    "500 ml",
)
CONJUNCTIONS = ("milk and", "add milk and", "doodh aur", "दूध और", "milk or", "add two milk and two packets")
PREPOSITIONS = (
    "two packets of",
    "do packet doodh ka",
    "add a",
    "bread with",
    "doodh ko",
    "दूध की",
    "change the milk to",
    "give me the",
)


@pytest.mark.case("A09")
@pytest.mark.parametrize("said", [*AMOUNTS, *UNITS, *CONJUNCTIONS, *PREPOSITIONS])
def test_what_ends_in_an_amount_a_unit_a_conjunction_or_a_preposition_waits_for_more(said: str) -> None:
    assert breaks_off(shopping(), said)


COMPLETE = ("milk", "add two milk", "doodh do packet", "add milk half a litre", "do packet doodh", "make it two", "item two")
COMPLETE += (
    "remove item 2",
    "seven up",
    "option two",
    "one more",
    "ek aur",
    "एक और",
    "two more",
    "that's all",
    "do packet doodh daal do",
)
RESERVED = (
    "stop",
    "cancel",
    "help",
    "repeat",
    "yes",
    "no",
    "haan",
    "nahi",
    "confirm",
    "confirm order",
    "confirm the",
    "hold on",
)
RESERVED += ("confirm order and", "कन्फर्म ऑर्डर", "कन्फर्म", "show cart", "complete order", "", "Hermes", "stop and", "undo")


@pytest.mark.promise("P253")
@pytest.mark.parametrize("said", [*COMPLETE, *RESERVED])
def test_a_whole_sentence_an_answer_and_a_reserved_word_wait_for_nothing(said: str) -> None:
    assert not breaks_off(shopping(), said)
    assert not breaks_off(Order().to_review(), said)


@pytest.mark.case("A09")
@pytest.mark.promise("P112")
@pytest.mark.parametrize("said", ["two", "2", "one", "do", "दो", "the second one", "two packets", "I'll take two"])
def test_the_number_that_was_asked_for_is_an_answer_and_waits_for_nothing(said: str) -> None:
    assert not breaks_off(choosing(), said)
    assert not breaks_off(counting(), said)


def test_one_thing_or_two_is_answered_by_a_number() -> None:
    order = shopping()
    rows = [{"query": "bread", "variants": BREAD}]
    order.standing = replace(order.standing, state={**order.standing.state, "unsettled": rows})
    assert not breaks_off(order, "two")


@pytest.mark.parametrize("said", ["Home 2", "home two", "two", "office pe"])
def test_where_an_address_is_asked_for_a_number_may_be_part_of_its_label(said: str) -> None:
    assert not breaks_off(Order().to_address(), said)


@pytest.mark.parametrize("phase", ["awaiting_payment", "checkout_outcome_unknown", "checkout_in_progress", "finished"])
def test_once_something_may_have_been_placed_nothing_waits(phase: str) -> None:
    order = shopping()
    order.standing = replace(order.standing, phase=phase)
    assert not any(breaks_off(order, said) for said in ("add two", "milk and", "two packets of"))


@pytest.mark.case("A09")
@pytest.mark.parametrize(
    ("begun", "more"),
    [
        ("add two", "packets of milk"),
        ("I need two litres", "of toned milk"),
        ("two", "litres"),
        ("two litres", "of milk"),
        ("half a litre", "milk"),
        ("milk and", "a bread"),
        ("add milk and", "add a bread"),
        ("two", "and a half litres of milk"),
        ("do packet", "doodh"),
        ("do packet", "doodh daal do"),
        ("aadha kilo", "pyaaz"),
        ("doodh aur", "bread"),
        ("दो पैकेट", "दूध"),
        ("दूध और", "ब्रेड"),
        ("doodh ko", "hata do"),
        ("remove two", "packets of milk"),
        ("change the milk to", "three"),
        ("two packets of", "milk and"),
    ],
)
def test_what_goes_on_with_it_is_one_turn(begun: str, more: str) -> None:
    assert goes_on(shopping(), begun, more)


@pytest.mark.case("A09")
@pytest.mark.promise("P209")
@pytest.mark.parametrize("begun", ["add two", "milk and", "two packets of", "do packet"])
@pytest.mark.parametrize(
    "more",
    [
        "stop",
        "cancel",
        "help",
        "yes",
        "no",
        "confirm order",
        "confirm",
        "show cart",
        "complete order",
        "that's all",
        "make it three",
    ],
)
def test_an_answer_a_reserved_word_or_a_command_is_never_swallowed(begun: str, more: str) -> None:
    assert not goes_on(shopping(), begun, more)


@pytest.mark.parametrize(
    ("begun", "more"),
    [
        ("add two", "add a bread"),
        ("add two", "remove the milk"),
        ("add two", "doodh daal do"),
        ("two litres", "I want bread"),
        ("add two", "turn on the lamp"),
        ("milk and", "what is the weather"),
    ],
)
def test_a_sentence_of_its_own_is_a_turn_of_its_own(begun: str, more: str) -> None:
    assert not goes_on(shopping(), begun, more)


@pytest.mark.promise("P124")
@pytest.mark.parametrize(
    ("begun", "more"), [("confirm", "order"), ("please confirm the", "order"), ("the", "confirm order"), ("कन्फर्म", "ऑर्डर")]
)
def test_two_finals_never_make_the_phrase_that_spends(begun: str, more: str) -> None:
    order = Order().to_review()
    assert not goes_on(order, begun, more)
    assert not order.mode.continues(order.standing, begun, more)


def test_an_answer_to_what_is_open_does_not_go_on_with_what_broke_off() -> None:
    assert not goes_on(choosing(), "add bread and", "two")
    assert goes_on(choosing(), "add bread and", "eggs")
