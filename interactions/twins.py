"""One second of sound, reported twice: which earlier utterance a report is a twin of.

By audio interval where both carry one within one capture epoch, else by near-equal text of another source within the window.
Asked inside the accepting transaction, under the person's lock, so two reports of one moment cannot both be first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from interactions import configuration, sameness, text, verdicts
from interactions.models import Device, Utterance
from interactions.reports import Report

OVERLAP = 0.6  # of the shorter interval
SET_BACK = timedelta(seconds=30)  # a correction of the server's clock that hides no twin


def overlap(a_start: int, a_end: int, b_start: int, b_end: int) -> float:
    """How much of the shorter interval both share, 0 to 1."""
    shorter = min(a_end - a_start, b_end - b_start)
    shared = min(a_end, b_end) - max(a_start, b_start)
    return max(0.0, shared / shorter) if shorter > 0 else 0.0


def find(device: Device, report: Report, *, at: datetime) -> Utterance | None:
    """The accepted utterance that this report repeats, or None."""
    config = configuration.current().host
    window = config.limits.dedupe_window_s
    captured = at - timedelta(milliseconds=report.spoken_age_ms)
    interval = (report.start_ms, report.end_ms) if report.start_ms is not None and report.end_ms is not None else None
    if not (report.is_speech or interval):
        return None  # what was typed or tapped has no sound that another source could have heard
    recent = Utterance.objects.filter(
        device=device, disposition="accepted", received_at__gte=at - timedelta(seconds=window + 30)
    ).order_by("-pk")[:20]
    for place, earlier in enumerate(recent):
        if (
            interval is not None
            and earlier.start_ms is not None
            and earlier.end_ms is not None
            and earlier.capture_epoch == report.capture_epoch
        ):
            if overlap(*interval, earlier.start_ms, earlier.end_ms) >= OVERLAP:
                return earlier
            continue
        apart = abs(captured - (earlier.received_at - timedelta(milliseconds=earlier.spoken_age_ms)))
        if (
            place == 0 and at < earlier.received_at <= at + SET_BACK
        ):  # the last one comes from the future: the clock was set back
            apart = timedelta()
        speech = report.is_speech and earlier.source in ("stream", "wake")
        if (
            speech
            and earlier.source != report.source
            and apart <= timedelta(seconds=window)
            and any(
                sameness.near_equal(said, text.normalise(report.text), names=config.assistant.names)
                for said in _said(earlier, recent)
            )
        ):
            return earlier
    return None


def _said(one: Utterance, recent: Iterable[Utterance]) -> Iterator[str]:
    """What another source may have heard: the utterance, and where it goes on with others the whole sentence so far."""
    yield one.normal
    if one.reason == verdicts.CONTINUES:
        pieces = (piece for piece in recent if piece.pk <= one.pk and one.alias_of_id in (piece.pk, piece.alias_of_id))
        yield " ".join(piece.normal for piece in sorted(pieces, key=lambda piece: piece.pk))
