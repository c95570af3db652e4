"""What a system of the stack tests stands on: an environment of its own, a database of its own, and which processes are its.

Where DATABASE_URL names a PostgreSQL, each stack gets a database of its own there; else SQLite in its directory.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

from chronicle import stack
from chronicle.bench import database as own_database


def environ(**more: str) -> dict[str, str]:
    """What a stack's processes may know: nothing of this machine's services, nothing of the tests in process."""
    return stack.alone(os.environ) | more


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


def database() -> AbstractContextManager[dict[str, str]]:
    """A database for one stack, as environment."""
    return own_database.own(os.environ.get("DATABASE_URL", ""))
