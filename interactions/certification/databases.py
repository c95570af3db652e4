"""Copies of a small database, taken and put back in milliseconds: a file of SQLite, or the rows of PostgreSQL.

Everything here goes through the drivers and not through Django, so that the process that forks never holds a connection.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import psycopg
from psycopg import sql


class Database(Protocol):
    """One database that runs use one after the other."""

    name: str

    def copy(self, to: Path) -> None:
        """Write down what is committed, also while somebody is connected."""

    def put_back(self, what: Path) -> None:
        """Make the database what it was when ``what`` was written; nobody else may be connected."""


class SqliteFile:
    def __init__(self, file: Path) -> None:
        self.name = str(file)
        self.file = file

    def copy(self, to: Path) -> None:
        with closing(sqlite3.connect(self.file, timeout=20)) as source, closing(sqlite3.connect(to)) as target:
            source.backup(target)

    def put_back(self, what: Path) -> None:
        for tail in ("-wal", "-shm"):
            Path(f"{self.file}{tail}").unlink(missing_ok=True)
        shutil.copyfile(what, self.file)
        with closing(sqlite3.connect(self.file)) as fresh:
            fresh.execute("PRAGMA journal_mode = wal")


class PostgresRows:
    """``address`` is what psycopg takes. Putting back needs a superuser, since triggers forbid what it does."""

    def __init__(self, address: Mapping[str, Any], name: str) -> None:
        self.address, self.name = dict(address), name

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(**self.address, dbname=self.name)

    def copy(self, to: Path) -> None:
        to.mkdir()
        with self._connect() as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            for (table,) in tables:
                with connection.cursor().copy(_copy(table, "TO STDOUT")) as rows, (to / table).open("wb") as file:
                    for block in rows:
                        file.write(block)
            found = connection.execute("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'")
            lines = [f"{name} {value}" for name, value in found.fetchall() if value is not None]
        (to / ".sequences").write_text("\n".join(lines))

    def put_back(self, what: Path) -> None:
        with self._connect() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
                [self.name],
            )
            connection.execute("SET session_replication_role = replica")
            tables = [table for (table,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
            connection.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, tables))))
            for table in tables:
                content = (what / table).read_bytes()
                with connection.cursor().copy(_copy(table, "FROM STDIN")) as rows:
                    rows.write(content)
            for name, _, value in (line.partition(" ") for line in (what / ".sequences").read_text().splitlines()):
                connection.execute("SELECT setval(%s, %s)", [name, int(value)])


def _copy(table: str, direction: str) -> sql.Composed:
    return sql.SQL("COPY {} " + direction + " (FORMAT binary)").format(sql.Identifier(table))


def slot(settings: Mapping[str, Any], number: int, *, home: Path) -> Database:
    """A database of a slot's own, equal to the one that ``settings`` (of Django) names."""
    if settings["ENGINE"].endswith("sqlite3"):
        found = SqliteFile(home / f"slot-{number}.sqlite3")
        SqliteFile(Path(settings["NAME"])).copy(found.file)
        return found
    address = {"host": settings["HOST"], "port": settings["PORT"], "user": settings["USER"], "password": settings["PASSWORD"]}
    given = {key: value for key, value in address.items() if value}
    name = f"{settings['NAME']}_certify_{number}"
    with psycopg.connect(**given, dbname="template1", autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(settings["NAME"]))
        connection.execute(made)
    return PostgresRows(given, name)
