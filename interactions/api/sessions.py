"""What a screen needs to draw itself anew, and the button that ends a session."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers as fields
from rest_framework.request import Request
from rest_framework.response import Response

from interactions import clock, events, sessions
from interactions.api.base import DeviceView
from interactions.models import DeviceEvent, InteractionSession

QUESTION = ("text", "speech", "lang", "choices", "reply_id", "expires_at", "past")


class CurrentSession(DeviceView):
    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Phase, open question, choices, cart view and payment link; ``session`` is null where none is open."""
        cursor = events.current_seq(self.device.pk)  # read first: what happens meanwhile comes again after it
        assert self.device.owner_id is not None
        session = sessions.active(self.device.owner_id, self.device.client_id)
        return Response({"cursor": cursor, "session": _view(session, self.device.pk) if session else None})


def _view(session: InteractionSession, device_id: int) -> dict[str, Any]:
    told = DeviceEvent.objects.filter(session=session, device_id=device_id)
    return {
        "session_id": session.pk,
        "mode": session.mode,
        "phase": session.phase,
        "status": session.status,
        "started_at": session.started_at,
        "question": _question(told),
        "view": session.state.get("view") or _shown(told),
        "payment": _payment(told),
    }


def _question(told: Any) -> dict[str, Any] | None:
    last = told.filter(kind="interaction.reply").order_by("-seq").first()
    if last is None or not last.payload.get("expects_reply"):
        return None
    rendered = events.render(last, now=clock.now())
    return {name: rendered[name] for name in QUESTION if name in rendered}


def _shown(told: Any) -> dict[str, Any] | None:
    """What the latest reply that carried anything for a screen showed: the cart, the choices found, the review."""
    for event in told.filter(kind="interaction.reply").order_by("-seq")[:10]:
        if event.payload.get("data"):
            return dict(event.payload["data"])
    return None


def _payment(told: Any) -> dict[str, Any] | None:
    last = told.filter(kind="interaction.payment").order_by("-seq").first()
    return dict(last.payload.get("data", {})) if last is not None else None


class SessionEnd(DeviceView):
    @extend_schema(request=None, responses={202: inline_serializer("Ending", {"session": fields.IntegerField()})})
    def post(self, request: Request, session_id: int) -> Response:
        """Ask the session to end, in its order; how it ended comes as an event."""
        mine = InteractionSession.objects.filter(
            pk=session_id, user=self.device.owner_id, client_id=self.device.client_id, status=InteractionSession.Status.ACTIVE
        )
        if not mine.exists():
            raise Http404
        with transaction.atomic():
            sessions.end(session_id, by="device", at=clock.now())
        return Response({"session": session_id}, 202)
