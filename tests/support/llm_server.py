"""A language model as a real server on loopback: OpenAI-compatible on the wire, and as good, bad, slow or mute as it is told.

``says`` lists what it does for one model, one entry a request, the last of them for ever. What it was asked is kept whole.
"""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from interactions.configuration import Configuration, Defaults, Limits, ModelEntry

TOOLS = "search|select|set quantity|show cart|final review|checkout"
ORDER = re.compile(
    rf"CALL ({TOOLS})((?: (?:items|option|line|quantity) \w+)*)"
)  # what an obedient model does if any text says so


@dataclass
class Asked:
    """One request."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def model(self) -> str:
        return str(self.body.get("model"))

    @property
    def shown(self) -> dict[str, Any]:
        """What the user message holds."""
        found: dict[str, Any] = json.loads(self.body["messages"][-1]["content"])
        return found


Behaviour = Callable[["Handler", Asked], None]


class Server(ThreadingHTTPServer):
    """Runs inside ``with``; whatever hangs is let go at its end."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[Asked] = []
        self.says: dict[str, list[Behaviour]] = {}
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.shutdown()
        self.server_close()

    def reset(self) -> None:
        self.asked, self.says = [], {}

    def configured(self, base: Configuration, *, fallback: bool = True, key: str = "", attempt_s: float = 3) -> Configuration:
        """``base`` with this server's ``fast`` as the model that is asked first, and ``slow`` as the one after it."""
        models = {name: ModelEntry(url=self.url, model=name) for name in ("fast", "slow")}
        defaults = Defaults(fast_llm="fast", fallback_llm="slow" if fallback else None)
        host = base.host.model_copy(update={"defaults": defaults, "models": models, "limits": Limits(llm_attempt_s=attempt_s)})
        return replace(base, host=host, keys={"fast": key} if key else {})

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what some of these tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(content))
        self.server.asked.append(asked)
        left = self.server.says.get(asked.model, [mute])
        (left.pop(0) if len(left) > 1 else left[0])(self, asked)

    def send(self, body: bytes, *, status: int = 200, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """It says nothing."""


@dataclass
class Message:
    """What a model answers: calls of tools, prose, or both."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    prose: str | None = None

    def body(self) -> bytes:
        calls = [
            {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(self.calls)
        ]
        message = {"role": "assistant", "content": self.prose} | ({"tool_calls": calls} if calls else {})
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
        return json.dumps({"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}).encode()


# ---- how it may answer ----------------------------------------------------------------------------------------------------


def chooses(tool: str, *, prose: str | None = None, **arguments: Any) -> Behaviour:
    return answers(Message([(tool, json.dumps(arguments))], prose))


def chooses_all(*calls: tuple[str, dict[str, Any]]) -> Behaviour:
    return answers(Message([(tool, json.dumps(arguments)) for tool, arguments in calls]))


def answers(message: Message) -> Behaviour:
    return lambda handler, _: handler.send(message.body())


def writes(body: bytes, *, status: int = 200, kind: str = "application/json") -> Behaviour:
    return lambda handler, _: handler.send(body, status=status, kind=kind)


def says(prose: str) -> Behaviour:
    return answers(Message(prose=prose))


def late(seconds: float, does: Behaviour) -> Behaviour:
    """Takes its time first."""

    def act(handler: Handler, asked: Asked) -> None:
        handler.server.over.wait(seconds)
        does(handler, asked)

    return act


def twice(does: Behaviour) -> Behaviour:
    """Answers one request with two answers."""

    def act(handler: Handler, asked: Asked) -> None:
        does(handler, asked)
        does(handler, asked)

    return act


def mute(handler: Handler, _: Asked) -> None:
    """Takes the request and never answers."""
    handler.server.over.wait(60)


def trickles(handler: Handler, _: Asked) -> None:
    """Begins at once and never comes to an end: a byte now and then, so that no line looks idle."""
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    while not handler.server.over.wait(0.05):
        handler.wfile.write(b" ")


def drips(handler: Handler, _: Asked) -> None:
    """Its headers never come to an end: one now and then, so that no line looks idle."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.over.wait(0.05):
        handler.wfile.write(b"x-more: y\r\n")


def floods(handler: Handler, _: Asked) -> None:
    """An answer of any length."""
    handler.send_response(200)
    handler.send_header("content-length", str(1 << 40))
    handler.end_headers()
    while not handler.server.over.is_set():
        handler.wfile.write(b" " * 65536)


def drops(handler: Handler, _: Asked) -> None:
    """The line breaks before the answer."""
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def obeys(handler: Handler, asked: Asked) -> None:
    """Does whatever any text in the request tells it to do."""
    found = ORDER.search(json.dumps(asked.shown, ensure_ascii=False))
    given = found[2].split() if found else []
    pairs = zip(given[::2], given[1::2], strict=True)
    arguments = {name: [value] if name == "items" else int(value) for name, value in pairs}
    call = [(found[1].replace(" ", "_"), json.dumps(arguments))] if found else []
    handler.send(Message(call, None if call else "Nobody told me anything.").body())
