"""The four forms in which a tool answers, and the ways in which it says no.

In this order: ``structuredContent`` (a lone ``result`` unwrapped), the whole text as JSON, the last balanced object inside
prose, prose alone. Pure: it reads values and raises; it never asks for anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interactions.contracts import Json, StrangeAnswerError
from swiggy_instamart import refusals

LONGEST_TEXT = 2_000_000
MOST_TRIES = 2_000  # how many opening braces are tried in prose before it is taken for prose


@dataclass(frozen=True, slots=True)
class Body:
    """What a tool said. ``data`` is ``None`` where only prose came; ``acknowledged`` where the shop said success itself."""

    data: Json | None
    prose: str = ""
    message: str = ""
    acknowledged: bool = False


def read(result: Any) -> Body:
    """Open the result of one ``tools/call``. Raises what the shop refused, or StrangeAnswerError."""
    if not isinstance(result, Mapping):
        raise StrangeAnswerError("malformed", "The answer is no tool result.")
    prose = "\n".join(_texts(result.get("content")))
    found = _structured(result.get("structuredContent")) or _in_text(result.get("content"), prose)
    if result.get("isError") is True:
        said = _words_of(found) or prose
        if found is not None and found.get("success") is False:
            raise refusals.sort(said)
        raise refusals.sort_tool_error(said)
    if found is None:
        if not prose.strip():
            raise StrangeAnswerError("empty", "The answer is empty.")
        return Body(None, prose=prose)
    return _opened(found, prose)


def _opened(found: Json, prose: str) -> Body:
    if found.get("success") is False:
        raise refusals.sort(_words_of(found))
    if "success" not in found:
        if set(found) <= {"error", "message"} and isinstance(found.get("error"), Mapping | str):
            raise refusals.sort(_words_of(found))
        return Body(found, prose=prose, message=_text(found.get("message")))
    data: Any = found.get("data")
    if isinstance(data, Mapping) and set(data) == {"data"} and isinstance(data["data"], Mapping):
        data = data["data"]
    if not isinstance(data, Mapping):
        rest = {key: value for key, value in found.items() if key not in ("success", "data", "message")}
        data = rest or ({"items": data} if isinstance(data, list) else None)
    return Body(data, prose=prose, message=_text(found.get("message")), acknowledged=found.get("success") is True)


def _structured(value: Any) -> Json | None:
    if isinstance(value, Mapping) and set(value) == {"result"}:
        value = value["result"]
        if isinstance(value, str):
            return _whole(value) or _last_object(value)
    return value if isinstance(value, Mapping) and value else None


def _in_text(content: Any, prose: str) -> Json | None:
    for text in _texts(content):
        if (found := _whole(text)) is not None:
            return _structured(found)
    return _structured(_last_object(prose))


def _texts(content: Any) -> Iterator[str]:
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and isinstance(part.get("text"), str):
            yield part["text"][:LONGEST_TEXT]


def _whole(text: str) -> Json | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _last_object(text: str) -> Json | None:
    """The last object that stands balanced in the text. The decoder knows strings, so a brace in a name does not close it."""
    decoder, at, last = json.JSONDecoder(), 0, None
    for _ in range(MOST_TRIES):
        at = text.find("{", at)
        if at < 0:
            break
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            last = found or last
    return last


def _words_of(found: Json | None) -> str:
    if found is None:
        return ""
    error = found.get("error")
    if isinstance(error, Mapping):
        return _text(error.get("message")) or _text(found.get("message"))
    return _text(error) or _text(found.get("message"))


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
