"""Answers of a hostile, broken or contradicting shop: none may be read as more than it proves, none may break the reader."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from interactions.contracts import StrangeAnswerError
from swiggy_instamart import news, receipts, refusals, reviews, wording
from swiggy_instamart.envelopes import Body
from swiggy_instamart.receipts import Payment, Placing
from swiggy_instamart.shop import Swiggy

PAY: dict[str, Any] = {"orderId": "ORD1", "transactionId": "T", "paasId": "P", "bridgeUrl": "https://pay.example/opaque"}


@pytest.mark.promise("P138")
@pytest.mark.parametrize("word", ["SUCCESS", "CONFIRMED", "PLACED"])
def test_an_order_with_a_payment_to_make_is_not_placed_whatever_word_it_carries(word: str) -> None:
    assert receipts.checked_out(Body(PAY | {"status": word})).placing is Placing.PENDING_PAYMENT


def test_an_order_that_names_half_a_payment_is_not_placed() -> None:
    with pytest.raises(StrangeAnswerError):
        receipts.checked_out(Body(PAY | {"status": "CONFIRMED", "bridgeUrl": ""}))


@pytest.mark.parametrize(
    "rows",
    [
        [{"orderId": "A", "status": "CONFIRMED"}, {"orderId": "B", "status": "PENDING_PAYMENT"}],
        [{"orderId": "A", "status": "PENDING_PAYMENT"}, {"orderId": "B", "status": "CONFIRMED"}],
        [{"orderId": "A"}, {"orderId": "B", "status": "CONFIRMED"}],
    ],
)
def test_of_several_orders_one_that_waits_is_not_covered_by_another_that_is_placed(rows: list[Any]) -> None:
    with pytest.raises(StrangeAnswerError):
        receipts.checked_out(Body({"orders": rows}))


@pytest.mark.parametrize(
    "more",
    [
        {"orders": [{"orderId": "A", "status": "CONFIRMED"}, {"orderId": "B", "status": "FAILED"}]},
        {"orders": [{"orderId": "A", "status": "CONFIRMED"}, {"orderId": "B", "status": "CONFIRMED", "error": "no stock"}]},
        {"orders": [{"orderId": "A", "status": "CONFIRMED"}], "failureCount": 1},
        {"orders": [{"orderId": "A", "status": "CONFIRMED"}], "allSucceeded": False},
    ],
)
def test_an_order_in_parts_of_which_one_failed_is_a_part(more: dict[str, Any]) -> None:
    done = receipts.checked_out(Body(more))
    assert (done.placing, done.failures) == (Placing.PLACED, 1)
    assert done.order_ids[0] == "A"


def test_an_id_that_no_row_can_hold_is_no_id() -> None:
    with pytest.raises(StrangeAnswerError):
        receipts.checked_out(Body(PAY | {"status": "PENDING_PAYMENT", "paasId": "P" * 300}))


@pytest.mark.parametrize("word", ["cancelled", "failed", "refund-initiated", "cart_changed"])
def test_a_flag_of_success_beside_a_word_of_failure_proves_neither(word: str) -> None:
    assert (
        receipts.payment_status(Body({"status": word, "isTerminalSuccess": True, "confirmed": True})).state is Payment.PENDING
    )


@pytest.mark.promise("P138")
@pytest.mark.parametrize(
    "message",
    [
        "Your order ORD1 has gone through; the cart is empty",
        "Your order is booked. Cart is empty",
        "Order ORD77 accepted but the store is closed now",
        "Order submitted; no items in cart",
        "Order id ORD1: payment method unavailable",
        "Duplicate order. The store is closed",
        "Thank you for your order! Your cart is empty",
    ],
)
def test_a_no_that_speaks_of_an_order_is_not_believed(message: str) -> None:
    assert isinstance(refusals.sort(message), StrangeAnswerError)


# ---- what breaks a reader -----------------------------------------------------------------------------------------------


def test_a_price_of_a_million_digits_is_an_answer_that_cannot_be_read() -> None:
    class Line:
        def call(self, tool: str, arguments: Any, **more: Any) -> Any:
            return {
                "structuredContent": {"success": True, "data": {"orders": [{"orderId": "A", "totalAmount": "9" * 1_100_000}]}}
            }

        def tools(self, **more: Any) -> frozenset[str]:
            return frozenset()

    with pytest.raises(StrangeAnswerError):
        Swiggy(Line()).orders()


@pytest.mark.promise("P142", "P212")
def test_an_address_on_the_web_in_the_shops_words_is_not_read_out() -> None:
    said = wording.clean(
        wording.ENGLISH, "Pay at https://pay.example/opaque?id=1, www.pay.example or upi://pay?pa=x now", most=200
    )
    assert "pay.example" not in said
    assert "pa=x" not in said


@pytest.mark.promise("P261")
def test_words_from_the_future_are_no_fresh_words() -> None:
    """The clock stepped back between the words and the call: how old they are is not known."""
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 9, 1, 12, tzinfo=UTC)
    assert reviews.fresh((now - timedelta(seconds=9)).isoformat(), at=now)
    assert not reviews.fresh((now + timedelta(seconds=30)).isoformat(), at=now)


@pytest.mark.case("D18")
def test_of_a_cart_that_was_split_by_store_each_order_is_told_by_itself() -> None:
    rows = [
        {"orderId": "A", "status": "CONFIRMED"},
        {"status": "FAILED", "error": {"message": "no stock"}},
        {"error": "closed"},
    ]
    done = receipts.checked_out(Body({"orders": rows}))
    assert [(part.order_id, part.status, part.error) for part in done.parts] == [
        ("A", "confirmed", ""),
        ("", "failed", "no stock"),
        ("", "", "closed"),
    ]
    said = news.parts(wording.ENGLISH, [asdict(part) for part in done.parts])[0].text
    assert said == (
        "Swiggy split this into 3 orders. Order 1, A, is “confirmed”. Order 2 failed: “no stock”. Order 3 failed: “closed”."
    )
    assert not news.parts(wording.ENGLISH, [])
