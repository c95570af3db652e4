"""The service commands, read from ``compose.yaml``: that file is the only place where they stand.

``make run`` and the stack tests start the very commands of the file by hand; this room does for them what compose does:
merge keys, fill in ``${NAME}``, ``${NAME:-default}`` and ``${NAME:?why}``, and undo ``$$``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "compose.yaml"
_VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?:(?P<form>:-|:\?)(?P<rest>(?:[^{}]|\$\{[^{}]*\})*))?\})")


class ServiceError(ValueError):
    """compose.yaml asks for something that is not there."""


@dataclass(frozen=True, slots=True)
class Service:
    """One entry of the file. ``command`` and ``health`` are ready to run on this machine."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    health: tuple[str, ...]


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


def service(name: str, environ: Mapping[str, str]) -> Service:
    """The service ``name``; ``python`` in a command is the interpreter that runs this."""
    try:
        entry = document()["services"][name]
    except KeyError:
        raise ServiceError(f"{FILE.name} has no service {name}; it has {', '.join(names())}") from None
    return Service(
        name=name,
        command=_here(entry.get("command", ()), environ),
        environment={key: substitute(str(value), environ) for key, value in entry.get("environment", {}).items()},
        health=_health(entry.get("healthcheck", {}).get("test", ()), environ),
    )


def config(name: str, environ: Mapping[str, str]) -> str:
    """The text of an inline config, such as the edge's."""
    return substitute(document()["configs"][name]["content"], environ)


def _here(words: list[str] | tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, ...]:
    filled = [substitute(str(word), environ) for word in words]
    return tuple(sys.executable if word == "python" and at == 0 else word for at, word in enumerate(filled))


def _health(test: list[str] | tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, ...]:
    if not test:
        return ()
    kind, *words = test
    if kind == "CMD-SHELL":
        line = substitute(words[0], environ)
        return ("sh", "-c", re.sub(r"^python\b", sys.executable, line))
    return _here(words, environ)
