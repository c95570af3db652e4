"""Cuts a request off as a whole: the timeouts of an HTTP client count from byte to byte, so that a peer which sends its headers
one by one would keep the thread that reads them for ever.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Any

CONNECTED = ("connect_tcp.complete", "start_tls.complete")


class Line:
    """What lies beneath a request, as the client's ``trace`` tells of it; ``is_cut`` once its time was over."""

    def __init__(self) -> None:
        self.is_cut = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(CONNECTED):
            with self._lock:
                self._sockets.append(info["return_value"].get_extra_info("socket"))
                if self.is_cut:
                    self._shut()

    def cut(self) -> None:
        with self._lock:
            self.is_cut = True
            self._shut()

    def _shut(self) -> None:
        for one in self._sockets:
            with contextlib.suppress(OSError):  # closed by now, or wrapped into the next one
                one.shutdown(socket.SHUT_RDWR)  # wakes whoever reads, as a close would not


@contextlib.contextmanager
def after(seconds: float) -> Iterator[Line]:
    """A line for one request, which is cut where the request has not ended by then."""
    line = Line()
    timer = threading.Timer(seconds, line.cut)
    timer.daemon = True
    timer.start()
    try:
        yield line
    finally:
        timer.cancel()
