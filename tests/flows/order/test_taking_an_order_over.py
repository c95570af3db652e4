"""An order open at one device is told of at another, and goes on there on a word: one basket, one holder, nothing bought."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interactions import saying, turns
from interactions.models import InteractionSession
from swiggy_instamart import wording
from swiggy_instamart.models import Order
from tests.flows.order.dialogue import NOTHING, Ledger, Speaker
from tests.support.people import Owned

OFFER = "A Swiggy order is already open at kitchen. Say take it over to go on with it here."
BRINGING = "I bring the order here as soon as its last step is done."
IN_HINDI = wording.of("hi")
LEFT = "Your order goes on at hall now."


@pytest.fixture
def in_the_hall(at: Callable[[Owned], Speaker], hall: Owned) -> Speaker:
    return at(hall)


def brought(speaker: Speaker, words: str = "take it over") -> str:
    """Ask for the order and let everybody come to what waits; what this device was told."""
    if speaker.current is None:
        assert speaker.say("order swiggy") == OFFER
    asked = speaker.say(words)
    bringing = next(said for said in (BRINGING, IN_HINDI("bringing")) if asked.startswith(said))
    speaker.work()
    return (asked + " " + speaker.hear()).removeprefix(bringing).strip()


def order_at(speaker: Speaker) -> str:
    """The one open order is where its session is, and there is one session at all."""
    order = Order.objects.get(closed_at=None)
    session = InteractionSession.objects.get(status="active")
    assert (order.session_id, order.device_id) == (session.pk, session.device_id)
    assert session.client_id == session.device.client_id
    return session.client_id


@pytest.mark.promise("P205", "P259")
def test_an_order_goes_on_at_another_device_with_its_basket_and_is_bought_there(
    asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    calls = len(ledger.calls)
    assert in_the_hall.say("order swiggy") == OFFER
    assert in_the_hall.choices == ["take it over", "no"]
    heard = brought(in_the_hall)
    assert heard.startswith("Your order goes on here. In the cart: 2 x ")
    assert heard.endswith(
        "The review is over, so nothing was placed. Say complete order to hear it here, or tell me what to change."
    )
    assert asha_speaks.hear() == LEFT
    assert (order_at(in_the_hall), len(ledger.calls)) == ("hall", calls)
    assert "confirm order to place it" in in_the_hall.say("complete order")
    assert in_the_hall.say("confirm order").startswith("Placing it now. The order waits for your payment")
    assert asha_speaks.hear() == ""
    assert ledger.money == (1, 1, 0)


@pytest.mark.promise("P202", "P259")
def test_a_review_heard_at_one_device_is_confirmed_by_neither_after_the_move(
    asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    brought(in_the_hall)
    assert (
        in_the_hall.say("confirm order")
        == "There is nothing to confirm yet. Say complete order and I read it back to you first."
    )
    assert asha_speaks.say("confirm order").endswith("The chain heard: confirm order")  # no order is open there
    assert in_the_hall.say("yes", listened=False)
    assert ledger.money == NOTHING


@pytest.mark.promise("P202", "P259")
def test_a_move_that_waits_holds_back_the_phrase_that_was_said_before_it(
    asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    in_the_hall.say("order swiggy")
    asha_speaks.utter("confirm order")
    turns.drain(asha_speaks.session.pk, role=turns.Role.TURNS)  # the last look at the cart is still to be made
    ask_without_waiting(in_the_hall)
    assert order_at(in_the_hall) == "hall"
    assert ledger.money == NOTHING
    assert asha_speaks.hear() == LEFT
    assert "Say complete order to hear it here" in in_the_hall.hear()


@pytest.mark.promise("P202", "P259")
def test_the_phrase_said_at_the_device_before_while_the_move_waits_is_dropped_and_told(
    asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    in_the_hall.say("order swiggy")
    in_the_hall.utter("take it over", listened=False)
    turns.drain(in_the_hall.session.pk)
    asha_speaks.utter("confirm order")
    settle(in_the_hall)
    assert order_at(in_the_hall) == "hall"
    assert ledger.money == NOTHING
    assert asha_speaks.hear() == f"{LEFT} {saying.ENGLISH('went_on')}"


def ask_without_waiting(speaker: Speaker) -> None:
    speaker.utter("take it over", listened=False)
    turns.drain(speaker.session.pk)
    settle(speaker)


def settle(speaker: Speaker) -> None:
    for _ in range(3):
        speaker.work()


@pytest.mark.promise("P205", "P259")
@pytest.mark.parametrize("words", ["yes", "take over the order please", "hermes take it over"])
def test_it_is_brought_by_any_of_its_words(asha_speaks: Speaker, in_the_hall: Speaker, words: str) -> None:
    asha_speaks.to_shopping()
    assert brought(in_the_hall, words) == "Your order goes on here. What would you like?"
    assert order_at(in_the_hall) == "hall"


@pytest.mark.promise("P205", "P259")
@pytest.mark.parametrize("words", ["yahan le aao", "ऑर्डर यहाँ ले आओ"])
def test_it_goes_on_in_the_language_in_which_it_was_asked_for(asha_speaks: Speaker, in_the_hall: Speaker, words: str) -> None:
    asha_speaks.to_shopping()
    said = brought(in_the_hall, words)
    assert said == f"{IN_HINDI('here', holds='', review='')} {IN_HINDI('items')}"
    assert order_at(in_the_hall) == "hall"


@pytest.mark.promise("P205")
@pytest.mark.parametrize("words", ["no", "cancel order", "stop"])
def test_who_does_not_want_it_leaves_it_where_it_is(asha_speaks: Speaker, in_the_hall: Speaker, words: str) -> None:
    asha_speaks.to_shopping()
    in_the_hall.say("order swiggy")
    assert in_the_hall.say(words) == "All right, the order at kitchen stays there."
    assert (in_the_hall.ended, asha_speaks.ended) == ("order_open_elsewhere", "")
    assert order_at(in_the_hall) == "kitchen"


@pytest.mark.promise("P205")
def test_who_talks_of_other_things_is_asked_once_more_and_then_let_go(asha_speaks: Speaker, in_the_hall: Speaker) -> None:
    asha_speaks.to_shopping()
    in_the_hall.say("order swiggy")
    assert in_the_hall.say("help").startswith("Say take it over to go on with that order here")
    assert in_the_hall.say("what time is it in delhi") == OFFER
    assert in_the_hall.say("what time is it in delhi") == "All right, the order at kitchen stays there."
    assert in_the_hall.say("turn on the lamp") == "The chain heard: turn on the lamp"


@pytest.mark.promise("P205", "P259")
def test_said_twice_it_comes_once_and_said_again_it_is_here_already(asha_speaks: Speaker, in_the_hall: Speaker) -> None:
    asha_speaks.to_shopping()
    in_the_hall.say("order swiggy")
    in_the_hall.utter("take it over")
    in_the_hall.utter("take it over")
    settle(in_the_hall)
    assert in_the_hall.hear().count("Your order goes on here.") == 1
    assert in_the_hall.say("take it over") == "The order is at this device already. What would you like?"
    assert asha_speaks.hear().count(LEFT) == 1
    assert order_at(in_the_hall) == "hall"


@pytest.mark.promise("P205", "P259")
def test_it_can_be_brought_back(asha_speaks: Speaker, in_the_hall: Speaker) -> None:
    asha_speaks.to_shopping()
    brought(in_the_hall)
    assert "already open at hall" in asha_speaks.say("order swiggy")
    assert asha_speaks.say("take it over").endswith(BRINGING)
    asha_speaks.work()
    assert asha_speaks.hear() == "Your order goes on here. What would you like?"
    assert order_at(asha_speaks) == "kitchen"


@pytest.mark.promise("P205", "P259")
@pytest.mark.parametrize("phase", ["confirm_address", "existing_cart_decision", "shopping with an offer"])
def test_the_open_question_is_asked_again_where_it_goes_on(
    asha_speaks: Speaker, in_the_hall: Speaker, phase: str, ledger: Ledger
) -> None:
    if phase == "existing_cart_decision":
        asha_speaks.sandbox.cart([{"find": "toned milk", "quantity": 2}])
    asha_speaks.say("order swiggy")
    if phase != "confirm_address":
        asha_speaks.say("yes")
    if phase == "shopping with an offer":
        asha_speaks.say("milk")
    heard = brought(in_the_hall)
    question = {
        "confirm_address": "Use Home for delivery?",
        "existing_cart_decision": "Say keep cart to order these as well",
        "shopping with an offer": "Which one?",
    }[phase]
    assert heard.startswith("Your order goes on here.")
    assert question in heard
    answer = {"confirm_address": "yes", "existing_cart_decision": "keep cart", "shopping with an offer": "option 1"}[phase]
    assert in_the_hall.say(answer)
    assert in_the_hall.current is not None
    assert in_the_hall.current["phase"] == "shopping"
    assert ledger.money == NOTHING


@pytest.mark.promise("P205", "P259")
def test_a_basket_that_the_shop_lost_is_put_back_on_a_yes_where_the_order_goes_on(
    asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    basket = dict(ledger.cart)
    asha_speaks.sandbox.cart(action="expire")
    assert asha_speaks.say("confirm order").endswith("The cart is empty. Shall I put it back?")
    heard = brought(in_the_hall)
    assert heard.endswith("and I changed nothing. Shall I put it back?")
    assert in_the_hall.choices == ["yes", "no"]
    assert in_the_hall.say("yes").startswith("The cart has 2 x ")
    assert ledger.cart == basket
    assert ledger.money == NOTHING


@pytest.mark.promise("P205", "P259", "P165")
def test_an_order_that_waits_for_its_payment_takes_its_link_and_its_news_along(
    asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    link = asha_speaks.of_kind("interaction.payment")[-1]["data"]["link"]
    assert "still waiting for the payment" in brought(in_the_hall)
    assert in_the_hall.of_kind("interaction.payment")[-1]["data"]["link"] == link
    assert in_the_hall.current is not None
    assert in_the_hall.current["payment"]["link"] == link
    assert asha_speaks.hear() == LEFT
    in_the_hall.sandbox.payment("success")
    assert "placed successfully" in in_the_hall.wait_for_payment()
    assert asha_speaks.hear() == ""
    assert ledger.money.checkouts == 1
    assert not Order.objects.filter(closed_at=None).exists()


@pytest.mark.promise("P205", "P259")
def test_news_of_a_payment_that_was_left_at_the_new_device_come_there(asha_speaks: Speaker, in_the_hall: Speaker) -> None:
    asha_speaks.to_payment()
    brought(in_the_hall)
    assert "nothing was cancelled" in in_the_hall.say("stop")
    in_the_hall.sandbox.payment("success")
    assert "placed successfully" in in_the_hall.wait_for_payment()
    assert "placed" not in asha_speaks.hear()


@pytest.mark.promise("P205")
def test_an_order_that_is_being_placed_is_not_offered(asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.utter("confirm order")
    heard: list[str] = []

    def meanwhile(call: object) -> None:
        in_the_hall.utter("order swiggy", listened=False)
        turns.drain(in_the_hall.session.pk)
        heard.append(in_the_hall.hear())

    during(asha_speaks, meanwhile)
    assert heard == ["Your order at kitchen is being placed right now. Wait for its end, then say order Swiggy here again."]
    assert ledger.money.checkouts == 1
    assert "still waiting for the payment" in brought(in_the_hall)


@pytest.mark.promise("P205", "P259")
def test_an_order_whose_placing_began_after_the_offer_stays_and_that_is_said(
    asha_speaks: Speaker, in_the_hall: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    assert in_the_hall.say("order swiggy") == OFFER
    asha_speaks.utter("confirm order")
    heard: list[str] = []

    def meanwhile(call: object) -> None:
        in_the_hall.utter("take it over", listened=False)
        turns.drain(in_the_hall.session.pk)
        heard.append(in_the_hall.hear())

    during(asha_speaks, meanwhile)
    assert heard[0].startswith("That order is being placed right now, so it stays there.")
    assert (in_the_hall.ended, order_at(asha_speaks)) == ("handover_busy", "kitchen")
    assert ledger.money.checkouts == 1


def during(speaker: Speaker, act: Callable[[object], None]) -> None:
    """Let ``act`` happen while the checkout is on its way."""
    from interactions import registry

    mode = registry.mode("swiggy_order")
    perform = mode.perform

    def performing(call: object) -> object:
        if call.effect == "checkout":  # type: ignore[attr-defined]
            act(call)
        return perform(call)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mode, "perform", performing)
        speaker.work()


@pytest.mark.promise("P205")
def test_an_order_that_ended_meanwhile_is_not_brought_and_a_new_one_can_be_opened(
    asha_speaks: Speaker, in_the_hall: Speaker
) -> None:
    asha_speaks.to_shopping()
    in_the_hall.say("order swiggy")
    asha_speaks.say("cancel order")
    assert in_the_hall.say("take it over") == "That order has ended meanwhile. Say order Swiggy to begin one here."
    assert in_the_hall.ended == "handover_gone"
    assert in_the_hall.say("order swiggy") == "Use Home for delivery?"


@pytest.mark.promise("P205", "P061")
def test_somebody_who_is_not_linked_hears_nothing_of_the_order(
    asha_speaks: Speaker, at: Callable[[Owned], Speaker], bedroom: Owned
) -> None:
    asha_speaks.to_shopping()
    ravi = at(bedroom)
    heard = ravi.say("order swiggy")
    assert "kitchen" not in heard
    assert ravi.ended == "not_linked"
    assert ravi.say("take it over") == "The chain heard: take it over"
    assert order_at(asha_speaks) == "kitchen"
