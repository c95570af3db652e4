"""A handle on a sandbox in its own process, for tests and the demo: start it, ask its ledger, make it go wrong, kill it."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2

from swiggy_instamart.sandbox import seed

ROOT = Path(__file__).resolve().parents[2]
START_S = 30.0
DYING_S = 2.0


class SandboxError(Exception):
    """The sandbox did not start, or refused what it was told."""


class SandboxProcess:
    """``with SandboxProcess() as swiggy: swiggy.url, swiggy.ledger(), ...``. The process ends with its handle's own."""

    def __init__(
        self, data_dir: str | Path | None = None, port: int = 0, hold_s: float = 0.1, autopay_s: float | None = None
    ) -> None:
        self.data_dir = Path(data_dir) if data_dir is not None else None
        self.port, self.hold_s, self.autopay_s = port, hold_s, autopay_s
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._http = httpx2.Client(timeout=10, trust_env=False)

    # ---- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Also again, after ``kill()`` or a fault of kind die: at the same address."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=DYING_S)
            if self._process.poll() is None:
                raise SandboxError("the sandbox is running already")
            self._gone()
        with tempfile.TemporaryDirectory(prefix="sandbox-") as directory:
            ready, log = Path(directory, "ready"), Path(directory, "log")
            with log.open("wb") as output:
                self._process = subprocess.Popen(
                    self._command(ready), cwd=ROOT, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT
                )
            until = time.monotonic() + START_S
            while not ready.exists():
                if self._process.poll() is not None or time.monotonic() > until:
                    self.kill()
                    raise SandboxError(f"the sandbox did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")
                time.sleep(0.02)
            self.url = ready.read_text(encoding="utf-8")
        self.port = int(self.origin.rpartition(":")[2])  # a restart keeps it
        self._http.get(f"{self.origin}/healthz").raise_for_status()
        return self

    def _command(self, ready: Path) -> list[str]:
        command = [sys.executable, "-m", "swiggy_instamart.sandbox", "--port", str(self.port), "--hold", str(self.hold_s)]
        command += ["--ready-file", str(ready), "--follow-stdin"]
        if self.data_dir is not None:
            command += ["--data", str(self.data_dir)]
        if self.autopay_s is not None:
            command += ["--autopay", str(self.autopay_s)]
        return command

    def stop(self) -> None:
        """Let it finish what it is doing."""
        if self._process is not None:
            self._process.terminate()
            self._gone()

    def kill(self) -> None:
        """As the machine would: at once."""
        if self._process is not None:
            self._process.kill()
            self._gone()

    def _gone(self) -> None:
        assert self._process is not None
        self._process.wait(timeout=10)
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None

    def __enter__(self) -> Self:
        return self.start() if self._process is None else self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        self._http.close()

    # ---- what it is told ------------------------------------------------------------------------------------------------

    @property
    def origin(self) -> str:
        return self.url.removesuffix("/im")

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def _post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._http.post(f"{self.origin}/control/{what}", json=body)
        if answer.status_code >= 400:
            raise SandboxError(f"POST /control/{what}: {answer.status_code} {answer.text}")
        found: dict[str, Any] = answer.json()
        return found

    def ledger(self) -> dict[str, Any]:
        answer = self._http.get(f"{self.origin}/control/ledger")
        found: dict[str, Any] = answer.raise_for_status().json()
        return found

    def calls(self, tool: str | None = None) -> list[dict[str, Any]]:
        """The ledger's calls, of one tool if named."""
        return [call for call in self.ledger()["calls"] if tool in (None, call["tool"])]

    def reset(self) -> None:
        self._post("reset", {})

    def faults(self, rules: Sequence[dict[str, Any]]) -> None:
        self._post("faults", {"rules": list(rules)})

    def settings(self, **switches: Any) -> dict[str, Any]:
        return self._post("settings", switches)

    def payment(self, state: str, **more: Any) -> dict[str, Any]:
        return self._post("payment", {"state": state, **more})

    def cart(self, lines: Sequence[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
        """Someone else edits the cart: ``[{"find": "eggs", "quantity": 1}]`` or ``[{"spin": ...}]``."""
        return self._post("cart", {"lines": list(lines), **more})

    def catalogue(self, **edit: Any) -> dict[str, Any]:
        return self._post("catalogue", edit)

    def write_tokens(self, directory: str | Path, **more: Any) -> str:
        return seed.write_tokens(directory, **more)
