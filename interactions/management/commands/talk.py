"""``manage.py talk``: converse from a terminal, over the same HTTP and event stream as any device.

Without ``--url`` and ``--token`` it speaks as the kitchen speaker that ``make run`` has made.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from interactions import conversation
from interactions.client import Device, DeviceError


class Command(BaseCommand):
    help = "Converse with a running service from this terminal; Ctrl-D ends it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", help="where the service answers")
        parser.add_argument("--token", help="a device token (see `manage.py devices add`)")
        parser.add_argument("--script", type=Path, help="say the lines of this file; '@until KIND' waits for an event")
        parser.add_argument("--voice", action="store_true", help="report speech and playback as a speaker does, not typing")

    def handle(self, *args: Any, url: str | None, token: str | None, script: Path | None, voice: bool, **options: Any) -> None:
        try:
            with Device(url or _kept("url"), token or _kept("token"), voice=voice) as device:
                lines = script.read_text(encoding="utf-8").splitlines() if script else self._typed()
                for line in conversation.read(lines) if script else map(conversation.Line, lines):
                    conversation.hold(device, line, out=self.stdout.write)
        except DeviceError as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            self.stdout.write("")

    def _typed(self) -> Any:
        if sys.stdin.isatty():
            self.stdout.write("Try: order swiggy")
        return (line.strip() for line in sys.stdin if line.strip())


def _kept(name: str) -> str:
    """What `make run` has left in its data directory for whoever wants to talk to it."""
    file = Path(settings.CHRONICLE_DATA_DIR) / "welcome.json"
    try:
        value: str = json.loads(file.read_text(encoding="utf-8"))[name]
    except (OSError, ValueError, KeyError):
        raise CommandError(f"No --{name}, and no `make run` has left one in {file.parent}.") from None
    return value
