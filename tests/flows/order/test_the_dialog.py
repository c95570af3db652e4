"""Faults of other dialogs that this one must not have: what was closed stays closed, what was kept is not forgotten."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, PER_WORD_S, Ledger, Speaker

PLACED = ("is placed", "was placed", "has been placed", "order placed", "on its way")


def bought(speaker: Speaker) -> Speaker:
    """Two packets of milk are in the cart."""
    speaker.to_shopping()
    speaker.say("two milk")
    assert "The cart has 2 x" in speaker.say("option 1")
    return speaker


@pytest.mark.case("C01")
@pytest.mark.parametrize("word", ["cancel", "stop", "कैंसल करो"])
def test_c01_what_was_closed_stays_closed(asha_speaks: Speaker, ledger: Ledger, word: str) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say(word)
    assert asha_speaks.ended == "cancelled"
    closed, calls = asha_speaks.session.pk, ledger.calls
    asha_speaks.clock.forward(1)
    asha_speaks.say("milk")
    asha_speaks.say("option 1")
    assert (asha_speaks.session.pk, asha_speaks.current) == (closed, None)
    assert ledger.calls == calls


@pytest.mark.promise("P209")
@pytest.mark.parametrize("word", ["rehne do", "रहने दो", "rahne dijiye", "nahi rehne do"])
def test_let_it_be_passes_over_what_was_offered_and_leaves_the_order_open(
    asha_speaks: Speaker, ledger: Ledger, word: str
) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("milk")
    asha_speaks.say(word)
    assert (asha_speaks.ended, asha_speaks.phase) == ("", "shopping")
    asha_speaks.say("option 1")
    assert sum(ledger.cart.values()) == 0


@pytest.mark.case("C04")
def test_c04_what_a_closed_dialog_left_is_told_as_found_in_the_cart(asha_speaks: Speaker, ledger: Ledger) -> None:
    bought(asha_speaks).say("cancel")
    asha_speaks.say("order swiggy")
    found = asha_speaks.say("yes")
    assert found.startswith("Your Swiggy cart already has 2 x")
    assert asha_speaks.say("what have I got") == found
    assert asha_speaks.phase == "existing_cart_decision"
    assert sum(ledger.cart.values()) == 2


@pytest.mark.case("C04")
def test_c04_of_a_cart_that_was_emptied_meanwhile_nothing_comes_back(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    bought(asha_speaks).say("cancel")
    sandbox.cart(action="clear")
    asha_speaks.say("order swiggy")
    assert asha_speaks.say("yes") == "What would you like?"
    assert asha_speaks.say("what have I got").startswith("The cart is empty.")
    assert asha_speaks.say("option 1").startswith("There is nothing to choose from")


@pytest.mark.case("C05")
def test_c05_an_answer_just_before_the_deadline_answers(asha_speaks: Speaker) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("milk")
    asha_speaks.clock.forward((asha_speaks.session.idle_at - asha_speaks.clock.now()).total_seconds() - 1)
    assert "The cart has 1 x" in asha_speaks.say("option 1", listened=False)


@pytest.mark.case("C05")
def test_c05_an_answer_just_after_the_deadline_hears_that_it_is_over_and_what_is_kept(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    bought(asha_speaks).say("bread")
    asha_speaks.clock.forward((asha_speaks.session.idle_at - asha_speaks.clock.now()).total_seconds() + 0.1)
    said = asha_speaks.say("option 1", listened=False)
    assert "The order timed out" in said
    assert "the items stay in your Swiggy cart" in said
    assert asha_speaks.ended == "idle_timeout"
    assert sum(ledger.cart.values()) == 2


@pytest.mark.case("C10")
@pytest.mark.parametrize("fault", [{"kind": "status", "status": 400}, {"kind": "drop"}, {"kind": "success_false"}, None])
def test_c10_nothing_is_called_placed_that_no_result_proves(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger, fault: dict[str, object] | None
) -> None:
    asha_speaks.to_review()
    if fault is not None:
        sandbox.faults([{"tool": "checkout", **fault}])
    for said in ("place the order", "yes, place the order", *(["confirm order"] if fault else [])):
        asha_speaks.say(said)
    heard = " ".join(str(row.get("text")) for row in asha_speaks.events).casefold()
    claims = [
        claim for claim in PLACED if claim in heard.replace("nothing was placed", "").replace("whether it was placed", "")
    ]
    assert claims == []
    assert ledger.orders == []
    assert (ledger.money == NOTHING) == (fault is None)


@pytest.mark.case("C11")
@pytest.mark.django_db(transaction=True)
def test_c11_after_a_restart_the_next_words_join_the_same_basket(
    asha_speaks: Speaker, restart: Callable[[], None], ledger: Ledger
) -> None:
    bought(asha_speaks)
    session = asha_speaks.session.pk
    restart()
    asha_speaks.say("and a bread")
    restart()
    asha_speaks.say("option 1")
    assert asha_speaks.session.pk == session
    assert sorted(ledger.cart.values()) == [1, 2]


@pytest.mark.case("C11")
@pytest.mark.django_db(transaction=True)
def test_c11_a_review_that_grew_too_old_during_a_restart_is_asked_again(
    asha_speaks: Speaker, restart: Callable[[], None], ledger: Ledger
) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    restart()
    asha_speaks.clock.forward(121)
    assert "too old" in asha_speaks.say("confirm order", listened=False)
    assert ledger.money == NOTHING


def test_repeat_says_over_the_wire_what_was_said_last_and_a_tap_still_answers_it(asha_speaks: Speaker) -> None:
    bought(asha_speaks)
    answer = asha_speaks.say("show cart")
    assert answer.startswith("In the cart: 2 x")
    buttons = asha_speaks.choices
    assert asha_speaks.say("say that again") == answer
    assert asha_speaks.choices == buttons
    asha_speaks.clock.forward(PER_WORD_S)
    assert asha_speaks.tap("complete order").startswith("Your order: 2 x")
