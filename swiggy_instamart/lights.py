"""The plugin's lines of ``/status``: whether there is a sign-in, and a person whose account it is."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from interactions import configuration, status
from interactions.status import Light
from swiggy_instamart import linked, tokens
from swiggy_instamart.models import CheckoutIntent


def register() -> None:
    """Only where real orders are on: practice needs neither."""
    if any(entry.on and "swiggy_order" in entry.modes for entry in configuration.current().plugins.values()):
        status.register("swiggy sign-in", sign_in)
        status.register("swiggy checkouts", checkouts)
        status.register("swiggy linked user", linked_user)


def checkouts() -> Light:
    """Red while the outcome of a checkout is unknown, and for a day after a look-up in vain that nobody has settled."""
    state, since = CheckoutIntent.State, timezone.now() - timedelta(days=1)
    lost = Q(state=state.UNKNOWN) | Q(state=state.UNFOUND, created_at__gte=since)
    found = list(CheckoutIntent.objects.filter(lost).order_by("pk").values_list("pk", flat=True))
    if not found:
        return Light(True, "every checkout has a known outcome")
    return Light(False, f"unknown: checkout {', '.join(map(str, found))}; check Swiggy and settle it on the operator's pages")


def sign_in() -> Light:
    verdict = tokens.verdict()
    return Light(verdict.state != "unusable", verdict.sentence)


def linked_user() -> Light:
    found = linked.lookup()
    return Light(found.user is not None, found.fault or f"{linked.VARIABLE} names one active user.")
