"""Counts the durable actions of a process, and stops it at one of them.

A durable action is a commit that wrote something: an outermost transaction, or a statement outside any. It is named after the
function of ours that committed. A sweep's heartbeats and rings come by the clock and are not counted.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from django.db.backends.signals import connection_created

WRITES = ("INSERT", "UPDATE", "DELETE")
UNCOUNTED = frozenset({"interactions.sweep.beat", "interactions.sweep.pending"})
OURS = "interactions.certification"


@dataclass(frozen=True, slots=True)
class Trap:
    """At this side of the nth durable action. ``kill`` and ``stop`` are signals to ourselves, ``hold`` waits until let go."""

    number: int
    side: str  # before, after
    what: str  # kill, stop, hold


@dataclass
class Probe:
    """``say`` reports to whoever watches; ``wait`` returns when that one lets us go on."""

    roots: tuple[str, ...]
    say: Callable[[dict[str, Any]], None]
    wait: Callable[[], None]
    traps: tuple[Trap, ...] = ()
    seen: list[str] = field(default_factory=list)
    _wrote: bool = False

    def install(self) -> None:
        connection_created.connect(self.watch, weak=False, dispatch_uid="certification.probe")

    def watch(self, connection: Any, **_: Any) -> None:
        """Count what this connection makes last. Any: a commit is a private method of Django's wrappers."""
        connection.execute_wrappers.append(self._execute)
        commit, rollback = connection._commit, connection._rollback

        def counted() -> None:
            if not self._wrote:
                commit()
                return
            self._wrote = False
            with self._action():
                commit()

        def undone() -> None:
            self._wrote = False
            rollback()

        connection._commit, connection._rollback = counted, undone

    def _execute(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if not sql.lstrip()[:6].upper().startswith(WRITES):
            return execute(sql, params, many, context)
        if context["connection"].in_atomic_block:
            result = execute(sql, params, many, context)
            self._wrote |= _wrote(sql, context)
            return result
        with self._action() as action:
            result = execute(sql, params, many, context)
            action.void |= not _wrote(sql, context)
        return result

    def _action(self) -> _Action:
        return _Action(self, _named(self.roots))

    def at(self, side: str, name: str) -> None:
        number = len(self.seen) + (side == "before")
        for trap in self.traps:
            if (trap.number, trap.side) == (number, side):
                self._spring(trap, name)

    def _spring(self, trap: Trap, name: str) -> None:
        self.say({"trap": trap.what, "side": trap.side, "number": trap.number, "label": name})
        if trap.what == "hold":
            left = signal.setitimer(signal.ITIMER_REAL, 0)  # being looked at is no reason to die
            self.wait()
            signal.setitimer(signal.ITIMER_REAL, *left)
        else:
            os.kill(os.getpid(), signal.SIGKILL if trap.what == "kill" else signal.SIGSTOP)


class _Action:
    """One durable action, from the instant before it to the instant after."""

    def __init__(self, probe: Probe, name: str) -> None:
        self.probe, self.name, self.void = probe, name, name in UNCOUNTED

    def __enter__(self) -> _Action:
        if not self.void:
            self.probe.at("before", self.name)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and not self.void:
            self.probe.seen.append(self.name)
            self.probe.at("after", self.name)


def _wrote(sql: str, context: dict[str, Any]) -> bool:
    """SQLite counts the rows of a RETURNING only once they were fetched; none of ours returns nothing."""
    return context["cursor"].rowcount != 0 or " RETURNING " in sql


def _named(roots: tuple[str, ...]) -> str:
    """The innermost function of ours on the stack."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(roots) and not module.startswith(OURS):
            return f"{module}.{frame.f_code.co_name}"
        frame = frame.f_back
    return "elsewhere"
