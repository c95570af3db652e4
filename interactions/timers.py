"""Rings once more for a session when its time comes, from inside a worker child. The row says what is due: this only looks in
time, between two sweeps, and whatever dies with its process is found by the next one.
"""

from __future__ import annotations

import threading
from datetime import datetime

from interactions import clock, doorbells

LONGEST_S = 6.0  # what is due later is the sweep's
LATE_S = 0.02  # so much after, lest the clock of whoever looks is a little behind

_enabled = False
_set: set[tuple[int, datetime]] = set()


def enable() -> None:
    """Called once in each worker child; nowhere else does anything ring by itself."""
    global _enabled
    _enabled = True


def ring_at(session: int, at: datetime) -> bool:
    """Ring for the session at ``at``, once however often it is asked for; False where the sweep will."""
    wait_s = (at - clock.now()).total_seconds()
    if not _enabled or wait_s > LONGEST_S or (session, at) in _set:
        return False
    _set.add((session, at))
    timer = threading.Timer(max(0.0, wait_s) + LATE_S, _ring, (session, at))
    timer.daemon = True
    timer.start()
    return True


def _ring(session: int, at: datetime) -> None:
    _set.discard((session, at))
    doorbells.ring(session)
