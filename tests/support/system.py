"""The whole system as real processes: the same ``Stack`` that ``make run`` starts, made fresh between tests.

A test may kill, stop or start any process; ``mend`` brings back what is missing and takes away what is too much. Rows are read
and moved by plain SQL, so that nothing of the service runs in the test's own process.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import kombu.pools
import psycopg
import redis
from celery import Celery
from django.apps import apps

from chronicle import broker, children, demo, services, stack
from chronicle.children import Child
from chronicle.stack import PROCESSES, Stack
from interactions import client, conversation
from interactions.client import Event
from tests.support import stack as support
from tests.support.peers import HERMES_KEY, HOME_TOKEN, HermesPeer, HomePeer
from tests.support.waiting import wait_until

HOUSEHOLD = ("asha:hall", "asha:study", "ravi:bedroom", "meera:elsewhere")
KEPT = {"Person", "Device", "Heartbeat"}
# A payment is settled when the test says so; until then a poll is held for a moment only.
SHOP = {"hold_s": 1.0, "polling_interval_ms": 200}
BOUND_S = 20.0  # how long anything may take on a loaded machine before a test calls it lost


@dataclass(frozen=True)
class Speaker:
    """One device of the household, as its maker would program it."""

    url: str
    token: str
    client_id: str
    more: Mapping[str, str] = field(default_factory=dict)  # what a proxy on the way would add

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **self.more}

    def post(self, text: str, *, key: str = "", **body: Any) -> httpx2.Response:
        """POST one utterance and return the bare answer."""
        headers = self.headers | {"Idempotency-Key": key or str(uuid.uuid4())}
        sent = {"text": text, "source": "typed"} | body
        return httpx2.post(f"{self.url}/api/v1/utterances", json=sent, headers=headers, timeout=15)

    def accepted(self, text: str, **body: Any) -> dict[str, Any]:
        answer = self.post(text, **body)
        assert answer.status_code == 202, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def replies(self, *, after: int | None = None, wait: int = 0) -> dict[str, Any]:
        query = {"wait": wait} | ({} if after is None else {"after": after})
        answer = httpx2.get(f"{self.url}/api/v1/replies", params=query, headers=self.headers, timeout=40)
        found: dict[str, Any] = answer.raise_for_status().json()
        return found

    def answer_to(self, accepted: Mapping[str, Any], *, question: bool = False, within: float = BOUND_S) -> dict[str, Any]:
        """The first spoken reply to an accepted utterance, or the question that it leads to."""
        answer = partial(self._answer, accepted, question=question)
        return wait_until(answer, within, f"an answer to utterance {accepted['id']}")

    def _answer(self, accepted: Mapping[str, Any], *, question: bool) -> dict[str, Any] | None:
        told = (one["data"] for one in self.replies(after=accepted["cursor"])["events"])
        answers = [data for data in told if data.get("answers") == accepted["id"] and data.get("text")]
        return next((data for data in answers if data["expects_reply"] or not question), None)

    def ask(self, text: str, **body: Any) -> str:
        """Say one thing and wait for what is said to it."""
        return str(self.answer_to(self.accepted(text, **body))["text"])

    def played(self, reply: int) -> None:
        url = f"{self.url}/api/v1/replies/{reply}/playback"
        httpx2.post(url, json={"state": "finished"}, headers=self.headers, timeout=15).raise_for_status()

    def order_by_cursor(self, opening: str = "order swiggy") -> list[dict[str, Any]]:
        """Speak one whole order without an event stream, up to the end of the session; everything that was told."""
        told: list[dict[str, Any]] = []
        cursor = self.replies()["cursor"]

        def look() -> list[dict[str, Any]]:
            nonlocal cursor
            page = self.replies(after=cursor, wait=5)
            cursor = page["cursor"]
            told.extend(page["events"])
            return told

        def asked(utterance: int) -> dict[str, Any] | None:
            answers = (one["data"] for one in look() if one["data"].get("answers") == utterance)
            return next((data for data in answers if data.get("expects_reply")), None)

        prompt: dict[str, Any] = {}
        for line in (opening, "yes", "milk", "option 1", "complete order"):
            accepted = self.accepted(line, **({"in_reply_to": prompt["reply_id"]} if prompt else {}))
            assert accepted["cursor"] == cursor, "the 202 carries where the stream stood before the utterance"
            prompt = wait_until(partial(asked, accepted["id"]), BOUND_S, f"an answer to '{line}'")
            self.played(prompt["reply_id"])
        self.accepted("confirm order", in_reply_to=prompt["reply_id"])
        wait_until(lambda: [one for one in look() if one["event"] == "interaction.ended"], BOUND_S, "the end of the order")
        return told

    @contextlib.contextmanager
    def listening(self) -> Iterator[client.Device]:
        """The device with its event stream open."""
        with client.Device(self.url, self.token) as device:
            yield device


class System(Stack):
    """The running system, and a test's hands on it. ``database``: where PostgreSQL is used, as environment."""

    def __init__(self, data: Path, *, database: Mapping[str, str]) -> None:
        self.speakers: dict[str, Speaker] = {}
        self._changed: set[str] = set()
        self._database = database.get("DATABASE_URL")
        self.home, self.agent = HomePeer(), HermesPeer()
        peers = {
            "HOME_ASSISTANT_URL": self.home.origin,
            "HOME_ASSISTANT_TOKEN": HOME_TOKEN,
            "HERMES_URL": self.agent.url,
            "HERMES_KEY": HERMES_KEY,
        }
        # The margin decides how long a frozen holder of a call keeps everybody waiting.
        configured = {"CHRONICLE_CONFIG_DIR": str(services.ROOT / "tests" / "config"), "CHRONICLE_LEASE_MARGIN_S": "1"}
        super().__init__(data, environ=support.environ(**database, **configured, **peers), say=lambda _: None)

    # ---- up and down -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.home.begin()
        self.agent.begin()
        super().start()
        tokens = json.loads(self.run("household", [sys.executable, "-m", "tests.support.household", *HOUSEHOLD]))
        tokens["kitchen"] = self.welcome["token"]
        self.speakers = {name: Speaker(self.url, token, name) for name, token in tokens.items()}
        red = self.wait_green(timeout=60)
        assert not red, red

    def stop(self) -> None:
        super().stop()
        self.home.end()
        self.agent.end()

    def fresh(self) -> None:
        """As just started, but for the processes: nobody has said anything, nothing was bought."""
        self.mend()
        tables = [
            model._meta.db_table
            for label in ("interactions", "swiggy_instamart")
            for model in apps.get_app_config(label).get_models()
            if model.__name__ not in KEPT
        ]
        if self._database is None:
            self.sql(";".join(f"DELETE FROM {table}" for table in tables))
        else:
            wait_until(partial(self._truncate, ", ".join(tables)), BOUND_S, "a moment in which no transaction is open")
        demo.control(self.sandbox, "reset", {})
        self.shop(**SHOP)
        self.home.reset()
        self.agent.reset()

    def _truncate(self, tables: str) -> bool:
        """All tables at once or none: to wait for one while holding another is a deadlock with whoever works meanwhile."""
        try:
            self.sql(f"BEGIN; LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE NOWAIT; TRUNCATE {tables}; COMMIT")
        except psycopg.errors.LockNotAvailable:
            return False
        return True

    def mend(self) -> None:
        """Every process of the file once, as the file says, and none besides."""
        for name in [name for name in self.children if name not in (*PROCESSES, "broker", "sandbox")]:
            self.children.pop(name).kill()
        gone = [name for name in ("broker", *PROCESSES) if name in self._changed or not self.children[name].running()]
        for name in gone:
            self.children[name].kill()
        self.begin(*gone)
        self._changed.clear()

    # ---- processes -----------------------------------------------------------------------------------------------------------

    def halt(self, *names: str) -> None:
        """Stop these as an operator would."""
        children.stop([self.children[name] for name in names], patience=15)

    def crash(self, name: str) -> None:
        """End this one and all its children at once, as a power cut would."""
        self.children[name].kill()

    def begin(self, *names: str) -> None:
        """Start these again, and wait until they do their work."""
        if "broker" in names:
            self.children["broker"].start()
            wait_until(lambda: stack._red(f"{self.url}/status").get("broker") is None, 10, "the broker to answer")
        started = {name: self.spawn(name) for name in names if name != "broker"}
        for name, child in started.items():
            if name == "web":
                child.wait_for(lambda: stack._answers(f"{self.url}/readyz"), timeout=40, what="answers")
            elif name.startswith("worker-"):
                self.wait_consuming(child, name.removeprefix("worker-"))

    def exchange(self, name: str, *, environ: Mapping[str, str]) -> Child:
        """Start this one again with this environment and no more; ``mend`` gives it back its own."""
        self.halt(name)
        self._changed.add(name)
        command = services.command(name, environ)
        self.children[name] = child = Child(name, command, environ=environ, log=self.log(name), directory=services.ROOT)
        child.start()
        return child

    def double(self, name: str) -> None:
        """Start a second one of a service beside the first."""
        second = f"{name}-2"
        command = [word.replace("@%h", "-2@%h") for word in services.command(name, self.environ)]
        child = Child(second, command, environ=self.children[name].environ, log=self.log(second), directory=services.ROOT)
        self.children[second] = child
        child.start()
        self.wait_consuming(child, f"{name.removeprefix('worker-')}-2")

    def wait_consuming(self, child: Child, node: str) -> None:
        """Until the worker of that name takes messages."""
        where = [f"{node}@{socket.gethostname()}"]
        with self.celery() as app:
            child.wait_for(
                lambda: bool(app.control.ping(destination=where, timeout=0.5)),
                timeout=40,
                what="answers a ping over the broker",
            )

    @contextlib.contextmanager
    def celery(self) -> Iterator[Celery]:
        """An application that knows the system's broker and nothing else."""
        with Celery(broker=broker.celery_url(self.environ["REDIS_URL"])) as app:
            yield app
        kombu.pools.reset()  # kept connections would outlive a broker that a test ends

    def health(self, environ: Mapping[str, str], names: Iterable[str]) -> dict[str, int]:
        """What the health check of each service says, all asked at once."""
        commands = {name: services.health(name, environ) for name in names}
        checks = {
            name: subprocess.Popen(command, cwd=services.ROOT, env={**environ}, stdout=subprocess.DEVNULL)
            for name, command in commands.items()
            if command
        }
        return {name: check.wait(40) for name, check in checks.items()}

    def red(self) -> dict[str, str]:
        """The parts of /status that are not green, each with its reason."""
        return stack._red(f"{self.url}/status")

    def manage(self, *words: str) -> str:
        return self.run("manage", [sys.executable, "manage.py", *words])

    def logs(self) -> str:
        return "".join(path.read_text(errors="replace") for path in sorted((self.data / "logs").glob("*.log")))

    # ---- the shop ------------------------------------------------------------------------------------------------------------

    def shop(self, **switches: Any) -> None:
        demo.control(self.sandbox, "settings", switches)

    def fault(self, tool: str, kind: str, **more: Any) -> None:
        """Make calls go wrong from now on."""
        demo.control(self.sandbox, "faults", {"rules": [{"tool": tool, "kind": kind} | more]})

    def edit_cart(self, find: str) -> None:
        """Somebody else puts one of these into the cart."""
        demo.control(self.sandbox, "cart", {"lines": [{"find": find}]})

    def pay(self, state: str = "success") -> None:
        demo.control(self.sandbox, "payment", {"state": state})

    def ledger(self) -> dict[str, Any]:
        found: dict[str, Any] = demo.control(self.sandbox, "ledger")
        return found

    def calls(self, tool: str | None = None) -> list[dict[str, Any]]:
        return [call for call in self.ledger()["calls"] if tool in (None, call["tool"])]

    def wait_call(self, tool: str, *, count: int = 1) -> dict[str, Any]:
        """The ``count``-th call of a tool, as soon as it is there; it may still be in flight."""
        found = wait_until(lambda: self.calls(tool)[count - 1 :], BOUND_S, f"call {count} of {tool}")
        return found[0]

    # ---- rows ----------------------------------------------------------------------------------------------------------------

    def sql(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run plain SQL (``%s`` marks a value) and return its rows."""
        if self._database is not None:
            with psycopg.connect(self._database, autocommit=True) as connection:
                cursor = connection.execute(statement, values or None)
                return cursor.fetchall() if cursor.description else []
        with contextlib.closing(sqlite3.connect(self.data / "chronicle.sqlite3", timeout=20)) as lite, lite:
            if ";" in statement:
                lite.executescript(f"BEGIN IMMEDIATE;{statement};COMMIT")
                return []
            return lite.execute(statement.replace("%s", "?"), [_plain(value) for value in values]).fetchall()

    def value(self, statement: str, *values: Any) -> Any:
        rows = self.sql(statement, *values)
        return rows[0][0] if rows else None

    def session(self, number: int, column: str = "status") -> Any:
        return self.value(f"SELECT {column} FROM interactions_interactionsession WHERE id = %s", number)

    def overdue(self, session: int) -> None:
        """Let the session's idle time have run out a second ago."""
        then = datetime.now(UTC) - timedelta(seconds=1)
        self.sql("UPDATE interactions_interactionsession SET idle_at = %s WHERE id = %s", then, session)

    def shorten_call(self, session: int, *, to_s: float) -> datetime:
        """Let the call in flight have so much time left, and no more; when that is over."""
        then = datetime.now(UTC) + timedelta(seconds=to_s)
        started = "session_id = %s AND state = 'started'"
        self.sql(f"UPDATE interactions_checkpoint SET deadline_at = %s WHERE {started}", then, session)
        return then

    def wait_sweeps(self, count: int) -> None:
        """Until beat has swept so many times from now on."""
        for _ in range(count):
            now = datetime.now(UTC)
            seen = "SELECT 1 FROM interactions_heartbeat WHERE name = 'beat' AND at > %s"
            wait_until(lambda: self.sql(seen, now), BOUND_S, "a sweep")  # noqa: B023  (called before the next round)

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """Meanwhile whoever is told to stand still does."""
        mark = self.data / "stand-still"
        mark.touch()
        try:
            yield
        finally:
            mark.unlink()

    @contextlib.contextmanager
    def redis(self) -> Iterator[redis.Redis]:
        """The broker, bare."""
        with redis.Redis(**broker.client_options(self.environ["REDIS_URL"])) as client:
            yield client

    def holder(self, session: int) -> int:
        """The process that holds a session's lease."""
        owner = wait_until(lambda: self.session(session, "lease_owner"), BOUND_S, "somebody to hold the session")
        return int(str(owner).rsplit(":", 3)[1])


def converse(device: client.Device, *lines: str) -> list[Event]:
    """Say each line once the last was answered; everything that was told meanwhile."""
    return [event for line in conversation.read(lines) for event in conversation.hold(device, line, out=lambda line: None)]


def spoken(events: list[Event]) -> list[str]:
    return [str(event.data["text"]) for event in events if event.data.get("text") and event.data.get("speak")]


@contextlib.contextmanager
def frozen(pid: int) -> Iterator[None]:
    """The process stands still meanwhile, and wakes up afterwards if it still lives."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _plain(value: Any) -> Any:
    """As Django writes it into SQLite."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return value
