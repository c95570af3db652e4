"""The one end of a run of the ordinary chain: a guarded update decides which it is, and only whoever made it tells of it.

So a run that was called lost says nothing more when its worker wakes up after all, and nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from interactions import attention, events, people, replies
from interactions.contracts import Reply
from interactions.models import ChainRun, Device


def language(run: ChainRun) -> str:
    """What the host says of this sentence is said in the sentence's own language, where the device knew it."""
    return run.utterance.details.get("lang") or people.language_of(run.utterance.owner_id)


def end(
    run: ChainRun,
    status: str,
    becomes: str,
    *,
    at: datetime,
    says: Sequence[Reply] = (),
    success: bool = False,
    **fields: object,
) -> bool:
    """End a run that is still ``status``, and say these; False where it has ended otherwise, and then nothing is said.

    After spoken words of ``success`` the device listens for what follows; after any other end it does not. A device that was
    given to somebody else meanwhile is told nothing of what was said by whoever had it.
    """
    device = run.utterance.device_id
    with transaction.atomic():
        if device is not None:
            events.hold(device)  # before the run, as acceptance takes them
        mine = ChainRun.objects.filter(pk=run.pk, status=status, holder=run.holder)
        if not mine.update(status=becomes, done_at=at, **fields):
            return False
        if device is not None and says and is_theirs(run):
            told = replies.tell(context(run, at=at), replies=says)
            if success and any(event.speak for event in told):  # nobody hears what a stop has silenced
                played = timedelta(milliseconds=sum(event.est_ms for event in told))
                attention.answered(device, at + played, cause=f"chain:{run.pk}")
    return True


def is_theirs(run: ChainRun) -> bool:
    """Whether the device is still that of the person who spoke."""
    said = run.utterance
    return said.device_id is not None and Device.objects.filter(pk=said.device_id, owner=said.owner_id).exists()


def context(run: ChainRun, *, at: datetime, cause: str = "") -> replies.Context:
    """What everything that is told of a run has in common; ``cause`` names what is told before its end."""
    assert run.utterance.device_id is not None
    return replies.Context(
        device=run.utterance.device_id,
        session=0,
        mode="",
        phase="",
        status="",
        cause=f"chain:{run.pk}{':' if cause else ''}{cause}",
        at=at,
        lang=run.utterance.details.get("lang") or "en",
        answers=run.utterance_id,
    )
