"""How far a device got with a reply. Reports may be repeated and only move forward: started, then one of three ends.

A reply that failed or was cut may be played again, but stays so until that playing ends: a ``started`` that arrives late
must not make a review look heard.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, Q

from interactions import echo, text
from interactions.models import ChainRun, Device, DeviceEvent
from interactions.reports import Report

CUT = ("failed", "interrupted")
# The guard stands in the UPDATE, so that two reports at once cannot both win.
FIRST_END = Q(playback__in=("", "started"))
PLAYED_AGAIN = Q(playback__in=CUT, play_started_at__gt=F("play_ended_at"))


def report(event_id: int, *, state: str, at: datetime, position_ms: int | None = None, has_voice: bool = True) -> bool:
    """Apply a device's report; False where it is late, repeated or contradictory and changed nothing."""
    event = DeviceEvent.objects.filter(pk=event_id)
    if state == "shown":
        if has_voice:  # shown is not heard
            return False
        state = "finished"
    if state != "started":
        changed = event.filter(FIRST_END | PLAYED_AGAIN).update(playback=state, position_ms=position_ms, play_ended_at=at)
        return bool(changed)
    if event.filter(playback="").update(playback="started", position_ms=position_ms, play_started_at=at):
        return True
    return bool(event.filter(playback__in=CUT).update(play_started_at=at))


# ---- what may still be in the air ---------------------------------------------------------------------------------------

LATELY = 3  # replies; nobody is three behind
LONG_AGO = timedelta(minutes=3)
ON_ITS_WAY = timedelta(minutes=1)  # an answer of the chain that has not come by then does not come


def lately(device: Device, report: Report, sound: echo.Sound) -> list[echo.Played]:
    """The replies that the device may have been playing when the report's words were said, the latest first."""
    rows = DeviceEvent.objects.filter(
        device=device, seq__lte=device.delivered_upto, delivered_at__gte=sound.began - LONG_AGO, speak=True
    ).order_by("-seq")
    said = (report.playback or {}).get("reply_id")
    return [
        _played(row, report, sound)
        for row in rows.exclude(payload__text=None)[:LATELY]
        if said is None or row.pk <= said or row.play_started_at is not None  # the device was not that far yet
    ]


def to_be_stopped(device: Device, report: Report, *, at: datetime) -> bool:
    """Whether a ``stop`` can be meant for us: a reply may still have been in the air, or an answer is on its way."""
    sound = echo.sound(report, at=at)
    if device.delivered_upto is not None and any(one.surely_over > sound.began for one in lately(device, report, sound)):
        return True
    asked = ChainRun.objects.filter(utterance__device=device, status__in=("staged", "claimed"))
    return asked.filter(created_at__gte=at - ON_ITS_WAY).exists()


def _played(row: DeviceEvent, report: Report, sound: echo.Sound) -> echo.Played:
    assert row.delivered_at is not None
    began, ended = row.play_started_at or row.delivered_at, row.play_ended_at
    known = row.play_started_at is not None or ended is not None
    said = report.playback or {}
    if said.get("reply_id") == row.pk:  # the device looked at the moment that speech began, which no report can be nearer to
        known, gap = True, said.get("ended_ms_before_speech")
        if said["state"] == "started":
            began, ended = min(began, sound.began), None if ended is None or ended < sound.ended else ended
        elif gap is not None:
            ended = sound.began - timedelta(milliseconds=gap)
    choices = (choice[part] for choice in row.payload.get("choices", ()) for part in ("say", "label"))
    return echo.Played(
        wordings=tuple(text.tokens(row.payload.get(way, "")) for way in ("speech", "text")),
        offered=frozenset(text.core(choice, ()) for choice in choices),
        began=min(began, ended) if ended else began,
        est=timedelta(milliseconds=row.est_ms),
        ended=ended,
        known=known,
    )
