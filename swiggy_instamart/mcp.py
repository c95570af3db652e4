"""The only door to Swiggy. One session per process, opened on first use on a loop of its own, served until it breaks.

Nothing is ever sent twice but a read whose token was refused, with another one. A call ends with the raw result of the tool,
or with an error sorted by what is known of it.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2
from django.conf import settings

from interactions.contracts import Json, NotSentError
from swiggy_instamart import failures, renewal, shop, tokens
from swiggy_instamart.engine import Engine, Renew, SignIn
from swiggy_instamart.failures import Trace
from swiggy_instamart.pairs import SignInFileError
from swiggy_instamart.shop import Swiggy
from swiggy_instamart.tokens import Verdict
from swiggy_instamart.wire import Wire, abort, current, origin

if TYPE_CHECKING:
    from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

Result = TypeVar("Result")

PROTOCOL = "2025-06-18"
CLIENT = {"name": "chronicle", "version": "1"}
NOT_READ = frozenset({-32700, -32600})
HANDSHAKE_S = 5.0
SPARE_S = 0.5  # how much later than the wire the protocol gives up

logger = logging.getLogger(__name__)


def swiggy() -> Swiggy:
    """The shop over this process's own session; it connects with the first call."""
    return Swiggy(_engine())


@contextlib.contextmanager
def using(directory: Path) -> Iterator[Swiggy]:
    """The shop with the sign-in of another directory, over a session that ends with the block."""
    engine = built(_url(), tokens.Store(directory, private=False))
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

    def __init__(self, url: str, *, bearer: Callable[[], str]) -> None:
        self.url = url
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
            async with asyncio.timeout_at(trace.ends + SPARE_S):  # the wire ends it first
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

    async def rest(self) -> None:
        """Close the connections, not the session; the next call connects again."""
        await self.wire.aclose()

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
                self.ready.set_exception(failures.sort_handshake(self.trace))
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


_lock = threading.Lock()
_engines: dict[tuple[int, str, Path], Engine] = {}  # at most one, keyed by process: a loop thread does not survive a fork


def _engine() -> Engine:
    url = _url()
    try:
        store = tokens.configured()
    except SignInFileError as error:
        raise NotSentError("sign_in", error.message) from error
    key = (os.getpid(), url, store.directory)
    with _lock:
        found = _engines.get(key)
        if found is None:
            close()
            renew = partial(renewal.ready, store, url=url)
            found = _engines[key] = built(url, store, renew=renew)
    return found


def built(url: str, store: SignIn, *, renew: Renew | None = None) -> Engine:
    """An engine for one address and one sign-in; whoever has it ends it."""
    origin(url)
    return Engine(lambda: Session(url, bearer=store.bearer), store=store, renew=renew)


def signed_in(*, within_s: float, lasting: timedelta = tokens.SPARE) -> Verdict:
    """What is known of the sign-in, once it is known to last so long. Raises NotSentError where it does not."""
    engine = _engine()
    pair = renewal.ready(tokens.configured(), url=_url(), within_s=within_s, lasting=lasting, refused=engine.refused)
    return tokens.judge(pair, now=datetime.now(UTC))


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


os.register_at_fork(after_in_child=_after_fork)
atexit.register(close)
