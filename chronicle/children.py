"""Processes that must not outlive us: each dies with its parent, writes to a log of its own, and is started again if it falls.

A stop signals the parent of each process tree alone (a Celery pool child that gets TERM dies in the middle of its task), and
kills the whole tree only when that was not enough.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
STEADY_S = 10.0  # a process that ran for so long starts its count of falls afresh
LONGEST_PAUSE_S = 15.0
LOOK_EVERY_S = 0.05
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class ChildError(RuntimeError):
    """A process ended, or did not come up; the message ends with the last lines of its log and the log's path."""


class Child:
    """One process. Start it from the main thread: its death signal is bound to the thread that started it."""

    def __init__(self, name: str, command: Sequence[str], *, environ: Mapping[str, str], log: Path, directory: Path) -> None:
        self.name = name
        self.command = tuple(command)
        self.environ = dict(environ)
        self.log = log
        self.directory = directory
        self.process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._falls = 0
        self._not_before = 0.0

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.directory,
                env=self.environ,
                start_new_session=True,  # Ctrl-C reaches us alone, and a tree can be killed whole
                preexec_fn=_die_with(os.getpid()),
            )
        self._started = time.monotonic()

    @property
    def pid(self) -> int:
        if self.process is None:
            raise ChildError(f"{self.name} was not started")
        return self.process.pid

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait_for(self, condition: Callable[[], bool], *, timeout: float, what: str) -> None:
        """Until ``condition()`` holds; a process that ends meanwhile, or takes longer, raises ChildError."""
        give_up = time.monotonic() + timeout
        while not condition():
            if not self.running():
                raise ChildError(self.complaint(f"ended while it started ({what})"))
            if time.monotonic() > give_up:
                raise ChildError(self.complaint(f"did not come up within {timeout:g} s ({what})"))
            time.sleep(LOOK_EVERY_S)

    def mend(self) -> bool:
        """Start again if it fell, at once the first time and then after longer and longer pauses. True if it did."""
        if self.process is None or self.running() or time.monotonic() < self._not_before:
            return False
        if time.monotonic() - self._started > STEADY_S:
            self._falls = 0
        self._falls += 1
        self._not_before = time.monotonic() + min(2.0**self._falls - 1, LONGEST_PAUSE_S)
        self.start()
        return True

    def complaint(self, fault: str) -> str:
        try:
            lines = self.log.read_text(errors="replace").splitlines()[-12:]
        except OSError:
            lines = []
        return "\n".join(
            [f"{self.name} {fault}. Its last lines:", *(f"    {line}" for line in lines), f"The whole log: {self.log}"]
        )

    def signal(self, number: int) -> None:
        if self.process is not None and self.running():
            self.process.send_signal(number)

    def kill(self) -> None:
        """The whole tree, at once."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def stop(children: Iterable[Child], *, patience: float) -> None:
    """TERM to all, then wait for all, then KILL what is left of each tree."""
    stopping = list(children)
    for child in stopping:
        child.signal(signal.SIGTERM)
    give_up = time.monotonic() + patience
    while any(child.running() for child in stopping) and time.monotonic() < give_up:
        time.sleep(LOOK_EVERY_S)
    for child in stopping:
        child.kill()
        child.process = None


def signal_at_parents_death(number: int) -> None:
    """Have the kernel send this process a signal when the thread that started it ends (Linux)."""
    if _LIBC is not None:
        _LIBC.prctl(PR_SET_PDEATHSIG, number)


def _die_with(parent: int) -> Callable[[], None] | None:
    if _LIBC is None:
        return None

    def preexec() -> None:
        signal_at_parents_death(signal.SIGTERM)
        if os.getppid() != parent:  # it died between the fork and this line
            os._exit(1)

    return preexec
