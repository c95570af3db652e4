"""Perform one effect outside any transaction, by its policy, and store its outcome.

READ and REPLAY are tried within one budget, each attempt counted before it begins. A ONCE is called by the very holder whose
commit began it and by nobody else: found begun under another fence, it is unknown. After a ONCE began, everything that is not
proven is unknown.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction

from interactions import agenda, alarms, asides, attempts, clock, leases, outcomes, sessions
from interactions.agenda import Work
from interactions.contracts import (
    Abandoned,
    Call,
    EffectSpec,
    Failed,
    NoAnswerError,
    NotSentError,
    NotYetError,
    Outcome,
    Policy,
    TurnedDownError,
    Unknown,
)
from interactions.errors import LostLeaseError
from interactions.leases import Lease
from interactions.models import Checkpoint
from interactions.modes import Mode

log = logging.getLogger(__name__)

State = Checkpoint.State
RUNS = 5  # how many holders may begin a READ or REPLAY before it is given up
KEEPS = 4  # how often the answer of a ONCE is offered again to a database that is away; it cannot be had a second time
START_S = 10  # a ONCE whose call would begin later than this after its commit is not made


def perform(lease: Lease, work: Work, mode: Mode, checkpoint: Checkpoint) -> None:
    """Bring a staged or interrupted effect to its outcome. Raises LostLeaseError, NotYetError."""
    interrupted = checkpoint.state == State.STARTED and checkpoint.fence is not None
    if checkpoint.policy == Policy.ONCE.value:
        _settle(lease, work, mode, checkpoint, Unknown("interrupted"), orphan_until=checkpoint.deadline_at)
        return
    spec = mode.effects[checkpoint.effect]
    if checkpoint.attempts >= RUNS + spec.attempts:
        _settle(lease, work, mode, checkpoint, Failed("gave_up"))
        return
    never_sent = checkpoint.state == State.STAGED or (checkpoint.fence is None and checkpoint.attempts == 1)
    call = _begin(lease, work, mode, checkpoint, spec, interrupted=interrupted)
    tries = attempts.Attempts(mode, spec, call, count=lambda: _count(checkpoint))
    try:
        outcome = tries.run()
    except NotYetError:
        if call.abandoned() or (never_sent and not tries.unanswered and agenda.leaving(work.session.pk, mode)):
            _settle(lease, work, mode, checkpoint, Abandoned())
            return
        with transaction.atomic():
            leases.guard(lease)
            if tries.unanswered and spec.policy is Policy.REPLAY:
                mode.orphaned(sessions.standing(work.session), checkpoint.effect, checkpoint.payload, until=call.deadline)
            # No fence: this holder leaves nothing in flight. Waiting is no attempt, but after it the world is looked at again;
            # a count of one says that nothing was ever sent.
            sent = tries.unanswered or interrupted
            waited = checkpoint.attempts if sent else max(1, checkpoint.attempts - 1)
            Checkpoint.objects.filter(pk=checkpoint.pk).update(fence=None, attempts=waited)
        raise
    lost = tries.unanswered and spec.policy is Policy.REPLAY
    _settle(lease, work, mode, checkpoint, outcome, orphan_until=call.deadline if lost else None)


def give_up(lease: Lease, work: Work, mode: Mode, checkpoint: Checkpoint, *, code: str) -> None:
    """Settle a READ or REPLAY that cannot be performed; what an earlier holder sent may still land."""
    sent = checkpoint.state == State.STARTED and checkpoint.policy == Policy.REPLAY.value
    _settle(lease, work, mode, checkpoint, Failed(code), orphan_until=checkpoint.deadline_at if sent else None)


def call_once(lease: Lease, work: Work, mode: Mode, checkpoint: Checkpoint) -> None:
    """Make the one call of a ONCE whose beginning was committed a moment ago by this holder."""
    assert checkpoint.deadline_at is not None
    call = Call(
        checkpoint.effect,
        checkpoint.payload,
        work.session.pk,
        work.session.user_id,
        checkpoint.pk,
        attempt=1,
        deadline=checkpoint.deadline_at,
    )
    began = checkpoint.started_at or call.deadline
    # A holder that was frozen between the commit and the call must not spend on words that have grown old.
    late = clock.now() > began + timedelta(seconds=START_S)
    outcome = Failed("too_late") if late else _once(mode, call)
    try:
        unknown = isinstance(outcome, Unknown)
        orphan_until = call.deadline if unknown else None
        _keep(lambda: _settle(lease, work, mode, checkpoint, outcome, orphan_until=orphan_until), of=checkpoint)
    except LostLeaseError:
        _keep(lambda: _witness(work, mode, call, outcome), of=checkpoint)
        raise


def _witness(work: Work, mode: Mode, call: Call, outcome: Outcome) -> None:
    try:
        with transaction.atomic():
            mode.witness(sessions.standing(work.session), call, outcome)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001  the edge of the mode; its type alone, since a database quotes rows in its message
        log.error("checkpoint %s: its answer could not be kept: %s", call.checkpoint, type(error).__name__)
        alarms.sound(
            f"unkept:{call.checkpoint}", f"The answer of checkpoint {call.checkpoint} came late and could not be kept."
        )


def _once(mode: Mode, call: Call) -> Outcome:
    try:
        return outcomes.done(mode.perform(call))
    except NotSentError as error:
        return Failed(error.code)
    except TurnedDownError as error:
        return outcomes.refused(error)
    except NoAnswerError as error:
        return Unknown(error.code)
    except (Exception, asyncio.CancelledError) as error:
        # The edge of an effect that may have spent: nothing that can be raised here proves that it did not.
        log.exception("checkpoint %s: %s raised", call.checkpoint, call.effect)
        return Unknown(type(error).__name__)


def _begin(lease: Lease, work: Work, mode: Mode, checkpoint: Checkpoint, spec: EffectSpec, *, interrupted: bool) -> Call:
    at, reads = clock.now(), spec.policy is Policy.READ
    deadline = at + timedelta(seconds=spec.budget_s)
    with transaction.atomic():
        leases.guard(lease, seconds=spec.budget_s + leases.margin_s())
        if interrupted and checkpoint.deadline_at is not None:
            standing = sessions.standing(work.session)
            mode.orphaned(standing, checkpoint.effect, checkpoint.payload, until=checkpoint.deadline_at)
        Checkpoint.objects.filter(pk=checkpoint.pk).update(
            state=State.STARTED,
            fence=lease.fence,
            attempts=checkpoint.attempts + 1,
            started_at=checkpoint.started_at or at,
            deadline_at=deadline,
        )
    checkpoint.attempts += 1
    return Call(
        checkpoint.effect,
        checkpoint.payload,
        work.session.pk,
        work.session.user_id,
        checkpoint.pk,
        attempt=checkpoint.attempts,
        deadline=deadline,
        abandoned=asides.Listening(lease, work.session.pk, checkpoint.effect, mode, deadline, checkpoint.answers)
        if reads
        else lambda: False,
    )


def _count(checkpoint: Checkpoint) -> int:
    checkpoint.attempts += 1
    Checkpoint.objects.filter(pk=checkpoint.pk).update(attempts=checkpoint.attempts)
    return checkpoint.attempts


def _settle(
    lease: Lease, work: Work, mode: Mode, checkpoint: Checkpoint, outcome: Outcome, *, orphan_until: datetime | None = None
) -> None:
    word, result = outcomes.store(outcome)
    with transaction.atomic():
        leases.guard(lease)
        if orphan_until is not None:
            standing = sessions.standing(work.session)
            mode.orphaned(standing, checkpoint.effect, checkpoint.payload, until=orphan_until)
        settled: dict[str, Any] = {"state": State.SETTLED, "outcome": word, "result": result, "settled_at": clock.now()}
        Checkpoint.objects.filter(pk=checkpoint.pk).exclude(state=State.SETTLED).update(**settled)


def _keep(store: Callable[[], None], *, of: Checkpoint) -> None:
    """Store what a ONCE brought, and again where the database was away for a moment."""
    for tried in range(KEEPS + 1):
        try:
            return store()
        except (OperationalError, InterfaceError) as error:
            if tried == KEEPS:
                raise
            log.warning("checkpoint %s: its outcome could not be stored yet: %s", of.pk, type(error).__name__)
            if not connection.in_atomic_block:
                connection.close()
            time.sleep(attempts.BACKOFF_S * 2**tried)
