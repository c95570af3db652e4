"""A session goes on at another device of its person: asked for by a session there, done as an item of its own inbox.

``ask`` is part of the commit of the step that asks. ``move`` is part of the commit of the session that moves, under its lease
and between its effects; it ends the session that asked, and from then on nothing that was said or heard at the device before
counts. Devices and sessions are locked by ascending id.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from interactions import doorbells, events, leases, replies, saying, sessions
from interactions.agenda import WAITING, Work
from interactions.contracts import Policy
from interactions.errors import KernelError
from interactions.leases import Lease
from interactions.models import Checkpoint, Device, DeviceEvent, InboxItem, InteractionSession
from interactions.modes import Mode

KIND = "moved"
REASON = "moved"  # how the session ended at the device that it left
ASKED = "moved_here"  # how the session ended that asked


class NotMovedError(KernelError):
    """The session stays at its device; the argument says why, as a word."""


# ---- asked for ----------------------------------------------------------------------------------------------------------


def ask(work: Work, target: int, *, at: datetime) -> None:
    """Ask ``target`` to go on here, in the commit of the step that asks. An IntegrityError discards that step and says why."""
    asking = work.session
    _lock_sessions((asking.pk, target))
    found = InteractionSession.objects.filter(pk=target, user=asking.user_id, mode=asking.mode, status=sessions.ACTIVE)
    held = found.exclude(device=asking.device_id).select_related("device").first()
    if held is None:  # ended, or another person's: neither is told apart
        raise IntegrityError("handover_gone")
    spending = Checkpoint.objects.filter(session=target, policy=Policy.ONCE.value).exclude(state=Checkpoint.State.SETTLED)
    if spending.exists():
        raise IntegrityError("handover_busy")
    data = {
        "asking": asking.pk,
        "from": held.device_id,
        "left": str(held.device),
        "device": asking.device_id,
        "place": str(asking.device),
    }
    utterance = work.item.utterance if work.item is not None else None
    sessions.add(target, kind=KIND, at=at, utterance=utterance, data=data)


# ---- done ---------------------------------------------------------------------------------------------------------------


def there(work: Work) -> Work:
    """A move with the session as it will stand at its next device, where nothing was asked yet; any other work as it is."""
    if work.item is None or work.item.kind != KIND:
        return work
    session = copy.copy(work.session)
    session.device = Device.objects.get(pk=work.item.data["device"])
    session.client_id, session.prompt = session.device.client_id, None
    asking = InteractionSession.objects.filter(pk=work.item.data["asking"]).only("lang").first()
    session.lang = asking.lang if asking is not None else session.lang
    return replace(work, session=session, moving=True)


def move(work: Work, mode: Mode, *, at: datetime) -> dict[str, Any]:
    """Open the commit that moves the session; what changes in its row. Raises NotMovedError, and then it stays."""
    assert work.item is not None
    origin, target, asking_id = (work.item.data[name] for name in ("from", "device", "asking"))
    for device in sorted({origin, target}):
        events.hold(device)
    _lock_sessions((work.session.pk, asking_id))
    if not InteractionSession.objects.filter(pk=work.session.pk, device=origin).exists():
        raise NotMovedError("handover_lost")  # somebody else asked first
    asking = (
        InteractionSession.objects.select_related("device").filter(pk=asking_id, device=target, status=sessions.ACTIVE).first()
    )
    if asking is None or asking.device.revoked_at is not None or asking.device.owner_id != work.session.user_id:
        raise NotMovedError("handover_unasked")
    if Checkpoint.objects.filter(session=asking, stepped_at=None).exists() or _is_leaving(asking):
        raise NotMovedError("handover_unasked")
    _end(asking, mode, cause=f"moved:{work.item.pk}", at=at)
    _take_leave(work, mode, origin, at=at)
    return {
        "device_id": target,
        "client_id": work.session.client_id,
        "audio_session_id": asking.audio_session_id,
        "lang": work.session.lang,
        "prompt_id": None,
        "idle_at": at + timedelta(seconds=mode.idle_s),
        "silence_at": None,
    }


def _is_leaving(asking: InteractionSession) -> bool:
    return InboxItem.objects.filter(session=asking, status=WAITING, kind="end").exists()


def _end(asking: InteractionSession, mode: Mode, *, cause: str, at: datetime) -> None:
    """End the session that asked, past its own turn: its holder, if any, loses the lease. What waits there is heard afresh."""
    InteractionSession.objects.filter(pk=asking.pk).update(
        status=InteractionSession.Status.ENDED,
        end_reason=ASKED,
        ended_by="utterance",
        ended_at=at,
        fence=F("fence") + 1,
        lease_owner="",
        lease_until=None,
        not_before=None,
        work_pending=True,
    )
    mode.closed(sessions.standing(asking), ASKED, at=at)
    replies.note(_context(asking, asking.device_id, cause, at=at, reason=ASKED), kind="interaction.ended", ordinal=0)
    doorbells.ring_after_commit(asking.pk)


def _take_leave(work: Work, mode: Mode, origin: int, *, at: datetime) -> None:
    """The device that is left falls silent, is told where it goes on, and speaks nothing more of it."""
    assert work.item is not None
    late = DeviceEvent.objects.filter(device=origin, session=work.session.pk, delivered_at=None, speak=True)
    late.update(speak=False)
    context = _context(work.session, origin, f"moved:{work.item.pk}", at=at, reason=REASON)
    farewell = mode.left(sessions.standing(work.session), str(work.session.device))
    drafts = [
        replies.mark(context, kind="speech.stop", ordinal=0),
        *replies.compose(context, replies=(farewell,), ordinal=1),
        replies.mark(context, kind="interaction.ended", ordinal=2),
    ]
    events.write(origin, drafts)


# ---- not done -----------------------------------------------------------------------------------------------------------


def refuse(lease: Lease, work: Work, *, code: str, at: datetime) -> None:
    """The session stays where it is and hears nothing of it; whoever asked is told by a Signal, if they still wait."""
    assert work.item is not None
    asking = work.item.data["asking"]
    with transaction.atomic():
        _lock_sessions((work.session.pk, asking))
        leases.guard(lease)
        dropped = {"status": InboxItem.Status.DROPPED, "done_at": at, "note": code}
        InboxItem.objects.filter(pk=work.item.pk).update(**dropped)
        answer(work.item, code=code, at=at)


def answer(item: InboxItem, *, code: str, at: datetime) -> None:
    """Tell the session that asked, if it still waits, why nothing came of it."""
    sessions.add(item.data["asking"], kind="signal", at=at, data={"name": "not_moved", "data": {"code": code}})


def is_stale(work: Work) -> bool:
    """Whether this was said at a device that the session has left since."""
    item = work.item
    return (
        item is not None
        and item.kind == "heard"
        and item.utterance is not None
        and item.utterance.device_id not in (None, work.session.device_id)
    )


def drop(lease: Lease, work: Work, *, at: datetime) -> None:
    """Words for a session that went on elsewhere change nothing there; that is said where they were spoken."""
    item = work.item
    assert item is not None
    assert item.utterance is not None
    assert item.utterance.device_id is not None
    context = _context(work.session, item.utterance.device_id, f"dropped:{item.pk}", at=at, reason=REASON)
    with transaction.atomic():
        replies.tell(replace(context, answers=item.utterance_id), replies=(saying.tell(work.session.lang, "went_on"),))
        leases.guard(lease)
        dropped = {"status": InboxItem.Status.DROPPED, "done_at": at, "note": "said at a device that the session had left"}
        InboxItem.objects.filter(pk=item.pk).update(**dropped)


# ---- both ---------------------------------------------------------------------------------------------------------------


def _lock_sessions(ids: Iterable[int]) -> None:
    for pk in sorted(set(ids)):
        InteractionSession.objects.filter(pk=pk).update(fence=F("fence"))


def _context(session: InteractionSession, device: int, cause: str, *, at: datetime, reason: str) -> replies.Context:
    return replies.Context(
        device=device,
        session=session.pk,
        mode=session.mode,
        phase=session.phase,
        status="ended",
        cause=cause,
        at=at,
        lang=session.lang,
        reason=reason,
    )
