"""The sandbox as the peer of a certification: forked, killed and started again over a copied memory."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from interactions.certification.contracts import Fault, Ledger, Outside
from swiggy_instamart.certification import model
from swiggy_instamart.sandbox import seed, server

START_S = 20.0


class ShopPeer:
    """One port for life; the memory is what its directory holds."""

    def __init__(self) -> None:
        self.port = 0
        self._pid: int | None = None
        self._line: int | None = None  # held open by us; its end ends the sandbox
        self._home = Path()
        self._armed_at = 0

    def start(self, home: Path, *, world: Mapping[str, Any], behind_s: float) -> None:
        fresh = not any(home.iterdir())
        self._home = home
        if fresh:
            (home / "sign-in").mkdir(mode=0o700)
            seed.write_tokens(home / "sign-in")
        ready = home / "ready"
        ready.unlink(missing_ok=True)
        theirs, self._line = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._line)
            os.dup2(theirs, 0)
            _serve(server.Options(port=self.port, data=home / "shop", ready_file=ready, follow_stdin=True), home / "log")
        os.close(theirs)
        ends = time.monotonic() + START_S
        while not ready.exists():
            if time.monotonic() > ends or os.waitpid(self._pid, os.WNOHANG)[0]:
                raise RuntimeError("the sandbox did not start")
            time.sleep(0.005)
        self.port = int(ready.read_text(encoding="utf-8").removesuffix("/im").rpartition(":")[2])
        self._ask("settings", {**(world if fresh else {}), "clock_ahead_s": -behind_s})

    def stop(self) -> None:
        if self._pid is not None:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
            self._pid = None
        if self._line is not None:
            os.close(self._line)
            self._line = None

    def environ(self) -> Mapping[str, Any]:
        return {
            "SWIGGY_MCP_URL": f"{self._origin}/im",
            "SWIGGY_TOKEN_DIRECTORY": self._home / "sign-in",
            "CHRONICLE": model.configured(self._origin),
        }

    def told(self, outside: Outside) -> None:
        try:
            self._ask(outside.what, dict(outside.data))
        except urllib.error.HTTPError as refused:
            if outside.what != "payment" or refused.code != HTTPStatus.UNPROCESSABLE_ENTITY:
                raise  # where no order came to be, nobody can pay one

    def arm(self, number: int, fault: Fault) -> None:
        self._armed_at = len(self.ledger()["calls"])
        self._ask("faults", {"rules": [{**fault.rule, "tool": "*", "nth": number}]})

    def calls(self) -> list[str]:
        return [call["tool"] for call in self.ledger()["calls"]]

    def reached(self, number: int, *, acted: bool) -> bool:
        calls = self.ledger()["calls"][self._armed_at :]
        return len(calls) >= number and (not acted or calls[number - 1]["outcome"] is not None)

    def ledger(self) -> Ledger:
        found: Ledger = self._ask("ledger")
        return found

    @property
    def _origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _ask(self, what: str, body: Mapping[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self._origin}/control/{what}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return json.load(answer)


def _serve(options: server.Options, log: Path) -> None:
    """In the forked process: serve until killed, or until the one that forked us is gone."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with log.open("a", encoding="utf-8") as sys.stdout:  # a caller that was killed is no news
            sys.stdin, sys.stderr = os.fdopen(0), sys.stdout
            server.serve(options, app=model.Shop)
        code = 0
    finally:
        os._exit(code)
