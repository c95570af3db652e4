"""A report of something heard, as a device sends it, and the first question about it: can it reach anyone at all?

``screen`` is a table of reasons in their order; it is pure, so that what it lets through can be read on one screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interactions import text as texts
from interactions.configuration import Segmentation

LONGEST_MS = 86_400_000  # of an interval; a device may report any number, and no clock holds every one
LATE_MS = 30_000  # a turn that reaches us later than this after its capture changes nothing


@dataclass(frozen=True, slots=True)
class Report:
    """The body and headers of POST /utterances. Times are milliseconds by the device's own count."""

    text: str
    source: str = "stream"  # stream, wake, typed, tap
    final: bool = True
    segmentation: str | None = None
    ingest: str = "live"
    audio_session_id: str = ""
    capture_epoch: str = ""
    start_ms: int | None = None
    end_ms: int | None = None
    wake: Mapping[str, Any] | None = None
    has_speech: bool | None = None
    speaker: str | None = None
    confidence: float | None = None
    alternatives: tuple[str, ...] = field(default_factory=tuple)
    lang: str | None = None
    in_reply_to: int | None = None
    heard_upto: int | None = None
    playback: Mapping[str, Any] | None = None
    seq: int | None = None
    spoken_age_ms: int = 0

    @property
    def is_speech(self) -> bool:
        return self.source in ("stream", "wake")

    @property
    def is_acoustic(self) -> bool:
        """Whether a wake detection vouches that this was meant for us."""
        return self.source == "wake"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the deployment and the owner decide about this device."""

    segmentation: Segmentation
    speakers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # the assistant's


def is_a_call(said: str, names: Sequence[str]) -> bool:
    """Whether nothing was said, or nothing but a name of the assistant."""
    words = texts.tokens(said)
    while words and (rest := texts.strip_name(words, names)) != words:
        words = rest
    return not words


Rule = tuple[str, str, Callable[[Report, Surroundings], bool]]

# disposition, reason, when it applies: the first that does wins; none means the report may be routed
RULES: tuple[Rule, ...] = (
    ("ignored", "interim", lambda report, _: not report.final),
    ("recorded", "ingest", lambda report, _: report.ingest != "live"),
    ("ignored", "no_speech", lambda report, _: report.has_speech is False),
    (
        "recorded",
        "segmentation",
        lambda report, around: report.is_speech and report.segmentation not in (None, around.segmentation.name),
    ),
    ("recorded", "announcement", lambda report, around: report.is_acoustic and is_a_call(report.text, around.names)),
    ("ignored", "empty", lambda report, _: not texts.tokens(report.text)),
    ("ignored", "invented", lambda report, _: report.is_speech and texts.is_invented(report.text)),
    (
        "recorded",
        "window",
        lambda report, around: report.source == "stream" and not around.segmentation.open_turns,
    ),
    ("late", "age", lambda report, _: report.spoken_age_ms > LATE_MS),
    (
        "recorded",
        "speaker",
        lambda report, around: bool(around.speakers and report.speaker and report.speaker not in around.speakers),
    ),
)


def screen(report: Report, around: Surroundings) -> tuple[str, str] | None:
    """(disposition, reason) of a report that reaches nobody; None for one that may be routed."""
    for disposition, reason, applies in RULES:
        if applies(report, around):
            return disposition, reason
    return None
