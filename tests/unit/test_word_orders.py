"""Shopping as it is spoken at home: amounts that come late, lists without a pause, what is not needed, and mere outcries."""

from __future__ import annotations

from fractions import Fraction

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.hearing import Reading, Said, Waiting, Wanted
from tests.support.ordering import Order, cart, line, variant

EGGS = [variant(f"eggs-{n}", f"Eggs {n}", size=f"{n} pieces", brand="Farm") for n in (6, 12, 30)]


def read(said: str, waiting: Waiting = Waiting.NOTHING) -> Reading:
    return hearing.read(said, names=("Hermes",), waiting=waiting)


def add(*items: Wanted, **more: bool) -> Reading:
    return Reading(Said.WANTED, items, **more)


def packs(count: int, query: str) -> Wanted:
    return Wanted(query, count, unit="packet")


def dozen(query: str, amount: Fraction | int = 1) -> Wanted:
    return Wanted(query, None, Fraction(amount), "dozen")


def kilos(query: str, amount: int) -> Wanted:
    return Wanted(query, None, Fraction(amount), "kg")


@pytest.mark.promise("P117")
@pytest.mark.parametrize(
    ("said", "items"),
    [
        *((said, [packs(2, "milk")]) for said in ("doodh chahiye do packet", "doodh daal do do packet", "दूध डाल दो दो पैकेट")),
        *((said, [packs(2, "milk")]) for said in ("mujhe doodh chahiye do packet", "दूध चाहिए दो पैकेट")),
        ("atta chahiye paanch kilo", [kilos("atta", 5)]),
        ("bhai anda bhi daal dena ek dozen", [dozen("egg")]),
        ("ande lao ek darjan", [dozen("eggs")]),
        ("anda chahiye ek dozen aur bread ek", [dozen("egg"), Wanted("bread", 1)]),
        *(
            (said, [packs(1, "salt")])
            for said in ("namak ka ek packet", "cart mein namak ka ek packet daal do", "नमक का एक पैकेट")
        ),
        ("amul ka do litre wala doodh", [Wanted("amul milk", None, Fraction(2), "l")]),
        *((said, [packs(2, "milk"), packs(2, "curd")]) for said in ("do do packet doodh aur dahi", "दो दो पैकेट दूध और दही")),
        ("two two packets milk and bread", None),
        ("bread chahiye ek aur doodh", None),
    ],
)
def test_an_amount_that_comes_late_belongs_to_what_was_named(said: str, items: list[Wanted] | None) -> None:
    assert read(said) == (add(*items) if items else Reading(Said.NOTHING))


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    ("said", "query"),
    [
        *((said, "salt") for said in ("namak ka ek aur packet", "नमक का एक और पैकेट", "ek aur packet namak")),
        *((said, "") for said in ("aur ek daal do", "और एक डाल दो", "ek aur daal do")),
        *((said, "milk") for said in ("doodh ek aur badhao", "दूध एक और बढ़ा दो")),
        ("bread chahiye ek aur", "bread"),
    ],
)
def test_one_more_in_any_order_of_words(said: str, query: str) -> None:
    assert read(said) == Reading(Said.MORE, number=1, query=query)


