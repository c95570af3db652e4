"""A person's device and its token, as the ``devices`` command would make them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interactions import devices
from interactions.models import Device, Person

EVERYTHING: dict[str, object] = {"voice": True, "screen": True, "microphone": "open", "playback_reports": True}


@dataclass(frozen=True)
class Owned:
    device: Device
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def with_device(user: Any, client_id: str, **capabilities: object) -> Owned:
    Person.objects.get_or_create(user=user)
    device, token = devices.register(user.pk, client_id=client_id, name=client_id, capabilities=EVERYTHING | capabilities)
    return Owned(device, token)


def with_service(user: Any, client_id: str) -> Owned:
    """A program of this person's that brings evidence in and reads the feed; it cannot speak."""
    device, token = devices.register(user.pk, client_id=client_id, scope="service")
    return Owned(device, token)
