"""Amounts in words and digits, exactly, or not at all."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from interactions import text
from swiggy_instamart import quantities
from tests.support import field_data

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("said", "value", "unit"),
    [
        pytest.param("two and a half kilo", Fraction(5, 2), "kg", id="A14-potatoes"),
        pytest.param("one and a half litre", Fraction(3, 2), "l", id="A14-milk"),
        pytest.param("five and a half kilos", Fraction(11, 2), "kg", id="A14-rice"),
        ("two and half kilo", Fraction(5, 2), "kg"),
        ("half a kilo", HALF, "kg"),
        ("half kilo of", HALF, "kg"),
        ("a half litre", HALF, "l"),
        ("quarter of a kilo", Fraction(1, 4), "kg"),
        ("three quarters of a kilo", Fraction(3, 4), "kg"),
        ("a kilo and a half of", Fraction(3, 2), "kg"),
        ("a kilo", Fraction(1), "kg"),
        ("1/2 kg", HALF, "kg"),
        ("½ kg", HALF, "kg"),
        ("1½ kg", Fraction(3, 2), "kg"),
        ("1 1/2 kg", Fraction(3, 2), "kg"),
        ("2.5kg", Fraction(5, 2), "kg"),
        ("1.05 l", Fraction(21, 20), "l"),
        ("one point five litres", Fraction(3, 2), "l"),
        ("500ml", Fraction(500), "ml"),
        ("1,000 g", Fraction(1000), "g"),
        ("five hundred grams", Fraction(500), "g"),
        ("two hundred and fifty gm", Fraction(250), "g"),
        ("two fifty grams", Fraction(250), "g"),
        ("hundred grams", Fraction(100), "g"),
        ("a dozen", Fraction(1), "dozen"),
        ("half a dozen", HALF, "dozen"),
        ("two dozen", Fraction(2), "dozen"),
        ("one and a half dozen", Fraction(3, 2), "dozen"),
        ("two packets of", Fraction(2), "packet"),
        ("a couple of", Fraction(2), None),
        ("three", Fraction(3), None),
        ("2x", Fraction(2), None),
    ],
)
def test_an_amount_is_exact(said: str, value: Fraction, unit: str | None) -> None:
    words = quantities.split(text.tokens(said))
    amount = quantities.at((*words, "milk"), 0, article=True)
    assert amount is not None
    assert (amount.value, amount.unit, amount.used) == (value, unit, len(words))


@pytest.mark.parametrize("said", ["one twenty", "two five kg", "minus two", "-2", "1/0", "no", "kilo meter", ""])
def test_what_can_be_read_in_two_ways_is_no_amount(said: str) -> None:
    assert quantities.at((*text.tokens(said), "milk"), 0) is None


@given(st.integers(0, 9999))
def test_every_whole_number_in_words_is_itself(number: int) -> None:
    for lang in ("en", "en_IN"):
        assert quantities.whole(text.tokens(num2words(number, lang=lang))) == number
    assert quantities.whole((str(number),)) == number


@given(
    st.integers(0, 100),
    st.sampled_from([("a half", HALF), ("half", HALF), ("a quarter", HALF / 2), ("three quarters", 3 * HALF / 2)]),
)
def test_every_number_and_a_part_is_their_sum(number: int, part: tuple[str, Fraction]) -> None:
    said = f"{num2words(number)} and {part[0]}"
    assert quantities.whole(text.tokens(said)) == number + part[1]


def test_no_is_never_nine__A15() -> None:
    assert quantities.whole(("no",)) is None
    assert quantities.whole(("no",), asked=True) is None
    assert quantities.whole(("nau",)) == 9


@pytest.mark.parametrize(
    ("said", "place"), [("first", 1), ("2nd", 2), ("third", 3), ("21st", 21), ("0th", None), ("one", None)]
)
def test_ordinals_are_places(said: str, place: int | None) -> None:
    assert quantities.ordinal(said) == place


def test_the_public_numbers_are_right_or_refused__B02() -> None:
    checked = 0
    for said, value in field_data.numbers():
        if said.startswith("- "):
            continue  # a dash apart from the number is a list mark to us
        found = quantities.whole(text.tokens(said))
        assert found is None or float(found) == pytest.approx(float(value)), said
        ours = (0 <= value <= 100 and value.denominator == 1) or (0 <= value <= 100 and value.denominator in (2, 4))
        if ours and not set(said.split()) & {"dzs", "dozs", "fifths", "hundred"}:
            assert found == value, said
            checked += 1
    assert checked > 20


def test_the_public_measures_are_right_or_refused__B03() -> None:
    checked = 0
    for said, value, unit in field_data.measures():
        words = text.tokens(said)
        found = quantities.at(words, 0)
        if unit in quantities.MEASURES and value >= 0:
            assert found == quantities.Amount(value, unit, len(words)), said
            checked += 1
        elif found is not None and found.used == len(words):
            assert found.unit not in quantities.MEASURES, said
    assert checked > 4
