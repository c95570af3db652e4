"""What a session has to do next: one order of work, read under the lease.

A begun effect of another holder; an outcome not yet stepped; a staged effect; the next thing in the inbox; and last, whatever a
later utterance held back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from interactions import configuration, universal
from interactions.models import Checkpoint, InboxItem, InteractionSession, Utterance
from interactions.modes import Mode

WAITING = InboxItem.Status.WAITING
State = Checkpoint.State
LONGEST_HELD = timedelta(seconds=10)
UNFINISHED = "unfinished"  # of an item's data: it waits for the rest of its sentence, or did


@dataclass(frozen=True, slots=True)
class Work:
    """One thing to do. ``held_back``: it asked for a ONCE that a later utterance overtook. ``alone``: nothing else waits.
    ``moving``: the session is shown as it will stand at its next device. ``held_s``: a READ is under way, for which the lease
    has to last so long.
    """

    session: InteractionSession
    checkpoint: Checkpoint | None = None
    item: InboxItem | None = None
    alone: bool = False
    moving: bool = False
    held_s: float | None = None

    @property
    def held_back(self) -> bool:
        thing = self.item or self.checkpoint
        return thing is not None and thing.overtaken is not None

    @property
    def answers(self) -> int | None:
        """The utterance that whatever is said now answers."""
        if self.item is not None:
            return self.item.utterance_id
        return self.checkpoint.answers if self.checkpoint is not None else None


class Over:
    """The session has ended."""


@dataclass(frozen=True, slots=True)
class Later:
    """Nothing may be done before ``at``."""

    at: datetime


def look(session_id: int, *, now: datetime) -> Work | Later | Over | None:
    session = InteractionSession.objects.select_related("device", "prompt").get(pk=session_id)
    if session.status != InteractionSession.Status.ACTIVE:
        return Over()
    checkpoints = list(Checkpoint.objects.filter(session=session, stepped_at=None).order_by("revision"))
    for wanted in (
        lambda one: one.state == State.STARTED,
        lambda one: one.state == State.SETTLED and one.overtaken is None,
        lambda one: one.state == State.STAGED,
    ):
        if (found := next(filter(wanted, checkpoints), None)) is not None:
            alone = found.state == State.SETTLED and len(checkpoints) == 1 and not _waiting(session).exists()
            return Work(session, checkpoint=found, alone=alone)
    items = list(_waiting(session).select_related("utterance").order_by("sequence")[:50])
    fresh = [item for item in items if item.overtaken is None]
    if fresh:
        item = _first(fresh)
        # Farther ahead than anything is held, the clock stepped back since.
        held = item.not_before is not None and now < item.not_before <= now + LONGEST_HELD
        if item.not_before is not None and held and (item.kind == "start" or _is_awaited(item)):
            return Later(item.not_before)
        return Work(session, item=item, alone=len(items) == 1 and not checkpoints)
    if checkpoints:
        return Work(session, checkpoint=checkpoints[0])
    return Work(session, item=items[0]) if items else None


def _waiting(session: InteractionSession) -> QuerySet[InboxItem]:
    return InboxItem.objects.filter(session=session, status=WAITING)


def _first(items: list[InboxItem]) -> InboxItem:
    """The head of the queue, or what its device numbered before it."""
    head = items[0]
    if head.utterance is None or head.utterance.seq is None:
        return head
    same = [item for item in items if item.utterance is not None and _stream(item.utterance) == _stream(head.utterance)]
    return min((item for item in same if item.utterance and item.utterance.seq is not None), key=_number)


def _number(item: InboxItem) -> int:
    assert item.utterance is not None
    assert item.utterance.seq is not None
    return item.utterance.seq


def _stream(utterance: Utterance) -> tuple[int | None, str]:
    return utterance.device_id, utterance.capture_epoch


def _is_awaited(item: InboxItem) -> bool:
    """Whether the rest of its sentence, or the number before it, is still to come."""
    utterance = item.utterance
    if item.data.get(UNFINISHED):
        return True
    if utterance is None or utterance.seq is None:
        return True
    return not Utterance.objects.filter(
        device=utterance.device_id, capture_epoch=utterance.capture_epoch, seq=utterance.seq - 1
    ).exists()


def stop_word(session: int, mode: Mode | None = None) -> InboxItem | None:
    """The first thing waiting that ends things."""
    waiting = InboxItem.objects.filter(session=session, status=WAITING, kind="heard").order_by("sequence")
    return next((item for item in waiting if _ends(item.text, mode)), None)


def _ends(said: str, mode: Mode | None) -> bool:
    return universal.word(said, mode, configuration.current().host.assistant.names) in universal.ENDING


def leaving(session: int, mode: Mode | None = None) -> bool:
    """Whether a word waits that ends things, or somebody's wish to."""
    waiting = InboxItem.objects.filter(session=session, status=WAITING, kind__in=("heard", "end"))
    return any(kind == "end" or _ends(text, mode) for kind, text in waiting.values_list("kind", "text"))
