"""Checkout, payment and orders on the wire: what makes an order, what does not, and what is said of it afterwards."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support.shopper import Shopper


def counts(swiggy: SandboxProcess) -> dict[str, int]:
    return swiggy.ledger()["counts"]


def test_payment_options_follow_the_cart_and_the_switches(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    assert shopper.data("get_payment_options") == {"allMethods": [], "paymentAmount": None}
    shopper.put(("onion", 1), at=home)
    options = shopper.data("get_payment_options")
    assert {"id": "PayWithQR", "kind": "qr"} in options["allMethods"]
    assert options["paymentAmount"] == "₹81"
    swiggy.settings(upi=False)
    assert "platforms" not in shopper.data("get_payment_options")
    assert shopper.cart()["availablePaymentMethods"] == ["Cash"]


def test_a_scan_checkout_waits_for_its_payment_and_is_not_placed(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("toned milk", 4), at=home)
    made = shopper.pay_by_scan(at=home)
    assert (made["status"], made["isQrFlow"], made["paymentMethod"]) == ("PENDING_PAYMENT", True, "UPI")
    assert made["bridgeUrl"].startswith("https://pay.example/")
    assert (made["pollingIntervalInMs"], made["maxTimeToPollForInMs"]) == (5000, 300000)
    assert made["cartTotal"] == 156
    assert counts(swiggy) == {"checkouts": 1, "committed": 1, "paid": 0, "placed": 0, "confirms": 0}
    assert len(shopper.cart()["items"]) == 1


def test_cash_places_at_once_and_empties_the_cart(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("onion", 1), at=home)
    envelope = shopper.result("checkout", addressId=home, paymentMethod="COD")["structuredContent"]
    assert envelope["message"] == "Instamart order placed successfully"
    assert envelope["data"]["status"] == "CONFIRMED"
    assert shopper.cart()["cartAbsent"] is True


@pytest.mark.parametrize(
    ("switches", "args", "words"),
    [
        ({}, {"paymentMethod": None}, "payment method"),
        ({}, {"paymentMethod": "PayWithQR"}, "Invalid paymentMethod"),
        ({"store_open": False}, {}, "store is closed"),
        ({"upi": False}, {}, "temporarily disabled"),
        ({"order_cap_rupees": 81}, {}, "limit"),
        ({"minimum_rupees": 99}, {}, "minimum order value"),
    ],
)
def test_a_checkout_that_is_refused_makes_no_order(
    shopper: Shopper, swiggy: SandboxProcess, home: str, switches: dict[str, Any], args: dict[str, Any], words: str
) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(**switches)
    asked = {"addressId": home, "paymentMethod": "UPI", "generateUPIQR": True} | args
    assert words in shopper.refusal("checkout", **asked)
    ledger = swiggy.ledger()
    assert (ledger["counts"]["checkouts"], ledger["counts"]["committed"], ledger["orders"]) == (1, 0, [])
    assert words in ledger["checkouts"][0]["refused"]


def test_an_empty_cart_another_address_and_an_unserved_one_are_refused(shopper: Shopper, home: str) -> None:
    assert "empty" in shopper.refusal("checkout", addressId=home, paymentMethod="UPI")
    shopper.put(("onion", 1), at=home)
    assert "valid address" in shopper.refusal("checkout", addressId=shopper.address("Home 2"), paymentMethod="UPI")
    assert "not serviceable" in shopper.refusal("checkout", addressId=shopper.address("Farm House"), paymentMethod="UPI")
    assert "Invalid addressId" in shopper.refusal("checkout", addressId=home.partition("__")[0], paymentMethod="UPI")


@pytest.mark.parametrize(("total", "placed"), [(999, True), (1000, False), (1001, False)])
def test_the_limit_begins_at_exactly_a_thousand(
    shopper: Shopper, swiggy: SandboxProcess, home: str, total: int, placed: bool
) -> None:
    onion = shopper.put(("onion", 1), at=home)["items"][0]
    swiggy.catalogue(spin=onion["spinId"], price_paise=total * 100 - 1250)
    if placed:
        assert shopper.pay_by_scan(at=home)["cartTotal"] == total
    else:
        assert "limit" in shopper.refusal("checkout", addressId=home, paymentMethod="UPI", generateUPIQR=True)


@pytest.mark.parametrize(
    ("shape", "missing"), [("no_order_id", "orderId"), ("no_paas_id", "paasId"), ("no_bridge_url", "bridgeUrl")]
)
def test_an_accepted_checkout_can_leave_an_id_out(
    shopper: Shopper, swiggy: SandboxProcess, home: str, shape: str, missing: str
) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(checkout_shape=shape)
    made = shopper.pay_by_scan(at=home)
    assert missing not in made
    assert made["status"] == "PENDING_PAYMENT"
    assert counts(swiggy)["committed"] == 1


def test_a_cart_of_two_stores_can_half_succeed(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(checkout_shape="multi_store")
    made = shopper.pay_by_scan(at=home)
    assert (made["orderCount"], made["successCount"], made["allSucceeded"]) == (2, 1, False)


def test_checkout_can_charge_more_than_the_cart_said(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(checkout_extra_paise=6000)
    assert (shopper.cart()["cartTotalAmount"], shopper.pay_by_scan(at=home)["cartTotal"]) == ("₹81", 141)


# ---- payment ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def unpaid(shopper: Shopper, home: str) -> dict[str, str]:
    """The ids of a checkout that waits for its payment."""
    shopper.put(("toned milk", 4), at=home)
    made = shopper.pay_by_scan(at=home)
    return {"orderId": made["orderId"], "paasId": made["paasId"]}


@pytest.mark.parametrize(
    ("state", "flags", "order"),
    [
        ("success", (True, True, False), "PLACED"),
        ("failed", (True, False, True), "FAILED"),
        ("cancelled", (True, False, True), "CANCELLED"),
        ("cart_changed", (True, False, True), "FAILED"),
        ("refund-initiated", (True, False, True), "CANCELLED"),
        ("under_review", (False, False, False), "PENDING_PAYMENT"),
    ],
)
def test_every_end_of_a_payment_is_told_in_words_and_flags(
    shopper: Shopper, swiggy: SandboxProcess, unpaid: dict[str, str], state: str, flags: tuple[bool, ...], order: str
) -> None:
    swiggy.payment(state)
    seen = shopper.data("check_payment_status", **unpaid)
    assert (seen["status"], seen["orderStatus"]) == (state, order)
    assert (seen["terminal"], seen["isTerminalSuccess"], seen["isTerminalFailure"]) == flags
    assert counts(swiggy)["placed"] == (1 if state == "success" else 0)


def test_a_status_poll_is_held_and_let_go_at_the_change(
    shopper: Shopper, swiggy: SandboxProcess, unpaid: dict[str, str]
) -> None:
    began = time.monotonic()
    assert shopper.data("check_payment_status", **unpaid)["status"] == "pending"
    assert time.monotonic() - began >= 0.1
    swiggy.settings(hold_s=15)
    seen: list[dict[str, Any]] = []
    poll = threading.Thread(target=lambda: seen.append(shopper.data("check_payment_status", **unpaid)))
    began = time.monotonic()
    poll.start()
    swiggy.payment("success")
    poll.join()
    assert seen[0]["status"] == "success"
    assert time.monotonic() - began < 5


def test_a_paid_order_that_the_backend_left_is_placed_by_one_confirm(
    shopper: Shopper, swiggy: SandboxProcess, unpaid: dict[str, str]
) -> None:
    swiggy.payment("success", confirmed=False)
    seen = shopper.data("check_payment_status", **unpaid)
    assert (seen["confirmed"], seen["orderStatus"]) == (False, "PENDING_PAYMENT")
    assert [shopper.data("confirm_order", **unpaid)["result"] for _ in range(3)] == ["success"] * 3
    ledger = swiggy.ledger()
    assert [confirm["placed"] for confirm in ledger["confirms"]] == [True, False, False]
    assert (ledger["counts"]["placed"], ledger["cart"]["lines"]) == (1, [])


@pytest.mark.parametrize("result", ["failed", "pending", "other"])
def test_confirm_never_places_an_unpaid_order_and_a_late_payment_is_reconciled(
    shopper: Shopper, swiggy: SandboxProcess, unpaid: dict[str, str], result: str
) -> None:
    swiggy.settings(confirm_unpaid=result)
    assert shopper.data("confirm_order", **unpaid)["result"] == result
    assert counts(swiggy)["placed"] == 0
    swiggy.payment("success")
    assert shopper.data("confirm_order", **unpaid)["result"] == "success"
    assert counts(swiggy)["placed"] == 1


def test_a_late_payment_leaves_a_cart_that_was_filled_since_alone(
    shopper: Shopper, swiggy: SandboxProcess, home: str, unpaid: dict[str, str]
) -> None:
    swiggy.payment("failed")
    shopper.put(("onion", 1), at=home)
    swiggy.payment("success")
    assert counts(swiggy)["placed"] == 1
    assert len(shopper.cart()["items"]) == 1


def test_ids_that_do_not_belong_together_confirm_nothing(shopper: Shopper, unpaid: dict[str, str]) -> None:
    assert "Invalid" in shopper.refusal("confirm_order", orderId="ORDX", paasId=unpaid["paasId"])
    assert shopper.refusal("confirm_order", orderId=unpaid["orderId"]) == "Missing required parameter: paasId"
    assert "Invalid" in shopper.refusal("check_payment_status", paasId="PAASX")


def test_the_person_pays_by_themselves_after_polls_or_after_a_while(
    shopper: Shopper, swiggy: SandboxProcess, unpaid: dict[str, str]
) -> None:
    swiggy.settings(autopay_polls=2)
    assert [shopper.data("check_payment_status", **unpaid)["status"] for _ in range(2)] == ["pending", "success"]
    shopper.put(("onion", 1), at=shopper.address("Home"))
    swiggy.settings(autopay_polls=None, autopay_s=0.2, autopay_state="failed", hold_s=15)
    again = shopper.pay_by_scan(at=shopper.address("Home"))
    began = time.monotonic()
    assert shopper.data("check_payment_status", paasId=again["paasId"])["status"] == "failed"
    assert time.monotonic() - began < 5


def test_the_pay_page_pays_the_order_of_its_link_and_no_other_link_does(
    shopper: Shopper, swiggy: SandboxProcess, home: str
) -> None:
    swiggy.settings(pay_page=True)
    shopper.put(("onion", 1), at=home)
    link = shopper.pay_by_scan(at=home)["bridgeUrl"]
    assert "₹81" in shopper.http.get(link).text
    assert shopper.http.post(link[:-1], data={"state": "success"}).status_code == 404
    assert counts(swiggy)["paid"] == 0
    assert shopper.http.post(link, data={"state": "success"}).status_code == 303
    assert counts(swiggy)["placed"] == 1


# ---- orders -------------------------------------------------------------------------------------------------------------


def test_orders_are_typed_dash_and_other_types_know_nothing(shopper: Shopper, unpaid: dict[str, str]) -> None:
    rows = shopper.data("get_orders")["orders"]
    assert [row["orderId"] for row in rows] == [unpaid["orderId"], "ORDOLD0001"]
    assert {row["orderType"] for row in rows} == {"DASH"}
    assert [row["orderId"] for row in shopper.data("get_orders", activeOnly=True)["orders"]] == [unpaid["orderId"]]
    assert shopper.data("get_orders", orderType="INSTAMART")["orders"] == []


@pytest.mark.parametrize("switch", ["orders_stale", "orders_hide_pending"])
def test_a_list_of_orders_can_leave_the_new_one_out(
    shopper: Shopper, swiggy: SandboxProcess, unpaid: dict[str, str], switch: str
) -> None:
    swiggy.settings(**{switch: True})
    assert [row["orderId"] for row in shopper.data("get_orders")["orders"]] == ["ORDOLD0001"]
    swiggy.payment("success")
    expected = ["ORDOLD0001"] if switch == "orders_stale" else [unpaid["orderId"], "ORDOLD0001"]
    assert [row["orderId"] for row in shopper.data("get_orders")["orders"]] == expected


def test_an_order_can_be_followed_or_not(shopper: Shopper, swiggy: SandboxProcess, home: str, unpaid: dict[str, str]) -> None:
    one = unpaid["orderId"]
    assert shopper.data("track_order", orderId=one, lat=12.9, lng=77.6)["pollingIntervalSeconds"] == 10
    assert shopper.data("get_delivery_status", orderId=one, addressId=home)["delivered"] is False
    swiggy.settings(delivery_status="empty")
    assert shopper.data("get_delivery_status", orderId=one, addressId=home) == {}
    assert "summary" in shopper.data("report_error", tool="checkout", errorMessage="it failed")
