"""One more, one less, and so many taken away: which line it is, how many are left, and what is asked where it is not clear."""

from __future__ import annotations

from typing import Any

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.hearing import Reading, Said, Waiting, Wanted
from tests.support.ordering import Order, cart, line

MILK, BREAD = line("milk-1", 2, name="Amul Milk"), line("bread-1", 1, name="Brown Bread")

EGGS = Reading(Said.WANTED, (Wanted("eggs", 2),))


def read(said: str, waiting: Waiting = Waiting.NOTHING) -> Reading:
    return hearing.read(said, names=("Hermes",), waiting=waiting)


def more(number: int, query: str = "") -> Reading:
    return Reading(Said.MORE, number=number, query=query)


def fewer(number: int, query: str = "") -> Reading:
    return Reading(Said.FEWER, number=number, query=query)


@pytest.mark.promise("P115", "P210")
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.COUNT, Waiting.REVIEW])
@pytest.mark.parametrize(
    ("said", "reading"),
    [
        *((said, more(1)) for said in ("one more", "add one more", "another one", "can I have one more", "make it one more")),
        *((said, more(1)) for said in ("ek aur", "ek aur de do", "mujhe ek aur chahiye", "aur ek", "एक और", "एक और डाल दो")),
        *((said, more(2)) for said in ("two more of those", "two more of the same", "do aur daal do", "दो और")),
        *((said, more(1, "milk")) for said in ("one more milk", "one more packet of milk", "another milk", "ek aur doodh")),
        *((said, more(1, "milk")) for said in ("ek aur doodh daal do", "एक और दूध", "मुझे एक और दूध चाहिए", "ek packet aur doodh")),
        *((said, more(3, "bread")) for said in ("three more bread", "bread teen aur kar do", "increase the bread by three")),
        *((said, more(1, "five star")) for said in ("one more five star", "another five star")),
        *((said, fewer(1)) for said in ("one less", "make it one less", "ek kam karo", "एक कम कर दो", "remove one of those")),
        *((said, fewer(1)) for said in ("inme se ek hata do", "इनमें से एक हटा दो", "reduce it by one")),
        *((said, fewer(1, "milk")) for said in ("remove one milk", "take one milk out", "remove a milk", "one less milk")),
        *((said, fewer(1, "milk")) for said in ("ek doodh kam karo", "ek doodh hata do", "doodh ek kam kar dijiye")),
        *((said, fewer(1, "milk")) for said in ("एक दूध कम करो", "एक दूध हटा दो", "one milk less")),
        ("can you remove one packet of milk", fewer(1, "milk")),
        *((said, fewer(2, "eggs")) for said in ("get rid of two eggs", "do ande nikaal do", "remove the two eggs")),
        *((said, Reading(Said.REMOVE, query="milk")) for said in ("remove milk", "take the milk out", "doodh hata do")),
        *((said, fewer(2, "milk")) for said in ("remove both the milk", "dono doodh hata do", "दोनों दूध हटाओ")),
        *((said, Reading(Said.REMOVE, query="milk")) for said in ("remove all the milk", "saara doodh hata do")),
        ("remove five star", Reading(Said.REMOVE, query="five star")),
        ("remove seven up", Reading(Said.REMOVE, query="seven up")),
        ("remove item two", Reading(Said.REMOVE, number=2)),
        ("remove one milk and the bread", Reading(Said.SEVERAL, parts=(fewer(1, "milk"), Reading(Said.REMOVE, query="bread")))),
        ("remove one milk and add two eggs", Reading(Said.SEVERAL, parts=(fewer(1, "milk"), EGGS))),
    ],
)  # fmt: skip
def test_so_many_more_or_fewer_in_three_writings(said: str, reading: Reading, waiting: Waiting) -> None:
    assert read(said, waiting) == reading


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        *("remove one", "ek hata do", "remove two", "doodh kam karo", "reduce the milk", "I don't want one milk"),
        *(
            "ek doodh nahi chahiye",
            "remove two litres of milk",
            "remove one kilo onions",
            "remove half a milk",
            "one more thing",
        ),
        *(
            "one more question",
            "remove both of them",
            "one more than before",
            "ek aur baat",
            "do aur do chaar",
            "one more of my songs",
            "two more minutes",
        ),
    ],
)
def test_what_may_be_meant_in_two_ways_changes_no_count(said: str) -> None:
    assert read(said).said not in {Said.MORE, Said.FEWER, Said.REMOVE, Said.QUANTITY, Said.SEVERAL}


