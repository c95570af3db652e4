"""Races on purpose: threads with database connections of their own that stop at named points until they are told to go on.

A point is a function (``halt_before``, ``halt_after``) or a piece of SQL (``halt_at_sql``); only the act that was told to
stops there, once. What waits for a lock is seen in the database, so an interleaving is forced and never a matter of luck.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import close_old_connections, connection, connections

from tests.support.waiting import wait_until

BOUND_S = 20.0

_here = threading.local()


class Halt:
    """One stop of one act: reached once, left when told."""

    def __init__(self, point: str) -> None:
        self.point, self._missed = point, False
        self._reached, self._go = threading.Event(), threading.Event()

    def stop(self) -> None:
        if not self._reached.is_set():
            self._reached.set()
            assert self._go.wait(BOUND_S), f"nobody told the act at {self.point} to go on"

    def reached(self) -> None:
        assert self._reached.wait(BOUND_S), f"the act is still on its way to {self.point}"
        assert not self._missed, f"the act ended without coming to {self.point}"

    def over(self) -> None:
        """The act has ended: whoever waits for it here waits in vain."""
        self._missed = not self._reached.is_set()
        self._reached.set()

    def go(self) -> None:
        self._go.set()


class Act:
    """A worker, a device or a beat at work."""

    def __init__(self, stage: Stage, work: Callable[[], Any]) -> None:
        self._stage, self._work = stage, work
        self._before: dict[str, Halt] = {}
        self._after: dict[str, Halt] = {}
        self._sql: dict[str, Halt] = {}
        self._writing = False
        self._pid = 0
        self._result: Any = None
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    # ---- where it stops

    def halt_before(self, owner: Any, name: str) -> Halt:
        return self._before.setdefault(self._stage.seam(owner, name), Halt(name))

    def halt_after(self, owner: Any, name: str) -> Halt:
        return self._after.setdefault(self._stage.seam(owner, name), Halt(name))

    def halt_at_sql(self, part: str) -> Halt:
        """Before the first statement that contains ``part``."""
        return self._sql.setdefault(part, Halt(part))

    # ---- how it runs

    def start(self) -> Act:
        self._thread.start()
        return self

    def to(self, halt: Halt) -> Act:
        """Run it to where it stops."""
        self.start()
        try:
            halt.reached()
        except AssertionError as missed:
            raise missed from self._fault
        return self

    def is_blocked(self) -> None:
        """Come back once it waits for a lock that somebody else's transaction holds."""
        wait_until(lambda: not self._thread.is_alive() or self._waits(), BOUND_S, "the act waits for a lock")
        assert self._thread.is_alive(), f"the act did not wait: {self._fault!r}"

    def join(self) -> None:
        """Let it finish, whatever comes of it."""
        self._thread.join(BOUND_S)
        assert not self._thread.is_alive(), "a deadlock"

    def end(self) -> Any:
        """Let it finish; its result, or what it raised."""
        self.join()
        if self._fault is not None:
            raise self._fault
        return self._result

    def abort(self) -> None:
        for halt in self._halts():
            halt.go()
        if self._thread.ident is not None:
            self.join()

    def _waits(self) -> bool:
        if connection.vendor == "sqlite":  # it could not begin to write while it is not blocked: a write takes no time
            return self._writing
        with connection.cursor() as cursor:
            cursor.execute("SELECT wait_event_type FROM pg_stat_activity WHERE pid = %s", [self._pid])
            row = cursor.fetchone()
        return row is not None and row[0] == "Lock"

    def _run(self) -> None:
        _here.act = self
        try:
            connection.ensure_connection()
            if connection.vendor == "postgresql":
                self._pid = connection.connection.info.backend_pid
            with connection.execute_wrapper(self._statement):
                self._result = self._work()
        except BaseException as fault:  # noqa: BLE001 - shown by the test, whatever it is
            self._fault = fault
        finally:
            connections.close_all()
            for halt in self._halts():
                halt.over()

    def _halts(self) -> tuple[Halt, ...]:
        return (*self._before.values(), *self._after.values(), *self._sql.values())

    def _statement(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        for part, halt in self._sql.items():
            if part in sql:
                halt.stop()
        self._writing = sql.startswith(("BEGIN IMMEDIATE", "UPDATE", "INSERT", "DELETE"))
        try:
            return execute(sql, params, many, context)
        finally:
            self._writing = False


class Stage:
    """All acts of one test; at its end nobody is left on it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self._seams: set[str] = set()
        self._acts: list[Act] = []

    def act(self, work: Callable[[], Any]) -> Act:
        self._acts.append(Act(self, work))
        return self._acts[-1]

    def together(self, *works: Callable[[], Any]) -> list[Any]:
        """Run all of them at once, from one line on; what each returned. The first that raised is raised here."""
        line = threading.Barrier(len(works))

        def behind(work: Callable[[], Any]) -> Callable[[], Any]:
            def run() -> Any:
                line.wait(BOUND_S)
                return work()

            return run

        acts = [self.act(behind(work)).start() for work in works]
        return [act.end() for act in acts]

    def seam(self, owner: Any, name: str) -> str:
        """Make the function a place where acts may stop. A test that replaces it does so before."""
        point = f"{owner.__name__}.{name}"
        if point not in self._seams:
            self._seams.add(point)
            real = getattr(owner, name)

            def seam(*args: Any, **kwargs: Any) -> Any:
                act: Act | None = getattr(_here, "act", None)
                if act is not None and point in act._before:
                    act._before[point].stop()
                result = real(*args, **kwargs)
                if act is not None and point in act._after:
                    act._after[point].stop()
                return result

            self._patch.setattr(owner, name, seam)
        return point

    def close(self) -> None:
        for act in self._acts:
            act.abort()
        close_old_connections()


@contextmanager
def without(*constraints: tuple[Any, str]) -> Iterator[None]:
    """The database as it would be without these: (model, name of a constraint). For the control of a race only."""
    found = [(model, next(one for one in model._meta.constraints if one.name == name)) for model, name in constraints]
    if connection.vendor == "sqlite":
        assert all(constraint.condition for _, constraint in found), (
            "to drop it, SQLite would rebuild the table without triggers"
        )
    with connection.schema_editor() as editor:
        for model, constraint in found:
            editor.remove_constraint(model, constraint)
    try:
        yield
    finally:
        for model, _ in found:
            model.objects.all().delete()
        with connection.schema_editor() as editor:
            for model, constraint in found:
                editor.add_constraint(model, constraint)
