"""What became of one utterance, from its rows, on one screen: heard, decided and why, handled, called, answered, in what time.

``story`` fetches; ``lines`` is pure. No payload, result or link is shown, and what people said stands on its line without
control characters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Q
from django.utils import timezone

from interactions import text, verdicts
from interactions.models import ChainRun, Checkpoint, DeviceEvent, InboxItem, Utterance

WIDTH, MOST = 110, 60  # of a screen
LABEL = 11
SHARE = {
    "twins": 4,
    "goes on": 4,
    "turns": 5,
    "effects": 10,
    "asked": 10,
    "told": 12,
}  # how many lines of each kind fit together
MARKS = {  # of the details, what acceptance itself noted
    "doubtful": "perhaps our own voice, so it spends nothing",
    "held_ms": "held for a better device",
    "took_over": "heard better here",
    "follow_up": "soon after an answer or a wake, so it needs no wake word of its own",
}
ANSWERED_WITHIN = timedelta(days=1)  # where its replies are looked for

Shown = TypeVar("Shown")


class NoSuchUtteranceError(LookupError):
    """No utterance of that id."""


@dataclass(frozen=True, slots=True)
class Story:
    """One utterance with all the rows that tell of it."""

    utterance: Utterance
    twins: Sequence[Utterance] = ()
    turns: Sequence[InboxItem] = ()
    effects: Sequence[Checkpoint] = ()
    run: ChainRun | None = None
    told: Sequence[DeviceEvent] = ()


def story(utterance_id: int) -> Story:
    """Raises NoSuchUtteranceError."""
    related = ("owner", "device", "collector", "session", "alias_of")
    utterance = Utterance.objects.select_related(*related).filter(pk=utterance_id).first()
    if utterance is None:
        raise NoSuchUtteranceError(f"No utterance {utterance_id}; the admin and the feed list them.")
    turned = utterance.alias_of if utterance.alias_of is not None and _goes_on(utterance) else utterance  # whose turn it was
    since = utterance.received_at
    answers = DeviceEvent.objects.filter(
        device__owner=utterance.owner_id,
        created_at__range=(since - ANSWERED_WITHIN, since + ANSWERED_WITHIN),  # the clock may have been set back
        payload__answers=turned.pk,
    )
    return Story(
        utterance,
        twins=list(utterance.aliases.order_by("pk")),
        turns=list(turned.items.select_related("session").order_by("pk")),
        effects=list(Checkpoint.objects.filter(Q(answers=turned.pk) | Q(consent=turned)).order_by("pk")),
        run=ChainRun.objects.filter(utterance=utterance).first(),
        told=list(answers.select_related("device").order_by("pk")),
    )


def lines(found: Story) -> list[str]:
    """At most one screen of it."""
    shown = [
        *_heard(found.utterance),
        *_decided(found.utterance),
        *_section("twins", [one for one in found.twins if not _goes_on(one)], _twin),
        *_section("goes on", [one for one in found.twins if _goes_on(one)], _twin),
        *_section("turns", found.turns, _turn),
        *_phases(found),
        *_section("effects", found.effects, lambda one: _effect(one, found.utterance)),
        *_chain(found.run),
        *_section("told", found.told, lambda one: _reply(one, found.utterance)),
        *_total(found),
    ]
    return [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in shown]


# ---- what was heard, and what was decided -----------------------------------------------------------------------------------


def _heard(one: Utterance) -> Iterator[str]:
    where = one.device or one.collector
    yield f"utterance {one.pk} of {_plain(one.owner)}, {_plain(where or 'nowhere')}, {_when(one.received_at)}"
    words = "its words were taken out" if one.redacted_at else _quoted(one.text)
    yield _line("heard", words)
    kind = [one.source, "" if one.ingest == one.source else one.ingest, _plain(one.segmentation) or "segmentation not named"]
    kind.append("final" if one.final else "not final")
    yield _line("", ", ".join(filter(None, kind)))
    yield _line("", ", ".join(_times(one)))
    more = [f"{name} {_plain(one.details[name])}" for name in ("speaker", "lang", "confidence") if name in one.details]
    wake = one.details.get("wake")
    if isinstance(wake, dict):
        more.append(f"wake {_quoted(str(wake.get('word', '')))} {wake.get('score', 'without a score')}")
    more += [meaning for name, meaning in MARKS.items() if one.details.get(name)]
    if more:
        yield _line("", ", ".join(more))


def _times(one: Utterance) -> Iterator[str]:
    if one.captured_at is not None:
        yield f"spoken {_when(one.captured_at)}"
        return
    yield f"spoken {one.spoken_age_ms / 1000:.1f} s before it came"
    if one.start_ms is not None:
        yield f"from {one.start_ms} to {one.end_ms} ms of {_plain(one.capture_epoch or one.audio_session_id or 'its device')}"
    if one.seq is not None:
        yield f"number {one.seq}"


def _decided(one: Utterance) -> Iterator[str]:
    yield _line(one.disposition, verdicts.meaning(one.disposition, one.reason))
    if one.alias_of is not None:
        label = "continues" if _goes_on(one) else "twin of"
        yield _line(label, f"utterance {one.alias_of.pk} ({one.alias_of.disposition}) {_quoted(one.alias_of.text)}")
    if one.session is not None:
        state = one.session.end_reason and f"ended: {one.session.end_reason}"
        yield _line("session", f"{one.session.pk} of mode {one.session.mode}, {state or f'now in {one.session.phase}'}")


def _goes_on(one: Utterance) -> bool:
    return one.reason == verdicts.CONTINUES


def _twin(one: Utterance) -> str:
    return f"utterance {one.pk} by {one.source}, {one.disposition} as {one.reason}: {_quoted(one.text)}"


# ---- what it led to ---------------------------------------------------------------------------------------------------------


def _turn(item: InboxItem) -> str:
    done = f"{item.status} after {_ms(item.created_at, item.done_at)}" if item.done_at else f"{item.status}, not handled yet"
    tries = f", {item.attempts} attempts" if item.attempts > 1 else ""
    note = f"; decided: {_plain(item.note)}" if item.note else ""
    return f"{item.kind}, item {item.sequence} of session {item.session_id}: {done}{tries}{note}"


def _phases(found: Story) -> Iterator[str]:
    """Where the session stood when it was handled, and where it went."""
    phases = [item.data.get("phase") for item in found.turns] + [event.payload.get("phase") for event in found.told]
    way = [phase for phase, _ in itertools.groupby(filter(None, phases))]
    if way:
        yield _line("phases", " -> ".join(way))


def _effect(one: Checkpoint, utterance: Utterance) -> str:
    spent = ", agreed to by this utterance" if one.consent_id == utterance.pk else ""
    if one.state == Checkpoint.State.STAGED:
        return f"{one.effect} ({one.policy}{spent}): not begun"
    if one.settled_at is None:
        return f"{one.effect} ({one.policy}{spent}): begun {_ms(one.created_at, one.started_at)} after it was asked for"
    why = one.result.get("code") or one.result.get("reason") if one.outcome in ("refused", "failed", "unknown") else None
    took = f"in {_ms(one.started_at, one.settled_at)}" if one.started_at else ""
    tries = f", {one.attempts} attempts" if one.attempts > 1 else ""
    return f"{one.effect} ({one.policy}{spent}): {one.outcome}{f' ({_plain(str(why))})' if why else ''} {took}{tries}"


def _chain(run: ChainRun | None) -> Iterator[str]:
    if run is None:
        return
    by = f", answered by {run.answered_by}" if run.answered_by else ", nobody answered" if run.done_at else ""
    waited = f", taken up after {_ms(run.created_at, run.claimed_at)}" if run.claimed_at else ""
    yield _line("chain", f"{run.status}{waited}{by}")
    yield from _section("asked", run.trace, lambda entry: _asked(dict(entry)))


def _asked(entry: dict[str, object]) -> str:
    took = f" in {entry['ms']} ms" if "ms" in entry else ""
    return f"{_plain(str(entry.get('plugin', '?')))}: {_plain(str(entry.get('outcome', '?'))).replace('_', ' ')}{took}"


def _reply(event: DeviceEvent, utterance: Utterance) -> str:
    said = event.payload.get("text")
    what = _quoted(str(said)) if said else event.kind
    reason = event.payload.get("reason")
    way = [f"as {_plain(reason)}"] if reason else []
    way.append(f"after {_ms(utterance.received_at, event.created_at)}")
    way.append(f"delivered {_ms(event.created_at, event.delivered_at)} later" if event.delivered_at else "not delivered")
    if event.playback:
        ended = event.play_ended_at or event.play_started_at
        way.append(f"{event.playback} {_ms(event.created_at, ended)} later" if ended else event.playback)
    if event.device_id != utterance.device_id:
        way.append(f"at {_plain(event.device)}")
    return f"{event.pk} {', '.join(way)}: {what}"


def _total(found: Story) -> Iterator[str]:
    spoken = [one for one in found.told if one.payload.get("text")]
    if spoken:
        first = _ms(found.utterance.received_at, spoken[0].created_at)
        yield _line(
            "total", f"{first} to the first words, {_ms(found.utterance.received_at, found.told[-1].created_at)} to the last"
        )


# ---- how it is written ------------------------------------------------------------------------------------------------------


def _section(name: str, rows: Sequence[Shown], line: Callable[[Shown], str]) -> Iterator[str]:
    for place, row in enumerate(rows[: SHARE[name]]):
        yield _line("" if place else name, line(row))
    if (left := len(rows) - SHARE[name]) > 0:
        yield _line("", f"and {left} more; the admin shows them")


def _line(label: str, rest: str) -> str:
    return f"{label:<{LABEL}}{rest}".rstrip()


def _plain(value: object) -> str:
    return text.visible(str(value))


def _quoted(said: str) -> str:
    return f'"{text.visible(said)}"'


def _when(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M:%S %Z")


def _ms(since: datetime | None, until: datetime | None) -> str:
    if since is None or until is None:
        return "an unknown time"
    seconds = (until - since).total_seconds()
    return f"{seconds * 1000:.0f} ms" if abs(seconds) < 1 else f"{seconds:.2f} s"
