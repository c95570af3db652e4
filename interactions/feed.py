"""The evidence feed: every utterance in one order that never changes, for whoever reconciles it with Conversations later.

An id is taken before its row is committed, so by ids a reader would pass over what commits late. A row gets its place when
somebody reads, from what is committed then and under one lock: a place is visible no later than any higher one. A place is the
microsecond of its numbering, or the next one that is free; so none is given twice, even where the last rows are deleted or the
database was restored to an older moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction

from interactions import clock
from interactions.models import Heartbeat, Utterance
from interactions.reports import LONGEST_MS

PAGE = 500
BATCH = 1000  # rows numbered at once; readers wait for each other meanwhile
LOCK = "feed"  # the heartbeat whose row is the lock, and whose time is the last place
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TOLD = ("speaker", "lang", "confidence")  # of the details, as they were reported


@dataclass(frozen=True, slots=True)
class Page:
    """Some utterances in the order of their places; ``cursor`` is where the next page begins."""

    utterances: tuple[Utterance, ...]
    cursor: int
    more: bool


def page(after: int, *, limit: int = PAGE) -> Page:
    """The utterances after a place. Read again from ``cursor``, and none is missed and none comes twice."""
    found = _after(after, limit)
    if len(found) < limit and Utterance.objects.filter(place=None).exists():
        _number()
        found = _after(after, limit)
    return Page(tuple(found), found[-1].place or after if found else after, more=len(found) == limit)


def row(utterance: Utterance) -> dict[str, Any]:
    """One utterance as the wire carries it: only what was decided when it was accepted, so that it reads the same for ever."""
    started, ended = _captured(utterance)
    return {
        "id": utterance.pk,
        "place": utterance.place,
        "person": utterance.owner.get_username(),
        "device": utterance.device.client_id if utterance.device else None,
        "collector": utterance.collector.client_id if utterance.collector else None,
        "item": utterance.key if utterance.collector else None,
        "text": utterance.text,
        "redacted": utterance.redacted_at is not None,
        "source": utterance.source,
        "ingest": utterance.ingest,
        "segmentation": utterance.segmentation,
        "final": utterance.final,
        "audio_session_id": utterance.audio_session_id,
        "capture_epoch": utterance.capture_epoch,
        "start_ms": utterance.start_ms,
        "end_ms": utterance.end_ms,
        **{name: utterance.details.get(name) for name in TOLD},
        "captured_at": started,
        "captured_until": ended,
        "received_at": utterance.received_at,
        "disposition": utterance.disposition,
        "reason": utterance.reason,
        "owner": _owner(utterance),
        "alias_of": utterance.alias_of_id,
    }


def _owner(utterance: Utterance) -> dict[str, Any]:
    """Who took it. From the stored answer, because a session's row may be gone one day; its mode is told while it is there."""
    session = utterance.answer.get("session")
    if utterance.disposition != "accepted":
        kind, session = "nobody", None
    elif session is not None:
        kind = "mode"
    else:
        kind = "chain" if utterance.reason == "chain" else "nobody"
    return {"kind": kind, "session": session, "mode": utterance.session.mode if session and utterance.session else None}


def _captured(utterance: Utterance) -> tuple[datetime, datetime]:
    if utterance.captured_at is not None:
        return utterance.captured_at, utterance.captured_until or utterance.captured_at
    ended = utterance.received_at - timedelta(milliseconds=utterance.spoken_age_ms)
    lasted = min((utterance.end_ms or 0) - (utterance.start_ms or 0), LONGEST_MS)
    return ended - timedelta(milliseconds=lasted), ended


# ---- places ---------------------------------------------------------------------------------------------------------------


def _after(place: int, limit: int) -> list[Utterance]:
    rows = Utterance.objects.filter(place__gt=place).select_related("owner", "device", "collector", "session")
    return list(rows.order_by("place")[:limit])


def _number() -> None:
    """Give the next places, by id, to what is committed and has none."""
    with transaction.atomic():
        Heartbeat.objects.bulk_create([Heartbeat(name=LOCK, at=EPOCH)], ignore_conflicts=True)
        Heartbeat.objects.filter(name=LOCK).update(name=LOCK)  # the lock
        before = Heartbeat.objects.get(name=LOCK).at
        places = _place(_microseconds(max(clock.now(), before + timedelta(microseconds=1))))
        if places:
            Heartbeat.objects.filter(name=LOCK).update(at=EPOCH + timedelta(microseconds=max(places)))


def _place(first: int) -> list[int]:
    """Number from ``first`` on; the places that were given. One statement, which looks after the lock was taken.

    A row that a redaction holds is numbered next time: to wait for it may be to wait crosswise, since it locks many.
    """
    table = connection.ops.quote_name(Utterance._meta.db_table)
    free = " FOR NO KEY UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    waiting = f"SELECT id FROM {table} WHERE place IS NULL ORDER BY id LIMIT {BATCH}{free}"
    numbered = f"SELECT id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS nth FROM ({waiting}) AS free"
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET place = %s + waiting.nth FROM ({numbered}) AS waiting"
            f" WHERE {table}.id = waiting.id RETURNING place",
            [first],
        )
        return [int(place) for (place,) in cursor.fetchall()]


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)