@pytest.mark.promise("P117")
@pytest.mark.parametrize(
    ("said", "items"),
    [
        *(
            (said, [Wanted("maggi", 4), kilos("atta", 2), dozen("eggs")])
            for said in (
                "four maggi two kilo atta and a dozen eggs",
                "char maggi do kilo atta aur ek darjan ande",
                "चार मैगी दो किलो आटा और एक दर्जन अंडे",
            )
        ),
        *(
            (said, [Wanted("milk", None, Fraction(1), "l"), packs(2, "bread")])
            for said in ("milk 1 litre bread 2 packets", "doodh ek litre bread do packet", "दूध एक लीटर ब्रेड दो पैकेट")
        ),
        ("milk two bread three", [Wanted("milk", 2), Wanted("bread", 3)]),
        ("2 amul milk 500 ml", [Wanted("amul milk", 2, Fraction(500), "ml")]),
        ("2 amul 500 ml milk", [Wanted("amul milk", 2, Fraction(500), "ml")]),
        ("two ice 500 ml cream", [Wanted("ice cream", 2, Fraction(500), "ml")]),
        ("two amul milk 500 ml and one bread", [Wanted("amul milk", 2, Fraction(500), "ml"), Wanted("bread", 1)]),
        *(
            (said, [Wanted("milk"), Wanted("bread"), Wanted("eggs"), Wanted("butter")])
            for said in ("milk bread eggs butter", "doodh bread ande makkhan", "दूध ब्रेड अंडे मक्खन")
        ),
        ("ginger garlic paste", [Wanted("ginger garlic paste")]),
        ("lemon tea", [Wanted("lemon tea")]),
    ],
)
def test_a_list_without_a_pause(said: str, items: list[Wanted]) -> None:
    assert read(said) == add(*items)


@pytest.mark.parametrize(
    "said",
    [
        "maggi two kilo atta",
        "milk two bread",
        "four maggi two kilo aashirvaad",
        "two milk bread eggs butter",
        "kurkure 2 lays 3",
    ],
)
def test_a_number_that_may_be_of_either_is_asked_about(said: str) -> None:
    assert read(said) == Reading(Said.NOTHING)


@pytest.mark.promise("P116")
@pytest.mark.parametrize(
    "said",
    [
        "milk, bread, eggs, butter, cheese, paneer, curd, rice",
        "milk bread eggs butter cheese paneer curd rice",
        "doodh, bread, ande, makkhan, paneer, dahi, chawal aur atta",
    ],
)
def test_eight_things_are_counted_and_the_bound_is_said(said: str) -> None:
    order = Order().to_shopping()
    order.say(said)
    assert order.pending is None
    assert order.words == order.sentence("too_many_items", most=5)


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        *("kick out the bread", "kick the bread out", "ditch the bread", "lose the bread", "dump the bread"),
        *(
            "no need of bread",
            "no need for the bread",
            "don't need the bread",
            "bread is not needed",
            "I don't need bread any more",
        ),
        *("bread nako", "bread ki zaroorat nahi", "bread nahi mangta", "ब्रेड नको", "ब्रेड की ज़रूरत नहीं है"),
        "actually remove the bread",
    ],
)
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.COUNT, Waiting.REVIEW])
def test_what_is_not_needed_goes(said: str, waiting: Waiting) -> None:
    assert read(said, waiting) == Reading(Said.REMOVE, query="bread")


@pytest.mark.promise("P115")
def test_options_that_are_not_wanted_take_nothing_out_of_the_cart() -> None:
    held = cart(line("milk-1", 1))
    order = Order().to_shopping().add("milk", "one", now=held)
    order.say("bread")
    order.find()
    order.say("I don't want these")
    assert order.pending is None
    assert not order.standing.state.get("offers")
    assert order.standing.state["cart"] == held


@pytest.mark.parametrize("said", ["don't want it", "don't add milk", "no need", "nako", "don't need it"])
def test_what_denies_without_a_thing_of_its_own_stays_a_no(said: str) -> None:
    assert read(said, Waiting.REVIEW) == Reading(Said.NO)


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        "actually three",
        "three actually",
        "actually make it three",
        "sorry, three",
        "matlab teen",
        "asal mein teen",
        "असल में तीन",
    ],
)
@pytest.mark.parametrize("stated", ["milk", "two milk"])
def test_another_number_is_that_of_what_was_just_put_in(said: str, stated: str) -> None:
    held = cart(line("milk-1", 2 if stated == "two milk" else 1))
    order = Order().to_shopping().add(stated, "one", now=held)
    order.say(said)
    order.settle({"cart": held})
    assert order.pending is not None
    assert [row["quantity"] for row in order.pending.payload["after"]] == [3]


