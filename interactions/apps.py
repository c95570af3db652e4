"""The host's app. Its ``ready`` is the door: a wrong configuration stops every process here."""

from __future__ import annotations

from django.apps import AppConfig


class InteractionsConfig(AppConfig):
    name = "interactions"

    def ready(self) -> None:
        from interactions import alarms, checks, health, registry, segmentations, status  # noqa: F401  the checks register themselves

        registry.load()
        status.register("operator alarm", alarms.light)
        status.register("segmentation", segmentations.look)
        health.register()
