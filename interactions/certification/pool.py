"""Several slots side by side, each a process of one thread that forks its own workers."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from interactions.certification import baseline, runs
from interactions.certification.baseline import Baseline
from interactions.certification.contracts import Case, Control, Conversation, Result, Suite
from interactions.certification.slots import Slot, Snapshot

_slot: Slot | None = None
_empty: Snapshot | None = None


@dataclass(frozen=True)
class Task:
    """A case with the undisturbed run it starts from; ``control`` names the guard that is removed first."""

    case: Case
    baseline: Baseline
    control: Control | None = None


class Pool:
    """``with Pool(suite, home, slots) as pool``: baselines first, then runs, results as they come."""

    def __init__(self, suite: Suite, home: Path, slots: int) -> None:
        self.slots = slots
        context = get_context("fork")
        numbers = context.SimpleQueue()
        for number in range(slots):
            numbers.put(number)
        self._executor = ProcessPoolExecutor(slots, context, _open, (suite, home, numbers))

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(cancel_futures=True)

    def baselines(self, conversations: Iterable[Conversation]) -> Iterator[Baseline]:
        yield from self._executor.map(_record, conversations)

    def runs(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        waiting = {self._executor.submit(_run, task): task for task in tasks}
        for future in as_completed(waiting):
            yield waiting[future], future.result()


def _open(suite: Suite, home: Path, numbers: Any) -> None:
    global _slot, _empty
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and shuts us down
    _slot = Slot(suite, home, numbers.get())
    _slot.open()
    _slot.fresh({})
    _empty = _slot.take({})


def _record(conversation: Conversation) -> Baseline:
    assert _slot is not None
    assert _empty is not None
    return baseline.record(_slot, _slot.suite, conversation, _empty)


def _run(task: Task) -> Result:
    assert _slot is not None
    line = task.baseline.lines[task.case.line]
    sabotage: Callable[[], None] | None = task.control.sabotage if task.control else None
    _slot.sabotage = sabotage
    return runs.run(_slot, _slot.suite, task.baseline.conversation, line.before, task.case, end=task.baseline.end)
