"""One whole order as the person hears it, in every form that the shop's answers come in."""

from __future__ import annotations

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Ledger, Money, Speaker

FORMS = ("structured", "wrapped", "json", "prose_json", "field")


@pytest.mark.promise("P107", "P126", "P137", "P141", "P146")
@pytest.mark.parametrize("form", FORMS)
def test_the_same_order_is_spoken_whatever_form_the_answers_come_in(
    form: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(form=form)
    say = asha_speaks.say
    assert say("Hermes, order Swiggy") == "Use Home for delivery?"
    assert say("yes") == "What would you like?"
    assert say("milk").startswith("For milk I found 1: Nandini Toned Milk 500 ml, ₹24; 2: ")
    assert say("option 1").startswith("The cart has 1 x Nandini Toned Milk 500 ml. ")
    assert say("make it three") == "The cart has 3 x Nandini Toned Milk 500 ml. Anything else?"
    assert say("show cart").startswith("In the cart: 3 x Nandini Toned Milk 500 ml; ₹132 to pay.")
    review = "Your order: 3 x Nandini Toned Milk 500 ml. To Home. ₹132 to pay by UPI scan. "
    assert say("complete order").startswith(f"{review}Say confirm order")
    assert say("confirm order").startswith("Placing it now. The order waits for your payment of ₹132 by UPI.")
    sandbox.payment("success")
    assert asha_speaks.wait_for_payment() == "Instamart order placed successfully. ₹132 are paid."
    assert asha_speaks.ended == "paid"
    assert ledger.arguments("checkout")[0] | {"addressId": ""} == {
        "addressId": "",
        "paymentMethod": "UPI",
        "generateUPIQR": True,
    }
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


def test_a_shop_that_only_chats_is_not_understood_and_nothing_is_made_up(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(form="prose")  # a cart in prose names no variant, so it could not be written back
    assert asha_speaks.say("order swiggy") == "Use Home for delivery?"
    assert asha_speaks.say("yes") == "I could not read the cart just now. Say it again to try once more."
    assert asha_speaks.phase == "confirm_address"
    assert ledger.money == NOTHING


@pytest.mark.promise("P132", "P201")
def test_a_whole_order_is_typed_and_tapped(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.say("order swiggy", source="typed")
    asha_speaks.tap("yes")
    asha_speaks.say("two milk", source="typed")
    asha_speaks.tap("option 2")
    asha_speaks.tap("complete order")
    assert "waits for your payment" in asha_speaks.tap("confirm order")
    sandbox.payment("success")
    assert "placed successfully" in asha_speaks.wait_for_payment()
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.promise("P120", "P109")
def test_the_order_costs_the_shop_no_more_calls_than_it_needs(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    say = asha_speaks.say
    made: dict[str, list[str]] = {}
    for text in ("order swiggy", "yes", "milk", "option 1", "complete order", "confirm order"):
        before = len(ledger.calls)
        say(text)
        made[text] = sorted(ledger.calls[before:])
    assert made == {
        "order swiggy": ["get_addresses"],
        "yes": ["get_cart"],
        "milk": ["search_products"] * 3,
        "option 1": ["get_cart", "update_cart"],
        "complete order": ["get_cart", "get_payment_options"],
        "confirm order": ["checkout", "get_cart"],
    }
    searches = sandbox.calls("search_products")
    assert max(call["at"] for call in searches) <= min(call["ended_at"] for call in searches) + 0.5  # in flight together
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)
