"""``make run``: from a fresh machine to a running system, and back to nothing at Ctrl-C.

``Stack`` starts the services of compose.yaml with an embedded broker, SQLite and the sandbox in their servers' place, and
keeps them up. The demo and the stack tests use the same class, each in a data directory of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO, Any

from chronicle import children, embedded, services
from chronicle.children import Child, ChildError

PERSON = "asha"
WEB_PORT = 8000
SANDBOX_PORT = 8010
PROCESSES = ("web", "worker-turns", "worker-effects", "worker-ticks", "beat")
ROLES = {"migrate": "command", "web": "web", "beat": "beat"}  # the others are workers
WATCH_EVERY_S = 0.3
PATIENCE_S = 12.0


class Stack:
    """The whole system in one data directory. Use it as a context; ``watch`` mends what falls until told to stop."""

    def __init__(self, data: Path, *, environ: Mapping[str, str], say: Callable[[str], None] = print) -> None:
        self.data = data.resolve()
        self.say = say
        self.children: dict[str, Child] = {}
        self.welcome: dict[str, str] = {}
        self.environ = dict(environ)
        self._lock: IO[str] | None = None

    # ---- up --------------------------------------------------------------------------------------------------------------

    def __enter__(self) -> Stack:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        self.prepare()
        for name in PROCESSES:
            self.spawn(name)
        web = self.children["web"]
        web.wait_for(lambda: _answers(f"{self.url}/readyz"), timeout=40, what=f"answers on {self.url}/readyz")

    def prepare(self) -> None:
        """Everything that the services lean on: broker, sandbox, tables, people."""
        self._take_directory()
        self.environ |= self._environment()
        if "REDIS_URL" not in self.environ:
            broker, url = embedded.broker(self.data / "broker", environ=self.environ, log=self.log("broker"))
            self.children["broker"] = broker
            self.environ["REDIS_URL"] = url
        if "SWIGGY_MCP_URL" not in self.environ:
            self._start_sandbox()
        self.say("preparing the database")
        self.run("migrate", services.command("migrate", self.environ))
        self.welcome = json.loads(self.run("welcome", [sys.executable, "manage.py", "welcome", PERSON]).splitlines()[-1])

    def spawn(self, name: str) -> Child:
        """Start one service of the file, as the file says."""
        environ = self.environ | {"CHRONICLE_ROLE": ROLES.get(name, "worker")}
        command = services.command(name, self.environ)
        child = Child(name, command, environ=environ, log=self.log(name), directory=services.ROOT)
        self.children[name] = child
        child.start()
        return child

    def run(self, name: str, command: list[str] | tuple[str, ...]) -> str:
        """Run one command to its end; what it printed."""
        done = subprocess.run(
            command, cwd=services.ROOT, env=self.environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        self.log(name).write_text(done.stdout + done.stderr)
        if done.returncode:
            lines = "\n".join(f"    {line}" for line in (done.stdout + done.stderr).splitlines()[-12:])
            raise ChildError(f"{name} failed:\n{lines}\nThe whole log: {self.log(name)}")
        return done.stdout

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.environ['CHRONICLE_PORT']}"

    @property
    def sandbox(self) -> str:
        return self.environ["SWIGGY_MCP_URL"].removesuffix("/im")

    def log(self, name: str) -> Path:
        return self.data / "logs" / f"{name}.log"

    def _take_directory(self) -> None:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.data / "logs").mkdir(exist_ok=True)
        self._lock = (self.data / "lock").open("a+")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            self._lock = None
            raise ChildError(f"{self.data} is in use by another run: stop that one, or set CHRONICLE_DATA_DIR") from None

    def _environment(self) -> dict[str, str]:
        given = self.environ
        port = free_port(given.get("CHRONICLE_PORT"), WEB_PORT, name="CHRONICLE_PORT", say=self.say)
        return {
            "PYTHONUNBUFFERED": "1",
            "CHRONICLE_DATA_DIR": str(self.data),
            "CHRONICLE_CONFIG_DIR": given.get("CHRONICLE_CONFIG_DIR") or str(services.ROOT / "config" / "demo"),
            "CHRONICLE_TLS": given.get("CHRONICLE_TLS") or "0",
            "CHRONICLE_BIND": given.get("CHRONICLE_BIND") or "127.0.0.1",
            "CHRONICLE_PORT": str(port),
            "SWIGGY_LINKED_USER_ID": given.get("SWIGGY_LINKED_USER_ID") or PERSON,
        }

    def _start_sandbox(self) -> None:
        from swiggy_instamart.sandbox import seed

        port = free_port(self.environ.get("SANDBOX_PORT"), SANDBOX_PORT, name="SANDBOX_PORT", say=self.say)
        self.environ["SWIGGY_MCP_URL"] = f"http://127.0.0.1:{port}/im"
        tokens = Path(self.environ.get("SWIGGY_TOKEN_DIRECTORY") or self.data / "integrations" / "swiggy")
        seed.write_tokens(tokens)
        command = [sys.executable, "-m", "swiggy_instamart.sandbox", "--port", str(port), "--data", str(self.data / "sandbox")]
        child = Child("sandbox", command, environ=self.environ, log=self.log("sandbox"), directory=services.ROOT)
        self.children["sandbox"] = child
        child.start()
        child.wait_for(lambda: _answers(f"{self.sandbox}/healthz"), timeout=20, what=f"answers on {self.sandbox}/healthz")

    # ---- while it runs, and down -------------------------------------------------------------------------------------------

    def watch(self, stopped: Callable[[], bool]) -> None:
        """Start again whatever falls, until ``stopped()``."""
        while not stopped():
            for child in self.children.values():
                if child.mend():
                    self.say(f"{child.name} fell and was started again (log: {child.log})")
            time.sleep(WATCH_EVERY_S)

    def stop(self) -> None:
        """The services first, then what they lean on."""
        leaned_on = [self.children[name] for name in ("sandbox", "broker") if name in self.children]
        children.stop((child for child in self.children.values() if child not in leaned_on), patience=PATIENCE_S)
        children.stop(leaned_on, patience=PATIENCE_S)
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def free_port(given: str | None, wanted: int, *, name: str, say: Callable[[str], None]) -> int:
    """The port that was asked for, which must be free, or the wanted one, or the next free one after it."""
    if given:
        if not _is_free(int(given)):
            raise ChildError(f"port {given} is taken: stop what listens there, or set {name} to another")
        return int(given)
    port = next((port for port in range(wanted, wanted + 200) if _is_free(port)), None)
    if port is None:
        raise ChildError(f"ports {wanted} to {wanted + 199} are all taken: set {name} to a free one")
    if port != wanted:
        say(f"port {wanted} is taken; using {port} (set {name} to choose)")
    return port


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def card(stack: Stack) -> str:
    """How to reach the system, for a person in front of a terminal."""
    kept = stack.welcome
    lines = [
        ("service", f"{stack.url}  (status: {stack.url}/status, API: {stack.url}/api/docs/)"),
        ("admin", f"{stack.url}/admin/  sign in as {kept['operator']} with {kept['password']}"),
        ("sandbox", f"{stack.sandbox}  (what was bought: {stack.sandbox}/control/ledger)"),
        ("device token", f"{kept['token']}  ({kept['user']}'s kitchen speaker)"),
        ("talk to it", f".venv/bin/python manage.py talk --url {stack.url} --token {kept['token']}"),
        ("logs", str(stack.data / "logs")),
    ]
    return "\n".join(f"  {name:<13} {text}" for name, text in lines)


def main() -> int:
    began = time.monotonic()
    ending: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        ending.append(number)

    def end_the_start(number: int, _: FrameType | None) -> Any:
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_the_start)
    data = Path(os.environ.get("CHRONICLE_DATA_DIR") or services.ROOT / ".data")
    try:
        with Stack(data, environ=os.environ) as stack:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, end)
            print(f"up after {time.monotonic() - began:.1f} s; Ctrl-C stops everything\n\n{card(stack)}\n", flush=True)
            stack.watch(lambda: bool(ending))
            print("stopping", flush=True)
    except (ChildError, services.ServiceError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