@pytest.mark.promise("P115", "P210")
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.COUNT, Waiting.REVIEW])
@pytest.mark.parametrize(
    "said",
    [
        *("remove one milk and one more bread", "remove milk and one more bread", "remove one milk and another bread"),
        *("remove the milk and more bread", "ek doodh aur ek aur bread hata do", "एक दूध और एक और ब्रेड हटा दो"),
        *("remove the milk and one more", "remove milk and one", "remove milk and two", "remove milk, one more"),
        *("doodh aur ek hata do", "दूध और एक हटा दो", "take away the milk and two", "get rid of bread and another"),
    ],
)
def test_what_stands_behind_an_and_of_a_removal_is_neither_taken_away_nor_cut_off(said: str, waiting: Waiting) -> None:
    assert read(said, waiting).said is Said.NOTHING


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("remove one milk and two bread", (fewer(1, "milk"), fewer(2, "bread"))),
        ("ek doodh aur do bread hata do", (fewer(1, "milk"), fewer(2, "bread"))),
        ("remove one milk and add one more bread", (fewer(1, "milk"), more(1, "bread"))),
        ("remove one milk and add another bread", (fewer(1, "milk"), more(1, "bread"))),
        ("one more milk and remove one bread", (more(1, "milk"), fewer(1, "bread"))),
    ],
)
def test_what_is_named_with_a_verb_or_a_number_of_its_own_is_done(said: str, parts: tuple[Reading, ...]) -> None:
    assert read(said) == Reading(Said.SEVERAL, parts=parts)


@pytest.mark.parametrize("said", ["one more", "another one", "two more of those", "make it one more", "one less", "ek aur"])
def test_among_options_an_unnamed_number_more_is_asked_back(said: str) -> None:
    order = Order().to_shopping(held=cart(MILK))
    order.say("bread")
    order.find()
    offers = order.standing.state["offers"]
    order.say(said)
    assert (order.pending, order.standing.state["offers"]) == (None, offers)


# ---- what becomes of the cart -------------------------------------------------------------------------------------------


def after(order: Order, said: str, held: dict[str, Any]) -> dict[str, int]:
    """What the cart would hold after ``said``."""
    order.say(said)
    order.settle({"cart": held})
    assert order.pending is not None
    assert order.pending.name == "write"
    return {row["spin"]: row["quantity"] for row in order.pending.payload["after"]}


@pytest.mark.promise("P113", "P115")
@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("one more milk", {"milk-1": 3, "bread-1": 1}),
        ("ek aur doodh", {"milk-1": 3, "bread-1": 1}),
        ("एक और ब्रेड", {"milk-1": 2, "bread-1": 2}),
        ("remove one milk", {"milk-1": 1, "bread-1": 1}),
        ("ek doodh hata do", {"milk-1": 1, "bread-1": 1}),
        ("remove the two milks", {"bread-1": 1}),
        ("remove one bread", {"milk-1": 2}),
        ("remove milk", {"bread-1": 1}),
        ("remove one milk and one bread", {"milk-1": 1}),
    ],
)
def test_the_named_line_is_counted_up_or_down(said: str, counts: dict[str, int]) -> None:
    held = cart(MILK, BREAD)
    assert after(Order().to_shopping(held=held), said, held) == counts


@pytest.mark.promise("P115")
def test_a_line_that_came_to_nothing_is_said_to_be_gone_and_is_no_longer_spoken_of() -> None:
    order = Order().to_shopping(held=cart(MILK, BREAD))
    after(order, "remove one bread", cart(MILK, BREAD))
    order.settle({"cart": cart(MILK), "report": {}, "overtaken": False})
    assert order.sentence("removed", title="Brown Bread 500 ml") in order.words


@pytest.mark.promise("P115")
def test_fewer_than_are_there_is_refused_and_changes_nothing() -> None:
    order = Order().to_shopping(held=cart(MILK, BREAD))
    order.say("remove three milk")
    order.settle({"cart": cart(MILK, BREAD)})
    assert "Amul Milk" in order.words
    assert order.pending is None


@pytest.mark.promise("P115")
@pytest.mark.parametrize("first", ["change the bread to two", "bread do kar do", "one more bread"])
def test_one_more_is_of_the_line_just_spoken_of(first: str) -> None:
    order = Order().to_shopping(held=cart(MILK, BREAD))
    order.say(first)
    order.settle({"cart": cart(MILK, BREAD)})
    now = cart(MILK, {**BREAD, "quantity": 2})
    order.settle({"cart": now, "report": {}, "overtaken": False})
    assert after(order, "one more", now) == {"milk-1": 2, "bread-1": 3}


@pytest.mark.promise("P115")
@pytest.mark.parametrize(("said", "name"), [("one more", "milk"), ("ek aur", "doodh"), ("एक और", "दूध")])
def test_with_no_line_in_mind_it_is_asked_of_what_and_the_answer_says_it(said: str, name: str) -> None:
    held = cart(MILK, BREAD)
    order = Order().to_shopping(held=held)
    order.say(said)
    assert order.words == order.sentence("of_what")
    assert order.pending is None
    assert after(order, name, held) == {"milk-1": 3, "bread-1": 1}


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["one more paneer", "ek aur paneer", "एक और पनीर"])
def test_one_more_of_what_the_cart_does_not_hold_is_a_wish(said: str) -> None:
    order = Order().to_shopping(held=cart(MILK, BREAD))
    order.say(said)
    assert order.pending is not None
    assert [(item["query"], item["count"]) for item in order.pending.payload["items"]] == [("paneer", 1)]


