"""Who is asking: a device by its bearer token, or by a single-use ticket where a client cannot send a header."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from interactions import devices
from interactions.models import Device

if TYPE_CHECKING:  # the settings name this module, and DRF reads them while its views are only half imported
    from rest_framework.views import APIView


class DeviceTokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer cdt_...``; the request's ``auth`` is the device, its ``user`` the owner or None."""

    def authenticate(self, request: Request) -> tuple[Any, Device] | None:
        scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        device = devices.find(token.strip())
        if device is None:
            raise AuthenticationFailed("This token is not (or no longer) valid; get a new one with `manage.py devices rotate`.")
        return _admit(device)

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="chronicle"'


class TicketAuthentication(DeviceTokenAuthentication):
    """``?ticket=...`` from POST /events/ticket: good once, for seconds."""

    def authenticate(self, request: Request) -> tuple[Any, Device] | None:
        secret = request.query_params.get("ticket")
        if secret is None:
            return None
        device = devices.redeem(secret)
        if device is None:
            raise AuthenticationFailed("This ticket is used up or too old; ask POST /api/v1/events/ticket for another.")
        return _admit(device)


def _admit(device: Device) -> tuple[Any, Device]:
    if device.owner is not None and not device.owner.is_active:
        raise AuthenticationFailed("The owner of this device is switched off.")
    devices.seen(device)
    return device.owner, device


class HasDevice(BasePermission):
    """Any known device, owned or not; ingress says what is missing."""

    message = "Send a device token: `Authorization: Bearer cdt_...`."
    scope = "device"

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.auth, Device) and request.auth.scope != self.scope:
            self.message = f"This needs a {self.scope} token."
        return isinstance(request.auth, Device) and request.auth.scope == self.scope


class HasOwner(HasDevice):
    """A device that belongs to somebody."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not super().has_permission(request, view):
            return False
        self.message = "This device belongs to nobody; give it an owner first."
        return isinstance(request.auth, Device) and request.auth.owner_id is not None


class HasService(HasOwner):
    """A token for evidence in and out; made with ``manage.py devices add --service``."""

    scope = "service"