@pytest.mark.promise("P113")
@pytest.mark.parametrize(
    "said", ["three milk not two", "not two, three milk", "make it three milk", "actually make the milk three"]
)
def test_a_corrected_number_is_the_last_one_said(said: str) -> None:
    held = cart(line("milk-1", 2, name="Amul Milk"))
    order = Order().to_shopping(held=held)
    order.say(said)
    order.settle({"cart": held})
    assert order.pending is not None
    assert [row["quantity"] for row in order.pending.payload["after"]] == [3]


@pytest.mark.promise("P112")
@pytest.mark.parametrize(
    "said", ["the 12 pack", "the pack of 12", "pack of 12", "12 wala", "12 wala pack", "बारह वाला", "the 12 pack please"]
)
def test_an_option_by_how_many_are_in_it(said: str) -> None:
    order = Order().to_shopping()
    order.say("eggs")
    order.find(eggs=EGGS)
    order.say(said)
    order.settle({"cart": cart()})
    assert order.pending is not None
    assert [row["spin"] for row in order.pending.payload["after"]] == ["eggs-12"]


@pytest.mark.parametrize("said", ["12 pack", "12", "twelve"])
def test_a_bare_number_of_packs_is_no_size(said: str) -> None:
    assert read(said, Waiting.PICK).items == ()


@pytest.mark.promise("P115")
@pytest.mark.parametrize(
    "said",
    [
        "eggs hata ke milk aur bread daal do",
        "ande hata kar doodh aur bread daal do",
        "अंडे हटा के दूध और ब्रेड डाल दो",
        "milk and bread instead of eggs",
    ],
)
def test_of_several_things_instead_of_one_none_is_lost(said: str) -> None:
    assert read(said) == Reading(Said.SEVERAL, parts=(Reading(Said.REMOVE, query="eggs"), add(Wanted("milk"), Wanted("bread"))))


@pytest.mark.promise("P126", "P127")
@pytest.mark.parametrize(
    "said", ["bas, order pura karo", "bas order pura karo", "बस, ऑर्डर पूरा करो", "bas order complete karo", "bas aur nahi"]
)
def test_enough_and_a_review_ask_for_the_review(said: str) -> None:
    assert read(said) == Reading(Said.COMPLETE)


@pytest.mark.case("C09")
@pytest.mark.parametrize(
    "said",
    [
        *("oh crap", "oh god", "holy cow", "bloody hell", "oops", "damn", "hey bhagwan", "हे भगवान", "testing"),
        *("flat 402", "tower 3", "sector 15", "flat 402 tower B", "pin code 560001", "B 12", "budget 500", "फ्लैट 402"),
        *("twenty twenty four", "I ate eggs", "the milk went bad", "the dog ate the bread", "wapas aate waqt doodh"),
    ],
)
def test_what_is_no_shopping_is_not_searched(said: str) -> None:
    assert read(said) == Reading(Said.NOTHING)


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ("oh, milk", [Wanted("milk")]),
        ("30 eggs", [Wanted("eggs", 30)]),
        ("two twenty twenty", [Wanted("twenty twenty", 2)]),
        ("actually curd", [Wanted("curd")]),
        ("ek kaam karo, doodh daal do", [Wanted("milk")]),
        ("ek kaam karo doodh daal do", [Wanted("milk")]),
        ("yaar doodh bhi mangwa lo", [Wanted("milk")]),
        ("thoda sa dhaniya daal do", [Wanted("coriander")]),
        ("dhaniya thoda", [Wanted("coriander")]),
        ("tomato one kilo only", [kilos("tomato", 1)]),
        ("get two litres of milk and some bread na", [Wanted("milk", None, Fraction(2), "l"), Wanted("bread")]),
    ],
)
def test_what_stands_around_a_wish_is_no_part_of_it(said: str, items: list[Wanted]) -> None:
    assert read(said) == add(*items)
