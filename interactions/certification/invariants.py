"""What must hold for every mode once everything is at rest, whatever was done to the processes. Each breach is a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Count

from interactions.certification.actor import Memory
from interactions.models import Checkpoint, DeviceEvent, InboxItem, InteractionSession, Utterance
from interactions.setbacks import ATTEMPTS

ACTIVE = InteractionSession.Status.ACTIVE


def check(memories: Mapping[str, Memory], *, rewound: bool, interrupted: Sequence[int]) -> list[str]:
    """``interrupted``: what was begun, may spend, and lost the one process that may bring its outcome."""
    return [*_work(), *_effects(interrupted), *_events(), *_heard(memories), *_answers(rewound=rewound), *waits()]


def _work() -> Iterator[str]:
    """Every accepted utterance came to its end, within its attempts, and nobody holds a session."""
    for item in InboxItem.objects.exclude(status__in=("done", "dropped")):
        yield f"{item} ({item.kind}) is {item.status}: {item.note or 'never handled'}"
    for item in InboxItem.objects.filter(attempts__gt=ATTEMPTS):
        yield f"{item} was begun {item.attempts} times"
    for session in InteractionSession.objects.filter(work_pending=True):
        yield f"{session} still says that work is pending"
    for session in InteractionSession.objects.exclude(lease_until=None):
        yield f"{session} is still held"
    sequences = InboxItem.objects.values_list("session", flat=True).annotate(n=Count("pk"))
    expected = dict(InteractionSession.objects.values_list("pk", "next_sequence"))
    for key, count in sequences.values_list("session", "n"):
        if expected[key] != count + 1:
            yield f"session {key} numbered {expected[key] - 1} items and has {count}"


def _effects(interrupted: Sequence[int]) -> Iterator[str]:
    """Every effect is settled and was told to its mode; a consent released one ONCE, one call of it."""
    for checkpoint in Checkpoint.objects.exclude(state="settled"):
        yield f"{checkpoint} never settled ({checkpoint.state})"
    for checkpoint in Checkpoint.objects.filter(stepped_at=None):
        yield f"the outcome of {checkpoint} was never stepped"
    for checkpoint in Checkpoint.objects.filter(policy="once").exclude(attempts=1):
        yield f"{checkpoint} is a ONCE of {checkpoint.attempts} attempts"
    for checkpoint in Checkpoint.objects.filter(pk__in=interrupted).exclude(outcome="unknown"):
        yield f"{checkpoint} was begun by a process that died, and ended as {checkpoint.outcome}"
    asked: dict[int, list[int]] = {}
    for session, utterance in Checkpoint.objects.order_by("pk").exclude(answers=None).values_list("session", "answers"):
        asked.setdefault(session, []).append(utterance or 0)
    for session, utterances in asked.items():
        if utterances != sorted(utterances):
            yield f"the effects of session {session} were asked for by utterances {utterances}"
    words = Checkpoint.objects.filter(policy="once").values_list("consent", flat=True)
    for utterance, count in Counter(words).items():
        if utterance is None or count > 1:
            yield f"utterance {utterance} released {count} effects that spend"


def _events() -> Iterator[str]:
    """What a device is told is numbered without a gap, in the order of its commits."""
    told: dict[int, list[int]] = {}
    for device, seq in DeviceEvent.objects.order_by("device", "seq").values_list("device", "seq"):
        told.setdefault(device, []).append(seq)
    for device, numbers in told.items():
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"the events of device {device} are numbered {numbers}"


def _heard(memories: Mapping[str, Memory]) -> Iterator[str]:
    """A device that reads on from its cursor was given each event once and in order."""
    for name, memory in memories.items():
        numbers = [event["seq"] for event in memory.heard]
        if numbers != sorted(set(numbers)):
            yield f"device {name} was given {numbers}"


def _answers(*, rewound: bool) -> Iterator[str]:
    """Whoever spoke to a mode was answered, aloud or on the screen; after a recovery, which takes questions back, was at least
    told something.
    """
    told = DeviceEvent.objects.filter(payload__has_key="text").exclude(payload__text="").exclude(payload__text=None)
    answered = {payload.get("answers") for payload in told.values_list("payload", flat=True)}
    for utterance in Utterance.objects.filter(disposition="accepted", items__status="done").distinct():
        later = rewound and told.filter(device=utterance.device_id, created_at__gte=utterance.received_at).exists()
        if utterance.pk not in answered and not later:
            yield f"{utterance} was handled and nobody answered it"


def waits() -> Iterator[str]:
    """Nobody's last word is that something is being done: however it ended, that was told."""
    for session in InteractionSession.objects.all():
        last = DeviceEvent.objects.filter(session=session).exclude(kind="speech.stop").order_by("-pk").first()
        if last is not None and last.kind == "interaction.updated" and last.payload.get("status") == "working":
            yield f"{session} was left waiting in {session.phase}"
