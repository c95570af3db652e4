"""What a device is listening for, and what it is told of it: a wake that was heard, the words that should follow it, and the
short while after an answer in which speech needs no wake word.

It routes nothing. What a report changes here is changed with its acceptance, under the device's lock.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from interactions import clock, echo, events, segmentations
from interactions.models import Device, Utterance
from interactions.reports import Report

log = logging.getLogger(__name__)

FOLLOW_UP = timedelta(seconds=12)  # after the end of an answer


def heard(device: Device, report: Report, utterance: Utterance, *, at: datetime) -> None:
    """The device has reported this, and it is stored with its verdict."""
    if utterance.reason == "speaker":
        log.info("utterance %s of another speaker at device %s: recorded", utterance.pk, device.pk)
    if device.follow_up_until is not None and utterance.disposition == "accepted":
        # Used up: what comes of this utterance opens the next window, or does not.
        Device.objects.filter(pk=device.pk).update(follow_up_until=None)


def follows(device: Device, report: Report, *, at: datetime) -> bool:
    """Whether this is open speech that began while the window after an answer was open."""
    until = device.follow_up_until
    return until is not None and report.source == "stream" and echo.sound(report, at=at).began <= until


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
        expires_at=ends_at + FOLLOW_UP,
        listen_ms=int(FOLLOW_UP.total_seconds() * 1000),
        capture=not is_open,
    )


def _cue(device_id: int, cue: str, *, cause: str, expires_at: datetime | None = None, **more: Any) -> None:
    events.emit(
        device_id,
        kind="device.cue",
        cause=cause,
        ordinal=0,
        payload={"cue": cue, "cue_after_ms": 0, "reason": "", **more},
        at=clock.now(),
        speak=False,
        expires_at=expires_at,
    )
