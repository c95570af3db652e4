"""The lock of acceptance: the person's row first, then the device's, both by UPDATEs that the database makes anyway."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db import connection
from django.db.models import OuterRef, Subquery

from interactions import clock, events, presence
from interactions.errors import UnownedError
from interactions.models import Device, DeviceEvent, Person, Utterance


def lock(device_id: int, key: str, *, beside: Callable[[int], Iterable[int]] = lambda owner: ()) -> Device:
    """The device with its owner's person, all locked until the commit, and what acceptance asks of it; raises UnownedError.

    ``beside``: which other devices of an owner who has more than one are to be locked too, asked under the person's lock.
    """
    owner, has_more = _lock_person(device_id)
    for one in sorted({device_id, *(beside(owner) if has_more else ())}):
        events.hold(one)
    device = hearing(device_id, key)
    if device.owner_id != owner or device.revoked_at is not None:  # given away while we waited
        raise UnownedError
    return device


def language_of(user_id: int) -> str:
    """What a person is spoken to in before they have spoken."""
    return Person.objects.filter(user_id=user_id).values_list("lang", flat=True).first() or "en"


def hearing(device_id: int, key: str) -> Device:
    """The device with the number of the latest event it was given, and the utterance that it sent under ``key`` before."""
    delivered = DeviceEvent.objects.filter(device=OuterRef("pk"), delivered_at__isnull=False).order_by("-seq").values("seq")
    known = Utterance.objects.filter(device=OuterRef("pk"), key=key).values("pk")
    device = (
        Device.objects.select_related("owner__person")
        .annotate(top=Subquery(delivered[:1]), known=Subquery(known[:1]), others=presence.others(clock.now()))
        .get(pk=device_id)
    )
    device.delivered_upto, device.answered, device.accompanied = device.top, device.known, device.others
    return device


def _lock_person(device_id: int) -> tuple[int, bool]:
    """The owner, and whether they have another device."""
    person, device = (connection.ops.quote_name(model._meta.db_table) for model in (Person, Device))
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {person} SET accepted = accepted + 1 WHERE user_id ="
                f" (SELECT owner_id FROM {device} WHERE id = %s AND revoked_at IS NULL) RETURNING user_id,"
                f" EXISTS (SELECT 1 FROM {device} AS more WHERE more.owner_id = user_id AND more.id <> %s)",
                [device_id, device_id],
            )
            row = cursor.fetchone()
        if row is not None:
            return int(row[0]), bool(row[1])
        owner = Device.objects.filter(pk=device_id, revoked_at=None).values_list("owner_id", flat=True).first()
        if owner is None:
            raise UnownedError
        Person.objects.get_or_create(user_id=owner)  # two devices may be the first at once
