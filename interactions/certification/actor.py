"""The people and the workers of a run, in one process: what is said goes through ingress, what it leads to through the tasks.

Doorbells are answered in the order they ring, each by its own task; the sweep finds whatever a death left behind. The devices'
memory (which events they were given) is kept outside, since no worker's death takes it along.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from celery import current_app

from interactions import clock, doorbells, events, ingress, sweep
from interactions.certification.contracts import Line, Outside, Peer, Say, Suite, Wait
from interactions.models import ChainRun, Checkpoint, Device, DeviceEvent, InboxItem, InteractionSession
from interactions.reports import Report

QUIET_S, PAUSE_S = 60.0, 0.03
PAGE = 200


class NeverQuietError(Exception):
    """Something still goes on long after it should have ended."""


@dataclass
class Memory:
    """What a device remembers: up to where it has read, and everything it was given."""

    cursor: int = 0
    heard: list[dict[str, Any]] = field(default_factory=list)


Memories = dict[str, Memory]


class Complaints(logging.Handler):
    """Errors that our own code logged with a traceback: nobody may meet one of those."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.lines.append(f"{record.name}: {record.getMessage()} ({record.exc_info[1]!r})"[:300])


class Actor:
    def __init__(self, suite: Suite, peer: Peer, memories: Memories) -> None:
        self.suite, self.peer, self.memories = suite, peer, memories
        self._rings: deque[tuple[str, Any]] = deque()
        self.complaints = Complaints()

    def enter(self) -> None:
        """Take the place of broker and workers in this process."""
        doorbells._publish = self._rung
        events.nudge = lambda device_id: None
        logger = logging.getLogger()
        logger.handlers[:] = [self.complaints]
        logger.setLevel(logging.ERROR)

    def _rung(self, task: str, argument: int | str, *, queue: str | None = None) -> bool:
        if (task, argument) not in self._rings:
            self._rings.append((task, argument))
        return True

    def play(self, line: Line, *, key: str) -> dict[str, Any] | None:
        """One line, with everything that follows from it. The key makes it the same line when it is played again."""
        answer = None
        match line:
            case Say():
                answer = self.post(line, key=key)
            case Outside():
                self.peer.told(line)
        self.work(wait=line if isinstance(line, Wait) else None)
        self.hear()
        return answer

    def post(self, line: Say, *, key: str) -> dict[str, Any]:
        """What a device that got no answer posts again: the same words, naming the same prompt."""
        device = Device.objects.get(client_id=line.device, owner__username=self.suite.owner)
        memory = self.memories[line.device]
        prompt = next((event["id"] for event in reversed(memory.heard) if event["key"]), None)
        report = Report(text=line.text, source="typed", in_reply_to=prompt)
        body_hash = hashlib.sha256(f"{line.text}:{prompt}".encode()).hexdigest()
        answer = ingress.accept(device.pk, report, key=key, body_hash=body_hash)
        return answer.body

    def work(self, *, wait: Wait | None = None, within_s: float = QUIET_S) -> None:
        """Answer doorbells, and sweep where none rings, until nothing waits; with ``wait``: and nothing goes on outside."""
        ends = time.monotonic() + within_s
        while True:
            while self._rings:
                task, argument = self._rings.popleft()
                current_app.tasks[task](argument)
            waiting = self.waiting(wait)
            if not waiting:
                return
            if time.monotonic() > ends:
                raise NeverQuietError(f"after {within_s:.0f} s there is still {waiting}")
            sweep.tick()
            if not self._rings:
                time.sleep(PAUSE_S)

    def waiting(self, wait: Wait | None) -> str:
        """What is not at rest yet, in words."""
        if session := InteractionSession.objects.filter(work_pending=True).first():
            return f"work in {session}"
        if checkpoint := Checkpoint.objects.filter(stepped_at=None, session__status="active").first():
            return f"the effect {checkpoint}"
        if item := InboxItem.objects.filter(status="waiting").first():
            return f"an unhandled {item.kind} ({item})"
        if run := ChainRun.objects.filter(status__in=("staged", "claimed")).first():
            return f"an ordinary sentence ({run})"
        return "something of the mode" if wait and self.suite.busy(long=wait.long) else ""

    def hear(self) -> None:
        """Each device reads on from where it was."""
        for name, memory in self.memories.items():
            device = Device.objects.get(client_id=name, owner__username=self.suite.owner)
            while True:
                batch = events.since(device.pk, memory.cursor, limit=PAGE, now=clock.now())
                if batch.reset:  # the database is older than what this device has read
                    memory.cursor = batch.cursor
                    break
                memory.heard += [_kept(event) for event in batch.events]
                memory.cursor = batch.cursor
                if not batch.more:
                    break


def _kept(event: DeviceEvent) -> dict[str, Any]:
    payload: Mapping[str, Any] = event.payload
    return {
        "id": event.pk,
        "seq": event.seq,
        "kind": event.kind,
        "cause": event.cause,
        "ordinal": event.ordinal,
        "key": event.key,
        "speak": event.speak,
        "text": payload.get("text", ""),
        "answers": payload.get("answers"),
        "at": event.created_at.timestamp(),
    }
