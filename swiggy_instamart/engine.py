"""The loop thread of one process. Callers are threads that wait; their calls share one session, three in flight at most.

A session that broke is left to end by itself, with what is still in flight on it, while the next call opens another.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from interactions.contracts import AbandonedError, EffectError, Json, NoAnswerError, NotSentError
from swiggy_instamart import failures, shop
from swiggy_instamart.failures import TokenRefusedError, Trace
from swiggy_instamart.pairs import Pair

QUIET_S = 30.0  # without a call for so long, connections are closed; the session stays
GRACE_S = 1.5  # how much later than the loop the waiting thread gives up
LOOK_S = 0.1  # how often the waiting thread asks whether anybody still waits for it

logger = logging.getLogger(__name__)


class Session(Protocol):
    """One session with the server, opened, served and closed by a task of its own."""

    ready: asyncio.Future[None]
    in_flight: int

    @property
    def usable(self) -> bool: ...

    async def request(self, method: str, params: Json, trace: Trace) -> Json: ...

    def leave(self) -> None: ...

    def retire(self) -> None: ...

    async def rest(self) -> None: ...

    async def closed(self, *, within_s: float) -> None: ...


class SignIn(Protocol):
    """Where the bearer of a session comes from. ``identity`` tells one from the next without showing it."""

    def bearer(self) -> str: ...

    def identity(self) -> str: ...


class Renew(Protocol):
    """Makes sure of a token that is good now and is not the ``refused`` one, by renewing it where that can be done."""

    def __call__(self, *, within_s: float, refused: str) -> Pair: ...


class Engine:
    """The loop and the session on it. ``opened`` makes a session whose handshake has begun."""

    def __init__(self, opened: Callable[[], Session], *, store: SignIn, renew: Renew | None = None) -> None:
        self.store = store
        self._renew = renew
        self.refused = ""  # the identity of the token that Swiggy turned down last
        self._opened = opened
        self._session: Session | None = None
        self._identity = ""
        self._opening = asyncio.Lock()
        self._slots = asyncio.Semaphore(shop.AT_ONCE)
        self._blocked_until = 0.0
        self._quiet: asyncio.TimerHandle | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="swiggy-mcp", daemon=True)
        self._thread.start()

    def call(self, tool: str, arguments: Json, *, timeout_s: float, abandoned: Callable[[], bool] | None = None) -> Any:
        """Call one tool once; returns its raw result."""
        ends, params = time.monotonic() + timeout_s, {"name": tool, "arguments": dict(arguments)}
        used = self._signed_in(within_s=timeout_s)
        try:
            return self._ask("tools/call", params, ends=ends, abandoned=abandoned)
        except TokenRefusedError:
            self.refused = used
            # Nothing was done. A read is asked again, once and only with another token; a write is refused, and what it was
            # for is decided anew.
            if tool not in shop.READS or self._signed_in(within_s=max(0.0, ends - time.monotonic())) == used:
                raise
        return self._ask("tools/call", params, ends=ends, abandoned=abandoned)

    def tools(self, *, timeout_s: float) -> frozenset[str]:
        found: set[str] = set()
        cursor: Any = None
        ends = time.monotonic() + timeout_s
        self._signed_in(within_s=timeout_s)
        for _ in range(shop.MOST_PAGES):
            params = {"cursor": cursor} if cursor else {}
            page = self._ask("tools/list", params, ends=ends)
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

    def _signed_in(self, *, within_s: float) -> str:
        """Know of a missing or expired sign-in before anything is opened; which token is in force."""
        if self._renew is not None:
            return self._renew(within_s=within_s, refused=self.refused).identity
        self.store.bearer()
        return self.store.identity()

    def _ask(self, method: str, params: Json, *, ends: float, abandoned: Callable[[], bool] | None = None) -> Json:
        timeout_s = max(0.0, ends - time.monotonic())
        waited = asyncio.run_coroutine_threadsafe(self._serve(method, params, timeout_s=timeout_s), self._loop)
        ends += GRACE_S
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
        async with self._opening:
            session, identity = self._session, self.store.identity()
            if session is not None and (not session.usable or identity != self._identity):
                session.retire()
                session = None
            if session is None:
                session = self._session = self._opened()
                self._identity = identity
            await asyncio.shield(session.ready)
            session.in_flight += 1
            return session

    def _rest(self) -> None:
        if self._session is not None and not self._session.in_flight:
            self._resting = asyncio.get_running_loop().create_task(self._session.rest())

    async def _close(self) -> None:
        if self._quiet is not None:
            self._quiet.cancel()
        if self._session is not None:
            await self._session.closed(within_s=1.0)
