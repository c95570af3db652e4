"""The silence ladder: how long nobody has spoken since the device had played to the end, and what is then due.

``armed`` is part of the commit that asks something; ``since`` and ``is_due`` read the rows anew each time, because the end of
playback is known only afterwards. A rung moves no deadline, and none is climbed while somebody speaks or the session is frozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from interactions import registry, sessions
from interactions.agenda import Work
from interactions.contracts import Step
from interactions.models import DeviceEvent, InteractionSession
from interactions.modes import Mode

KIND = "silence"
ENDED = ("finished", "interrupted", "failed")
SPOKEN = ("interaction.reply", "plugin.reply")
# Without a report: how much longer than we think a device may take, and to begin with.
SLOWER, LATER_S = 1.5, 3.0
SPEAKING_S = 30.0  # whoever began to speak is waited for so long, should the device never say that they stopped
BATCH = 200


def armed(work: Work, mode: Mode, step: Step, *, at: datetime) -> Mapping[str, Any]:
    """What the step changes in the ladder: begun by a spoken question, climbed by silence, off while something is done."""
    if step.effect is not None or step.end is not None or work.held_s is not None:
        return {"silence_at": None}
    if work.item is not None and work.item.kind == KIND:
        return _at(work.item.data["rung"], mode, at=at)
    asks = any(reply.expects_reply and reply.speak for reply in step.say)
    if not asks or not work.session.device.capabilities.get("voice", True):
        return {}
    return _at(0, mode, at=at)


def _at(rung: int, mode: Mode, *, at: datetime) -> Mapping[str, Any]:
    """``silence_at`` is the earliest moment of the next rung; when its time has come the end of playback decides."""
    more = rung < len(mode.silence_s)
    return {"silence_rung": rung, "silence_at": at + timedelta(seconds=mode.silence_s[rung]) if more else None}


def is_due(session: InteractionSession, *, at: datetime) -> bool:
    """Whether the next rung's silence is over at this instant."""
    mode = registry.modes().get(session.mode)
    if mode is None or session.silence_at is None or session.silence_at > at or session.silence_rung >= len(mode.silence_s):
        return False
    if session.frozen_until is not None and session.frozen_until > at:
        return False
    quiet_since = since(session.device_id)
    return quiet_since is not None and quiet_since + timedelta(seconds=mode.silence_s[session.silence_rung]) <= at


def since(device: int) -> datetime | None:
    """When the device had played the last thing it was told to speak, or must have; None while it has not even got it."""
    spoken = list(DeviceEvent.objects.filter(device=device, speak=True, kind__in=SPOKEN).order_by("-seq")[:5])
    if not spoken:
        return None
    last = spoken[0]
    if last.playback in ENDED:
        return last.play_ended_at
    together = [event for event in spoken if event.cause == last.cause]
    begun = [moment for event in together if (moment := event.play_started_at or event.delivered_at) is not None]
    if not begun:
        return None
    return min(begun) + timedelta(milliseconds=SLOWER * sum(event.est_ms for event in together), seconds=LATER_S)


def sweep(now: datetime) -> None:
    """Put the next rung into the inbox of each session whose silence is over, once."""
    quiet = InteractionSession.objects.filter(
        Q(frozen_until=None) | Q(frozen_until__lte=now), status=sessions.ACTIVE, silence_at__lte=now, work_pending=False
    )
    for session in quiet.order_by("silence_at")[:BATCH]:
        if not is_due(session, at=now):
            continue
        with transaction.atomic():
            # The lock, and whoever sweeps second finds work pending.
            if quiet.filter(pk=session.pk, silence_rung=session.silence_rung).update(work_pending=True):
                sessions.add(session.pk, kind=KIND, at=now, data={"rung": session.silence_rung + 1})


def speaking(session: InteractionSession, *, began: bool, at: datetime) -> None:
    """Somebody has begun or stopped speaking: the ladder waits for them, and after that as long as after playback."""
    mode = registry.modes().get(session.mode)
    if mode is None or session.silence_rung >= len(mode.silence_s):
        return
    wait_s = SPEAKING_S if began else mode.silence_s[session.silence_rung]
    waiting = InteractionSession.objects.filter(pk=session.pk, status=sessions.ACTIVE).exclude(silence_at=None)
    waiting.update(silence_at=at + timedelta(seconds=wait_s))
