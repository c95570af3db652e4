"""What a device is told: one row per event, numbered without gaps, written with the change that caused it.

``write`` is the only writer and ``since`` the only reader, for the stream and for plain polling alike. After the commit
a nudge wakes whoever holds the device's stream open; it carries a number and no words, and losing it costs seconds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any

from django.conf import settings
from django.db import connection, connections, transaction
from django.utils import timezone
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from interactions.models import Device, DeviceEvent

log = logging.getLogger(__name__)

NUDGES = "chronicle.nudges"  # the pub/sub channel; a message is "<device id>"
NUDGE_S = 0.15  # to connect, and again to send: together within 0.3 s
BREAKER_S = 2.0  # after a failure nobody tries for so long; the poll under the streams delivers meanwhile

# What means nothing once its moment is over. Such an event is dropped when late; any other late prompt is told as past.
FLEETING: Mapping[str, timedelta | None] = {
    "device.cue": timedelta(seconds=5),
    "wake.heard": timedelta(seconds=10),
    "speech.stop": timedelta(seconds=10),
    "interaction.updated": None,  # only where the writer gave it an end
}


@dataclass(frozen=True, slots=True)
class Draft:
    """One event before it has a number. ``cause`` and ``ordinal`` name it once and for all."""

    kind: str
    cause: str
    ordinal: int
    payload: Mapping[str, Any]
    at: datetime
    session_id: int | None = None
    key: str = ""
    speak: bool = True
    est_ms: int = 0
    expires_at: datetime | None = None


def write(device_id: int, drafts: Sequence[Draft], *, answers: int | None = None) -> list[DeviceEvent]:
    """Number and store events in their order, and nudge after the commit. Needs a transaction; two statements for any number.

    The UPDATE that takes the numbers locks the device row until the commit, so commit order is number order; it comes before
    any session is locked. What answers an utterance from before a ``stop`` is stored, and not spoken.
    """
    last, silenced_upto = _number(device_id, len(drafts))
    if not drafts:
        return []
    silenced = answers is not None and answers < silenced_upto
    rows = []
    for seq, draft in enumerate(drafts, start=last - len(drafts) + 1):
        lifetime = FLEETING.get(draft.kind)
        ends = draft.at + lifetime if draft.expires_at is None and lifetime is not None else draft.expires_at
        rows.append(
            DeviceEvent(
                device_id=device_id,
                seq=seq,
                kind=draft.kind,
                cause=draft.cause,
                ordinal=draft.ordinal,
                session_id=draft.session_id,
                key=draft.key,
                payload={**draft.payload, "seq": seq, "at": draft.at.isoformat()},
                speak=draft.speak and not silenced,
                est_ms=draft.est_ms,
                expires_at=ends,
                created_at=draft.at,
            )
        )
    stored = DeviceEvent.objects.bulk_create(rows)
    _nudge_after_commit(device_id)
    return stored


def emit(device_id: int, **draft: Any) -> DeviceEvent:
    """One event; the arguments of a Draft."""
    return write(device_id, [Draft(**draft)])[0]


def hold(device_id: int) -> None:
    """Lock the device's numbering until the commit, without taking a number."""
    _number(device_id, 0)


