"""What ``/status`` says: each part of the service green or red, with a sentence. It reads rows and pings; it repairs nothing.

The queues answer through heartbeats: every sweep asks each worker for one, so a worker that is alive but deaf turns red.
A plugin adds a line of its own with ``register``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from interactions import clock, queues
from interactions.models import Heartbeat

log = logging.getLogger(__name__)

BROKER_S = 0.3
QUIET_S = 15.0  # nobody is called deaf sooner, however often the sweep runs


@dataclass(frozen=True, slots=True)
class Light:
    """One line of the status: green or red, and why."""

    green: bool
    text: str


Look = Callable[[], Light]

_looks: dict[str, Look] = {}


def register(name: str, look: Look) -> None:
    """Have ``look()`` asked for one line whenever the status is read; it must be quick."""
    _looks[name] = look


def lights() -> dict[str, Light]:
    """Every part by name."""
    found = {"database": _database(), "broker": _broker()}
    if found["database"].green:  # else every other line would only say so again
        found |= dict(_heartbeats())
        found |= {name: _looked(name, look) for name, look in _looks.items()}
    return found


def _looked(name: str, look: Look) -> Light:
    try:
        return look()
    except Exception as error:  # the edge of a plugin: the other lines are shown all the same
        log.exception("status: the line of %s raised", name)
        return Light(False, f"cannot say how it does: {type(error).__name__}")


def note(name: str) -> None:
    """Something that only some process can reach answered now. Told by that one, and shown by whichever is asked."""
    at = clock.now()
    if not Heartbeat.objects.filter(name=name).update(at=at):
        Heartbeat.objects.get_or_create(name=name, defaults={"at": at})


def noted(name: str, *, otherwise: str) -> Light:
    """Green where that was lately, like a heartbeat; else red, with what to do."""
    at = Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()
    age = f"last answered {(clock.now() - at).total_seconds():.0f} s ago" if at else "never answered"
    green = at is not None and clock.now() - at <= _patience()
    return Light(green, age if green else f"{age}; {otherwise}")


def can_accept() -> bool:
    """Whether this process could store an utterance now."""
    return _database().green


def _database() -> Light:
    try:
        with transaction.atomic():  # takes the write lock on SQLite; a read-only PostgreSQL refuses the statement
            Heartbeat.objects.filter(name="").update(name="")
    except DatabaseError as error:
        return Light(False, f"not writable ({type(error).__name__}); check DATABASE_URL and the disk")
    return Light(True, f"{connection.vendor}, writable")


def _broker() -> Light:
    bounds = {"socket_timeout": BROKER_S, "socket_connect_timeout": BROKER_S, "retry": Retry(NoBackoff(), 0)}
    try:
        with Redis(**(settings.EVENTSTREAM_REDIS | bounds)) as client:
            client.ping()
    except (RedisError, OSError) as error:
        return Light(False, f"no answer ({type(error).__name__}); check REDIS_URL and the server")
    return Light(True, "answers")


def _patience() -> timedelta:
    return timedelta(seconds=max(QUIET_S, 4 * settings.CHRONICLE_SWEEP_S))


def _heartbeats() -> Iterator[tuple[str, Light]]:
    last = dict(Heartbeat.objects.values_list("name", "at"))
    yield "beat", _heartbeat("beat", last.get("beat"), "everything that waits")
    for queue, needed_by in queues.needed_by().items():
        yield f"queue {queue}", _heartbeat(f"worker on queue {queue}", last.get(queue), needed_by)


def _heartbeat(what: str, at: datetime | None, needed_by: str) -> Light:
    if not needed_by:
        return Light(True, f"{what}: nothing that is on needs one")
    age = f"last heard {(clock.now() - at).total_seconds():.0f} s ago" if at else "never heard"
    if at is not None and clock.now() - at <= _patience():
        return Light(True, f"{what}: {age}")
    return Light(False, f"{what}: {age}; {needed_by} wait for it; start it, or see its log")
