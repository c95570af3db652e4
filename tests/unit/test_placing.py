""" "Yes, place the order": with answers around it, before a review and at one. Nothing of it ever spends."""

from __future__ import annotations

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.hearing import Reading, Said, Waiting, Wanted
from tests.support.ordering import MILK, Order, cart, line

AGREED = (
    *(
        "yes, place the order",
        "yes order it",
        "ok, order it please",
        "yeah just go ahead and place the order",
        "sure, checkout",
    ),
    *(
        "haan order kar do",
        "ji haan order de do",
        "theek hai order kar dijiye",
        "haan ji, order laga do",
        "haan bhai order bhej do",
    ),
    *("हाँ ऑर्डर कर दो", "जी हाँ, ऑर्डर दे दो", "ठीक है ऑर्डर कर दीजिए"),
)
REFUSED = (
    *("no, place the order", "no that's all, place the order", "that is all, order it", "nothing else, just place the order"),
    *("I'm done, place my order please", "order it, that's all", "no no, go ahead and place it", "nope, buy it"),
    *("nahi bas, order kar do", "bas itna hi, order kar do", "aur kuch nahi, order de do", "nahi, order kar dijiye"),
    *("नहीं बस, ऑर्डर कर दो", "और कुछ नहीं, ऑर्डर दे दो", "बस इतना ही, ऑर्डर कर दो"),
)


def read(said: str, waiting: Waiting = Waiting.NOTHING) -> Reading:
    return hearing.read(said, names=("Hermes",), waiting=waiting)


@pytest.mark.promise("P127")
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.COUNT])
@pytest.mark.parametrize("said", [*AGREED, *REFUSED])
def test_whoever_wants_it_placed_is_asked_for_the_review(said: str, waiting: Waiting) -> None:
    assert read(said, waiting) == Reading(Said.COMPLETE)


@pytest.mark.promise("P126", "P132")
@pytest.mark.parametrize("said", [*AGREED, *REFUSED, "order kar do", "ऑर्डर कर दो"])
def test_it_leads_to_the_review_and_at_the_review_to_how_it_is_confirmed(said: str) -> None:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say(said)
    assert order.pending is not None
    assert order.pending.name == "review"
    order = Order().to_review()
    order.say(said)
    assert (order.phase, order.pending) == ("awaiting_confirmation", None)
    assert order.words == order.sentence("how_to_confirm")
    assert not {"recheck", "checkout"} & set(order.calls)


@pytest.mark.promise("P127")
@pytest.mark.parametrize("waiting", [Waiting.NOTHING, Waiting.COUNT, Waiting.REVIEW])
@pytest.mark.parametrize(
    "said",
    [
        *("don't place the order", "no, don't order it", "do not order it", "no order", "nahi order", "order mat karo"),
        *("yes no place the order", "never order it", "haan, order mat kar do", "ऑर्डर मत करो"),
        *("should I place the order", "did you place the order", "who placed the order"),
    ],
)
def test_what_denies_asks_or_contradicts_itself_asks_for_nothing(said: str, waiting: Waiting) -> None:
    assert read(said, waiting).said not in {Said.COMPLETE, Said.YES, Said.WANTED, Said.CONFIRM}


@pytest.mark.parametrize("said", ["yes, order milk", "haan doodh order kar do"])
def test_what_names_a_thing_wants_it(said: str) -> None:
    assert read(said) == Reading(Said.WANTED, items=(Wanted("milk"),))


AGREED_TO = [said for said in AGREED if not said.startswith("ok,")]  # that okay is a filler


@pytest.mark.promise("P112")
@pytest.mark.parametrize("said", AGREED_TO)
def test_a_yes_to_an_option_takes_it_and_one_to_several_takes_none(said: str) -> None:
    for variants, name in ((MILK[:1], "cart"), (MILK, None)):
        order = Order().to_shopping()
        order.say("milk")
        order.find(milk=variants)
        order.say(said)
        assert (order.pending and order.pending.name) == name


@pytest.mark.promise("P102", "P210")
@pytest.mark.parametrize("said", AGREED_TO)
def test_a_yes_to_the_things_of_last_time_looks_them_up(said: str) -> None:
    order = Order().to_shopping(held=cart(line("bread-1")))
    order.say("same as last time")
    order.settle({"lines": [line("milk-1", 2)]})
    order.say(said)
    assert order.pending is not None
    assert order.pending.name == "rebuild"
