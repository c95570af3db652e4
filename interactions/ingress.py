"""Hear once: one transaction decides who owns an utterance and stores it with what makes it due. It calls nobody.

Reads downwards: ``accept`` takes the person's lock, then the device's, then a session's; a report is answered from its key,
given its owner (``ownership``), and stored with what makes it due there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError, transaction

from interactions import (
    arbitration,
    attention,
    clock,
    configuration,
    continuations,
    doorbells,
    ownership,
    people,
    registry,
    replies,
    revisions,
    saying,
    sessions,
    universal,
    verdicts,
)
from interactions import text as texts
from interactions.errors import InFlightError, KeyReusedError
from interactions.models import ChainRun, Device, InteractionSession, Utterance
from interactions.ownership import Verdict
from interactions.reports import Report

GAP_S = 2  # how long a post that skipped a number waits for the one before


@dataclass(frozen=True, slots=True)
class Answer:
    """What POST returns; ``replayed`` when the key was known."""

    body: dict[str, Any]
    replayed: bool = False


def accept(device_id: int, report: Report, *, key: str, body_hash: str) -> Answer:
    """Store the report with its verdict, or replay the stored answer. Raises an IngressError; then nothing is stored."""
    try:
        with transaction.atomic():
            beside = arbitration.Round(report)
            device = people.lock(device_id, key, beside=beside.others)
            return _accept(device, beside, key=key, body_hash=body_hash, at=clock.now())
    except OperationalError as error:
        if "lock" in str(error):
            raise InFlightError from error
        raise


def _accept(device: Device, beside: arbitration.Round, *, key: str, body_hash: str, at: datetime) -> Answer:
    report = beside.report
    if device.answered is not None:
        stored = Utterance.objects.only("body_hash", "answer").get(pk=device.answered)
        if stored.body_hash != body_hash:
            raise KeyReusedError
        return Answer({"id": stored.pk, **stored.answer}, replayed=True)
    verdict = revisions.settle(device, report, ownership.decide(device, report, at=at), at=at)
    verdict = arbitration.settle(device, verdict, beside, at=at)
    verdict = continuations.joined(device, report, verdict, at=at)
    if verdict.opening is not None:
        opened = arbitration.opened(verdict) or sessions.open_session(
            device, mode_key=verdict.opening.key, audio_session_id=report.audio_session_id, at=at
        )
        verdict = replace(verdict, session=opened)
    answer = {
        "disposition": verdict.disposition,
        "reason": verdict.reason,
        "session": verdict.session.pk if verdict.session else None,
        "cursor": device.event_seq,
    }
    utterance = _store(device, report, verdict, key=key, body_hash=body_hash, answer=answer, at=at)
    _hand_over(device, report, verdict, utterance, at=at)
    return Answer({"id": utterance.pk, **answer})


def _store(
    device: Device, report: Report, verdict: Verdict, *, key: str, body_hash: str, answer: dict[str, Any], at: datetime
) -> Utterance:
    details = {
        name: value
        for name, value in (
            ("wake", report.wake),
            ("has_speech", report.has_speech),
            ("speaker", report.speaker),
            ("confidence", report.confidence),
            ("alternatives", list(report.alternatives)),
            ("lang", report.lang),
            ("playback", report.playback),
            ("doubtful", verdict.doubtful or None),
            ("follow_up", verdict.follow_up or None),
            ("held_ms", attention.ms(verdict.held) or None),
            ("took_over", (verdict.over is not None) or None),
        )
        if value not in (None, [])
    }
    if report.seq is not None and (report.capture_epoch != device.posted_epoch or report.seq > device.posted_seq):
        Device.objects.filter(pk=device.pk).update(posted_seq=report.seq, posted_epoch=report.capture_epoch)
    claimed = report.heard_upto
    assert device.owner_id is not None
    delivered = device.delivered_upto or 0
    return Utterance.objects.create(
        device=device,
        owner_id=device.owner_id,
        key=key,
        body_hash=body_hash,
        answer=answer,
        session=verdict.session,
        text=report.text,
        normal=texts.normalise(report.text),
        source=report.source,
        ingest=report.ingest,
        segmentation=report.segmentation or "",
        final=report.final,
        audio_session_id=report.audio_session_id,
        capture_epoch=report.capture_epoch,
        start_ms=report.start_ms,
        end_ms=report.end_ms,
        seq=report.seq,
        spoken_age_ms=report.spoken_age_ms,
        heard_upto=delivered if claimed is None else min(claimed, delivered),
        in_reply_to=report.in_reply_to,
        details=details,
        received_at=at,
        disposition=verdict.disposition,
        reason=verdict.reason,
        alias_of=verdict.twin or verdict.over,
    )


def _hand_over(device: Device, report: Report, verdict: Verdict, utterance: Utterance, *, at: datetime) -> None:
    """Make the accepted utterance due for its owner; say of a late one that it was late."""
    attention.heard(device, report, utterance, at=at)
    arbitration.tell(device, verdict, utterance, at=at)
    if verdict.disposition == "late":
        _ask(_context(device, utterance, verdict.session, at=at), "too_late")
    if verdict.reason == "differs":
        _ask(_context(device, utterance, verdict.session, at=at), "heard_two_ways")
    if verdict.disposition == "duplicate" and verdict.session is None and verdict.reason in revisions.TAKEN:
        revisions.pass_on(utterance)
    if verdict.said is not None:
        report = ownership.said(report, verdict.said)
    if (verdict.disposition == "accepted" or verdict.reason == arbitration.REASON) and _is_stop(report, verdict.session):
        _silence(device, utterance, verdict.session, at=at)
    if verdict.disposition != "accepted":
        return
    due = at + verdict.held if verdict.held else None
    start: dict[str, Any] = {"not_before": due}
    if verdict.opening is not None and verdict.session is not None:
        start["text"] = said = verdict.opening.remainder
        start |= continuations.held(device, verdict.session, report, said, doubtful=verdict.doubtful, at=at)
    if arbitration.carry(verdict, utterance, start, at=at) or verdict.reason == verdicts.CONTINUES:
        return  # its work is there already
    if verdict.opening is not None:
        assert verdict.session is not None
        sessions.add(verdict.session.pk, kind="start", at=at, utterance=utterance, **start)
    elif verdict.session is not None:
        _to_session(device, report, verdict.session, utterance, doubtful=verdict.doubtful, at=at)
    elif verdict.missed is not None:
        _ask(_context(device, utterance, None, at=at), "did_you_mean", phrase=" ".join(verdict.missed))
    elif verdict.reason != "stop":
        run = ChainRun.objects.create(utterance=utterance, created_at=at, not_before=due)
        doorbells.ring_after_commit(run.pk, doorbells.CHAIN)


def _to_session(
    device: Device, report: Report, session: InteractionSession, utterance: Utterance, *, doubtful: bool, at: datetime
) -> None:
    if (kind := sessions.due(session, at)) is not None:  # the deadline came first, whoever notices it
        sessions.add(session.pk, kind="deadline", at=at, data={"kind": kind})
        sessions.add(session.pk, kind="heard", at=at, utterance=utterance, text=report.text)
        return
    mode = registry.modes().get(session.mode)
    skipped = (
        report.seq is not None
        and report.capture_epoch == device.posted_epoch
        and device.posted_seq > 0
        and report.seq > device.posted_seq + 1
    )
    held = continuations.held(device, session, report, report.text, doubtful=doubtful, at=at)
    idle_at = at + timedelta(seconds=mode.idle_s) if mode is not None else session.idle_at
    sessions.add(
        session.pk,
        kind="heard",
        at=at,
        utterance=utterance,
        text=report.text,
        **({"not_before": at + timedelta(seconds=GAP_S)} if skipped else held),
        idle_at=idle_at,
        silence_at=None,
        audio_session_id=sessions.newest_audio(device, session, report.audio_session_id, at=at),
    )


def _is_stop(report: Report, session: InteractionSession | None) -> bool:
    mode = registry.modes().get(session.mode) if session is not None else None
    return universal.word(report.text, mode, configuration.current().host.assistant.names) == universal.STOP


def _silence(device: Device, utterance: Utterance, session: InteractionSession | None, *, at: datetime) -> None:
    """``stop`` is obeyed here: the device falls silent at once, and answers to anything said before are only shown."""
    Device.objects.filter(pk=device.pk).update(silenced_upto=utterance.pk)
    context = _context(device, utterance, session, at=at)
    replies.note(context, kind="speech.stop", ordinal=0)


def _ask(context: replies.Context, name: str, **values: object) -> None:
    """It asks for the same words once more, so what they answer stays what was asked: the prompt is not moved."""
    replies.tell(replace(context, reason=name), replies=(saying.ask(context.lang, name, **values),))


def _context(device: Device, utterance: Utterance, session: InteractionSession | None, *, at: datetime) -> replies.Context:
    return replies.Context(
        device=device.pk,
        session=session.pk if session else 0,
        mode=session.mode if session else "",
        phase=session.phase if session else "",
        status=session.status if session else "",
        cause=f"utterance:{utterance.pk}",
        at=at,
        lang=session.lang if session else people.language_of(utterance.owner_id),
        answers=utterance.pk,
    )
