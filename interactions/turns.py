"""Take a session's work one piece at a time, in order. Read this first; the path of an utterance is
``ingress.accept`` -> ``turns.drain`` -> the mode's ``step`` -> ``steps.commit`` -> ``events.emit``.

``drain`` knows nothing of Celery: a task, a command and a test call it alike. Rows are the truth; a drain that finds the lease
taken or no work returns at once.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from enum import Enum

from django.db import IntegrityError, InterfaceError, OperationalError

from interactions import (
    agenda,
    clock,
    doorbells,
    effects,
    handover,
    happenings,
    leases,
    leftovers,
    sessions,
    setbacks,
    steps,
    timers,
    versions,
    watchdog,
)
from interactions.agenda import Later, Over, Work
from interactions.contracts import Effect, Event, NotYetError, Policy, Refused, Settled, Step
from interactions.errors import (
    HeldBackError,
    KernelError,
    LostLeaseError,
    NoConsentError,
    NotDueError,
    NotHereError,
    NotOursError,
)
from interactions.leases import Lease
from interactions.models import Checkpoint, InboxItem
from interactions.modes import Mode

log = logging.getLogger(__name__)

SLICE_S, SLICE_ITEMS = 20.0, 20
NAP_S = 0.5  # the longest that work which may not begin yet is waited for in place; the sweep rings for any other
NAPS = 3


class Role(Enum):
    """What the caller may do: decide only, or perform effects as well."""

    TURNS = "turns"
    EFFECTS = "effects"


def drain(session_id: int, *, role: Role = Role.EFFECTS, stopping: Callable[[], bool] = lambda: False) -> None:
    """Handle what waits for the session, for one slice; whatever is left is rung for again."""
    left = _one_slice(session_id, role=role, stopping=stopping)
    for _ in range(NAPS):
        if not isinstance(left, Later):
            break
        # What changed while we held the lease rang in vain, for nobody else could come. So it is looked at again without it.
        again = agenda.look(session_id, now=clock.now())
        if isinstance(again, Later):
            left, wait = again, (again.at - clock.now()).total_seconds()
            if wait > NAP_S:
                break
            time.sleep(max(0.0, wait))  # under no lease: until it begins, the work may go to another device
        left = _one_slice(session_id, role=role, stopping=stopping)
    if isinstance(left, Later):
        timers.ring_at(session_id, left.at)
    if isinstance(left, Over):
        leftovers.settle(session_id)


def _one_slice(session_id: int, *, role: Role, stopping: Callable[[], bool]) -> Over | Later | None:
    lease = leases.claim(session_id)
    if lease is None:
        return None
    try:
        return _slice(lease, role=role, stopping=stopping)
    except LostLeaseError:
        log.warning("session %s: lease lost, nothing stored", session_id)
        return None
    finally:
        watchdog.disarm()


def _slice(lease: Lease, *, role: Role, stopping: Callable[[], bool]) -> Over | Later | None:
    """Work until nothing waits, the time is up or the session is over; what is known of the rest."""
    began = time.monotonic()
    for _ in range(SLICE_ITEMS):
        if stopping() or time.monotonic() - began > SLICE_S:
            break
        work = agenda.look(lease.session, now=clock.now())
        if work is None:
            if leases.release_if_idle(lease):
                return None
            continue
        if isinstance(work, Over):
            leases.release(lease, pending=False)
            return work
        if isinstance(work, Later):
            leases.release(lease, not_before=work.at)
            return work
        try:
            at_rest = _do(lease, work, role=role)
        except NotHereError:
            steps.uncount(work)
            leases.release(lease)
            doorbells.ring(lease.session, doorbells.EFFECTS)
            return None
        except NotYetError as wait:
            setbacks.say_wait(work, wait.until)
            leases.release(lease, not_before=wait.until)
            return None
        except NotOursError as left:  # not rung for, which would go round and round; the sweep does
            leases.release(lease, not_before=left.until)
            return None
        if at_rest and work.alone and leases.release_if_unchanged(lease, next_sequence=work.session.next_sequence):
            return None
    leases.release(lease)
    doorbells.ring(lease.session, doorbells.EFFECTS if role is Role.EFFECTS else doorbells.TURNS)
    return None


def _do(lease: Lease, work: Work, *, role: Role) -> bool:
    """One piece of work; True if nothing follows from it: no effect, no end."""
    met = versions.meet(lease, work)
    if met is None:
        return False
    mode, work = met
    checkpoint = work.checkpoint
    if checkpoint is not None and checkpoint.state != Checkpoint.State.SETTLED:
        if role is Role.TURNS and checkpoint.policy != Policy.ONCE.value:
            raise NotHereError
        effects.perform(lease, work, mode, checkpoint)
        return False
    begun = _begin(lease, work, mode)
    if begun is None:
        return False
    return not begun or _take(lease, work, mode, role=role)


def _begin(lease: Lease, work: Work, mode: Mode) -> bool | None:
    """Count the attempt before it runs. What keeps killing its worker is set aside: an item with an apology, an outcome with
    its session. None: the item is not as it was read, for more was said; it is looked at again.
    """
    item, checkpoint = work.item, work.checkpoint
    if item is not None:
        if item.attempts >= setbacks.ATTEMPTS:
            setbacks.apologise(lease, work, mode, note="poison")
            return False
        as_read = InboxItem.objects.filter(pk=item.pk, status=InboxItem.Status.WAITING, text=item.text)
        if not as_read.update(attempts=item.attempts + 1):
            return None
    elif checkpoint is not None:
        if checkpoint.step_failures > setbacks.ATTEMPTS:  # the last one was the plain failure in its place
            setbacks.give_up(lease, work, mode)
            return False
        Checkpoint.objects.filter(pk=checkpoint.pk).update(step_failures=checkpoint.step_failures + 1)
    return True


def _take(lease: Lease, work: Work, mode: Mode, *, role: Role) -> bool:
    """Step the mode once with this work and commit; True if nothing follows from it."""
    at = clock.now()
    if handover.is_stale(work):
        handover.drop(lease, work, at=at)
        return True
    work = handover.there(work)
    item = work.item
    if item is not None and item.kind in happenings.TIMED and not happenings.is_due(item, work.session, at=at):
        steps.commit(lease, work, mode, Step(), at=at, by="", item_status=InboxItem.Status.DROPPED, note="not due")
        return True
    event = happenings.event_of(work, at=at)
    try:
        return _step_and_commit(lease, work, mode, event, at=at, role=role)
    except HeldBackError as held:
        steps.hold_back(lease, work, held.args[0])
        return False
    except NotDueError:
        return False
    except handover.NotMovedError as stays:
        handover.refuse(lease, work, code=stays.args[0], at=at)
        return True


def _step_and_commit(lease: Lease, work: Work, mode: Mode, event: Event, *, at: datetime, role: Role) -> bool:
    by = happenings.ended_by(event)
    refused: IntegrityError | None = None
    for _ in range(2):
        try:
            step = happenings.ending(event, mode.step(sessions.standing(work.session), event))
            steps.check(mode, step)
        except Exception:
            # The edge of the mode: whatever it raises costs one sentence, never the session.
            log.exception("session %s: mode %s raised on %s", work.session.pk, mode.key, type(event).__name__)
            return setbacks.after_raise(lease, work, mode)
        if step.effect is not None and mode.effects[step.effect.name].policy is Policy.ONCE and role is Role.TURNS:
            raise NotHereError
        try:
            done = steps.commit(lease, work, mode, step, at=at, by=by)
        except NoConsentError as error:
            log.error("session %s: refused to spend: %s", work.session.pk, error)
            setbacks.apologise(lease, work, mode, note="no consent")
            return True
        except IntegrityError as error:
            refused = error
            effect = step.effect or Effect("record")
            event = Settled(at, effect.name, effect.payload, Refused("constraint", steps.constraint_of(error)))
            continue
        except (KernelError, OperationalError, InterfaceError):
            raise
        except Exception as error:  # noqa: BLE001
            # What was decided cannot be stored. Tried again for ever, it would hold up the session and all that it holds.
            # Its type alone is logged: a database quotes the row in its message, and a payment link with it.
            log.error("session %s: a step of mode %s could not be stored: %s", work.session.pk, mode.key, type(error).__name__)
            return setbacks.after_raise(lease, work, mode)
        if done.once is not None:
            effects.call_once(lease, work, mode, done.once)
        return step.effect is None and not done.ended
    log.error("session %s: a constraint refused twice: %s", work.session.pk, steps.constraint_of(refused) if refused else "")
    setbacks.apologise(lease, work, mode, note="constraint")
    return True
