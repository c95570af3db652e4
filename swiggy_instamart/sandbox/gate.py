"""Who is turned away before a tool is reached: bearer, method, Accept, protocol version, rate. In the shapes of the field."""

from __future__ import annotations

import binascii
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.types import Send

from swiggy_instamart.sandbox import replies, seed
from swiggy_instamart.sandbox.protocol import TOOLS
from swiggy_instamart.sandbox.world import World

NEWEST = "2025-06-18"
VERSIONS = ("2024-11-05", "2025-03-26", NEWEST)
MINUTE_S = 60.0
CALLS_A_MINUTE = 70
WRITES_A_MINUTE = 30

Refusal = Callable[[Send], Awaitable[None]]


def _answer(status: int, content: Any, *, headers: replies.Headers = ()) -> Refusal:
    return lambda send: replies.as_json(send, status, content, headers=headers)


def _rpc(status: int, request_id: Any, *, code: int, message: str) -> Refusal:
    return lambda send: replies.plain(send, status, replies.error(request_id, code=code, message=message))


def _claims(authorization: str) -> dict[str, Any] | None:
    scheme, _, bearer = authorization.partition(" ")
    try:
        return seed.claims(bearer.strip()) if scheme.lower() == "bearer" else None
    except (ValueError, binascii.Error):
        return None


def signed_in(world: World, headers: Mapping[str, str], request_id: Any) -> Refusal | None:
    mode, claims = world.switches.auth, _claims(headers.get("authorization", ""))
    if mode == "rpc":
        return _rpc(200, request_id, code=-32001, message="Authentication required")
    if mode == "revoked":
        return _answer(419, {"error": "session_revoked", "error_description": "Session revoked, please log in again"})
    if mode == "forbidden":
        return _answer(403, {"error": "insufficient_scope", "error_description": "Client is not allowed"})
    good = claims is not None and claims["exp"] > world.now() and claims["tid"] not in world.switches.revoked_tokens
    if mode == "ok" and good:
        return None
    where = f"http://{headers.get('host', '127.0.0.1')}/.well-known/oauth-protected-resource"
    challenge = f'Bearer realm="mcp", resource_metadata="{where}"'
    body = {"error": "invalid_token", "error_description": "Authentication required"}
    return _answer(401, body, headers=(("www-authenticate", challenge),))


def posted(http_method: str) -> Refusal | None:
    if http_method == "POST":
        return None
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "Method not allowed."}}
    return _answer(405, error, headers=(("allow", "POST"),))


def readable(headers: Mapping[str, str], request_id: Any) -> Refusal | None:
    accepted = headers.get("accept", "").lower()
    if "application/json" not in accepted or "text/event-stream" not in accepted:
        message = "Not Acceptable: Client must accept both application/json and text/event-stream"
        return _rpc(406, request_id, code=-32000, message=message)
    version = headers.get("mcp-protocol-version")
    if version is not None and version not in VERSIONS:
        message = f"Bad Request: Unsupported protocol version (supported versions: {', '.join(VERSIONS)})"
        return _rpc(400, request_id, code=-32000, message=message)
    return None


def known_method(method: str | None, request_id: Any) -> Refusal | None:
    """This Swiggy speaks the protocol that opens with initialize; the newer probe is a method it has never heard of."""
    if method == "server/discover":
        return _rpc(200, request_id, code=-32601, message="Method not found")
    return None


def in_time(world: World, tool: str | None) -> Refusal | None:
    """The rate limit, counted per tool call; a block meets everything."""
    if world.switches.rate == "block":
        return _answer(429, {"error": "rate limit exceeded"})
    if world.switches.rate == "off" or tool is None:
        return None
    now, recent = time.monotonic(), world.recent
    while recent and recent[0][0] <= now - MINUTE_S:
        recent.popleft()
    writes = tool in TOOLS and TOOLS[tool].writes
    too_many = len(recent) >= CALLS_A_MINUTE or (writes and sum(w for _, w in recent) >= WRITES_A_MINUTE)
    if too_many:
        wait = str(max(1, int(recent[0][0] + MINUTE_S - now) + 1))
        return _answer(429, {"error": "rate limit exceeded"}, headers=(("retry-after", wait),))
    recent.append((now, writes))
    return None


def older_initialize(message: dict[str, Any]) -> bytes:
    """An initialize that offers a protocol newer than this server's is read as offering the newest it speaks."""
    params = message.get("params")
    if isinstance(params, dict) and params.get("protocolVersion") not in VERSIONS:
        message = message | {"params": params | {"protocolVersion": NEWEST}}
    return json.dumps(message).encode()
