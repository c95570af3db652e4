"""The whole system on this machine: the services of compose.yaml, with what they lean on started beside them.

An embedded broker, SQLite and the sandbox stand in for the servers that the environment does not name. ``make run``, the demo
and the stack tests use the same class, each in a data directory of its own.
"""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from chronicle import children, configuration, embedded, ports, services
from chronicle.children import Child, ChildError

PERSON = "asha"
WEB_PORT = 8000
SANDBOX_PORT = 8010
REHEARSAL_PORT = 8020
PRACTICE = ("--hold", "2", "--autopay", "3", "--no-control")  # pays by itself; nobody tells it anything
PROCESSES = ("web", "worker-turns", "worker-effects", "worker-ticks", "beat")
ROLES = {"migrate": "command", "web": "web", "beat": "beat"}  # the others are workers
WATCH_EVERY_S = 0.3
PATIENCE_S = 12.0


class Stack:
    """The whole system in one data directory, or only those of its ``processes`` that are named. Use it as a context;
    ``watch`` mends what falls until told to stop.
    """

    def __init__(
        self,
        data: Path,
        *,
        environ: Mapping[str, str],
        say: Callable[[str], None] = print,
        processes: Sequence[str] = PROCESSES,
    ) -> None:
        self.data = data.resolve()
        self.processes = tuple(processes)
        self.say = say
        self.children: dict[str, Child] = {}
        self.welcome: dict[str, str] = {}
        self.environ = dict(environ)
        self._lock: IO[str] | None = None

    # ---- up --------------------------------------------------------------------------------------------------------------

    def __enter__(self) -> Stack:
        try:
            self.start()
        except OSError as error:
            self.stop()
            way_out = "set CHRONICLE_DATA_DIR to a directory that can be written and has room"
            raise ChildError(f"cannot run in {self.data} ({error}): {way_out}") from error
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        self.prepare()
        for name in self.processes:
            self.spawn(name)
        web = self.children["web"]
        web.wait_for(lambda: _answers(f"{self.url}/readyz"), timeout=40, what=f"answers on {self.url}/readyz")

    def wait_green(self, *, timeout: float) -> dict[str, str]:
        """Until every light of /status is green; what is still red after ``timeout``, with its reason."""
        give_up = time.monotonic() + timeout
        while red := _red(f"{self.url}/status"):
            if time.monotonic() > give_up:
                break
            time.sleep(WATCH_EVERY_S)
        return red

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
        if "SWIGGY_REHEARSAL_URL" not in self.environ and self._practises():
            self._start_practice()
        self.say("preparing the database")
        self.run("migrate", services.command("migrate", self.environ))
        self.welcome = json.loads(
            self.run("welcome", [sys.executable, "manage.py", "welcome", PERSON, "--url", self.url]).splitlines()[-1]
        )

    def spawn(self, name: str, *, as_name: str = "") -> Child:
        """Start one service of the file, as the file says; a second one needs a name of its own."""
        environ = self.environ | {"CHRONICLE_ROLE": ROLES.get(name, "worker")}
        command = services.command(name, self.environ)
        called = as_name or name
        child = Child(called, command, environ=environ, log=self.log(called), directory=services.ROOT)
        self.children[called] = child
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
        port = ports.choose(given.get("CHRONICLE_PORT"), WEB_PORT, name="CHRONICLE_PORT", say=self.say)
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

        port = ports.choose(self.environ.get("SANDBOX_PORT"), SANDBOX_PORT, name="SANDBOX_PORT", say=self.say)
        seed.write_tokens(Path(self.environ.get("SWIGGY_TOKEN_DIRECTORY") or self.data / "integrations" / "swiggy"))
        self.environ["SWIGGY_MCP_URL"] = self._serve_shop("sandbox", port, "--data", str(self.data / "sandbox"))

    def _practises(self) -> bool:
        """Whether the configuration lists the rehearsal mode."""
        read = configuration.load(Path(self.environ["CHRONICLE_CONFIG_DIR"]), lookup=self.environ.get)
        return any(entry.on and "swiggy_rehearsal" in entry.modes for entry in read.plugins.values())

    def _start_practice(self) -> None:
        """A shop of its own for practice: one that nobody has signed in to, whatever real orders go to."""
        port = ports.choose(self.environ.get("REHEARSAL_PORT"), REHEARSAL_PORT, name="REHEARSAL_PORT", say=self.say)
        self.environ["SWIGGY_REHEARSAL_URL"] = self._serve_shop("practice", port, *PRACTICE)

    def _serve_shop(self, name: str, port: int, *flags: str) -> str:
        """Start a sandbox; where it answers."""
        origin = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "swiggy_instamart.sandbox", "--port", str(port), *flags]
        child = Child(name, command, environ=self.environ, log=self.log(name), directory=services.ROOT)
        self.children[name] = child
        child.start()
        child.wait_for(lambda: _answers(f"{origin}/healthz"), timeout=20, what=f"answers on {origin}/healthz")
        return f"{origin}/im"

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
        leaned_on = [self.children[name] for name in ("sandbox", "practice", "broker") if name in self.children]
        children.stop((child for child in self.children.values() if child not in leaned_on), patience=PATIENCE_S)
        children.stop(leaned_on, patience=PATIENCE_S)
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _red(url: str) -> dict[str, str]:
    """The parts of a status page that are not green."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            page = json.load(answer)
    except urllib.error.HTTPError as error:
        page = json.load(error)
    except (urllib.error.URLError, OSError) as error:
        return {"web": f"no answer ({error})"}
    return {name: part["text"] for name, part in page["parts"].items() if part["status"] != "green"}


def alone(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without anything that points to a service of this machine: for a system that must touch nothing."""
    peers = ("SWIGGY_", "HERMES_", "HOME_ASSISTANT_", "SANDBOX_", "REHEARSAL_", "DATABASE_URL", "REDIS_URL")
    ours = ("CHRONICLE_", "DJANGO_", *peers)
    return {name: value for name, value in environ.items() if not name.startswith(ours)} | {
        "CHRONICLE_PORT": "0",
        "SANDBOX_PORT": "0",
        "REHEARSAL_PORT": "0",
    }
