"""Whatever goes wrong on the line costs one honest sentence, and leaves the order where it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from swiggy_instamart import shop
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Clock, Ledger, Money, Speaker

pytestmark = pytest.mark.wire

MILK = "Nandini Toned Milk 500 ml"

FAULTS: dict[str, dict[str, Any]] = {
    "cut before": {"kind": "drop", "where": "before"},
    "cut after": {"kind": "drop", "where": "after"},
    "half an answer": {"kind": "half", "where": "after"},
    "no answer": {"kind": "hang", "where": "after"},
    "a page": {"kind": "malformed"},
    "nothing at all": {"kind": "empty"},
    "500 before": {"kind": "status", "status": 500},
    "500 after": {"kind": "status", "status": 500, "where": "after"},
    "429": {"kind": "status", "status": 429},
    "401": {"kind": "status", "status": 401},
    "internal": {"kind": "rpc_error", "code": -32603},
    "isError": {"kind": "is_error"},
    "says no": {"kind": "success_false", "where": "before"},
    "acts, then says no": {"kind": "success_false", "where": "after"},
}
OF_A_READ = ("cut before", "half an answer", "no answer", "a page", "500 before", "429", "401", "isError", "says no")
RAW = ("Oops", "HTTP", "http", "<html", "Error", "error", "Traceback", "None", "null", "429", "401", "502", "JSON")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch, options: Callable[..., None]) -> None:
    options(mcp_attempt_s=0.2)
    for tool in shop.TIMEOUTS:
        monkeypatch.setitem(shop.TIMEOUTS, tool, 0.2)  # type: ignore[misc]


def honest(speaker: Speaker, said: str, *, fault: str) -> None:
    """One sentence or two of one reply, in our own words; nothing claimed."""
    assert said, fault
    assert not any(word in said for word in RAW), (fault, said)
    assert "placed successfully" not in said, fault
    assert speaker.ended == "", fault
    if fault == "429":
        assert "Swiggy asks us to wait" in said
    if fault == "401":
        assert "sign-in has ended. The operator has to sign in again" in said


def each_fault(speaker: Speaker, sandbox: SandboxProcess, *, text: str, tool: str, phase: str) -> None:
    """Say it once for each fault of that call: each time one sentence, and the order where it was."""
    for fault in OF_A_READ:
        sandbox.faults([{"tool": tool, **FAULTS[fault]}])
        replies = len(speaker.of_kind("interaction.reply"))
        said = speaker.say(text)
        honest(speaker, said, fault=fault)
        assert len(speaker.of_kind("interaction.reply")) == replies + 1, fault
        assert speaker.phase == phase, fault
    sandbox.faults([])


def test_the_addresses(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    for fault in set(OF_A_READ) - {"401"}:  # a sign-in that ended shuts the order
        sandbox.faults([{"tool": "get_addresses", **FAULTS[fault]}])
        honest(asha_speaks, asha_speaks.say("order swiggy"), fault=fault)
        assert asha_speaks.phase == "starting"
    sandbox.faults([])
    assert asha_speaks.say("order swiggy") == "Use Home for delivery?"
    assert ledger.money == NOTHING


@pytest.mark.promise("P101", "P157")
def test_the_first_reading_of_the_cart(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.say("order swiggy")
    each_fault(asha_speaks, sandbox, text="yes", tool="get_cart", phase="confirm_address")
    assert asha_speaks.say("yes") == "What would you like?"
    assert ledger.money == NOTHING


@pytest.mark.promise("P156", "P157")
def test_the_search(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    each_fault(asha_speaks, sandbox, text="milk", tool="search_products", phase="shopping")
    assert "For milk I found" in asha_speaks.say("milk")
    assert ledger.money == NOTHING


def test_the_reading_before_an_edit(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_shopping().say("milk")
    each_fault(asha_speaks, sandbox, text="option 1", tool="get_cart", phase="shopping")
    assert ledger.count("update_cart") == 0
    assert asha_speaks.say("option 1").startswith(f"The cart has 1 x {MILK}.")
    assert ledger.money == NOTHING


def test_the_showing_of_the_cart(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    each_fault(asha_speaks, sandbox, text="show cart", tool="get_cart", phase="shopping")
    assert "The cart is empty." in asha_speaks.say("show cart")
    assert ledger.money == NOTHING


@pytest.mark.promise("P126", "P130")
@pytest.mark.parametrize("tool", ["get_cart", "get_payment_options"])
def test_the_reading_for_a_review(tool: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    sandbox.cart([{"find": "milk"}])
    asha_speaks.to_shopping()
    each_fault(asha_speaks, sandbox, text="complete order", tool=tool, phase="shopping")
    assert "nothing to confirm" in asha_speaks.say("confirm order")
    assert "Your order: " in asha_speaks.say("complete order")
    assert ledger.money == NOTHING


@pytest.mark.promise("P134", "P138")
@pytest.mark.parametrize("fault", ["cut before", "no answer", "401"])
def test_the_last_reading_before_the_checkout(
    fault: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    sandbox.faults([{"tool": "get_cart", **FAULTS[fault]}])
    honest(asha_speaks, asha_speaks.say("confirm order"), fault=fault)
    sandbox.faults([])
    assert asha_speaks.phase == "shopping"
    assert "nothing to confirm" in asha_speaks.say("confirm order")
    assert ledger.money == NOTHING


@pytest.mark.case("D06", "D21")
@pytest.mark.promise("P156", "P208")
def test_d21_a_write_that_got_no_answer_is_looked_at_and_never_doubled_or_called_undone(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger, clock: Clock
) -> None:
    asha_speaks.to_shopping()
    for fault, rule in FAULTS.items():
        asha_speaks.say("milk")
        sandbox.faults([{"tool": "update_cart", **rule}])
        said = asha_speaks.say("option 1")
        honest(asha_speaks, said, fault=fault)
        assert asha_speaks.phase == "shopping"
        if ledger.cart:
            assert ledger.cart == {MILK: 1}, fault
            assert "could not" not in said
            assert said.startswith(f"The cart has 1 x {MILK}.") or "not sure" in said
        elif fault != "401":
            assert "not sure whether I could change the cart" in said, fault
        sandbox.faults([])
        clock.forward(21)  # until nothing of ours can still arrive
        assert ("The cart is empty." if not ledger.cart else f"1 x {MILK}") in asha_speaks.say("show cart"), fault
        sandbox.cart(action="clear")
        asha_speaks.say("show cart")
        asha_speaks.say("no")  # it is not to be put back
    assert ledger.money == NOTHING


@pytest.mark.promise("P106")
@pytest.mark.parametrize("fault", ["cut before", "cut after", "no answer", "a page", "500 after", "429", "401", "says no"])
def test_a_clear_that_got_no_answer_stays_in_the_decision_or_is_proven(
    fault: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "milk"}])
    asha_speaks.say("order swiggy")
    asha_speaks.say("yes")
    sandbox.faults([{"tool": "clear_cart", **FAULTS[fault]}])
    said = asha_speaks.say("clear cart")
    honest(asha_speaks, said, fault=fault)
    if ledger.cart:
        assert asha_speaks.phase == "existing_cart_decision"
    else:
        assert asha_speaks.phase == "shopping"
    assert ledger.money == NOTHING


@pytest.mark.promise("P156")
@pytest.mark.parametrize("tool", ["get_addresses", "get_cart", "search_products", "get_payment_options"])
def test_a_read_that_fails_once_is_read_again_and_nobody_hears_of_it(
    tool: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.faults([{"tool": tool, "nth": 1, "kind": "drop"}])
    say = asha_speaks.say
    said = [say(text) for text in ("order swiggy", "yes", "milk", "option 1", "complete order")]
    assert not any("could not" in sentence for sentence in said)
    assert asha_speaks.phase == "awaiting_confirmation"
    say("confirm order")
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


def test_a_slow_shop_is_waited_for(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    sandbox.faults([{"tool": "*", "kind": "slow", "seconds": 0.05}])
    asha_speaks.to_review()
    assert "waits for your payment" in asha_speaks.say("confirm order")
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)


def test_c10_a_shop_that_is_gone_is_said_at_once_and_the_order_goes_on_when_it_is_back(
    asha_speaks: Speaker, sandbox: SandboxProcess, settings: Any, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    there, settings.SWIGGY_MCP_URL = settings.SWIGGY_MCP_URL, "http://127.0.0.1:9/im"
    said = asha_speaks.say("confirm order")
    assert "could not check the cart once more, so nothing was placed" in said
    assert ledger.money == NOTHING
    settings.SWIGGY_MCP_URL = there
    asha_speaks.say("complete order")
    asha_speaks.say("confirm order")
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)
