"""``DATABASE_URL`` as Django's DATABASES entry, with the options that were measured to hold.

SQLite: IMMEDIATE, WAL, synchronous FULL. PostgreSQL: psycopg's pool for the web role only, since Celery closes what it finds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from chronicle.env import WrongVariableError

SQLITE_INIT = "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;"
WEB_TIMEOUT_S = 3
WORKER_TIMEOUT_S = 20
CONNECT_TIMEOUT_S = 3


def entry(url: str, *, role: str, pool_max: int) -> dict[str, Any]:
    """One database. Raises WrongVariableError naming DATABASE_URL."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise WrongVariableError("DATABASE_URL", f"cannot be read ({error})") from None
    options = dict(parse_qsl(parts.query))
    web = role == "web"
    if parts.scheme == "sqlite":
        return _sqlite(unquote(parts.path), options, web=web)
    if parts.scheme in ("postgres", "postgresql"):
        host = options.pop("host", "") or unquote(parts.hostname or "")
        arguments: dict[str, Any] = {"connect_timeout": CONNECT_TIMEOUT_S, **options}
        if web:
            arguments["pool"] = {"min_size": 2, "max_size": pool_max, "timeout": WEB_TIMEOUT_S}
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": host,
            "PORT": str(port or ""),
            # Under ASGI each request is a thread of its own: a kept connection would leak, the pool is what is kept.
            "CONN_MAX_AGE": 0 if web else None,
            "CONN_HEALTH_CHECKS": not web,
            "OPTIONS": arguments,
        }
    raise WrongVariableError("DATABASE_URL", f"'{parts.scheme}' is neither sqlite nor postgresql")


def _sqlite(path: str, options: dict[str, str], *, web: bool) -> dict[str, Any]:
    if options:
        raise WrongVariableError("DATABASE_URL", f"SQLite takes no options here ({', '.join(sorted(options))})")
    if path in ("", "/"):
        raise WrongVariableError("DATABASE_URL", "names no file; write sqlite:////absolute/path or sqlite:///relative/path")
    # sqlite:///a is relative, sqlite:////a is absolute
    name = Path(path[1:])
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name.resolve(),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": WEB_TIMEOUT_S if web else WORKER_TIMEOUT_S,
            "init_command": SQLITE_INIT,
        },
    }
