"""Every refusal in one shape: ``{code, message, fields}``. One handler for the API, two views for what never reaches it."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from interactions.errors import IngressError

log = logging.getLogger(__name__)

RETRY_AFTER_S = 2
UNAVAILABLE = "The database cannot be reached, so nobody can say who owns this; send it again with the same key."
INSTEAD: dict[type[exceptions.APIException], str] = {  # where DRF's own words do not say what to do
    exceptions.NotAuthenticated: "Send a device token: `Authorization: Bearer cdt_...`; `manage.py devices add` makes one.",
    exceptions.UnsupportedMediaType: "Send JSON, with `Content-Type: application/json`.",
}


class Refusal(exceptions.APIException):
    """A refusal with a code, and the fields at fault."""

    def __init__(self, message: str, *, code: str, status: int = 400, fields: dict[str, Any] | None = None) -> None:
        super().__init__(message, code)
        self.status_code = status
        self.fields = fields or {}


def body(code: str, message: str, fields: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"code": code, "message": message, "fields": fields or {}}


def handle(error: Exception, context: dict[str, Any]) -> Response:
    """DRF's exception handler."""
    set_rollback()
    match error:
        case Refusal():
            return Response(body(str(error.get_codes()), str(error.detail), error.fields), error.status_code)
        case IngressError():
            return Response(body(error.code, str(error)), error.status)
        case exceptions.ValidationError():
            fields = error.detail if isinstance(error.detail, dict) else {"body": error.detail}
            return Response(body("invalid", "Some fields are wrong; nothing was stored.", fields), 400)
        case exceptions.APIException():
            headers = {}
            if header := getattr(error, "auth_header", None):
                headers["WWW-Authenticate"] = header
            message = next((text for kind, text in INSTEAD.items() if isinstance(error, kind)), str(error.detail))
            return Response(body(str(error.default_code), message), error.status_code, headers=headers)
        case RequestDataTooBig():  # by Django itself, before our parser sees it
            return Response(body("too_large", "This body is far too large; send less at once."), 413)
        case Http404():
            return Response(body("not_found", "There is no such thing here."), 404)
        case PermissionDenied():
            return Response(body("permission_denied", "This is not for this device."), 403)
        case OperationalError() | InterfaceError():
            log.warning("no database: %s", type(error).__name__)
            return Response(body("unavailable", UNAVAILABLE), 503, headers={"Retry-After": str(RETRY_AFTER_S)})
    log.error("a request failed", exc_info=error)
    got_request_exception.send(sender=handle, request=context["request"]._request)
    return Response(body("internal", "That is a fault of ours; it is in the log."), 500)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """``handler404`` of the project: JSON below /api/, a page elsewhere."""
    if request.path.startswith("/api/"):
        return JsonResponse(body("not_found", "No such address; /api/docs/ lists them."), status=404)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """``handler500`` of the project."""
    if request.path.startswith("/api/"):
        return JsonResponse(body("internal", "That is a fault of ours; it is in the log."), status=500)
    return defaults.server_error(request)
