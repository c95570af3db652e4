"""Folding, names, activation, sameness, and the rule that lets money be spent."""

from __future__ import annotations

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import activation, lexicon, sameness, text

NAMES = ("Hermes",)
CONFIRM = ("confirm order", "कन्फर्म ऑर्डर")
PHRASES = [
    (("order", "swiggy"), "swiggy_order"),
    (("practice", "order", "swiggy"), "swiggy_rehearsal"),
    (("स्विगी", "ऑर्डर"), "swiggy_order"),
]


@pytest.mark.parametrize(
    ("said", "folded"),
    [
        ("  Add, TWO   milk. ", "add two milk"),
        ("Yes…", "yes"),
        ("₹1,234.50", "1234.50"),
        ("1,00,000 rice", "100000 rice"),
        ("1.5 kg and ½ kg", "1.5 kg and 1/2 kg"),
        ("1½ kg", "1 1/2 kg"),
        ("-1 milk", "-1 milk"),
        ("that’s all", "that's all"),
        ("'quoted'", "quoted"),
        ("bread & butter", "bread and butter"),
        ("2 × milk", "2 x milk"),
        ("mi\u200blk", "milk"),
        ("दो पैकेट दूध।", "दो पैकेट दूध"),
        ("हाँ", "हाँ"),
        ("ｍｉｌｋ", "milk"),
        ("...", ""),
    ],
)
def test_folding_keeps_the_words_and_drops_the_rest(said: str, folded: str) -> None:
    assert text.normalise(said) == unicodedata.normalize("NFKC", folded)


@given(st.text(alphabet=st.characters(codec="ascii", categories=["L", "N", "Zs"]), max_size=60))
def test_the_short_way_of_folding_plain_words_gives_what_the_long_one_gives(said: str) -> None:
    # Before a full stop nothing is plain, and it folds to nothing.
    assert text.normalise(said) == text.normalise(said + " .")


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(said: str) -> None:
    assert text.normalise(text.normalise(said)) == text.normalise(said)


@pytest.mark.promise("P004")
@pytest.mark.parametrize("said", ["", " ", ".", "…", "\u200b", "\n\t"])
def test_an_utterance_without_words_has_no_tokens(said: str) -> None:
    assert text.tokens(said) == ()


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("hermes order", "order"),
        ("hey hermes order", "order"),
        ("hermes hermes order", "hermes order"),
        ("hey order", "hey order"),
        ("order hermes", "order hermes"),
        ("hermes", ""),
    ],
)
def test_one_leading_name_is_taken_off_and_no_more(said: str, left: str) -> None:
    assert " ".join(text.strip_name(text.tokens(said), NAMES)) == left


@pytest.mark.promise("P047", "P048", "P054")
@pytest.mark.case("A02", "A04", "A05", "A06", "A19")
@pytest.mark.parametrize(
    "said",
    [
        "order swiggy",
        "ORDER SWIGGY",
        "Order Swiggy.",
        pytest.param("Hermes order Swiggy", id="A02-plain"),
        pytest.param("Hermes, order Swiggy.", id="A02-comma"),
        pytest.param("Hermes order, Swiggy!", id="A02-comma-inside"),
        pytest.param(", hermes order swiggy", id="A02-comma-first"),
        "…order—Swiggy?!",
        "Hey Hermes order Swiggy",
        "order\u200b swiggy",
        "ＯＲＤＥＲ ＳＷＩＧＧＹ",
        pytest.param("um, order swiggy please", id="A19"),
        "Hermes, please order Swiggy",
        "so um hermes could you please order swiggy",
        "Hermes! Hermes, order Swiggy",
        pytest.param("Hermis, order swiggy", id="A04-hermis-no-wake"),
        pytest.param("Hermies order swiggy", id="A04-hermies-no-wake"),
        "hey Her mes, order swiggy",
        pytest.param("order Swiggy, Hermes", id="A06-behind"),
        pytest.param("order Swiggy please, Hermes. Thank you.", id="A06-A07-behind"),
        pytest.param("order Swiggy. Thanks for watching!", id="A07-tail"),
        "order swiggy, order swiggy",
        "Order Swiggy. Hermes, order Swiggy.",
        "arre zara order swiggy",
        "स्विगी ऑर्डर",
        "प्लीज़ स्विगी ऑर्डर।",
    ],
)
def test_the_phrase_opens_the_mode_however_it_is_written(said: str) -> None:
    found = activation.find(said, PHRASES, NAMES)
    assert found is not None
    assert (found.key, found.remainder) == ("swiggy_order", "")


