"""``make run``: from a fresh machine to a running system, and back to nothing at Ctrl-C."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from chronicle import services
from chronicle.children import ChildError
from chronicle.stack import Stack

DATA = services.ROOT / ".data"
OURS = ("CHRONICLE_", "SWIGGY_", "HERMES_", "HOME_ASSISTANT_", "DATABASE_URL", "REDIS_URL")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def card(stack: Stack) -> str:
    """How to reach the system, for a person in front of a terminal."""
    kept = stack.welcome
    lines = [
        ("service", f"{stack.url}  (status: {stack.url}/status, API: {stack.url}/api/docs/)"),
        ("admin", f"{stack.url}/admin/  sign in as {kept['operator']} with {kept['password']}"),
        ("sandbox", f"{stack.sandbox}  (what was bought: {stack.sandbox}/control/ledger)"),
        ("device token", f"{kept['token']}  ({kept['user']}'s kitchen speaker)"),
        ("talk to it", "make talk" if stack.data == DATA else f"CHRONICLE_DATA_DIR={stack.data} make talk"),
        ("commands", f". {note_environment(stack)}; .venv/bin/python manage.py swiggy_status"),
        ("logs", str(stack.data / "logs")),
    ]
    return "\n".join(f"  {name:<13} {text}" for name, text in lines)


def note_environment(stack: Stack) -> Path:
    """Leave what an operator's command must know to meet this system, for a shell to read; private: it may name passwords."""
    file = stack.data / "environment"
    lines = [f"export {name}={shlex.quote(value)}\n" for name, value in sorted(stack.environ.items()) if name.startswith(OURS)]
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as writing:
        writing.writelines(lines)
    return file


def main() -> int:
    began = time.monotonic()
    ending: list[int] = []

    def end_the_start(number: int, _: FrameType | None) -> None:
        raise KeyboardInterrupt

    def end_the_watch(number: int, _: FrameType | None) -> None:
        ending.append(number)

    for number in SIGNALS:
        signal.signal(number, end_the_start)
    data = Path(os.environ.get("CHRONICLE_DATA_DIR") or DATA)
    try:
        with Stack(data, environ=os.environ) as stack:
            for number in SIGNALS:
                signal.signal(number, end_the_watch)
            print(f"up after {time.monotonic() - began:.1f} s; Ctrl-C stops everything\n\n{card(stack)}\n", flush=True)
            stack.watch(lambda: bool(ending))
            print("stopping", flush=True)
    except (ChildError, services.ServiceError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
