"""One question to the token endpoint, and what its answer is worth: granted, refused, not sent, or lost.

It goes to the origin of SWIGGY_MCP_URL alone, through no redirect and no proxy. JSON first, as the documentation has it; the
form only where the JSON was turned down for itself, so that a refresh token which can be used once is not used twice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import httpx2

from swiggy_instamart import wire
from swiggy_instamart.pairs import Pair

PATH = "/auth/token"
LARGEST = 64_000
FINAL = frozenset({"invalid_grant", "invalid_client", "unauthorized_client", "access_denied", "invalid_scope"})


class Said(StrEnum):
    GRANTED = "granted"
    REFUSED = "refused"
    UNSENT = "not sent"  # proven, or put off: the token is as good as before
    LOST = "no answer"  # the token may have been used up


@dataclass(frozen=True, slots=True)
class Grant:
    said: Said
    why: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)


def refresh(url: str, pair: Pair, *, secret: str = "", within_s: float) -> Grant:
    """Ask for a new access token with the refresh token of this pair."""
    body = {"grant_type": "refresh_token", "refresh_token": pair.refresh_token, "client_id": pair.client_id}
    return ask(url, body | ({"client_secret": secret} if secret else {}), within_s=within_s)


def ask(url: str, body: Mapping[str, str], *, within_s: float) -> Grant:
    """Put one question to the token endpoint, within the time given."""
    where, ends = f"{base(url)}{PATH}", time.monotonic() + within_s
    with client(url) as http:
        grant, unread = _post(http, where, ends=ends, json=body)
        if unread:
            grant, _ = _post(http, where, ends=ends, data=body)
    return grant


def base(url: str) -> str:
    """The origin that the sign-in lives at, as an address. Raises NotSentError where it cannot be used."""
    scheme, host, port = wire.origin(url)
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def client(url: str) -> httpx2.Client:
    verify = wire.tls() if wire.origin(url)[0] == "https" else False
    return httpx2.Client(trust_env=False, follow_redirects=False, verify=verify)


def _post(http: httpx2.Client, where: str, *, ends: float, **body: Any) -> tuple[Grant, bool]:
    """The answer, and whether it may be one to the form of the question only."""
    left_s = ends - time.monotonic()
    if left_s <= 0:
        return Grant(Said.UNSENT, "no time"), False
    timeout = httpx2.Timeout(left_s, connect=min(wire.CONNECT_S, left_s))
    try:
        with http.stream("POST", where, timeout=timeout, headers={"accept": "application/json"}, **body) as answer:
            raw = bytearray()
            for chunk in answer.iter_bytes():
                raw += chunk
                if len(raw) > LARGEST or time.monotonic() > ends:
                    return Grant(Said.LOST, "too much or too slow"), False
            return _judged(answer.status_code, bytes(raw), asked_as_json="json" in body)
    except wire.NEVER_SENT as error:
        return Grant(Said.UNSENT, type(error).__name__), False
    except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
        return Grant(Said.LOST, type(error).__name__), False


def _judged(status: int, raw: bytes, *, asked_as_json: bool) -> tuple[Grant, bool]:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        found = None
    said = found if isinstance(found, dict) else {}
    if status == 200 and isinstance(said.get("access_token"), str) and said["access_token"]:
        return Grant(Said.GRANTED, fields=said), False
    if status == 429:
        return Grant(Said.UNSENT, "429"), False
    if 400 <= status < 500:
        error = said.get("error")
        return Grant(Said.REFUSED, str(status)), asked_as_json and not (isinstance(error, str) and error in FINAL)
    return Grant(Said.LOST, str(status)), False
