"""What can leave the wire: framed JSON-RPC, plain HTTP answers, half an answer, and a connection that is simply gone."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

from starlette.types import Message, Receive, Send

Headers = Sequence[tuple[str, str]]


async def plain(send: Send, status: int, body: bytes = b"", *, kind: str = "application/json", headers: Headers = ()) -> None:
    every = [("content-type", kind), ("content-length", str(len(body))), *headers]
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in every]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def as_json(send: Send, status: int, content: Any, *, headers: Headers = ()) -> None:
    await plain(send, status, json.dumps(content).encode(), headers=headers)


def frame(message: bytes, *, sse: bool) -> tuple[bytes, str]:
    """A JSON-RPC message as the body and content type of a reply."""
    if not sse:
        return message, "application/json"
    return b"event: message\r\ndata: " + message + b"\r\n\r\n", "text/event-stream"


def result(request_id: Any, content: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": content}, ensure_ascii=False).encode()


def error(request_id: Any, *, code: int, message: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}).encode()


async def half(send: Send, receive: Receive, body: bytes, *, kind: str) -> None:
    """Promise all of it, send half, hang up."""
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})
    await hang_up(send, receive)


async def hang_up(send: Send, receive: Receive, *, reset: bool = False) -> None:
    """Cut the connection. ASGI has no word for it: this reaches through uvicorn's cycle to the socket."""
    transport = send.__self__.transport  # type: ignore[attr-defined]
    if reset:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    else:
        transport.close()
    await gone(receive)


async def gone(receive: Receive) -> None:
    """Wait until the client is no longer there."""
    message: Message = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()
