"""One session for the life of a process: what it costs, what it survives, and that nothing piles up."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from django.conf import LazySettings

from interactions.contracts import EffectError, NoAnswerError, NotSentError
from swiggy_instamart import engine, mcp, rotation
from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.shop import Swiggy
from tests.contract import line
from tests.support.waiting import wait_until

EMPTY = {"items": [], "cartAbsent": True}


@pytest.fixture(autouse=True)
def _a_cart(shop: line.Shop) -> None:
    shop.on("get_cart", line.result(EMPTY))


def held(swiggy: Swiggy) -> tuple[int, int, int]:
    """File descriptors, threads, and tasks of the client's loop."""
    running = swiggy.caller
    assert isinstance(running, engine.Engine)
    tasks = [task for task in asyncio.all_tasks(running._loop) if not task.done()]
    return psutil.Process().num_fds(), threading.active_count(), len(tasks)


def settled(swiggy: Swiggy, before: tuple[int, int, int]) -> None:
    """No more is held than before, but for the few connections that may be kept for the next call."""
    wait_until(
        lambda: all(now <= then + 4 for now, then in zip(held(swiggy), before, strict=True)), 10, f"about {before} is held"
    )


def refused(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_five_hundred_calls_are_one_handshake_and_hold_nothing(live: Swiggy, sandbox: SandboxProcess) -> None:
    live.wave(live.cart, live.cart, live.cart)
    before = held(live)
    for _ in range(125):
        live.wave(live.cart, live.cart, live.addresses)
        live.cart()
    settled(live, before)
    ledger = sandbox.ledger()
    assert len([call for call in ledger["calls"] if call["tool"] in ("get_cart", "get_addresses")]) == 503
    assert (ledger["rpc"]["initialize"], ledger["rpc"].get("tools/list")) == (1, None)


def test_a_server_that_dies_in_the_middle_is_found_again(live: Swiggy, sandbox: SandboxProcess) -> None:
    live.cart()
    sandbox.faults([{"tool": "get_cart", "kind": "die", "where": "after"}])
    try:
        with pytest.raises(NoAnswerError):
            live.cart()
        wait_until(lambda: refused(sandbox.port), 10, "nobody listens any more")
        with pytest.raises(NotSentError):
            live.cart()
    finally:
        sandbox.start()
    assert live.cart() is not None


def test_twenty_deaths_of_the_server_leave_nothing_behind(shop: line.Shop, sign_in: Path, settings: LazySettings) -> None:
    with line.serving(shop) as url:
        settings.SWIGGY_MCP_URL, port = url, urlsplit(url).port or 0
        mcp.swiggy().cart()
        before = held(mcp.swiggy())
    for life in range(20):
        with line.serving(shop, port=port):
            mcp.swiggy().cart()
            shop.on("get_orders", line.drop)
            with pytest.raises(NoAnswerError):
                mcp.swiggy().orders()
        with pytest.raises(NotSentError):
            mcp.swiggy().cart()
        assert shop.count("get_cart") == life + 2
    settled(mcp.swiggy(), before)


@pytest.mark.parametrize("session", ["kept by the server", None])
def test_a_server_that_comes_back_without_our_session_is_greeted_again(
    swiggy: Swiggy, shop: line.Shop, session: str | None
) -> None:
    shop.session = session
    swiggy.cart()
    shop.known.clear()  # it was restarted, and no connection broke
    outcomes = []
    for _ in range(3):
        try:
            swiggy.cart()
        except NoAnswerError as error:
            outcomes.append(error.code)
    assert outcomes == (["session_gone"] if session else [])
    assert shop.count("initialize") == (2 if session else 1)


@pytest.mark.promise("P156")
def test_a_cut_connection_costs_no_handshake_where_the_server_keeps_no_sessions(swiggy: Swiggy, shop: line.Shop) -> None:
    shop.session = None
    swiggy.cart()
    shop.on("get_orders", line.drop)
    with pytest.raises(NoAnswerError):
        swiggy.orders()
    swiggy.cart()
    assert (shop.count("initialize"), shop.count("get_orders")) == (1, 1)


@pytest.mark.parametrize("answer", [line.result, line.stream])
def test_calls_one_after_another_go_over_one_connection(
    swiggy: Swiggy, shop: line.Shop, answer: Callable[[Any], line.Act]
) -> None:
    shop.on("get_cart", answer(EMPTY))
    for _ in range(5):
        swiggy.cart()
    assert shop.connections == 1


def test_one_call_that_is_cut_takes_no_other_with_it(
    swiggy: Swiggy, shop: line.Shop, gate: threading.Event, aside: Callable[[Callable[[], object]], threading.Thread]
) -> None:
    shop.on("check_payment_status", line.hold(gate, line.result({"status": "success", "isTerminalSuccess": True})))
    shop.on("get_orders", line.drop)
    found: list[Any] = []
    aside(lambda: found.append(swiggy.payment_status("P1", "O1")))
    wait_until(lambda: shop.count("check_payment_status") == 1, 5, "the poll is in flight")
    with pytest.raises(NoAnswerError):
        swiggy.orders()
    swiggy.cart()  # over a session of its own, while the poll goes on over the old one
    gate.set()
    wait_until(lambda: found, 5, "the poll was answered")


def test_nothing_is_asked_before_the_first_call_and_no_stream_is_kept(swiggy: Swiggy, shop: line.Shop) -> None:
    assert shop.asked == []
    swiggy.cart()
    mcp.close()
    assert shop.asked == ["initialize", "notifications/initialized", "get_cart", "DELETE"]
    assert shop.headers[0].get("mcp-protocol-version") is None
    assert shop.headers[-1]["mcp-protocol-version"] == "2025-06-18"


def test_connections_are_closed_when_it_is_quiet_and_the_session_stays(
    swiggy: Swiggy, shop: line.Shop, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    monkeypatch.setattr(engine, "QUIET_S", 0.05)
    here, port = psutil.Process(), urlsplit(settings.SWIGGY_MCP_URL).port

    def connected() -> int:
        return sum(1 for one in here.net_connections("tcp") if one.raddr and one.raddr.port == port)

    swiggy.cart()
    wait_until(lambda: connected() == 0, 5, "the connection was closed")
    swiggy.cart()
    assert shop.count("initialize") == 1


@pytest.mark.promise("P177", "P234")
def test_a_new_sign_in_is_used_from_the_next_call(swiggy: Swiggy, shop: line.Shop, sign_in: Path, tmp_path: Path) -> None:
    swiggy.cart()
    new = seed.write_tokens(tmp_path / "new")
    rotation.replace(sign_in, source=tmp_path / "new")
    swiggy.cart()
    assert shop.headers[-1]["authorization"] == f"Bearer {new}"


@pytest.mark.promise("P175", "P176")
def test_a_sign_in_that_ended_opens_nothing(swiggy: Swiggy, shop: line.Shop, sign_in: Path) -> None:
    seed.write_expired_tokens(sign_in)
    with pytest.raises(NotSentError, match="ended") as caught:
        swiggy.checkout("a0")
    assert caught.value.code == "sign_in"
    assert shop.asked == []


def test_after_a_fork_the_child_has_a_session_of_its_own(swiggy: Swiggy, shop: line.Shop) -> None:
    swiggy.cart()
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            mcp.swiggy().cart()
            os.write(write, b"read")
        finally:
            os._exit(0)
    os.close(write)
    try:
        wait_until(lambda: os.waitpid(child, os.WNOHANG)[0] == child, 20, "the child has ended")
        assert os.read(read, 10) == b"read"
    finally:
        os.close(read)
    swiggy.cart()
    assert shop.count("initialize") == 2


def test_many_threads_share_one_session(swiggy: Swiggy, shop: line.Shop) -> None:
    failed: list[EffectError] = []

    def ask() -> None:
        try:
            mcp.swiggy().cart()
        except EffectError as error:
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert failed == []
    assert (shop.count("initialize"), shop.count("get_cart")) == (1, 12)
    assert shop.most_at_once <= 3


@pytest.mark.promise("P178")
def test_the_protocol_library_is_imported_by_the_first_call_only() -> None:
    code = "import sys, django; django.setup(); import swiggy_instamart.mcp; print('mcp' in sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert done.stdout.strip() == "False"


@pytest.mark.promise("P175")
def test_nothing_that_a_worker_imports_can_open_a_browser() -> None:
    code = (
        "import sys, django; django.setup(); import swiggy_instamart.mcp as m; m.preload(); print('webbrowser' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "False"


@pytest.fixture(autouse=True)
def _no_engine_is_left() -> Iterator[None]:
    yield
    mcp.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "swiggy-mcp"]
