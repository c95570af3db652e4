"""A process forked off to be killed: what it says comes over a pipe, how it ends is asked of the kernel.

The parent has imported everything and opened nothing: no thread, no socket, no database connection. So a child is as fresh as
a started one and costs milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import signal
import traceback
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

Message = dict[str, Any]
GLANCE_S = 0.02


class ChildError(Exception):
    """A child broke by itself, or neither spoke nor ended in time."""


class Child:
    """``work(channel)`` runs in a forked process. ``messages`` keeps everything it said."""

    def __init__(self, work: Callable[[Connection], None]) -> None:
        ours, theirs = Pipe()
        self.messages: list[Message] = []
        self.status: int | None = None  # as waitpid tells it, once it has ended
        self.stopped = False
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            _live(work, theirs)
        theirs.close()
        self.channel = ours

    def look(self) -> None:
        """Take in what it has said and what became of it; returns at once or after a glance."""
        try:
            while self.status is None and self.channel.poll(GLANCE_S):
                self.messages.append(self.channel.recv())
                if "trap" in self.messages[-1]:
                    break
        except (EOFError, ConnectionResetError):
            pass
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
            if pid and os.WIFSTOPPED(status):
                self.stopped = True
            elif pid:
                self.status = status
                self._rest()

    def _rest(self) -> None:
        try:
            while self.channel.poll(0):
                self.messages.append(self.channel.recv())
        except (EOFError, ConnectionResetError):
            pass
        self.channel.close()

    def until(self, done: Callable[[], bool], *, within_s: float) -> bool:
        """Watch until ``done`` or it has ended; False if it ended first. Raises ChildError when the time is over."""
        ends = monotonic() + within_s
        while not done():
            if self.status is not None:
                return False
            if monotonic() > ends:
                self.kill()
                raise ChildError(f"nothing happened within {within_s:.0f} s; last said {self.messages[-1:]}")
            self.look()
        return True

    def join(self, *, within_s: float) -> int:
        """Wait for its end: the signal that ended it, or 0. Raises ChildError with its traceback where it broke by itself."""
        self.until(lambda: self.status is not None, within_s=within_s)
        assert self.status is not None
        broken = next((message["broke"] for message in self.messages if "broke" in message), None)
        if broken is not None:
            raise ChildError(broken)
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0

    def said(self, key: str) -> Any:
        """The last thing it said under this key, or None."""
        return next((message[key] for message in reversed(self.messages) if key in message), None)

    def go_on(self) -> None:
        """Let go of a child that holds still."""
        with contextlib.suppress(OSError):  # it has died meanwhile
            self.channel.send(None)

    def send(self, number: int) -> None:
        if self.status is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        if self.status is None:
            self.send(signal.SIGKILL)
            _, self.status = os.waitpid(self.pid, 0)
            self._rest()


def _live(work: Callable[[Connection], None], channel: Connection) -> None:
    code = 0
    try:
        work(channel)
    except BaseException:  # noqa: BLE001  the edge of a process: whatever broke is said to its parent
        code = 1
        channel.send({"broke": traceback.format_exc()})
    finally:
        os._exit(code)
