"""Only a refusal that stands in the table is one; every other no leaves the outcome unknown."""

from __future__ import annotations

import pytest

from interactions.contracts import NoAnswerError, SignInNeededError, StrangeAnswerError, TurnedDownError
from swiggy_instamart import failures, refusals
from swiggy_instamart.failures import TokenRefusedError, Trace


@pytest.mark.promise("P138")
@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("Your cart is empty", "empty_cart"),
        ("CART_EXPIRED", "empty_cart"),
        ("This address is not serviceable at the moment", "not_serviceable"),
        ("The store is closed right now", "store_closed"),
        ("Please select a valid address for this cart", "address"),
        ("The minimum order value is ₹99", "minimum"),
        ("Orders above the allowed limit of ₹1000 cannot be placed", "limit"),
        ("Missing paymentMethod: please select a payment method", "method"),
        ("Invalid paymentMethod: Cash is not offered for this cart", "method"),
        ("UPI payment is temporarily disabled for this cart", "method"),
        ("Order could not be placed because your cart is empty", "empty_cart"),
    ],
)
def test_a_refusal_on_the_table_left_nothing_done(message: str, code: str) -> None:
    error = refusals.sort(message)
    assert isinstance(error, TurnedDownError)
    assert (error.code, error.message) == (code, message)


@pytest.mark.promise("P138")
@pytest.mark.parametrize(
    "message",
    [
        "",
        "Oops, something went wrong. Please try again",
        "Internal error",
        "Order was placed but your cart is empty now",
        "Payment is processing; the store is closed",
        "Upstream timeout, minimum order unknown",
        "You have already ordered; your cart is empty",
        "Amount debited. Address not serviceable",
        "hmm",
    ],
)
def test_any_other_no_is_unknown(message: str) -> None:
    error = refusals.sort(message)
    assert isinstance(error, StrangeAnswerError)
    assert error.message == message


def test_a_tool_that_broke_is_believed_only_about_a_missing_session() -> None:
    assert isinstance(refusals.sort_tool_error("Cannot resolve session"), SignInNeededError)
    assert isinstance(refusals.sort_tool_error("Your cart is empty"), StrangeAnswerError)


@pytest.mark.promise("P138")
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, TurnedDownError),
        (401, TokenRefusedError),
        (403, SignInNeededError),
        (419, SignInNeededError),
        (429, TurnedDownError),
        (404, NoAnswerError),
        (406, NoAnswerError),
        (409, NoAnswerError),
        (500, NoAnswerError),
        (502, NoAnswerError),
        (504, NoAnswerError),
        (301, NoAnswerError),
    ],
)
def test_a_status_is_a_refusal_only_where_the_list_has_it(status: int, kind: type[Exception]) -> None:
    assert type(failures.sort(Trace(ends=0, left=True, status=status))) is kind


@pytest.mark.promise("P138")
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (-32001, TokenRefusedError),
        (-32601, TurnedDownError),
        (-32602, TurnedDownError),
        (-32603, NoAnswerError),
        (-32000, NoAnswerError),
    ],
)
def test_a_protocol_error_is_a_refusal_only_where_the_list_has_it(code: int, kind: type[Exception]) -> None:
    assert type(failures.sort(Trace(ends=0, left=True, status=200, rpc_code=code))) is kind
    assert type(failures.sort(Trace(ends=0, left=True, status=500, rpc_code=code))) is NoAnswerError


@pytest.mark.promise("P138")
def test_a_timeout_that_shares_its_number_with_a_refused_token_is_no_refusal() -> None:
    """-32001 is "unauthenticated" at this shop and "request timed out" in the protocol's own libraries, as a proxy may use."""
    for words in ("Request timed out", "MCP error -32001: Request timed out", "upstream timeout"):
        trace = Trace(ends=0, left=True, status=200, rpc_code=-32001, words=words)
        assert type(failures.sort(trace)) is NoAnswerError, words
    trace = Trace(ends=0, left=True, status=200, rpc_code=-32001, words="Your session timed out, sign in again")
    assert type(failures.sort(trace)) is TokenRefusedError


def test_the_table_names_each_code_once_and_every_pattern_in_it_finds_its_own_words() -> None:
    never, table = refusals._table()
    codes = [row.code for row in table]
    assert len(codes) == len(set(codes))
    assert never
    assert all(row.patterns for row in table)
