"""After the one call: what is known, what is not, and the payment. Nothing is sent twice, nothing claimed without proof."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from interactions.contracts import Abandoned, Failed, Refused, Unknown
from tests.support.ordering import PENDING, Order, cart, line

HELD = cart(line("milk-1", 2))
SEEN = {"order_id": "ORD9", "status": "PENDING_PAYMENT", "total_paise": 26900}


def link_of(order: Order) -> str | None:
    return next((reply.data["link"] for reply in order.last.say if "link" in reply.data), None)


def spoken(order: Order) -> str:
    """Everything that could be heard or logged of all decisions, without the data of the payment event."""
    return repr([(reply.text, reply.speech, reply.choices) for step in order.steps for reply in step.say])


# ---- the call -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P137")
def test_the_call_is_asked_for_once_whatever_comes_of_it() -> None:
    for outcome in (PENDING, Unknown("timeout"), Refused("store_closed"), Failed("not_sent"), Failed("step_failed")):
        order = Order().to_checkout()
        order.settle(outcome)
        for text in ("confirm order", "yes", "complete order"):
            if order.pending is None:
                order.say(text)
        assert order.calls.count("checkout") == 1


@pytest.mark.promise("P138")
@pytest.mark.parametrize(
    "outcome",
    [Unknown("timeout"), Unknown("no_order_id"), Unknown("interrupted"), Unknown("ValueError"), Failed("step_failed")],
)
def test_without_a_proof_the_outcome_is_unknown_and_that_is_said_before_looking(outcome: Any) -> None:
    order = Order().to_checkout()
    order.settle(outcome)
    assert order.phase == "checkout_outcome_unknown"
    assert order.words.startswith("I don't know whether it was placed, please check Swiggy")
    assert order.pending is not None
    assert order.pending.name == "lookup"
    assert order.last.freeze_s == 180


@pytest.mark.promise("P138", "P240")
def test_a_refusal_on_the_list_is_told_in_the_shops_words_and_the_orders_are_read_once() -> None:
    order = Order().to_checkout()
    order.settle(Refused("store_closed", "Store is closed\nnow"))
    assert "did not take the order" in order.words
    assert "“Store is closed now”" in order.words
    assert order.calls[-1] == "lookup"
    order.settle({"order": None, "cart_emptied": False})
    assert order.phase == "shopping"
    assert order.last.freeze_s == 0
    assert order.standing.state["review"] is None


@pytest.mark.promise("P240")
@pytest.mark.parametrize("outcome", [Refused("store_closed"), Failed("not_sent"), Failed("too_late")])
def test_only_another_review_and_another_confirmation_can_spend_after_a_refusal(outcome: Any) -> None:
    order = Order().to_checkout()
    order.settle(outcome)
    if order.pending is not None:
        order.settle({"order": None, "cart_emptied": False})
    order.say("confirm order")
    assert order.calls.count("recheck") == 1
    order.say("complete order")
    order.settle({"cart": HELD, "scan": True, "reachable": True, "maybe": [], "blocked": False})
    order.say("confirm order")
    assert order.calls.count("recheck") == 2
    first, second = (step.effect.payload["revision"] for step in order.steps if step.effect and step.effect.name == "recheck")
    assert first != second


@pytest.mark.promise("P138")
def test_what_was_not_sent_is_said_and_nothing_was_placed() -> None:
    order = Order().to_checkout()
    order.settle(Failed("not_sent"))
    assert order.phase == "shopping"
    assert "nothing was placed" in order.words
    assert [row.state for row in order.last.rows] == ["not_sent"]


def test_an_order_seen_after_a_refusal_is_told_and_ends_the_session() -> None:
    order = Order().to_checkout()
    order.settle(Refused("store_closed"))
    order.settle({"order": SEEN, "cart_emptied": True})
    assert order.last.end == "checkout_order_seen"
    assert "ORD9" in order.words


def test_a_refusal_whose_orders_cannot_be_read_says_so() -> None:
    order = Order().to_checkout()
    order.settle(Refused("store_closed"))
    order.settle(Failed("timeout"))
    assert order.phase == "shopping"
    assert "could not read your orders" in order.words


# ---- unknown ------------------------------------------------------------------------------------------------------------


def test_absence_proves_nothing_and_the_look_up_goes_on() -> None:
    order = Order().to_checkout()
    order.settle(Unknown("timeout"))
    order.settle({"order": None, "cart_emptied": True})
    assert order.phase == "checkout_outcome_unknown"
    assert "proves nothing" in order.words
    for text in ("confirm order", "complete order", "two milk", "yes"):
        order.say(text)
        assert order.phase == "checkout_outcome_unknown"
    assert order.calls.count("checkout") == 1


def test_a_look_up_that_a_stop_cut_short_saw_nothing_and_counts_as_none() -> None:
    refused = Order().to_checkout()
    refused.settle(Refused("store_closed"))
    refused.settle(Abandoned())
    assert (refused.phase, "could not read your orders" in refused.words) == ("shopping", True)
    unknown = Order().to_checkout()
    unknown.settle(Unknown("timeout"))
    unknown.settle(Abandoned())
    assert (unknown.phase, unknown.last.rows) == ("checkout_outcome_unknown", ())


@pytest.mark.promise("P240")
@pytest.mark.parametrize("found", [{"order": None, "cart_emptied": True}, Abandoned()])
def test_a_refusal_of_an_empty_cart_is_not_said_to_have_kept_it_and_may_have_been_an_order(found: Any) -> None:
    """It was full a moment ago: it ran out, somebody emptied it, or a proxy sent our call twice and this answers the second."""
    order = Order().to_checkout()
    order.settle(Refused("empty_cart", "Your cart is empty"))
    order.settle(found)
    assert order.phase == "shopping"
    assert "Look in Swiggy before you order again" in order.words
    assert "kept" not in order.words


def test_a_positive_sight_ends_it_with_the_shops_own_word() -> None:
    order = Order().to_checkout()
    order.settle(Unknown("timeout"))
    order.settle({"order": SEEN, "cart_emptied": True})
    assert order.last.end == "checkout_order_seen"
    assert "“pending payment”" in order.words


def test_after_the_look_up_shopping_may_go_on_but_nothing_is_reviewed_by_itself() -> None:
    order = Order().to_checkout()
    order.settle(Unknown("timeout"))
    order.settle({"order": None, "cart_emptied": False})
    order.signal("lookup", utterance=order.standing.state["intent"], order=None)
    assert order.phase == "shopping"
    assert "may exist" in order.words
    order.say("confirm order")
    assert order.calls.count("recheck") == 1
    order.say("cancel order")
    assert "Nothing was placed" not in order.words
    assert "may exist" in order.words


def test_a_late_sighting_in_a_review_voids_it() -> None:
    order = Order().to_review()
    order.signal("lookup", utterance=55, order=SEEN)
    assert order.phase == "shopping"
    assert order.standing.state["review"] is None


@pytest.mark.parametrize("phase", ["to_checkout", "to_payment"])
@pytest.mark.promise("P140")
def test_stop_after_the_checkout_says_what_stands_and_claims_no_cancellation(phase: str) -> None:
    order = Order()
    getattr(order, phase)()
    if phase == "to_checkout":
        order.settle(Unknown("timeout"))
        order.settle(Abandoned())
    order.say("cancel order")
    assert order.last.end == "left_while_paying"
    assert "nothing was cancelled" in order.words


# ---- payment ------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P142")
def test_the_link_is_only_in_the_payment_event_and_never_in_words() -> None:
    order = Order().to_checkout()
    order.settle(PENDING)
    events = [reply for reply in order.last.say if reply.kind == "interaction.payment"]
    assert [reply.data["link"] for reply in events] == [PENDING["link"]]
    assert not events[0].speak
    assert order.pending is not None
    assert order.pending.name == "notify"
    assert PENDING["link"] not in repr(order.pending.payload)
    assert PENDING["link"] not in spoken(order)


def test_waiting_for_payment_is_not_called_placed() -> None:
    order = Order().to_checkout()
    order.settle(PENDING)
    assert order.phase == "awaiting_payment"
    assert "waits for your payment of ₹269" in order.words
    assert "not placed until that is paid" in order.words
    assert [type(row).__name__ for row in order.last.rows] == ["Awaits"]


def test_another_total_than_the_reviewed_one_is_said() -> None:
    order = Order().to_checkout()
    order.settle({**PENDING, "total_paise": 29900})
    assert "₹299, not ₹269" in order.words


@pytest.mark.promise("P143")
def test_a_failed_notification_is_said_and_the_link_can_be_sent_again() -> None:
    order = Order().to_checkout()
    order.settle(PENDING)
    order.settle({"sent": False, "error": "http_500"})
    assert "could not send the payment link" in order.words
    order.say("resend payment link")
    assert order.pending is not None
    assert order.pending.payload["round"] == 2
    assert link_of(order) == PENDING["link"]
    order.settle({"sent": True, "error": ""})
    assert "I sent you the payment link" in order.words


@pytest.mark.promise("P144")
def test_an_order_without_payment_ids_ends_with_advice_and_is_not_watched() -> None:
    order = Order().to_checkout()
    order.settle(Unknown("half_an_order"))
    assert order.last.end == "payment_unmonitored"
    assert "check it in Swiggy" in order.words
    assert [type(row).__name__ for row in order.last.rows] == ["Ended"]


@pytest.mark.promise("P147")
@pytest.mark.parametrize("reason", ["payment_failed", "payment_cancelled", "payment_refunded", "cart_changed"])
def test_each_bad_ending_has_its_own_reason_and_sentence_and_starts_nothing(reason: str) -> None:
    sentences = set()
    for word in ("payment_failed", "payment_cancelled", "payment_refunded", "cart_changed"):
        other = Order().to_payment()
        other.signal("payment", utterance=other.standing.state["intent"], result=word, total_paise=26900)
        sentences.add(other.words)
    assert len(sentences) == 4
    order = Order().to_payment()
    order.signal("payment", utterance=order.standing.state["intent"], result=reason, total_paise=26900)
    assert (order.phase, order.last.end, order.pending) == ("finished", reason, None)
    assert order.calls.count("checkout") == 1


def test_a_paid_order_is_told_as_placed_and_ends() -> None:
    order = Order().to_payment()
    order.signal("payment", utterance=order.standing.state["intent"], result="paid", total_paise=26900)
    assert order.words == "Instamart order placed successfully. ₹269 are paid."
    assert order.last.end == "paid"
    assert order.last.freeze_s == 0


def test_a_payment_whose_end_is_unknown_is_not_called_failed() -> None:
    order = Order().to_payment()
    order.signal("payment", utterance=order.standing.state["intent"], result="payment_unknown", total_paise=26900)
    assert order.last.end == "payment_unknown"
    assert "don't know" in order.words
    assert "failed" not in order.words


@pytest.mark.parametrize(
    "text", ["confirm order", "two milk", "complete order", "I have paid", "is it done", "yes", "place it again"]
)
def test_talk_while_paying_starts_nothing(text: str) -> None:
    order = Order().to_payment()
    calls = order.calls
    order.say(text)
    assert order.calls == calls
    assert "still waiting for the payment" in order.words


# ---- ends ---------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P139")
@pytest.mark.parametrize("phase", ["to_address", "to_shopping", "to_review"])
@pytest.mark.parametrize("text", ["cancel order", "stop", "cancel"])
def test_cancel_before_the_checkout_ends_and_leaves_the_servers_cart(phase: str, text: str) -> None:
    order = Order()
    getattr(order, phase)()
    calls = order.calls
    order.say(text)
    assert order.last.end == "cancelled"
    assert "items stay in your Swiggy cart" in order.words
    assert order.calls == calls


@pytest.mark.parametrize("kind", ["idle", "hard"])
def test_a_deadline_ends_once_and_says_that_the_basket_is_kept(kind: str) -> None:
    order = Order().to_review()
    order.deadline(kind)
    assert order.last.end == f"{kind}_timeout"
    assert "items stay in your Swiggy cart" in order.words


def test_a_deadline_while_paying_claims_nothing_about_what_was_placed() -> None:
    order = Order().to_payment()
    order.deadline("hard")
    assert order.last.end == "hard_timeout"
    assert "nothing was cancelled" in order.words


def test_silence_asks_once_looks_in_once_and_then_is_quiet() -> None:
    order = Order().to_shopping()
    assert order.silence(1).say
    assert "still there" in order.silence(2).say[0].text
    assert order.silence(3).say == ()
    assert order.phase == "shopping"


def test_nothing_spends_in_any_phase_under_any_pair_of_sentences() -> None:
    """Only the phrase to a review that was heard may ask for the last reading; whatever comes before or between."""
    sentences = [
        "yes",
        "no",
        "two milk",
        "option 1",
        "remove item 1",
        "complete order",
        "confirm order",
        "keep cart",
        "resend payment link",
    ]
    for start in ("to_address", "to_shopping", "to_payment"):
        for pair in itertools.product(sentences, repeat=2):
            order = Order()
            getattr(order, start)()
            asked = len(order.calls)
            for text in pair:
                if order.pending is None or start != "to_payment":
                    order.say(text)
            assert "recheck" not in order.calls[asked:]
            assert "checkout" not in order.calls[asked:]


@pytest.mark.case("D15")
@pytest.mark.promise("P150")
def test_money_of_an_earlier_order_that_comes_late_is_told_and_ends_the_review_that_did_not_know_of_it() -> None:
    order = Order().to_review()
    step = order.signal("payment", utterance=7, result="paid", total_paise=10800, late=True)
    assert "The earlier payment of ₹108 did go through after all" in order.words
    assert (order.phase, order.standing.state["review"]) == ("shopping", None)
    assert [type(row).__name__ for row in step.rows] == ["Told"]
    order.say("confirm order")
    assert "nothing to confirm" in order.words
    assert "checkout" not in order.calls
