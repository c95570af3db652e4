"""What is thought of a run once everything is at rest: the host's invariants, the mode's own, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from interactions.certification import invariants
from interactions.certification.actor import Actor, Memories
from interactions.certification.contracts import Conversation, Evidence, Suite
from interactions.certification.slots import PATIENCE_S, Slot
from interactions.models import Checkpoint

LAST = 6  # sentences that are shown with a violation


@dataclass(frozen=True, slots=True)
class Verdict:
    violations: tuple[str, ...]
    end: str
    excused: bool = False  # something got no answer: another end than the baseline's is honest


def judge(
    slot: Slot,
    suite: Suite,
    conversation: Conversation,
    memories: Memories,
    *,
    rewound: bool = False,
    interrupted: Sequence[int] = (),
) -> Verdict:
    """Ask the invariants, in a process of its own since they read the database."""
    heard = {name: one.heard for name, one in memories.items()}
    evidence = Evidence(slot.peer.ledger(), heard, conversation.lines, rewound=rewound)

    def work(actor: Actor, channel: Connection) -> None:
        violations = (*invariants.check(memories, rewound=rewound, interrupted=interrupted), *suite.check(evidence))
        channel.send({"verdict": Verdict(violations, suite.outcome(evidence), _failed() or suite.excused())})

    child = slot.spawn(work, memories)
    child.join(within_s=PATIENCE_S)
    verdict: Verdict = child.said("verdict")
    return verdict


def said(memories: Memories) -> tuple[str, ...]:
    """What was spoken last, for whoever looks into a violation."""
    heard = [f"{name} heard: {event['text']}" for name, one in memories.items() for event in one.heard if event["text"]]
    return tuple(heard[-LAST:])


def _failed() -> bool:
    return Checkpoint.objects.filter(outcome__in=("failed", "unknown")).exists()
