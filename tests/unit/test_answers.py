"""Whatever form the shop answers in, the same values come out; what lacks its essence is a strange answer."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions.contracts import EffectError, SignInNeededError, StrangeAnswerError, TurnedDownError
from swiggy_instamart import answers, envelopes, fields, history, receipts
from swiggy_instamart.envelopes import Body
from swiggy_instamart.receipts import Payment, Placing

CART: dict[str, Any] = {
    "cartId": "CART1",
    "selectedAddress": "a0demo0home0id",
    "selectedAddressDetails": {"id": "a0demo0home0id"},
    "cartTotalAmount": "₹300",
    "items": [
        {"spinId": "S1", "skuId": "K1", "itemName": "Milk {toned}", "itemVariant": "500 ml", "quantity": "2", "maxQuantity": 4,
         "isInStockAndAvailable": True, "mrp": 30, "discountedFinalPrice": "₹28"}
    ],
    "billBreakdown": {
        "lineItems": [{"label": "Item Total", "value": "₹257.00"}, {"label": "Delivery Partner Fee", "value": "FREE"}],
        "toPay": {"label": "To Pay", "value": "₹1,269.50"},
    },
    "unserviceableItems": [],
    "availablePaymentMethods": ["Cash", "UPI"],
}  # fmt: skip
ENVELOPE = {"success": True, "data": CART}


def text(value: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}]}


# ---- the four forms -----------------------------------------------------------------------------------------------------

FORMS = {
    "structured": {"content": [], "structuredContent": ENVELOPE},
    "structured without content": {"structuredContent": ENVELOPE},
    "lone result": {"structuredContent": {"result": ENVELOPE}},
    "lone result as text": {"structuredContent": {"result": json.dumps(ENVELOPE)}},
    "no envelope": {"structuredContent": CART},
    "nested once more": {"structuredContent": {"success": True, "data": {"data": CART}}},
    "text": text(json.dumps(ENVELOPE)),
    "second text": {"content": [{"type": "text", "text": "Here it is"}, {"type": "text", "text": json.dumps(ENVELOPE)}]},
    "prose and object": text('Your {cart}: 5" pizza {a: b}\n\n' + json.dumps(ENVELOPE) + "\nDone."),
    "empty structure": {"structuredContent": {}, **text(json.dumps(ENVELOPE))},
}


@pytest.mark.parametrize("form", FORMS)
def test_one_cart_is_read_from_every_form(form: str) -> None:
    cart = answers.cart(envelopes.read(FORMS[form]))
    assert cart.to_pay_paise == 126950
    assert cart.lines == (answers.CartLine("S1", "K1", "Milk {toned}", "500 ml", 2, True, 2800, 4),)


def test_the_last_balanced_object_counts_and_braces_in_names_do_not() -> None:
    said = 'First {"a": 1} then {"name": "half } brace {", "n": {"x": 2}} and { broken'
    assert envelopes.read(text(said)).data == {"name": "half } brace {", "n": {"x": 2}}


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ({"structuredContent": {"success": False, "error": {"message": "Your cart is empty"}}}, TurnedDownError),
        (text('{"success": false, "error": {"message": "Your cart is empty"}}'), TurnedDownError),
        (text('Sorry.\n{"success": false, "error": {"message": "hmm"}}'), StrangeAnswerError),
        ({"structuredContent": {"success": False, "message": "Cannot resolve session"}}, SignInNeededError),
        ({"structuredContent": {"success": False}}, StrangeAnswerError),
        ({"structuredContent": {"error": {"message": "hmm"}}}, StrangeAnswerError),
        ({"isError": True, **text("Your cart is empty")}, StrangeAnswerError),
        ({"isError": True, **text("Cannot resolve session")}, SignInNeededError),
        ({"isError": True, **text('{"success": false, "error": {"message": "Your cart is empty"}}')}, TurnedDownError),
        ({"isError": True, "structuredContent": ENVELOPE}, StrangeAnswerError),
        ({"content": []}, StrangeAnswerError),
        ({}, StrangeAnswerError),
        ([], StrangeAnswerError),
        (None, StrangeAnswerError),
        ({"content": "x"}, StrangeAnswerError),
    ],
)
def test_every_way_of_saying_no_is_heard(result: Any, kind: type[EffectError]) -> None:
    with pytest.raises(EffectError) as caught:
        envelopes.read(result)
    assert type(caught.value) is kind


@given(st.text(alphabet='{}[]":,a1 \\', max_size=200))
def test_no_prose_breaks_the_reader(said: str) -> None:
    with contextlib.suppress(EffectError):
        envelopes.read(text(said))


def test_prose_made_of_braces_is_read_in_a_moment() -> None:
    assert envelopes.read(text('{"a":' * 5000 + "{" * 100_000)).data is None


# ---- addresses ----------------------------------------------------------------------------------------------------------


def test_addresses_are_read_from_prose() -> None:
    page = answers.addresses(
        Body(
            None,
            prose="Found 2:\n1. [Home 2] 12, Demo Rd (near park), Goa (ID: a0x__t0k)\n2. [Work] 9 X Rd (ID: 4711)\nUse page=2",
        )
    )
    assert page.addresses == (
        answers.Address("a0x__t0k", "Home 2", "12, Demo Rd (near park), Goa"),
        answers.Address("4711", "Work", "9 X Rd"),
    )
    assert page.next_page == 2


def test_no_addresses_is_an_answer_and_other_prose_is_none() -> None:
    assert answers.addresses(Body(None, prose="You have no saved addresses.")).addresses == ()
    with pytest.raises(StrangeAnswerError):
        answers.addresses(Body(None, prose="Something happened."))


def test_addresses_are_read_under_their_old_and_new_names() -> None:
    rows = [
        {"id": 4711, "addressTag": "Home", "addressLine": "12 Demo Rd"},
        {"addressId": "b", "label": "Work", "formattedAddress": "9 X"},
    ]
    page = answers.addresses(Body({"addresses": rows, "pagination": {"page": "1", "totalPages": 3}}))
    assert page.addresses == (answers.Address("4711", "Home", "12 Demo Rd"), answers.Address("b", "Work", "9 X"))
    assert page.next_page == 2


@pytest.mark.parametrize(
    ("one", "other", "same"), [("a__t", "a", True), ("a__t", "a__u", True), ("a", "ab", False), ("", "", False)]
)
def test_addresses_are_one_where_their_base_is(one: str, other: str, same: bool) -> None:
    assert answers.same_address(one, other) is same


# ---- products -----------------------------------------------------------------------------------------------------------


def test_every_size_of_every_product_is_a_variant() -> None:
    found = answers.variants(
        Body(
            {
                "nextOffset": "20",
                "products": [
                    {"displayName": "Demo Milk", "brand": "Demo", "isPromoted": True, "inStock": False, "productId": "P1",
                     "variations": [
                         {"spinId": "S1", "skuId": "K1", "quantityDescription": "500 ml",
                          "price": {"mrp": 30, "offerPrice": "₹28"}, "isInStockAndAvailable": True,
                          "maxQuantity": 4, "imageUrl": "javascript:x"},
                         {"spinId": "S2", "quantityDescription": "1 l", "price": {"mrp": 60}},
                         {"skuId": "no spin"}, "junk"]}],
            }
        )
    )  # fmt: skip
    assert [
        (v.spin, v.sku, v.name, v.price_paise, v.mrp_paise, v.in_stock, v.promoted, v.max_quantity, v.image) for v in found
    ] == [
        ("S1", "K1", "Demo Milk", 2800, 3000, True, True, 4, ""),
        ("S2", "", "Demo Milk", None, 6000, False, True, None, ""),
    ]


def test_nothing_found_is_a_success_and_no_list_is_none() -> None:
    assert answers.variants(Body({"products": [], "nextOffset": "1"})) == ()
    with pytest.raises(StrangeAnswerError):
        answers.variants(Body({}))


# ---- cart ---------------------------------------------------------------------------------------------------------------


def test_the_total_is_the_bills_own_and_never_summed_or_guessed() -> None:
    def total(**change: Any) -> int | None:
        return answers.cart(Body(CART | change)).to_pay_paise

    assert total() == 126950
    assert total(billBreakdown=None) == 30000
    assert total(billBreakdown={"toPay": {"value": "see app"}}) is None
    assert total(billBreakdown={"toPay": {"value": "FREE"}}) is None
    assert total(billBreakdown=None, cartTotalAmount=None) is None


def test_a_row_that_cannot_be_sent_back_makes_the_cart_unwritable() -> None:
    assert answers.cart(Body(CART)).writable
    assert not answers.cart(Body({"items": [{"itemName": "Bag", "quantity": 1}]})).writable
    assert not answers.cart(Body(CART | {"unserviceableItems": [{"itemName": "Old milk"}]})).writable


def test_an_absent_cart_is_empty_and_an_answer_without_rows_is_strange() -> None:
    assert answers.cart(Body({"cartAbsent": True})).lines == ()
    with pytest.raises(StrangeAnswerError):
        answers.cart(Body({"cartId": "x"}))


def test_what_a_write_removed_and_capped_is_kept() -> None:
    written = answers.written(
        Body(
            CART
            | {
                "removedOutOfStockItems": [{"spinId": "S2", "itemName": "Paneer"}],
                "reducedQuantityItems": [{"spinId": "S1", "itemName": "Milk", "requestedQuantity": 9, "cappedQuantity": 4}],
            }
        )
    )
    assert [line.name for line in written.removed] == ["Paneer"]
    assert written.reduced == (answers.Reduced("S1", "Milk", 9, 4),)
    assert answers.written(Body(None, prose="Cart updated")).cart is None


# ---- money --------------------------------------------------------------------------------------------------------------

QR = {"id": "PayWithQR", "kind": "qr", "displayName": "Scan QR", "enabled": True}


def test_upi_by_scan_is_offered_only_where_the_platforms_list_it() -> None:
    def scan(**data: Any) -> bool:
        return receipts.payment_options(Body({"allMethods": [QR], "paymentAmount": "₹269", **data})).scan

    assert scan(platforms={"desktop": {"methods": [QR]}})
    assert not scan()
    assert not scan(platforms={"desktop": {"methods": [QR | {"enabled": False}]}})
    assert not scan(platforms={"mobile": {"methods": [{"id": "gpay://upi/", "kind": "intent"}]}})


PENDING: dict[str, Any] = {
    "status": "PENDING_PAYMENT", "orderId": "ORD1", "transactionId": "TXN1", "paasId": "PAAS1", "bridgeUrl": "https://pay.example/opaque",
    "pollingIntervalInMs": "4000", "maxTimeToPollForInMs": 250000, "cartTotal": 269, "addressId": "a0", "deliveryLabel": "Home",
}  # fmt: skip


def test_an_order_that_waits_for_its_payment_is_not_placed() -> None:
    done = receipts.checked_out(Body(PENDING))
    assert done.placing is Placing.PENDING_PAYMENT
    assert (done.order_id, done.paas_id, done.transaction_id, done.total_paise) == ("ORD1", "PAAS1", "TXN1", 26900)
    assert (done.link, done.poll_every_ms, done.poll_for_ms) == ("https://pay.example/opaque", 4000, 250000)
    assert "pay.example" not in repr(done)


def test_the_other_two_shapes_of_a_checkout_are_placed() -> None:
    one = receipts.checked_out(Body({"orderId": "ORD1", "status": "CONFIRMED", "cartTotal": "₹269"}))
    assert (one.placing, one.order_ids, one.total_paise) == (Placing.PLACED, ("ORD1",), 26900)
    several = receipts.checked_out(
        Body({"orders": [{"orderId": "ORD1", "status": "CONFIRMED"}, {"error": "x"}], "cartTotal": 540})
    )
    assert (several.placing, several.order_ids, several.failures) == (Placing.PLACED, ("ORD1",), 1)


@pytest.mark.promise("P138")
@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"status": "CONFIRMED"},
        {"orders": [{"error": "x"}]},
        {**PENDING, "orderId": ""},
        {**PENDING, "paasId": None},
        {**PENDING, "bridgeUrl": None},
        {**PENDING, "bridgeUrl": "javascript:alert(1)"},
        {**PENDING, "status": "FAILED"},
        {"orderId": "ORD1"},
    ],
)
def test_a_checkout_without_its_essence_is_no_answer(data: Any) -> None:
    with pytest.raises(StrangeAnswerError):
        receipts.checked_out(Body(data, prose="Instamart order placed successfully"))


@pytest.mark.parametrize(
    ("data", "state"),
    [
        ({"status": "pending", "terminal": False}, Payment.PENDING),
        ({"status": "success", "isTerminalSuccess": True}, Payment.PAID),
        ({"status": "whatever", "isTerminalSuccess": True}, Payment.PAID),
        ({"status": "success", "isTerminalFailure": True}, Payment.FAILED),
        ({"status": "cancelled", "isTerminalFailure": True}, Payment.CANCELLED),
        ({"status": "cart_changed", "terminal": True}, Payment.CART_CHANGED),
        ({"status": "refund-initiated", "terminal": True, "isTerminalSuccess": False}, Payment.REFUNDED),
        ({"status": "paid"}, Payment.PAID),
        ({"status": "failed", "terminal": False}, Payment.PENDING),
        ({"status": "warming up"}, Payment.PENDING),
        ({"status": "warming up", "terminal": True}, Payment.PENDING),
        ({"isTerminalSuccess": True, "isTerminalFailure": True}, Payment.PENDING),
    ],
)
def test_flags_come_first_words_second_and_unknown_words_end_nothing(data: dict[str, Any], state: Payment) -> None:
    assert receipts.payment_status(Body(data)).state is state


def test_confirm_order_has_four_results() -> None:
    said = [receipts.confirmed(Body({"result": word})).result for word in ("success", "FAILED", "pending", "queued")]
    assert said == ["success", "failed", "pending", "other"]


def test_orders_are_read_without_what_the_shop_rewrites_later() -> None:
    row = {"orderId": "ORD1", "status": "PLACED", "orderType": "DASH", "isActive": True, "billDetails": {"grandTotal": "₹269"}}
    (seen,) = history.orders(Body({"orders": [row | {"createdAt": "2026-09-16 18:30"}, {"status": "no id"}], "hasMore": False}))
    assert (seen.order_id, seen.kind, seen.active, seen.total_paise) == ("ORD1", "DASH", True, 26900)
    assert seen.created_at is not None
    assert seen.created_at.isoformat() == "2026-09-16T18:30:00+05:30"


def test_times_are_read_in_every_form_and_junk_is_no_time() -> None:
    assert fields.moment(1789560000000) == fields.moment("1789560000")
    assert [fields.moment(junk) for junk in (None, "soon", True, 10**30, {})] == [None] * 5


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*CART, *PENDING, "orders", "products", "addresses", "variations", "price", "toPay"]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from([answers.cart, answers.written, answers.variants, answers.addresses, receipts.checked_out]))
def test_no_json_breaks_a_parser(data: Any, parse: Any) -> None:
    with contextlib.suppress(EffectError):
        parse(envelopes.read({"structuredContent": {"success": True, "data": data}, "content": []}))
