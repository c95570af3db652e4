"""What is said when nothing was understood, and the words that work everywhere: in every phase, at every open question."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interactions import universal
from interactions.contracts import NoAnswerError, Unknown
from swiggy_instamart import words
from swiggy_instamart.machine import Phase
from tests.support.ordering import Order, cart, line

ELSEWHERE = {"session": 3, "place": "hall", "placing": False, "paying": False}


def opening() -> Order:
    order = Order()
    order.start()
    return order


def taking_over() -> Order:
    order = opening()
    order.settle({"addresses": [], "elsewhere": ELSEWHERE})
    return order


def labels() -> Order:
    order = Order().to_address()
    order.say("no")
    return order


def old_cart() -> Order:
    order = Order().to_address()
    order.say("yes")
    order.settle({"cart": cart(line("milk-1", 2))})
    return order


def options() -> Order:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    return order


def counting() -> Order:
    return Order().to_shopping().add("milk", "option 1", now=cart(line("milk-1")))


def lost() -> Order:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("complete order")
    order.settle({"cart": cart(), "scan": True, "reachable": True, "maybe": [], "blocked": False})
    return order


def writing() -> Order:
    order = options()
    order.say("option 1")
    return order


def unknown() -> Order:
    order = Order().to_checkout()
    order.settle(Unknown(NoAnswerError.code))
    return order


OPEN: dict[str, Callable[[], Order]] = {
    "opening": opening,
    "taking over": taking_over,
    "address": lambda: Order().to_address(),
    "labels": labels,
    "old cart": old_cart,
    "items": lambda: Order().to_shopping(),
    "options": options,
    "counting": counting,
    "lost": lost,
    "writing": writing,
    "review": lambda: Order().to_review(),
    "checkout": lambda: Order().to_checkout(),
    "payment": lambda: Order().to_payment(),
    "unknown": unknown,
}
ASKING = [name for name in OPEN if name not in ("opening", "taking over", "writing", "checkout")]

STOP = ("Stop.", "stop stop", "Stopp.", "bas", "ruko", "बस", "रुको", "cancel", "Hermes, stop")
CANCEL = ("cancel order", "cancel karo", "कैंसल करो", "रद्द करो")
HELP = ("help", "What can I say?", "madad", "मदद", "kya bol sakta hoon", "क्या बोल सकता हूँ")
REPEAT = ("repeat", "say that again", "phir se bolo", "dobara", "फिर से बोलो", "दोबारा")


def test_every_phase_and_every_open_question_is_in_the_table() -> None:
    seen = {at: build() for at, build in OPEN.items()}
    assert {order.phase for order in seen.values()} == {phase.value for phase in Phase} - {"finished"}
    assert seen["lost"].standing.state["lost"]
    assert seen["counting"].standing.state["count_for"]
    assert seen["taking over"].standing.state["other"]


# ---- the words that work everywhere -----------------------------------------------------------------------------------------


@pytest.mark.promise("P209")
@pytest.mark.case("C08")
@pytest.mark.parametrize("at", OPEN)
@pytest.mark.parametrize("said", [*STOP, *CANCEL])
def test_c08_stop_and_cancel_end_the_dialog_at_once_everywhere(at: str, said: str) -> None:
    order = OPEN[at]()
    calls = order.calls
    order.say(said)
    assert order.last.end in ("cancelled", "left_while_paying", "order_open_elsewhere")
    assert order.calls == calls
    assert order.words


@pytest.mark.promise("P209")
@pytest.mark.parametrize("at", OPEN)
@pytest.mark.parametrize("said", [*HELP, *REPEAT])
def test_help_and_repeat_answer_everywhere_and_change_and_call_nothing(at: str, said: str) -> None:
    order = OPEN[at]()
    before = (order.phase, order.standing.state, order.calls)
    order.say(said)
    assert (order.phase, order.standing.state, order.calls) == before
    assert order.last.end is None
    assert order.words


@pytest.mark.promise("P209")
@pytest.mark.parametrize("at", OPEN)
def test_every_spelling_of_every_universal_word_works_everywhere(at: str) -> None:
    order = OPEN[at]()
    order.mode._model = True  # which is never asked what these mean
    kept = (order.standing, order.pending)
    for word, phrases in words.UNIVERSAL:
        for phrase in sorted(phrases):
            order.say(" ".join(phrase))
            assert order.last.effect is None, phrase
            assert (order.last.end is not None) == (word in ("stop", "cancel")), phrase
            order.standing, order.pending = kept


@pytest.mark.promise("P209", "P266")
@pytest.mark.parametrize(("word", "phrases"), words.UNIVERSAL)
def test_the_host_knows_every_spelling_too_so_that_none_waits_for_a_call(word: str, phrases: words.Phrases) -> None:
    mode = Order().mode
    for phrase in sorted(phrases):
        for said in (
            " ".join(phrase),
            f"Hermes, {' '.join(phrase)}.",
            " ".join(phrase * 3) if len(phrase) == 1 else "help help",
        ):
            assert universal.word(said, mode, ("Hermes",)) in (word, "help"), said
    for other in ("milk", "stop the milk", "help me choose a bread", "yes", ""):
        assert universal.word(other, mode, ("Hermes",)) is None


# ---- once more ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ASKING)
def test_repeat_says_the_last_thing_said_whole_and_as_often_as_it_is_asked_for(at: str) -> None:
    order = OPEN[at]()
    assert order.told is not None
    last = " ".join(reply.text for reply in order.told.replies)
    for _ in range(3):
        order.say("repeat")
        assert order.words == last


def test_repeat_says_the_last_answer_whole() -> None:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("show cart")
    order.settle({"cart": cart(line("milk-1", 2))})
    answer = order.words
    assert answer.startswith("In the cart: 2 x Amul Taaza")
    order.say("repeat")
    assert order.words == answer


@pytest.mark.parametrize("lost", ["was that the one from before then", "call mummy", "hmm"])
def test_after_a_repair_repeat_says_the_question_and_not_the_repair(lost: str) -> None:
    order = options()
    question = order.words
    order.say(lost)
    order.say("repeat")
    assert order.words == question
    order.silence(2)
    order.say("repeat")
    assert order.words == question


def test_after_a_reminder_at_the_old_cart_repeat_says_what_is_in_it() -> None:
    order = old_cart()
    question = order.words
    order.silence(1)
    assert order.words != question
    order.say("repeat")
    assert order.words == question


def test_what_was_understood_and_is_not_to_be_had_here_is_never_called_not_understood() -> None:
    order = Order().to_shopping()
    for _ in range(4):
        order.say("no")
        assert "did not catch" not in order.words
        assert [reply.speak for reply in order.last.say] == [True]


def test_repeat_at_a_review_reads_it_out_again_whatever_was_said_last() -> None:
    order = Order().to_review()
    review = order.words
    order.say("yes")
    assert order.words != review
    order.say("repeat")
    assert order.words == review
    order.say("confirm order")
    assert order.calls[-1] == "recheck"


# ---- help ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ASKING)
def test_what_help_says_can_be_said_is_understood_there(at: str) -> None:
    """Every button beside the help leads somewhere."""
    order = OPEN[at]()
    order.say("help")
    buttons = [choice.say for reply in order.last.say for choice in reply.choices]
    kept = (order.standing, order.pending)
    for button in buttons:
        order.say(button)
        assert order.last.said != "not understood", button
        order.standing, order.pending = kept


@pytest.mark.parametrize(
    ("at", "says", "never"),
    [
        ("address", "Say yes to use Home", "keep cart"),
        ("labels", "like Home 2", "yes"),
        ("old cart", "keep cart or clear cart", "option"),
        ("items", "two milk and a bread", "complete order"),  # there is nothing to complete yet
        ("options", "option 1, 2 or 3", "complete order"),
        ("counting", "like three", "option"),
        ("lost", "put the items back", "option"),
        ("review", "Say confirm order to place it", "option"),
        ("payment", "resend payment link", "confirm"),
        ("unknown", "looking for the order", "confirm"),
    ],
)
def test_help_lists_what_works_at_this_very_question(at: str, says: str, never: str) -> None:
    order = OPEN[at]()
    order.say("help")
    assert says in order.words
    assert never not in order.words


def test_help_with_something_in_the_cart_names_what_can_be_done_with_it() -> None:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("help")
    for can in ("show cart", "remove item 1", "complete order"):
        assert can in order.words
    order.say("remove item 1")
    assert order.pending is not None


# ---- not understood -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P102")
@pytest.mark.parametrize("at", ASKING)
def test_what_is_not_understood_is_answered_short_then_with_what_can_be_said_then_once_more_and_then_not_at_all(
    at: str,
) -> None:
    order = OPEN[at]()
    before = (order.phase, order.kept, order.calls)
    heard = [order.words]
    for _ in range(3):
        order.say("was that the one from before then")
        assert order.last.said == "not understood"
        assert order.words not in heard[-1:], "the same sentence twice in a row"
        heard.append(order.words)
    first, second, third = heard[1:]
    order.say("help")
    assert order.words in second
    assert order.words not in first
    assert len(third.split()) < 16
    for _ in range(4):
        order.say("was that the one from before then")
    for _ in range(3):
        order.say("was that the one from before then")
        assert [reply.speak for reply in order.last.say] == [False]
    assert (order.phase, order.kept, order.calls) == before


def test_what_is_understood_begins_the_repairs_anew() -> None:
    order = Order().to_shopping()
    for _ in range(2):
        order.say("was that the one from before then")
    order.say("milk")
    order.find()
    order.say("was that the one from before then")
    assert order.words.startswith("I did not catch which one.")


@pytest.mark.promise("P102")
@pytest.mark.parametrize("at", ASKING)
def test_no_repair_touches_what_was_read_back_for_the_consent(at: str) -> None:
    order = OPEN[at]()
    prompt = order.prompt
    for said in ("was that the one from before then", "hmm", "call mummy", "help", "", "call mummy"):
        order.say(said)
        if order.phase == "awaiting_confirmation":
            assert order.prompt is not None
            assert prompt is not None
            assert order.prompt.reply_id == prompt.reply_id
    if at == "review":
        order.say("confirm order")
        assert order.pending is not None
        assert order.pending.name == "recheck"


@pytest.mark.case("C14")
@pytest.mark.parametrize("at", ASKING)
def test_c14_empty_words_are_asked_about_twice_and_then_waited_for_and_cancel_works(at: str) -> None:
    order = OPEN[at]()
    spoken = []
    for empty in ("", " ", ".", "hmm", "…"):
        order.say(empty)
        spoken.append([reply.text for reply in order.last.say if reply.speak])
    assert [len(one) for one in spoken] == [1, 1, 0, 0, 0]
    assert spoken[0] != spoken[1]
    assert not any(word in str(spoken).casefold() for word in ("error", "exception", "invalid", "none"))
    order.say("cancel")
    assert order.last.end


@pytest.mark.case("C13")
def test_c13_a_yes_where_none_was_asked_repeats_the_question_and_chooses_nothing() -> None:
    order = options()
    question = order.words
    order.say("yes")
    assert question in order.words
    assert order.words != question
    assert order.phase == "shopping"
    assert order.pending is None
    order.say("option 2")
    assert order.pending is not None


@pytest.mark.case("C13")
@pytest.mark.parametrize("said", ["yes", "no", "haan", "nahi"])
def test_c13_a_yes_or_no_while_nothing_is_asked_asks_for_items(said: str) -> None:
    order = Order().to_shopping()
    calls = order.calls
    order.say(said)
    assert order.words.endswith(order.sentence("items"))
    assert (order.phase, order.calls) == ("shopping", calls)


# ---- meant for somebody else --------------------------------------------------------------------------------------------


@pytest.mark.case("C09")
@pytest.mark.parametrize("at", ASKING)
def test_c09_what_is_said_to_somebody_else_changes_nothing_and_gets_one_short_look_in(at: str) -> None:
    order = OPEN[at]()
    before = (order.phase, order.kept, order.calls)
    spoken = []
    for said in ("did you lock the front door", "call mummy", "what is the weather tomorrow", "call mummy"):
        order.say(said)
        spoken += [reply.text for reply in order.last.say if reply.speak]
    assert len(spoken) == 1
    assert spoken[0].startswith("Still ordering?")
    assert (order.phase, order.kept, order.calls) == before


@pytest.mark.case("C09")
def test_c09_what_is_bought_after_the_look_in_is_bought() -> None:
    order = options()
    order.say("call mummy")
    order.say("option 1")
    assert order.pending is not None
    assert order.pending.payload["edit"]["lines"][0]["spin"] == "milk-1"