@pytest.mark.promise("P049", "P050")
@pytest.mark.parametrize(
    "said",
    [
        "I want to order swiggy",
        "did you order swiggy",
        "tell Hermes order swiggy",
        "order swiggys",
        "reorder swiggy",
        "Hermes Hermes is order swiggy",
        "please tell me how to order swiggy",
        "yes order swiggy",
        "don't order swiggy",
        "order, and swiggy",
        "herring order swiggy",  # a word, no name
        "orders swiggy",
        "order",
        "",
        pytest.param("Hermes order swig gy", id="A20-pieces"),
    ],
)
def test_a_mention_in_passing_opens_nothing(said: str) -> None:
    assert activation.find(said, PHRASES, NAMES) is None


@pytest.mark.promise("P051", "P010")
@pytest.mark.parametrize(
    ("said", "remainder"),
    [
        ("order swiggy two Amul milk, please", "two Amul milk, please"),
        ("Hermes, order Swiggy: 1.5 kg Onions & Bread!", "1.5 kg Onions & Bread!"),
        ("order swiggy,₹50 chocolate", "₹50 chocolate"),
        ("order swiggy दो पैकेट दूध", "दो पैकेट दूध"),
        ("order swiggy thank you", ""),
        ("order swiggy — ", ""),
    ],
)
def test_the_remainder_is_what_followed_in_its_own_wording(said: str, remainder: str) -> None:
    found = activation.find(said, PHRASES, NAMES)
    assert found is not None
    assert found.remainder == remainder


@pytest.mark.promise("P052")
def test_the_longest_phrase_wins() -> None:
    phrases = [(("order",), "short"), (("order", "swiggy"), "long")]
    found = activation.find("order swiggy milk", phrases, NAMES)
    assert found == activation.Activation("long", ("order", "swiggy"), "milk")


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("Hermis, order swiggy", id="A04-hermis"),
        pytest.param("Hermies order swiggy", id="A04-hermies"),
        pytest.param("hermes order swiggy", id="A05-named"),
        pytest.param("order swiggy", id="A05-bare"),
        pytest.param("Hermes order swig gy", id="A20-swig-gy"),
        pytest.param("order swiggie", id="A20-swiggie"),
        pytest.param("order squiggy", id="A20-squiggy"),
        pytest.param("order sweggy", id="A20-sweggy"),
        pytest.param("order swigi", id="A20-swigi"),
    ],
)
def test_after_a_wake_two_wrong_letters_are_forgiven(said: str) -> None:
    found = activation.find(said, PHRASES, NAMES, slack=2)
    assert found is not None
    assert (found.key, found.remainder) == ("swiggy_order", "")


@pytest.mark.case("A20")
@pytest.mark.parametrize("said", ["order squid gravy", "order swimming trunks", "border swigs", "swiggy", "order a taxi", ""])
def test_after_a_wake_other_words_still_open_nothing(said: str) -> None:
    assert activation.find(said, PHRASES, NAMES, slack=2) is None


@pytest.mark.case("A04")
@pytest.mark.parametrize(
    ("said", "missed"),
    [
        ("order swaggie", True),
        ("Hermes, order squigly", True),
        ("order squid gravy", False),
        ("what is the time", False),
        ("order pizza", False),
        ("", False),
    ],
)
def test_one_letter_more_than_is_forgiven_is_worth_a_question(said: str, missed: bool) -> None:
    assert activation.find(said, PHRASES, NAMES, slack=2) is None
    assert (activation.nearly(said, PHRASES, NAMES, slack=2) == ("order", "swiggy")) is missed


