"""Renewing an ended or refused access token at the sandbox: once, whoever meets it; no browser, no ONCE sent again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from interactions.contracts import NotSentError, SignInNeededError
from swiggy_instamart import attempts, grants, mcp, pairs, renewal, rotation, tokens, vault
from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.shop import Swiggy
from tests.support import forks
from tests.support.waiting import wait_until
from tests.unit.test_sign_in_files import DAMAGED, damage

PROCESSES = 8


@pytest.fixture(autouse=True, scope="module")
def _as_in_a_worker() -> None:
    """Loaded before the fork, so that no child spends the time of its call on it."""
    mcp.preload()


@pytest.fixture
def ended(live: Swiggy, sign_in: Path) -> Path:
    """A sign-in that ended an hour ago and holds a refresh token."""
    seed.write_tokens(sign_in, expires_in_s=-3600, refresh_token=seed.refresh_token())
    return sign_in


def refreshes(sandbox: SandboxProcess) -> list[str]:
    return [refresh["result"] for refresh in sandbox.ledger()["refreshes"]]


def read_the_cart() -> str:
    """In a process of its own: read the cart, and tell with which token that was done."""
    mcp.swiggy().cart()
    return tokens.load().identity


# ---- once, however many meet it -----------------------------------------------------------------------------------------


@pytest.mark.case("E01")
def test_control_without_the_lock_one_refresh_token_is_used_by_several(
    ended: Path, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = vault.locked

    @contextmanager
    def unlocked(directory: Path, *, name: str = vault.LOCK, within_s: float | None = None) -> Iterator[bool]:
        if name == renewal.LOCK:
            yield True
        else:
            with real(directory, name=name, within_s=within_s) as mine:
                yield mine

    both, refresh = multiprocessing.get_context("fork").Barrier(2), grants.refresh

    def at_once(*given: Any, **more: Any) -> grants.Grant:
        both.wait(10)
        return refresh(*given, **more)

    monkeypatch.setattr(vault, "locked", unlocked)
    monkeypatch.setattr(attempts, "waits", lambda *_, **__: False)
    monkeypatch.setattr(grants, "refresh", at_once)
    forks.together(2, read_the_cart)
    assert sorted(refreshes(sandbox)) == ["granted", "refused"]


@pytest.mark.promise("P175")
@pytest.mark.case("E01")
@pytest.mark.parametrize("how", ["ended", "refused"])
def test_eight_processes_that_meet_a_dead_token_refresh_it_once_and_use_what_came(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, how: str
) -> None:
    left_s = -60 if how == "ended" else 100_000
    seed.write_tokens(sign_in, expires_in_s=left_s, tid="dead", refresh_token=seed.refresh_token())
    sandbox.settings(revoked_tokens=["dead"])
    before = pairs.read(sign_in)
    said = forks.together(PROCESSES, read_the_cart)
    after = pairs.read(sign_in)
    assert refreshes(sandbox) == ["granted"]
    assert said == [after.identity] * PROCESSES
    assert after.identity != before.identity
    assert after.refresh_token != before.refresh_token
    assert tokens.verdict().state == "usable"
    assert len([call for call in sandbox.calls("get_cart") if call["outcome"] == "done"]) == PROCESSES


@pytest.mark.case("E01")
@pytest.mark.parametrize("granted", [True, False])
def test_a_sign_in_installed_during_a_refresh_stays(
    ended: Path, sandbox: SandboxProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, granted: bool
) -> None:
    sandbox.settings(refresh="rotate" if granted else "refused")
    seed.write_tokens(tmp_path / "new")
    real = grants.refresh

    def meanwhile(*given: Any, **more: Any) -> grants.Grant:
        rotation.replace(ended, source=tmp_path / "new")
        return real(*given, **more)

    monkeypatch.setattr(grants, "refresh", meanwhile)
    mcp.swiggy().cart()
    assert pairs.read(ended) == pairs.read(tmp_path / "new")
    assert refreshes(sandbox) == ["granted" if granted else "refused"]


def test_a_refresh_token_that_stays_good_is_kept(ended: Path, sandbox: SandboxProcess) -> None:
    sandbox.settings(refresh="keep")
    before = pairs.read(ended)
    mcp.swiggy().cart()
    assert pairs.read(ended).refresh_token == before.refresh_token
    assert pairs.read(ended).identity != before.identity


def test_a_renewed_sign_in_leaves_the_way_back_to_the_one_before_it(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, tmp_path: Path
) -> None:
    first = pairs.read(sign_in)
    seed.write_tokens(tmp_path / "two", expires_in_s=-60, refresh_token=seed.refresh_token())
    rotation.replace(sign_in, source=tmp_path / "two")
    live.cart()
    rotation.rollback(sign_in)
    assert pairs.read(sign_in).identity == first.identity


@pytest.mark.parametrize(("body", "asked"), [("any", ["json"]), ("json", ["json"]), ("form", ["json", "form"])])
def test_the_form_is_tried_where_the_json_cannot_be_read(
    ended: Path, sandbox: SandboxProcess, body: str, asked: list[str]
) -> None:
    sandbox.settings(token_body=body)
    mcp.swiggy().cart()
    assert [refresh["body"] for refresh in sandbox.ledger()["refreshes"]] == asked


# ---- what fails ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P176")
@pytest.mark.case("D04", "E01")
def test_a_refresh_that_was_refused_is_not_tried_again_until_there_is_another_sign_in(
    ended: Path, sandbox: SandboxProcess
) -> None:
    sandbox.settings(refresh="refused")
    before = pairs.read(ended)
    for _ in range(3):
        with pytest.raises(NotSentError, match="refused to renew it") as caught:
            mcp.swiggy().cart()
        assert (caught.value.code, "rotate_swiggy_tokens" in caught.value.message) == ("sign_in", True)
    assert refreshes(sandbox) == ["refused"]
    assert (pairs.read(ended).identity, sandbox.calls()) == (before.identity, [])
    sandbox.settings(refresh="rotate")
    seed.write_tokens(ended, expires_in_s=-60, refresh_token=seed.refresh_token())
    mcp.swiggy().cart()
    assert refreshes(sandbox) == ["refused", "granted"]


@pytest.mark.case("D04")
@pytest.mark.parametrize("reply", ["lost", "odd", "hang"])
def test_an_answer_that_was_lost_is_known_of_bounded_and_said(
    ended: Path, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch, reply: str
) -> None:
    monkeypatch.setattr(renewal, "BOUND_S", 0.5)
    sandbox.settings(token_reply=reply)
    before = pairs.read(ended)
    began = time.monotonic()
    for _ in range(3):  # the second and third wait for a better moment, and say so at once
        with pytest.raises(NotSentError):
            mcp.swiggy().cart()
    assert time.monotonic() - began < 5
    assert refreshes(sandbox) == ["granted"]
    assert pairs.read(ended).identity == before.identity
    monkeypatch.setattr(attempts, "WAIT", timedelta(0))
    with pytest.raises(NotSentError, match="after an earlier answer had been lost"):
        mcp.swiggy().cart()
    assert refreshes(sandbox) == ["granted", "refused"]
    assert tokens.verdict().exit_code == 2


@pytest.mark.case("D04")
def test_a_server_that_is_down_is_asked_three_times_at_most(
    ended: Path, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "WAIT", timedelta(0))
    sandbox.settings(token_reply="down")
    for _ in range(5):
        with pytest.raises(NotSentError):
            mcp.swiggy().cart()
    assert refreshes(sandbox) == ["down"] * attempts.MOST


@pytest.mark.case("D04")
def test_a_renewal_that_brings_a_token_without_a_life_is_not_repeated_by_every_call(
    ended: Path, sandbox: SandboxProcess
) -> None:
    sandbox.settings(token_life_s=30)
    for _ in range(3):
        with pytest.raises(NotSentError):
            mcp.swiggy().cart()
    assert refreshes(sandbox) == ["granted"]


def test_a_server_that_nobody_reaches_costs_no_attempt(
    ended: Path, sandbox: SandboxProcess, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "WAIT", timedelta(0))
    settings.SWIGGY_MCP_URL = "http://127.0.0.1:9/im"
    for _ in range(attempts.MOST + 2):
        with pytest.raises(NotSentError):
            mcp.swiggy().cart()
    settings.SWIGGY_MCP_URL = sandbox.url
    mcp.swiggy().cart()
    assert refreshes(sandbox) == ["granted"]


@pytest.mark.promise("P176")
def test_a_crash_between_the_answer_and_the_save_is_stated(
    ended: Path, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pairs.read(ended)

    def die(*_: Any, **__: Any) -> bool:
        os.kill(os.getpid(), signal.SIGKILL)
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rotation, "renew", die)
        assert forks.together(1, read_the_cart) == [""]
    assert (refreshes(sandbox), pairs.read(ended).identity) == (["granted"], before.identity)
    with pytest.raises(NotSentError):
        mcp.swiggy().cart()  # not asked again at once
    monkeypatch.setattr(attempts, "WAIT", timedelta(0))
    with pytest.raises(NotSentError, match="after an earlier answer had been lost"):
        mcp.swiggy().cart()
    assert "rotate_swiggy_tokens" in tokens.verdict().sentence


def test_a_full_disk_is_known_before_the_refresh_token_is_used(
    ended: Path, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.unit.test_sign_in_files import small

    before = pairs.read(ended)
    said = forks.together(1, small(2_000, read_the_cart))
    assert "could not be saved" in said[0]
    assert refreshes(sandbox) == []
    monkeypatch.setattr(attempts, "WAIT", timedelta(0))
    monkeypatch.setattr(renewal, "RESERVED", 100)  # and where it fills up while the answer is on its way
    said = forks.together(1, small(300, read_the_cart))
    assert "Swiggy renewed the sign-in, but it could not be saved" in said[0]
    assert (refreshes(sandbox), pairs.read(ended)) == (["granted"], before)


# ---- what is never done -------------------------------------------------------------------------------------------------


@pytest.mark.promise("P175")
@pytest.mark.case("E01")
def test_a_checkout_whose_token_is_refused_is_not_sent_again(live: Swiggy, sandbox: SandboxProcess, sign_in: Path) -> None:
    seed.write_tokens(sign_in, tid="dead", refresh_token=seed.refresh_token())
    live.cart()
    sandbox.settings(revoked_tokens=["dead"])
    with pytest.raises(SignInNeededError):
        live.checkout("a0demo0home0id__t0ken1")
    assert [call["outcome"] for call in sandbox.calls("checkout")] == ["turned away"]
    assert refreshes(sandbox) == []
    live.cart()
    assert refreshes(sandbox) == ["granted"]
    assert [call["outcome"] for call in sandbox.calls()] == ["done", "turned away", "done"]


@pytest.mark.case("D04")
@pytest.mark.parametrize("refusal", ["expired", "revoked", "forbidden", "rpc"])
def test_a_token_that_cannot_be_renewed_is_tried_once_a_call(live: Swiggy, sandbox: SandboxProcess, refusal: str) -> None:
    live.cart()
    sandbox.settings(auth=refusal)
    with pytest.raises(SignInNeededError):
        live.orders()
    assert len(sandbox.calls("get_orders")) == 1
    assert refreshes(sandbox) == []


@pytest.mark.parametrize("refusal", ["revoked", "forbidden"])
def test_a_sign_in_that_was_ended_by_swiggy_is_not_renewed_behind_its_back(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, refusal: str
) -> None:
    seed.write_tokens(sign_in, refresh_token=seed.refresh_token())
    sandbox.settings(auth=refusal)
    for _ in range(2):
        with pytest.raises(SignInNeededError):
            live.cart()
    assert refreshes(sandbox) == []


@pytest.mark.promise("P175")
def test_nothing_that_a_worker_imports_can_open_a_browser() -> None:
    found = "sorted({'webbrowser', 'mcp.client.auth', 'http.server'} & set(sys.modules))"
    code = f"import sys, django; django.setup(); from swiggy_instamart import mcp, tasks; mcp.preload(); print({found})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.strip() == "[]"


@pytest.mark.case("E02")
@pytest.mark.parametrize("settled_s", [0.0, 3600.0], ids=["settled", "just written"])
def test_nothing_is_sent_with_a_damaged_file(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, monkeypatch: pytest.MonkeyPatch, settled_s: float
) -> None:
    monkeypatch.setattr("swiggy_instamart.aside.SETTLED_S", settled_s)
    live.cart()
    before = sandbox.ledger()["http"]
    for content in DAMAGED.values():
        seed.write_tokens(sign_in)
        damage(sign_in / "tokens.json", content)
        with pytest.raises(NotSentError, match="damaged"):
            live.orders()
    assert sandbox.ledger()["http"] == before
    seed.write_tokens(sign_in)
    live.orders()


# ---- clocks and replacements --------------------------------------------------------------------------------------------


@pytest.mark.case("E09")
@pytest.mark.parametrize(
    ("ahead_s", "left_s", "renewed"), [(90, 80, True), (90, 600, False), (-90, 80, False), (-90, -30, True)]
)
def test_a_shop_whose_clock_is_ninety_seconds_off_is_ordered_from(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, ahead_s: int, left_s: int, renewed: bool
) -> None:
    sandbox.settings(clock_ahead_s=ahead_s)
    seed.write_tokens(sign_in, expires_in_s=left_s, refresh_token=seed.refresh_token())
    live.cart()
    assert refreshes(sandbox) == (["granted"] if renewed else [])


@pytest.mark.promise("P177")
def test_a_process_that_runs_uses_replaced_files_from_its_next_call(
    live: Swiggy,
    sandbox: SandboxProcess,
    sign_in: Path,
    tmp_path: Path,
    aside: Callable[[Callable[[], object]], threading.Thread],
) -> None:
    seed.write_tokens(sign_in, tid="old")
    live.cart()
    sandbox.faults([{"tool": "get_orders", "kind": "slow", "seconds": 1.0, "where": "after"}])
    found: list[Any] = []
    aside(lambda: found.append(live.orders()))
    wait_until(lambda: sandbox.calls("get_orders"), 5, "a call in flight")
    seed.write_tokens(tmp_path / "new")
    rotation.replace(sign_in, source=tmp_path / "new")
    sandbox.settings(revoked_tokens=["old"])
    live.cart()
    wait_until(lambda: found, 5, "the call in flight was answered")
    assert {call["outcome"] for call in sandbox.calls()} == {"done"}
