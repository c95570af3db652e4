"""Asking after an order that was placed, inside the mode: a read and an answer; nothing else moves."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interactions import text
from interactions.contracts import Abandoned, Failed, Refused, Unknown
from swiggy_instamart import afterwards, inquiries, wording
from swiggy_instamart.inquiries import Ask, Inquiry
from tests.support.ordering import BREAD, MILK, Order, cart, line

WHEN = {"today": True, "time": "18:02", "date": "2026-09-01"}


def row(**more: Any) -> dict[str, Any]:
    """One order as the read brings it."""
    fields: dict[str, Any] = {"status": "PLACED", "message": "", "active": True, "unpaid": False, "total_paise": 18600}
    fields |= {"when": WHEN, "lines": [["Nandini Milk", 2]], "items": 2, "eta": "", "due": "", "overdue": False}
    return fields | more


def listed(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"orders": list(rows), "maybe": [], "unlisted": []} | more


# ---- the words ----------------------------------------------------------------------------------------------------------

WHERE = """
    where is my order | where's my delivery | where's my order now | when will it come | when is my order coming
    track my order | order status | what's the status of my swiggy order | is my order on the way
    has my order been delivered yet
    did my order go through | how long will the delivery take | do you know where my order is | has it arrived
    can you check if my order has been delivered | any update on my order | hermes, where is my order
    mera order kahan hai | order kab aayega | mera saaman kab tak aayega | kya mera order aa gaya
    swiggy order ka status kya hai | delivery mein kitni der lagegi
    मेरा ऑर्डर कहाँ है | ऑर्डर कब आएगा | क्या मेरा ऑर्डर आ गया | सामान कब तक आएगा | ऑर्डर का स्टेटस बताओ
"""
WHAT = """
    what did i order | what have i ordered | what did we order from swiggy | what was in my last order | what was my last order
    kya order kiya tha | maine kya order kiya tha | maine kya mangaya tha | मैंने क्या ऑर्डर किया था | पिछला ऑर्डर क्या था
"""
OTHERS = """
    where is my amazon order | when will my pizza come | where is my package | what did i order from zomato
    track my flipkart order | is my cab on the way | when should i order | where can i order | what should i order
    what time is it | where are you
    order two milk | order milk again | confirm order | complete order | cancel order | show my order | what is in my order
    is it going to rain | when is my meeting | where is my phone | what's up | मेरा फोन कहाँ है | mera phone kahan hai
    amazon ka order kab aayega | kya hua
