"""How each plugin of the ordinary chain does, in one row over all processes: what keeps failing rests, and is tried again.

From the third failure in a row a plugin is passed over, for half a minute and then longer; the first sentence after that is
its trial. Where a plugin can look at its peer, a worker has it do so from time to time, and it rests while that fails.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q

from interactions import bounded, clock, doorbells, queues, registry, status
from interactions.models import PluginState
from interactions.plugins import OrdinaryPlugin
from interactions.status import Light

log = logging.getLogger(__name__)

RESTS_AFTER = 3  # failures in a row
FIRST_S, LONGEST_S = 30, 300  # of a rest; each is twice the one before
LOOK_S, LOOK_BOUND_S = 60, 3  # how often a peer is looked at, and how long that may take
UNLOOKED_S = 2.5 * LOOK_S  # with nobody left to look, a failed plugin is tried again all the same
INITIALISED, OK, DEGRADED, FAILED = (
    PluginState.Status.INITIALISED,
    PluginState.Status.OK,
    PluginState.Status.DEGRADED,
    PluginState.Status.FAILED,
)
States = Mapping[str, PluginState]


def states() -> States:
    """What is known of each plugin that was ever asked or looked at."""
    return {state.plugin: state for state in PluginState.objects.all()}


# ---- from the chain ------------------------------------------------------------------------------------------------------


def rests(state: PluginState | None, at: datetime) -> bool:
    """Whether the plugin is passed over now."""
    return state is not None and state.open_until is not None and state.open_until > at


def admits(state: PluginState | None, at: datetime, *, trial_s: float) -> bool:
    """Whether the plugin may be asked now. After a rest that is a trial, and the plugin rests for everybody else meanwhile."""
    if state is None or state.open_until is None:
        return True
    if rests(state, at):
        return False
    trial = PluginState.objects.filter(pk=state.pk, open_until=state.open_until)
    return trial.update(open_until=at + timedelta(seconds=trial_s)) == 1


def well(plugin: str, state: PluginState | None, at: datetime) -> None:
    """It came back in time, whatever it said; a row is written only where that is news."""
    if state is not None and (state.status, state.failures, state.open_until) == (OK, 0, None):
        return
    row = _row(plugin, at)
    PluginState.objects.filter(pk=row.pk).update(status=OK, failures=0, error="", open_until=None, changed_at=at)
    if row.status in (DEGRADED, FAILED):
        log.info("plugin %s has recovered", plugin)


def failed(plugin: str, error: str, at: datetime) -> None:
    """It gave no answer or broke; ``error`` is a word or a type, never what a peer or a person said."""
    pk = _row(plugin, at).pk
    with transaction.atomic():
        PluginState.objects.filter(pk=pk).update(failures=F("failures") + 1)  # the lock
        state = PluginState.objects.get(pk=pk)
        more = state.failures - RESTS_AFTER
        rest_s = 0 if more < 0 else min(LONGEST_S, FIRST_S * 2 ** min(more, 10))
        state.open_until = at + timedelta(seconds=rest_s) if rest_s else None
        _become(state, FAILED if state.status == FAILED else DEGRADED, error, at)
    log.warning("plugin %s: %s, %s in a row%s", plugin, error, state.failures, f"; it rests for {rest_s} s" if rest_s else "")


# ---- a look at the peer --------------------------------------------------------------------------------------------------


def sweep(now: datetime) -> None:
    """Ring for each plugin of the chain whose peer was not looked at lately."""
    lookers = {plugin.id for plugin in registry.ordinary() if queues.says_itself(plugin, "check")}
    if not lookers:
        return
    known = states()
    for plugin in sorted(lookers):
        state = known.get(plugin) or _row(plugin, now)
        if state.checked_at is None or state.checked_at <= now - timedelta(seconds=LOOK_S):
            doorbells.ring(state.pk, doorbells.CHECK)


def check(state_id: int) -> None:
    """One look, bounded; whoever rings for it, at most one in its time."""
    state, now = PluginState.objects.filter(pk=state_id).first(), clock.now()
    plugin = registry.plugin(state.plugin) if state is not None else None
    if state is None or plugin is None:
        return
    due = Q(checked_at=None) | Q(checked_at__lte=now - timedelta(seconds=LOOK_S))
    if not PluginState.objects.filter(due, pk=state_id).update(checked_at=now):
        return
    try:
        found = str(bounded.call(plugin.check, LOOK_BOUND_S))
    except bounded.DeadlineError:
        found = "no answer"
    except Exception as error:
        log.exception("plugin %s: its look at its peer raised", plugin.id)
        found = type(error).__name__
    _found(state_id, found, clock.now())


def _found(state_id: int, found: str, at: datetime) -> None:
    with transaction.atomic():
        PluginState.objects.filter(pk=state_id).update(failures=F("failures"))  # the lock
        state = PluginState.objects.get(pk=state_id)
        before = state.status
        if found != "ok":
            state.open_until = at + timedelta(seconds=UNLOOKED_S)
            _become(state, FAILED, found, at)
        elif state.failures:  # its peer is there; whether it answers is for the next sentence to find out
            state.open_until = min(state.open_until, at) if state.open_until else None
            _become(state, DEGRADED, state.error, at)
        else:
            state.open_until = None
            _become(state, OK, "", at)
    if before != state.status:
        log.warning(
            "plugin %s was %s and is %s%s", state.plugin, before, state.status, f": {state.error}" if state.error else ""
        )


# ---- what is shown -------------------------------------------------------------------------------------------------------


def register() -> None:
    """A line on the status page for each plugin of the chain."""
    for plugin in registry.ordinary():
        status.register(f"plugin {plugin.id}", partial(light, plugin))


def light(plugin: OrdinaryPlugin) -> Light:
    state = PluginState.objects.filter(plugin=plugin.id).first()
    return Light(state is None or state.status != FAILED, line(state, at=clock.now()))


def says(plugin: OrdinaryPlugin) -> str:
    """What it says of itself, or the type of what it raises instead."""
    try:
        return str(plugin.health())
    except Exception as error:  # the edge of a plugin: the others are shown all the same
        log.exception("plugin %s cannot say how it does", plugin.id)
        return type(error).__name__


def line(state: PluginState | None, *, at: datetime) -> str:
    """The status in words, with the latest error and when the plugin is asked again. Pure."""
    if state is None:
        return f"{INITIALISED}: not asked yet"
    said = f"{state.status} since {state.changed_at:%Y-%m-%d %H:%M:%S} UTC"
    said += f": {state.error}" if state.error else ""
    said += f", {state.failures} in a row" if state.failures else ""
    return said + (f"; rests until {state.open_until:%H:%M:%S} UTC" if state.open_until and rests(state, at) else "")


# ---- rows ----------------------------------------------------------------------------------------------------------------


def _row(plugin: str, at: datetime) -> PluginState:
    return PluginState.objects.get_or_create(plugin=plugin, defaults={"changed_at": at})[0]


def _become(state: PluginState, status_: str, error: str, at: datetime) -> None:
    if state.status != status_:
        state.status, state.changed_at = PluginState.Status(status_), at
    state.error = error[:80]
    state.save()
