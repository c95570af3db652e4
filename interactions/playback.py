"""How far a device got with a reply. Reports may be repeated and only move forward: started, then one of three ends.

A reply that failed or was cut may be played again, but stays so until that playing ends: a ``started`` that arrives late
must not make a review look heard.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, Q

from interactions.models import DeviceEvent

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
