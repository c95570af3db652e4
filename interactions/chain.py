"""The ordinary chain: a sentence that no mode owns is offered to one plugin after the other, by priority, at most once.

The claim is a guarded update, so a doubled doorbell runs nothing twice, and it names its process, so that a run whose worker
died is found and said. A sentence that a plugin would wait for the network with is left to the workers of effects: those of
turns must stay quick.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Q

from interactions import (
    chain_ends,
    clock,
    configuration,
    events,
    host,
    lost_runs,
    offering,
    processes,
    registry,
    replies,
    saying,
)
from interactions.contracts import Reply
from interactions.models import ChainRun
from interactions.offering import Asks, Course
from interactions.plugins import ChainEvent

STAGED, CLAIMED, DONE = ChainRun.Status.STAGED, ChainRun.Status.CLAIMED, ChainRun.Status.DONE
NAP_S = 0.5  # the longest that a run which may not begin yet is waited for in place; the sweep rings for any other


def run(chain_run_id: int) -> None:
    """Claim the run and take the sentence through the chain; a run that is claimed already is left alone."""
    chain_run = _claim(chain_run_id)
    if chain_run is None:
        return
    with host.leased(lost_runs.limit_s()):  # whoever stands still for longer dies before it could ask anybody else
        course = offering.take(_asks(chain_run), think=lambda: _think(chain_run), mine=lambda: _is_mine(chain_run))
    chain_ends.end(
        chain_run,
        CLAIMED,
        DONE,
        at=clock.now(),
        says=tuple(_said(chain_run, course)),
        success=course.success and not course.unknown,
        answered_by=course.chosen[-1][0] if course.chosen else "",
        trace=course.trace,
    )


def waits(chain_run_id: int) -> bool:
    """Whether a plugin that is offered this sentence may wait for the network with it."""
    chain_run = ChainRun.objects.select_related("utterance").filter(pk=chain_run_id, status=STAGED).first()
    return chain_run is not None and offering.wait(_asks(chain_run))


# ---- the run -------------------------------------------------------------------------------------------------------------


def _claim(chain_run_id: int) -> ChainRun | None:
    """The run with its sentence, this process's own from now on; None where it is not to be run here, or not any more."""
    staged = ChainRun.objects.select_related("utterance").filter(pk=chain_run_id, status=STAGED).first()
    if staged is None:
        return None
    if lost_runs.is_stale(staged.utterance, clock.now()):
        lost_runs.lose(chain_run_id, STAGED, clock.now())
        return None
    if staged.not_before is not None:
        time.sleep(max(0.0, min(NAP_S, (staged.not_before - clock.now()).total_seconds())))
    now, holder = clock.now(), processes.name()
    due = Q(not_before=None) | Q(not_before__lte=now)
    if not ChainRun.objects.filter(due, pk=chain_run_id, status=STAGED).update(status=CLAIMED, claimed_at=now, holder=holder):
        return None
    # Read again: until it was claimed, another device that heard the same could still take its place.
    return ChainRun.objects.select_related("utterance").get(pk=chain_run_id, holder=holder)


def _is_mine(chain_run: ChainRun) -> bool:
    return ChainRun.objects.filter(pk=chain_run.pk, status=CLAIMED, holder=chain_run.holder).exists()


def _asks(chain_run: ChainRun) -> Asks:
    return offering.asks(registry.ordinary(), _event(chain_run), names=configuration.current().host.assistant.names)


def _event(chain_run: ChainRun) -> ChainEvent:
    utterance = chain_run.utterance
    wake = utterance.details.get("wake") or {}
    return ChainEvent(
        utterance=utterance.pk,
        user=utterance.owner_id,
        device=utterance.device_id or 0,
        text=utterance.text,
        command=utterance.text,
        source=utterance.source,
        at=utterance.received_at,
        wake=wake.get("word") if isinstance(wake, dict) else None,
        lang=utterance.details.get("lang") or "en",
        woken=utterance.source == "wake" or bool(utterance.details.get("follow_up")),
    )


# ---- what is told of it ----------------------------------------------------------------------------------------------------


def _think(chain_run: ChainRun) -> None:
    """That it takes longer, once. It means nothing when it is late."""
    if chain_run.utterance.device_id is None:
        return
    told = chain_ends.context(chain_run, at=clock.now(), cause="thinking")
    with transaction.atomic():
        events.hold(told.device)
        if chain_ends.is_theirs(chain_run):
            replies.note(told, kind="device.cue", ordinal=0, cue="thinking", cue_after_ms=0)


def _said(chain_run: ChainRun, course: Course) -> Iterator[Reply]:
    for plugin_id, answer in course.chosen:
        if answer.text:
            yield Reply(
                answer.text,
                speech=answer.speech,
                expects_reply=False,
                data={**answer.data, "plugin": plugin_id},
                kind="plugin.reply",
                lang=answer.lang,
            )
    lang = chain_ends.language(chain_run)
    names = configuration.current().host.assistant.names
    if course.unknown:
        yield saying.tell(lang, "not_sure")
    elif course.missed and not course.answers and offering.is_addressed(_event(chain_run), names=names):
        yield saying.tell(lang, "unreached")
