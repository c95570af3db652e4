"""A pool child whose parent was killed ends the task that it is doing, and then itself.

Nobody else would end it: its siblings hold the pipe open that it waits at, so it would wait for ever, with its memory and its
connection to the database.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any

from celery.signals import task_postrun, task_prerun, worker_process_init

from chronicle import children

NOTICE = signal.SIGUSR2  # neither Celery nor billiard uses it in a child

_busy = _orphaned = False


@worker_process_init.connect
def _ask_to_be_told(**_: Any) -> None:
    if sys.platform == "linux":
        signal.signal(NOTICE, _parent_died)
        children.signal_at_parents_death(NOTICE)


def _parent_died(number: int, frame: FrameType | None) -> None:
    global _orphaned
    _orphaned = True
    if not _busy:
        os._exit(0)


@task_prerun.connect
def _begin(**_: Any) -> None:
    global _busy
    _busy = True


@task_postrun.connect
def _end(**_: Any) -> None:
    global _busy
    _busy = False
    if _orphaned:
        os._exit(0)
