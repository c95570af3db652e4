"""The plugin's lines of ``/status``: whether there is a sign-in, and a person whose account it is."""

from __future__ import annotations

from interactions import configuration, status
from interactions.status import Light
from swiggy_instamart import linked, tokens


def register() -> None:
    """Only where real orders are on: practice needs neither."""
    if any(entry.on and "swiggy_order" in entry.modes for entry in configuration.current().plugins.values()):
        status.register("swiggy sign-in", sign_in)
        status.register("swiggy linked user", linked_user)


def sign_in() -> Light:
    verdict = tokens.verdict()
    return Light(verdict.state != "unusable", verdict.sentence)


def linked_user() -> Light:
    found = linked.lookup()
    return Light(found.user is not None, found.fault or f"{linked.VARIABLE} names one active user.")
