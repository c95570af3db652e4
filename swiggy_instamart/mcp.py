"""The only door to Swiggy. One session per process, opened on first use on a loop of its own, served until it breaks.

Nothing is ever sent twice. A call ends with the raw result of the tool, or with an error sorted by what is known of it.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import logging
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2
from django.conf import settings
from interactions.contracts import AbandonedError, EffectError, Json, NoAnswerError, NotSentError, TurnedDownError

from swiggy_instamart import failures, shop, tokens
from swiggy_instamart.failures import Trace
from swiggy_instamart.shop import Swiggy
from swiggy_instamart.wire import Wire, abort, current, origin

if TYPE_CHECKING:
    from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

Result = TypeVar("Result")

PROTOCOL = "2025-06-18"
CLIENT = {"name": "chronicle", "version": "1"}
NOT_READ = frozenset({-32700, -32600})
HANDSHAKE_S = 5.0
QUIET_S = 30.0  # without a call for so long, connections are closed; the session stays
GRACE_S = 1.5  # how much later than the loop the waiting thread gives up
LOOK_S = 0.25  # how often the waiting thread looks whether anybody still waits for it

logger = logging.getLogger(__name__)


def swiggy() -> Swiggy:
    """The shop over this process's own session; it connects with the first call."""
    return Swiggy(_engine())


@contextlib.contextmanager
def using(directory: Path) -> Iterator[Swiggy]:
    """The shop with the sign-in of another directory, over a session that ends with the block."""
    engine = Engine(_url(), store=tokens.Store(directory))
    try:
        yield Swiggy(engine)
    finally:
        engine.stop()


def preload() -> None:
    """Import the protocol library now (half a second, 60 MB), in a process that will call. Others never pay for it."""
    import mcp.client.session
    import mcp.client.streamable_http  # noqa: F401

    for name in ("mcp", "client"):  # at debug level, and on a malformed answer, they would write payment links to the log
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Session:
    """One MCP session. The task that opens it also closes it: the library's contexts must not change tasks."""

    def __init__(self, url: str, *, bearer: Callable[[], str], identity: object) -> None:
        self.url, self.identity = url, identity
        self.wire = Wire(url, bearer=bearer)
        self.trace = Trace(ends=asyncio.get_running_loop().time() + HANDSHAKE_S)
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.in_flight = 0
        self._over = asyncio.Event()
        self._retired = False
        self._headers: dict[str, str] = {}
        self._dispatcher: JSONRPCDispatcher[Any] | None = None
        self._task = asyncio.create_task(self._run(), name="swiggy-session")

    @property
    def usable(self) -> bool:
        """Whether a further call may go over it. A broken connection matters only where the server keeps sessions."""
        return not (self._retired or self._task.done() or (self.wire.suspect and self.wire.sessions))

    async def request(self, method: str, params: Json, trace: Trace) -> Json:
        """Send one request and wait for its raw result: no model stands between the effect and us."""
        from mcp.shared.exceptions import MCPError

        assert self._dispatcher is not None
        current.set(trace)
        try:
            # No courtesy cancel: the effect may be done, and a cancel that hangs would block the whole session.
            options: Any = {"cancel_on_abandon": False, "headers": self._headers}
            async with asyncio.timeout_at(trace.ends + GRACE_S / 3):  # the wire ends it first
                return await self._dispatcher.send_raw_request(method, params, options)
        except MCPError as error:
            if trace.status is not None and trace.status < 300 and not trace.fault:
                trace.rpc_code = error.error.code
                if trace.rpc_code in NOT_READ:  # the library's own words would quote the answer, and a payment link with it
                    trace.fault, trace.words = "malformed", "The answer is no JSON-RPC reply."
                else:
                    trace.fault, trace.words = "peer_error", str(error.error.message)[:300]
            raise failures.sort(trace) from error
        except TimeoutError as error:
            trace.fault = trace.fault or "timeout"
            raise failures.sort(trace) from error
        except asyncio.CancelledError:
            abort(trace)
            raise

    def retire(self) -> None:
        """Take no further call, and close when the last one in flight is done."""
        self._retired = True
        if not self.in_flight:
            self._over.set()

    def leave(self) -> None:
        self.in_flight -= 1
        if self._retired and not self.in_flight:
            self._over.set()

    async def closed(self, *, within_s: float) -> None:
        """Wait for the calls in flight, then for the goodbye; after that, end it."""
        self.retire()
        await asyncio.wait([self._task], timeout=within_s)
        self._over.set()
        if await asyncio.wait([self._task], timeout=within_s) and not self._task.done():
            self._task.cancel()

    async def _run(self) -> None:
        current.set(self.trace)
        try:
            async with self._opened() as dispatcher:
                self._dispatcher = dispatcher
                self.ready.set_result(None)
                await self._over.wait()
                self.trace.ends = asyncio.get_running_loop().time() + 1.0  # how long saying goodbye may take
        except BaseException as error:  # the edge of the task: the library raises groups and cancellations of its own
            causes = list(failures.leaves(error))
            if any(isinstance(cause, KeyboardInterrupt | SystemExit) for cause in causes):
                raise
            logger.info("swiggy session ended: %s", ", ".join(type(cause).__name__ for cause in causes))
        finally:
            self._retired = True
            if not self.ready.done():
                self.ready.set_exception(_not_opened(self.trace))
                self.ready.exception()  # looked at, so that nobody is told of it when no call waits

    @contextlib.asynccontextmanager
    async def _opened(self) -> AsyncIterator[JSONRPCDispatcher[Any]]:
        preload()
        from mcp.client.session import ClientSession
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

        limits = httpx2.Timeout(HANDSHAKE_S, read=shop.CHECKOUT_S)
        async with (
            httpx2.AsyncClient(transport=self.wire, timeout=limits, follow_redirects=False, trust_env=False) as http,
            streamable_http_client(self.url, http_client=http) as (read, write),
        ):
            dispatcher: JSONRPCDispatcher[Any] = JSONRPCDispatcher(read, write)
            async with ClientSession(dispatcher=dispatcher), asyncio.timeout_at(self.trace.ends) as greeting:
                hello = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": CLIENT}
                welcome = await dispatcher.send_raw_request("initialize", hello, {"cancel_on_abandon": False})
                self._headers = {"mcp-protocol-version": str(welcome.get("protocolVersion") or PROTOCOL)}
                await dispatcher.notify("notifications/initialized", None, {"headers": self._headers})
                greeting.reschedule(None)
                yield dispatcher


