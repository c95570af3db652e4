"""Who owns a report: nobody, the active session, a mode that its words open, or the ordinary chain. Decided once.

Asked inside the accepting transaction, under the person's lock. It reads rows and stores nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from interactions import (
    activation,
    arbitration,
    attention,
    configuration,
    echo,
    playback,
    registry,
    segmentations,
    sessions,
    twins,
    universal,
)
from interactions import text as texts
from interactions.models import Device, InboxItem, InteractionSession, Utterance
from interactions.reports import Report, Surroundings, screen


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who owns a report, or why nobody does."""

    disposition: str
    reason: str = ""
    session: InteractionSession | None = None
    twin: Utterance | None = None
    opening: activation.Activation | None = None
    doubtful: bool = False  # it may be our own voice
    follow_up: bool = False  # it needs no wake word: it follows an answer, or the wake that announced it
    missed: texts.Tokens | None = None  # the phrase that a wake command just missed
    held: timedelta = timedelta()  # so long its work waits: another device may have heard it better
    over: Utterance | None = None  # what another device reported of the same wake, which this report takes over
    found: twins.Twin | None = None  # what ``twin`` is to it
    said: str | None = None  # what of its words goes to the session, where that is not all of them
    instead_of: Utterance | None = None  # what another device made of the same words, before it was known that a mode has them
    why: str = ""  # the device that does not have the wake is told so


def decide(device: Device, report: Report, *, at: datetime) -> Verdict:
    """The owner of a report, once and for all; the device and its person are locked."""
    config = configuration.current()
    assert device.owner is not None
    around = Surroundings(segmentations.of(device), tuple(device.owner.person.speakers), tuple(config.host.assistant.names))
    refused = screen(report, around)
    if refused is not None:
        stranger = refused[1] == twins.FOREIGN
        return _as_twin(Verdict(*refused), twins.find(device, report, at=at, foreign=True) if stranger else None)
    session = sessions.active(device.owner.pk, device.client_id)
    if session is not None and _came_too_late(device, report, session):
        return Verdict("late", "order", session)
    twin = twins.find(device, report, at=at)
    if twin is not None and session is None and arbitration.contests(device, report, twin.of):
        twin = None
    if twin is not None and twin.reason != twins.ASIDE:
        return _as_twin(_again(report, twin, session), twin)
    aside = twin.of if twin is not None else None
    own = own_voice(device, report, session, at=at)
    if own is echo.Kind.OWN:
        return Verdict("echo", "echo", session)
    doubtful = own is echo.Kind.DOUBTFUL
    if session is not None:
        return Verdict("accepted", "mode", session, doubtful=doubtful, instead_of=aside)
    announced = attention.is_announced(device, report, at=at)
    follow_up = announced or attention.follows(device, report, at=at)
    if universal.word(report.text, None, config.host.assistant.names) == universal.STOP:
        ours = playback.to_be_stopped(device, report, at=at)
        return Verdict("accepted", "stop" if ours else "chain", follow_up=follow_up)
    elsewhere = arbitration.words_of_another(device, report, at=at)
    if elsewhere is not None:
        return Verdict("duplicate", "other_device", elsewhere.session, twin=elsewhere)
    woken = report.is_acoustic or announced
    opening = _opening(report, woken=woken)
    if opening is not None:
        return Verdict("accepted", "activation", opening=opening, instead_of=aside)
    names, phrases = config.host.assistant.names, registry.activations()
    missed = activation.nearly(report.text, phrases, names, slack=activation.SLACK) if woken else None
    if missed is not None:
        return Verdict("accepted", "near_activation", missed=missed)
    return Verdict("accepted", "chain", follow_up=follow_up)


def _again(report: Report, twin: twins.Twin, session: InteractionSession | None) -> Verdict:
    """What was reported before has its owner, unless only now it can be heard that it opens a mode."""
    if twin.reason == twins.FOREIGN:
        return Verdict("recorded", "speaker")
    if twin.reason == arbitration.REASON:
        return Verdict("duplicate", "other_device", twin.of.session)
    if twin.of.session_id is None and session is None:
        opening = _opening(report, woken=report.is_acoustic or twin.of.source == "wake")
        if opening is not None:
            return Verdict("accepted", "activation", opening=opening)
    return Verdict("duplicate", "twin", twin.of.session)


def _as_twin(verdict: Verdict, twin: twins.Twin | None) -> Verdict:
    return replace(verdict, twin=twin.of, found=twin) if twin is not None else verdict


def _opening(report: Report, *, woken: bool) -> activation.Activation | None:
    # A wake proves that we were addressed, so the phrase may hold a slip of the recogniser: opening spends nothing.
    names, slack = configuration.current().host.assistant.names, activation.SLACK if woken else 0
    opening = activation.find(report.text, registry.activations(), names, slack=slack)
    return opening if opening is not None and registry.accepting(opening.key) else None


def said(report: Report, text: str) -> Report:
    """The report as if only these of its words, the last ones, had been heard."""
    return replace(report, text=text, start_ms=None, end_ms=None)


def own_voice(device: Device, report: Report, session: InteractionSession | None, *, at: datetime) -> echo.Kind:
    if not report.is_speech or device.delivered_upto is None:
        return echo.Kind.SPEECH
    sound = echo.sound(report, at=at)
    mode = registry.modes().get(session.mode) if session is not None else None
    effects = mode.effects.values() if mode is not None else ()
    releasing = frozenset(texts.tokens(phrase) for effect in effects for phrase in effect.phrases)
    played = playback.lately(device, report, sound)
    return echo.judge(sound, played, configuration.current().host.assistant.names, alike=releasing)


def _came_too_late(device: Device, report: Report, session: InteractionSession) -> bool:
    """A lower number that comes after a higher one was handled must not undo it."""
    if report.seq is None or report.capture_epoch != device.posted_epoch or report.seq > device.posted_seq:
        return False
    return (
        InboxItem.objects.filter(
            session=session,
            utterance__device=device,
            utterance__capture_epoch=report.capture_epoch,
            utterance__seq__gt=report.seq,
        )
        .exclude(status=InboxItem.Status.WAITING)
        .exists()
    )
