"""The practice shop, and why a rehearsal cannot leave it: a sandbox at this machine, and a bearer that opens nothing else.

Its address is a number of this machine, so that no name server decides where it leads, and is not that of real orders. That is
held when the service starts and again before anything connects. Nothing here reads a sign-in.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

import httpx2
from django.conf import settings

from interactions import host, status
from interactions.contracts import NotSentError
from swiggy_instamart.sandbox import seed

if TYPE_CHECKING:
    from swiggy_instamart.engine import Engine
    from swiggy_instamart.shop import Swiggy

VARIABLE = "SWIGGY_REHEARSAL_URL"
EXAMPLE = "http://127.0.0.1:8020/im"
HERE = frozenset({"127.0.0.1", "::1"})
BY_NAME = HERE | {"localhost"}  # how the same machine may be spelt elsewhere
LIGHT, LOOK, LOOK_S = "practice shop", "swiggy_instamart.look_at_practice", 1.0
RENEW_S = seed.FIVE_DAYS_S / 2


def fault() -> str:
    """Why practice cannot be on with these settings, and what to do; empty if it can."""
    return fault_of(settings.SWIGGY_REHEARSAL_URL, real=settings.SWIGGY_MCP_URL)


def fault_of(url: str, *, real: str) -> str:
    if not url:
        return f"{VARIABLE} is not set; set it to a sandbox on this machine, as in {EXAMPLE}"
    parts = _parts(url)
    if parts is None or parts.scheme != "http" or parts.hostname not in HERE or parts.username is not None:
        return f"{VARIABLE} must lead to a sandbox on this machine, by its number, as in {EXAMPLE}"
    if real and _place(url) == _place(real):
        return f"{VARIABLE} leads to where SWIGGY_MCP_URL does; start a sandbox of its own for practice, on another port"
    return ""


def _place(url: str) -> tuple[str, int] | None:
    """Machine and port, with every spelling of this machine alike."""
    parts = _parts(url)
    if parts is None:
        return None
    host = (parts.hostname or "").lower()
    return ("here" if host in BY_NAME else host), parts.port or (443 if parts.scheme == "https" else 80)


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


class PracticeSignIn:
    """A bearer made here, signed with the sandbox's public key: Swiggy, or anybody else, turns it away."""

    def __init__(self) -> None:
        self._token, self._made_at = "", 0.0

    def bearer(self) -> str:
        if not self._token or time.monotonic() - self._made_at > RENEW_S:
            self._token, self._made_at = seed.token(), time.monotonic()
        return self._token

    def identity(self) -> str:
        return "practice"


# ---- whether it is there --------------------------------------------------------------------------------------------------


def ask_for_a_look(now: datetime) -> None:
    """On every sweep: the shop is seen from where effects run, which may be another machine than that of the status page."""
    host.ring_after_commit(0, LOOK)


def look() -> None:
    """Note that the practice shop answers, if it does."""
    if fault():
        return
    parts = urlsplit(settings.SWIGGY_REHEARSAL_URL)
    try:
        answer = httpx2.get(f"{parts.scheme}://{parts.netloc}/healthz", timeout=LOOK_S, trust_env=False, follow_redirects=False)
    except httpx2.HTTPError:
        return
    if answer.status_code == HTTPStatus.OK:
        status.note(LIGHT)


# ---- the one engine of a process ----------------------------------------------------------------------------------------

_lock = threading.Lock()
_engines: dict[tuple[int, str], Engine] = {}


def shop() -> Swiggy:
    """The practice shop. Raises NotSentError where its address is not one of this machine's."""
    from swiggy_instamart import mcp
    from swiggy_instamart.shop import Swiggy

    if wrong := fault():
        raise NotSentError("not_set_up", wrong)
    key = (os.getpid(), settings.SWIGGY_REHEARSAL_URL)
    with _lock:
        if key not in _engines:
            close()
            _engines[key] = mcp.built(key[1], PracticeSignIn())
        return Swiggy(_engines[key])


def close() -> None:
    """End this process's session with the practice shop; the next call opens another."""
    while _engines:
        (pid, _), engine = _engines.popitem()
        if pid == os.getpid():
            engine.stop()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(close)
