"""Faults on the wire: on which side of the effect they strike, which call they meet, and what the client sees of them."""

from __future__ import annotations

import time
from typing import Any, get_args

import httpx2
import pytest

from swiggy_instamart.sandbox import faults
from swiggy_instamart.sandbox.process import SandboxError, SandboxProcess
from tests.support.shopper import Shopper
from tests.support.waiting import wait_until


def broken(shopper: Shopper, tool: str, **args: Any) -> str:
    """What became of a call that did not get through: the transport's error, or the status, or what was said."""
    try:
        answer = shopper.call(tool, **args)
    except httpx2.TransportError as error:
        return type(error).__name__
    return str(answer.status_code) if answer.status_code != 200 else answer.text


def ready(shopper: Shopper, home: str) -> dict[str, Any]:
    shopper.put(("toned milk", 2), at=home)
    return {"addressId": home, "paymentMethod": "UPI", "generateUPIQR": True}


EFFECTS = [
    (kind, where)
    for kind in ("drop", "half", "malformed", "empty", "status", "rpc_error", "is_error", "success_false")
    for where in ("before", "after")
]


@pytest.mark.parametrize("reply", ["sse", "json"])
@pytest.mark.parametrize(("kind", "where"), EFFECTS)
def test_a_checkout_is_made_only_by_a_fault_after_the_effect_and_never_seen(
    shopper: Shopper, swiggy: SandboxProcess, home: str, kind: str, where: str, reply: str
) -> None:
    args = ready(shopper, home)
    swiggy.settings(reply=reply)
    swiggy.faults([{"tool": "checkout", "kind": kind, "where": where, "message": "Oops"}])
    seen = broken(shopper, "checkout", **args)
    assert "bridgeUrl" not in seen
    expected = {
        "drop": "RemoteProtocolError",
        "half": "RemoteProtocolError",
        "malformed": "Bad Gateway",
        "empty": "",
        "status": "503",
        "rpc_error": "-32603",
        "is_error": "Oops",
        "success_false": '"success": false',
    }
    assert expected[kind] in seen.replace('"success":false', '"success": false')
    ledger = swiggy.ledger()
    assert ledger["counts"]["committed"] == (1 if where == "after" else 0)
    assert ledger["calls"][-1]["fault"] == f"{kind} {where}"
    assert ledger["calls"][-1]["outcome"] == ("done" if where == "after" else "lost")


