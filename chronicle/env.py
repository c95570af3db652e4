"""Typed readers of the environment: a wrong value is one error that names the variable and what it may be.

``NAME_FILE`` may stand in place of ``NAME`` and names a file that holds the value, as container secrets do. Only
``settings`` calls this; nothing else in the project reads the environment.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class WrongVariableError(ImproperlyConfigured):
    """An environment variable is missing or holds what it cannot hold."""

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"{name}: {fault}")
        self.name = name


def lookup(name: str) -> str | None:
    """The value of ``name``, or of the file that ``name_FILE`` points to; None where neither is set."""
    value = os.environ.get(name)
    file = os.environ.get(f"{name}_FILE")
    if file is None or file == "":
        return value
    if value is not None:
        raise WrongVariableError(name, f"set either {name} or {name}_FILE, not both")
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongVariableError(
            f"{name}_FILE", f"cannot read {file} ({type(error).__name__}); check path and permissions"
        ) from error


def text(name: str, default: str | None = None) -> str:
    value = lookup(name)
    if value is None or value == "":
        if default is None:
            raise WrongVariableError(name, "is not set and has no default; set it")
        return default
    return value


def boolean(name: str, default: bool) -> bool:
    value = lookup(name)
    if value is None or value == "":
        return default
    word = value.strip().lower()
    if word not in TRUE | FALSE:
        raise WrongVariableError(name, f"'{value}' is neither true nor false; use 1 or 0")
    return word in TRUE


def number(name: str, default: float, *, minimum: float, maximum: float) -> float:
    value = lookup(name)
    if value is None or value == "":
        return default
    try:
        parsed = float(value)
    except ValueError:
        raise WrongVariableError(name, f"'{value}' is not a number") from None
    if not minimum <= parsed <= maximum:
        raise WrongVariableError(name, f"{value} is outside {minimum:g} to {maximum:g}")
    return parsed


def integer(name: str, default: int, *, minimum: int, maximum: int) -> int:
    parsed = number(name, default, minimum=minimum, maximum=maximum)
    if parsed != int(parsed):
        raise WrongVariableError(name, f"{parsed} is not a whole number")
    return int(parsed)


def choice(name: str, default: str, *, options: Sequence[str]) -> str:
    value = text(name, default)
    if value not in options:
        raise WrongVariableError(name, f"'{value}' is not one of {', '.join(options)}")
    return value


def words(name: str, default: Sequence[str] = ()) -> list[str]:
    """A comma-separated list."""
    value = lookup(name)
    if value is None or value == "":
        return list(default)
    return [word.strip() for word in value.split(",") if word.strip()]


def path(name: str, default: Path) -> Path:
    return Path(text(name, str(default))).expanduser().resolve()


def url(name: str, default: str = "") -> str:
    """An address over TLS, or over plain HTTP on this machine; empty where unset."""
    value = text(name, default)
    if value and not is_private_url(value):
        raise WrongVariableError(name, "must be an https address (http only for this machine), without a user name in it")
    return value


def is_private_url(value: str) -> bool:
    """Whether what is sent there travels over TLS or not at all."""
    try:
        parts = urlsplit(value)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or parts.password is not None:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
