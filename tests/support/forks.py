"""Children of the test's own process: several that begin at the same moment, and one that dies at its n-th step on the disk."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable
from typing import Any

STEPS = ("open", "fsync", "mkdir", "replace", "rename", "symlink", "link", "unlink", "rmdir")


def together(count: int, act: Callable[[], str]) -> list[str]:
    """What ``act`` returned, or the exception it ended in, in each of ``count`` processes that began together."""
    gate_out, gate_in = os.pipe()
    children = []
    for _ in range(count):
        told_out, told_in = os.pipe()
        child = os.fork()
        if not child:
            os.close(gate_in)
            os.read(gate_out, 1)  # returns when the parent lets go of its end
            try:
                said = act()
            except Exception as error:  # noqa: BLE001  the edge of the child: the test judges it
                said = f"{type(error).__name__}: {error}"
            os.write(told_in, said.encode())
            os._exit(0)
        os.close(told_in)
        children.append((child, told_out))
    os.close(gate_out)
    os.close(gate_in)
    return [_heard(child, told) for child, told in children]


def _heard(child: int, told: int) -> str:
    with os.fdopen(told, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said


def killed_after(steps: int, act: Callable[[], Any]) -> bool:
    """Run in a child that is killed before its n-th step on the disk; whether it came to its end."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    left = itertools.count(steps, -1)

    def mortal(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **more: real(*args, **more) if next(left) > 0 else os.kill(os.getpid(), signal.SIGKILL)

    try:
        for name in STEPS:
            setattr(os, name, mortal(getattr(os, name)))
        act()
        os._exit(0)
    finally:
        os._exit(1)
