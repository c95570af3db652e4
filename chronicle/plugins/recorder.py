"""For tests: writes down every sentence it is offered, in memory and in the data directory, and never stops the chain.

What it writes are the spoken words: switch it on only where that is wanted.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings

from interactions.contracts import Json
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin

KEPT = 1000


class Recorder(OrdinaryPlugin):
    """``events`` holds the latest sentences of this process; the file holds those of all."""

    id = "recorder"
    observes = True

    def __init__(self, entry: Any, settings_: Json) -> None:
        super().__init__(entry, settings_)
        self.events: deque[ChainEvent] = deque(maxlen=KEPT)

    @property
    def file(self) -> Path:
        return Path(settings.CHRONICLE_DATA_DIR) / "recorder.jsonl"

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        self.events.append(event)
        line = json.dumps(asdict(event), default=str, ensure_ascii=False)
        with self.file.open("a", encoding="utf-8") as out:
            out.write(line + "\n")
        return None

    def call(self, action: str, data: Json) -> ActionResult:
        """``events``: what this process has recorded."""
        if action != "events":
            return super().call(action, data)
        return ActionResult(ok=True, data={"texts": [event.text for event in self.events]})
