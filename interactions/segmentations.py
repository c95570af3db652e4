"""Which segmentation live speech of a device counts as: the operator's word on its record, else the deployment's.

A name that is in no table forbids the start. Should one be met by a running process all the same, it counts as closed: what it
cut is evidence, since nobody can say whether its intervals are turns.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError, InterfaceError

from interactions import configuration, status
from interactions.configuration import Segmentation
from interactions.faults import Fault, nearest
from interactions.models import Device

NOBODY = "nobody"


def of(device: Device) -> Segmentation:
    """Never raises: an utterance must not be lost over a word in a record."""
    name = device.segmentation or configuration.current().host.defaults.live_segmentation
    return configuration.SEGMENTATIONS.get(name) or Segmentation(name, open_turns=False)


def faults() -> list[Fault]:
    """Each device whose record names none of the table. A database that is away or not migrated yet names nothing."""
    try:
        return list(_unknown())
    except (DatabaseError, InterfaceError):
        return []


def _unknown() -> Iterator[Fault]:
    odd = Device.objects.exclude(segmentation__in=["", *configuration.SEGMENTATIONS]).filter(revoked_at=None)
    for device in odd.select_related("owner").order_by("pk"):
        text = (
            f"device {device.pk} ('{device.client_id}' of {device.owner or NOBODY}) has no segmentation "
            f"'{device.segmentation}'; there are {known()}"
        )
        place = f"the device's record (`manage.py devices set {device.pk} --segmentation NAME`, or - for the deployment's)"
        yield Fault("config", text, place, nearest(device.segmentation, configuration.SEGMENTATIONS))


def known() -> str:
    return ", ".join(configuration.SEGMENTATIONS)


def look() -> status.Light:
    """The line of /status."""
    odd = len(faults())
    if odd:
        return status.Light(
            False, f"{odd} devices with an unknown segmentation: nothing they hear is a turn; `manage.py check`"
        )
    return status.Light(
        True, f"{configuration.current().host.defaults.live_segmentation}, unless a device's record says otherwise"
    )
