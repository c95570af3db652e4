"""The client against the sandbox: one whole order, in every form in which the shop may answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interactions.contracts import NoAnswerError, SignInNeededError, TurnedDownError
from swiggy_instamart import answers, receipts
from swiggy_instamart.receipts import Payment, Placing
from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.shop import Swiggy


def home(swiggy: Swiggy) -> answers.Address:
    return next(address for address in swiggy.addresses() if address.label == "Home")


def fill(swiggy: Swiggy) -> tuple[answers.Address, answers.Cart]:
    where = home(swiggy)
    milk = next(variant for variant in swiggy.search(where.id, "milk") if variant.in_stock)
    line = answers.CartLine(milk.spin, milk.sku, milk.name, milk.size, 2)
    written = swiggy.update_cart(where.id, [line])
    return where, written.cart or swiggy.cart()


@pytest.mark.parametrize("reply", ["sse", "json"])
@pytest.mark.parametrize("form", ["structured", "wrapped", "json", "prose_json", "field"])
def test_one_order_is_the_same_in_every_form(live: Swiggy, sandbox: SandboxProcess, form: str, reply: str) -> None:
    sandbox.settings(form=form, reply=reply, output_schema="broken", session_header=reply == "json")
    where, cart = fill(live)
    assert answers.same_address(cart.address_id, where.id)
    assert cart.writable
    assert [line.quantity for line in cart.lines] == [2]
    options = live.payment_options()
    assert options.scan
    assert options.amount_paise == cart.to_pay_paise is not None
    done = live.checkout(where.id)
    assert done.placing is Placing.PENDING_PAYMENT
    assert done.total_paise == cart.to_pay_paise
    assert done.link
    assert live.payment_status(done.paas_id, done.order_id).state is Payment.PENDING
    sandbox.payment("success")
    status = live.payment_status(done.paas_id, done.order_id)
    assert (status.state, status.confirmed) == (Payment.PAID, True)
    assert live.confirm_order(done.order_id, done.paas_id).result == "success"
    assert done.order_id in {order.order_id for order in live.orders() if order.kind == "DASH"}
    assert sandbox.ledger()["counts"]["committed"] == 1


def test_addresses_are_read_from_prose_alone_over_all_pages(live: Swiggy, sandbox: SandboxProcess) -> None:
    sandbox.settings(many_addresses=True)
    structured = live.addresses()
    sandbox.settings(form="prose", many_addresses=True)
    assert live.addresses() == structured
    assert len(structured) > 20


@pytest.mark.promise("P138")
def test_a_checkout_that_acted_and_then_failed_is_unknown(live: Swiggy, sandbox: SandboxProcess) -> None:
    for rule in (
        {"kind": "drop"},
        {"kind": "half"},
        {"kind": "success_false"},
        {"kind": "is_error"},
        {"kind": "status", "status": 502},
    ):
        sandbox.reset()
        where, _ = fill(live)
        sandbox.faults([{"tool": "checkout", "where": "after", "times": 1} | rule])
        with pytest.raises(NoAnswerError):
            live.checkout(where.id)
        assert sandbox.ledger()["counts"] | {"checkouts": 1, "committed": 1} == sandbox.ledger()["counts"], rule


@pytest.mark.promise("P138")
def test_what_the_sandbox_refuses_before_it_acts_is_a_refusal(live: Swiggy, sandbox: SandboxProcess) -> None:
    where = home(live)

    def refused() -> str:
        with pytest.raises(TurnedDownError) as caught:
            live.checkout(where.id)
        return caught.value.code

    assert refused() == "empty_cart"
    fill(live)
    for switch, code in (
        ({"store_open": False}, "store_closed"),
        ({"minimum_rupees": 900}, "minimum"),
        ({"upi": False}, "method"),
    ):
        sandbox.settings(**switch)
        assert refused() == code
        sandbox.settings(store_open=True, minimum_rupees=None, upi=True)
    sandbox.settings(order_cap_rupees=1)
    assert refused() == "limit"
    assert sandbox.ledger()["counts"]["committed"] == 0


def test_the_three_shapes_of_an_accepted_checkout_are_told_apart(live: Swiggy, sandbox: SandboxProcess) -> None:
    for shape in ("no_order_id", "no_paas_id", "no_bridge_url"):
        sandbox.reset()
        sandbox.settings(checkout_shape=shape)
        where, _ = fill(live)
        with pytest.raises(NoAnswerError):
            live.checkout(where.id)


def test_a_cart_that_is_cleared_and_one_that_is_capped_are_seen(live: Swiggy, sandbox: SandboxProcess) -> None:
    where, cart = fill(live)
    line = cart.lines[0]
    many = answers.CartLine(line.spin, line.sku, line.name, line.size, 50)
    written = live.update_cart(where.id, [many])
    assert [(row.asked, row.given < 50) for row in written.reduced] == [(50, True)]
    live.clear_cart()
    assert live.cart().lines == ()


def test_the_tools_that_are_served_are_listed(live: Swiggy) -> None:
    names = live.tools()
    assert {"checkout", "get_cart", "confirm_order"} <= names
    assert "list_coupons" not in names


@pytest.mark.promise("P176")
@pytest.mark.parametrize("how", ["revoked", "status", "code"])
def test_a_sign_in_that_swiggy_does_not_accept_says_so(live: Swiggy, sandbox: SandboxProcess, sign_in: Path, how: str) -> None:
    live.cart()
    if how == "revoked":
        sandbox.settings(revoked_tokens=[_tid(sign_in)])
    else:
        rule = {"kind": "status", "status": 419} if how == "status" else {"kind": "rpc_error", "code": -32001}
        sandbox.faults([{"tool": "get_cart", **rule}])
    with pytest.raises(SignInNeededError, match="renew"):
        live.cart()


def _tid(sign_in: Path) -> str:
    found = seed.claims(json.loads((sign_in / "tokens.json").read_text())["access_token"])
    assert found is not None
    return str(found["tid"])


def test_payment_words_of_the_sandbox_are_all_understood(live: Swiggy, sandbox: SandboxProcess) -> None:
    words = {
        "failed": Payment.FAILED,
        "cancelled": Payment.CANCELLED,
        "cart_changed": Payment.CART_CHANGED,
        "refund-initiated": Payment.REFUNDED,
    }
    for word, state in words.items():
        sandbox.reset()
        where, _ = fill(live)
        done: receipts.CheckedOut = live.checkout(where.id)
        sandbox.payment(word)
        assert live.payment_status(done.paas_id, done.order_id).state is state
