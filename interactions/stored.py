"""What an older version of a mode stored about an effect, as the version that runs reads it. In memory only: rows are evidence.

State is brought up once and stored (``versions``); payloads and outcomes are kept as they were made, with the version that made
them, and are read through the mode's migrations each time.
"""

from __future__ import annotations

import copy
import logging
from dataclasses import replace
from typing import TypeVar

from interactions import outcomes
from interactions.agenda import Work
from interactions.contracts import Failed, Outcome, Policy, StoredEffect, Unknown
from interactions.models import Checkpoint, InboxItem
from interactions.modes import Mode

log = logging.getLogger(__name__)

Thing = TypeVar("Thing", Checkpoint, InboxItem)
FIRST = 1  # the version of whatever was stored before versions were


def seen(work: Work, mode: Mode) -> Work:
    """The work with its effect as ``mode`` reads it. An effect that cannot be read gets an outcome that proves nothing."""
    checkpoint, item = work.checkpoint, work.item
    if checkpoint is not None and (checkpoint.version or FIRST) < mode.version:
        checkpoint = _checkpoint(checkpoint, mode)
    checkpoint = checkpoint and _overtaken(checkpoint, mode)
    item = item and _overtaken(item, mode)
    same = checkpoint is work.checkpoint and item is work.item
    return work if same else replace(work, checkpoint=checkpoint, item=item)


def is_strange(checkpoint: Checkpoint, mode: Mode) -> bool:
    """Whether it waits to be performed, and ``mode`` cannot: it does not declare it, or did not bring it up."""
    waits = checkpoint.state != Checkpoint.State.SETTLED and checkpoint.policy != Policy.ONCE.value
    return waits and (bool(checkpoint.outcome) or checkpoint.effect not in mode.effects)


def _checkpoint(row: Checkpoint, mode: Mode) -> Checkpoint:
    outcome = outcomes.load(row.outcome, row.result) if row.outcome else None
    found = _migrated(StoredEffect(row.effect, row.payload, outcome), mode, since=row.version or FIRST)
    view = copy.copy(row)
    if found is None:
        view.outcome, view.result = outcomes.store(_unreadable(row, outcome))
        return view
    view.effect, view.payload = found.name, dict(found.payload)
    if found.outcome is not None and outcome is not None:
        view.outcome, view.result = outcomes.store(found.outcome)
    return view


def _unreadable(row: Checkpoint, outcome: Outcome | None) -> Outcome:
    """What can still be said of it: a ONCE that was made is not known to have failed."""
    made = row.policy == Policy.ONCE.value and not isinstance(outcome, Failed)
    return Unknown("upgraded") if made else Failed("upgraded")


def _overtaken(row: Thing, mode: Mode) -> Thing:
    """A ONCE that was held back; it was never begun, and the mode is told so."""
    kept = row.overtaken
    since = kept.get("version", FIRST) if kept is not None else mode.version
    if kept is None or since >= mode.version:
        return row
    found = _migrated(StoredEffect(kept["effect"], kept["payload"]), mode, since=since)
    if found is None:
        return row
    view = copy.copy(row)
    view.overtaken = {"effect": found.name, "payload": dict(found.payload), "version": mode.version}
    return view


def _migrated(effect: StoredEffect, mode: Mode, *, since: int) -> StoredEffect | None:
    try:
        for version in range(since, mode.version):
            effect = mode.migrations[version].effect(effect)
        outcomes.canonical(effect.payload)
    except Exception:
        # The edge of the mode: an effect that it cannot bring up is one that it cannot read.
        log.exception("effect %s of mode %s cannot be brought up from version %s", effect.name, mode.key, since)
        return None
    return effect
