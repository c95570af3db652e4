"""The service commands, read from ``compose.yaml``: that file is the only place where they stand.

``make run`` and the stack tests start the very commands of the file by hand; this room does for them what compose does:
merge keys, fill in ``${NAME}``, ``${NAME:-default}`` and ``${NAME:?why}``, and undo ``$$``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "compose.yaml"
_VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?:(?P<form>:-|:\?)(?P<rest>(?:[^{}]|\$\{[^{}]*\})*))?\})")


class ServiceError(ValueError):
    """compose.yaml asks for something that is not there."""


def substitute(text: str, environ: Mapping[str, str]) -> str:
    """Fill in the variables of ``text`` as compose does. A default may hold one variable of its own."""

    def value(match: re.Match[str]) -> str:
        name, form, rest = match["name"], match["form"], match["rest"] or ""
        if name is None:
            return "$"
        if environ.get(name):
            return environ[name]
        if form == ":?":
            raise ServiceError(f"{FILE.name}: {name} is not set: {rest}")
        return substitute(rest, environ)

    return _VARIABLE.sub(value, text)


@cache
def document() -> Mapping[str, Any]:
    """The file as YAML gives it, nothing filled in."""
    loaded: Mapping[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return loaded


def names() -> tuple[str, ...]:
    return tuple(document()["services"])


def command(name: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What the service runs; ``python`` is the interpreter that runs this."""
    return _here(_entry(name).get("command", ()), environ)


def environment(name: str, environ: Mapping[str, str]) -> dict[str, str]:
    """What the service is given. Raises ServiceError for a variable that the file insists on."""
    return {key: substitute(str(value), environ) for key, value in _entry(name).get("environment", {}).items()}


def health(name: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What says that the service is well; empty where the file has no such check."""
    kind, *words = _entry(name).get("healthcheck", {}).get("test", ("NONE",))
    if kind == "CMD-SHELL":
        return ("sh", "-c", re.sub(r"^python\b", sys.executable, substitute(words[0], environ)))
    return _here(words, environ)


def config(name: str, environ: Mapping[str, str]) -> str:
    """The text of an inline config, such as the edge's."""
    return substitute(document()["configs"][name]["content"], environ)


def _entry(name: str) -> Mapping[str, Any]:
    try:
        entry: Mapping[str, Any] = document()["services"][name]
    except KeyError:
        raise ServiceError(f"{FILE.name} has no service {name}; it has {', '.join(names())}") from None
    return entry


def _here(words: Sequence[str], environ: Mapping[str, str]) -> tuple[str, ...]:
    filled = tuple(substitute(str(word), environ) for word in words)
    return (sys.executable, *filled[1:]) if filled[:1] == ("python",) else filled
