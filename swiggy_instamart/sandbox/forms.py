"""The forms in which one and the same envelope has been seen on the wire; a client must read every one of them."""

from __future__ import annotations

import json
from typing import Any

from swiggy_instamart.sandbox.switches import Form


def success(data: dict[str, Any], message: str | None = None) -> dict[str, Any]:
    return {"success": True, "data": data} | ({"message": message} if message else {})


def failure(message: str) -> dict[str, Any]:
    hint = "Use report_error to tell us about it."
    return {"success": False, "error": {"message": message, "reportHint": hint}}


def render(envelope: dict[str, Any], *, prose: str, form: Form, tool: str) -> dict[str, Any]:
    """A tools/call result."""
    if form == "field":
        form = "prose" if tool == "get_addresses" else "prose_json"
    as_json = json.dumps(envelope, ensure_ascii=False)
    text = {"json": as_json, "prose_json": f"{prose}\n\n{as_json}"}.get(form, prose)
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": False}
    if form == "structured":
        result["structuredContent"] = envelope
    elif form == "wrapped":
        result["structuredContent"] = {"result": envelope}
    return result


def error(message: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": message}], "isError": True}
