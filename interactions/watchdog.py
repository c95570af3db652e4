"""A kernel timer that kills this worker child before its lease ends, so that a frozen holder can never wake up and act.

Only a prefork child enables it; there the default action of SIGALRM ends the process and its parent starts another. billiard
installs handlers of its own, so the default is set again each time the timer is armed.
"""

from __future__ import annotations

import signal
import threading

_enabled = False


def enable() -> None:
    """Called once in each prefork child, which may be killed at any time."""
    global _enabled
    _enabled = True


def arm(lease_s: float) -> None:
    """(Re)start the timer: the process dies at nine tenths of the lease unless armed again or disarmed."""
    if _enabled:
        if threading.current_thread() is threading.main_thread():  # no other may; the holder's first arming was here
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.9 * lease_s)


def disarm() -> None:
    if _enabled:
        signal.setitimer(signal.ITIMER_REAL, 0)
