"""``REDIS_URL`` as its three readers want it: Celery's transport, django-eventstream's client, and their time bounds.

``redis://``, ``rediss://``, and for a Unix socket ``unix:///path?db=N`` or ``redis+socket:///path?virtual_host=N``.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from chronicle.env import WrongVariableError

SOCKETS = ("unix", "redis+socket", "valkey+unix")
SERVERS = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss"}
PUBLISH_S = 0.3


def celery_url(url: str) -> str:
    parts, options = _parts(url)
    if parts.scheme in SOCKETS:
        return f"redis+socket://{parts.path}?virtual_host={_number(options)}"
    return url.replace(parts.scheme, SERVERS[parts.scheme], 1)


def client_options(url: str) -> dict[str, Any]:
    """Keyword arguments of ``redis.Redis``. No read timeout: the listener waits for ever, a publisher sets its own."""
    parts, options = _parts(url)
    bounds = {"socket_connect_timeout": PUBLISH_S, "socket_keepalive": True}
    if parts.scheme in SOCKETS:
        del bounds["socket_keepalive"]
        return {"unix_socket_path": unquote(parts.path), "db": _number(options), **bounds}
    arguments: dict[str, Any] = {
        "host": parts.hostname or "127.0.0.1",
        "port": parts.port or 6379,
        "db": _number({"db": parts.path.strip("/")}),
        **bounds,
    }
    if parts.username:
        arguments["username"] = unquote(parts.username)
    if parts.password:
        arguments["password"] = unquote(parts.password)
    if SERVERS[parts.scheme] == "rediss":
        arguments["ssl"] = True
    return arguments


def transport_options(*, role: str) -> dict[str, Any]:
    """A request waits at most PUBLISH_S for the broker; a worker's consumer may wait longer, for it reads with a timeout."""
    web = role == "web"
    return {
        "socket_connect_timeout": PUBLISH_S if web else 2,
        "socket_timeout": PUBLISH_S if web else 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "retry_on_timeout": False,
        "max_retries": 0 if web else 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
        "visibility_timeout": 3600,
    }


def _parts(url: str) -> tuple[Any, dict[str, str]]:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise WrongVariableError("REDIS_URL", f"cannot be read ({error})") from None
    if parts.scheme not in (*SOCKETS, *SERVERS):
        raise WrongVariableError("REDIS_URL", f"'{parts.scheme}' is none of redis, rediss, unix, redis+socket")
    return parts, dict(parse_qsl(parts.query))


def _number(options: dict[str, str]) -> int:
    value = options.get("db") or options.get("virtual_host") or "0"
    if not value.isdigit():
        raise WrongVariableError("REDIS_URL", f"'{value}' is not a database number")
    return int(value)
