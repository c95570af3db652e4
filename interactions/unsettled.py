"""What forbids a start: a mode that is switched off, or raised to a version, while something of it is still under way.

Read from the host's own rows, so that it needs neither the plugin's code nor its tables. A database that is away or not
migrated yet forbids nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, InterfaceError, connections
from django.db.models import Q

from interactions import clock, configuration, faults, registry, segmentations, versions
from interactions.configuration import Configuration
from interactions.contracts import Policy
from interactions.faults import Fault
from interactions.models import Checkpoint, InteractionSession
from interactions.modes import Mode

NAMED = 5  # how many of the things under way are named; the rest are a count


def verify() -> None:
    """Refuse the start of this process. Called by each entrance that serves, not from ``ready``: commands must still run."""
    try:
        found = [*examine(configuration.current()), *segmentations.faults()]
    finally:
        connections["default"].close()
    if found:
        raise ImproperlyConfigured(faults.report(found))


def examine(config: Configuration) -> list[Fault]:
    """Every mode that must not be switched off, or not be raised to its version, as one line each."""
    try:
        return [*_switched_off(config), *_stranded(config)]
    except (DatabaseError, InterfaceError):
        return []


def newer(config: Configuration) -> list[Fault]:
    """Sessions that this code leaves to newer code. No fault during a deploy; after a roll-back nobody goes on with them."""
    try:
        sessions = [(one, mode) for one, mode in _running() if one.version > mode.version]
    except (DatabaseError, InterfaceError):
        return []
    return [
        Fault(
            one.plugin,
            f"session {one.pk} is at version {one.version} of mode '{one.mode}', this is {mode.version}: a newer worker has it",
            config.place(one.plugin, "plugins.yml", "enabled"),
        )
        for one, mode in sessions
    ]


def _switched_off(config: Configuration) -> Iterator[Fault]:
    under_way = Q(open_since__isnull=False) | Q(policy=Policy.ONCE.value, stepped_at=None, session__status="active")
    left = Checkpoint.objects.filter(under_way).exclude(session__mode__in=list(registry.modes())).select_related("session")
    found = left.order_by("session__plugin", "session__mode", "pk")
    for (plugin, mode), checkpoints in groupby(found, key=lambda one: (one.session.plugin, one.session.mode)):
        things = [f"{one.effect} of session {one.session_id}" for one in checkpoints]
        text = (
            f"mode '{mode}' cannot be switched off while this is under way: {_some(things)}; list the mode, write "
            "'enabled: draining', and switch it off when `manage.py check` no longer names it"
        )
        yield Fault(plugin, text, config.place(plugin, "plugins.yml", "enabled"))


def _stranded(config: Configuration) -> Iterator[Fault]:
    at = clock.now()
    for session, mode in _running():
        older = session.version < mode.version
        if older and versions.brought_up(session, mode) is None and versions.spending(session, mode, at=at):
            text = (
                f"session {session.pk} of mode '{mode.key}' is in {session.phase} at version {session.version}; no migration "
                f"leads to {mode.version}: run the older version until it has ended, or add the migration"
            )
            yield Fault(session.plugin, text, config.place(session.plugin, "plugins.yml", "enabled"))


def _running() -> Iterator[tuple[InteractionSession, Mode]]:
    modes = registry.modes()
    for session in InteractionSession.objects.filter(status="active", mode__in=list(modes)).order_by("pk"):
        yield session, modes[session.mode]


def _some(things: Iterable[str]) -> str:
    named = list(things)
    more = len(named) - NAMED
    return ", ".join(named[:NAMED]) + (f" and {more} more" if more > 0 else "")
