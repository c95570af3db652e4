"""The floor as an app of a bench's stack; the product's own settings do not list it."""

from __future__ import annotations

from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "chronicle.bench.floor"
    label = "floor"
    default_auto_field = "django.db.models.BigAutoField"
