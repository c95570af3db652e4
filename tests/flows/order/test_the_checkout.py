"""The one call that spends: what refuses it, what loses its answer, and what may be said and done afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from interactions.models import Checkpoint
from swiggy_instamart.models import Account, CheckoutIntent, IntentEvent
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Clock, Ledger, Money, Speaker

UNKNOWN = "I don't know whether it was placed, please check Swiggy."
CLAIMS = ("placed successfully", "nothing was placed", "was not placed", "not be sent", "did not take")
LOST = {"tool": "checkout", "kind": "drop", "where": "after"}

# ---- the call -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P137", "P202")
def test_the_intent_is_stored_before_the_call_with_the_words_that_were_its_consent(
    asha_speaks: Speaker, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from swiggy_instamart.shop import Swiggy

    seen: list[tuple[str, str]] = []
    real = Swiggy.checkout

    def checkout(self: Swiggy, address_id: str) -> Any:
        held = Checkpoint.objects.get(effect="checkout")
        seen.append((CheckoutIntent.objects.get(checkpoint=held.pk).state, held.state))
        return real(self, address_id)

    monkeypatch.setattr(Swiggy, "checkout", checkout)
    asha_speaks.to_review()
    asha_speaks.utter("confirm order")
    asha_speaks.work()
    assert seen == [("started", "started")]
    held = Checkpoint.objects.get(effect="checkout")
    assert held.consent is not None
    assert held.consent.text == "confirm order"
    assert asha_speaks.intent.utterance == held.consent_id
    assert ledger.money == Money(1, 1, 0)


# ---- refused ------------------------------------------------------------------------------------------------------------


REFUSALS = (
    "The store is closed right now",
    "Your cart is empty",
    "This address is not serviceable at the moment",
    "Please select a valid address for this cart",
    "UPI payment is temporarily disabled for this cart",
    "Orders above the allowed limit of ₹1000 cannot be placed",
    "The minimum order value is ₹99",
)


@pytest.mark.case("D08", "D17")
@pytest.mark.promise("P138", "P240")
def test_d08_d17_each_refusal_is_told_in_the_shops_words_and_only_another_review_can_spend(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    for made, words in enumerate(REFUSALS, 1):
        sandbox.faults([{"tool": "checkout", "kind": "success_false", "message": words}])
        said = asha_speaks.say("confirm order")
        assert f"Swiggy did not take the order. Swiggy said: “{words}”." in said
        empty = "empty" in words
        assert (
            "Look in Swiggy before you order again." if empty else "I see no such order at Swiggy. The cart is kept."
        ) in said
        assert ledger.calls.count("get_orders") >= made, "looked at once before another review"
        assert (asha_speaks.phase, asha_speaks.ended, asha_speaks.intent.state) == ("shopping", "", "refused")
        assert sum(ledger.cart.values()) == 2
        assert "nothing to confirm" in asha_speaks.say("confirm order")
        assert ledger.money == Money(checkouts=made, orders=0, confirms=0), words
        asha_speaks.say("complete order")
    sandbox.faults([])
    asha_speaks.say("confirm order")
    assert ledger.money == Money(checkouts=len(REFUSALS) + 1, orders=1, confirms=0)
    assert len({sent["addressId"] for sent in ledger.arguments("checkout")}) == 1, "no other address is tried"


@pytest.mark.case("D17")
@pytest.mark.promise("P240")
def test_d17_a_store_that_opens_again_is_asked_only_on_new_words(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    sandbox.settings(store_open=False)
    asha_speaks.say("confirm order")
    sandbox.settings(store_open=True)
    asha_speaks.say("confirm order")
    asha_speaks.say("yes")
    assert ledger.count("checkout") == 1
    asha_speaks.say("complete order")
    asha_speaks.say("confirm order")
    assert asha_speaks.phase == "awaiting_payment"
    assert ledger.money == Money(checkouts=2, orders=1, confirms=0)


CLOSED_LIST: tuple[dict[str, Any], ...] = (
    {"kind": "status", "status": 401},
    {"kind": "status", "status": 403},
    {"kind": "status", "status": 419},
    {"kind": "status", "status": 429},
    {"kind": "status", "status": 400},
    {"kind": "rpc_error", "code": -32001},
    {"kind": "rpc_error", "code": -32601},
    {"kind": "rpc_error", "code": -32602},
)


@pytest.mark.promise("P138", "P240", "P176")
def test_each_no_on_the_closed_list_placed_nothing_and_is_checked_once(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    for made, rule in enumerate(CLOSED_LIST, 1):
        sandbox.faults([{"tool": "checkout", **rule}])
        said = asha_speaks.say("confirm order")
        assert said.startswith("Placing it now. Swiggy did not take the order."), rule
        assert "Say complete order to review it again." in said
        assert UNKNOWN not in said
        assert (asha_speaks.phase, asha_speaks.intent.state) == ("shopping", "refused"), rule
        assert "nothing to confirm" in asha_speaks.say("confirm order")
        asha_speaks.say("complete order")
        assert ledger.money == Money(checkouts=made, orders=0, confirms=0)


@pytest.mark.promise("P138", "P240")
def test_a_checkout_that_provably_never_left_placed_nothing(
    asha_speaks: Speaker, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    from interactions.contracts import NotSentError
    from swiggy_instamart.shop import Swiggy

    asha_speaks.to_review()

    def unreachable(self: Swiggy, address_id: str) -> None:
        raise NotSentError("unreachable")

    monkeypatch.setattr(Swiggy, "checkout", unreachable)
    said = asha_speaks.say("confirm order")
    assert "The order could not be sent, so nothing was placed." in said
    assert (asha_speaks.phase, asha_speaks.intent.state) == ("shopping", "not_sent")
    assert "nothing to confirm" in asha_speaks.say("confirm order")
    assert ledger.money == NOTHING


# ---- unknown ------------------------------------------------------------------------------------------------------------

DOUBTS: dict[str, dict[str, Any]] = {
    "cut before": {"kind": "drop", "where": "before"},
    "reset before": {"kind": "drop", "where": "before", "reset": True},
    "cut after": {"kind": "drop", "where": "after"},
    "half an answer": {"kind": "half", "where": "after"},
    "no answer": {"kind": "hang", "where": "after"},
    "a page": {"kind": "malformed", "where": "after"},
    "nothing at all": {"kind": "empty", "where": "after"},
    "500 after": {"kind": "status", "status": 500, "where": "after"},
    "503 before": {"kind": "status", "status": 503, "where": "before"},
    "504 after": {"kind": "status", "status": 504, "where": "after"},
    "internal": {"kind": "rpc_error", "code": -32603, "where": "after"},
    "isError": {"kind": "is_error", "where": "after"},
    "isError that names a refusal": {"kind": "is_error", "message": "Your cart is empty", "where": "after"},
    "acts, then says no": {"kind": "success_false", "where": "after"},
    "says no in unknown words": {"kind": "success_false", "where": "before"},
    "no order id": {"shape": "no_order_id"},
}


@pytest.mark.case("D10", "D21")
@pytest.mark.promise("P138", "P207", "P154")
@pytest.mark.parametrize("doubt", DOUBTS)
def test_d10_d21_whatever_else_comes_of_it_is_unknown_and_is_never_sent_again(
    doubt: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from swiggy_instamart import shop

    rule = DOUBTS[doubt]
    if rule.get("kind") == "hang":  # the others end by themselves, and the shop of a busy machine may need longer to act
        monkeypatch.setitem(shop.TIMEOUTS, "checkout", 1.0)  # type: ignore[misc]
    asha_speaks.to_review()
    if "shape" in rule:
        sandbox.settings(checkout_shape=rule["shape"])
    else:
        sandbox.faults([{"tool": "checkout", **rule}])
    sandbox.settings(orders_stale=True)  # so that looking shows nothing, which proves nothing
    said = asha_speaks.say("confirm order")
    assert said.startswith(f"Placing it now. {UNKNOWN}")
    assert "I do not see the order yet, but that proves nothing." in said
    assert not any(claim in said for claim in CLAIMS)
    assert (asha_speaks.phase, asha_speaks.intent.state) == ("checkout_outcome_unknown", "unknown")
    assert "will not order anything before that has ended" in asha_speaks.say("confirm order")
    assert "that proves nothing" in asha_speaks.say("place it again")
    done = ledger.money
    assert done.checkouts == 1
    assert done == Money(1, 0 if rule.get("where") == "before" else 1, 0)


@pytest.mark.case("D10")
@pytest.mark.promise("P138", "P207")
def test_d10_an_order_that_is_found_is_reported_with_the_shops_own_word(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    sandbox.faults([LOST])
    said = asha_speaks.say("confirm order")
    assert said.index(UNKNOWN) < said.index("Swiggy lists the order")  # said before it is looked for
    assert "its state is “pending payment”" in said
    assert asha_speaks.ended == "checkout_order_seen"
    assert ledger.calls.index("checkout") < ledger.calls.index("get_orders")
    assert "The chain heard" in asha_speaks.say("place it again")
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.promise("P207")
@pytest.mark.parametrize("what", ["amount", "time"])
def test_an_order_of_another_amount_or_time_is_not_taken_for_it(
    what: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    if what == "amount":
        sandbox.settings(checkout_extra_paise=100)
    sandbox.faults([LOST])
    if what == "time":
        sandbox.settings(clock_ahead_s=-3600.0)
    assert "proves nothing" in asha_speaks.say("confirm order")
    assert asha_speaks.phase == "checkout_outcome_unknown"
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.promise("P207", "P241", "P120")
def test_after_the_look_up_the_account_may_order_again_and_the_next_review_opens_with_what_may_exist(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger, clock: Clock
) -> None:
    say = asha_speaks.to_review().say
    sandbox.settings(orders_stale=True)
    sandbox.faults([{**LOST, "nth": 1}])
    say("confirm order")
    for _ in range(3):
        asha_speaks.wait_for_look_up()
    assert asha_speaks.intent.state == "unknown"
    said = asha_speaks.wait_for_look_up(140)
    assert said == (
        "I could not find the order, but it may exist. Check Swiggy before you order again. You can go on shopping here."
    )
    assert (asha_speaks.phase, asha_speaks.intent.state) == ("shopping", "unfound")
    assert "nothing to confirm" in say("confirm order")
    said = say("complete order")
    spoken = asha_speaks.intent.created_at.astimezone(ZoneInfo("Asia/Kolkata"))  # the household's time, not the server's
    assert said.startswith(f"An order of ₹108 from {spoken:%H:%M} may exist already")
    assert " may exist already; please check Swiggy. Your order: 2 x " in said
    assert "I was still reading" in say("confirm order", listened=False)
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)
    say("confirm order")
    assert ledger.money == Money(checkouts=2, orders=2, confirms=0)


@pytest.mark.promise("P207", "P206", "P140")
def test_stop_while_it_is_unknown_says_what_stands_and_the_look_up_goes_on(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    sandbox.settings(orders_stale=True)
    sandbox.faults([LOST])
    asha_speaks.say("confirm order")
    said = asha_speaks.say("stop")
    assert "nothing was cancelled: whether the order was placed is not known yet" in said
    assert asha_speaks.ended == "left_while_paying"
    assert "Order again once that has ended, which is in 3 minutes at the latest." in asha_speaks.say("order swiggy")
    sandbox.settings(orders_stale=False)
    assert "Swiggy lists the order" in asha_speaks.wait_for_look_up()
    assert asha_speaks.intent.state == "seen"
    assert asha_speaks.say("order swiggy") == "Use Home for delivery?"
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.promise("P207")
def test_a_look_up_that_can_read_nothing_proves_nothing(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_review()
    sandbox.faults([LOST, {"tool": "get_orders", "kind": "status", "status": 500}])
    said = asha_speaks.say("confirm order")
    assert UNKNOWN in said
    assert not any(claim in said for claim in CLAIMS)
    assert asha_speaks.phase == "checkout_outcome_unknown"
    sandbox.faults([])
    assert "Swiggy lists the order" in asha_speaks.wait_for_look_up()
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.promise("P138")
def test_an_order_seen_after_a_refusal_is_told(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_review()
    sandbox.faults(
        [{"tool": "checkout", "kind": "success_false", "where": "after", "message": "The store is closed right now"}]
    )
    said = asha_speaks.say("confirm order")
    assert "Swiggy lists the order" in said
    assert asha_speaks.ended == "checkout_order_seen"
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.promise("P144", "P151")
@pytest.mark.parametrize("shape", ["no_paas_id", "no_bridge_url"])
def test_an_order_whose_payment_cannot_be_followed_ends_with_advice_and_nothing_is_sent_again(
    shape: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    sandbox.settings(checkout_shape=shape)
    said = asha_speaks.say("confirm order")
    assert "check" in said.casefold()
    assert "Swiggy" in said
    assert "I will not send it again" in said
    assert not any(claim in said for claim in CLAIMS)
    assert ledger.count("check_payment_status") == 0
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.case("D18")
@pytest.mark.promise("P138", "P144")
def test_d18_of_an_order_that_was_split_over_two_stores_each_part_is_told_and_nothing_is_called_placed(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    sandbox.settings(checkout_shape="multi_store")
    said = asha_speaks.say("confirm order")
    assert "Swiggy split this into 2 orders. " in said
    assert f"Order 1, {ledger.orders[0]['id']}, is “pending payment”. " in said
    assert "Order 2 failed: “One of the stores could not take the order”." in said
    assert "placed successfully" not in said
    assert "check" in said.casefold()
    assert (asha_speaks.ended, asha_speaks.intent.state) == ("payment_unmonitored", "unknown")
    asha_speaks.say("confirm order")
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


# ---- one account --------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P120")
def test_no_cart_is_written_and_nothing_is_bought_while_an_old_request_may_still_arrive(
    asha_speaks: Speaker, ledger: Ledger, clock: Clock
) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    clock.forward(2)
    Account.objects.update(quiet_until=clock.now() + timedelta(seconds=20))
    asha_speaks.say("confirm order")
    asha_speaks.say("make it five")
    assert ledger.count("update_cart") == 0
    assert ledger.money == NOTHING
    clock.forward(21)
    asha_speaks.work()
    assert "too long after your words, so nothing was placed" in asha_speaks.hear()
    asha_speaks.say("make it five")
    assert sum(ledger.cart.values()) == 5
    assert ledger.money == NOTHING


@pytest.mark.promise("P120", "P205")
def test_one_account_has_one_open_order_until_its_payment_has_ended(
    asha_speaks: Speaker, at: Callable[..., Speaker], hall: Any, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    other = at(hall)
    asha_speaks.to_payment()
    calls = len(ledger.calls)
    assert other.say("order swiggy").startswith("A Swiggy order is already open at kitchen.")
    assert other.say("no") == "All right, the order at kitchen stays there."
    asha_speaks.say("stop")
    said = other.say("order swiggy")
    assert "An earlier order at kitchen is still being paid for" in said
    assert re.search(r"Order again once that has ended, which is in [1-9]\d? minutes at the latest\.$", said), said
    assert len(ledger.calls) == calls
    sandbox.payment("failed")
    assert "The payment failed" in asha_speaks.wait_for_payment()
    assert other.say("order swiggy") == "Use Home for delivery?"
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


@pytest.mark.promise("P137")
def test_the_chain_of_an_intent_is_whole_and_tells_what_became_of_it(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    from swiggy_instamart import intents

    asha_speaks.to_review()
    sandbox.faults([LOST])
    asha_speaks.say("confirm order")
    intent = asha_speaks.intent
    names = list(IntentEvent.objects.filter(intent=intent).order_by("sequence").values_list("name", flat=True))
    assert names == ["intended", "unknown", "seen"]
    assert intents.verify(intent)
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)
