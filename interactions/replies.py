"""From what a mode wants to say to what a device is told: the words for a voice, how long to listen, when it is stale.

A reply is cut to the device: to one that was told to be silent it still comes, but is not spoken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from interactions import events, voice
from interactions.contracts import Choice, Reply, Told
from interactions.events import Draft
from interactions.models import DeviceEvent

MOST_AT_ONCE = 5  # replies of one step, at the most that any mode says
LISTEN_MS = 8000  # how long a device keeps its microphone open after a question


@dataclass(frozen=True, slots=True)
class Context:
    """What every event of one step has in common. ``answers`` is the utterance that this step answers."""

    device: int
    session: int
    mode: str
    phase: str
    status: str
    cause: str
    at: datetime
    lang: str
    answers: int | None = None
    reason: str = ""
    prompt: int | None = None  # the reply that asked the open question; an answer by hand names it

    def payload(self, **more: Any) -> dict[str, Any]:
        return {
            "mode": self.mode,
            "phase": self.phase,
            "status": self.status,
            "reason": self.reason,
            "answers": self.answers,
            "prompt": self.prompt,
            "lang": self.lang,
        } | more


def compose(context: Context, *, replies: Iterable[Reply], ordinal: int = 0) -> list[Draft]:
    """The replies as events, in order. Pure."""
    drafts = []
    for offset, reply in enumerate(replies):
        lang = reply.lang or context.lang
        speech = reply.speech if reply.speech is not None else voice.speech(reply.text, lang)
        drafts.append(
            Draft(
                kind=reply.kind,
                cause=context.cause,
                ordinal=ordinal + offset,
                payload=context.payload(
                    lang=lang,
                    text=reply.text,
                    speech=speech,
                    words=voice.words(speech),
                    choices=[{"say": choice.say, "label": choice.label or choice.say} for choice in reply.choices],
                    expects_reply=reply.expects_reply,
                    listen_ms=LISTEN_MS if reply.expects_reply else 0,
                    supersedes=None,
                    audio_url=None,
                    data=dict(reply.data),
                ),
                at=context.at,
                session_id=context.session or None,
                key=reply.key or "",
                speak=reply.speak,
                est_ms=voice.est_ms(speech),
                expires_at=context.at + timedelta(seconds=reply.valid_s),
            )
        )
    return drafts


def told(session: int) -> Told | None:
    """What was spoken last in this session, as it was given to be spoken."""
    spoken = DeviceEvent.objects.filter(session=session, kind="interaction.reply", speak=True).order_by("-seq")[:MOST_AT_ONCE]
    last = [event for event in spoken if event.cause == spoken[0].cause]
    return Told(tuple(_given(event) for event in reversed(last)), str(last[0].payload["reason"])) if last else None


def _given(event: DeviceEvent) -> Reply:
    payload = event.payload
    return Reply(
        payload["text"],
        speech=payload["speech"],
        choices=tuple(Choice(choice["say"], choice["label"]) for choice in payload["choices"]),
        expects_reply=payload["expects_reply"],
        key=event.key or None,
        data=payload["data"],
        lang=payload["lang"],
    )


def mark(context: Context, *, kind: str, ordinal: int, lasts: timedelta | None = None, **more: Any) -> Draft:
    """An event that is not spoken: a session started, moved, goes on or ended. Pure. ``lasts``: late, it means nothing."""
    return Draft(
        kind=kind,
        cause=context.cause,
        ordinal=ordinal,
        payload=context.payload(**more),
        at=context.at,
        session_id=context.session or None,
        speak=False,
        expires_at=context.at + lasts if lasts else None,
    )


def tell(context: Context, *, replies: Iterable[Reply], ordinal: int = 0) -> list[DeviceEvent]:
    """Store the replies in the transaction that caused them; locks the device."""
    return events.write(context.device, compose(context, replies=replies, ordinal=ordinal), answers=context.answers)


def note(context: Context, *, kind: str, ordinal: int, **more: Any) -> DeviceEvent:
    """Store one event that is not spoken."""
    return events.write(context.device, [mark(context, kind=kind, ordinal=ordinal, **more)])[0]
