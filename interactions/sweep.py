"""What beat does every few seconds, any number of beats at once: everything that is due is a row, and this rings for it.

Each act is a guarded UPDATE or an insert behind one, so that two sweeps do each thing once.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from interactions import (
    alarms,
    attention,
    clock,
    doorbells,
    health,
    host,
    leftovers,
    lost_runs,
    processes,
    sessions,
    silence,
    versions,
)
from interactions.agenda import WAITING
from interactions.models import Heartbeat, InboxItem, InteractionSession

log = logging.getLogger(__name__)

ACTIVE = InteractionSession.Status.ACTIVE
BATCH = 200
LONGEST_WAIT = timedelta(minutes=5)


def tick(now: datetime | None = None) -> None:
    """One sweep. A fault in one part is logged and does not stop the others."""
    now = now or clock.now()
    parts = {
        "deadlines": deadlines,
        "silence": silence.sweep,
        "announcements": attention.sweep,
        "ownerless": ownerless,
        "pending": pending,
        "leftovers": endings,
        "chain": lost_runs.sweep,
        "plugins": health.sweep,
        "alarms": alarms.due,
    } | host.ticks()
    for name, part in parts.items():
        try:
            part(now)
        except Exception:
            log.exception("sweep: %s failed", name)
    beat("beat", now)


def beat(name: str, now: datetime) -> None:
    """Note that this kind of process is at work."""
    if not Heartbeat.objects.filter(name=name).update(at=now):
        Heartbeat.objects.get_or_create(name=name, defaults={"at": now})


def deadlines(now: datetime) -> None:
    """Put a deadline into the inbox of each session whose time is over, once."""
    thawed = Q(frozen_until=None) | Q(frozen_until__lte=now)
    overdue = InteractionSession.objects.filter(thawed, Q(idle_at__lte=now) | Q(hard_at__lte=now), status=ACTIVE)
    for session in overdue.values_list("pk", flat=True)[:BATCH]:
        with transaction.atomic():
            InteractionSession.objects.filter(pk=session).update(work_pending=True)  # the lock
            if InboxItem.objects.filter(session=session, kind="deadline", status=WAITING).exists():
                continue
            sessions.add(session, kind="deadline", at=now, data={"kind": "idle"})


def ownerless(now: datetime) -> None:
    """Have each session end whose mode was switched off, before its person speaks into the void; once."""
    for session in versions.ownerless(now).values_list("pk", flat=True)[:BATCH]:
        with transaction.atomic():
            InteractionSession.objects.filter(pk=session).update(work_pending=True)  # the lock
            if not InboxItem.objects.filter(session=session, status=WAITING).exists():
                sessions.add(session, kind="end", at=now, data={"by": "error", "reason": "owner_unavailable"})


def pending(now: datetime) -> None:
    """Ring for sessions that have work and no living holder, each at most once a sweep whoever sweeps."""
    patience = timedelta(seconds=settings.CHRONICLE_SWEEP_S)
    waiting = InteractionSession.objects.filter(
        # Farther ahead than any wait, the clock stepped back since.
        Q(not_before=None) | Q(not_before__lte=now) | Q(not_before__gt=now + LONGEST_WAIT),
        Q(rung_at=None) | Q(rung_at__lte=now - patience / 2),
        work_pending=True,  # of an ended one too: its last holder may have gone before it let go
    )
    free = Q(lease_until=None) | Q(lease_until__lte=Now())
    ids = set(waiting.filter(free).values_list("pk", flat=True)[:BATCH])
    held = waiting.filter(lease_until__gt=Now()).values_list("pk", "lease_owner")[:BATCH]
    ids |= {session for session, owner in held if processes.gone(owner)}
    for session in sorted(ids):
        if waiting.filter(pk=session).update(rung_at=now):
            doorbells.ring(session)


def endings(now: datetime) -> None:
    """What still waits in sessions that have ended."""
    left = InboxItem.objects.filter(status=WAITING, session__status="ended").values_list("session", flat=True).distinct()
    for session in left[:BATCH]:
        leftovers.settle(session)
