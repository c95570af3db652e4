"""What a device is listening for, and what it is told of it: a wake that was heard, the words that should follow it, and the
short while after an answer in which speech needs no wake word.

It routes nothing. What a report changes here is changed with its acceptance, under the device's lock.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from interactions import clock, configuration, echo, events, reports, segmentations, sessions, silence
from interactions.models import Device, DeviceEvent, Utterance
from interactions.reports import Report

log = logging.getLogger(__name__)

WORDS = timedelta(seconds=8)  # so long the words of a wake may take to begin
SPEAKING = timedelta(seconds=30)  # and to end, should the device never say that they have
FOLLOW_UP = timedelta(seconds=12)  # after the end of an answer
BATCH = 200
HEARD_OUT = ("finished", "shown", "interrupted")  # how a playback ends that somebody heard
# Reasons of a report that holds no words of a person, or none that could be a command.
WORDLESS = frozenset({"interim", "ingest", "no_speech", "announcement", "empty", "invented", "window", "echo"})


def heard(device: Device, report: Report, utterance: Utterance, *, at: datetime) -> None:
    """The device has reported this, and it is stored with its verdict."""
    reason, accepted = utterance.reason, utterance.disposition == "accepted"
    if reason == "speaker":
        log.info("utterance %s of another speaker at device %s: recorded", utterance.pk, device.pk)
    if report.ingest != "live":
        return
    changes = _changes(device, report, utterance, at=at)
    if reason == "announcement":
        changes |= _announced(device, report, utterance, at=at)
    elif report.is_acoustic and accepted:
        tell(device.pk, utterance=utterance.pk, wake=report.wake, at=at, held_ms=utterance.details.get("held_ms", 0))
    if reason == "no_speech" and (report.is_acoustic or device.announced is not None):
        _no_words(device.pk, utterance.pk, at=at)
    if changes:
        Device.objects.filter(pk=device.pk).update(**changes)


def _changes(device: Device, report: Report, utterance: Utterance, *, at: datetime) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if device.follow_up_until is not None and utterance.disposition == "accepted":
        # Used up: what comes of this utterance opens the next window, or does not.
        changes["follow_up_until"] = None
    if device.announced is not None:
        # A recogniser may write the wake word down as a sentence of its own.
        called = reports.is_a_call(report.text, configuration.current().host.assistant.names)
        if utterance.reason == "no_speech" or (utterance.reason not in WORDLESS and not called):
            changes |= {"announced": None, "announced_until": None}
        elif utterance.reason == "interim":
            changes["announced_until"] = at + WORDS
    return changes


# ---- a wake and its words -----------------------------------------------------------------------------------------------


def tell(
    device_id: int,
    *,
    utterance: int,
    wake: Mapping[str, Any] | None,
    at: datetime,
    listen: timedelta = timedelta(),
    capture: bool = False,
    held_ms: int = 0,
    taken_by: str | None = None,
    reason: str = "",
) -> None:
    """The wake was heard. ``listen``: for words to come, which the device is to ``capture`` where no interval is a turn.
    ``held_ms``: so long another device may still get it, and the device sounds no cue. ``taken_by``: it has, and why.
    Needs a transaction.
    """
    events.emit(
        device_id,
        kind="wake.heard",
        cause=f"wake:{utterance}:taken" if taken_by else f"wake:{utterance}",
        ordinal=0,
        payload={
            "answers": utterance,
            "word": (wake or {}).get("word"),
            "score": (wake or {}).get("score"),
            "listen_ms": ms(listen),
            "capture": capture,
            "cue_after_ms": held_ms,
            "taken_by": taken_by,
            "reason": reason,
        },
        at=at,
        speak=False,
    )


def _announced(device: Device, report: Report, utterance: Utterance, *, at: datetime) -> dict[str, Any]:
    """Speech is to follow: the device listens, the silence ladder waits, and no words in time are told."""
    if _has_its_words(device, report, utterance, at=at):
        return {}
    is_open = segmentations.of(device).open_turns
    held_ms = utterance.details.get("held_ms", 0)
    tell(device.pk, utterance=utterance.pk, wake=report.wake, at=at, listen=WORDS, capture=not is_open, held_ms=held_ms)
    session = sessions.active(utterance.owner_id, device.client_id)
    if session is not None:
        silence.speaking(session, began=True, at=at)
    return {"announced": utterance.pk, "announced_until": at + WORDS}


def _has_its_words(device: Device, report: Report, utterance: Utterance, *, at: datetime) -> bool:
    """Whether the recogniser was quicker than the wake: its last words ended after this wake began."""
    last = Utterance.objects.filter(device=device, received_at__gte=at - WORDS, pk__lt=utterance.pk, final=True, ingest="live")
    spoken = last.exclude(reason__in=WORDLESS).order_by("-pk").values_list("received_at", "spoken_age_ms").first()
    if spoken is None:
        return False
    received, age_ms = spoken
    return bool(received - timedelta(milliseconds=age_ms) > echo.sound(report, at=at).began)


def speaking(device: Device, *, began: bool, at: datetime) -> None:
    """Somebody has begun or stopped speaking after a wake: their words are waited for."""
    if device.announced is not None:
        waiting = Device.objects.filter(pk=device.pk, announced=device.announced)
        waiting.update(announced_until=at + (SPEAKING if began else WORDS))


def sweep(now: datetime) -> None:
    """Tell each device whose wake no words have followed in time that none were caught, once."""
    late = Device.objects.filter(announced__isnull=False, announced_until__lte=now)
    for device in late.order_by("announced_until")[:BATCH]:
        assert device.announced is not None
        with transaction.atomic():
            if late.filter(pk=device.pk, announced=device.announced).update(announced=None, announced_until=None):
                _no_words(device.pk, device.announced, at=now)


def _no_words(device_id: int, utterance: int, *, at: datetime) -> None:
    _cue(device_id, "error", cause=f"wake:{utterance}:words", at=at, reason="no_words", answers=utterance)


# ---- the while after an answer ------------------------------------------------------------------------------------------


def is_announced(device: Device, report: Report, *, at: datetime) -> bool:
    """Whether these are the words that a wake announced: as much for us as if they had come with it."""
    return report.source == "stream" and device.announced is not None and _began_by(device.announced_until, report, at=at)


def follows(device: Device, report: Report, *, at: datetime) -> bool:
    """Whether this is open speech that began while the window after an answer was open."""
    return report.source == "stream" and _began_by(device.follow_up_until, report, at=at)


def _began_by(moment: datetime | None, report: Report, *, at: datetime) -> bool:
    return moment is not None and echo.sound(report, at=at).began <= moment


def answered(device_id: int, ends_at: datetime, *, cause: str) -> None:
    """A command was carried out, and its answer will have been played by then. Once per cause; needs a transaction.

    Where intervals may be turns the device's next speech needs no wake word; elsewhere it is asked to capture, since only what
    it vouches for as a wake can be a command there.
    """
    events.hold(device_id)
    device = Device.objects.get(pk=device_id)
    is_open = segmentations.of(device).open_turns
    if is_open:
        Device.objects.filter(pk=device_id).update(follow_up_until=ends_at + FOLLOW_UP)
    _cue(
        device_id,
        "listening",
        cause=f"{cause}:listening",
        at=clock.now(),
        expires_at=ends_at + FOLLOW_UP,
        listen_ms=ms(FOLLOW_UP),
        capture=not is_open,
    )


def played(device: Device, reply: DeviceEvent, *, at: datetime) -> None:
    """A reply was played to its end, or cut short by whoever speaks now: if it was the answer, the window counts from here."""
    if device.follow_up_until is None or reply.kind != "plugin.reply":
        return
    if DeviceEvent.objects.filter(device=device, speak=True, seq__gt=reply.seq).exists():
        return
    # A report that comes long after opens nothing for whatever is said then.
    Device.objects.filter(pk=device.pk, follow_up_until__gte=at - SPEAKING).update(follow_up_until=at + FOLLOW_UP)


def _cue(device_id: int, cue: str, *, cause: str, at: datetime, expires_at: datetime | None = None, **more: Any) -> None:
    events.emit(
        device_id,
        kind="device.cue",
        cause=cause,
        ordinal=0,
        payload={"cue": cue, "cue_after_ms": 0, "reason": "", **more},
        at=at,
        speak=False,
        expires_at=expires_at,
    )


def ms(length: timedelta) -> int:
    return int(length.total_seconds() * 1000)
