"""One wake, heard by several devices of one person: which of them has it. The others are told who, and stay silent.

``is_one`` and ``takes`` decide and are pure. The rest is rows: the first report is routed at once, and where another device is
there its work waits ``HELD`` for a better one, which takes that work over under the person's lock. What has begun is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import F

from interactions import attention, clock, configuration, doorbells, echo, events, reports, sameness, sessions
from interactions.models import ChainRun, Device, DeviceEvent, InboxItem, InteractionSession, Utterance
from interactions.reports import Report

if TYPE_CHECKING:
    from interactions.ownership import Verdict

HELD = timedelta(milliseconds=250)  # the longest that a first report waits for a better one
SAME_WORDS, NO_WORDS = timedelta(seconds=2), timedelta(seconds=1)  # how far apart two reports of one wake may be
LOOK_BACK = timedelta(seconds=12)  # a command comes after its words, an announcement before them
MOST = 12
ROUTED = ("activation", "near_activation", "chain")  # what a wake may lead to where no session is open
ANNOUNCED, IN_SESSION = "announcement", "mode"
REASON = "other_device"


@dataclass(frozen=True, slots=True)
class Wake:
    """One report of a wake. ``said`` is empty where it only announces that speech follows. ``at_session``: its device has a
    session open. ``open``: a better one may still take its place.
    """

    sound: echo.Sound
    said: str = ""
    score: float = 0.0
    at_session: bool = False
    open: bool = False


def is_one(one: Wake, other: Wake, names: Sequence[str]) -> bool:
    """Whether both report one wake: by when it was heard, and the less they agree in words the nearer that must be."""
    began, ended = abs(one.sound.began - other.sound.began), abs(one.sound.ended - other.sound.ended)
    if not (one.said and other.said):
        return (began if one.said or other.said else min(began, ended)) <= NO_WORDS
    return min(began, ended) <= (SAME_WORDS if sameness.resembles(one.said, other.said, names=names) else HELD)


def takes(new: Wake, old: Wake) -> tuple[bool, str]:
    """Whether the newer report takes the wake from the older, and why: a word for the device that does not have it."""
    if new.at_session != old.at_session:  # what is said at a device belongs to its session
        return new.at_session, "session"
    if not old.open:
        return False, "later"
    return new.score > old.score, "first" if new.score == old.score else "score"


@dataclass
class Round:
    """A report and the wakes of its person that may be the same one. It is empty for anything but a wake."""

    report: Report
    rows: list[Utterance] = field(default_factory=list)

    def others(self, owner: int) -> set[int]:
        """Look for them, under the person's lock; the devices that must be locked to tell them anything."""
        if self.report.is_acoustic and self.report.ingest == "live":
            recent = Utterance.objects.filter(owner=owner, source="wake", received_at__gte=clock.now() - LOOK_BACK)
            routed = recent.filter(reason__in=(*ROUTED, ANNOUNCED, IN_SESSION)).select_related("device", "session")
            self.rows = list(routed.order_by("-pk")[:MOST])
        return {row.device_id for row in self.rows if row.device_id is not None}

    def holder(self, mine: Wake, device: Device, *, at: datetime) -> tuple[Utterance, Wake] | None:
        """Who has the wake that this report is of, if anybody."""
        taken = {row.alias_of_id for row in self.rows}
        for row in self.rows:
            if row.device_id == device.pk or row.pk in taken:
                continue
            wake = _stored(row, at=at)
            if is_one(mine, wake, _names()):
                return row, replace(wake, at_session=row.reason == IN_SESSION or _announces_a_turn(row))
        return None


# ---- asked by acceptance, before anything is stored ---------------------------------------------------------------------


def contests(device: Device, report: Report, twin: Utterance) -> bool:
    """Whether it is for this room, and not for the twins, to say who has what both reported."""
    routed = twin.source == "wake" and twin.reason in (*ROUTED, IN_SESSION)
    return report.is_acoustic and routed and twin.device_id != device.pk


