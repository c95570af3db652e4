"""Where a bench keeps its rows: a database of its own on the server that is named, else SQLite in its own directory.

What already is on that server is neither read nor written, so that naming the one in use by mistake costs nobody anything.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql


class DatabaseError(RuntimeError):
    """The named server gives us no database."""


@contextmanager
def own(server: str) -> Iterator[dict[str, str]]:
    """A fresh database, as environment; it is gone afterwards. No PostgreSQL means SQLite, and nothing to say."""
    if not server.startswith("postgres"):
        yield {}
        return
    name = f"bench_{secrets.token_hex(4)}"
    _do(server, "CREATE DATABASE {}", name)
    try:
        yield {"DATABASE_URL": urlunsplit(urlsplit(server)._replace(path=f"/{name}"))}
    finally:
        _do(server, "DROP DATABASE {} WITH (FORCE)", name)


def _do(server: str, statement: str, name: str) -> None:
    try:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
    except psycopg.Error as error:
        way_out = "name a server in DATABASE_URL whose user may create databases, or none"
        raise DatabaseError(f"no database for the bench ({str(error).strip()}): {way_out}") from None