def test_a_reset_is_seen_as_a_connection_reset(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.faults([{"tool": "get_cart", "kind": "drop", "reset": True}])
    assert broken(shopper, "get_cart") == "ReadError"


def test_a_hang_lasts_until_the_client_gives_up_and_the_effect_stands(
    shopper: Shopper, swiggy: SandboxProcess, home: str
) -> None:
    args = ready(shopper, home)
    swiggy.faults([{"tool": "checkout", "kind": "hang", "where": "after"}])
    with pytest.raises(httpx2.ReadTimeout):
        shopper.post("tools/call", {"name": "checkout", "arguments": args}, timeout=0.3)
    assert swiggy.ledger()["counts"]["committed"] == 1


def test_a_client_that_leaves_a_slow_checkout_does_not_stop_it(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    args = ready(shopper, home)
    swiggy.faults([{"tool": "checkout", "kind": "slow", "seconds": 0.4}])
    with pytest.raises(httpx2.ReadTimeout):
        shopper.post("tools/call", {"name": "checkout", "arguments": args}, timeout=0.1)
    assert swiggy.ledger()["counts"]["committed"] == 0
    began = time.monotonic()
    shopper.call("get_cart")  # others are not kept waiting
    assert time.monotonic() - began < 0.3
    wait_until(lambda: swiggy.ledger()["counts"]["committed"] == 1, 5, "the checkout is made after all")


def test_a_rule_meets_the_nth_call_of_its_tool_only(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.faults([{"tool": "get_cart", "kind": "status", "status": 502, "nth": 2}])
    statuses = [shopper.call(tool).status_code for tool in ("get_cart", "clear_cart", "get_cart", "get_cart")]
    assert statuses == [200, 200, 502, 200]


def test_a_rule_ends_after_its_times_and_a_new_list_replaces_it(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.faults([{"kind": "status", "status": 429, "retry_after": 7, "times": 2}])
    answers = [shopper.call("get_cart") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [429, 429, 200]
    assert answers[0].headers["retry-after"] == "7"
    swiggy.faults([{"kind": "status", "status": 500}])
    swiggy.faults([])
    assert shopper.call("get_cart").status_code == 200


def test_rules_reach_the_handshake_and_the_list_of_tools(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.faults([{"tool": "initialize", "kind": "status", "status": 504}, {"tool": "tools/list", "kind": "rpc_error"}])
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert shopper.post("initialize", params).status_code == 504
    assert shopper.rpc("tools/list")["error"]["code"] == -32603
    assert shopper.call("get_cart").status_code == 200


def test_a_rule_can_change_the_form_of_one_result(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.faults([{"tool": "get_cart", "kind": "form", "form": "prose", "nth": 1}])
    assert shopper.result("get_cart") == {"content": [{"type": "text", "text": "Your cart is empty."}], "isError": False}
    assert shopper.data("get_cart")["cartAbsent"] is True


def test_slow_and_lost_can_meet_in_one_call(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    args = ready(shopper, home)
    swiggy.faults(
        [{"tool": "checkout", "kind": "slow", "seconds": 0.05}, {"tool": "checkout", "kind": "drop", "where": "after"}]
    )
    assert broken(shopper, "checkout", **args) == "RemoteProtocolError"
    assert swiggy.ledger()["counts"]["committed"] == 1


def test_every_kind_is_described_and_every_description_is_a_kind() -> None:
    assert set(get_args(faults.Kind)) == set(faults.KINDS)


# ---- the control API ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "body", "field", "said"),
    [
        ("settings", {"surg": "on"}, "surg", "nearest is 'surge'"),
        ("settings", {"surge": "often"}, "surge", "surge"),
        ("faults", {"rules": [{"kind": "dropp"}]}, "rules.0.kind", "drop"),
        ("faults", {"rules": [{"kind": "drop", "nht": 1}]}, "rules.0.nht", "nearest is 'nth'"),
        ("faults", {"rules": [{"kind": "form"}]}, "rules.0", "needs a form"),
        ("cart", {"lines": [{"find": "eggs", "quantity": -1}]}, "lines.0.quantity", "quantity"),
        ("payment", {}, "state", "state"),
        ("catalogue", {"find": "milk", "price": 3}, "price", "nearest is 'price_paise'"),
        ("reset", {"all": True}, "all", "all"),
    ],
)
def test_a_wrong_body_is_422_and_names_the_key(
    shopper: Shopper, swiggy: SandboxProcess, what: str, body: dict[str, Any], field: str, said: str
) -> None:
    answer = shopper.http.post(f"{swiggy.origin}/control/{what}", json=body)
    assert answer.status_code == 422
    assert field in answer.json()["fields"]
    assert said in answer.json()["message"]


def test_what_is_not_json_or_not_there_is_said(shopper: Shopper, swiggy: SandboxProcess) -> None:
    assert shopper.http.post(f"{swiggy.origin}/control/reset", content=b"{").status_code == 400
    for body in (b"[]", b"7", b'"x"', b"null"):
        assert shopper.http.post(f"{swiggy.origin}/control/faults", content=body).status_code == 422
        assert shopper.http.post(f"{swiggy.origin}/control/settings", content=body).status_code == 422
    with pytest.raises(SandboxError, match="nothing to pay for"):
        swiggy.payment("success")
    with pytest.raises(SandboxError, match="no variant"):
        swiggy.cart([{"find": "zebra"}])


def test_a_reset_forgets_everything_but_the_flags_of_the_start(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(surge="on", hold_s=9)
    swiggy.faults([{"kind": "drop"}])
    swiggy.reset()
    ledger = swiggy.ledger()
    assert (ledger["calls"], ledger["cart"]["lines"], ledger["rpc"], ledger["orders"]) == ([], [], {}, [])
    now = shopper.http.get(f"{swiggy.origin}/control/settings").json()
    assert (now["surge"], now["hold_s"]) == ("off", 0.1)
    assert shopper.call("get_cart").status_code == 200


def test_the_ledger_shows_each_call_in_order_with_its_arguments(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("onion", 2), at=home)
    shopper.refusal("checkout", addressId=home)
    calls = swiggy.calls()
    assert [call["n"] for call in calls] == list(range(1, len(calls) + 1))
    assert [call["tool"] for call in calls] == ["get_addresses", "search_products", "update_cart", "checkout"]
    assert calls[2]["arguments"]["items"][0]["quantity"] == 2
    assert (calls[3]["outcome"], calls[3]["ended_at"] >= calls[3]["at"]) == ("refused", True)
    assert swiggy.ledger()["cart"]["lines"][0]["name"] == "Fresho Onion"
