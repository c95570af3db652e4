"""Runs of the ordinary chain that nobody will finish: one too old to be run, and one whose worker is gone. Both are said.

What was never begun may be said again. Of what was begun nobody knows whether it was done, and that is said instead.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from interactions import chain_ends, doorbells, processes, registry, saying
from interactions.models import ChainRun, Utterance

log = logging.getLogger(__name__)

STAGED, CLAIMED, LOST = ChainRun.Status.STAGED, ChainRun.Status.CLAIMED, ChainRun.Status.LOST
STALE_S = 60  # nobody expects an older sentence to be obeyed; a lamp that goes on by itself is worse than one that does not
SLACK_S = 10
BATCH = 200


def limit_s() -> float:
    """How long one run may take at the most: every plugin to its deadline, and some slack."""
    return 1.25 * sum(plugin.deadline_s for plugin in registry.ordinary()) + SLACK_S


def is_stale(utterance: Utterance, now: datetime) -> bool:
    """Whether the sentence was said too long ago to be obeyed."""
    return utterance.received_at <= now - timedelta(seconds=STALE_S)


def sweep(now: datetime) -> None:
    """Lose what nobody will finish, and ring for the rest of what is staged."""
    stale = ChainRun.objects.filter(status=STAGED, utterance__received_at__lte=now - timedelta(seconds=STALE_S))
    for run in stale.values_list("pk", flat=True)[:BATCH]:
        _lose(run, STAGED, now)
    over = now - timedelta(seconds=limit_s())
    for run, holder, since in ChainRun.objects.filter(status=CLAIMED).values_list("pk", "holder", "claimed_at")[:BATCH]:
        if since is None or since <= over or processes.gone(holder):
            _lose(run, CLAIMED, now)
    patience = timedelta(seconds=settings.CHRONICLE_SWEEP_S)
    due = Q(not_before=None) | Q(not_before__lte=now)
    waiting = ChainRun.objects.filter(due, status=STAGED, created_at__lte=now - patience)
    for run in waiting.values_list("pk", flat=True)[:BATCH]:
        doorbells.ring(run, doorbells.CHAIN)


def _lose(run_id: int, status: str, now: datetime) -> None:
    try:
        lose(run_id, status, now)
    except Exception:  # the next sweep tries again; the others are not kept waiting for it
        log.exception("ordinary sentence %s could not be ended", run_id)


def lose(run_id: int, status: str, now: datetime) -> None:
    """End a run as lost, if it still is ``status``."""
    run = ChainRun.objects.select_related("utterance").get(pk=run_id)
    lang = chain_ends.language(run)
    sorry = saying.ask(lang, "lost_track") if status == STAGED else saying.tell(lang, "not_sure")
    if chain_ends.end(run, status, LOST, at=now, says=(sorry,)):
        log.warning("ordinary sentence %s is lost; it was %s", run_id, status)