def settle(device: Device, verdict: Verdict, found: Round, *, at: datetime) -> Verdict:
    """The verdict on a report, seen with what other devices of its person reported of the same wake."""
    report = found.report
    if not report.is_acoustic or report.ingest != "live" or verdict.reason not in (*ROUTED, ANNOUNCED, IN_SESSION):
        return verdict
    announces = verdict.reason == ANNOUNCED
    said = "" if announces else report.text
    mine = Wake(echo.sound(report, at=at), said, _score(report.wake), at_session=verdict.session is not None)
    if announces and (device.accompanied or found.rows):
        mine = replace(mine, at_session=sessions.active(_owner(device), device.client_id) is not None)
    rival = found.holder(mine, device, at=at)
    if rival is None:
        return replace(verdict, held=HELD) if device.accompanied and not mine.at_session else verdict
    row, wake = rival
    if mine.at_session and wake.at_session:  # each has a session of its own
        return verdict
    taken, why = takes(mine, wake)
    if taken and _withdraw(row):
        left = timedelta() if mine.at_session else max(timedelta(), _held_until(row) - at)
        return replace(verdict, held=left, over=row, why=why)
    if mine.at_session:
        return verdict
    why = "later" if taken else why
    return replace(verdict, disposition="duplicate", reason=REASON, session=row.session, twin=row, opening=None, why=why)


def words_of_another(device: Device, report: Report, *, at: datetime) -> Utterance | None:
    """The wake that another device has, where these are its words: the next ones after an announcement, else the same."""
    if device.lost_wake is None or device.lost_until is None or not report.is_speech:
        return None
    if echo.sound(report, at=at).began > device.lost_until:
        return None
    wake = Utterance.objects.select_related("session").filter(pk=device.lost_wake).first()
    if wake is None or not (wake.reason == ANNOUNCED or sameness.resembles(wake.normal, report.text, names=_names())):
        return None
    return wake


def _announces_a_turn(row: Utterance) -> bool:
    assert row.device is not None
    return row.reason == ANNOUNCED and sessions.active(row.owner_id, row.device.client_id) is not None


def _names() -> Sequence[str]:
    return configuration.current().host.assistant.names


def _owner(device: Device) -> int:
    assert device.owner_id is not None
    return device.owner_id


def _stored(row: Utterance, *, at: datetime) -> Wake:
    report = Report(row.text, spoken_age_ms=row.spoken_age_ms, start_ms=row.start_ms, end_ms=row.end_ms)
    sound = echo.sound(report, at=row.received_at)
    said = "" if row.reason == ANNOUNCED else row.text
    return Wake(sound, said, _score(row.details.get("wake")), open=at < _held_until(row))


def _held_until(row: Utterance) -> datetime:
    return row.received_at + timedelta(milliseconds=row.details.get("held_ms", 0))


def _score(wake: object) -> float:
    return float(wake.get("score") or 0.0) if isinstance(wake, dict) else 0.0


# ---- a wake changes hands -----------------------------------------------------------------------------------------------


def _withdraw(row: Utterance) -> bool:
    """Lock what the earlier report led to, if nothing of it was begun; False if it was."""
    session, device = row.session, row.device
    if row.reason == "chain":
        return bool(ChainRun.objects.filter(utterance=row, status=ChainRun.Status.STAGED).update(not_before=F("not_before")))
    if row.reason == "activation" and session is not None:
        # The fence is raised: whoever just began to handle the start for the other device stores nothing of it.
        unbegun = InteractionSession.objects.filter(pk=session.pk, status=sessions.ACTIVE, revision=0)
        return bool(unbegun.update(fence=F("fence") + 1, lease_owner="", lease_until=None, work_pending=True))
    if row.reason == ANNOUNCED and device is not None:  # once its words have come it is more than a wake
        return bool(Device.objects.filter(pk=device.pk, announced=row.pk).update(announced=None, announced_until=None))
    return True


