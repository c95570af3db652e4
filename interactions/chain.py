"""The ordinary chain: a sentence that no mode owns is offered to one plugin after the other, by priority, at most once.

The claim is a guarded update, so a doubled doorbell runs nothing twice. A sentence that a plugin would wait for the network
with is left to the workers of effects: those of turns must stay quick. A plugin that raises is written into the trace and the
next one is asked. The trace holds who was asked and what became of it, never words.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import Any

from django.db import transaction

from interactions import clock, conditions, configuration, registry, replies
from interactions.contracts import Reply
from interactions.models import ChainRun
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin

log = logging.getLogger(__name__)

Spoken = list[tuple[str, ChainAnswer]]


def run(chain_run_id: int) -> None:
    """Claim the run and take the sentence through the chain; a run that is claimed already is left alone."""
    if not ChainRun.objects.filter(pk=chain_run_id, status=ChainRun.Status.STAGED).update(
        status=ChainRun.Status.CLAIMED, claimed_at=clock.now()
    ):
        return
    chain_run = ChainRun.objects.select_related("utterance").get(pk=chain_run_id)
    trace: list[dict[str, Any]] = []
    spoken = _offer(_event(chain_run), trace)
    with transaction.atomic():
        _tell(chain_run, spoken)
        ChainRun.objects.filter(pk=chain_run_id, status=ChainRun.Status.CLAIMED).update(
            status=ChainRun.Status.DONE,
            answered_by=spoken[-1][0] if spoken else "",
            trace=trace,
            done_at=clock.now(),
        )


def waits(chain_run_id: int) -> bool:
    """Whether a plugin that is offered this sentence may wait for the network with it."""
    chain_run = ChainRun.objects.select_related("utterance").filter(pk=chain_run_id, status=ChainRun.Status.STAGED).first()
    if chain_run is None:
        return False
    event, names = _event(chain_run), configuration.current().host.assistant.names
    offered = ((plugin, conditions.command(plugin, event, names=names)) for plugin in registry.ordinary())
    return any(_waits(plugin, replace(event, command=given)) for plugin, given in offered if given is not None)


def _waits(plugin: OrdinaryPlugin, event: ChainEvent) -> bool:
    try:
        return plugin.waits(event)
    except Exception:  # it is asked again when the run is handled, and recorded there
        log.exception("plugin %s cannot say whether it waits", plugin.id)
        return False


# ---- the run ---------------------------------------------------------------------------------------------------------


def _offer(event: ChainEvent, trace: list[dict[str, Any]]) -> Spoken:
    names = configuration.current().host.assistant.names
    spoken: Spoken = []
    for plugin in registry.ordinary():
        given = conditions.command(plugin, event, names=names)
        if given is None:
            trace.append({"plugin": plugin.id, "outcome": "passed_over"})
            continue
        began = time.monotonic()
        answer, outcome = _ask(plugin, replace(event, command=given))
        trace.append({"plugin": plugin.id, "outcome": outcome, "ms": round((time.monotonic() - began) * 1000)})
        if answer is None:
            continue
        spoken.append((plugin.id, answer))
        if not answer.should_continue:
            break
    return spoken


def _ask(plugin: OrdinaryPlugin, event: ChainEvent) -> tuple[ChainAnswer | None, str]:
    try:
        answer = plugin.handle(event)
    except Exception as error:
        log.exception("plugin %s failed on utterance %s", plugin.id, event.utterance)
        return None, f"failed: {type(error).__name__}"
    return answer, "declined" if answer is None else "answered"


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
    )


def _tell(chain_run: ChainRun, spoken: Spoken) -> None:
    device = chain_run.utterance.device_id
    said = [
        Reply(
            answer.text,
            speech=answer.speech,
            expects_reply=False,
            data={**answer.data, "plugin": plugin_id},
            kind="plugin.reply",
            lang=answer.lang,
        )
        for plugin_id, answer in spoken
        if answer.text
    ]
    if device is None or not said:
        return
    context = replies.Context(
        device=device,
        session=0,
        mode="",
        phase="",
        status="",
        cause=f"chain:{chain_run.pk}",
        at=clock.now(),
        lang=chain_run.utterance.details.get("lang") or "en",
        answers=chain_run.utterance_id,
    )
    replies.tell(context, replies=said)
