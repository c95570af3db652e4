"""Who holds a lease, said so that another process of the same machine can tell whether the holder is gone.

A name is ``boot:pidns:pid:start:nonce``. It proves a death only where boot and pid namespace are ours; elsewhere the lease
decides.
"""

from __future__ import annotations

import os
import uuid
from functools import lru_cache
from pathlib import Path


def _read(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


@lru_cache(maxsize=1)
def _place() -> str:
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    except OSError:
        namespace = ""
    return f"{_read('/proc/sys/kernel/random/boot_id')[:13]}:{namespace}"


def _start(pid: int) -> str:
    stat = _read(f"/proc/{pid}/stat")
    fields = stat[stat.rfind(")") + 2 :].split()
    if len(fields) < 20 or fields[0] == "Z":  # a zombie runs nothing any more
        return ""
    return fields[19]


def name() -> str:
    """A fresh name for a lease of this process."""
    pid = os.getpid()
    return f"{_place()}:{pid}:{_start(pid)}:{uuid.uuid4().hex[:8]}"


def gone(owner: str) -> bool:
    """True only if the named process provably no longer runs on this very machine and boot."""
    parts = owner.rsplit(":", 3)
    if len(parts) != 4 or parts[0] != _place() or not all(_place().split(":")):
        return False
    pid, start = parts[1], parts[2]
    return bool(start) and pid.isdigit() and _start(int(pid)) != start