def carry(verdict: Verdict, utterance: Utterance, start: Mapping[str, Any], *, at: datetime) -> bool:
    """Give what waits for the earlier report to this one; False where something new is to be made for it, or nothing waited.

    ``start``: what this one would begin its session with.
    """
    old = verdict.over
    if old is None:
        return False
    device = utterance.device
    assert device is not None
    if old.reason == "chain":
        run = ChainRun.objects.filter(utterance=old, status=ChainRun.Status.STAGED)
        if verdict.reason == "chain":
            doorbells.ring_after_commit(run.get().pk, doorbells.CHAIN)
            return bool(run.update(utterance=utterance))
        run.update(status=ChainRun.Status.DONE, done_at=at)
    elif old.reason == "activation" and old.session is not None:
        session = InteractionSession.objects.filter(pk=old.session.pk, status=sessions.ACTIVE, revision=0)
        waiting = InboxItem.objects.filter(session=old.session, kind="start", status=InboxItem.Status.WAITING)
        if verdict.session == old.session:
            session.update(device=device, client_id=device.client_id, audio_session_id=utterance.audio_session_id)
            doorbells.ring_after_commit(old.session.pk)
            return bool(waiting.update(**{"utterance": utterance, "attempts": 0, "data": {}, **start}))
        waiting.update(status=InboxItem.Status.DROPPED, note="the wake went to another device", done_at=at)
        session.update(status="ended", end_reason="taken_over", ended_by="utterance", ended_at=at)
    return False


def opened(verdict: Verdict) -> InteractionSession | None:
    """The session that the earlier report opened, where this one opens the same mode: it goes on here, and no second one."""
    old = verdict.over.session if verdict.over is not None and verdict.over.reason == "activation" else None
    return old if old is not None and verdict.opening is not None and verdict.opening.key == old.mode else None


def tell(device: Device, verdict: Verdict, utterance: Utterance, *, at: datetime) -> None:
    """Tell the device that does not have the wake which one does, and why; the words that follow there are not for us."""
    if verdict.over is not None and verdict.over.device is not None:
        _lost(verdict.over.device, verdict.over, utterance, to=device, why=verdict.why, at=at)
    elif verdict.reason == REASON and verdict.twin is not None and verdict.twin.device is not None:
        if utterance.source == "wake":
            _lost(device, utterance, verdict.twin, to=verdict.twin.device, why=verdict.why or "later", at=at)
        elif device.lost_wake == verdict.twin.pk and not reports.is_a_call(utterance.text, _names()):
            _forget(device)
        return
    if device.lost_wake is not None and utterance.source == "wake" and utterance.reason in (*ROUTED, ANNOUNCED, IN_SESSION):
        _forget(device)


def _forget(device: Device) -> None:
    Device.objects.filter(pk=device.pk).update(lost_wake=None, lost_until=None)


def _lost(loser: Device, wake: Utterance, winner: Utterance, *, to: Device, why: str, at: datetime) -> None:
    lasts = attention.WORDS if winner.reason == ANNOUNCED else SAME_WORDS
    Device.objects.filter(pk=loser.pk).update(lost_wake=winner.pk, lost_until=at + lasts)
    heard = wake.details.get("wake")
    attention.tell(loser.pk, utterance=wake.pk, wake=heard, at=at, taken_by=to.client_id, reason=why)
    if wake.reason == "near_activation":  # it was asked at once whether the mode was meant
        Device.objects.filter(pk=loser.pk, silenced_upto__lt=wake.pk).update(silenced_upto=wake.pk)  # never less than it was
        DeviceEvent.objects.filter(device=loser, cause=f"utterance:{wake.pk}", delivered_at=None).update(speak=False)
        events.emit(
            loser.pk,
            kind="speech.stop",
            cause=f"wake:{wake.pk}:taken",
            ordinal=1,
            payload={"answers": wake.pk, "reason": why},
            at=at,
            speak=False,
        )
