"""The project's own app: it holds no rows, only what must stop a start and the bundled plugins."""

from __future__ import annotations

from django.apps import AppConfig


class ChronicleConfig(AppConfig):
    name = "chronicle"

    def ready(self) -> None:
        from chronicle import durability

        durability.watch()