# ---- what recognisers invent --------------------------------------------------------------------------------------------


@pytest.mark.case("A07")
@pytest.mark.parametrize(
    "said",
    [
        "Thank you.",
        "thank you for watching",
        "Thanks for watching!",
        "Thank you. Thank you. Thank you for watching!",
        "Please subscribe.",
        "Subtitles by the Amara.org community",
        "Transcribed by https://otter.ai",
        "you",
        "[Music]",
        "(silence)",
        "*laughs*",
        "♪ la la la ♪",
        "[BLANK_AUDIO] [Music]",
        "धन्यवाद।",
        "देखने के लिए धन्यवाद",
        "dhanyavaad",
    ],
)
def test_lines_that_recognisers_write_where_nobody_spoke_are_known(said: str) -> None:
    assert text.is_invented(said)


@pytest.mark.case("A07")
@pytest.mark.parametrize(
    "said",
    [
        *("yes thank you", "Hermes, thank you", "thank you, two milk", "milk", "subscribe", "you are right", "no thanks"),
        *("stop", "bye", "confirm order", "two (2) milk", "[loudly] two milk", "music", "नहीं धन्यवाद"),
    ],
)
def test_whoever_says_more_is_heard(said: str) -> None:
    assert not text.is_invented(said)


@pytest.mark.case("A07")
@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("add one curd thank you", "add one curd"),
        ("add one curd thanks for watching", "add one curd"),
        ("two milk please thank you very much", "two milk"),
        ("do doodh dhanyavaad", "do doodh"),
        ("read me the end", "read me the end"),
        ("i like you", "i like you"),
    ],
)
def test_at_the_end_of_a_sentence_they_are_taken_off(said: str, left: str) -> None:
    assert " ".join(text.strip_farewell(text.tokens(said))) == left


@pytest.mark.case("A06", "C08")
@pytest.mark.parametrize(
    "said", ["stop", "Hermes, stop.", "um stop please", "stop, Hermes", "Hermes stop Hermes", "hey hermes, um, stop, thanks"]
)
def test_the_core_of_a_sentence_is_what_it_says(said: str) -> None:
    assert text.core(said, NAMES) == ("stop",)


def test_every_word_of_hearing_is_written_as_an_utterance_is_folded() -> None:
    for language in lexicon._LANGUAGES:
        for key in language.get("phrases", {}):
            assert all(text.tokens(" ".join(phrase)) == phrase for phrase in lexicon.phrases(key)), key
        for key in language.get("words", {}):
            assert all(text.tokens(word) == (word,) for word in lexicon.words(key)), key


@pytest.mark.promise("P022", "P024")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("add two milk", "Add two milk."),
        ("add 2 milk", "add two milk"),
        ("Hermes, add two milk", "add two milk"),
        ("add two Amul milk", "add two amool milk"),
        ("order swig gy", "order swiggy"),
        pytest.param("add to milk", "add two milk", id="A12"),
        ("add 25 eggs", "add twenty five eggs"),
        ("add moong dal", "add mung dal"),
        ("add tomatos", "uh, add the tomatoes"),
        ("please add milk", "add milk"),
        ("okay", "Okay."),
        ("yes", "Yes!"),
    ],
)
def test_two_recognisers_hearing_one_speech_agree(one: str, other: str) -> None:
    assert sameness.near_equal(one, other, names=NAMES)
    assert sameness.near_equal(other, one, names=NAMES)


@pytest.mark.promise("P022", "P026")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("add two milk", "add ten milk"),
        ("remove item 2", "remove item 3"),
        ("yes", "no"),
        ("add milk", "no add milk"),
        ("confirm order", "cancel order"),
        ("add milk", "add milk and bread"),
        pytest.param("add seven pens", "add seven eggs", id="another thing"),
        ("add two packets of butter", "add two packets of batter"),
        ("add a kilo of peas", "add a kilo of pears"),
        ("add a bottle of mustard", "add a bottle of custard"),
        ("add a large pack of bread", "add a large pack of broad beans"),
        pytest.param("add fifteen eggs please now", "add fifty eggs please now", id="another amount"),
        ("add 500 grams of sugar", "add 600 grams of sugar"),
        ("twenty packets of toned milk", "twenty one packets of toned milk"),
        ("chaubees ande", "chhabbees ande"),
        ("दो पैकेट दूध", "दस पैकेट दूध"),
        ("confirm order", "confirm border"),
        ("don't clear my cart now", "do clear my cart now"),
        ("", ""),
        (".", "yes"),
    ],
)
def test_different_orders_are_not_the_same_speech(one: str, other: str) -> None:
    assert not sameness.near_equal(one, other, names=NAMES)