def _number(device_id: int, count: int) -> tuple[int, int]:
    """Take the next ``count`` numbers; the last of them, and up to which utterance the device was told to be silent."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("An event belongs to the change that caused it: open a transaction first.")
    table = connection.ops.quote_name(Device._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET event_seq = event_seq + %s WHERE id = %s RETURNING event_seq, silenced_upto",
            [count, device_id],
        )
        row = cursor.fetchone()
    if row is None:
        raise Device.DoesNotExist(f"No device {device_id} to tell anything.")
    return int(row[0]), int(row[1])


# ---- reading: the same rows in the same order for everybody ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Batch:
    """What lies after a cursor. ``reset``: the cursor names nothing we can continue from; start again at ``current``."""

    events: tuple[DeviceEvent, ...]
    cursor: int
    more: bool = False
    reset: bool = False


def since(device_id: int, after: int, *, limit: int, now: datetime | None = None) -> Batch:
    """The events after a cursor, dropped where their moment is over, marked as delivered now."""
    now = now or timezone.now()
    rows = _rows(device_id, after, limit)
    if not rows:
        current, recovered = Device.objects.values_list("event_seq", "recovered_seq").get(pk=device_id)
        if current > after:  # committed between the two statements, or trimmed long ago
            rows = _rows(device_id, after, limit)
        if not rows:
            if current < after and recovered is not None:  # it heard of a moment that the database has lost
                current = min(current, recovered)
            return Batch((), current, reset=True) if current != after else Batch((), after)
    if rows[0].seq != after + 1:  # numbers have no gaps: what is missing was trimmed
        return Batch((), current_seq(device_id), reset=True)
    wanted = [event for event in rows if not (event.kind in FLEETING and is_past(event, now))]
    fresh = [event.pk for event in wanted if event.delivered_at is None]
    if fresh:
        DeviceEvent.objects.filter(pk__in=fresh, delivered_at=None).update(delivered_at=now)
    return Batch(tuple(wanted), rows[-1].seq, more=len(rows) == limit)


def _rows(device_id: int, after: int, limit: int) -> list[DeviceEvent]:
    return list(DeviceEvent.objects.filter(device_id=device_id, seq__gt=after).order_by("seq")[:limit])


def current_seq(device_id: int) -> int:
    """The number of the device's latest event: the cursor of someone who wants only what comes next."""
    return Device.objects.values_list("event_seq", flat=True).get(pk=device_id)


def release_connections() -> None:
    """Give this thread's database connections back: whoever waits for events must not hold one."""
    for one in connections.all(initialized_only=True):
        if not one.in_atomic_block:
            one.close()
            del connections[one.alias]  # the closed wrapper is a tenth of what an idle stream weighs


def is_past(event: DeviceEvent, now: datetime) -> bool:
    return event.expires_at is not None and event.expires_at <= now


def render(event: DeviceEvent, *, now: datetime | None = None) -> dict[str, Any]:
    """The event as the wire carries it. A prompt whose time is over is told as past: shown, not spoken, not listened for."""
    data = {
        "lang": "en",
        **event.payload,
        "reply_id": event.pk,
        "prompt": event.pk if event.key else event.payload.get("prompt"),
        "session_id": event.session_id,
        "seq": event.seq,
        "speak": event.speak,
        "est_ms": event.est_ms,
        "expires_at": event.expires_at.isoformat() if event.expires_at else None,
    }
    if is_past(event, now or timezone.now()):
        data |= {"past": True, "speak": False, "expects_reply": False, "listen_ms": 0}
    return data


# ---- the nudge ------------------------------------------------------------------------------------------------------------

_broken_until = 0.0


def nudge(device_id: int) -> None:
    """Say that a device has something new. Never raises and never takes long: the rows are the truth."""
    global _broken_until
    if time.monotonic() < _broken_until:
        return
    try:
        _client().publish(NUDGES, str(device_id))
    except (RedisError, OSError) as error:
        _broken_until = time.monotonic() + BREAKER_S
        log.warning("nudges pause for %s s: %s", BREAKER_S, type(error).__name__)


def _nudge_after_commit(device_id: int) -> None:
    # Several events of one transaction need one nudge: each costs every open stream of the device two statements.
    waiting = (entry[1] for entry in connection.run_on_commit)
    if not any(isinstance(call, partial) and call.func is nudge and call.args == (device_id,) for call in waiting):
        transaction.on_commit(partial(nudge, device_id), robust=True)


@cache
def _client() -> Redis:
    bounds = {"socket_timeout": NUDGE_S, "socket_connect_timeout": NUDGE_S, "retry": Retry(NoBackoff(), 0)}
    return Redis(**(settings.EVENTSTREAM_REDIS | bounds))
