"""Refuses a database that could forget a commit: the row that guards a checkout must outlive a power cut.

Checked on the first connection of each process, where the answer comes from the database itself and not from our settings.
"""

from __future__ import annotations

from contextlib import closing
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

SQLITE_FULL = 2
SYNCHRONOUS = frozenset({"on", "remote_apply"})

_trusted: set[tuple[str, str]] = set()


def watch() -> None:
    """Look at the first connection of this process, whoever opens it."""
    connection_created.connect(_first_look, dispatch_uid="chronicle.durability")


def verify() -> None:
    """Open the connection now, so that a start is refused rather than a request. A database that is away is not a fault."""
    try:
        connections["default"].ensure_connection()
    except OperationalError:
        return
    finally:
        connections["default"].close()


def _first_look(connection: BaseDatabaseWrapper, **_: Any) -> None:
    name = (connection.alias, str(connection.settings_dict["NAME"]))
    if name in _trusted:
        return
    found = faults(connection)
    if found:
        connection.close()
        raise ImproperlyConfigured("the database may forget what it said it stored: " + "; ".join(found))
    _trusted.add(name)


def faults(connection: BaseDatabaseWrapper) -> list[str]:
    """What of this connection's settings could lose a commit in a power cut, or fail a writer at once."""
    if connection.vendor == "sqlite":
        return _sqlite(connection)
    if connection.vendor == "postgresql":
        return _postgresql(connection)
    return [f"{connection.vendor} is not supported; use SQLite or PostgreSQL in DATABASE_URL"]


def _sqlite(connection: BaseDatabaseWrapper) -> list[str]:
    found = []
    mode = (connection.settings_dict.get("OPTIONS") or {}).get("transaction_mode") or ""
    if mode.upper() != "IMMEDIATE":
        found.append(f"SQLite transaction_mode is {mode or 'DEFERRED'}, it must be IMMEDIATE")
    journal, synchronous = str(_ask(connection, "PRAGMA journal_mode")), int(_ask(connection, "PRAGMA synchronous"))
    in_memory = bool(getattr(connection, "is_in_memory_db", lambda: False)())
    if journal != "wal" and not in_memory:
        found.append(f"SQLite journal_mode is {journal}, it must be WAL (keep the file on a local disk)")
    if synchronous < SQLITE_FULL:
        found.append(f"SQLite synchronous is {synchronous}, it must be FULL")
    return found


def _postgresql(connection: BaseDatabaseWrapper) -> list[str]:
    found = []
    synchronous, fsync = str(_ask(connection, "SHOW synchronous_commit")), str(_ask(connection, "SHOW fsync"))
    if synchronous not in SYNCHRONOUS:
        found.append(f"PostgreSQL synchronous_commit is {synchronous}, it must be on (or remote_apply)")
    if fsync != "on":
        found.append(f"PostgreSQL fsync is {fsync}, it must be on")
    return found


def _ask(connection: BaseDatabaseWrapper, statement: str) -> Any:
    # The driver's own cursor: inside connection_created the wrapper is not ready for one of Django's.
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]
