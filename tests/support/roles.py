"""Every kind of process of the service started where it must not start, all at once, and what each says of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping

from chronicle import services

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "web": ("-m", "uvicorn", "chronicle.asgi:application", "--port", "0"),
    "worker": ("-m", "celery", "-A", "chronicle", "worker", "-Q", "turns", "-c", "1"),
    "beat": ("-m", "celery", "-A", "chronicle", "beat"),
    "command": ("manage.py", "check"),
}


def refused(roles: Iterable[str], environ: Mapping[str, str]) -> dict[str, str]:
    """The output of each; one that starts all the same fails the test."""
    started = {
        role: subprocess.Popen(
            [sys.executable, *COMMANDS[role]],
            cwd=services.ROOT,
            env={**environ, "CHRONICLE_ROLE": role},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for role in roles
    }
    said = {}
    for role, process in started.items():
        try:
            said[role], _ = process.communicate(timeout=60)
        finally:
            process.kill()
        assert process.returncode not in (0, -9), f"{role} started:\n{said[role]}"
    return said
