"""What the caller is told when the line or the server fails: not sent, refused, or not known. Nothing is sent twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from interactions.contracts import (
    AbandonedError,
    EffectError,
    NoAnswerError,
    NotSentError,
    SignInNeededError,
    TurnedDownError,
)
from swiggy_instamart import answers, mcp
from swiggy_instamart import shop as tools
from swiggy_instamart.failures import TokenRefusedError
from swiggy_instamart.shop import Swiggy
from tests.contract import line
from tests.support.waiting import wait_until

EMPTY = {"items": [], "cartAbsent": True}
PENDING = {"status": "PENDING_PAYMENT", "orderId": "O1", "paasId": "P1", "bridgeUrl": "https://pay.example/x", "cartTotal": 269}


def failure(call: Callable[[], Any]) -> EffectError:
    with pytest.raises(EffectError) as caught:
        call()
    return caught.value


UNKNOWN = {
    "dropped after it acted": line.drop,
    "half a body": line.half_a_body,
    "a stream cut in its event": line.cut_stream,
    "not JSON": line.body(b"{"),
    "not MCP": line.body(b'{"hello": 1}'),
    "a page": line.body(b"<html>", kind="text/html"),
    "nothing": line.body(b""),
    "a notice instead": line.status(202),
    "500": line.status(500),
    "502": line.status(502, "bad gateway"),
    "504 with a code of the list": line.status(504, {"error": {"code": -32602, "message": "x"}}),
    "404": line.status(404),
    "406": line.status(406),
    "a redirect": line.status(307, location="/elsewhere"),
    "an internal error": line.rpc_error(-32603, "Internal error"),
    "another code": line.rpc_error(-32000, "no"),
    "an unlisted no": line.no("Oops, something went wrong"),
    "placed, then no": line.no("Order placed but your cart is empty"),
    "a tool error": line.raw({"isError": True, "content": [{"type": "text", "text": "Your cart is empty"}]}),
    "no result": line.raw({}),
    "success without an order id": line.result({"status": "CONFIRMED"}, message="Instamart order placed successfully"),
    "an order without its payment page": line.result(PENDING | {"bridgeUrl": None}),
    "only prose": line.raw({"content": [{"type": "text", "text": "Instamart order placed successfully"}]}),
}


@pytest.mark.promise("P138", "P156")
@pytest.mark.parametrize("fault", UNKNOWN)
def test_a_checkout_without_a_clear_answer_is_unknown_and_sent_once(swiggy: Swiggy, shop: line.Shop, fault: str) -> None:
    shop.on("checkout", UNKNOWN[fault])
    assert isinstance(failure(lambda: swiggy.checkout("a0")), NoAnswerError)
    assert shop.count("checkout") == 1


REFUSED = {
    "400": (line.status(400, {"error": {"code": -32600, "message": "Invalid request"}}), "invalid"),
    "401": (line.status(401, {"error": "invalid_token", "error_description": "Authentication required"}), "sign_in"),
    "403": (line.status(403), "sign_in"),
    "419": (line.status(419), "sign_in"),
    "429": (line.status(429, retry_after="7"), "rate_limited"),
    "-32001": (line.rpc_error(-32001), "sign_in"),
    "-32601": (line.rpc_error(-32601), "no_such_tool"),
    "-32602": (line.rpc_error(-32602), "invalid"),
    "empty cart": (line.no("Your cart is empty"), "empty_cart"),
    "closed": (line.no("The store is closed right now"), "store_closed"),
    "no session": (line.no("Cannot resolve session"), "sign_in"),
}


@pytest.mark.promise("P138")
@pytest.mark.parametrize("fault", REFUSED)
def test_a_checkout_refused_on_the_closed_list_placed_nothing(swiggy: Swiggy, shop: line.Shop, fault: str) -> None:
    act, code = REFUSED[fault]
    shop.on("checkout", act)
    error = failure(lambda: swiggy.checkout("a0"))
    assert isinstance(error, TurnedDownError)
    assert error.code == code
    assert isinstance(error, SignInNeededError) == (code == "sign_in")
    assert shop.count("checkout") == 1


def test_a_server_that_asks_to_wait_is_left_alone_until_then(swiggy: Swiggy, shop: line.Shop) -> None:
    shop.on("get_cart", line.status(429, retry_after="600"))
    first = failure(swiggy.cart)
    assert (first.code, first.retry_after_s) == ("rate_limited", 600)
    second = failure(swiggy.cart)
    assert isinstance(second, NotSentError)
    assert second.retry_after_s is not None
    assert 590 < second.retry_after_s <= 600
    assert shop.count("get_cart") == 1


@pytest.mark.promise("P138")
def test_a_call_that_finds_nobody_there_was_not_sent(sign_in: Path, settings: LazySettings) -> None:
    settings.SWIGGY_MCP_URL = "http://127.0.0.1:9/im"
    error = failure(lambda: mcp.swiggy().checkout("a0"))
    assert isinstance(error, NotSentError)
    assert error.code == "unreachable"
    mcp.close()


@pytest.mark.promise("P157")
def test_a_handshake_that_is_never_answered_ends_and_the_call_was_not_sent(
    swiggy: Swiggy, shop: line.Shop, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp, "HANDSHAKE_S", 0.3)
    shop.on("initialize", line.hold(gate, line.drop))
    assert isinstance(failure(lambda: swiggy.checkout("a0")), NotSentError)
    assert shop.count("checkout") == 0


@pytest.mark.parametrize(
    ("status", "kind"), [(401, TokenRefusedError), (419, SignInNeededError), (429, TurnedDownError), (500, NotSentError)]
)
def test_a_handshake_that_is_refused_leaves_the_call_unsent(
    swiggy: Swiggy, shop: line.Shop, status: int, kind: type[EffectError]
) -> None:
    shop.on("initialize", line.status(status))
    assert type(failure(lambda: swiggy.checkout("a0"))) is kind
    assert shop.count("checkout") == 0


@pytest.mark.promise("P157")
@pytest.mark.parametrize("tool", ["get_cart", "update_cart", "check_payment_status", "checkout"])
def test_every_call_ends_by_its_timeout_and_the_session_goes_on(
    swiggy: Swiggy, shop: line.Shop, gate: threading.Event, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    call: dict[str, Callable[[], Any]] = {
        "get_cart": swiggy.cart,
        "update_cart": lambda: swiggy.update_cart("a0", ()),
        "check_payment_status": lambda: swiggy.payment_status("P1", "O1"),
        "checkout": lambda: swiggy.checkout("a0"),
    }
    shop.on("get_orders", line.result({"orders": []}))
    swiggy.orders()
    monkeypatch.setattr(tools, "TIMEOUTS", {**tools.TIMEOUTS, tool: 0.3})
    shop.on(tool, line.hold(gate, line.result(EMPTY)))
    started = time.monotonic()
    error = failure(call[tool])
    assert (type(error), error.code) == (NoAnswerError, "timeout")
    assert time.monotonic() - started < 2
    assert swiggy.orders() == ()
    assert (shop.count("initialize"), shop.count(tool)) == (1, 1)


def test_the_table_of_timeouts_is_the_one_of_the_design() -> None:
    held = {
        name: tools.TIMEOUTS[name]
        for name in ("get_cart", "search_products", "update_cart", "check_payment_status", "checkout")
    }
    assert held == {"get_cart": 6, "search_products": 6, "update_cart": 20, "check_payment_status": 35, "checkout": 60}


@pytest.mark.promise("P157")
def test_a_deadline_that_is_over_sends_nothing_and_one_that_is_near_bounds_the_call(
    swiggy: Swiggy, shop: line.Shop, gate: threading.Event
) -> None:
    now = datetime.now(UTC)
    assert failure(lambda: swiggy.until(now).checkout("a0")).code == "no_time"
    assert shop.asked == []
    shop.on("checkout", line.hold(gate, line.drop))
    error = failure(lambda: swiggy.until(datetime.now(UTC) + timedelta(seconds=0.5)).checkout("a0"))
    assert (type(error), error.code) == (NoAnswerError, "timeout")


def test_a_call_that_never_left_the_queue_was_not_sent(
    swiggy: Swiggy, shop: line.Shop, gate: threading.Event, aside: Callable[[Callable[[], object]], threading.Thread]
) -> None:
    shop.on("get_orders", line.hold(gate, line.result({"orders": []})))
    for _ in range(3):
        aside(swiggy.orders)
    wait_until(lambda: shop.count("get_orders") == 3, 5, "three calls in flight")
    error = failure(lambda: swiggy.until(datetime.now(UTC) + timedelta(seconds=0.3)).checkout("a0"))
    assert (type(error), error.code) == (NotSentError, "no_time")
    gate.set()
    assert shop.count("checkout") == 0


def test_a_read_that_nobody_waits_for_is_left_and_a_write_is_not(
    swiggy: Swiggy, shop: line.Shop, gate: threading.Event, aside: Callable[[Callable[[], object]], threading.Thread]
) -> None:
    left = swiggy.until(datetime.now(UTC) + timedelta(seconds=20), abandoned=lambda: True)
    shop.on("get_cart", line.hold(gate, line.result(EMPTY)))
    shop.on("clear_cart", line.hold(gate, line.result({"verified": True})))
    assert isinstance(failure(left.cart), AbandonedError)
    done: list[object] = []
    aside(lambda: done.append(left.clear_cart()))
    wait_until(lambda: shop.count("clear_cart") == 1, 5, "the write is in flight")
    gate.set()
    wait_until(lambda: done == [None], 5, "the write came to its end")


@pytest.mark.promise("P109")
def test_a_wave_goes_out_together_three_at_most_and_keeps_its_order(
    swiggy: Swiggy, shop: line.Shop, gate: threading.Event, aside: Callable[[Callable[[], object]], threading.Thread]
) -> None:
    shop.on("search_products", line.hold(gate, line.result({"products": []})))
    shop.on("get_cart", line.status(500))
    found: list[tuple[Any, ...]] = []
    aside(lambda: found.append(swiggy.wave(*[lambda: swiggy.search("a0", "milk")] * 3, swiggy.cart)))
    wait_until(lambda: shop.count("search_products") == 3, 5, "three searches in flight")
    assert shop.count("get_cart") == 0
    gate.set()
    wait_until(lambda: found, 5, "the wave has ended")
    assert found[0][:3] == ((), (), ())
    assert isinstance(found[0][3], NoAnswerError)
    assert shop.most_at_once == 3


# ---- what is said on the wire -------------------------------------------------------------------------------------------


@pytest.mark.promise("P141")
def test_a_checkout_asks_for_upi_by_scan_and_nothing_else(swiggy: Swiggy, shop: line.Shop) -> None:
    shop.on("checkout", line.result(PENDING))
    assert swiggy.checkout("a0__t").order_id == "O1"
    assert shop.arguments[-1] == {"addressId": "a0__t", "paymentMethod": "UPI", "generateUPIQR": True}
    assert shop.asked == ["initialize", "notifications/initialized", "checkout"]


def test_a_cart_is_written_whole_under_the_names_that_the_shop_uses(swiggy: Swiggy, shop: line.Shop) -> None:
    shop.on("update_cart", line.result(EMPTY))
    swiggy.update_cart("a0", [answers.CartLine("S1", "K1", "Milk", "500 ml", 2)])
    assert shop.arguments[-1] == {"selectedAddressId": "a0", "items": [{"spinId": "S1", "skuId": "K1", "quantity": 2}]}


def test_addresses_are_read_page_by_page_and_a_page_that_repeats_ends_it(swiggy: Swiggy, shop: line.Shop) -> None:
    page = {"addresses": [{"id": "a", "addressTag": "Home"}], "pagination": {"page": 1, "hasMore": True}}
    shop.on("get_addresses", line.result(page))
    assert [address.id for address in swiggy.addresses()] == ["a"]
    assert shop.arguments[-2:] == [{"page": 1, "pageSize": 10}, {"page": 2, "pageSize": 10}]


def test_an_answer_as_an_event_stream_is_read(swiggy: Swiggy, shop: line.Shop) -> None:
    shop.on("get_cart", line.stream(EMPTY))
    assert swiggy.cart().lines == ()


@pytest.mark.promise("P237")
def test_the_bearer_goes_to_one_origin_and_through_no_redirect(swiggy: Swiggy, shop: line.Shop, sign_in: Path) -> None:
    elsewhere = line.Shop()
    with line.serving(elsewhere) as other:
        for status in (301, 302, 303, 307, 308):
            for target in (other, "/im/"):
                shop.on("get_cart", line.status(status, location=target))
                assert isinstance(failure(swiggy.cart), NoAnswerError)
    assert elsewhere.asked == []
    assert shop.count("get_cart") == 10
    assert all(headers["authorization"].startswith("Bearer ") for headers in shop.headers)
    assert all(headers["accept"] == "application/json, text/event-stream" for headers in shop.headers)


@pytest.mark.promise("P237")
@pytest.mark.parametrize(
    "url", ["", "http://mcp.example/im", "ftp://mcp.example/im", "https://me:secret@mcp.example/im", "mcp.example"]
)
def test_an_address_that_would_show_the_bearer_is_refused(sign_in: Path, settings: LazySettings, url: str) -> None:
    settings.SWIGGY_MCP_URL = url
    error = failure(lambda: mcp.swiggy().cart())
    assert (type(error), error.code) == (NotSentError, "not_set_up")
    assert "SWIGGY_MCP_URL" in error.message


def test_words_of_the_shop_reach_the_caller_and_a_payment_link_reaches_no_log(
    swiggy: Swiggy, shop: line.Shop, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    shop.on("get_cart", line.no("Oops, try again"))
    assert failure(swiggy.cart).message == "Oops, try again"
    for act in (line.body(b'{"bridgeUrl": "https://pay.example/x"'), line.result(PENDING | {"status": "?"})):
        shop.on("checkout", act)
        error = failure(lambda: swiggy.checkout("a0"))
        assert "pay.example" not in f"{error} {error.message}"
    shop.on("checkout", line.stream(PENDING))
    assert swiggy.checkout("a0").link == "https://pay.example/x"
    assert "pay.example" not in caplog.text
    assert "Bearer" not in caplog.text
