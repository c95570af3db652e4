"""For tests: answers every sentence it is given. Whatever reaches it did reach the ordinary chain.

At "stand still" it does, as long as a test keeps the file, so that its worker can be caught in the middle.
"""

from __future__ import annotations

import time

from django.conf import settings

from interactions.contracts import Json
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin


class Answerer(OrdinaryPlugin):
    id = "answerer"

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        while event.command == "stand still" and (settings.CHRONICLE_DATA_DIR / "stand-still").exists():
            time.sleep(0.02)
        return ChainAnswer(f"The chain heard: {event.command}")

    def call(self, action: str, data: Json) -> ActionResult:
        return ActionResult(ok=True, data=dict(data)) if action == "echo" else super().call(action, data)
