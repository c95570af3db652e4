"""From the phrase to a confirmed address: who may order, with which sign-in, and where it goes."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Ledger, Speaker
from tests.support.people import Owned
from tests.support.shopper import Shopper

CART = ("get_cart", "update_cart", "clear_cart")

# ---- who may order ------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P095", "P170")
@pytest.mark.parametrize("who", ["bedroom", "elsewhere"])
def test_anyone_but_the_linked_user_hears_that_it_is_not_linked_and_swiggy_is_not_called(
    who: str, request: pytest.FixtureRequest, asha: Any, at: Callable[[Owned], Speaker], ledger: Ledger
) -> None:
    speaker = at(request.getfixturevalue(who))
    assert "is not linked to you" in speaker.say("order swiggy")
    assert (speaker.ended, speaker.phase) == ("not_linked", "finished")
    assert "The chain heard" in speaker.say("yes")
    assert ledger.calls == []


@pytest.mark.promise("P095", "P172")
@pytest.mark.parametrize("name", ["", "nobody", "0"])
def test_without_a_linked_user_nobody_may_order_and_the_operator_is_named(
    name: str, asha_speaks: Speaker, settings: Any, ledger: Ledger
) -> None:
    settings.SWIGGY_LINKED_USER_ID = name
    assert "not set up here. The operator" in asha_speaks.say("order swiggy")
    assert asha_speaks.ended == "not_configured"
    assert ledger.calls == []


@pytest.mark.promise("P096", "P171")
@pytest.mark.parametrize("missing", ["tokens.json", "client.json", None])
def test_without_both_files_of_the_sign_in_it_is_not_configured(
    missing: str | None, asha_speaks: Speaker, settings: Any, tmp_path: Path, ledger: Ledger
) -> None:
    if missing is not None:
        seed.write_tokens(tmp_path / "swiggy")
        (tmp_path / "swiggy" / missing).unlink()
    settings.SWIGGY_TOKEN_DIRECTORY = tmp_path / "swiggy"
    assert "not set up here" in asha_speaks.say("order swiggy")
    assert asha_speaks.ended == "not_configured"
    assert ledger.calls == []


@pytest.mark.promise("P171")
def test_the_sign_in_is_read_from_the_data_directory_unless_another_one_is_named(settings: Any) -> None:
    from chronicle import settings as shipped

    assert Path(shipped.SWIGGY_TOKEN_DIRECTORY) == Path(shipped.CHRONICLE_DATA_DIR) / "integrations" / "swiggy"
    assert not Path(shipped.SWIGGY_TOKEN_DIRECTORY).is_relative_to(Path(shipped.BASE_DIR) / "swiggy_instamart")


@pytest.mark.promise("P171")
def test_a_sign_in_that_others_could_read_is_closed_to_them_or_not_used(
    asha_speaks: Speaker, settings: Any, tmp_path: Path
) -> None:
    directory = tmp_path / "swiggy"
    seed.write_tokens(directory)
    directory.chmod(0o755)
    settings.SWIGGY_TOKEN_DIRECTORY = directory
    said = asha_speaks.say("order swiggy")
    assert "not set up here" in said or stat.S_IMODE(directory.stat().st_mode) == 0o700


@pytest.mark.promise("P176")
@pytest.mark.case("D04")
def test_d04_a_sign_in_that_has_ended_is_said_before_the_order_is_taken(
    asha_speaks: Speaker, settings: Any, tmp_path: Path, ledger: Ledger
) -> None:
    seed.write_expired_tokens(tmp_path / "swiggy")
    settings.SWIGGY_TOKEN_DIRECTORY = tmp_path / "swiggy"
    assert asha_speaks.say("order swiggy") == (
        "The Swiggy sign-in has ended. The operator has to sign in again; then say order Swiggy again."
    )
    assert asha_speaks.ended == "sign_in_needed"
    assert ledger.calls == []


@pytest.mark.promise("P176")
@pytest.mark.case("D04")
def test_d04_a_sign_in_that_ends_during_the_order_is_said_and_the_basket_is_kept(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "eggs"}])
    asha_speaks.to_shopping()
    for auth in ("expired", "revoked", "forbidden", "rpc"):
        sandbox.settings(auth=auth)
        before = len(ledger.calls)
        said = asha_speaks.say("milk")
        assert "sign-in has ended. The operator has to sign in again; your cart is kept." in said, auth
        assert (asha_speaks.phase, asha_speaks.ended) == ("shopping", "")
        assert len(ledger.calls) - before <= 3, "each sample is tried once, and not again"
    sandbox.settings(auth="ok")
    assert "For milk I found" in asha_speaks.say("milk")
    assert len(ledger.cart) == 1
    assert ledger.money == NOTHING


# ---- the address --------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P098", "P099", "P101", "P238")
def test_home_is_proposed_as_it_was_saved_and_the_cart_is_not_touched_before_the_yes(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    assert asha_speaks.say("order swiggy") == "Use Home for delivery?"  # Home 2 is the first that Swiggy lists
    assert asha_speaks.choices == ["yes", "no", "change address"]
    assert ledger.count(*CART) == 0
    asha_speaks.say("yes")
    assert ledger.calls[-1] == "get_cart"


@pytest.mark.promise("P098")
def test_home_is_found_on_whichever_page_it_stands(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    sandbox.settings(many_addresses=True)
    assert asha_speaks.say("order swiggy") == "Use Home for delivery?"


@pytest.mark.promise("P100", "P099")
@pytest.mark.parametrize("home", ["twice", "absent"])
def test_a_home_that_is_double_or_absent_is_asked_for_and_never_guessed(
    home: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(home=home)
    said = asha_speaks.say("order swiggy")
    assert "Which saved address should I use" in said
    assert "Use " not in said
    asha_speaks.say("yes")
    assert asha_speaks.phase == "select_address"
    assert ledger.count(*CART) == 0


@pytest.mark.promise("P100")
@pytest.mark.parametrize("label", [None, "Grandmother", "Hom"])
def test_a_label_that_is_not_saved_is_asked_for(label: str | None, asha_speaks: Speaker, options: Callable[..., None]) -> None:
    options(preferred_address_label=label)
    assert "Which saved address should I use: " in asha_speaks.say("order swiggy")


@pytest.mark.promise("P097")
def test_an_account_without_an_address_ends_with_advice(asha_speaks: Speaker, shopper: Shopper, ledger: Ledger) -> None:
    for row in shopper.data("get_addresses")["addresses"]:
        shopper.data("delete_address", addressId=row["id"])
    assert "no saved address. Add one in the Swiggy app" in asha_speaks.say("order swiggy")
    assert asha_speaks.ended == "no_address"
    assert ledger.count(*CART) == 0


@pytest.mark.promise("P101", "P102")
def test_an_unclear_answer_repeats_the_question_and_reads_no_cart(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.say("order swiggy")
    assert asha_speaks.say("maybe").endswith("Use Home for delivery?")
    for unclear in ("milk", "maybe", "yes but quickly", "confirm order", "two"):
        asha_speaks.say(unclear)
        assert "yes" in asha_speaks.choices
        assert asha_speaks.phase == "confirm_address"
    assert ledger.calls == ["get_addresses"]


@pytest.mark.promise("P101")
def test_c13_a_no_right_after_the_opening_asks_for_another_address(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.say("order swiggy")
    assert "Which saved address should I use" in asha_speaks.say("no")
    assert ledger.calls == ["get_addresses"]


@pytest.mark.promise("P103", "P104")
def test_another_address_is_chosen_by_its_label_and_must_be_confirmed_too(
    asha_speaks: Speaker, shopper: Shopper, ledger: Ledger
) -> None:
    say = asha_speaks.say
    say("order swiggy")
    assert "Which saved address" in say("change address")
    assert "not one of the saved labels" in say("the moon")
    assert say("home") == "Use Home for delivery?"  # whole, so it beats Home 2
    say("change address")
    assert say("home 2") == "Use Home 2 for delivery?"
    assert ledger.count(*CART) == 0
    assert say("yes") == "What would you like?"
    say("milk")
    searched = {call["addressId"] for call in ledger.arguments("search_products")}
    assert searched == {shopper.address("Home 2")}


@pytest.mark.promise("P107", "P051")
def test_what_was_asked_for_with_the_phrase_comes_after_address_and_cart(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "eggs"}])
    say = asha_speaks.say
    say("order swiggy two milk and a bread")
    assert "Keep cart or clear cart?" in say("yes")
    assert ledger.count("search_products") == 0
    assert "For milk I found" in say("keep cart")
    assert "The cart has 2 x" in say("option 1")
    assert ledger.money == NOTHING


def test_c04_a_new_order_knows_nothing_of_the_one_before(asha_speaks: Speaker, ledger: Ledger) -> None:
    say = asha_speaks.to_shopping().say
    say("milk")
    say("option 1")
    say("cancel order")
    assert say("order swiggy") == "Use Home for delivery?"
    said = say("yes")
    assert said.startswith("Your Swiggy cart already has 1 x")  # found in the cart, not ordered now
    assert "Keep cart or clear cart?" in said
    assert asha_speaks.session.state.get("offers") == []
    assert asha_speaks.session.state.get("last") is None
    assert ledger.money == NOTHING