class Engine:
    """The loop thread of one process, and the session on it. Callers are threads that wait."""

    def __init__(self, url: str, *, store: tokens.Store) -> None:
        origin(url)
        self.url, self.store = url, store
        self._session: Session | None = None
        self._waiting: asyncio.Lock = asyncio.Lock()
        self._slots = asyncio.Semaphore(shop.AT_ONCE)
        self._blocked_until = 0.0
        self._quiet: asyncio.TimerHandle | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="swiggy-mcp", daemon=True)
        self._thread.start()

    def call(self, tool: str, arguments: Json, *, timeout_s: float, abandoned: Callable[[], bool] | None = None) -> Any:
        """Call one tool once; returns its raw result."""
        return self._ask("tools/call", {"name": tool, "arguments": dict(arguments)}, timeout_s=timeout_s, abandoned=abandoned)

    def tools(self, *, timeout_s: float) -> frozenset[str]:
        found: set[str] = set()
        cursor: Any = None
        ends = time.monotonic() + timeout_s
        for _ in range(shop.MOST_PAGES):
            params = {"cursor": cursor} if cursor else {}
            page = self._ask("tools/list", params, timeout_s=max(0.0, ends - time.monotonic()))
            found |= {
                tool["name"] for tool in page.get("tools", ()) if isinstance(tool, dict) and isinstance(tool.get("name"), str)
            }
            cursor = page.get("nextCursor")
            if not cursor:
                break
        return frozenset(found)

    def stop(self) -> None:
        """Close the session and end the thread; what is still in flight gets a second."""
        with contextlib.suppress(TimeoutError, concurrent.futures.CancelledError):
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(timeout=3.0)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=3.0)
        if not self._thread.is_alive():
            self._loop.close()

    def _ask(self, method: str, params: Json, *, timeout_s: float, abandoned: Callable[[], bool] | None = None) -> Json:
        self.store.bearer()  # a missing or expired sign-in is known before anything is opened
        waited = asyncio.run_coroutine_threadsafe(self._serve(method, params, timeout_s=timeout_s), self._loop)
        ends = time.monotonic() + timeout_s + GRACE_S
        while True:
            try:
                return waited.result(timeout=min(LOOK_S, max(0.01, ends - time.monotonic())))
            except TimeoutError:
                if time.monotonic() >= ends:
                    waited.cancel()
                    raise NoAnswerError("timeout") from None
                if abandoned is not None and abandoned():
                    waited.cancel()
                    raise AbandonedError from None
            except concurrent.futures.CancelledError:
                raise NoAnswerError("cut", "The client was stopped during the call.") from None

    async def _serve(self, method: str, params: Json, *, timeout_s: float) -> Json:
        loop = asyncio.get_running_loop()
        trace = Trace(ends=loop.time() + timeout_s, fault="no_time")
        session: Session | None = None
        try:
            async with asyncio.timeout_at(trace.ends) as waiting, self._slots:
                session = await self._open(trace)
                waiting.reschedule(None)  # from here on the wire keeps the time
                trace.fault = ""
                return await session.request(method, params, trace)
        except TimeoutError as error:
            raise failures.sort(trace) from error
        except EffectError as error:
            if error.retry_after_s:
                self._blocked_until = loop.time() + error.retry_after_s
            raise
        except Exception as error:  # the edge of the task: whatever broke, what is known of the call decides
            logger.warning("swiggy call failed: %s", type(error).__name__)
            trace.fault = trace.fault or "client_fault"
            raise failures.sort(trace) from error
        finally:
            if session is not None:
                session.leave()
                if self._quiet is not None:
                    self._quiet.cancel()
                self._quiet = loop.call_later(QUIET_S, self._rest)

    async def _open(self, trace: Trace) -> Session:
        """The session for one call, counted as in flight. A handshake that fails leaves the call itself unsent."""
        loop = asyncio.get_running_loop()
        if (wait_s := self._blocked_until - loop.time()) > 0:
            raise NotSentError("rate_limited", "Swiggy asked us to wait.", retry_after_s=wait_s)
        async with self._waiting:
            session, identity = self._session, self.store.identity()
            if session is not None and (not session.usable or session.identity != identity):
                session.retire()
                session = None
            if session is None:
                session = self._session = Session(self.url, bearer=self.store.bearer, identity=identity)
            await asyncio.shield(session.ready)
            session.in_flight += 1
            return session

    def _rest(self) -> None:
        if self._session is not None and not self._session.in_flight:
            self._resting = asyncio.get_running_loop().create_task(self._session.wire.aclose())

    async def _close(self) -> None:
        if self._quiet is not None:
            self._quiet.cancel()
        if self._session is not None:
            await self._session.closed(within_s=1.0)


_lock = threading.Lock()
_engines: dict[tuple[int, str, Path], Engine] = {}  # at most one, keyed by process: a loop thread does not survive a fork


def _engine() -> Engine:
    url, store = _url(), tokens.configured()
    key = (os.getpid(), url, store.directory)
    with _lock:
        found = _engines.get(key)
        if found is None:
            close()
            found = _engines[key] = Engine(url, store=store)
    return found


def close() -> None:
    """End this process's session; the next call opens another."""
    while _engines:
        (pid, *_), engine = _engines.popitem()
        if pid == os.getpid():  # the thread of a parent is not here, and its connections are not ours to close
            engine.stop()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it


def _url() -> str:
    url: str = settings.SWIGGY_MCP_URL
    if not url:
        raise NotSentError("not_set_up", "Set SWIGGY_MCP_URL to the address of the Instamart server.")
    return url


def _not_opened(trace: Trace) -> EffectError:
    error = failures.sort(trace)
    if isinstance(error, TurnedDownError | NotSentError):
        return error
    return NotSentError("no_session", f"No session with Swiggy could be opened ({error.code}).")


os.register_at_fork(after_in_child=_after_fork)
atexit.register(close)
