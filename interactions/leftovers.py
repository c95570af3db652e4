"""What a session leaves behind when it ends with its inbox not empty: nothing of it is lost without a word.

What a person said after they themselves ended it is heard afresh; what came after a deadline, an operator or a fault is
dropped, marked and told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.db import transaction

from interactions import (
    activation,
    clock,
    configuration,
    doorbells,
    events,
    handover,
    registry,
    replies,
    saying,
    sessions,
    twins,
    universal,
    verdicts,
)
from interactions.agenda import WAITING
from interactions.contracts import Event, PhaseSpec, Standing, Step
from interactions.models import ChainRun, Device, InboxItem, InteractionSession, Utterance
from interactions.modes import Mode

BY_THE_PERSON = ("utterance", "outcome")


class Nobody(Mode):
    """Stands in for a mode that is no longer there, so that its sessions can end."""

    key = "nobody"
    phrases = ()
    first_phase = ""
    phases: ClassVar[Mapping[str, PhaseSpec]] = {}

    def step(self, standing: Standing, event: Event) -> Step:
        raise NotImplementedError("nobody decides anything")


def settle(session_id: int) -> None:
    """Deal with every waiting item of an ended session, each in a transaction of its own."""
    session = InteractionSession.objects.filter(pk=session_id, status=InteractionSession.Status.ENDED).first()
    if session is None:
        return
    for item in InboxItem.objects.filter(session=session, status=WAITING).select_related("utterance").order_by("sequence"):
        if item.kind == "heard" and session.ended_by in BY_THE_PERSON:
            _hear_afresh(item)
        else:
            _drop(session, item)


def _hear_afresh(item: InboxItem) -> None:
    utterance = item.utterance
    assert utterance is not None
    assert utterance.device_id is not None
    at = clock.now()
    with transaction.atomic():
        events.hold(utterance.device_id)
        if not _claim(item, note="heard afresh"):
            return
        device = Device.objects.get(pk=utterance.device_id)
        active = sessions.active(utterance.owner_id, device.client_id)
        if active is not None:
            sessions.add(active.pk, kind="heard", at=at, utterance=utterance, text=item.text)
            return
        names = configuration.current().host.assistant.names
        if universal.word(item.text, None, names) == universal.STOP:
            return  # obeyed when it was heard; it was said to what has ended
        found = activation.find(item.text, registry.activations(), names)
        if found is not None and registry.accepting(found.key):
            audio_session = utterance.audio_session_id
            opened = sessions.open_session(device, mode_key=found.key, audio_session_id=audio_session, at=at)
            sessions.add(opened.pk, kind="start", at=at, utterance=utterance, text=found.remainder)
            return
        for one in _reports(utterance):
            run, _ = ChainRun.objects.get_or_create(utterance=one, defaults={"created_at": at})
            doorbells.ring_after_commit(run.pk, doorbells.CHAIN)


def _reports(utterance: Utterance) -> list[Utterance]:
    """Whose words the item stood at: what took the place of the first report, and what went on with it."""
    of = utterance.alias_of if utterance.reason == "tail" and utterance.alias_of is not None else utterance
    instead = of.aliases.filter(reason__in=twins.IN_ITS_PLACE, pk__gt=utterance.pk).order_by("-pk").first() or utterance
    return [instead, *utterance.aliases.filter(reason=verdicts.CONTINUES, pk__gt=instead.pk).order_by("pk")]


def _drop(session: InteractionSession, item: InboxItem) -> None:
    at = clock.now()
    # Told where it was said: the session may have gone on at another device since.
    device = (item.utterance.device_id if item.utterance is not None else None) or session.device_id
    with transaction.atomic():
        events.hold(device)
        if not _claim(item, status=InboxItem.Status.DROPPED, note=f"session ended: {session.end_reason}"):
            return
        if item.kind == handover.KIND:
            handover.answer(item, code="handover_gone", at=at)
        if item.kind == "heard":
            context = replies.Context(
                device=device,
                session=session.pk,
                mode=session.mode,
                phase=session.phase,
                status=session.status,
                cause=f"dropped:{item.pk}",
                at=at,
                lang=session.lang,
                answers=item.utterance_id,
                reason=session.end_reason,
            )
            replies.tell(context, replies=(saying.tell(session.lang, "dropped"),))


def _claim(item: InboxItem, *, note: str, status: str = InboxItem.Status.DONE) -> bool:
    changed = InboxItem.objects.filter(pk=item.pk, status=WAITING).update(status=status, note=note, done_at=clock.now())
    return changed == 1
