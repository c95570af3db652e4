"""Each conversation played once undisturbed: the snapshots runs start from, the points they can be disturbed at, and the end.

A baseline is judged like a run, so that a suite whose conversation goes wrong by itself certifies nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from interactions.certification import runs, verdicts
from interactions.certification.actor import Memories, Memory
from interactions.certification.children import Child, ChildError
from interactions.certification.contracts import Conversation, Line, Suite
from interactions.certification.slots import PATIENCE_S, Slot, Snapshot, player


@dataclass(frozen=True)
class Points:
    """What one line does: its durable actions and its remote calls, by name and in order, and the world before it."""

    before: Snapshot
    actions: tuple[str, ...]
    calls: tuple[str, ...]


@dataclass(frozen=True)
class Baseline:
    conversation: Conversation
    lines: tuple[Points, ...]
    end: str
    faults: tuple[str, ...]


def record(slot: Slot, suite: Suite, conversation: Conversation, empty: Snapshot) -> Baseline:
    """Made again where it ends otherwise than it must, as on a busy machine; an end that stays wrong is a fault."""
    for _ in range(runs.TRIES):
        found = _record(slot, suite, conversation, empty)
        if found.end == conversation.ends:
            return found
    fault = f"it ended as {found.end!r}, and must end as {conversation.ends!r}"
    return replace(found, faults=(*found.faults, fault))


def _record(slot: Slot, suite: Suite, conversation: Conversation, empty: Snapshot) -> Baseline:
    slot.restore(empty, world=conversation.world)
    slot.fresh(conversation.world)
    memories: Memories = {name: Memory() for name in suite.devices}
    points = []
    for number, line in enumerate(conversation.lines):
        before, calls = slot.take(memories), len(slot.peer.calls())
        child = _undisturbed(slot, conversation, before, number, line)
        memories = child.said("memories")
        points.append(Points(before, tuple(child.said("seen")), tuple(slot.peer.calls()[calls:])))
    verdict = verdicts.judge(slot, suite, conversation, memories)
    return Baseline(conversation, tuple(points), verdict.end, verdict.violations)


def _undisturbed(slot: Slot, conversation: Conversation, before: Snapshot, number: int, line: Line) -> Child:
    """Played until nobody was killed by his own watchdog, as happens on a busy machine."""
    for _ in range(runs.DEATHS):
        child = slot.spawn(player(line, key=runs.key(number)), before.memories)
        ended = child.join(within_s=PATIENCE_S)
        if not ended:
            return child
        slot.restore(before, world=conversation.world)
    raise ChildError(f"{conversation.name!r}, line {number + 1}: ended by signal {ended} each time; is the machine too busy?")
