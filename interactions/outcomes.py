"""Outcomes and events as rows hold them, and back. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from interactions.contracts import Abandoned, Done, EffectError, Failed, Json, Outcome, Refused, Unknown

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # a peer may send them; PostgreSQL cannot hold the one, UTF-8 not the others


def done(result: Json) -> Done:
    """The outcome of an effect that was done; raises TypeError for what JSON cannot hold."""
    canonical(result)
    return Done(_storable(result))


def refused(error: EffectError) -> Refused:
    return Refused(error.code, _storable(error.message))


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_storable(key): _storable(one) for key, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list | tuple) else value


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
