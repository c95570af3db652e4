"""The line to Swiggy beneath the protocol: adds the bearer, bounds every request, and notes what left and what came.

A fault never escapes as an exception: it would tear down the whole session with everything in flight. The request at hand
gets an answer that is an error, and its ``Trace`` tells why.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from functools import cache
from urllib.parse import urlsplit

import httpx2

from interactions.contracts import NotSentError
from swiggy_instamart import failures
from swiggy_instamart.failures import Trace

CONNECT_S, WRITE_S, DRAIN_S = 3.0, 10.0, 0.1
LARGEST_BODY = 4_000_000
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)

current: ContextVar[Trace | None] = ContextVar("swiggy_trace", default=None)  # the call that a request belongs to


class Wire(httpx2.AsyncBaseTransport):
    """One origin, one bearer, no redirects. ``sessions``: the server named a session, so it can lose it."""

    def __init__(self, url: str, *, bearer: Callable[[], str]) -> None:
        self.origin = origin(url)
        self.bearer = bearer
        self.sessions = False
        self.suspect = False  # a connection broke, or the server does not know the session any more
        self._inner = httpx2.AsyncHTTPTransport(
            verify=tls() if self.origin[0] == "https" else False,
            trust_env=False,
            limits=httpx2.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=20.0),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        trace = current.get()
        dead = request.method == "DELETE" and self.suspect
        if trace is None or dead or (request.method == "GET" and "last-event-id" not in request.headers):
            # No stream of the server's own is kept open: nothing comes over it, and it would count as a connection.
            return httpx2.Response(405)
        if request.method != "POST":
            trace = Trace(ends=trace.ends, left=True)  # what becomes of a clean-up says nothing about the call
        response = await self._answer(request, trace)
        if response is None:
            return httpx2.Response(502, text=trace.fault)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _answer(self, request: httpx2.Request, trace: Trace) -> httpx2.Response | None:
        if origin(str(request.url)) != self.origin:
            trace.fault = "other_origin"
            return None
        try:
            request.headers["authorization"] = f"Bearer {self.bearer()}"
        except NotSentError as error:
            trace.fault, trace.words = error.code, error.message
            return None
        left_s = max(0.05, trace.ends - asyncio.get_running_loop().time())
        connect_s = min(CONNECT_S, left_s)
        request.extensions["timeout"] = {"connect": connect_s, "read": left_s, "write": min(WRITE_S, left_s), "pool": connect_s}
        before, trace.left = trace.left, True
        try:
            async with asyncio.timeout_at(trace.ends) as trace.clock:
                return await self._received(await self._inner.handle_async_request(request), trace)
        except NEVER_SENT as error:
            trace.left, trace.fault, trace.words = before, "unreachable", _kind(error)
            self.suspect = True
        except (TimeoutError, httpx2.TimeoutException):
            trace.fault = "timeout"
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            trace.fault, trace.words = "cut", _kind(error)
            self.suspect = True
        return None

    async def _received(self, response: httpx2.Response, trace: Trace) -> httpx2.Response | None:
        """Read what came. An event stream is handed on as it is; everything else is read to its end first."""
        trace.status = response.status_code
        trace.retry_after_s = failures.retry_after(response.headers.get("retry-after"))
        self.sessions = self.sessions or "mcp-session-id" in response.headers
        kind = response.headers.get("content-type", "").lower()
        if response.status_code == 200 and kind.startswith("text/event-stream"):
            response.stream = Bounded(response.stream, trace, self)
            return response
        try:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > LARGEST_BODY:
                    trace.fault = "too_large"
                    return None
        finally:
            await response.aclose()
        if response.status_code >= 300:
            _note_refusal(bytes(body), trace)
            self.suspect = self.suspect or response.status_code == 404 or "session" in trace.words.lower()
        if 300 <= response.status_code < 400:
            trace.fault = "redirect"
            return None
        names = ("content-type", "mcp-session-id")
        kept = {name: response.headers[name] for name in names if name in response.headers}
        return httpx2.Response(response.status_code, headers=kept, content=bytes(body))


class Bounded(httpx2.AsyncByteStream):
    """An event stream that ends when its call does."""

    def __init__(self, inner: httpx2.AsyncByteStream | httpx2.SyncByteStream, trace: Trace, wire: Wire) -> None:
        assert isinstance(inner, httpx2.AsyncByteStream)
        self._inner, self._trace, self._wire = inner, trace, wire
        self._chunks = aiter(inner)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            try:
                async with asyncio.timeout_at(self._trace.ends) as self._trace.clock:
                    chunk = await anext(self._chunks)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                self._trace.fault = "timeout"
                raise httpx2.ReadTimeout("the call is over") from error
            except (httpx2.HTTPError, OSError):
                self._trace.fault, self._wire.suspect = "cut", True
                raise
            yield chunk

    async def aclose(self) -> None:
        """The reader stops at its answer. What follows is the end of the stream: read it, or the connection is lost with it."""
        with contextlib.suppress(TimeoutError, httpx2.HTTPError, httpx2.StreamError, OSError, RuntimeError):
            async with asyncio.timeout(DRAIN_S):
                async for _ in self._chunks:
                    pass
        await self._inner.aclose()


def abort(trace: Trace) -> None:
    """Nobody waits any more: end the request now instead of at its deadline."""
    trace.ends = asyncio.get_running_loop().time()
    if trace.clock is not None:
        with contextlib.suppress(RuntimeError):  # it has already ended
            trace.clock.reschedule(trace.ends)


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port. Raises NotSentError unless it is https, or http on this machine."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if not host or parts.username is not None or parts.password is not None:
        raise NotSentError("not_set_up", "SWIGGY_MCP_URL must be a web address without a user name in it.")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOOPBACK):
        raise NotSentError("not_set_up", "SWIGGY_MCP_URL must start with https://; the sign-in does not travel in the clear.")
    return parts.scheme, host, port or (443 if parts.scheme == "https" else 80)


def _note_refusal(body: bytes, trace: Trace) -> None:
    """What the body of a status says: a JSON-RPC error, an OAuth error, or nothing that we can read."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return
    error = found.get("error") if isinstance(found, dict) else None
    if isinstance(error, dict):
        code, words = error.get("code"), error.get("message")
        trace.rpc_code = code if isinstance(code, int) else None
    else:
        words = found.get("error_description") or found.get("message") or error if isinstance(found, dict) else None
    trace.words = words[:300] if isinstance(words, str) else ""


def _kind(error: BaseException) -> str:
    return type(error).__name__


@cache
def tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=True)  # 26 ms: built once, shared by every session of the process
