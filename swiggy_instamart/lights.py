"""The plugin's lines of ``/status``: whether there is a sign-in, a person whose account it is, and a shop to practise at."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from interactions import configuration, host, status
from interactions.status import Light
from swiggy_instamart import linked, openings, practice, tokens
from swiggy_instamart.models import CheckoutIntent


def register() -> None:
    """Each only where its mode is on: practice needs neither sign-in nor person, and real orders no shop to practise at."""
    on = {mode for entry in configuration.current().plugins.values() if entry.on for mode in entry.modes}
    if openings.PRACTICE in on:
        status.register(practice.LIGHT, practice_shop)
        host.on_tick("practice", practice.ask_for_a_look)
    if openings.ORDER in on:
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


def practice_shop() -> Light:
    return status.noted(practice.LIGHT, otherwise=f"start the sandbox that {practice.VARIABLE} names, or see its log")


def linked_user() -> Light:
    found = linked.lookup()
    return Light(found.user is not None, found.fault or f"{linked.VARIABLE} names one active user.")
