"""What ``manage.py recover`` does after a power cut, a restore or a failover: the database may be older than the world.

Something may have been spent that no row knows of. So no word said before this moment may spend any more, every call that
may have been on its way counts as begun, and each mode looks at what its rows cannot tell. Workers may run meanwhile: every
session is taken out of its holder's hands. It may be run again at any time.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.db.models import F, Max, QuerySet, Value
from django.db.models.functions import Coalesce, Greatest

from interactions import doorbells, leases, leftovers, outcomes, registry, sessions, steps, versions
from interactions.agenda import Work
from interactions.contracts import Policy, Signal, Unknown
from interactions.errors import LostLeaseError
from interactions.leases import Lease
from interactions.models import Checkpoint, Device, InteractionSession, Utterance
from interactions.modes import Mode

log = logging.getLogger(__name__)

State = Checkpoint.State
SIGNAL = "recovered"
LATELY = timedelta(days=7)
REASON = "recovered"  # of the Unknown that a ONCE ends in


@dataclass(frozen=True, slots=True)
class Report:
    """What was done. ``faults`` are sentences about what could not be, each with what to do about it."""

    at: datetime
    sessions: int = 0  # active ones; nothing that was said in them before can spend
    unknown: int = 0  # effects that may have spent, and whose outcome nobody knows
    begun: int = 0  # other effects without an outcome; they look before they write again
    modes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        yield f"{self.sessions} active sessions: nothing said in them before {self.at:%H:%M:%S} UTC can spend any more"
        yield f"{self.unknown} effects that may have spent are unknown now and will be looked up"
        yield f"{self.begun} other effects count as begun and look before they write"
        for key, counts in self.modes.items():
            yield from (f"{key}: {count} {what}" for what, count in counts.items())
        yield from (f"NOT DONE: {fault}" for fault in self.faults)


def recover(now: datetime) -> Report:
    """Treat whatever the rows leave open as if it had happened. Modes come first: from then on they let nothing be spent."""
    for device in Device.objects.order_by("pk").values_list("pk", flat=True):
        # One that was told more than is known now hears what follows all the same.
        Device.objects.filter(pk=device).update(recovered_seq=F("event_seq"))
    modes: dict[str, Mapping[str, int]] = {}
    faults: list[str] = []
    for key, mode in registry.modes().items():
        try:
            modes[key] = dict(mode.recover(at=now))
        except Exception as error:
            # The edge of a mode: what one cannot do must not keep the sessions of another from being barred.
            log.error("recover: mode %s raised %s", key, type(error).__name__, exc_info=_traced(error))
            faults.append(f"mode {key} raised {type(error).__name__}; see the log, mend it and run recover again")
    faults += _not_loaded(now)
    done: Counter[str] = Counter()
    active = InteractionSession.objects.filter(status=InteractionSession.Status.ACTIVE).order_by("pk")
    for session in list(active.values_list("pk", flat=True)):
        try:
            done += _session(session, at=now, faults=faults)
        except LostLeaseError:
            faults.append(f"session {session} was taken away in the middle; run recover again")
    ended = Checkpoint.objects.filter(session__status=InteractionSession.Status.ENDED)  # nobody steps those
    done["unknown"] += _make_unknown(ended.exclude(state=State.SETTLED), at=now)
    return Report(now, done["sessions"], done["unknown"], done["begun"], modes, tuple(faults))


def _not_loaded(at: datetime) -> Iterator[str]:
    """Modes that were used of late and are not on here: nobody can say what of theirs may have been spent."""
    used = InteractionSession.objects.filter(started_at__gte=at - LATELY).exclude(mode__in=registry.modes())
    for key in used.order_by("mode").values_list("mode", flat=True).distinct():
        yield f"mode {key} was used lately and is not loaded; run recover again with the configuration that has it on"


def _session(session_id: int, *, at: datetime, faults: list[str]) -> Counter[str]:
    """Take the session from whoever holds it, bar what was said, settle what may have spent, and tell the mode."""
    lease = leases.seize(session_id)
    if lease is None:
        return Counter()
    session = InteractionSession.objects.select_related("device", "prompt").get(pk=session_id)
    mode = registry.modes().get(session.mode)
    with transaction.atomic():
        last = Utterance.objects.aggregate(last=Max("pk"))["last"] or 0
        leases.guard(lease, recovered_upto=last)
        open_ones = Checkpoint.objects.filter(session=session_id).exclude(state=State.SETTLED)
        if mode is not None:
            _leave_alone(session, mode, open_ones.filter(policy=Policy.ONCE.value), at=at)
        done = Counter(sessions=1, unknown=_make_unknown(open_ones, at=at), begun=_count_as_begun(open_ones, lease, at=at))
    if mode is None:
        faults.append(f"mode {session.mode} of session {session_id} is not loaded; switch it on and run recover again")
    elif session.version > mode.version:
        faults.append(f"session {session_id} was written by newer code; run recover again with that version")
    elif session.version < mode.version and not versions.bring_up(lease, session, mode):
        faults.append(f"session {session_id} was written by older code; run recover again with that version")
    else:
        session.refresh_from_db()  # as it was brought up
        _tell(lease, session, mode, at=at, faults=faults)
    leases.release(lease)
    doorbells.ring(session_id)
    leftovers.settle(session_id)  # does nothing while it is active
    return done


def _leave_alone(session: InteractionSession, mode: Mode, spent: QuerySet[Checkpoint], *, at: datetime) -> None:
    """Whoever called may still be calling: what is called next waits until that cannot arrive any more."""
    for one in spent:
        mode.orphaned(sessions.standing(session), one.effect, one.payload, until=one.deadline_at or at)


def _make_unknown(open_ones: QuerySet[Checkpoint], *, at: datetime) -> int:
    word, result = outcomes.store(Unknown(REASON))
    spent = open_ones.filter(policy=Policy.ONCE.value)
    changed: int = spent.update(state=State.SETTLED, outcome=word, result=result, settled_at=at)
    return changed


def _count_as_begun(open_ones: QuerySet[Checkpoint], lease: Lease, *, at: datetime) -> int:
    """A stored payload may have been sent by a worker that this database never heard of: the next holder looks first."""
    waiting = open_ones.exclude(policy=Policy.ONCE.value)
    changed: int = waiting.update(
        state=State.STARTED,
        fence=lease.fence,
        attempts=Greatest(F("attempts"), Value(1)),
        started_at=Coalesce(F("started_at"), at),
    )
    return changed


def _tell(lease: Lease, session: InteractionSession, mode: Mode, *, at: datetime, faults: list[str]) -> None:
    """Step the mode before anything that waits: what it had read back and not yet spent is over."""
    try:
        step = replace(mode.step(sessions.standing(session), Signal(at, SIGNAL, {})), effect=None)
        steps.check(mode, step)
        steps.commit(lease, Work(session), mode, step, at=at, by="signal")
    except LostLeaseError:
        raise
    except Exception as error:
        # The edge of a mode: its words and reviews stay barred by the row of the session all the same.
        log.error("recover: session %s could not be told: %s", session.pk, type(error).__name__, exc_info=_traced(error))
        faults.append(f"session {session.pk} could not be told ({type(error).__name__}); see the log and run recover again")


def _traced(error: Exception) -> Exception | None:
    """A database quotes the row in its message, and a payment link with it: of such an error only the type is logged."""
    return None if isinstance(error, DatabaseError) else error
