"""Sorts a call that did not answer by what is known of it, not by the type of an exception.

``Trace`` is what the wire saw of one request. Nothing left: not sent. A no on the closed list: refused. Anything else may
have been done.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interactions.contracts import (
    EffectError,
    NoAnswerError,
    NotSentError,
    SignInNeededError,
    StrangeAnswerError,
    TurnedDownError,
)
from swiggy_instamart import refusals

SIGN_IN_STATUSES = frozenset({403, 419})
TOKEN_STATUSES = frozenset({401})
SIGN_IN_CODES = frozenset({-32001})
TIMED_OUT = re.compile(r"(request|upstream|gateway|tool)\b.*time(d )?-?out", re.IGNORECASE)
REFUSED_CODES: Mapping[int, str] = {-32601: "no_such_tool", -32602: "invalid"}
RENEW = "Swiggy does not accept the sign-in; renew it and run rotate_swiggy_tokens."


@dataclass(slots=True)
class Trace:
    """What is known of one request. ``left``: bytes of it may have left this machine."""

    ends: float  # by the loop's clock
    left: bool = False
    status: int | None = None
    retry_after_s: float | None = None
    fault: str = ""  # a word for what went wrong on this machine or on the line
    words: str = ""
    rpc_code: int | None = None  # of a JSON-RPC error that the peer sent
    clock: asyncio.Timeout | None = None  # bounds the request while it is on the wire


class TokenRefusedError(SignInNeededError):
    """The access token is not accepted (any more); nothing was done, and another token may be."""


def sort(trace: Trace) -> EffectError:
    """The error for a request that brought no result."""
    if not trace.left:
        return NotSentError(trace.fault or None, trace.words)
    status, words = trace.status, trace.words
    if status in TOKEN_STATUSES:
        return TokenRefusedError(message=RENEW)
    if status in SIGN_IN_STATUSES:
        return SignInNeededError(message=RENEW)
    if status == 429:
        return TurnedDownError("rate_limited", words, retry_after_s=trace.retry_after_s)
    if status is not None and status >= 500:
        return NoAnswerError("server_error", words)
    if trace.rpc_code in SIGN_IN_CODES and status != 404:  # a 404 speaks of the session, not of the person
        # The protocol's own libraries give the same number to a request that timed out, and that one may have been done.
        return NoAnswerError("timeout", words) if TIMED_OUT.search(words) else TokenRefusedError(message=RENEW)
    if trace.rpc_code is not None and trace.rpc_code in REFUSED_CODES:
        return TurnedDownError(REFUSED_CODES[trace.rpc_code], words)
    if status == 400:
        found = refusals.find(words)
        return TurnedDownError(found.code if found and not found.tool_error else "invalid", words)
    if status == 404:
        return NoAnswerError("session_gone", words)
    if trace.fault in ("malformed", "too_large"):
        return StrangeAnswerError(trace.fault, words)
    return NoAnswerError(trace.fault or None, words)


def sort_handshake(trace: Trace) -> EffectError:
    """The error for a call whose session could not be opened: whatever became of the handshake, the call itself never left."""
    error = sort(trace)
    if isinstance(error, TurnedDownError | NotSentError):
        return error
    return NotSentError("no_session", f"No session with Swiggy could be opened ({error.code}).")


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The exceptions that a group was made of."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def retry_after(value: Any) -> float | None:
    """Seconds of a Retry-After header; a date is not used by this server and reads as none."""
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < 86_400 else None
