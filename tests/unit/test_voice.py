"""Replies as words: what a speech engine gets has no digit, no sign and no link in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import voice
from interactions.languages import hi


@pytest.mark.promise("P245")
@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("₹269", "two hundred and sixty-nine rupees"),
        ("₹1", "one rupee"),
        ("₹0", "zero rupees"),
        ("₹0.50", "fifty paise"),
        ("₹1.01", "one rupee and one paisa"),
        ("₹1,234.50", "one thousand two hundred and thirty-four rupees and fifty paise"),
        ("₹1,00,000", "one lakh rupees"),
        ("Rs. 50 off", "fifty rupees off"),
        ("-₹20", "minus twenty rupees"),
        ("₹80/kg", "eighty rupees per kilogram"),
        ("The total is ₹269.", "The total is two hundred and sixty-nine rupees."),
        ("500 ml", "five hundred millilitres"),
        ("500ml", "five hundred millilitres"),
        ("1 l", "one litre"),
        ("1.5 L", "one point five litres"),
        ("1 kg", "one kilogram"),
        ("2.25 kg", "two point two five kilograms"),
        ("250 g", "two hundred and fifty grams"),
        ("1/2 kg", "half a kilogram"),
        ("3/4 kg", "three quarters of a kilogram"),
        ("6 pcs", "six pieces"),
        ("1 pc", "one piece"),
        ("2 x Amul milk", "two Amul milk"),
        ("2 × Amul milk", "two Amul milk"),
        ("Amul milk × 2", "Amul milk, two"),
        ("4 x 100 g", "four times one hundred grams"),
        ("10–15 mins", "ten to fifteen minutes"),
        ("Britannia 50-50", "Britannia fifty fifty"),
        ("7UP 750 ml", "seven UP seven hundred and fifty millilitres"),
        ("5% off", "five per cent off"),
        ("2nd option", "second option"),
        ("by 7:30 pm", "by seven thirty pm"),
        ("by 7:05", "by seven oh five"),
        ("at 7:00", "at seven o'clock"),
        ("Order 18446722", "Order one eight four four six seven two two"),
        ("bread & butter", "bread and butter"),
        ("pay at upi://pay?pa=x@y&am=269", "pay at the link"),
        ("pay at www.example.org/9", "pay at the link"),
        ("Items 1, 2 and 3.", "Items one, two and three."),
        ("no numbers here", "no numbers here"),
        ("To Home. ₹84 to pay. 2 x milk is gone.", "To Home. Eighty-four rupees to pay. Two milk is gone."),
        ("₹84 to pay.", "Eighty-four rupees to pay."),
        ("", ""),
    ],
)
def test_numbers_units_and_rupees_are_words(shown: str, said: str) -> None:
    assert voice.speech(shown) == said


def test_an_unknown_language_is_read_as_english() -> None:
    assert voice.speech("₹5", lang="xx") == voice.speech("₹5", lang="en-IN") == "five rupees"


@given(st.text(st.sampled_from("₹0123456789,./-–x× gmlkRs:%&+abc"), max_size=30))
def test_no_digit_and_no_sign_survives(shown: str) -> None:
    said = voice.speech(shown)
    assert not any(char.isdigit() for char in said)
    assert not set("₹&%+") & set(said)


@given(st.decimals(0, 99999, places=2))
def test_an_amount_of_money_is_said_whole(amount: object) -> None:
    said = voice.speech(f"₹{amount}")
    assert said.endswith(("rupees", "rupee", "paise", "paisa"))
    assert "point" not in said


def test_longer_speech_takes_longer() -> None:
    short, long = voice.speech("Added milk."), voice.speech("Added milk. That makes ₹1,234.50 in all.")
    assert 0 < voice.est_ms(short) < voice.est_ms(long)
    assert voice.words(long) == 17  # "thirty-four" takes two words' time


# ---- Hindi --------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P245")
@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("₹118", "एक सौ अठारह रुपये"),
        ("₹1", "एक रुपया"),
        ("₹0.50", "पचास पैसे"),
        ("₹269.50", "दो सौ उनहत्तर रुपये और पचास पैसे"),
        ("₹1,00,000", "एक लाख रुपये"),
        ("₹12,34,567", "बारह लाख चौंतीस हज़ार पाँच सौ सड़सठ रुपये"),
        ("कार्ट में है: 2 x Amul Taaza 500 ml।", "कार्ट में है: दो Amul Taaza पाँच सौ मिलीलीटर।"),
        ("1/2 kg", "आधा किलो"),
        ("1/4 kg", "पाव किलो"),
        ("1.5 L", "एक दशमलव पाँच लीटर"),
        ("₹80/kg", "अस्सी रुपये प्रति किलो"),
        ("18:02 बजे", "अठारह दो बजे"),
        ("2nd", "दूसरा"),
        ("7th", "सातवाँ"),
        ("10–15 mins", "दस से पंद्रह मिनट"),
        ("Order 18446722", "Order एक आठ चार चार छह सात दो दो"),
        ("www.example.org/9", "लिंक"),
    ],
)
def test_numbers_units_and_rupees_are_hindi_words(shown: str, said: str) -> None:
    assert voice.speech(shown, lang="hi") == voice.speech(shown, lang="hi-IN") == said


@given(st.integers(0, 10**9))
def test_every_number_has_one_name_in_hindi_and_no_digit(number: int) -> None:
    said = hi.cardinal(number)
    assert said == " ".join(said.split())
    assert not any(c.isdigit() for c in said)
    assert hi.cardinal(number + 1) != said


def test_below_a_hundred_every_number_is_a_word_of_its_own() -> None:
    assert len({hi.cardinal(number) for number in range(100)}) == 100
    assert all(" " not in hi.cardinal(number) for number in range(100))


@pytest.mark.parametrize(("speech", "words"), [("कन्फर्म ऑर्डर", 2), ("दो सौ उनहत्तर रुपये देने हैं।", 6), ("Amul दूध", 2)])
def test_a_vowel_sign_parts_no_word(speech: str, words: int) -> None:
    assert voice.words(speech) == words


@pytest.mark.promise("P245")
@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("length", [10, 11, 15, 16, 70, 400, 5000])
@pytest.mark.parametrize("form", ["₹{}", "₹{}.50", "-₹{}", "{}", "{}.5", "{},000", "{}th", "{} kg", "{}-{}", "1/{}", "{} x 5"])
def test_a_number_of_any_length_is_said_without_a_digit(form: str, length: int, lang: str) -> None:
    said = voice.speech(f"about {form.format('9' * length, '8' * length)} in all", lang)
    assert said
    assert not any(char.isdigit() for char in said)


@pytest.mark.promise("P245")
def test_a_number_beyond_crores_is_said_in_words_and_one_beyond_those_digit_by_digit() -> None:
    assert voice.speech("36,000,000,000,000 people") == "thirty-six trillion people"
    assert voice.speech("₹1,00,00,00,00,000.50") == "one hundred billion rupees and fifty paise"
    assert voice.speech("the 20000000000th") == "the twenty billionth"
    assert voice.speech("9,999,999,999,999,999").startswith("nine nine nine")
