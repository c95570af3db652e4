"""The same rows as the stream, for a device without one: read after a cursor, and report how far each reply was played."""

from __future__ import annotations

import time
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers as fields
from rest_framework.request import Request
from rest_framework.response import Response

from interactions import attention, clock, events, playback
from interactions.api import serializers
from interactions.api.base import DeviceView
from interactions.api.strict import LARGEST
from interactions.models import DeviceEvent

WAIT_MAX_S = 25
LOOK_S = 0.2
PAGE = 100

PARAMETERS = [
    OpenApiParameter("after", int, description="the cursor; absent: only what comes next"),
    OpenApiParameter("wait", int, description=f"seconds to wait for the first event, at most {WAIT_MAX_S}"),
]
REPLIES = inline_serializer(
    "Replies",
    {
        "events": fields.ListField(child=fields.DictField()),
        "cursor": fields.IntegerField(help_text="what to send as `after` next time"),
        "reset": fields.BooleanField(help_text="the cursor named nothing to continue from; fetch sessions/current"),
    },
)


class Replies(DeviceView):
    parameters = frozenset({"after", "wait"})

    @extend_schema(parameters=PARAMETERS, responses=REPLIES)
    def get(self, request: Request) -> Response:
        """What this device is told after a cursor, in order."""
        after = self.number("after", maximum=LARGEST)
        wait = self.number("wait", maximum=WAIT_MAX_S) or 0
        if after is None:
            after = self.device.event_seq
        batch = _wait_for(self.device.pk, after, until=time.monotonic() + wait)
        told = [{"event": event.kind, "id": event.seq, "data": events.render(event)} for event in batch.events]
        return Response({"events": told, "cursor": batch.cursor, "reset": batch.reset})


def _wait_for(device_id: int, after: int, *, until: float) -> events.Batch:
    while True:
        batch = events.since(device_id, after, limit=PAGE)
        after = batch.cursor
        if batch.events or batch.reset or time.monotonic() >= until:
            return batch
        events.release_connections()  # a waiting device holds no database connection
        time.sleep(min(LOOK_S, max(0.0, until - time.monotonic())))


class ReplyPlayback(DeviceView):
    serializer_class = serializers.PlaybackReport

    @extend_schema(responses=inline_serializer("Playback", {"reply_id": fields.IntegerField(), "state": fields.CharField()}))
    def post(self, request: Request, reply_id: int) -> Response:
        """How far a reply got. Reports only move forward; a late or contradictory one changes nothing."""
        report: dict[str, Any] = self.read(self.get_serializer(data=request.data))
        mine = DeviceEvent.objects.filter(device=self.device)
        reply = mine.filter(pk=reply_id).first() if reply_id <= LARGEST else None
        if reply is None:
            raise Http404
        at = clock.now()
        changed = playback.report(reply_id, **report, has_voice=self.device.capabilities.get("voice", True), at=at)
        if changed and report["state"] in attention.HEARD_OUT:
            attention.played(self.device, reply, at=at)
        state = DeviceEvent.objects.values_list("playback", flat=True).get(pk=reply_id)
        return Response({"reply_id": reply_id, "state": state})
