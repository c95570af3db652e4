"""What a device says of itself, what it may listen for, and that somebody has begun to speak."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from interactions import attention, clock, configuration, continuations, registry, segmentations, sessions, silence
from interactions.api import serializers
from interactions.api.base import DeviceView
from interactions.models import Device


class OwnDevice(DeviceView):
    serializer_class = serializers.DeviceBody

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """What is known of this device."""
        return Response(_view(self.device))

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def patch(self, request: Request) -> Response:
        """Change its name or some of its capabilities; what is left out stays."""
        changes = self.read(self.get_serializer(data=request.data))
        device = self.device
        device.name = changes.get("name", device.name)
        device.capabilities = device.capabilities | dict(changes.get("capabilities", {}))
        device.save(update_fields=["name", "capabilities"])
        return Response(_view(device))


def _view(device: Device) -> dict[str, Any]:
    return {
        "id": device.pk,
        "client_id": device.client_id,
        "name": device.name,
        "capabilities": device.capabilities,
        "segmentation": segmentations.of(device).name,
        "cursor": device.event_seq,
    }


class Modes(DeviceView):
    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """The enabled modes with their phrases, and the assistant's names: what a recogniser should expect."""
        phrases: dict[str, list[str]] = {}
        for words, key in registry.activations():
            phrases.setdefault(key, []).append(" ".join(words))
        found = [
            {"mode": key, "plugin": registry.plugin_of(key), "phrases": phrases.get(key, []), "open": registry.accepting(key)}
            for key in registry.modes()
        ]
        return Response({"modes": found, "names": list(configuration.current().host.assistant.names)})


class Speech(DeviceView):
    serializer_class = serializers.SpeechBody

    @extend_schema(responses={202: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        """Somebody has begun or stopped speaking: it routes nothing, and the silence ladder waits."""
        state = self.read(self.get_serializer(data=request.data))["state"]
        began, at = state == "started", clock.now()
        attention.speaking(self.device, began=began, at=at)
        session = sessions.active(self.device.owner_id, self.device.client_id) if self.device.owner_id else None
        if session is not None:
            silence.speaking(session, began=began, at=at)
            continuations.speaking(session, began=began, at=at)
        return Response({"state": state}, 202)
