"""What opens an order or practice, said while either is open: it opens nothing, changes nothing, and says which one is open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from interactions import configuration, text
from interactions.configuration import PluginEntry
from swiggy_instamart import hearing, openings, words
from swiggy_instamart.openings import ORDER, PRACTICE
from swiggy_instamart.readings import Said, Waiting
from swiggy_instamart.rehearsal import SwiggyRehearsalMode
from swiggy_instamart.turn import Doors
from tests.support.ordering import ADDRESSES, Order

PHASES = ("to_address", "to_shopping", "to_review", "to_payment")
OPERATORS = ((text.tokens("ऑर्डर स्विगी"), ORDER), (text.tokens("खेल ऑर्डर"), PRACTICE))
BOTH = openings.DECLARED + OPERATORS
OF_PRACTICE = (*words.BEGIN_PRACTICE, "Hermes, practice order swiggy", "um, practice order Swiggy please", "खेल ऑर्डर")
ON = frozenset({ORDER, PRACTICE})
REAL, PRACTISED = Doors(ORDER, ON, BOTH), Doors(PRACTICE, ON, BOTH)
FOR_REAL = ("order swiggy", "hey Hermes, order Swiggy", "order swiggy milk", "ऑर्डर स्विगी", "order swiggy, order swiggy")


class Real(Order):
    def __init__(self, doors: Doors, **settings: Any) -> None:
        super().__init__(**settings)
        self.mode = type("Doored", (type(self.mode),), {"doors": doors})(settings, names=("Hermes",))


class Practice(Real):
    def __init__(self, doors: Doors, **settings: Any) -> None:
        super().__init__(doors, **settings)
        self.mode = type("Doored", (SwiggyRehearsalMode,), {"doors": doors})(settings, names=("Hermes",))


def test_the_doors_are_those_that_the_operator_lists_with_the_words_that_were_added() -> None:
    entry = PluginEntry(enabled=True, modes=[ORDER], phrases={ORDER: ["ऑर्डर स्विगी"], PRACTICE: ["खेल ऑर्डर"]})
    off = PluginEntry(enabled=False, modes=[PRACTICE], phrases={PRACTICE: ["play shop"]})
    found = openings.configured(ORDER, replace(configuration.current(), plugins={"swiggy_instamart": entry, "other": off}))
    assert found == Doors(ORDER, frozenset({ORDER}), BOTH)


def reached(order: Order, phase: str) -> Order:
    getattr(order, phase)()
    return order


@pytest.mark.promise("P217")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("spoken", OF_PRACTICE)
def test_practice_asked_for_in_a_real_order_is_told_that_the_order_is_real(phase: str, spoken: str) -> None:
    order = reached(Real(REAL), phase)
    before = order.standing
    order.say(spoken)
    assert order.last.say[0].text == order.sentence("opening.order") + " " + order.sentence("opening.order.end")
    assert (order.phase, order.standing.state, order.pending) == (before.phase, before.state, None)


@pytest.mark.promise("P217")
@pytest.mark.parametrize("phase", PHASES[:3])
@pytest.mark.parametrize("spoken", FOR_REAL)
def test_a_real_order_asked_for_in_practice_is_told_that_this_is_practice(phase: str, spoken: str) -> None:
    order = reached(Practice(PRACTISED), phase)
    before = order.standing
    order.say(spoken)
    assert order.last.say[0].text == order.sentence("opening.practice") + " " + order.sentence("opening.practice.end")
    assert (order.phase, order.standing.state, order.pending) == (before.phase, before.state, None)
    assert all(reply.data["practice"] for reply in order.last.say)


@pytest.mark.promise("P217", "P258")
def test_practice_that_is_not_switched_on_is_not_offered_and_the_order_is_still_called_real() -> None:
    order = Real(Doors(ORDER, frozenset({ORDER}), BOTH)).to_shopping()
    order.say("practice order swiggy")
    assert order.words.startswith("This is a real order, not practice. Practice is not switched on here.")


@pytest.mark.promise("P217")
@pytest.mark.parametrize("spoken", FOR_REAL)
def test_what_is_open_already_is_said_to_be_so_and_searched_for_nowhere(spoken: str) -> None:
    order = Real(REAL).to_shopping()
    before = order.calls
    order.say(spoken)
    assert order.last.say[0].text == order.sentence("opening.order.already")
    assert order.calls == before


@pytest.mark.promise("P217", "P110")
def test_a_review_stands_as_it_was_read_and_its_phrase_still_spends() -> None:
    order = Real(REAL).to_review()
    prompt = order.prompt
    order.say("practice order swiggy")
    assert order.prompt is not None
    assert prompt is not None
    assert order.prompt.reply_id == prompt.reply_id
    order.say("confirm order")
    assert order.calls[-1] == "recheck"


OPENED_WITH_A_SLIP = ("Hermes practice order swiggi", "hey Hermes, practise order swigy", "Hermes practice order swig gy")
OF_PRACTISING = (
    *("is this practice", "this is just practice, right?", "practice mode", "start practice", "switch to practice mode"),
    *(
        "practise order swigy",
        "practice order swiggi",
        "we are only rehearsing",
        "let's do a trial run",
        "it's just a demo order",
    ),
    *("abhyas", "kya ye practice hai", "ye abhyas hai na", "ye asli order hai kya", "अभ्यास", "क्या यह प्रैक्टिस है", "ट्रायल है ना"),
    *("confirm practice order", "yes it is practice", "add milk to the practice order", "is this a real order"),
)


@pytest.mark.promise("P217", "P258")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("spoken", OPENED_WITH_A_SLIP + OF_PRACTISING)
def test_whoever_speaks_of_practising_in_a_real_order_is_told_that_it_is_real(phase: str, spoken: str) -> None:
    order = reached(Real(REAL), phase)
    before = order.standing
    order.say(spoken)
    assert order.last.say[0].text == order.sentence("opening.order") + " " + order.sentence("opening.order.end")
    assert (order.phase, order.standing.state, order.pending) == (before.phase, before.state, None)


@pytest.mark.promise("P217", "P110")
@pytest.mark.parametrize("spoken", ["is this practice", "Hermes practice order swiggi"])
def test_after_talk_of_practising_the_read_back_is_still_what_a_consent_answers(spoken: str) -> None:
    order = Real(REAL).to_review()
    prompt = order.prompt
    order.say(spoken)
    assert order.prompt is not None
    assert prompt is not None
    assert order.prompt.reply_id == prompt.reply_id


@pytest.mark.promise("P217")
@pytest.mark.parametrize("spoken", ["is this practice", "abhyas"])
def test_whoever_speaks_of_practising_in_practice_hears_that_it_is_open(spoken: str) -> None:
    order = Practice(PRACTISED).to_shopping()
    order.say(spoken)
    assert order.last.say[0].text.startswith(order.sentence("opening.practice.already"))


@pytest.mark.promise("P115")
def test_a_trial_pack_is_something_to_buy_and_a_practice_may_be_an_address() -> None:
    order = Real(REAL).to_shopping()
    order.say("add a trial pack of shampoo")
    assert order.calls[-1] == "search"
    order = Real(REAL).to_address(addresses=[*ADDRESSES, {"id": "a9", "label": "Dental Practice", "line": "9 Tooth Street"}])
    order.say("no, dental practice")
    assert order.standing.state["address"]["label"] == "Dental Practice"


@pytest.mark.promise("P217")
def test_a_slip_is_forgiven_only_where_the_assistant_was_called() -> None:
    order = Real(REAL).to_shopping()
    order.say("order swigy")
    assert order.calls[-1] == "search"
    order = Real(REAL).to_shopping()
    order.say("Hermes, order swigy")
    assert order.last.say[0].text == order.sentence("opening.order.already")


def test_what_may_have_been_our_own_voice_is_not_answered_so() -> None:
    order = Real(REAL).to_shopping()
    order.say("practice order swiggy", doubtful=True)
    assert "real order" not in order.words


def test_after_trouble_the_phrase_begins_again_as_it_did_before() -> None:
    order = Real(REAL)
    order.start()
    order.say("practice order swiggy")
    assert order.words.startswith("This is a real order, not practice.")
    order.say("order swiggy")
    assert order.calls == ["addresses", "addresses"]


@pytest.mark.promise("P258")
def test_no_phrase_of_practice_is_heard_as_anything_that_ends_asks_or_spends() -> None:
    ends = {Said.STOP, Said.CANCEL, Said.CONFIRM, Said.ALMOST, Said.YES, Said.NO, Said.COMPLETE, Said.CLEAR, Said.REMOVE}
    for phrase in words.BEGIN_PRACTICE:
        assert not ends & {hearing.read(phrase, waiting=waiting).said for waiting in Waiting}, phrase