@pytest.mark.promise("P115")
def test_where_a_name_fits_two_lines_it_is_asked_which() -> None:
    held = cart(MILK, line("milk-2", 1, name="Nandini Milk"))
    order = Order().to_shopping(held=held)
    order.say("one more milk")
    order.settle({"cart": held})
    assert "Nandini" in order.words
    assert order.pending is None


@pytest.mark.promise("P115", "P212")
def test_a_removal_leaves_no_other_line_to_be_added_to() -> None:
    order = Order().to_shopping(held=cart(MILK, BREAD, line("eggs-1", 1, name="Eggs")))
    after(order, "remove the bread", cart(MILK, BREAD, line("eggs-1", 1, name="Eggs")))
    order.settle({"cart": cart(MILK, line("eggs-1", 1, name="Eggs")), "report": {}, "overtaken": False})
    order.say("one more")
    assert (order.words, order.pending) == (order.sentence("of_what"), None)


# ---- one more, behind an "and" ------------------------------------------------------------------------------------------


@pytest.mark.promise("P115", "P210")
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.COUNT, Waiting.REVIEW])
@pytest.mark.parametrize(
    ("said", "parts"),
    [
        *(
            (said, (Reading(Said.WANTED, (Wanted("bread"),)), more(1, "milk")))
            for said in (
                *(
                    "add bread and one more milk",
                    "bread and one more milk",
                    "I want bread and another milk",
                    "bread, one more milk",
                ),
                *("bread daal do aur ek aur doodh", "bread aur ek aur doodh daal do", "bread aur ek aur doodh"),
                *("ब्रेड डाल दो और एक और दूध", "ब्रेड और एक और दूध"),
            )
        ),
        *(
            (said, (more(1, "milk"), Reading(Said.WANTED, (Wanted("bread"),))))
            for said in ("one more milk and bread", "add one more milk and bread", "ek aur doodh aur bread", "एक और दूध और ब्रेड")
        ),
        ("one more milk and one more bread", (more(1, "milk"), more(1, "bread"))),
        ("ek aur doodh aur do aur bread", (more(1, "milk"), more(2, "bread"))),
    ],
)
def test_one_more_keeps_its_number_beside_a_wish(said: str, parts: tuple[Reading, ...], waiting: Waiting) -> None:
    found = read(said, waiting)
    assert (found.said, found.parts) == (Said.SEVERAL, parts)


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        "add bread and one more",
        "bread and another",
        "bread daal do aur ek aur",
        "add two milk, one more",
        "ek aur bread aur doodh hata do",
        "एक और ब्रेड और दूध हटा दो",
    ],
)
def test_one_more_of_nobody_knows_what_is_asked_back(said: str) -> None:
    assert read(said) == Reading(Said.NOTHING)


@pytest.mark.promise("P115", "P117")
@pytest.mark.parametrize("said", ["add eggs and one more milk", "ande aur ek aur doodh", "अंडे और एक और दूध"])
def test_what_is_there_is_counted_up_and_the_rest_looked_for(said: str) -> None:
    held = cart(MILK, BREAD)
    order = Order().to_shopping(held=held)
    assert after(order, said, held) == {"milk-1": 3, "bread-1": 1}
    order.settle({"cart": cart({**MILK, "quantity": 3}, BREAD), "report": {}, "overtaken": False})
    assert order.pending is not None
    assert [item["query"] for item in order.pending.payload["items"]] == ["eggs"]


@pytest.mark.promise("P117")
def test_one_more_of_what_is_not_there_is_looked_for_with_the_rest() -> None:
    order = Order().to_shopping(held=cart(BREAD))
    order.say("add eggs and one more milk")
    assert order.pending is not None
    assert [(item["query"], item["count"]) for item in order.pending.payload["items"]] == [("eggs", None), ("milk", 1)]


@pytest.mark.promise("P115", "P210")
@pytest.mark.parametrize(
    "said",
    [
        *(
            "one more bottle",
            "one more packet please",
            "ek aur packet",
            "ek aur botal daal do",
            "one more",
            "and one more",
            "another",
        ),
        *("एक और पैकेट", "एक और दे दो", "one more of it", "only one more"),
    ],
)
def test_one_more_pack_is_of_what_was_just_put_in(said: str) -> None:
    order = Order().to_shopping(held=cart(BREAD)).add("milk", "one", before=cart(BREAD), now=cart(BREAD, line("milk-1", 1)))
    assert after(order, said, cart(BREAD, line("milk-1", 1))) == {"bread-1": 1, "milk-1": 2}
