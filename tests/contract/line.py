"""A server that answers as it is told, byte by byte: what the sandbox cannot do without ceasing to be a faithful shop.

It speaks MCP over HTTP just far enough for the client's handshake; every tool call is answered by the script of the test.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[["Line", dict[str, Any]], None]


@dataclass
class Shop:
    """What was asked, and what will be answered: per method or tool a list of acts, the last one for ever after."""

    acts: dict[str, list[Act]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    arguments: list[Any] = field(default_factory=list)
    session: str | None = "session-1"
    known: set[str] = field(default_factory=set)
    at_once: int = 0
    most_at_once: int = 0
    connections: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def on(self, name: str, *acts: Act) -> None:
        self.acts[name] = list(acts)

    def count(self, name: str) -> int:
        return self.asked.count(name)

    def act(self, name: str) -> Act:
        with self.lock:
            acts = self.acts.get(name) or [result({})]
            return acts.pop(0) if len(acts) > 1 else acts[0]


class Line(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    shop: Shop

    def setup(self) -> None:
        super().setup()
        with self.shop.lock:
            self.shop.connections += 1

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method = body["method"]
        name = body["params"]["name"] if method == "tools/call" else method
        with self.shop.lock:
            self.shop.asked.append(name)
            self.shop.headers.append({key.lower(): value for key, value in self.headers.items()})
            self.shop.arguments.append(body.get("params", {}).get("arguments"))
            self.shop.at_once += 1
            self.shop.most_at_once = max(self.shop.most_at_once, self.shop.at_once)
        try:
            self.answer(name, body)
        finally:
            with self.shop.lock:
                self.shop.at_once -= 1

    def answer(self, name: str, body: dict[str, Any]) -> None:
        given = self.headers.get("mcp-session-id")
        if name == "initialize" and "initialize" not in self.shop.acts:
            self.shop.known.add(self.shop.session or "")
            extra = {"mcp-session-id": self.shop.session} if self.shop.session else {}
            info = {"name": "line", "version": "1"}
            self.reply({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": info}, body, extra=extra)
        elif name == "notifications/initialized":
            self.send(202, b"")
        elif self.shop.session and name != "initialize" and given not in self.shop.known:
            self.send(404, b"", kind="text/plain")
        else:
            self.shop.act(name)(self, body)

    def do_GET(self) -> None:
        self.shop.asked.append("GET")
        self.send(405, b"")

    def do_DELETE(self) -> None:
        self.shop.asked.append("DELETE")
        self.send(405, b"")

    def reply(self, value: Any, body: dict[str, Any], *, extra: dict[str, str] | None = None) -> None:
        frame = {"jsonrpc": "2.0", "id": body["id"], "result": value}
        self.send(200, json.dumps(frame).encode(), extra=extra)

    def send(self, status: int, body: bytes, *, kind: str = "application/json", extra: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def cut(self) -> None:
        """End the connection with a reset, as a killed server's kernel does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
        self.wfile = open("/dev/null", "wb")  # noqa: PTH123, SIM115  (the base class flushes it)

    def log_message(self, format: str, *args: Any) -> None:
        pass


# ---- what a script is made of -------------------------------------------------------------------------------------------


def result(data: Any, *, message: str = "", **more: Any) -> Act:
    """The envelope of a success, as structured content."""
    value = {"structuredContent": {"success": True, "data": data, "message": message}, "content": [], **more}
    return lambda line, body: line.reply(value, body)


def raw(value: Any) -> Act:
    """Any tool result."""
    return lambda line, body: line.reply(value, body)


def no(message: str) -> Act:
    return raw({"structuredContent": {"success": False, "error": {"message": message}}, "content": []})


def rpc_error(code: int, message: str = "no") -> Act:
    def act(line: Line, body: dict[str, Any]) -> None:
        frame = {"jsonrpc": "2.0", "id": body["id"], "error": {"code": code, "message": message}}
        line.send(200, json.dumps(frame).encode())

    return act


def status(code: int, body: Any = None, **headers: str) -> Act:
    extra = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda line, _: line.send(code, json.dumps(body).encode() if body is not None else b"", extra=extra)


def body(text: bytes, *, kind: str = "application/json") -> Act:
    return lambda line, _: line.send(200, text, kind=kind)


def stream(data: Any) -> Act:
    """The answer as an event stream, with a comment and a notification before it."""

    def act(line: Line, asked: dict[str, Any]) -> None:
        frame = {
            "jsonrpc": "2.0",
            "id": asked["id"],
            "result": {"structuredContent": {"success": True, "data": data}, "content": []},
        }
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
        text = f": hello\n\nevent: message\ndata: {json.dumps(note)}\n\nevent: message\ndata: {json.dumps(frame)}\n\n"
        line.send(200, text.encode(), kind="text/event-stream")

    return act


def cut_stream(line: Line, _: dict[str, Any]) -> None:
    """An event stream that ends in the middle of its event."""
    line.send_response(200)
    line.send_header("content-type", "text/event-stream")
    line.end_headers()
    line.wfile.write(b'event: message\ndata: {"jsonrpc"')
    line.wfile.flush()
    line.cut()


def half_a_body(line: Line, _: dict[str, Any]) -> None:
    line.send_response(200)
    line.send_header("content-type", "application/json")
    line.send_header("content-length", "1000")
    line.end_headers()
    line.wfile.write(b'{"jsonrpc": "2.0"')
    line.wfile.flush()
    line.cut()


def drop(line: Line, _: dict[str, Any]) -> None:
    line.cut()


def hold(gate: threading.Event, then: Act) -> Act:
    """Answer only when the gate opens."""

    def act(line: Line, asked: dict[str, Any]) -> None:
        gate.wait(20)
        try:
            then(line, asked)
        except OSError:
            line.cut()  # nobody waits any more

    return act


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], handler: type[Line]) -> None:
        self.open: set[socket.socket] = set()
        super().__init__(address, handler)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, where = super().get_request()
        self.open.add(connection)
        return connection, where

    def shutdown_request(self, request: Any) -> None:
        self.open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@contextmanager
def serving(shop: Shop, *, port: int = 0) -> Iterator[str]:
    """Serve on a free port, or on the port of a server that has gone; yields the address."""
    server = Server(("127.0.0.1", port), type("OneLine", (Line,), {"shop": shop}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/im"
    finally:
        server.shutdown()
        server.server_close()
        for connection in list(server.open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        thread.join(5)
