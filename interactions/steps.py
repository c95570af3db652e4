"""One decision, committed: state, revision, the checkpoint of its effect, what the device is told, and the work marked done.

All of it is one transaction that opens with the device's number and the session's guard, in this order. A ONCE is committed
already begun, with its consent checked, after a last look at what was said meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from interactions import configuration, handover, leases, outcomes, sameness, sessions, silence, telling, twins
from interactions import text as texts
from interactions.agenda import WAITING, Work
from interactions.contracts import Effect, EffectSpec, Policy, Step
from interactions.errors import HeldBackError, NoConsentError, NotDueError
from interactions.leases import Lease
from interactions.models import Checkpoint, Device, InboxItem, InteractionSession, Utterance
from interactions.modes import Mode

State = Checkpoint.State
NO_TURN = ("other_device", "differs")  # reasons of words that reached no session of the device that heard them


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit left behind: a ONCE to be called this instant, and whether the session is over."""

    once: Checkpoint | None = None
    ended: bool = False


def check(mode: Mode, step: Step) -> None:
    """Refuse a decision that the mode has not declared; raises ValueError or TypeError."""
    if step.phase is not None and step.phase not in mode.phases:
        raise ValueError(f"mode {mode.key} has no phase {step.phase!r}")
    if step.effect is not None and step.effect.name not in mode.effects:
        raise ValueError(f"mode {mode.key} declares no effect {step.effect.name!r}")
    if step.effect is not None and step.end is not None:
        raise ValueError("a step that ends the session cannot ask for an effect")
    if step.take_over is not None and (step.effect is not None or step.end is not None):
        raise ValueError("a step that takes a session over waits for it: no effect, no end")
    outcomes.canonical([step.state, step.effect.payload if step.effect else None, [reply.data for reply in step.say]])


def commit(
    lease: Lease,
    work: Work,
    mode: Mode,
    step: Step,
    *,
    at: datetime,
    by: str,
    item_status: str = InboxItem.Status.DONE,
    note: str = "",
) -> Committed:
    """Store the step; after a KernelError or IntegrityError (lost lease, held back, not due, no consent) nothing is stored."""
    session, revision = work.session, work.session.revision + 1
    spec = mode.effects[step.effect.name] if step.effect else None
    once = spec is not None and spec.policy is Policy.ONCE
    phase = step.phase or session.phase
    with _told_apart(lease), transaction.atomic():
        changes: dict[str, Any] = handover.move(work, mode, at=at) if work.moving else {}
        prompt = telling.tell(work, step, phase=phase, revision=revision, at=at)
        changes |= {"revision": revision, "phase": phase, "not_before": None}
        if item_status != InboxItem.Status.DROPPED:
            changes |= silence.armed(work, mode, step, at=at)
        if step.state is not None:
            changes["state"] = step.state
        if work.item is not None and work.item.kind in ("start", "heard"):
            changes["turn"] = F("turn") + 1
        if step.lang is not None:
            changes["lang"] = step.lang
        if step.freeze_s is not None:
            changes["frozen_until"] = at + timedelta(seconds=step.freeze_s) if step.freeze_s else None
        if prompt is not None:
            changes["prompt_id"] = prompt
        if step.end is not None:
            changes |= {"status": "ended", "end_reason": step.end, "ended_by": by, "ended_at": at}
        if step.take_over is not None:
            handover.ask(work, step.take_over, at=at)
        seconds = spec.budget_s + leases.margin_s() if once and spec else work.held_s
        leases.guard(lease, seconds=seconds, **changes)
        if once and step.effect is not None and spec is not None:
            _check_consent(work, step.effect, spec)
        if work.item is not None and item_status == InboxItem.Status.DONE:
            _check_due(work.item, at=at)
        _mark_done(work, at=at, status=item_status, note=note or step.said)
        checkpoint = None
        if step.effect is not None and spec is not None:
            checkpoint = _stage(lease, work, step.effect, spec, revision=revision, at=at)
        standing = replace(sessions.standing(session), lang=step.lang or session.lang)
        if step.rows:
            mode.record(standing, step, at=at, checkpoint=checkpoint.pk if checkpoint else None)
        if step.end is not None:
            mode.closed(standing, step.end, at=at)
            Checkpoint.objects.filter(session=session, stepped_at=None).update(stepped_at=at)
    return Committed(checkpoint if once else None, step.end is not None)


@contextmanager
def _told_apart(lease: Lease) -> Iterator[None]:
    """A lost lease from a refused row. What is told comes before the guard, and may meet what a new holder has told already."""
    try:
        yield
    except IntegrityError:
        with transaction.atomic():
            leases.guard(lease)
        raise


def _stage(lease: Lease, work: Work, effect: Effect, spec: EffectSpec, *, revision: int, at: datetime) -> Checkpoint:
    once = spec.policy is Policy.ONCE
    return Checkpoint.objects.create(
        session=work.session,
        revision=revision,
        effect=effect.name,
        policy=spec.policy.value,
        payload=dict(effect.payload),
        payload_hash=outcomes.digest(effect.payload),
        version=work.session.version,
        consent_id=effect.consent,
        answers=work.answers,
        created_at=at,
        state=State.STARTED if once else State.STAGED,
        fence=lease.fence if once else None,
        attempts=1 if once else 0,
        started_at=at if once else None,
        deadline_at=at + timedelta(seconds=spec.budget_s) if once else None,
        open_since=at if spec.lasting else None,
    )


