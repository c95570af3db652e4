"""GET /events: everything is checked before the first byte, for a stream that fails later makes a browser loop for ever."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers as fields
from rest_framework.request import Request
from rest_framework.response import Response

from interactions import devices, events, presence, streams, watch
from interactions.api.authentication import DeviceTokenAuthentication, TicketAuthentication
from interactions.api.base import DeviceView, parse_number
from interactions.api.strict import LARGEST

PARAMETERS = [
    OpenApiParameter("Last-Event-ID", str, OpenApiParameter.HEADER, description="the last number seen; wins over `after`"),
    OpenApiParameter("after", int, description="the cursor to resume from; absent: only what comes next"),
    OpenApiParameter("ticket", str, description="from POST /events/ticket, instead of the header"),
]


class Events(DeviceView):
    authentication_classes = [TicketAuthentication, DeviceTokenAuthentication]
    parameters = frozenset({"after", "ticket"})
    http_method_names = ["get"]  # a HEAD would use up a ticket and hold a stream that nobody reads

    @extend_schema(parameters=PARAMETERS, responses={(200, "text/event-stream"): OpenApiTypes.STR})
    def get(self, request: Request) -> HttpResponseBase:
        """What this device is told, as it happens. It ends after ten minutes: open it again from the last number."""
        after = self._cursor()
        if after is None:
            after = self.device.event_seq
        until = presence.came(self.device.pk)
        events.release_connections()
        return streams.serve(request._request, watch.reader_of(self.device, until=until), after=after)

    def _cursor(self) -> int | None:
        sent = self.request.headers.get("Last-Event-ID")
        if not sent:
            return self.number("after", maximum=LARGEST)
        sent = sent.removeprefix(f"device-{self.device.pk}:")
        return parse_number(sent, name="Last-Event-ID", maximum=LARGEST)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(response, Response):
            return super().finalize_response(request, response, *args, **kwargs)
        self.headers = {}
        return response


class EventTicket(DeviceView):
    @extend_schema(
        request=None,
        responses={201: inline_serializer("Ticket", {"ticket": fields.CharField(), "expires_at": fields.DateTimeField()})},
    )
    def post(self, request: Request) -> Response:
        """A key to this device's stream: good once, for some seconds."""
        secret, ticket = devices.ticket(self.device)
        return Response({"ticket": secret, "expires_at": ticket.expires_at}, 201)
