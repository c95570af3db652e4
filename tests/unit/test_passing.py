"""What is said in passing is answered honestly and shortly, and changes nothing; at a review it is no answer to that."""

from __future__ import annotations

import pytest

from interactions import text
from swiggy_instamart import inquiries, passing
from swiggy_instamart.passing import Passing
from tests.support.ordering import Order, cart, line

SAID = {
    Passing.THANKS: ["thank you", "thanks bhai", "thanks a lot", "great, thank you so much", "dhanyavaad bhai", "बहुत धन्यवाद"],
    Passing.DEAR: ["too expensive", "that's quite expensive", "bahut mehnga hai", "mehenga ho gaya", "बहुत महंगा है"],
    Passing.PAID: [
        "did I pay",
        "have I paid",
        "is it paid",
        "did the payment go through",
        "payment ho gaya kya",
        "क्या पेमेंट हो गया",
    ],
    Passing.THERE: ["are you there", "hello? are you there", "can you hear me", "koi hai", "सुन रहे हो"],
    Passing.TOTAL: ["how much is it so far", "kitna ho gaya total", "kitna hua", "how much is it altogether", "कुल कितना हुआ"],
}
OTHERS = [
    *("milk", "expensive milk", "how much is milk", "thanks for the milk", "pay", "pay for it", "is there milk", "two"),
    *("did mummy pay the milkman", "are you sure", "is it raining", "how much", "mehnga wala", "confirm order", "paid milk"),
    *("kitna", "no thanks", "ok", "do you have milk"),
]


@pytest.mark.promise("P102")
@pytest.mark.parametrize(("meant", "said"), [(meant, said) for meant, all_ in SAID.items() for said in all_])
def test_each_is_told_by_its_own_words(meant: Passing, said: str) -> None:
    assert passing.read(text.tokens(said)) is meant


@pytest.mark.promise("P102", "P202")
@pytest.mark.parametrize("said", OTHERS)
def test_what_holds_another_word_is_none_of_it(said: str) -> None:
    assert passing.read(text.tokens(said)) is None


@pytest.mark.promise("P102")
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("thank you", "You're welcome. Use Home for delivery?"),
        ("are you there", "Yes, I am here. Use Home for delivery?"),
        ("did I pay", "Nothing of this order is paid, and nothing of it is placed. Use Home for delivery?"),
    ],
)
def test_the_open_question_comes_again_behind_the_answer_and_a_yes_counts(said: str, answer: str) -> None:
    order = Order().to_address()
    before = order.kept
    order.say(said)
    assert order.words == answer
    assert order.kept == before
    order.say("yes")
    assert order.calls == ["addresses", "cart"]


@pytest.mark.promise("P102")
def test_options_stay_open_without_being_read_again() -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    before = order.kept
    order.say("too expensive")
    assert order.words == "The prices are Swiggy's own. You can leave things out, or take others."
    assert order.kept == before
    order.say("option 2")
    assert order.phase == "cart_update_in_progress"


@pytest.mark.promise("P102", "P119")
@pytest.mark.parametrize("said", SAID[Passing.TOTAL])
def test_how_much_it_is_so_far_is_told_with_the_cart(said: str) -> None:
    order = Order().to_shopping(held=cart(line("milk-1")))
    order.say(said)
    assert order.calls[-1] == "cart"
    order.settle({"cart": cart(line("milk-1"))})
    assert "269" in order.words


@pytest.mark.promise("P202")
@pytest.mark.parametrize("said", [said for meant, all_ in SAID.items() for said in all_ if meant is not Passing.TOTAL])
def test_at_a_review_it_spends_and_voids_nothing(said: str) -> None:
    order = Order().to_review()
    calls, review = order.calls, order.standing.state["review"]
    order.say(said)
    assert (order.phase, order.calls, order.standing.state["review"]) == ("awaiting_confirmation", calls, review)
    order.say("no")
    assert order.phase == "awaiting_confirmation"
    order.say("confirm order")
    assert order.calls[-1] == "recheck"


@pytest.mark.promise("P202")
def test_who_thanks_at_a_review_hears_that_nothing_is_placed() -> None:
    order = Order().to_review()
    order.say("thank you")
    assert order.words == "You're welcome. The order is not placed yet."


@pytest.mark.promise("P140")
@pytest.mark.parametrize("said", ["did I pay", "thank you", "are you there", "too expensive"])
def test_while_a_payment_is_awaited_nobody_is_told_that_it_came(said: str) -> None:
    order = Order().to_payment()
    order.say(said)
    assert order.words.endswith(
        "I am still waiting for the payment and check it by myself. You can say resend payment link, or stop."
    )
    assert order.phase == "awaiting_payment"


@pytest.mark.promise("P273")
@pytest.mark.parametrize("said", ["are you there", "are you ready", "are you still there", "koi hai"])
def test_who_asks_for_the_assistant_asks_for_no_order(said: str) -> None:
    assert inquiries.read(text.tokens(said)) is None


@pytest.mark.promise("P273")
@pytest.mark.parametrize(
    "said", ["is it there yet", "are my groceries here", "have you delivered", "is it coming", "have you delivered my order"]
)
def test_who_asks_for_an_order_is_still_answered(said: str) -> None:
    assert inquiries.read(text.tokens(said)) is not None
