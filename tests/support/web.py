"""The product's ASGI application on a real uvicorn in a thread, and a device's end of an event stream."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import uvicorn

from interactions import client
from tests.support.people import Owned
from tests.support.waiting import wait_until

Line = tuple[str, int | None, dict[str, Any]]


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The address of a running web process."""
    from django.core.asgi import get_asgi_application
    from django.db import connections

    kept_for = connections.settings["default"]["CONN_MAX_AGE"]
    connections.settings["default"]["CONN_MAX_AGE"] = 0  # as in the web role: each request is a thread of its own
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        get_asgi_application(), lifespan="off", log_level="warning", timeout_graceful_shutdown=1, log_config=None
    )
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        wait_until(lambda: running.started, 10, "uvicorn to start")
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join(15)
        listening.close()
        connections.settings["default"]["CONN_MAX_AGE"] = kept_for


@dataclass
class Stream:
    """One open stream: every line as it came, and the events in it."""

    status: int
    headers: Any
    lines: list[str] = field(default_factory=list)
    came: queue.Queue[Line | None] = field(default_factory=queue.Queue)

    def next(self, timeout: float = 10) -> Line:
        """The next event that is one of ours; fails if the stream ends first."""
        while True:
            event = self.came.get(timeout=timeout)
            assert event is not None, "the stream ended"
            if event[0] not in ("stream-open", "keep-alive"):
                return event

    def numbers(self, count: int) -> list[int | None]:
        return [self.next()[1] for _ in range(count)]

    def wait_end(self, timeout: float = 15) -> list[Line]:
        """What still came before the end."""
        left: list[Line] = []
        while (event := self.came.get(timeout=timeout)) is not None:
            left.append(event)
        return left


@contextlib.contextmanager
def stream(url: str, owned: Owned | None, *, after: int | None = None, query: str = "", **headers: str) -> Iterator[Stream]:
    """Open ``GET /events`` as a device would."""
    sent = (
        {"Accept": "text/event-stream"}
        | (owned.headers if owned else {})
        | {k.replace("_", "-"): v for k, v in headers.items()}
    )
    if after is not None:
        sent["Last-Event-ID"] = str(after)
    with (
        httpx2.Client(timeout=httpx2.Timeout(5, read=60)) as http,
        http.stream("GET", f"{url}/api/v1/events{query}", headers=sent) as answer,
    ):
        opened = Stream(answer.status_code, answer.headers)
        if answer.status_code != 200:
            answer.read()
            opened.lines = [answer.text]
            yield opened
            return
        raw = answer.extensions["network_stream"].get_extra_info("socket")

        def noted() -> Iterator[str]:
            for line in answer.iter_lines():
                opened.lines.append(line)
                yield line

        def follow() -> None:
            with contextlib.suppress(httpx2.HTTPError, httpx2.StreamError, OSError):
                for event in client.records(noted()):
                    opened.came.put(event)
            opened.came.put(None)

        thread = threading.Thread(target=follow)
        thread.start()
        try:
            wait_until(lambda: any("stream-open" in line for line in opened.lines), 10, "the stream to open")
            yield opened
        finally:
            with contextlib.suppress(OSError):
                raw.shutdown(socket.SHUT_RDWR)
            thread.join(10)
