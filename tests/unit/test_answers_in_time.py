"""An answer answers only what had been asked: a question delivered before the words were captured."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.ordering import Order


def early(order: Order) -> dict[str, Any]:
    """Said just before the open question reached the device."""
    assert order.prompt is not None
    assert order.prompt.delivered_at is not None
    return {"prompt": replace(order.prompt, delivered_at=order.now + timedelta(seconds=60))}


UNDELIVERED = pytest.mark.parametrize(
    "more",
    [
        lambda order: early(order),
        lambda order: {"prompt": replace(order.prompt, delivered_at=None)},
        lambda order: {"heard_upto": order.prompt.seq - 1},
        lambda order: {"in_reply_to": order.prompt.reply_id - 1, "source": "tap"},
        lambda order: {"spoken_age_ms": 29_000},
    ],
    ids=["captured before", "never delivered", "not heard so far", "a button of an older question", "spoken long before"],
)


@pytest.mark.promise("P253")
@UNDELIVERED
@pytest.mark.parametrize("said", ["yes", "haan", "no", "हाँ"])
def test_a_yes_or_no_from_before_the_address_was_asked_answers_nothing(said: str, more: Any) -> None:
    order = Order().to_address()
    order.say(said, listened=False, **more(order))
    assert (order.phase, order.last.effect) == ("confirm_address", None)
    assert order.last.say[-1].key == "address"
    order.say("yes")
    assert order.calls[-1] == "cart"


@pytest.mark.promise("P253")
@UNDELIVERED
@pytest.mark.parametrize("said", ["two", "option one", "the second one", "no", "doosra"])
def test_a_number_from_before_the_options_were_read_chooses_none(said: str, more: Any) -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    order.say(said, listened=False, **more(order))
    assert order.last.effect is None
    assert order.last.say[-1].key == "offer"


@pytest.mark.promise("P253", "P261")
@UNDELIVERED
@pytest.mark.parametrize("said", ["confirm order", "yes", "no"])
def test_nothing_from_before_the_read_back_arrived_confirms_or_voids_it(said: str, more: Any) -> None:
    order = Order().to_review()
    order.say(said, listened=False, **more(order))
    assert (order.phase, order.last.effect) == ("awaiting_confirmation", None)


@pytest.mark.promise("P253")
def test_a_sentence_that_needs_no_question_is_heard_all_the_same() -> None:
    order = Order().to_shopping()
    order.say("two milk", listened=False, prompt=replace(order.prompt, delivered_at=None) if order.prompt else None)
    assert order.calls[-1] == "search"
    order = Order().to_review()
    order.say("stop", listened=False, **early(order))
    assert order.last.end
