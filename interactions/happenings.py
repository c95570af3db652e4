"""From rows to the events a mode is stepped with."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from interactions import configuration, outcomes, registry, replies, sessions, silence, universal
from interactions.agenda import Work
from interactions.contracts import Deadline, Event, Failed, Heard, Playback, Prompt, Settled, Signal, Silence, Started, Step
from interactions.models import DeviceEvent, InboxItem, InteractionSession


def event_of(work: Work, *, at: datetime) -> Event:
    """The event that this work is, as of now."""
    thing = work.item or work.checkpoint
    assert thing is not None
    prompt = prompt_of(work.session.prompt)
    if thing.overtaken is not None:
        return Settled(at, thing.overtaken["effect"], thing.overtaken["payload"], Failed("overtaken"), prompt)
    if work.checkpoint is not None:
        checkpoint = work.checkpoint
        outcome = outcomes.load(checkpoint.outcome, checkpoint.result)
        if checkpoint.step_failures >= 3:
            outcome = Failed("step_failed")
        return Settled(at, checkpoint.effect, checkpoint.payload, outcome, prompt)
    assert work.item is not None
    return _of_item(work.item, work.session, at=at, prompt=prompt)


def _of_item(item: InboxItem, session: InteractionSession, *, at: datetime, prompt: Prompt | None) -> Event:
    utterance = item.utterance
    match item.kind:
        case "start":
            assert utterance is not None
            return Started(at, item.text, utterance.pk, utterance.source, utterance.received_at)
        case "heard":
            assert utterance is not None
            assert utterance.device_id is not None
            playback = utterance.details.get("playback")
            return Heard(
                at,
                item.text,
                utterance.pk,
                utterance.received_at,
                utterance.device_id,
                source=utterance.source,
                spoken_age_ms=utterance.spoken_age_ms,
                heard_upto=utterance.heard_upto,
                playback=Playback(**playback) if playback else None,
                in_reply_to=utterance.in_reply_to,
                confidence=utterance.details.get("confidence"),
                prompt=prompt,
                doubtful=utterance.details.get("doubtful", False),
                told=replies.told(session.pk) if _asks_again(item.text, session) else None,
            )
        case "deadline":
            return Deadline(at, sessions.due(session, at) or item.data["kind"])
        case "silence":
            return Silence(at, item.data["rung"])
        case "signal":
            return Signal(at, item.data["name"], item.data["data"])
        case "end":
            return Signal(at, "end", item.data)
        case "moved":
            return Signal(at, "moved", item.data)
    raise ValueError(f"no inbox item is called {item.kind!r}")


def _asks_again(said: str, session: InteractionSession) -> bool:
    names = configuration.current().host.assistant.names
    return universal.word(said, registry.modes().get(session.mode), names) == universal.REPEAT


def prompt_of(event: DeviceEvent | None) -> Prompt | None:
    """What is known of the delivery of the mode's latest keyed reply."""
    if event is None:
        return None
    return Prompt(
        key=event.key,
        reply_id=event.pk,
        seq=event.seq,
        device=event.device_id,
        words=event.payload.get("words", 0),
        est_ms=event.est_ms,
        delivered_at=None if _came_as_past(event) else event.delivered_at,
        started_at=event.play_started_at,
        finished_at=event.play_ended_at if event.playback == "finished" else None,
        failed=event.playback in ("interrupted", "failed") or not (event.speak or event.playback),
    )


def _came_as_past(event: DeviceEvent) -> bool:
    """A prompt that reached its device too late is shown as past, and asks nothing."""
    return event.delivered_at is not None and event.expires_at is not None and event.expires_at <= event.delivered_at


TIMED = ("deadline", silence.KIND)  # what is only true as long as nobody speaks


def is_due(item: InboxItem, session: InteractionSession, *, at: datetime) -> bool:
    """Whether what a sweep put into the inbox still holds, now that its turn has come."""
    return sessions.due(session, at) is not None if item.kind == "deadline" else silence.is_due(session, at=at)


def ending(event: Event, step: Step) -> Step:
    """A deadline, or somebody's wish to end, ends the session even where the mode forgot to say so."""
    if step.end is None and isinstance(event, Deadline):
        return replace(step, end=f"{event.kind}_timeout", effect=None)
    if step.end is None and isinstance(event, Signal) and event.name == "end":
        reason = event.data.get("reason") or f"ended_by_{event.data.get('by', 'operator')}"
        return replace(step, end=reason, effect=None)
    return step


def ended_by(event: Event) -> str:
    """Who ends a session that ends with this event."""
    match event:
        case Heard():
            return "utterance"
        case Settled():
            return "outcome"
        case Deadline():
            return "deadline"
        case Signal(name="end", data=data):
            return str(data.get("by", "operator"))
        case Signal():
            return "signal"
    return "utterance"