@pytest.mark.promise("P022")
def test_a_twin_that_says_more_extends_the_first() -> None:
    assert sameness.extends("Hermes, add two milk and a bread", "add 2 milk", names=NAMES)
    assert sameness.tail("Hermes, add two milk and a Bread!", "add 2 milk", names=NAMES) == "and a Bread!"
    assert sameness.extends("confirm order no wait", "confirm order")
    assert not sameness.extends("add milk", "add milk")
    assert not sameness.extends("add milk", "add milk and bread")
    assert not sameness.extends("confirm orders", "confirm order")


def test_a_wake_heard_badly_by_a_far_device_resembles_what_the_near_one_heard_and_is_no_twin_of_it() -> None:
    assert sameness.resembles("order swiggy", "Hermes, order swing", names=NAMES)
    assert not sameness.near_equal("order swiggy", "order swing")
    assert not sameness.resembles("add two milk", "add ten milk")
    assert not sameness.resembles("", "")


LIKE = sameness.Likeness


@pytest.mark.promise("P022")
@pytest.mark.parametrize(
    ("first", "second", "expected", "tail"),
    [
        ("add milk", "Hermes, add milk and bread", LIKE.MORE, "and bread"),
        ("add milk", "add milk, please.", LIKE.SAME, ""),
        ("okay", "okay add milk", LIKE.MORE, "add milk"),
        ("", "and milk", LIKE.MORE, "and milk"),
        ("add two milk", "add two milk no wait", LIKE.MORE, "no wait"),
        ("add milk and bread", "add milk", LIKE.LESS, ""),
        ("add milk and bread", "milk and bread", LIKE.LESS, ""),
        ("add two milk", "add ten milk", LIKE.OTHER, ""),
        ("add milk", "don't add milk", LIKE.OTHER, ""),
        ("add seven pens", "add seven eggs and a bread", LIKE.OTHER, ""),
    ],
)
def test_what_a_second_report_of_a_sound_is_to_the_first(
    first: str, second: str, expected: sameness.Likeness, tail: str
) -> None:
    assert sameness.likeness(first, second, names=NAMES) == expected
    assert sameness.tail(second, first, names=NAMES) == tail


# ---- the money rule -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P132")
@pytest.mark.parametrize(
    "said",
    [
        "confirm order",
        "Confirm order.",
        "CONFIRM ORDER!",
        "confirm  order",
        " confirm order\n",
        "confirm, order",
        "“Confirm order”",
        "confirm-order",
        "Hermes confirm order",
        "Hermes, confirm order.",
        "hey hermes, confirm order",
        "confirm\u00a0order",  # a space that does not break is a space
        "कन्फर्म ऑर्डर",
        "कन्फर्म ऑर्डर।",
    ],
)
def test_the_exact_phrase_is_the_phrase(said: str) -> None:
    assert text.is_phrase(said, CONFIRM, NAMES)


