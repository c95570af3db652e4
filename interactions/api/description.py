"""What the OpenAPI description cannot see by itself: how a device shows who it is."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from interactions.api.authentication import DeviceTokenAuthentication, TicketAuthentication


class _TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = DeviceTokenAuthentication
    name = "deviceToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class _TicketScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TicketAuthentication
    name = "ticket"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "query", "name": "ticket"}
