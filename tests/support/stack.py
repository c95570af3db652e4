"""Real processes for the stack tests: the product's own ``Stack``, in a directory and on ports of its own.

Where DATABASE_URL names a PostgreSQL, each stack gets a database of its own there; else SQLite in its directory.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from chronicle import demo, stack


def environ(**more: str) -> dict[str, str]:
    """What a stack's processes may know: nothing of this machine's services, nothing of the tests in process."""
    return stack.alone(os.environ) | more


@contextmanager
def running(data: Path, **more: str) -> Iterator[stack.Stack]:
    """The whole system, up; ``more`` are environment variables of its processes."""
    with database() as url, stack.Stack(data, environ=environ(**url | more), say=lambda _: None) as system:
        yield system


def shell(system: stack.Stack, code: str) -> str:
    """Run a few lines inside the system's own settings, as an operator could; what they print."""
    return system.run("shell", [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]).strip()


def add_device(system: stack.Stack, client_id: str, *, user: str = "asha") -> str:
    """Another device of a person; its token."""
    command = [sys.executable, "manage.py", "devices", "add", user, client_id, "--cap", "voice", "--cap", "screen"]
    return system.run("devices", command).splitlines()[-1]


def ledger(system: stack.Stack) -> Any:
    return demo.control(system.sandbox, "ledger")


def processes_of(data: Path) -> set[int]:
    """The running processes whose environment names this data directory (Linux)."""
    mark = f"CHRONICLE_DATA_DIR={data.resolve()}".encode()
    found = set()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state = (place / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and mark in (place / "environ").read_bytes().split(b"\0"):
                found.add(int(place.name))
        except OSError:
            continue
    return found


@contextmanager
def database() -> Iterator[dict[str, str]]:
    """A database for one stack, as environment."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield {}
        return
    name = f"stack_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield {"DATABASE_URL": urlunsplit(urlsplit(server)._replace(path=f"/{name}"))}
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
