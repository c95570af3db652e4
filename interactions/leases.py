"""The lease on a session: one holder at a time, proven by a fence that only grows.

Taken and renewed by guarded UPDATEs against the database's own clock. Every commit of the drain begins with ``guard``: if the
row no longer says owner, fence and a living lease, nothing is stored. No lease is held by a transaction, none spans I/O.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, F, Q
from django.db.models.expressions import Combinable
from django.db.models.functions import Now

from interactions import processes, watchdog
from interactions.errors import LostLeaseError
from interactions.models import Checkpoint, InboxItem, InteractionSession


@dataclass(frozen=True, slots=True)
class Lease:
    session: int
    owner: str
    fence: int


def _from_now(seconds: float) -> Combinable:
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())


def short_s() -> float:
    """How long a holder may be silent between calls."""
    return float(settings.CHRONICLE_LEASE_S)


def margin_s() -> float:
    """What a lease outlasts the deadline of the call under it by."""
    return float(settings.CHRONICLE_LEASE_MARGIN_S)


def claim(session: int) -> Lease | None:
    """Take the session if nobody holds it, or its holder is provably gone; None if somebody does."""
    held = InteractionSession.objects.filter(pk=session).values_list("lease_owner", "fence").first()
    if held is None:
        return None
    holder, fence = held
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=Now())
    if holder and processes.gone(holder):
        free |= Q(lease_owner=holder)
    lease = Lease(session, processes.name(), fence + 1)
    watchdog.arm(short_s())  # from before the claim: a process frozen inside it must not wake up as a holder
    taken = 0
    try:
        taken = InteractionSession.objects.filter(free, pk=session, fence=fence).update(
            lease_owner=lease.owner, lease_until=_from_now(short_s()), fence=lease.fence
        )
    finally:
        if not taken:  # a timer left behind would kill whatever this process does next
            watchdog.disarm()
    return lease if taken else None


def seize(session: int) -> Lease | None:
    """Take an active session whoever holds it, which then stores nothing more; None if it has ended. For recovery alone."""
    owner = processes.name()
    active = InteractionSession.objects.filter(pk=session, status=InteractionSession.Status.ACTIVE)
    if not active.update(lease_owner=owner, lease_until=_from_now(short_s()), fence=F("fence") + 1):
        return None
    fence = InteractionSession.objects.filter(pk=session, lease_owner=owner).values_list("fence", flat=True).first()
    return Lease(session, owner, fence) if fence is not None else None


def guard(lease: Lease, *, seconds: float | None = None, **changes: Any) -> None:
    """Open a commit: renew the lease and apply ``changes`` to the row, or raise LostLeaseError. In a transaction."""
    if seconds is not None:  # a call follows
        watchdog.arm(seconds)
    mine = InteractionSession.objects.filter(
        pk=lease.session, lease_owner=lease.owner, fence=lease.fence, lease_until__gt=Now()
    ).update(lease_until=_from_now(short_s() if seconds is None else seconds), **changes)
    if not mine:
        raise LostLeaseError
    if seconds is None:  # not before: to wait for the database under a long lease is no reason to die with what a call brought
        watchdog.arm(short_s())


def release(lease: Lease, *, not_before: datetime | None = None, pending: bool = True) -> None:
    """Let go, mostly with work still pending; whoever comes next finds it."""
    InteractionSession.objects.filter(pk=lease.session, lease_owner=lease.owner, fence=lease.fence).update(
        lease_until=None, lease_owner="", not_before=not_before, work_pending=pending
    )
    watchdog.disarm()


def release_if_unchanged(lease: Lease, *, next_sequence: int) -> bool:
    """Let go if nothing came into the inbox since ``next_sequence`` was read, where nothing else was waiting then.

    Whatever appends to the inbox raises that number in the same commit, so this one statement loses no wake-up.
    """
    done = InteractionSession.objects.filter(
        pk=lease.session, lease_owner=lease.owner, fence=lease.fence, next_sequence=next_sequence
    ).update(lease_until=None, lease_owner="", not_before=None, work_pending=False)
    if done:
        watchdog.disarm()
    return bool(done)


def release_if_idle(lease: Lease) -> bool:
    """Let go if, and only if, nothing waits; one transaction on the row that acceptance updates, so no wake-up is lost."""
    with transaction.atomic():
        guard(lease)
        if (
            Checkpoint.objects.filter(session=lease.session, stepped_at=None).exists()
            or InboxItem.objects.filter(session=lease.session, status=InboxItem.Status.WAITING).exists()
        ):
            return False
        InteractionSession.objects.filter(pk=lease.session).update(
            lease_until=None, lease_owner="", not_before=None, work_pending=False
        )
    watchdog.disarm()
    return True
