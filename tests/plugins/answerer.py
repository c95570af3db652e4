"""For tests: answers every sentence it is given. Whatever reaches it did reach the ordinary chain."""

from __future__ import annotations

from interactions.contracts import Json
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin


class Answerer(OrdinaryPlugin):
    id = "answerer"

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        return ChainAnswer(f"The chain heard: {event.command}")

    def call(self, action: str, data: Json) -> ActionResult:
        return ActionResult(ok=True, data=dict(data)) if action == "echo" else super().call(action, data)
