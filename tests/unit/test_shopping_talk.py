"""Shopping talk in English, Roman Hindi and Devanagari: what is read, and what an order then does. Sentences made up here."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.hearing import Reading, Said, Waiting, Wanted
from tests.support.ordering import BREAD, MILK, Order, cart, line, variant

HALF = Fraction(1, 2)
CHANGING = {Said.WANTED, Said.QUANTITY, Said.REMOVE, Said.SEVERAL, Said.UNDO, Said.CLEAR, Said.SELECT, Said.CONFIRM}


def read(said: str, waiting: Waiting = Waiting.NOTHING) -> Reading:
    return hearing.read(said, names=("Hermes",), waiting=waiting)


# ---- wishes -------------------------------------------------------------------------------------------------------------

MILK_2_BREAD_1 = (Wanted("milk", 2, None, "packet"), Wanted("bread", 1))


@pytest.mark.promise("P116", "P210")
@pytest.mark.parametrize(
    ("said", "items"),
    [
        ("do packet doodh aur ek bread", MILK_2_BREAD_1),
        ("दो पैकेट दूध और एक ब्रेड", MILK_2_BREAD_1),
        ("mujhe do packet doodh aur ek bread chahiye", MILK_2_BREAD_1),
        ("doodh aur bread chahiye", (Wanted("milk"), Wanted("bread"))),
        ("दूध और ब्रेड चाहिए", (Wanted("milk"), Wanted("bread"))),
        ("ek kilo pyaaz daal do", (Wanted("onion", None, Fraction(1), "kg"),)),
        ("एक किलो प्याज डाल दो", (Wanted("onion", None, Fraction(1), "kg"),)),
        ("ek kilo daal daal do", (Wanted("dal", None, Fraction(1), "kg"),)),
        ("ek kilo daal do", (Wanted("dal", None, Fraction(1), "kg"),)),
        ("toor daal do", (Wanted("toor dal"),)),
        ("doodh do", (Wanted("milk"),)),
        ("do doodh do", (Wanted("milk", 2),)),
        ("aadha kilo tamatar bhej do", (Wanted("tomato", None, HALF, "kg"),)),
        ("bread add kar do", (Wanted("bread"),)),
        ("bread add kardo please", (Wanted("bread"),)),
        ("cart mein paneer daal do na", (Wanted("paneer"),)),
        ("teen packet chips lao", (Wanted("chips", 3, None, "packet"),)),
        ("teen doodh", (Wanted("milk", 3),)),
        ("palak paneer", (Wanted("palak paneer"),)),
        ("पालक पनीर", (Wanted("palak paneer"),)),
        ("amul milk half litre", (Wanted("amul milk", None, HALF, "l"),)),
        ("amul doodh daal do", (Wanted("amul milk"),)),
        pytest.param("add milk and make it two", (Wanted("milk", 2),), id="one-breath"),
        pytest.param("add two milk, no, three", (Wanted("milk", 3),), id="corrected"),
        pytest.param("add two milk no no three", (Wanted("milk", 3),), id="corrected-twice"),
        pytest.param("do doodh nahi nahi teen", (Wanted("milk", 3),), id="corrected-hindi"),
        pytest.param("add milk and two breads no no three breads", (Wanted("milk"), Wanted("breads", 3)), id="only-the-slip"),
        pytest.param("add chips and dip", (Wanted("chips and dip", parts=("chips", "dip")),), id="A18-unsettled"),
    ],
)
def test_what_is_wanted_is_read_with_its_verb_at_either_end(said: str, items: tuple[Wanted, ...]) -> None:
    assert read(said) == Reading(Said.WANTED, items=items)


@pytest.mark.promise("P210")
@pytest.mark.parametrize("what", [("doodh", "milk"), ("bread", "bread"), ("pyaaz", "onion"), ("paneer", "paneer")])
@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        *((f"{{}} {verb}", Said.WANTED) for verb in ("daal do", "add karo", "chahiye", "de do", "bhej dena", "lao", "le aao")),
        *((f"ek {{}} {verb}", Said.WANTED) for verb in ("daal do", "dena", "mangwa do", "rakh do", "add kar dijiye")),
        *((f"{{}} {verb}", Said.REMOVE) for verb in ("hata do", "hatao", "nikaal do", "remove karo", "delete kar do")),
        *((f"{{}} ko {verb}", Said.REMOVE) for verb in ("hata dijiye", "nikalo", "cancel kar do")),
        *((f"{{}} teen {verb}", Said.QUANTITY) for verb in ("kar do", "kardo", "karo", "bana do")),
        *((f"{question}", Said.ASKED) for question in ("{} hai kya", "kya {} hai", "{} milega", "{} kitne ka hai")),
        *(
            (f"{{}} {refusal}", Said.NO)
            for refusal in ("mat daalo", "na daalo", "na dena", "naa dalo", "na hatao", "na nikaalo")
        ),
        *((f"{{}} teen {refusal}", Said.NO) for refusal in ("mat karo", "na karo")),
        *((f"{{}} {verb}", Said.WANTED) for verb in ("daal do na", "daalo na", "lao na")),
        ("{} hatao na", Said.REMOVE),
    ],
)
def test_a_verb_says_what_is_to_be_done_with_a_thing(pattern: str, said: Said, what: tuple[str, str]) -> None:
    reading = read(pattern.format(what[0]))
    assert reading.said is said
    named = reading.items[0].query if reading.items else reading.query
    assert said is Said.NO or named == what[1]


@pytest.mark.promise("P113", "P115", "P210")
@pytest.mark.parametrize(
    ("said", "reading"),
    [
        ("teen kar do", Reading(Said.QUANTITY, number=3)),
        ("तीन कर दो", Reading(Said.QUANTITY, number=3)),
        ("doodh teen kar do", Reading(Said.QUANTITY, number=3, query="milk")),
        ("दूध तीन कर दो", Reading(Said.QUANTITY, number=3, query="milk")),
        ("isko do kar do", Reading(Said.QUANTITY, number=2)),
        ("इसको दो कर दो", Reading(Said.QUANTITY, number=2)),
        ("doosre ko teen kar do", Reading(Said.QUANTITY, number=3, line=2)),
        ("sirf teen", Reading(Said.QUANTITY, number=3)),
        ("nahi nahi, teen", Reading(Said.QUANTITY, number=3)),
        ("नहीं नहीं, तीन", Reading(Said.QUANTITY, number=3)),
        ("no no, three", Reading(Said.QUANTITY, number=3)),
        ("item do hata do", Reading(Said.REMOVE, number=2)),
        ("doodh hata do", Reading(Said.REMOVE, query="milk")),
        ("दूध हटा दो", Reading(Said.REMOVE, query="milk")),
        ("hata do doodh", Reading(Said.REMOVE, query="milk")),
        ("meri list se bread hatao", Reading(Said.REMOVE, query="bread")),
        ("doodh nahi chahiye", Reading(Said.REMOVE, query="milk")),
        ("दूध नहीं चाहिए", Reading(Said.REMOVE, query="milk")),
        ("isko hata do", Reading(Said.REMOVE)),
    ],
)
def test_counts_and_removals_in_hindi(said: str, reading: Reading) -> None:
    assert read(said) == reading


@pytest.mark.promise("P115", "P116")
@pytest.mark.parametrize(
    "said",
    [
        "remove the bread and add two milk",
        "add two milk and remove the bread",
        "bread hata do aur do doodh daal do",
        "do doodh daal do aur bread hata do",
        "ब्रेड हटा दो और दो दूध डाल दो",
    ],
)
def test_what_is_put_in_and_what_is_taken_out_in_one_breath_are_told_apart(said: str) -> None:
    reading = read(said)
    assert reading.said is Said.SEVERAL
    by_said = {part.said: part for part in reading.parts}
    assert by_said[Said.WANTED].items == (Wanted("milk", 2),)
    assert by_said[Said.REMOVE].query == "bread"


# ---- references ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P210")
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *((said, Said.UNDO) for said in ("undo", "Undo that.", "wapas karo", "पिछला हटाओ", "scratch that", "vapas kar do")),
        *((said, Said.SAME) for said in ("same again", "same as last time", "wahi", "वही", "the usual", "wahi doodh")),
        *((said, Said.COMPLETE) for said in ("aur kuch nahi", "bas itna hi", "और कुछ नहीं", "itna hi")),
        *((said, Said.SHOW_CART) for said in ("cart dikhao", "कार्ट दिखाओ", "cart mein kya hai")),
    ],
)
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.PICK, Waiting.COUNT])
def test_whole_turns_in_three_writings(said: str, meant: Said, waiting: Waiting) -> None:
    assert read(said, waiting).said is meant


@pytest.mark.promise("P210")
@pytest.mark.parametrize("said", ["the other one", "no, the other one"])
def test_the_other_one_is_no_number(said: str) -> None:
    assert read(said, Waiting.PICK).said is Said.OTHER


@pytest.mark.parametrize("said", ["anything is fine", "koi bhi", "koi bhi chalega", "कोई भी", "you choose", "whichever"])
def test_no_preference(said: str) -> None:
    assert read(said, Waiting.PICK).said is Said.ANY


@pytest.mark.parametrize(
    ("said", "reading"),
    [
        *(
            (s, Reading(Said.SELECT, trait="cheapest"))
            for s in ("the cheaper one", "sasta wala", "sabse sasta de do", "सस्ता वाला")
        ),
        *((s, Reading(Said.SELECT, trait="largest")) for s in ("the big one", "bada wala", "no, the big one", "बड़ा वाला")),
        *((s, Reading(Said.SELECT, query="amul")) for s in ("the amul one", "amul wala de do", "amul")),
        *((s, Reading(Said.SELECT, items=(Wanted("", None, HALF, "l"),))) for s in ("half litre", "the half litre one")),
        ("no, the second one", Reading(Said.SELECT, number=2)),
    ],
)
def test_an_option_is_named_by_what_it_is(said: str, reading: Reading) -> None:
    assert read(said, Waiting.PICK) == reading


@pytest.mark.parametrize(
    "said",
    [
        *("do you have milk", "is milk available", "how much is amul butter", "is there any bread", "दूध है क्या"),
        *("sabhi alarms cancel kardo", "timer ko hata do", "music band kar do", "kal ki meeting hata do", "khidki khol do"),
        *("light band kar do", "gaana baja do", "mummy ko call kar do", "volume badha do", "kya aaj barish hogi"),
        *("what should I do", "will do", "doodh mat daalo", "milk or curd", "doodh ya dahi", "मौसम कैसा है", "अलार्म हटा दो"),
    ],
)
def test_questions_and_other_business_change_nothing(said: str) -> None:
    assert read(said).said not in CHANGING


# ---- what an order does -------------------------------------------------------------------------------------------------


def chosen(variants: list[dict[str, Any]], spin: str, *, option: str = "the first one") -> Order:
    order = Order().to_shopping()
    order.say("add milk")
    order.find(milk=variants)
    order.say(option)
    return written(order, cart(), cart(line(spin)))


def written(order: Order, before: dict[str, Any], after: dict[str, Any]) -> Order:
    order.settle({"cart": before})
    order.settle({"cart": after, "report": {}, "overtaken": False})
    return order


def asked_for(order: Order) -> list[tuple[str, int]]:
    assert order.pending is not None
    return [(row["spin"], row["quantity"]) for row in order.pending.payload["after"]]


@pytest.mark.promise("P210")
def test_the_other_of_two_takes_the_place_of_the_first() -> None:
    order = chosen(MILK[:2], "milk-1")
    order.say("no, the other one")
    order.settle({"cart": cart(line("milk-1"))})
    assert asked_for(order) == [("milk-2", 1)]


@pytest.mark.promise("P210")
def test_of_three_it_is_asked_which_other_one() -> None:
    order = chosen(MILK, "milk-1")
    order.say("no, the other one")
    assert order.pending is None
    assert "Which one?" in order.words
    order.say("option 2")
    order.settle({"cart": cart(line("milk-1"))})
    assert asked_for(order) == [("milk-3", 1)]


@pytest.mark.promise("P210")
def test_undo_takes_back_the_last_edit_and_the_one_before_it() -> None:
    order = chosen(MILK, "milk-1")
    order.say("make it three")
    written(order, cart(line("milk-1")), cart(line("milk-1", 3)))
    order.say("undo")
    order.settle({"cart": cart(line("milk-1", 3))})
    assert asked_for(order) == [("milk-1", 1)]
    order.settle({"cart": cart(line("milk-1")), "report": {}, "overtaken": False})
    assert order.words.startswith("Taken back. The cart has 1 x Amul Taaza")
    order.say("undo that")
    order.settle({"cart": cart(line("milk-1"))})
    assert asked_for(order) == []


@pytest.mark.promise("P210")
def test_undo_never_goes_over_what_somebody_else_did() -> None:
    order = chosen(MILK, "milk-1")
    order.say("undo")
    order.settle({"cart": cart(line("milk-1"), line("eggs", name="Eggs"))})
    assert order.pending is None
    assert order.words.startswith("The cart was changed since, so I took nothing back.")


def test_a_wish_is_taken_back_before_anything_that_was_written() -> None:
    order = chosen(MILK, "milk-1")
    order.say("add bread")
    order.find()
    order.say("undo")
    assert order.pending is None
    assert order.words == "I put nothing in. What would you like?"


def test_with_nothing_done_there_is_nothing_to_take_back() -> None:
    order = Order().to_shopping()
    order.say("undo")
    assert order.pending is None
    assert order.words.startswith("There is nothing of mine to take back.")


def test_the_review_is_over_when_something_is_taken_back() -> None:
    order = chosen(MILK, "milk-1")
    held = cart(line("milk-1"))
    order.say("complete order")
    order.settle({"cart": held, "scan": True, "reachable": True, "maybe": [], "blocked": False})
    assert order.phase == "awaiting_confirmation"
    order.say("undo")
    assert order.standing.state["review"] is None


@pytest.mark.promise("P115", "P117")
def test_what_goes_is_written_first_and_what_comes_is_then_looked_for() -> None:
    order = chosen(MILK, "milk-1")
    order.say("remove the milk and add a bread")
    order.settle({"cart": cart(line("milk-1"))})
    assert asked_for(order) == []
    order.settle({"cart": cart(), "report": {}, "overtaken": False})
    assert order.words == "Removed Amul Taaza 500 ml."
    assert order.pending is not None
    assert [item["query"] for item in order.pending.payload["items"]] == ["bread"]


def test_what_was_not_there_to_take_out_does_not_lose_the_wish() -> None:
    order = Order().to_shopping(held=cart(line("milk-1")))
    order.say("remove the ghee and add a bread")
    order.settle({"cart": cart(line("milk-1"))})
    assert order.words.startswith("I do not see that in the cart.")
    assert order.pending is not None
    assert order.pending.name == "search"


def test_anything_takes_the_first_and_says_which() -> None:
    order = chosen(MILK, "milk-1", option="anything is fine")
    assert "Amul Taaza" in order.words


@pytest.mark.parametrize(("said", "spin"), [("the cheapest one", "milk-3"), ("the nandini one", "milk-2")])
def test_an_option_is_taken_only_where_it_is_the_one(said: str, spin: str) -> None:
    variants = [MILK[0], MILK[1], {**MILK[2], "price_paise": 2000}]
    order = Order().to_shopping()
    order.say("add milk")
    order.find(milk=variants)
    order.say("the amul one")
    assert order.pending is None
    assert order.words.startswith("That fits more than one of them.")
    order.say(said)
    assert order.pending is not None
    assert order.pending.payload["edit"]["lines"][0]["spin"] == spin


@pytest.mark.parametrize(
    ("said", "takes"), [("the cheapest one", ("pack", 1)), ("sabse sasta", ("pack", 1)), ("the expensive one", ("small", 3))]
)
def test_the_cheapest_is_what_costs_least_for_all_that_was_asked_for(said: str, takes: tuple[str, int]) -> None:
    """Of half a kilo, three small packs at 89 are dearer than one at 215, though each of them is cheaper."""
    small = variant("small", "Malai Paneer", brand="Amul", size="200 g", price=8900)
    pack = variant("pack", "Fresh Paneer", brand="Milky Mist", size="500 g", price=21500)
    order = Order().to_shopping()
    order.say("half a kilo paneer")
    order.find(paneer=[small, pack])
    order.say(said)
    assert order.pending is not None
    (line,) = order.pending.payload["edit"]["lines"]
    assert (line["spin"], line["quantity"]) == takes


@pytest.mark.parametrize(
    ("said", "readings"),
    [
        ("doodh hatao dahi daalo", (Reading(Said.REMOVE, query="milk"), Reading(Said.WANTED, (Wanted("curd"),)))),
        ("दूध हटाओ दही डालो", (Reading(Said.REMOVE, query="milk"), Reading(Said.WANTED, (Wanted("curd"),)))),
        ("remove milk I mean curd", (Reading(Said.REMOVE, query="curd"),)),
    ],
)
def test_a_verb_is_kept_by_its_own_clause(said: str, readings: tuple[Reading, ...]) -> None:
    found = read(said)
    assert (found.parts or (found,)) == readings


@pytest.mark.parametrize("said", ["yes but the smaller one", "the bigger one", "chhota wala"])
def test_of_one_alone_another_is_not_it(said: str) -> None:
    order = Order().to_shopping()
    order.say("add bread")
    order.find(bread=BREAD)
    order.say(said)
    assert order.pending is None


@pytest.mark.promise("P117")
def test_a_sentence_that_came_in_pieces_loses_nothing__A09() -> None:
    order = Order().to_shopping()
    order.say("I need two litres")
    order.say("of toned milk")
    assert order.pending is not None
    assert order.pending.payload["items"] == [{"query": "toned milk", "count": None, "amount": "2", "unit": "l"}]
    order.find(**{"toned milk": MILK})
    order.say("and a bread")
    order.find(bread=BREAD)
    assert [row["query"] for row in order.standing.state["offers"]] == ["toned milk", "bread"]


def test_a_question_is_answered_by_a_search_and_changes_nothing__A16() -> None:
    order = Order().to_shopping()
    order.say("do you have milk")
    order.find()
    assert order.calls[-1] == "search"
    assert "For milk I found" in order.words


@pytest.mark.promise("P210")
def test_the_same_again_is_proposed_and_put_in_only_on_a_yes() -> None:
    order = Order().to_shopping()
    order.say("same as last time")
    order.settle({"lines": [line("milk-1", 2)]})
    assert order.words == "Last time you ordered 2 x Amul Taaza 500 ml. Shall I put that in?"
    assert order.pending is None
    order.say("yes")
    assert order.pending is not None
    assert order.pending.name == "rebuild"
    order.settle({"lines": [line("milk-1", 2)], "missing": [], "unchecked": []})
    order.settle({"cart": cart()})
    assert asked_for(order) == [("milk-1", 2)]


@pytest.mark.promise("P210")
def test_where_nothing_is_known_of_before_it_is_asked_for() -> None:
    order = Order().to_shopping()
    order.say("wahi doodh")
    assert order.pending is not None
    assert order.pending.payload == {"query": "milk"}
    order.settle({"lines": []})
    order.say("haan")
    assert order.calls[-1] == "recall"
