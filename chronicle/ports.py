"""Which port to listen on: the one that was asked for, the usual one, or the next that is free, said aloud."""

from __future__ import annotations

import socket
from collections.abc import Callable

from chronicle.children import ChildError

HOST = "127.0.0.1"
TRIES = 200


def choose(given: str | None, usual: int, *, name: str, say: Callable[[str], None]) -> int:
    """``given`` must be free (0: any free one). Without it the usual one, or the next free one after it."""
    if given == "0":
        return _any()
    if given:
        if not given.isdigit() or not _is_free(int(given)):
            raise ChildError(f"port {given} is taken or is no port: stop what listens there, or set {name} to another")
        return int(given)
    port = next((port for port in range(usual, usual + TRIES) if _is_free(port)), None)
    if port is None:
        raise ChildError(f"ports {usual} to {usual + TRIES - 1} are all taken: set {name} to a free one")
    if port != usual:
        say(f"port {usual} is taken; using {port} (set {name} to choose)")
    return port


def _any() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError):
            return False
        return True
