"""One sentence that comes as several finals: the first breaks off and waits a moment, and what goes on with it is one turn.

Asked inside the accepting transaction. Only rows say that something waits: an item that is ``UNFINISHED`` and not due yet. It
can be lengthened until a worker has begun it, which both see by the words and the attempts of one row.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from interactions import configuration, doorbells, echo, registry, sessions, text, twins, universal, verdicts
from interactions.agenda import UNFINISHED, WAITING
from interactions.models import Device, InboxItem, InteractionSession, Utterance
from interactions.modes import Mode
from interactions.ownership import Verdict
from interactions.reports import Report

log = logging.getLogger(__name__)

HOLD = timedelta(milliseconds=700)  # from the end of what broke off to the beginning of the rest
SPEAKING = timedelta(seconds=5)  # so long the rest may take, once the device says that somebody speaks
LONGEST = timedelta(seconds=10)  # and no longer is anything kept waiting by that


# ---- what waits ---------------------------------------------------------------------------------------------------------


def held(
    device: Device, session: InteractionSession, report: Report, said: str, *, doubtful: bool, at: datetime
) -> dict[str, Any]:
    """What makes the new item wait, where ``said`` breaks off; nothing for what is typed, tapped or perhaps our own voice."""
    mode = _mode(session)
    if mode is None or doubtful or not report.is_speech or not _breaks_off(mode, device, session, said):
        return {}
    return {"not_before": at + HOLD, "data": {UNFINISHED: True}}


def _breaks_off(mode: Mode, device: Device, session: InteractionSession, said: str) -> bool:
    return bool(said) and not _reserved(mode, said) and _ask(mode, device, session, mode.unfinished, said)


def speaking(session: InteractionSession, *, began: bool, at: datetime) -> None:
    """Somebody has begun or stopped speaking: what waits for the rest waits until that has come."""
    if not session.work_pending:
        return
    waiting = InboxItem.objects.filter(session=session, status=WAITING, attempts=0, data__unfinished=True)
    if waiting.filter(not_before__gt=at, created_at__gt=at - LONGEST).update(not_before=at + (SPEAKING if began else HOLD)):
        doorbells.ring(session.pk)  # whoever looked before has another moment in mind


# ---- what goes on -------------------------------------------------------------------------------------------------------


def joined(device: Device, report: Report, verdict: Verdict, *, at: datetime) -> Verdict:
    """The verdict of a report whose words were put behind those that wait for them; any other verdict as it is.

    Whatever else is said ends the wait, and both are turns, in their order.
    """
    session = verdict.session
    if verdict.reason != "mode" or session is None or not session.work_pending or sessions.due(session, at) is not None:
        return verdict
    item = _waiting(session)
    mode = _mode(session)
    if item is None or mode is None:
        return verdict
    changes = {"idle_at": at + timedelta(seconds=mode.idle_s), "silence_at": None}
    if not InteractionSession.objects.filter(pk=session.pk, status=sessions.ACTIVE).update(work_pending=True, **changes):
        return verdict
    unbegun = InboxItem.objects.filter(pk=item.pk, status=WAITING, attempts=0, text=item.text)
    if verdict.doubtful or not _goes_on(mode, device, session, item, report, at=at):
        unbegun.update(not_before=None)
        return verdict
    whole = f"{item.text} {report.text}"
    twin = twins.find(device, replace(report, text=whole), at=at)
    if twin is not None and twin.says_no_more:  # a source that was quicker heard it in one
        dropped = {"status": InboxItem.Status.DROPPED, "done_at": at, "note": "another source had reported the whole"}
        doorbells.ring_after_commit(session.pk)
        again = replace(verdict, disposition="duplicate", reason="twin", twin=twin.of, found=twin)
        return again if unbegun.update(**dropped) else verdict
    more = _breaks_off(mode, device, session, whole)
    if not unbegun.update(text=whole, not_before=at + HOLD if more else None, data={**item.data, UNFINISHED: more}):
        return verdict  # a worker was quicker
    doorbells.ring_after_commit(session.pk)
    return replace(verdict, reason=verdicts.CONTINUES, twin=item.utterance)


def _waiting(session: InteractionSession) -> InboxItem | None:
    """The last thing said in the session, if it waits for more and nobody has begun it."""
    said = InboxItem.objects.filter(session=session, kind__in=("start", "heard")).select_related("utterance")
    item = said.order_by("-sequence").first()
    if item is None or item.status != WAITING or item.attempts or not item.data.get(UNFINISHED):
        return None
    return item


def _goes_on(mode: Mode, device: Device, session: InteractionSession, item: InboxItem, report: Report, *, at: datetime) -> bool:
    assert item.utterance is not None
    pieces = Utterance.objects.filter(Q(pk=item.utterance.pk) | Q(alias_of=item.utterance.pk, reason=verdicts.CONTINUES))
    last = pieces.order_by("-pk").first()
    if last is None or not _is_next(device, last, report) or not _in_time(last, report, at=at):
        return False
    if any(_reserved(mode, said) for said in (report.text, f"{item.text} {report.text}")):
        return False
    return _ask(mode, device, session, mode.continues, item.text, report.text)


def _is_next(device: Device, last: Utterance, report: Report) -> bool:
    """Whether one recogniser reported both, of one capture, with nothing between them, and not of two people."""
    speaker = last.details.get("speaker")
    return (
        (last.device_id, last.source) == (device.pk, report.source)
        and (last.audio_session_id, last.capture_epoch) == (report.audio_session_id, report.capture_epoch)
        and (None in (last.seq, report.seq) or report.seq == (last.seq or 0) + 1)
        and (None in (speaker, report.speaker) or speaker == report.speaker)
    )


def _in_time(last: Utterance, report: Report, *, at: datetime) -> bool:
    """By the count of the device that captured both, where it gave one; else by when each must have been said."""
    if report.start_ms is not None and last.start_ms is not None and last.end_ms is not None:
        return last.start_ms <= report.start_ms <= last.end_ms + HOLD / timedelta(milliseconds=1)
    ended = last.received_at - timedelta(milliseconds=max(0, last.spoken_age_ms))
    return echo.sound(report, at=at).began <= ended + HOLD


# ---- the mode -----------------------------------------------------------------------------------------------------------


def _mode(session: InteractionSession) -> Mode | None:
    """The mode of the session, if this release is the one that wrote its state."""
    mode = registry.modes().get(session.mode)
    return mode if mode is not None and mode.version == session.version else None


def _reserved(mode: Mode, said: str) -> bool:
    """Words that stand alone whatever is open: those that work everywhere, and what spends."""
    names = configuration.current().host.assistant.names
    phrases = (phrase for spec in mode.effects.values() for phrase in spec.phrases)
    return universal.word(said, mode, names) is not None or text.is_phrase(said, phrases, names)


def _ask(mode: Mode, device: Device, session: InteractionSession, hook: Callable[..., bool], *said: str) -> bool:
    if session.device_id == device.pk:
        session.device = device  # locked and read already
    try:
        return hook(sessions.standing(session), *said)
    except Exception:
        # The edge of the mode: what it raises costs the wait, never the words.
        log.exception("session %s: mode %s raised on what was said", session.pk, mode.key)
        return False
