"""Who a device is: tokens and tickets, stored as hashes and shown once.

A token reads ``cdt_<prefix>_<secret>``; the prefix finds the row, the hash of the whole proves it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from interactions import sessions
from interactions.models import Device, InteractionSession, Ticket

TICKET_S = 30
SEEN_S = 60  # last_seen is written at most this often
SCOPES = ("device", "service")
CAPABILITIES = ("voice", "screen", "microphone", "playback_reports", "languages")
MICROPHONES = ("open", "push", "wake")


class NoSuchDeviceError(LookupError):
    """No device of that id; `manage.py devices list` shows them."""


def register(
    owner_id: int | None,
    *,
    client_id: str,
    name: str = "",
    capabilities: dict[str, object] | None = None,
    scope: str = "device",
) -> tuple[Device, str]:
    """A new device and its token, which nobody can read again."""
    with transaction.atomic():
        device = Device.objects.create(
            owner_id=owner_id, client_id=client_id, name=name, capabilities=capabilities or {}, scope=scope
        )
        return device, issue(device)


def issue(device: Device) -> str:
    """A fresh token; the one before stops working, and its open streams end at the next poll."""
    prefix, secret = secrets.token_hex(5), secrets.token_urlsafe(32)
    token = f"cdt_{prefix}_{secret}"
    device.token_prefix, device.token_hash = prefix, digest(token)
    device.save(update_fields=["token_prefix", "token_hash"])
    Ticket.objects.filter(device=device, used_at=None).delete()
    return token


def revoke(device: Device) -> None:
    """No token, no ticket, no stream; an open session ends as ``device_revoked`` through its inbox."""
    now = timezone.now()
    with transaction.atomic():
        Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=now)
        Ticket.objects.filter(device=device, used_at=None).delete()
        _end_sessions(device)
    device.refresh_from_db()


def find(token: str) -> Device | None:
    """The device whose token this is, unless it was revoked."""
    parts = token.split("_", 2)
    prefix = parts[1] if len(parts) == 3 and parts[0] == "cdt" and parts[1].isalnum() and parts[1].isascii() else ""
    device = Device.objects.select_related("owner").filter(token_prefix=prefix).first() if prefix else None
    # The comparison runs whether or not the prefix is known, so that its time tells nothing.
    proven = hmac.compare_digest(digest(token), device.token_hash if device else digest(""))
    return device if device is not None and proven and device.revoked_at is None else None


def seen(device: Device) -> None:
    """Note that the device showed itself, at most once a minute."""
    now = timezone.now()
    before = now - timedelta(seconds=SEEN_S)
    if device.last_seen is None or device.last_seen < before:
        Device.objects.filter(Q(last_seen=None) | Q(last_seen__lt=before), pk=device.pk).update(last_seen=now)


def ticket(device: Device) -> tuple[str, Ticket]:
    """A single-use key to this device's stream, for a client that cannot send a header."""
    secret = secrets.token_urlsafe(32)
    return secret, Ticket.objects.create(
        device=device, secret_hash=digest(secret), expires_at=timezone.now() + timedelta(seconds=TICKET_S)
    )


def redeem(secret: str) -> Device | None:
    """The ticket's device, for whoever comes first and in time."""
    now = timezone.now()
    mine = Ticket.objects.filter(secret_hash=digest(secret), used_at=None, expires_at__gt=now)
    if not mine.update(used_at=now):
        return None
    return Device.objects.select_related("owner").filter(tickets__secret_hash=digest(secret), revoked_at=None).first()


def digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def get(device_id: int) -> Device:
    try:
        return Device.objects.get(pk=device_id)
    except Device.DoesNotExist:
        raise NoSuchDeviceError(f"No device {device_id}; `manage.py devices list` shows them.") from None


def _end_sessions(device: Device) -> None:
    for session in InteractionSession.objects.filter(device=device, status=InteractionSession.Status.ACTIVE):
        sessions.end(session.pk, by="device", at=timezone.now(), reason="device_revoked")
