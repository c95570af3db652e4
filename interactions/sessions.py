"""Sessions and their inbox: opened by acceptance, fed by anyone, emptied only by the drain under the lease.

Every function here expects a transaction. The UPDATE of the session's row is the lock that numbers its inbox.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Min, Subquery

from interactions import doorbells, people, registry
from interactions.contracts import Standing
from interactions.models import Device, InboxItem, InteractionSession, Utterance

ACTIVE = InteractionSession.Status.ACTIVE
LATELY = timedelta(hours=1)  # as long as a session lasts, and then some


def active(user: int, client_id: str) -> InteractionSession | None:
    return InteractionSession.objects.filter(user_id=user, client_id=client_id, status=ACTIVE).first()


def open_session(device: Device, *, mode_key: str, audio_session_id: str, at: datetime) -> InteractionSession:
    """A new active session of the device's owner, still without its ``start`` item. The device is locked."""
    assert device.owner_id is not None
    mode = registry.mode(mode_key)
    return InteractionSession.objects.create(
        user_id=device.owner_id,
        client_id=device.client_id,
        device=device,
        audio_session_id=audio_session_id,
        mode=mode_key,
        plugin=registry.plugin_of(mode_key),
        version=mode.version,
        phase=mode.first_phase,
        lang=people.language_of(device.owner_id),
        started_at=at,
        idle_at=at + timedelta(seconds=mode.idle_s),
        hard_at=at + timedelta(seconds=mode.hard_s),
    )


def add(
    session: int,
    *,
    kind: str,
    at: datetime,
    utterance: Utterance | None = None,
    text: str = "",
    data: dict[str, Any] | None = None,
    not_before: datetime | None = None,
    **changes: Any,
) -> InboxItem | None:
    """Append one item and ring after the commit; None (and nothing stored) if the session is no longer active."""
    taken = InteractionSession.objects.filter(pk=session, status=ACTIVE).update(
        next_sequence=F("next_sequence") + 1, work_pending=True, **changes
    )
    if not taken:
        return None
    # The number is read where it is used: the row is ours since the UPDATE.
    following = InteractionSession.objects.filter(pk=session).values("next_sequence")
    item = InboxItem.objects.create(
        session_id=session,
        sequence=Subquery(following) - 1,
        kind=kind,
        utterance=utterance,
        text=text,
        data=data or {},
        not_before=not_before,
        created_at=at,
    )
    doorbells.ring_after_commit(session)
    return item


def newest_audio(device: Device, session: InteractionSession, reported: str, *, at: datetime) -> str:
    """The audio session to follow: the one that this device began last, also where something of an older one comes late."""
    followed = session.audio_session_id
    if not reported or not followed or reported == followed:
        return reported or followed
    lately = Utterance.objects.filter(device=device, received_at__gte=at - LATELY, audio_session_id__in=(reported, followed))
    begun = dict(lately.values_list("audio_session_id").annotate(Min("pk")).order_by())
    return followed if begun.get(reported, math.inf) < begun.get(followed, 0) else reported


def end(session: int, *, by: str, at: datetime, reason: str = "") -> bool:
    """Ask the session to end, in its order; False if it has ended. A begun write or ONCE is waited for, a read given up."""
    data = {"by": by} | ({"reason": reason} if reason else {})
    return add(session, kind="end", at=at, data=data) is not None


def standing(session: InteractionSession) -> Standing:
    """Where the session stands, as the mode may see it."""
    return Standing(
        session=session.pk,
        user=session.user_id,
        device=session.device_id,
        phase=session.phase,
        state=session.state,
        revision=session.revision,
        turn=session.turn,
        started_at=session.started_at,
        lang=session.lang,
        capabilities=session.device.capabilities,
    )


def due(session: InteractionSession, at: datetime) -> str | None:
    """Which deadline is over at this instant: hard before idle, none while frozen."""
    if session.frozen_until is not None and session.frozen_until > at:
        return None
    if session.hard_at <= at:
        return "hard"
    return "idle" if session.idle_at <= at else None
