"""Which devices are there: those that hold an event stream open, as rows, since any process may ask.

The web process that serves the stream writes them and writes them anew while it lasts; what it leaves behind when it dies is
over in a minute. Rows of their own, and not of the devices: those are locked in an order that a bulk update does not keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from interactions import clock
from interactions.models import Device, Presence

LASTS = timedelta(seconds=60)
RENEWED_S = 20.0


def came(device: int) -> datetime:
    """The device opens a stream; until when it counts as there if nobody says more."""
    until = clock.now() + LASTS
    if not Presence.objects.filter(device=device).update(until=until):
        Presence.objects.bulk_create([Presence(device_id=device, until=until)], ignore_conflicts=True)
    return until


def stays(devices: Iterable[int]) -> datetime:
    """These still hold one."""
    until, held = clock.now() + LASTS, set(devices)
    if Presence.objects.filter(device__in=held).update(until=until) < len(held):
        # Another process that served one of them too has taken its row along, or the device is gone.
        there = Device.objects.filter(pk__in=held).values_list("pk", flat=True)
        Presence.objects.bulk_create([Presence(device_id=device, until=until) for device in there], ignore_conflicts=True)
    return until


def left(devices: Mapping[int, datetime]) -> None:
    """These hold none any more at whoever wrote these times; one that another process serves since has a later time."""
    for device, until in devices.items():
        Presence.objects.filter(device=device, until__lte=until).delete()


def others(at: datetime) -> Exists:
    """For a query of devices: whether another one of the same owner is there that could hear a wake."""
    there = Presence.objects.filter(device__owner=OuterRef("owner"), device__revoked_at=None, until__gt=at)
    # One that does not say what microphone it has may have any; a comparison with nothing would leave it out.
    hears = Q(device__capabilities__microphone__isnull=True) | ~Q(device__capabilities__microphone="push")
    return Exists(there.filter(hears).exclude(device=OuterRef("pk")))
