"""Outcomes and events as rows hold them, and back. Pure."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from interactions.contracts import Abandoned, Done, Failed, Json, Outcome, Refused, Unknown


def store(outcome: Outcome) -> tuple[str, dict[str, Any]]:
    """The word and the body that a checkpoint keeps."""
    match outcome:
        case Done(result):
            return "done", dict(result)
        case Refused(code, message):
            return "refused", {"code": code, "message": message}
        case Failed(code):
            return "failed", {"code": code}
        case Unknown(reason):
            return "unknown", {"reason": reason}
        case Abandoned():
            return "abandoned", {}


def load(word: str, body: Json) -> Outcome:
    match word:
        case "done":
            return Done(body)
        case "refused":
            return Refused(body["code"], body.get("message", ""))
        case "failed":
            return Failed(body["code"])
        case "unknown":
            return Unknown(body["reason"])
        case "abandoned":
            return Abandoned()
    raise ValueError(f"no outcome is called {word!r}")


def canonical(value: Any) -> str:
    """One text for one value; raises TypeError for what JSON cannot hold."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()
