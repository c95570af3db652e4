"""A session meets the code that is there: its own, newer, older or none. Asked under the lease, before each piece of work.

Older state is brought up first, one version after the other, in one commit. Where no migration leads up, the session ends with
a sentence that says what was kept; but never where something may have been bought: there it is left, and an alarm is logged.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet

from interactions import agenda, clock, effects, host, leases, leftovers, registry, saying, sessions, steps, stored
from interactions.agenda import Work
from interactions.contracts import Json, Policy, Reply, Step
from interactions.errors import KernelError, NewerStateError, StrandedError
from interactions.leases import Lease
from interactions.models import Checkpoint, InboxItem, InteractionSession
from interactions.modes import Mode

log = logging.getLogger(__name__)

LEFT_S = 15  # how long a stranded session is let be before somebody looks at it again
DEPLOY_S = 120  # how long a session of an unknown mode is taken for one of a newer deploy that has not reached the workers
NOBODY_CAME_S = 600  # so long after its hard deadline, no newer worker is there to end a session of newer code


def meet(lease: Lease, work: Work) -> tuple[Mode, Work] | None:
    """The mode that goes on, and the work as it reads it; None if this was all. Raises NewerStateError, StrandedError."""
    session = work.session
    mode = registry.modes().get(session.mode)
    if mode is None and _opened_by_newer(session):
        log.warning("session %s waits for a worker that knows mode %s", session.pk, session.mode)
        raise NewerStateError
    if mode is None:
        gone = saying.tell(session.lang, "gone")
        end(lease, work, leftovers.Nobody({}), say=gone, reason="owner_unavailable", by="error")
        return None
    if session.version > mode.version:
        _leave_to_newer(lease, work, mode)
        return None
    if session.version < mode.version:
        _bring_up(lease, work, mode)
        return None
    seen = stored.seen(work, mode)
    checkpoint = seen.checkpoint
    if checkpoint is not None and stored.is_strange(checkpoint, mode):
        log.error("checkpoint %s: mode %s cannot perform %s any more", checkpoint.pk, mode.key, checkpoint.effect)
        effects.give_up(lease, work, mode, checkpoint, code="upgraded")
        return None
    return mode, seen


def ownerless(at: datetime) -> QuerySet[InteractionSession]:
    """The sessions whose mode was switched off."""
    gone = InteractionSession.objects.filter(status="active").exclude(mode__in=list(registry.modes()))
    return gone.exclude(started_at__gt=max(registry.loaded_at(), at - timedelta(seconds=DEPLOY_S)))


def _opened_by_newer(session: InteractionSession) -> bool:
    """Opened after this process was loaded, by one that knows the mode: in a deploy, its workers are on their way."""
    return session.started_at > max(registry.loaded_at(), clock.now() - timedelta(seconds=DEPLOY_S))


# ---- older than the code ------------------------------------------------------------------------------------------------


def bring_up(lease: Lease, session: InteractionSession, mode: Mode) -> bool:
    """Store the session as the version of ``mode`` has it, under the lease; False where no migration leads there."""
    found = brought_up(session, mode)
    if found is None:
        return False
    phase, state = found
    with transaction.atomic():
        leases.guard(lease, version=mode.version, phase=phase, state=dict(state))
    log.info("session %s: brought up from version %s to %s of mode %s", session.pk, session.version, mode.version, mode.key)
    return True


def _bring_up(lease: Lease, work: Work, mode: Mode) -> None:
    session, at = work.session, clock.now()
    if bring_up(lease, session, mode):
        return
    if spending(session, mode, at=at):
        _strand(lease, work, mode, at=at)
        return
    log.error("session %s: ended, mode %s cannot bring up version %s", session.pk, mode.key, session.version)
    say = saying.of(session.lang)
    text = " ".join(part for part in (say("upgraded"), mode.kept_in(session.lang), say("start_again")) if part)
    bye = Reply(text, expects_reply=False, lang=say.lang)
    end(lease, work, mode, say=bye, reason="upgraded", by="upgrade", status=InboxItem.Status.DROPPED)


def brought_up(session: InteractionSession, mode: Mode) -> tuple[str, Json] | None:
    """Phase and state as the version of ``mode`` would have them, or None where no migration leads there. Stores nothing."""
    if session.revision == 0:  # opened and never stepped: it begins as the newer version's
        return mode.first_phase, {}
    found: tuple[str, Json] | None = (session.phase, session.state)
    try:
        for version in range(session.version, mode.version):
            migration = mode.migrations.get(version)
            if migration is None or found is None:
                return None
            found = migration.session(*found)
        if found is not None:
            steps.check(mode, Step(phase=found[0], state=found[1]))
    except Exception:
        # The edge of the mode: a migration that breaks is one that does not lead up.
        log.exception("session %s: a migration of mode %s raised", session.pk, mode.key)
        return None
    return found


def spending(session: InteractionSession, mode: Mode, *, at: datetime) -> bool:
    """Whether something may have been bought in this session: its phase says so, its frozen deadlines, or the kernel's rows."""
    spec = mode.phases.get(session.phase)
    if (spec is not None and spec.spending) or (session.frozen_until is not None and session.frozen_until > at):
        return True
    once = Checkpoint.objects.filter(session=session, policy=Policy.ONCE.value)
    return once.filter(Q(open_since__isnull=False) | Q(stepped_at=None)).exists()


