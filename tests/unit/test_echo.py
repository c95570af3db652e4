"""Our own voice in the microphone: what is dropped, what is heard, and what may do anything but spend."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import echo, text, voice
from interactions.echo import Kind, Played, Sound

NAMES = ("Hermes",)
START = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)

ADDED = "I added two Amul milk. Anything else?"
OPTIONS = "For milk I found 1: Amul Taaza 500 ml, ₹28; 2: Nandini Milk 500 ml, ₹26; 3: Amul Gold 1 l, ₹68. Which one?"
LABELS = "Which saved address should I use: Home, Office or Mum's place?"
REVIEW = (
    "Your order: 2 x Amul Taaza 500 ml and 1 x Brown Bread 400 g. To Home. ₹269 to pay by UPI scan. "
    "Say confirm order to place it, or tell me what to change."
)
TEACHING = "A yes is not enough to spend money. Say confirm order, just these two words, if you want it placed."
PLACE = "Shall I place this order?"


def played(said: str, *offered: str, ended: float | None = None, known: bool = True, length: float | None = None) -> Played:
    """A reply that began at START; ``ended`` seconds after it, or still going on."""
    speech = voice.speech(said)
    return Played(
        wordings=(text.tokens(speech), text.tokens(said)),
        offered=frozenset(text.core(answer, NAMES) for answer in offered),
        began=START,
        est=timedelta(milliseconds=voice.est_ms(speech)) if length is None else timedelta(seconds=length),
        ended=None if ended is None else START + timedelta(seconds=ended),
        known=known,
    )


def sound(said: str, began: float, ended: float | None = None) -> Sound:
    words = text.tokens(said)
    began_at = START + timedelta(seconds=began)
    return Sound(
        words, began_at, began_at + (echo.PER_WORD * len(words) if ended is None else timedelta(seconds=ended - began))
    )


def judge(what: Sound, *replies: Played) -> Kind:
    return echo.judge(what, replies, NAMES)


# ---- ours ---------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P017")
@pytest.mark.case("A10")
@pytest.mark.parametrize(
    "heard",
    [
        "I added two Amul milk anything else",
        "i added 2 amul milk. anything else?",
        "added to Amul milk anything else",
        "I added two Amal milk anything else",
        "two Amul milk anything",
        "uh I added two Amul milk anything else",
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_our_sentence_whole_cut_or_misheard_is_ours_while_it_is_played(heard: str, known: bool) -> None:
    assert judge(sound(heard, 0.5), played(ADDED, known=known)) is Kind.OWN


@pytest.mark.promise("P017")
@pytest.mark.case("A11")
@pytest.mark.parametrize("began", [0.2, 2.0, 2.9, 3.5])
def test_just_after_its_end_it_is_ours_as_well(began: float) -> None:
    assert judge(sound("shall I place this order", began), played(PLACE, ended=2.5)) is Kind.OWN


@pytest.mark.promise("P017")
def test_after_that_nothing_is_ours_by_likeness() -> None:
    assert judge(sound("shall I place this order", 4.2), played(PLACE, ended=2.5)) is Kind.SPEECH
    assert judge(sound("shall I place this order", 60), played(PLACE, known=False)) is Kind.SPEECH


@pytest.mark.promise("P017")
def test_what_was_said_before_we_spoke_is_not_ours() -> None:
    assert judge(sound("shall I place this order", -4, -1), played(PLACE, ended=2.5)) is Kind.SPEECH


@pytest.mark.promise("P017")
@pytest.mark.parametrize(
    ("heard", "began", "ours"),
    [
        ("Amul Taaza", 2.0, True),  # those very words are due
        ("one brown bread", 4.0, True),
        ("place this order", 1.0, False),  # words of another sentence
        ("your order", 14.0, False),  # they were said long before
        ("what to change", 1.0, False),  # and these are not yet
    ],
)
def test_a_few_words_are_ours_only_where_they_are_due(heard: str, began: float, ours: bool) -> None:
    assert (judge(sound(heard, began), played(REVIEW)) is Kind.OWN) is ours


@pytest.mark.promise("P017")
def test_words_that_have_not_been_reached_are_said_by_the_person() -> None:
    reply = played(REVIEW)
    heard = "to pay by UPI scan"
    assert judge(sound(heard, 0.3), reply) is not Kind.OWN
    assert judge(sound(heard, 9.0), reply) is Kind.OWN


@pytest.mark.promise("P017")
def test_a_sentence_that_spans_two_replies_is_ours() -> None:
    second = replace(played(PLACE), began=START + timedelta(seconds=3))
    first = played("The cart has two milk.", ended=2.9)
    assert judge(sound("has two milk shall I place", 1.2, 4.5), second, first) is Kind.OWN


# ---- the person's -------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P017")
@pytest.mark.parametrize(
    "heard",
    [
        "no I added two Amul milk",
        "don't I added two Amul milk anything else",
        "I added three Amul milk anything else",
        "I added two Amul milk anything else nahi",
        "two Amul milk and a loaf of brown bread",
        "call mummy",
        "three",
        "wait",
    ],
)
def test_other_words_a_denial_or_another_number_make_it_the_persons(heard: str) -> None:
    assert judge(sound(heard, 0.5), played(ADDED)) is not Kind.OWN


@pytest.mark.case("C08")
@pytest.mark.parametrize("heard", ["stop", "Hermes, stop.", "stop stop", "ruko", "बस"])
def test_stop_is_never_ours_even_where_we_say_it(heard: str) -> None:
    assert judge(sound(heard, 1.0), played("Say stop stop ruko बस to end it.", "stop")) is Kind.SPEECH


@pytest.mark.promise("P260")
@pytest.mark.parametrize("after", [0.05, 0.4, 0.7, 1.2, 3.0])
@pytest.mark.parametrize(
    ("prompt", "offered", "answer"),
    [
        (OPTIONS, ("option 1", "option 2", "1: Amul Taaza 500 ml, ₹28", "2: Nandini Milk 500 ml, ₹26"), "two"),
        (OPTIONS, ("option 1", "option 2"), "option two"),
        (OPTIONS, ("option 2", "2: Nandini Milk 500 ml, ₹26"), "nandini"),
        (OPTIONS, ("option 1", "Amul Taaza 500 ml"), "Amul Taaza 500 ml"),
        (OPTIONS, ("skip",), "amul gold"),
        (LABELS, ("Home", "Office", "Mum's place"), "office"),
        (LABELS, ("Home", "Office", "Mum's place"), "Hermes, office please"),
        (LABELS, ("Home", "Office", "Mum's place"), "mum's place"),
        (REVIEW, ("confirm order", "show cart"), "confirm order"),
        (REVIEW, ("confirm order",), "Hermes, confirm order"),
        (TEACHING, ("confirm order",), "confirm order"),
        ("Use Home for delivery?", ("yes", "no"), "yes"),
        ("Use Home for delivery?", ("yes", "no"), "use home for delivery"),
        ("Keep cart or clear cart?", ("keep cart", "clear cart"), "keep cart"),
        ("Say, for example, add two milk.", (), "add two milk"),
        ("How many packets of milk?", (), "two packets"),
    ],
)
def test_an_answer_right_after_the_playback_is_a_turn(prompt: str, offered: tuple[str, ...], answer: str, after: float) -> None:
    if answer == "use home for delivery":
        offered = (*offered, answer)
    reply = played(prompt, *offered, ended=6.0)
    assert judge(sound(answer, 6.0 + after), reply) is not Kind.OWN


@pytest.mark.promise("P260")
@pytest.mark.parametrize(("prompt", "answer"), [(REVIEW, "confirm order"), (LABELS, "office"), (OPTIONS, "amul taaza 500 ml")])
def test_an_offered_answer_inside_the_playback_is_ours_where_it_is_due(prompt: str, answer: str) -> None:
    reply = played(prompt, answer)
    due = next(
        at * reply.est / len(words)
        for words in reply.wordings
        for at in range(len(words))
        if echo._within(text.tokens(answer), words[at : at + len(text.tokens(answer))])
    )
    assert judge(sound(answer, due.total_seconds()), reply) is Kind.OWN


@pytest.mark.promise("P260")
def test_without_any_report_an_offered_answer_is_a_turn_but_never_beyond_doubt() -> None:
    reply = played(REVIEW, "confirm order", known=False)
    assert judge(sound("confirm order", 9.0), reply) is Kind.DOUBTFUL
    assert judge(sound("confirm order", reply.est.total_seconds() + 0.7), reply) is Kind.SPEECH


@pytest.mark.promise("P201", "P260")
@pytest.mark.parametrize(("after", "kind"), [(0.1, Kind.DOUBTFUL), (0.59, Kind.DOUBTFUL), (0.61, Kind.SPEECH)])
def test_the_phrase_is_beyond_doubt_six_tenths_after_whatever_spoke_of_it(after: float, kind: Kind) -> None:
    assert judge(sound("confirm order", 6.0 + after), played(TEACHING, "confirm order", ended=6.0)) is kind
    assert judge(sound("confirm order", 6.0 + after), played("Anything else?", ended=6.0)) is Kind.SPEECH


@pytest.mark.promise("P201", "P260")
@pytest.mark.parametrize("heard", ["confirm order", "कन्फर्म ऑर्डर", "Hermes, confirm order"])
@pytest.mark.parametrize("hint", ["Say confirm order to place it.", "ऑर्डर करना हो तो कन्फर्म ऑर्डर कहिए।"])
def test_a_recogniser_may_write_our_phrase_in_the_other_script(heard: str, hint: str) -> None:
    alike = frozenset({("confirm", "order"), text.tokens("कन्फर्म ऑर्डर")})
    reply = played(hint, ended=4.0, known=True)
    assert echo.judge(sound(heard, 4.2), [reply], NAMES, alike=alike) is Kind.DOUBTFUL
    assert echo.judge(sound(heard, 4.7), [reply], NAMES, alike=alike) is Kind.SPEECH


# ---- laws ---------------------------------------------------------------------------------------------------------------

PROMPTS = st.sampled_from([ADDED, OPTIONS, LABELS, REVIEW, TEACHING, PLACE])


@pytest.mark.promise("P017")
@given(PROMPTS, st.integers(0, 40), st.integers(4, 40))
def test_any_run_of_four_words_of_ours_is_ours_when_it_is_due(prompt: str, first: int, size: int) -> None:
    reply = played(prompt)
    words = reply.wordings[0][first : first + size]
    if len(words) >= 4:
        began = first * reply.est / len(reply.wordings[0])
        heard = Sound(words, START + began, START + began + len(words) * reply.est / len(reply.wordings[0]))
        assert judge(heard, reply) is Kind.OWN


@given(st.text(max_size=60), PROMPTS, st.floats(-5, 30))
def test_no_text_breaks_the_judge(said: str, prompt: str, began: float) -> None:
    assert judge(sound(said, began), played(prompt), played(prompt, known=False, ended=4)) in Kind


@pytest.mark.promise("P201", "P260")
@pytest.mark.parametrize(("began", "kind"), [(5.5, Kind.DOUBTFUL), (7.9, Kind.DOUBTFUL), (12.0, Kind.SPEECH)])
def test_the_phrase_in_a_hint_that_nobody_reported_may_be_ours_for_as_long_as_it_may_last(began: float, kind: Kind) -> None:
    hint = played("I place it only on the words confirm order, on their own.", known=False)
    alike = frozenset({("confirm", "order")})
    assert echo.judge(sound("confirm order", began), [hint], NAMES, alike=alike) is kind
