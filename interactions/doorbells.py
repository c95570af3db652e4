"""Doorbells: Celery messages that say only "this session has work". Losing, doubling or reordering them costs only time.

Publishing is bounded by the broker settings, swallowed, and paused for a moment after a failure; the sweep rings again.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from celery import current_app
from django.conf import settings
from django.db import connection, transaction
from kombu.exceptions import KombuError

log = logging.getLogger(__name__)

BREAKER_S = 2.0
EXPIRES_S = 30  # else sweeping with the workers off fills the queue
TURNS, EFFECTS = "interactions.drain", "interactions.perform"
CHAIN = "interactions.run_chain"
WAITING_CHAIN = "interactions.run_waiting_chain"
ALARM = "interactions.alarm"
CHECK = "interactions.check_plugin"
HEARTBEAT = "interactions.heartbeat"

_broken_until = 0.0


def ring(row: int, task: str = TURNS) -> bool:
    """Publish one doorbell; False where it was not (no broker, broken a moment ago)."""
    return _publish(task, row)


def ask_for_heartbeat(queue: str) -> bool:
    """Have whoever serves the queue say so; a deaf worker is one that does not."""
    return _publish(HEARTBEAT, queue, queue=queue)


@contextmanager
def muted() -> Iterator[None]:
    """Publish nothing meanwhile: whoever does all the work itself rings for nobody, and need not wait for a broker."""
    global _broken_until
    before, _broken_until = _broken_until, math.inf
    try:
        yield
    finally:
        _broken_until = before


def _publish(task: str, argument: int | str, *, queue: str | None = None) -> bool:
    global _broken_until
    if not settings.REDIS_URL or time.monotonic() < _broken_until:
        return False
    try:
        current_app.send_task(task, args=(argument,), queue=queue, expires=EXPIRES_S, retry=False)
    except (KombuError, OSError) as error:
        _broken_until = time.monotonic() + BREAKER_S
        log.warning("doorbells pause for %s s: %s", BREAKER_S, type(error).__name__)
        return False
    return True


def ring_after_commit(row: int, task: str = TURNS) -> None:
    """Once per transaction and row: several items of one commit need one doorbell."""
    waiting = (entry[1] for entry in connection.run_on_commit)
    if not any(isinstance(call, partial) and call.func is ring and call.args == (row, task) for call in waiting):
        transaction.on_commit(partial(ring, row, task), robust=True)
