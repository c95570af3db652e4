"""What may be shown of a plugin's settings: all but its secrets. Pure.

A secret is a field that its schema keeps out of its own repr (``Field(repr=False)``), and whatever is named like one. Of an
address only scheme, host and path are shown, and of a secret address nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel

from interactions import faults

MASK = "********"
SHORTEST = 4  # letters; taking a shorter one out of a sentence would leave no sentence
_NAMED = re.compile(r"(?:^|_)(?:secret|token|password|passphrase|passwd|key|credential)s?(?:$|_)", re.IGNORECASE)

Leaf = Callable[[Any, bool], Any]


def shown(settings: Mapping[str, Any], model: type[BaseModel] | None = None) -> dict[str, Any]:
    """A copy of ``settings`` for people to look at. ``model`` is the schema that typed them."""
    return {
        name: _walked(value, faults.inside(model, name), _leaf, _is_secret(model, name)) for name, value in settings.items()
    }


def hidden(settings: Mapping[str, Any], model: type[BaseModel] | None = None) -> dict[str, str]:
    """Each text of ``settings`` that may not be shown, and what stands for it."""
    found: dict[str, str] = {}

    def note(value: Any, secret: bool) -> None:
        masked = _leaf(value, secret)
        if masked != value and len(str(value)) >= SHORTEST:
            found[str(value)] = str(masked)

    for name, value in settings.items():
        _walked(value, faults.inside(model, name), note, _is_secret(model, name))
    return found


def without(text: str, secrets: Mapping[str, str]) -> str:
    """``text`` with every secret in it masked, the longest first."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, secrets[secret])
    return text


def _walked(value: Any, model: type[BaseModel] | None, leaf: Leaf, secret: bool) -> Any:
    if isinstance(value, Mapping):
        return {
            name: _walked(one, faults.inside(model, str(name)), leaf, secret or _is_secret(model, str(name)))
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_walked(one, model, leaf, secret) for one in value]
    return leaf(value, secret)


def _is_secret(model: type[BaseModel] | None, name: str) -> bool:
    field = model.model_fields.get(name) if model is not None else None
    return bool(_NAMED.search(name)) or (field is not None and not field.repr)


def _leaf(value: Any, secret: bool) -> Any:
    if secret:
        return value if value in ("", None) or isinstance(value, bool) else MASK
    return _address(value) if isinstance(value, str) and "://" in value else value


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
    except ValueError:
        return MASK
    host = f"{MASK}@{parts.netloc.rpartition('@')[2]}" if "@" in parts.netloc else parts.netloc
    return urlunsplit((parts.scheme, host, parts.path, MASK if parts.query else "", MASK if parts.fragment else ""))
