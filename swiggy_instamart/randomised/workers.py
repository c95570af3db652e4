"""Workers that die. A job runs as a process of its own would: killed or frozen at a statement or a call, it does nothing more.

A killed process runs no ``finally``. So after the blow every further statement and call of the job is refused, whatever its
code tries to tidy up, and the database takes the open transaction back.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

TIDYING = ("ROLLBACK", "RELEASE", "BEGIN")  # what the server does by itself when its client is gone; a begin changes nothing


class Killed(BaseException):
    """The worker is gone from here on; no code of the product may catch this."""


@dataclass
class Blow:
    """What strikes the next jobs: at the ``left``-th statement, or at the ``left``-th call.

    ``where`` is of a call: before it left, after its effect and before its answer (``lost``), or still under way (``flying``).
    ``frozen``: nobody can tell that the process is gone, only its lease ends.
    """

    at: str
    left: int
    where: str = "before"
    frozen: bool = False

    def strikes(self, at: str) -> bool:
        if self.at != at:
            return False
        self.left -= 1
        return self.left <= 0


@dataclass
class Frame:
    """One job under way."""

    names: list[str] = field(default_factory=list)
    dead: bool = False


class Workers:
    """Runs jobs one inside the other, as processes at the same time would meet each other."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.gone: set[str] = set()
        self.blow: Blow | None = None
        self.watching = True
        self.deaths = 0

    def run(self, job: Callable[[], Any]) -> None:
        self.frames.append(Frame())
        try:
            job()
        except Killed:
            self.deaths += 1
        finally:
            self.frames.pop()

    def may_hold(self) -> bool:
        """Whether a lease may be held that nobody is about to give back."""
        return bool(self.frames or self.deaths)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What the harness itself asks the database is no statement of the job's."""
        before, self.watching = self.watching, False
        try:
            yield
        finally:
            self.watching = before

    # ---- what the product sees

    def name(self) -> str:
        name = f"boot:space:1:1:{uuid.uuid4().hex[:8]}"
        if self.frames:
            self.frames[-1].names.append(name)
        return name

    def is_gone(self, owner: str) -> bool:
        return owner in self.gone

    def statement(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """The wrapper of every statement of the connection."""
        if self.frames and self.watching and not sql.startswith(TIDYING):
            if self.frames[-1].dead:
                raise Killed
            if self.blow is not None and self.blow.strikes("statement"):
                self.die()
        return execute(sql, params, many, context)

    def call(self) -> Blow | None:
        """Asked at each call to a peer: the blow that strikes it."""
        if self.frames and self.frames[-1].dead:
            raise Killed
        if self.frames and self.blow is not None and self.blow.strikes("call"):
            blow, self.blow = self.blow, None
            if blow.where == "before":
                self.die(frozen=blow.frozen)
            return blow
        return None

    def die(self, *, frozen: bool | None = None) -> None:
        blow, self.blow = self.blow, None
        frame = self.frames[-1]
        frame.dead = True
        if not (blow.frozen if frozen is None and blow is not None else frozen):
            self.gone.update(frame.names)
        raise Killed
