"""CPU time of process trees, read from /proc: what the kernel has charged, whoever else keeps the machine busy.

A tree is the session of a ``Child``, so that no process of another system is ever counted. What a pool child used before it
was exchanged is kept by the parent that waited for it, and is counted there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from chronicle.children import Child

PROC = Path("/proc")
# Of /proc/<pid>/stat, counted behind the command's closing bracket, which may itself hold spaces.
SESSION, TIMES = 3, slice(11, 15)  # utime, stime, cutime, cstime


class NoClockError(RuntimeError):
    """This machine does not say what a process has used."""


def verify() -> None:
    """Raise where there is nothing to read, before anything is started."""
    if not (PROC / "self" / "stat").exists():
        raise NoClockError("CPU time of other processes is read from /proc, which is not here: run make bench on Linux")


def used(children: Iterable[Child]) -> Mapping[str, float]:
    """CPU milliseconds of each child's whole tree since it was started, by the child's name."""
    ticks = {child.pid: 0 for child in children}
    names = {child.pid: child.name for child in children}
    for fields in _stats():
        if (session := int(fields[SESSION])) in ticks:
            ticks[session] += sum(map(int, fields[TIMES]))
    return {names[pid]: spent * 1000 / os.sysconf("SC_CLK_TCK") for pid, spent in ticks.items()}


def _stats() -> Iterable[list[str]]:
    for place in PROC.glob("[0-9]*"):
        try:
            yield (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