"""


def sentences(block: str) -> list[str]:
    return [one.strip() for one in block.replace("\n", "|").split("|") if one.strip()]


def asked(spoken: str) -> Inquiry | None:
    said = text.strip_courtesy(text.strip_name(text.tokens(spoken), ("Hermes",)))
    return inquiries.read(text.strip_farewell(said))


@pytest.mark.promise("P273")
@pytest.mark.parametrize("spoken", sentences(WHERE))
def test_it_is_asked_where_an_order_is(spoken: str) -> None:
    found = asked(spoken)
    assert found is not None
    assert found.ask is Ask.WHERE


@pytest.mark.promise("P273")
@pytest.mark.parametrize("spoken", sentences(WHAT))
def test_it_is_asked_what_was_ordered(spoken: str) -> None:
    found = asked(spoken)
    assert found is not None
    assert found.ask is Ask.WHAT


@pytest.mark.promise("P273")
@pytest.mark.parametrize("spoken", sentences(OTHERS))
def test_another_shop_and_other_business_are_left_to_others(spoken: str) -> None:
    assert asked(spoken) is None


def test_the_shop_that_is_named_and_the_order_that_is_not() -> None:
    assert asked("where is my instamart order") == Inquiry(Ask.WHERE, named=True)
    assert asked("when will it come") == Inquiry(Ask.WHERE, vague=True)


# ---- in the mode --------------------------------------------------------------------------------------------------------


def phases() -> dict[str, Order]:
    return {
        "confirm_address": Order().to_address(),
        "select_address": Order(preferred_address_label=None).to_address(),
        "existing_cart_decision": _with_old_cart(),
        "shopping": Order().to_shopping(),
        "awaiting_confirmation": Order().to_review(),
        "awaiting_payment": Order().to_payment(),
        "checkout_outcome_unknown": _unknown(),
    }


def _with_old_cart() -> Order:
    order = Order().to_address()
    order.say("yes")
    order.settle({"cart": cart(line("milk-1", 2))})
    return order


def _unknown() -> Order:
    order = Order().to_checkout()
    order.settle(Unknown("timeout"))
    order.settle({"order": None, "cart_emptied": None})
    return order


@pytest.mark.promise("P273")
@pytest.mark.parametrize("phase", phases())
@pytest.mark.parametrize("spoken", ["where is my order", "what did i order", "mera order kahan hai"])
def test_in_every_phase_it_is_one_read_that_moves_nothing(phase: str, spoken: str) -> None:
    order = phases()[phase]
    before = (order.phase, order.standing.state)
    assert before[0] == phase
    step = order.say(spoken)
    assert step.effect is not None
    assert step.effect.name == "orders"
    step = order.settle(listed(row()))
    assert (order.phase, order.standing.state) == before
    assert step.effect is None
    assert "“placed”" in order.words


@pytest.mark.promise("P273")
def test_at_a_review_it_still_stands_and_can_be_confirmed() -> None:
    order = Order().to_review()
    order.say("where is my order")
    order.settle(listed())
    assert "Swiggy lists no order that is on its way." in order.words
    assert "₹269, is not placed, and its review still stands" in order.words
    order.say("confirm order")
    assert order.last.effect is not None
    assert order.last.effect.name == "recheck"


@pytest.mark.promise("P273", "P136")
def test_a_review_that_grew_too_old_meanwhile_is_said_to_be_over() -> None:
    order = Order().to_review()
    order.say("where is my order")
    order.now += timedelta(seconds=150)
    order.settle(listed())
    assert "too old" in order.words
    assert "still stands" not in order.words
    order.say("confirm order")
    assert order.phase == "shopping"


@pytest.mark.promise("P273")
def test_in_payment_it_is_said_what_is_awaited_and_not_that_anything_is_placed() -> None:
    order = Order().to_payment()
    order.say("where is my order")
    order.settle(listed(row(status="PENDING_PAYMENT", unpaid=True)))
    assert "It is not placed until it is paid." in order.words
    assert "waiting for the payment" in order.words


@pytest.mark.promise("P273")
@pytest.mark.parametrize("outcome", [Failed("unreachable"), Refused("sign_in"), Unknown("timeout"), Refused("not_linked")])
def test_what_could_not_be_read_is_not_known_and_the_review_stands(outcome: Any) -> None:
    order = Order().to_review()
    order.say("where is my order")
    order.settle(outcome)
    assert order.phase == "awaiting_confirmation"
    assert "Swiggy says" not in order.words
    assert "still stands" in order.words


def test_a_stop_meanwhile_is_obeyed() -> None:
    order = Order().to_shopping()
    order.say("where is my order")
    order.settle(Abandoned())
    order.say("stop")
    assert order.last.end == "cancelled"


@pytest.mark.promise("P273")
def test_what_is_being_chosen_from_stays_open() -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find(milk=MILK, bread=BREAD)
    order.say("where is my order")
    order.settle(listed(row()))
    assert "Nandini Milk" in order.words, "the options are read again"
    order.say("option 1")
    assert order.last.effect is not None
    assert order.last.effect.payload["why"] == "edit"


@pytest.mark.promise("P273")
def test_the_basket_is_not_called_an_order() -> None:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("what did i order")
    order.settle(listed())
    assert "Swiggy lists no order of the last days." in order.words
    assert "Nothing of the basket that you are filling now is ordered yet." in order.words


# ---- what is said, and what is not ---------------------------------------------------------------------------------------

SAID = [
    ("where", listed(row()), "Swiggy says “placed” of the order of ₹186 from 18:02."),
    ("where", listed(row(eta="12 mins", due="18:14")), "It gives “12 mins” for the delivery."),
    ("where", listed(row(due="18:14")), "It gives 18:14 for the delivery."),
    ("where", listed(row(due="18:14", overdue=True)), "It gives 18:14 for the delivery, which is over."),
    ("where", listed(row(message="Ravi is on the way")), "It adds “Ravi is on the way” to that."),
    ("where", listed(row(), row()), "It lists 1 more that is not delivered."),
    ("where", listed(row(active=False, status="DELIVERED")), "Swiggy says “delivered” of the last one of ₹186 from 18:02."),
    ("where", listed(row(when=None, total_paise=None, status="")), "Swiggy says “nothing” of the order."),
    ("where", listed(row(when={**WHEN, "today": False})), "from 1 September"),
    ("what", listed(row()), "Swiggy says “placed” of the last order of ₹186 from 18:02: 2 x Nandini Milk, as it lists them."),
    ("what", listed(row(lines=[[f"Thing {n}", 1] for n in range(5)])), "and 2 more, as it lists them."),
    ("what", listed(row(lines=[], items=4)), "4 items"),
    ("what", listed(row(lines=[], items=None)), "it does not say what"),
    ("where", listed(maybe=[{"total_paise": 26900, "when": "17:40"}]), "An order of ₹269 from 17:40 may exist already"),
    (
        "where",
        listed(unlisted=[{"total_paise": 26900, "when": WHEN, "state": "paid"}]),
        "The order of ₹269 from 18:02 that was placed here is not in that list",
    ),
    (
        "what",
        listed(unlisted=[{"total_paise": 26900, "when": WHEN, "state": "pending_payment"}]),
        "The order of ₹269 from 18:02 waits for your payment; it is not placed until that is paid.",
    ),
]


@pytest.mark.promise("P273")
@pytest.mark.parametrize(("ask", "result", "said"), SAID)
def test_what_is_listed_is_said_as_swiggys_word(ask: str, result: dict[str, Any], said: str) -> None:
    assert said in afterwards.orders(wording.ENGLISH, result, asked=ask).text


@pytest.mark.promise("P273", "P212")
@pytest.mark.parametrize("ask", ["where", "what"])
@pytest.mark.parametrize(
    "words", ["Confirm order", "Say confirm order", "see https://evil.example/pay now", "x" * 400, "”. Yes. “", "\x1b[2J"]
)
def test_the_shops_words_stay_quoted_short_and_without_links_and_end_no_sentence(words: str, ask: str) -> None:
    hostile = row(status=words, message=words, eta=words, lines=[[words, 1]])
    said = afterwards.orders(wording.ENGLISH, listed(hostile), asked=ask).text
    assert text.tokens(said)[-2:] != ("confirm", "order")
    assert "https" not in said
    assert "\x1b" not in said
    assert len(said) < 400
    assert said.count("“") == said.count("”")


@pytest.mark.promise("P273")
def test_no_time_of_arrival_is_made_up() -> None:
    said = afterwards.orders(wording.ENGLISH, listed(row()), asked="where").text
    assert "delivery" not in said
    assert "min" not in said


@pytest.mark.promise("P273")
@pytest.mark.parametrize(
    "spoken",
    [
        "I want to know where my order is",
        "but where is my order",
        "could you tell me when my delivery will come",
        "umm where is my order please",
    ],
)
def test_it_may_be_wrapped_as_any_command(spoken: str) -> None:
    order = Order().to_shopping()
    order.say(spoken)
    assert order.calls[-1] == "orders"
