"""Waiting for a condition, never for a while. The one place in the tests that looks at a clock to give up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
LOOK_EVERY_S = 0.03


class NeverHappenedError(AssertionError):
    """What was waited for did not come in time."""


def wait_until(condition: Callable[[], Found], timeout: float, what: str) -> Found:
    """Look until ``condition()`` is true, and return what it gave; after ``timeout`` seconds fail, naming ``what``."""
    give_up = time.monotonic() + timeout
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() >= give_up:
            raise NeverHappenedError(f"after {timeout:g} s: {what} (last seen: {found!r})")
        threading.Event().wait(LOOK_EVERY_S)
