"""For whoever watches the service: alive, ready, and the status with a reason for each red light. No token, no words."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.http import require_safe

from interactions import status


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """This process runs."""
    return JsonResponse({"status": "alive"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """This process can accept: the database is writable. Brokers and workers are not asked."""
    ready = status.can_accept()
    return JsonResponse({"status": "ready" if ready else "not ready"}, status=200 if ready else 503)


@require_safe
def lights(request: HttpRequest) -> JsonResponse:
    """Every part, green or red. The whole is red (503) as soon as one part is."""
    parts = status.lights()
    green = all(light.green for light in parts.values())
    lines = {name: {"status": "green" if light.green else "red", "text": light.text} for name, light in parts.items()}
    return JsonResponse({"status": "green" if green else "red", "parts": lines}, status=200 if green else 503)


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("status", lights, name="status"),
]
