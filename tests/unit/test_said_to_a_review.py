"""What a yes or a no at a review answers, and what a bare name does there; nothing of it spends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interactions.contracts import Failed
from tests.support.ordering import Order, cart, line


def looked_in(order: Order) -> None:
    order.silence(2)


def aside(order: Order) -> None:
    order.say("did you lock the front door")


def shown(order: Order) -> None:
    order.say("show cart")


def coupons(order: Order) -> None:
    order.say("any coupons")
    order.settle({"tools": []})


def thanked(order: Order) -> None:
    order.say("thank you")


def quietly(order: Order) -> None:
    for _ in range(3):
        order.say("was that the one from before then")


REMARKS: dict[str, Callable[[Order], None]] = {
    "are you still there": looked_in,
    "still ordering": aside,
    "the cart": shown,
    "coupons": coupons,
    "in passing": thanked,
    "I am listening": quietly,
}


@pytest.mark.promise("P253")
@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("said", ["no", "nahi", "not now", "wait", "no no"])
def test_a_no_to_a_remark_leaves_the_review_which_is_then_asked_about(remark: str, said: str) -> None:
    order = Order().to_review()
    REMARKS[remark](order)
    calls = order.calls
    order.say(said)
    assert (order.phase, order.calls) == ("awaiting_confirmation", calls)
    assert order.words == order.sentence("help.review")
    order.say(said)
    assert order.phase == "shopping"
    assert order.standing.state["review"] is None


@pytest.mark.promise("P202", "P253")
@pytest.mark.parametrize("remark", REMARKS)
def test_a_yes_to_a_remark_is_told_what_can_be_said_and_spends_nothing(remark: str) -> None:
    order = Order().to_review()
    REMARKS[remark](order)
    calls = order.calls
    order.say("yes")
    assert (order.phase, order.calls, order.words) == ("awaiting_confirmation", calls, order.sentence("help.review"))


@pytest.mark.promise("P253")
@pytest.mark.parametrize(
    "between", ["", "help", "yes", "confirm the order please", "was that the one from before then", "silence"]
)
def test_a_no_to_the_review_or_to_what_says_how_to_answer_it_leaves_it_at_once(between: str) -> None:
    order = Order().to_review()
    if between == "silence":
        order.silence(1)
    elif between:
        order.say(between)
    assert order.phase == "awaiting_confirmation"
    order.say("no")
    assert order.phase == "shopping"


@pytest.mark.promise("P253")
@pytest.mark.parametrize("said", ["don't confirm the order", "no, do not confirm", "order mat confirm karo"])
def test_who_denies_confirming_leaves_the_review_whatever_was_said_last(said: str) -> None:
    order = Order().to_review()
    order.silence(2)
    order.say(said)
    assert order.phase == "shopping"


@pytest.mark.promise("P202", "P253")
@pytest.mark.parametrize("remark", REMARKS)
def test_no_remark_moves_the_prompt_that_the_phrase_answers(remark: str) -> None:
    order = Order().to_review()
    prompt = order.prompt
    REMARKS[remark](order)
    order.say("no")
    assert prompt is not None
    assert order.prompt is not None
    assert order.prompt.key == prompt.key == "review:1"
    order.say("confirm order")
    assert order.calls[-1] == "recheck"


@pytest.mark.promise("P202", "P253")
def test_a_new_review_forgets_the_remark_on_the_one_before() -> None:
    order = Order().to_review()
    order.silence(2)
    order.say("complete order")
    order.settle({"cart": cart(line("milk-1", 2)), "scan": True, "reachable": True, "maybe": [], "blocked": False})
    order.say("no")
    assert order.phase == "shopping"


# ---- bare names ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P202", "P210")
@pytest.mark.parametrize("said", ["paneer", "milk", "two milk", "doodh", "दूध", "milk and bread"])
def test_the_name_of_a_known_thing_is_looked_for_and_ends_the_review(said: str) -> None:
    order = Order().to_review()
    order.say(said)
    assert (order.phase, order.calls[-1]) == ("shopping", "search")
    assert order.standing.state["review"] is None
    order.settle(Failed("timeout"))
    order.say("confirm order")
    assert "recheck" not in order.calls


@pytest.mark.promise("P202", "P210")
@pytest.mark.parametrize("said", ["deepa", "kissan", "little hearts"])
def test_any_other_bare_name_is_told_how_to_be_put_in_and_the_review_stands(said: str) -> None:
    order = Order().to_review()
    calls = order.calls
    order.say(said)
    assert order.words.startswith(f"To put in {said}, say add {said}.")
    assert (order.phase, order.calls) == ("awaiting_confirmation", calls)
    order.say("no")
    assert order.phase == "awaiting_confirmation"
    order.say(f"add {said}")
    assert (order.phase, order.calls[-1]) == ("shopping", "search")


@pytest.mark.promise("P202")
@pytest.mark.parametrize("said", ["confirm", "confirm milk", "confirm odor", "order", "yes milk confirm order"])
def test_what_comes_near_the_phrase_is_no_name(said: str) -> None:
    order = Order().to_review()
    order.say(said)
    assert "To put in" not in order.words
    assert "recheck" not in order.calls
