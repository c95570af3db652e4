"""Referring to what was said, chosen and ordered before, against the shop."""

from __future__ import annotations

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import Ledger, Speaker

MILK = "Nandini Toned Milk 500 ml"


@pytest.mark.promise("P210")
def test_undo_restores_the_cart_and_goes_over_nobody_elses_change(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("do packet doodh chahiye")
    asha_speaks.say("koi bhi")
    held = ledger.cart
    assert list(held.values()) == [2]
    asha_speaks.say("teen kar do")
    assert list(ledger.cart.values()) == [3]
    asha_speaks.say("wapas karo")
    assert ledger.cart == held
    sandbox.cart([{"find": "eggs"}])
    writes = ledger.count("update_cart", "clear_cart")
    asha_speaks.say("undo")
    assert ledger.count("update_cart", "clear_cart") == writes


@pytest.mark.promise("P210")
def test_what_was_ordered_before_is_proposed_and_then_put_in(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    sandbox.payment("success")
    asha_speaks.wait_for_payment()
    asha_speaks.to_shopping()
    assert "toned milk" in asha_speaks.say("same as last time").casefold()
    assert ledger.cart == {}
    asha_speaks.say("yes")
    assert ledger.cart == {MILK: 2}


@pytest.mark.promise("P113", "P115", "P210")
def test_one_more_one_less_and_one_thing_for_another_against_the_shop(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("do packet doodh chahiye")
    asha_speaks.say("koi bhi")
    assert list(ledger.cart.values()) == [2]
    asha_speaks.say("ek aur")
    assert list(ledger.cart.values()) == [3]
    asha_speaks.say("ek doodh hata do")
    assert list(ledger.cart.values()) == [2]
    held = ledger.cart
    asha_speaks.say("doodh ki jagah dahi")
    assert ledger.cart == held
    asha_speaks.say("the first one")
    assert len(ledger.cart) == 1
    assert "curd" in next(iter(ledger.cart)).casefold()


@pytest.mark.promise("P116")
@pytest.mark.case("A18")
def test_a_pair_that_may_be_one_thing_is_looked_for_whole_and_in_parts(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    searches = ledger.count("search_products")
    asha_speaks.say("chips and dip")
    assert ledger.count("search_products") == searches + 3
    assert ledger.cart == {}
