"""One JSON request to a peer on the network: bounded in time and in size, and without a redirect followed.

What goes wrong is told apart by what may have happened: the peer never had the request, or it may have acted on it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import httpx2

from chronicle import cutting
from interactions.contracts import Json
from interactions.plugins import ChainEvent, UnreachableError

CONNECT_S = 2.0
CHECK_S = 2.5  # a look at whether the peer is there; whoever asks for it waits three seconds
LARGEST_BODY = 256 * 1024
MOST_SAID = 2000  # characters of one answer
KEPT = "\n\t\u200c\u200d"  # of the control characters: Devanagari is joined and parted by two of them

_NOT_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.InvalidURL,
)

# No part of these may run on over what the next match begins with: a page of nothing but brackets or empty lines would hold up
# the whole process for hours, since nobody can interrupt a search.
_LINKED = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_MARKUP = re.compile(r"^[^\S\n]*(?:```.*$|#{1,6}(?:[^\S\n]+|$)|>[^\S\n]?|[-*+](?:[^\S\n]+|$)|[-*_]{3,}[^\S\n]*$)", re.MULTILINE)
_EMPHASIS = re.compile(r"\*\*|__|~~|`+|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
_SENTENCE_END = re.compile(r"[.!?।](?=\s)")


def conversation(event: ChainEvent) -> str:
    """The name under which a peer keeps what this person said at this device; every process of ours knows it."""
    return f"chronicle-{event.user}-{event.device}"


def ask(url: str, *, key: str, within_s: float, body: Json | None = None, headers: Json | None = None) -> Any:
    """POST ``body``, or GET where there is none; what the peer answered. Raises UnreachableError for anything but an answer."""
    method, content = ("GET", None) if body is None else ("POST", json.dumps(body, ensure_ascii=False).encode())
    given = {"Content-Type": "application/json", "Accept-Encoding": "identity", "Authorization": f"Bearer {key}"}
    bounds = httpx2.Timeout(within_s, connect=min(CONNECT_S, within_s))
    line = cutting.Line()
    try:
        # A client per request: one made before a fork would be shared by the children.
        with (
            httpx2.Client(timeout=bounds, follow_redirects=False, trust_env=False) as client,
            cutting.after(within_s) as line,
            client.stream(
                method, url, content=content, headers={**given, **(headers or {})}, extensions={"trace": line.trace}
            ) as response,
        ):
            status, answered = response.status_code, _whole(response, line)
    except _NOT_SENT as error:
        raise UnreachableError(type(error).__name__, sent=False) from None
    except (httpx2.HTTPError, OSError) as error:
        slow = line.is_cut or isinstance(error, httpx2.ReadTimeout)
        raise UnreachableError("too_slow" if slow else type(error).__name__, sent=True) from None
    if not 200 <= status < 300:  # what it redirects or refuses it has not done; a server that fails may have
        raise UnreachableError(f"http_{status}", sent=status >= 500)
    try:
        return json.loads(answered)
    except (ValueError, RecursionError):
        raise UnreachableError("no_json", sent=True) from None


def check(url: str, *, key: str, within_s: float) -> str:
    """``ok`` where the peer answers and takes the key; else what is wrong, as a word."""
    try:
        ask(url, key=key, within_s=min(within_s, CHECK_S))
    except UnreachableError as error:
        return str(error)
    return "ok"


def plain(said: str) -> str:
    """What a peer wrote, without the marks that only a page shows, and no longer than anybody listens to."""
    said = _LINKED.sub(r"\1", "".join(letter for letter in said if letter in KEPT or unicodedata.category(letter)[0] != "C"))
    said = _EMPHASIS.sub("", _MARKUP.sub("", said))
    said = "\n".join(" ".join(line.split()) for line in said.splitlines() if line.strip())
    if len(said) <= MOST_SAID:
        return said
    ends = [found.end() for found in _SENTENCE_END.finditer(said, 0, MOST_SAID)]
    return said[: ends[-1]] if ends else f"{said[: MOST_SAID - 1].rstrip()}…"


def _whole(response: httpx2.Response, line: cutting.Line) -> bytes:
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise UnreachableError("too_large", sent=True)
    if line.is_cut:  # where the peer names no length, the cut looks like its end
        raise UnreachableError("too_slow", sent=True)
    return bytes(body)