def _check_consent(work: Work, effect: Effect, spec: EffectSpec) -> None:
    """The rule that spends: the unused utterance of this session that spoke the declared phrase in the declared phase."""
    if work.held_back:
        raise NoConsentError(f"{effect.name} was overtaken; only a new phrase can ask for it")
    item = (
        InboxItem.objects.filter(session=work.session, utterance_id=effect.consent, kind="heard")
        .select_related("utterance")
        .first()
        if effect.consent is not None
        else None
    )
    if item is None or item.utterance is None:
        raise NoConsentError(f"{effect.name} names no utterance of this session")
    recovered_upto = work.session.recovered_upto
    if recovered_upto is not None and item.utterance.pk <= recovered_upto:
        raise NoConsentError(f"{effect.name} was agreed to before a recovery; what was agreed to may be done already")
    if item.utterance.device_id != work.session.device_id:
        raise NoConsentError(f"{effect.name} was agreed to at a device that the session has left")
    if not Device.objects.filter(pk=work.session.device_id, owner=work.session.user_id).exists():
        raise NoConsentError(f"{effect.name} was agreed to at a device that was given to somebody else")
    phase = work.session.phase if item == work.item else item.data.get("phase")
    if phase != spec.phase:
        raise NoConsentError(f"{effect.name} was agreed to in phase {phase!r}, not {spec.phase!r}")
    if not _is_phrase(item.utterance, spec):
        raise NoConsentError(f"{effect.name} was agreed to in other words than its phrase")
    if not all(_agrees(twin, item.utterance, spec) for twin in _reports_of(item.utterance)):
        raise NoConsentError(f"{effect.name} was agreed to in words that another report of them denies")
    # Whatever waits has not been heard, also what came before the phrase on the wire and was said after it; and what came to
    # light since the question was asked is to be told first.
    kinds = ("heard", "end", "signal", handover.KIND)
    waiting = InboxItem.objects.filter(session=work.session, status=WAITING, kind__in=kinds)
    others = [one for one in waiting.select_related("utterance") if one not in (item, work.item)]
    unheard = any(one.kind != "heard" or one.utterance is None or not _is_phrase(one.utterance, spec) for one in others)
    if unheard or not all(_is_phrase(one, spec) for one in _taken_from(work.session, after=item.utterance)):
        raise HeldBackError(effect)


def _reports_of(phrase: Utterance) -> list[Utterance]:
    """What else was reported of the same sound, here and at the device that had it first."""
    return [*phrase.aliases.all(), *([phrase.alias_of] if phrase.alias_of is not None else [])]


def _taken_from(session: InteractionSession, *, after: Utterance) -> QuerySet[Utterance]:
    """What was heard here after the phrase and is no turn here: another device has it, or it was heard in two ways."""
    return Utterance.objects.filter(device=session.device, pk__gt=after.pk, disposition="duplicate", reason__in=NO_TURN)


def _check_due(item: InboxItem, *, at: datetime) -> None:
    """Looked at again under the lock: a turn that was received in time may have been stored since the row was read."""
    if item.kind == "deadline" and sessions.due(InteractionSession.objects.get(pk=item.session_id), at) is None:
        raise NotDueError
    spoken = InboxItem.objects.filter(session=item.session_id, status=WAITING, kind="heard")
    if item.kind == silence.KIND and spoken.exists():
        raise NotDueError


def _is_phrase(utterance: Utterance, spec: EffectSpec) -> bool:
    return texts.is_phrase(utterance.text, spec.phrases, configuration.current().host.assistant.names)


def _agrees(twin: Utterance, phrase: Utterance, spec: EffectSpec) -> bool:
    """Whether a twin leaves the phrase alone: no words around it, and no stranger's voice. What cut it short denies nothing."""
    names = configuration.current().host.assistant.names
    alike = sameness.near_equal(twin.text, phrase.text, names=names) or sameness.within(twin.text, phrase.text, names=names)
    return twin.reason != twins.FOREIGN and (alike or _is_phrase(twin, spec))


def _mark_done(work: Work, *, at: datetime, status: str, note: str) -> None:
    if work.item is not None:
        InboxItem.objects.filter(pk=work.item.pk).update(
            status=status, done_at=at, note=note[:120], data={**work.item.data, "phase": work.session.phase}
        )
    if work.checkpoint is not None:
        # Tries are counted before they run, so that a death counts; this one was none.
        Checkpoint.objects.filter(pk=work.checkpoint.pk).update(stepped_at=at, step_failures=work.checkpoint.step_failures)


def uncount(work: Work) -> None:
    """It was not run here, so it is not what killed anybody. An effect that was only passed on had not been counted."""
    if work.item is not None:
        InboxItem.objects.filter(pk=work.item.pk).update(attempts=work.item.attempts)
    if work.checkpoint is not None and work.checkpoint.state == State.SETTLED:
        Checkpoint.objects.filter(pk=work.checkpoint.pk).update(step_failures=work.checkpoint.step_failures)


def hold_back(lease: Lease, work: Work, effect: Effect) -> None:
    """Remember that this work's ONCE was overtaken; it is told so after what overtook it was handled."""
    kept = {"effect": effect.name, "payload": dict(effect.payload), "version": work.session.version}
    with transaction.atomic():
        leases.guard(lease)
        if work.item is not None:
            InboxItem.objects.filter(pk=work.item.pk).update(overtaken=kept)
        elif work.checkpoint is not None:
            Checkpoint.objects.filter(pk=work.checkpoint.pk).update(overtaken=kept)


def constraint_of(error: IntegrityError) -> str:
    """The name of the constraint that refused, or the database's first line where it gives no name; the rest quotes the row."""
    diagnosis = getattr(error.__cause__, "diag", None)
    name = getattr(diagnosis, "constraint_name", None)
    return str(name or str(error).partition("\n")[0])[:120]
