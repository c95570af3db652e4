"""Declares the mode, its settings, and the sweep that follows payments and looks for orders."""

from __future__ import annotations

from interactions.modes import ModeConfig


class SwiggyInstamartConfig(ModeConfig):
    name = "swiggy_instamart"
    verbose_name = "Swiggy Instamart"
    mode = "mode.SwiggyOrderMode"
    settings_model = "options.Options"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from interactions import host
        from swiggy_instamart import lookups, payments, tasks

        assert tasks  # so that every process knows the tasks by name
        host.on_tick("payments", payments.due)
        host.on_tick("lookups", lookups.due)
