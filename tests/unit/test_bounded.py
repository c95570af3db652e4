"""What may hang is waited for so long and no longer, and what it raises is raised where it is waited for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from interactions import bounded
from interactions.bounded import DeadlineError


def raising(error: BaseException) -> Callable[[], None]:
    def work() -> None:
        raise error

    return work


def test_what_comes_back_in_time_is_returned() -> None:
    assert bounded.call(lambda: 42, 5) == 42


def test_what_hangs_is_left_behind_at_its_bound() -> None:
    released, began = threading.Event(), time.monotonic()
    try:
        with pytest.raises(DeadlineError):
            bounded.call(released.wait, 0.05)
        assert time.monotonic() - began < 2
    finally:
        released.set()


@pytest.mark.parametrize("error", [ValueError("ouch"), TimeoutError("a socket's")])
def test_what_it_raises_is_raised_as_it_was(error: Exception) -> None:
    with pytest.raises(type(error), match=str(error)):
        bounded.call(raising(error), 5)


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), asyncio.CancelledError()])
def test_an_exit_ends_the_call_and_not_the_process(error: BaseException) -> None:
    with pytest.raises(RuntimeError, match=type(error).__name__):
        bounded.call(raising(error), 5)
