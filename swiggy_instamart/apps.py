"""Declares the mode, its settings, and the sweep that follows payments and looks for orders."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings as environment

from interactions.contracts import Json
from interactions.modes import ModeConfig

ORDER_NEEDS = {
    "SWIGGY_LINKED_USER_ID": "the name or primary key of the one user whose Swiggy account this is",
    "SWIGGY_MCP_URL": "the address of the Instamart server",
}


class SwiggyInstamartConfig(ModeConfig):
    name = "swiggy_instamart"
    verbose_name = "Swiggy Instamart"
    mode = ("mode.SwiggyOrderMode", "rehearsal.SwiggyRehearsalMode")
    settings_model = "options.Options"
    priority = 50  # before whoever answers everything
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from interactions import host
        from swiggy_instamart import accounts, lights, lookups, payments, recovery, tasks

        assert tasks  # so that every process knows the tasks by name
        lights.register()
        host.on_tick("payments", payments.due)
        host.on_tick("lookups", lookups.due)
        host.on_tick("orders", accounts.sweep)
        host.on_tick("recovery", recovery.due)

    def answers(self, modes: tuple[str, ...]) -> bool:
        """Whoever has ordered asks where it is, also after the order has ended."""
        return "swiggy_order" in modes

    def faults(self, modes: tuple[str, ...], settings: Json) -> Iterable[str]:
        """Real orders need a person and a server; whether that person exists is for the status page to say. Practice needs
        neither, and a server of its own that is surely not Swiggy's.
        """
        from swiggy_instamart import practice

        if "swiggy_order" in modes:
            for name, what in ORDER_NEEDS.items():
                if not getattr(environment, name):
                    yield f"mode 'swiggy_order' needs {name}, {what}: set it"
        if "swiggy_rehearsal" in modes and (fault := practice.fault()):
            yield f"mode 'swiggy_rehearsal' cannot be on: {fault}"
