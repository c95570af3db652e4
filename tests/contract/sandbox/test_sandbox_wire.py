"""What every request meets before a tool does: the bearer, the Accept header, the protocol's era, the rate."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support.shopper import Shopper

INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


async def _with_client(swiggy: SandboxProcess, ask: Any, *, mode: str = "legacy") -> Any:
    headers = {"authorization": f"Bearer {seed.token()}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=20, trust_env=False) as http,
        Client(streamable_http_client(swiggy.url, http_client=http), mode=mode) as client,
    ):
        return await ask(client)


@pytest.mark.parametrize("reply", ["sse", "json"])
def test_the_sdk_lists_sixteen_tools_and_calls_one_in_either_framing(swiggy: SandboxProcess, reply: str) -> None:
    swiggy.settings(reply=reply)

    async def ask(client: Client) -> Any:
        return await client.list_tools(), await client.call_tool("get_addresses", {})

    listed, called = asyncio.run(_with_client(swiggy, ask))
    names = {tool.name for tool in listed.tools}
    assert len(names) == 16
    assert not names & {"list_coupons", "apply_coupon", "get_order_details"}
    assert all(tool.output_schema is None and tool.input_schema["type"] == "object" for tool in listed.tools)
    assert called.structured_content["success"] is True
    assert swiggy.ledger()["rpc"]["initialize"] == 1


def test_a_client_that_asks_for_the_newer_protocol_is_brought_back_to_this_one(swiggy: SandboxProcess) -> None:
    async def ask(client: Client) -> Any:
        return client.protocol_version

    assert asyncio.run(_with_client(swiggy, ask, mode="auto")) == "2025-06-18"
    assert swiggy.ledger()["rpc"]["server/discover"] == 1


def test_a_broken_output_schema_makes_the_sdk_raise_after_the_server_acted(swiggy: SandboxProcess) -> None:
    swiggy.settings(output_schema="broken")

    async def ask(client: Client) -> Any:
        return await client.call_tool("clear_cart", {})

    with pytest.raises((RuntimeError, MCPError, ExceptionGroup)):
        asyncio.run(_with_client(swiggy, ask))
    assert [call["outcome"] for call in swiggy.calls("clear_cart")] == ["done"]


@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call", "notifications/initialized"])
@pytest.mark.parametrize("authorization", [None, "Bearer nonsense", "Basic abc", "Bearer a.b.c"])
def test_no_method_answers_without_a_bearer(shopper: Shopper, method: str, authorization: str | None) -> None:
    headers = {"authorization": authorization} if authorization else {"authorization": ""}
    answer = shopper.post(method, INITIALIZE, headers=headers)
    assert answer.status_code == 401
    assert answer.json() == {"error": "invalid_token", "error_description": "Authentication required"}
    assert answer.headers["www-authenticate"].startswith('Bearer realm="mcp", resource_metadata="http')


def test_an_expired_and_a_revoked_token_answer_401(swiggy: SandboxProcess) -> None:
    old, taken = Shopper(swiggy, token=seed.token(expires_in_s=-1)), Shopper(swiggy, token=seed.token(tid="taken"))
    assert taken.call("get_cart").status_code == 200
    swiggy.settings(revoked_tokens=["taken"])
    assert [one.call("get_cart").status_code for one in (old, taken)] == [401, 401]
    old.close()
    taken.close()


def test_a_token_runs_out_by_the_clock_of_the_sandbox(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.settings(clock_ahead_s=431_000)
    assert shopper.call("get_cart").status_code == 200
    swiggy.settings(clock_ahead_s=433_000)
    assert shopper.call("get_cart").status_code == 401


@pytest.mark.parametrize(("mode", "status"), [("expired", 401), ("revoked", 419), ("forbidden", 403)])
def test_a_switch_ends_every_sign_in_with_its_status(shopper: Shopper, swiggy: SandboxProcess, mode: str, status: int) -> None:
    swiggy.settings(auth=mode)
    assert shopper.post("initialize", INITIALIZE).status_code == status
    assert shopper.call("get_cart").status_code == status


def test_a_switch_ends_every_sign_in_as_a_json_rpc_error(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.settings(auth="rpc")
    assert shopper.rpc("tools/call", {"name": "get_cart"})["error"]["code"] == -32001


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "*/*"])
def test_a_request_that_does_not_accept_both_is_406(shopper: Shopper, accept: str) -> None:
    answer = shopper.post("initialize", INITIALIZE, headers={"accept": accept})
    assert answer.status_code == 406
    assert "must accept both" in answer.json()["error"]["message"]


def test_a_stream_and_a_session_end_are_405(shopper: Shopper, swiggy: SandboxProcess) -> None:
    assert shopper.http.get(swiggy.url).status_code == 405
    assert shopper.http.delete(swiggy.url).status_code == 405


def test_a_notification_is_202_with_nothing_in_it(shopper: Shopper) -> None:
    answer = shopper.http.post(shopper.swiggy.url, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (answer.status_code, answer.content) == (202, b"")


def test_a_session_id_is_sent_only_when_switched_on_and_never_asked_for(shopper: Shopper, swiggy: SandboxProcess) -> None:
    assert "mcp-session-id" not in shopper.post("initialize", INITIALIZE).headers
    swiggy.settings(session_header=True)
    assert shopper.post("initialize", INITIALIZE).headers["mcp-session-id"]
    assert shopper.data("get_cart")["cartAbsent"] is True


def test_what_is_not_json_rpc_is_turned_away_and_calls_nothing(shopper: Shopper, swiggy: SandboxProcess) -> None:
    headers = {"content-type": "application/json"}
    for body in (b"", b"{", b"[]", b'"x"', b'{"jsonrpc": "2.0"}', b'{"method": ["tools/call"]}'):
        assert shopper.http.post(swiggy.url, content=body, headers=headers).status_code == 400
    assert swiggy.calls() == []


@pytest.mark.parametrize("tool", ["list_coupons", "apply_coupon", "get_order_details", "confirm_payment"])
def test_a_tool_that_is_not_served_is_unknown(shopper: Shopper, swiggy: SandboxProcess, tool: str) -> None:
    assert shopper.rpc("tools/call", {"name": tool, "arguments": {}})["error"]["code"] == -32602
    swiggy.settings(unknown_tool="is_error")
    assert shopper.result(tool)["isError"] is True


def test_arguments_are_checked_in_the_words_of_the_field(shopper: Shopper) -> None:
    assert shopper.refusal("search_products", query="milk").startswith("Missing required parameter: addressId")
    assert shopper.refusal("search_products", addressId=7, query="milk").startswith("Invalid addressId")
    assert shopper.refusal("get_addresses", page=True).startswith("Invalid page")


def test_the_limiter_is_off_until_switched_on_and_names_the_wait(shopper: Shopper, swiggy: SandboxProcess) -> None:
    for _ in range(35):
        assert shopper.call("clear_cart").status_code == 200
    swiggy.settings(rate="on")
    statuses = [shopper.call("clear_cart").status_code for _ in range(31)]
    assert statuses == [200] * 30 + [429]
    assert int(shopper.call("clear_cart").headers["retry-after"]) > 0
    assert shopper.call("get_cart").status_code == 200
    statuses = [shopper.call("get_cart").status_code for _ in range(40)]
    assert statuses == [200] * 39 + [429]


def test_a_block_meets_every_method_and_says_nothing_of_a_wait(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.settings(rate="block")
    for answer in (shopper.post("initialize", INITIALIZE), shopper.call("get_cart")):
        assert answer.status_code == 429
        assert "retry-after" not in answer.headers
