"""Amounts in words and digits, in three ways of writing, exactly or not at all. The table is ``amounts.yml`` beside this."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from interactions import text
from swiggy_instamart import hearing, lexicon, numbers, quantities, units, words
from swiggy_instamart.readings import Said, Waiting
from tests.support import field_data

HALF = Fraction(1, 2)
TABLE: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "amounts.yml").read_text(encoding="utf-8"))
WITH_UNITS = [
    (said, str(worth)) for language in ("english", "roman hindi", "devanagari") for said, worth in TABLE[language].items()
]


def split(said: str) -> tuple[str, ...]:
    return quantities.split(text.tokens(said))


# ---- the table ----------------------------------------------------------------------------------------------------------


def test_the_table_is_long_enough_and_in_both_scripts() -> None:
    assert len(WITH_UNITS) >= 300
    assert sum(any("\u0900" <= char <= "\u097f" for char in said) for said, _ in WITH_UNITS) >= 70


@pytest.mark.promise("P210")
@pytest.mark.case("A14")
@pytest.mark.parametrize(("said", "worth"), WITH_UNITS)
def test_an_amount_is_exact(said: str, worth: str) -> None:
    value, _, unit = worth.partition(" ")
    tokens = split(said)
    assert quantities.at((*tokens, "milk"), 0, article=True) == quantities.Amount(Fraction(value), unit or None, len(tokens))


@pytest.mark.parametrize(("said", "number"), TABLE["number"].items())
def test_a_whole_turn_is_a_number(said: str, number: int | str) -> None:
    assert quantities.whole(text.tokens(said)) == Fraction(number)


@pytest.mark.case("A13")
@pytest.mark.parametrize(("said", "number"), TABLE["asked"].items())
def test_a_word_that_may_be_another_is_a_number_where_one_was_asked_for(said: str, number: int) -> None:
    assert quantities.whole((said,), asked=True) == number
    assert quantities.whole((said,)) is None


@pytest.mark.promise("P210")
@pytest.mark.parametrize("said", TABLE["refused"])
def test_what_can_be_read_in_two_ways_is_no_amount(said: str) -> None:
    assert quantities.at((*split(said), "milk"), 0) is None


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("couple of kilos of onions", quantities.Amount(Fraction(2), "kg", 4)),
        ("a couple of litres of milk", quantities.Amount(Fraction(2), "l", 5)),
        ("couple of packets of milk", quantities.Amount(Fraction(2), "packet", 4)),
        ("a couple of onions", quantities.Amount(Fraction(2), None, 3)),
        ("a couple of pounds of onions", None),
        ("दो चम्मच चीनी", None),
    ],
)
def test_a_couple_is_of_what_it_names(said: str, amount: quantities.Amount | None) -> None:
    assert quantities.at(split(said), 0, article=True) == amount
    assert amount is not None or quantities.unclear(split(said), 0) or hearing.read(said) == hearing.NOT_UNDERSTOOD


@pytest.mark.case("A15")
@pytest.mark.parametrize("asked", [True, False])
def test_no_is_never_nine(asked: bool) -> None:
    assert quantities.whole(("no",), asked=asked) is None
    assert quantities.whole(("nau",), asked=asked) == 9


# ---- whole numbers and parts --------------------------------------------------------------------------------------------


@given(st.integers(0, 10**10 - 1))
def test_every_whole_number_in_english_words_is_itself(number: int) -> None:
    for lang in ("en", "en_IN"):
        assert quantities.whole(text.tokens(num2words(number, lang=lang))) == number


@given(st.integers(0, 9_999_999))
def test_every_whole_number_in_digits_is_itself_in_both_scripts(number: int) -> None:
    in_hindi = str(number).translate({ord(str(digit)): chr(ord("०") + digit) for digit in range(10)})
    assert (
        quantities.whole((str(number),))
        == quantities.whole((in_hindi,))
        == quantities.whole(text.tokens(f"{number:,}"))
        == number
    )


@pytest.mark.promise("P210")
@pytest.mark.parametrize("language", range(3))
def test_each_language_counts_from_nought_to_a_hundred_and_no_word_counts_twice(language: int) -> None:
    said = [*lexicon.sections("numbers")[language].items(), *lexicon.sections("tens")[language].items()]
    ways = [way for _, ways in said for way in ways]
    assert len(ways) == len(set(ways))
    counted = {value for way, value in numbers.SMALL.items() if way in ways or (len(way) == 2 and way[:1] in ways)}
    assert counted >= set(range(100))
    assert "100" in lexicon.sections("scales")[language]
    for key, ways_ in said:
        assert all(quantities.whole(way, asked=True) == int(key) for way in ways_)


@given(
    st.integers(0, 100),
    st.sampled_from([("a half", HALF), ("half", HALF), ("a quarter", HALF / 2), ("three quarters", 3 * HALF / 2)]),
)
def test_every_number_and_a_part_is_their_sum(number: int, part: tuple[str, Fraction]) -> None:
    said = f"{num2words(number)} and {part[0]}"
    assert quantities.whole(text.tokens(said)) == number + part[1]


@pytest.mark.promise("P210")
@given(
    st.sampled_from(sorted(numbers.SHIFTS)),
    st.sampled_from(sorted(numbers.SMALL)),
    st.sampled_from(["", "sau", "hazaar", "सौ"]),
)
def test_a_shift_moves_any_number_and_a_scale_multiplies_it(shift: str, number: tuple[str, ...], scale: str) -> None:
    value = numbers.SMALL[number]
    found = quantities.whole((shift, *number, *scale.split()))
    worth = (value + numbers.SHIFTS[shift]) * numbers.SCALES.get(scale, 1)
    assert found == (worth if value else None)


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("first", 1),
        ("2nd", 2),
        ("third", 3),
        ("21st", 21),
        ("0th", None),
        ("one", None),
        ("pehla", 1),
        ("doosra", 2),
        ("dusri", 2),
        ("teesra", 3),
        ("chauthi", 4),
        ("पहला", 1),
        ("दूसरी", 2),
        ("तीसरे", 3),
        ("पाँचवाँ", 5),
    ],
)
def test_ordinals_are_places(said: str, place: int | None) -> None:
    assert quantities.ordinal(*text.tokens(said)) == place


def test_no_unit_is_also_a_number_or_a_joining_word() -> None:
    assert not units.UNITS.keys() & (numbers.WORDS | words.NUMBER_JOINS | words.ARTICLES)


# ---- in a sentence ------------------------------------------------------------------------------------------------------

SHOUTED = st.sampled_from([str.upper, str.title, str.lower, str.capitalize])
BETWEEN = st.sampled_from([" ", ", ", "  ", " … ", "\t", " - "])
BEHIND = st.sampled_from(["", ".", "!", "?", "…", " please", ", please.", "।", " , "])
FILLERS = st.lists(st.sampled_from(["um", "uh", "hmm", "er", "umm", "Uhh", "well"]), max_size=3)


@pytest.mark.case("A01", "A03", "A19")
@given(
    st.sampled_from([row for row in WITH_UNITS if row[0][0] not in "-.½¼¾"]),
    SHOUTED,
    BETWEEN,
    BEHIND,
    FILLERS,
    FILLERS,
    st.randoms(use_true_random=False),
)
def test_a_reading_is_stable_under_case_punctuation_and_filler(
    row: tuple[str, str],
    shouted: Any,
    between: str,
    behind: str,
    before: list[str],
    within: list[str],
    chance: random.Random,
) -> None:
    said = " ".join("".join(chance.choice([char, char.upper()]) for char in word) for word in row[0].split())
    plain = hearing.read(f"add {row[0]} paneer")
    spoken = [*before, "add", *within, shouted(said) if chance.random() < 0.5 else said]
    assert plain.said is Said.WANTED
    assert hearing.read(f"{between.join(spoken)} paneer{behind}") == plain


@pytest.mark.promise("P210")
def test_an_amount_is_the_same_wherever_its_item_stands_among_others() -> None:
    for said, _ in WITH_UNITS:
        (alone,) = hearing.read(f"add {said} paneer").items
        assert hearing.read(f"add {said} paneer and bread").items[0] == alone, said
        assert hearing.read(f"bread, {said} paneer").items[1] == alone, said
        assert hearing.read(f"add two milk, {said} paneer and half a kilo onions").items[1] == alone, said
        if quantities.at(split(said), 0):  # without an article, which is no number behind a name
            assert hearing.read(f"add paneer {said}").items in ((alone,), ()), said


@pytest.mark.promise("P210")
@pytest.mark.case("A16")
@pytest.mark.parametrize("said", ["दो पैकेट दूध", "do packet doodh", "two packets milk", "२ पैकेट दूध"])
def test_two_packets_are_two_in_every_script(said: str) -> None:
    (item,) = hearing.read(said).items
    assert (item.count, item.amount, item.unit) == (2, None, "packet")
    assert item.query in ("दूध", "doodh", "milk")


@pytest.mark.case("A16")
@pytest.mark.parametrize("waiting", list(Waiting))
@pytest.mark.parametrize("said", ["do you have milk", "do we need milk", "do it", "do that", "do not add milk", "doodh do"])
def test_do_is_two_only_before_what_can_be_counted(said: str, waiting: Waiting) -> None:
    reading = hearing.read(said, waiting=waiting)
    assert not any(item.count for item in reading.items)
    assert reading.said is not Said.QUANTITY


@pytest.mark.promise("P210")
@pytest.mark.parametrize(
    "said",
    [
        "milk 1 litre 500 ml curd",
        "milk three and half dozen eggs",
        "two pounds of potatoes",
        "2 pounds of potatoes",
        "add 1,5 kg milk",
        "add 2-3 kg onions",
        "add two or three milk",
        "add one twenty eggs",
        "do teen packet doodh",
        "add -2 kg onions",
        "- 2 kg onions",
        "add two million and a half eggs",
        "add one over three kilo onions",
        "ten over two milk",
        "add 1e10 milk",
        "add 10k milk",
        "add $20 chips",
        "₹20 chips",
        "20 rupee chips wala packet 20 rupees",
        "add zero milk",
        "two hundred, uh, fifty grams paneer",
        "one and, a half kilo onions",
        "two, fifty grams paneer",
        "two and three kilo onions",
        "add 0 kg onions",
        "add a dozenth kilo onions",
        "add 123456789101231 milk",
    ],
)
def test_an_amount_that_can_be_read_in_two_ways_wants_nothing(said: str) -> None:
    assert hearing.read(said).said is not Said.WANTED


def test_a_unit_may_begin_the_name_of_what_it_measures() -> None:
    (item,) = hearing.read("ek kilo gram flour").items
    assert (item.query, item.amount, item.unit) == ("gram flour", 1, "kg")
    (item,) = hearing.read("add 500 g gram flour").items
    assert (item.query, item.amount, item.unit) == ("gram flour", 500, "g")


@pytest.mark.parametrize(
    ("said", "count", "amount", "unit"),
    [
        ("2 x 500 g paneer", 2, 500, "g"),
        ("paneer 500g x 2", 2, 500, "g"),
        ("paneer 2 x 500 g", 2, 500, "g"),
        ("two 500 gram packs of paneer", 2, 500, "g"),
        ("500 gram paneer two packets", 2, 500, "g"),
        ("two half kilo packets of paneer", 2, HALF, "kg"),
        ("teen ek kilo wale paneer", 3, 1, "kg"),
        ("paneer x 2", 2, None, None),
        ("two, paneer", 2, None, None),
    ],
)
def test_so_many_packets_of_a_size_are_both(said: str, count: int, amount: Any, unit: str | None) -> None:
    (item,) = hearing.read(said).items
    assert (item.query, item.count, item.amount, item.unit) == ("paneer", count, amount, unit)


@pytest.mark.parametrize(
    ("said", "query", "count"),
    [
        ("do pav", "pav", 2),
        ("add pav", "pav", None),
        ("do pav bhaji masala", "pav bhaji masala", 2),
        ("burts bees", "burts bees", None),
        ("add two polo tees", "polo tees", 2),
        ("add coke zero", "coke zero", None),
        ("one seven up", "seven up", 1),
        ("24 mantra poha", "24 mantra poha", None),
        ("add too yumm chips", "too yumm chips", None),
        ("two 24 mantra poha", "24 mantra poha", 2),
        ("add omega 3", "omega 3", None),
        ("two gram flour", "gram flour", 2),
    ],
)
def test_a_word_that_is_also_a_product_is_one_there(said: str, query: str, count: int | None) -> None:
    (item,) = hearing.read(said).items
    assert (item.query, item.count, item.amount) == (query, count, None)


# ---- public files -------------------------------------------------------------------------------------------------------


@pytest.mark.case("B02")
def test_the_public_numbers_are_right_or_refused() -> None:
    checked = 0
    for said, value in field_data.numbers():
        found = quantities.whole(text.tokens(said))
        assert found is None or float(found) == pytest.approx(float(value)), said
        if 0 <= value <= 100 and value.denominator in (1, 2, 4) and "hundred" not in said:
            assert found == value, said
            checked += 1
    assert checked > 20


@pytest.mark.case("B03")
def test_the_public_measures_are_right_or_refused() -> None:
    checked = 0
    for said, value, unit in field_data.measures():
        tokens = text.tokens(said)
        found, number = quantities.at(tokens, 0), quantities.whole(tokens)
        if value < 0:
            assert found is None, said
            assert number is None, said
        elif unit in quantities.MEASURES:
            assert found == quantities.Amount(value, unit, len(tokens)), said
        elif not unit:
            assert number == value, said
        else:
            assert number is None, said
            assert found is None or found.unit is None or found.used < len(tokens), said
        checked += value >= 0 and (not unit or unit in quantities.MEASURES)
    assert checked > 25
