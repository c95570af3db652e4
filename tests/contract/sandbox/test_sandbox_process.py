"""The sandbox as a process: what outlives a kill, how it starts, and what it does when it cannot."""

from __future__ import annotations

import base64
import hashlib
import json
import signal
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import httpx2
import pytest

from swiggy_instamart.management.commands.sandbox import Command
from swiggy_instamart.sandbox import __main__ as sandbox
from swiggy_instamart.sandbox.process import ROOT, SandboxError, SandboxProcess
from tests.support.shopper import Shopper
from tests.support.waiting import wait_until


def test_a_killed_sandbox_remembers_what_it_did(tmp_path: Path) -> None:
    with SandboxProcess(data_dir=tmp_path) as swiggy:
        shopper = Shopper(swiggy)
        home = shopper.address("Home")
        shopper.put(("toned milk", 2), at=home)
        swiggy.settings(surge="on")
        swiggy.faults([{"tool": "checkout", "kind": "die", "where": "after"}, {"tool": "get_cart", "kind": "drop", "nth": 2}])
        with pytest.raises(httpx2.TransportError):
            shopper.pay_by_scan(at=home)
        at = swiggy.url
        swiggy.start()
        assert swiggy.url == at
        ledger = swiggy.ledger()
        assert ledger["counts"]["committed"] == 1
        assert (ledger["calls"][-1]["tool"], ledger["calls"][-1]["outcome"]) == ("checkout", "done")
        assert len(shopper.cart()["items"]) == 1
        with pytest.raises(httpx2.TransportError):
            shopper.cart()
        order = ledger["orders"][0]
        swiggy.payment("success")
        swiggy.kill()
        swiggy.start()
        assert shopper.data("confirm_order", orderId=order["id"], paasId=order["paas_id"])["result"] == "success"
        assert swiggy.ledger()["counts"]["placed"] == 1
        shopper.close()


def test_dying_before_the_effect_leaves_a_call_without_an_end(tmp_path: Path) -> None:
    with SandboxProcess(data_dir=tmp_path) as swiggy:
        shopper = Shopper(swiggy)
        home = shopper.address("Home")
        shopper.put(("toned milk", 2), at=home)
        swiggy.faults([{"tool": "checkout", "kind": "die"}])
        with pytest.raises(httpx2.TransportError):
            shopper.pay_by_scan(at=home)
        swiggy.start()
        ledger = swiggy.ledger()
        assert (ledger["calls"][-1]["tool"], ledger["calls"][-1]["outcome"]) == ("checkout", None)
        assert ledger["counts"]["checkouts"] == 0
        shopper.close()


def test_the_command_line_seeds_tokens_reports_its_port_and_can_refuse_control(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "swiggy_instamart.sandbox", "--no-control", "--tokens", str(tmp_path / "t"), "--pay-page"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = line.removeprefix("sandbox ready at ").strip()
        origin = url.removesuffix("/im")
        token = json.loads((tmp_path / "t" / "tokens.json").read_text())["access_token"]
        with httpx2.Client(trust_env=False, headers={"authorization": f"Bearer {token}"}) as http:
            assert http.get(f"{origin}/healthz").json() == {"status": "ok"}
            for method, what in (("POST", "reset"), ("GET", "ledger"), ("GET", "settings")):
                answer = http.request(method, f"{origin}/control/{what}")
                assert answer.status_code == 403
                assert "--no-control" in answer.json()["message"]
            assert http.get(url).status_code == 405  # let in, then no stream
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=10)


def test_a_taken_port_is_named_and_another_is_suggested(tmp_path: Path) -> None:
    with SandboxProcess() as swiggy:
        second = SandboxProcess(port=swiggy.port)
        with pytest.raises(SandboxError, match=rf"127.0.0.1:{swiggy.port}.*try --port 0"):
            second.start()
        second.stop()


def test_a_sandbox_ends_with_the_one_who_started_it() -> None:
    code = (
        "from swiggy_instamart.sandbox.process import SandboxProcess; import os\n"
        "s = SandboxProcess().start(); print(s.url, s.pid, flush=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    url = done.stdout.split()[0]

    def unreachable() -> bool:
        try:
            httpx2.get(url.replace("/im", "/healthz"), trust_env=False)
        except httpx2.TransportError:
            return True
        return False

    wait_until(unreachable, 10, "the sandbox stops by itself")


def test_the_django_command_shows_its_flags() -> None:
    parser = ArgumentParser()
    Command().add_arguments(parser)
    options = sandbox.options(vars(parser.parse_args(["--port", "7", "--hold", "0.5", "--data", "x"])))
    assert (options.port, options.hold_s, options.data, options.control) == (7, 0.5, Path("x"), True)


def test_the_sign_in_has_the_quirks_of_the_field() -> None:
    with SandboxProcess() as swiggy, httpx2.Client(base_url=swiggy.origin, trust_env=False) as http:
        assert "html" in http.get("/.well-known/oauth-protected-resource").text
        assert "authorization_servers" in http.get("/food/.well-known/oauth-protected-resource").json()
        assert http.get("/.well-known/oauth-authorization-server").json()["code_challenge_methods_supported"] == ["S256"]
        registered = http.post("/auth/register", json={"redirect_uris": ["https://example.com/back"]})
        assert registered.json()["client_id"] == "swiggy-mcp"
        verifier = "v" * 50
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {"code_challenge": challenge, "code_challenge_method": "S256", "state": "s"}
        refused = http.get("/auth/authorize", params=asked | {"redirect_uri": "https://example.com/back"})
        assert "isn't whitelisted yet" in refused.text
        back = http.get("/auth/authorize", params=asked | {"redirect_uri": "http://localhost:8765/callback"})
        given = {"code": httpx2.URL(back.headers["location"]).params["code"], "code_verifier": verifier}
        granted = http.post("/auth/token", json=given).json()
        assert granted["expires_in"] == 432000
        assert "refresh_token" not in granted
        assert http.post("/auth/token", data=given).status_code == 400  # once only
        shopper = Shopper(swiggy, token=granted["access_token"])
        assert shopper.call("get_cart").status_code == 200
        shopper.close()
