"""Runs what may hang and waits for it only so long, on a thread of its own.

For what others wrote: the calls of ordinary plugins. A thread cannot be ended: what outlasts its bound goes on unread, so
whatever is called here bounds what it opens as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


class DeadlineError(Exception):
    """It did not come back within its bound. Whether it has done its work, or still does it, nobody knows."""


def call(work: Callable[[], T], seconds: float) -> T:
    """What ``work`` returns or raises; DeadlineError where that takes longer."""
    answer: Future[T] = Future()
    threading.Thread(target=_run, args=(work, answer), name="bounded", daemon=True).start()
    wait((answer,), timeout=seconds)
    if not answer.done():
        raise DeadlineError(f"no end after {seconds:g} s")
    return answer.result()


def _run(work: Callable[[], T], answer: Future[T]) -> None:
    try:
        try:
            done = work()
        finally:
            connections.close_all()  # those of this thread, before anybody goes on
    except Exception as error:  # noqa: BLE001  the edge of the thread; whoever waits raises it
        answer.set_exception(error)
    except BaseException as error:  # noqa: BLE001  an exit ends this thread, and is no reason to end the process
        answer.set_exception(RuntimeError(type(error).__name__))
    else:
        answer.set_result(done)