def _strand(lease: Lease, work: Work, mode: Mode, *, at: datetime) -> None:
    """Not ours to go on with and not ours to end. A person's or an operator's wish and the deadlines are still obeyed."""
    session = work.session
    wish = InboxItem.objects.filter(session=session, status=InboxItem.Status.WAITING, kind="end").order_by("sequence").first()
    kind, left = sessions.due(session, at), saying.tell(session.lang, "left")
    if wish is not None:
        by = str(wish.data.get("by", "operator"))
        reason = str(wish.data.get("reason") or f"ended_by_{by}")
        end(lease, replace(work, item=wish, checkpoint=None), mode, say=left, reason=reason, by=by)
    elif (stop := agenda.stop_word(session.pk, mode)) is not None:
        end(lease, replace(work, item=stop, checkpoint=None), mode, say=left, reason="left_while_upgrading", by="utterance")
    elif kind is not None:
        end(lease, replace(work, item=None, checkpoint=None), mode, say=left, reason=f"{kind}_timeout", by="deadline")
    else:
        host.alarm(
            f"stranded:{session.pk}:{mode.version}",
            f"Session {session.pk} is stranded in {session.phase}: version {mode.version} of mode {mode.key} cannot bring up "
            f"version {session.version}. Run a worker of the older version until it has ended.",
        )
        host.tell(
            session.device_id,
            cause=f"stranded:{session.pk}:{mode.version}",
            reply=saying.tell(session.lang, "stranded"),
            session_id=session.pk,
        )
        raise StrandedError(at + timedelta(seconds=LEFT_S))


def _leave_to_newer(lease: Lease, work: Work, mode: Mode) -> None:
    """Newer code goes on with it. Only where that code is provably gone, long after the last deadline, it ends here."""
    session, at = work.session, clock.now()
    left = saying.tell(session.lang, "left")
    if sessions.due(session, at) == "hard" and at > session.hard_at + timedelta(seconds=NOBODY_CAME_S):
        end(lease, replace(work, item=None, checkpoint=None), mode, say=left, reason="hard_timeout", by="deadline")
        return
    log.warning("session %s waits for version %s of mode %s; here is %s", session.pk, session.version, mode.key, mode.version)
    raise NewerStateError


# ---- the end ------------------------------------------------------------------------------------------------------------


def end(lease: Lease, work: Work, mode: Mode, *, say: Reply, reason: str, by: str, status: str = InboxItem.Status.DONE) -> None:
    """End the session without its mode's step. A mode that cannot even close what it holds is left out; its sweep closes it."""
    try:
        _end(lease, work, mode, say=say, reason=reason, by=by, status=status)
    except (KernelError, OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001  the edge of the mode; its type alone, since a database quotes rows in its message
        log.error("session %s: mode %s could not close it: %s", work.session.pk, mode.key, type(error).__name__)
        _end(lease, work, leftovers.Nobody({}), say=say, reason=reason, by=by, status=status)


def _end(lease: Lease, work: Work, mode: Mode, *, say: Reply, reason: str, by: str, status: str) -> None:
    step = Step(say=(say,), end=reason)
    with transaction.atomic():
        flying = Checkpoint.objects.filter(session=work.session, state=Checkpoint.State.STARTED, deadline_at__isnull=False)
        sent = list(flying.exclude(policy=Policy.READ.value))
        steps.commit(lease, work, mode, step, at=clock.now(), by=by, item_status=status, note=reason)
        for checkpoint in sent:  # its sender died, and the request may still land
            assert checkpoint.deadline_at is not None
            standing = sessions.standing(work.session)
            mode.orphaned(standing, checkpoint.effect, checkpoint.payload, until=checkpoint.deadline_at)