@pytest.mark.promise("P132", "P133")
@pytest.mark.parametrize(
    "said",
    [
        "",
        " ",
        "...",
        "yes",
        "Hermes",
        "hey Hermes",
        "confirm",
        "order",
        "order confirm",
        "confirmorder",
        "confirm_order",
        "con firm order",
        "con-firm order",
        "con'firm order",
        "confirm orders",
        "confirm the order",
        "confirm my order",
        "confirm order please",
        "Hermes, confirm order please",
        "hey Hermes, confirm order. Thank you.",
        "please confirm order",
        "um confirm order",
        "ok confirm order",
        "ok hermes confirm order",
        "hey confirm order",
        "hey hey hermes confirm order",
        "Hermes Hermes confirm order",
        "Hermes hey confirm order",
        "confirm order Hermes",
        "Hermis confirm order",
        "yes confirm order",
        "don't confirm order",
        "confirm order no wait",
        "confirm order confirm order",
        "complete order confirm order",
        "complete order. confirm order.",
        "confirm order?!no",
        pytest.param("confirm\norder", id="joined-by-a-line-break"),
        pytest.param("confirm\r\norder", id="joined-by-a-windows-line-break"),
        pytest.param("confirm\u2028order", id="joined-by-a-line-separator"),
        pytest.param("hermes\nconfirm order", id="name-joined-by-a-line-break"),
        pytest.param("confirm\torder", id="tab"),
        pytest.param("confirm\x00order", id="nul"),
        pytest.param("confirm\u200border", id="zero-width-space"),
        pytest.param("confirm\u200b order", id="zero-width-space-beside-a-space"),
        pytest.param("con\u00adfirm order", id="soft-hyphen"),
        pytest.param("\ufeffconfirm order", id="byte-order-mark"),
        pytest.param("confirm\u202e order", id="right-to-left-override"),
        pytest.param("cоnfirm order", id="cyrillic-o"),
        pytest.param("confirm οrder", id="greek-o"),
        pytest.param("conﬁrm order", id="ligature"),
        pytest.param("ｃｏｎｆｉｒｍ ｏｒｄｅｒ", id="full-width"),
        pytest.param("𝐜𝐨𝐧𝐟𝐢𝐫𝐦 order", id="mathematical"),
        pytest.param("confırm order", id="dotless-i"),
        pytest.param("CONFİRM ORDER", id="dotted-i"),
        pytest.param("c0nfirm order", id="digit"),
        pytest.param("confirm order \U0001f44d", id="emoji"),
        pytest.param("confirm + order", id="symbol"),
        *("confirm & order", "confirm/order", "#confirm order", "@hermes confirm order", "confirm order*", "confirm % order"),
        pytest.param("confirm ₹ order", id="currency"),
        pytest.param("confirm̈ order", id="combining-mark"),
        pytest.param("कन्फर्म ऑर्डर करो", id="hindi-with-more"),
        pytest.param("kanfarm ordar", id="transliterated"),
        pytest.param("confirm ऑर्डर", id="mixed-scripts"),
    ],
)
def test_anything_else_is_not_the_phrase(said: str) -> None:
    assert not text.is_phrase(said, CONFIRM, NAMES)


@pytest.mark.promise("P132")
def test_an_empty_phrase_or_name_in_the_configuration_opens_no_door() -> None:
    assert not text.is_phrase("", ("", "…"), NAMES)
    assert not text.is_phrase("Hermes", ("",), NAMES)
    assert not text.is_phrase("please confirm order", CONFIRM, ("", " "))


WORDS = st.text(st.characters(codec="utf-8"), max_size=12)


@pytest.mark.promise("P132")
@given(before=WORDS, middle=WORDS, after=WORDS)
def test_only_punctuation_and_spaces_may_stand_around_the_words(before: str, middle: str, after: str) -> None:
    said = f"{before}confirm{middle}order{after}"
    letters = "".join(c for c in unicodedata.normalize("NFC", said).lower() if c not in " \u3000")
    if text.is_phrase(said, ("confirm order",), ()):
        kept = [c for c in letters.strip() if unicodedata.category(c)[0] not in "PZ"]
        assert "".join(kept) == "confirmorder"


@pytest.mark.promise("P132")
@given(st.sampled_from(string.ascii_letters + string.digits + "\u0301\u200d\n\u0435"), st.integers(0, len("confirm order")))
def test_one_more_letter_anywhere_is_another_utterance(char: str, at: int) -> None:
    said = "confirm order"[:at] + char + "confirm order"[at:]
    assert text.is_phrase(said, ("confirm order",), NAMES) is (said.strip() == "confirm order")
