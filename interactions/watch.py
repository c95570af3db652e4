"""Who holds a stream open in this process, and what wakes them: a nudge at once, a poll in any case. The poll also writes down
who is there, for the other processes.

The listener never ends: an outage of Redis costs nothing but time, and at each new subscription everybody looks again. The
poll is one query for all open devices; it also closes the streams of whoever may not read any more.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from asgiref.sync import sync_to_async
from django.conf import settings
from redis import RedisError
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from interactions import clock, events, presence
from interactions.models import Device

log = logging.getLogger(__name__)

POLL_S = 3.0
LISTEN_S = 10.0  # a silent Redis connection is asked whether it lives
RETRY_S = (0.1, 2.0)

_numbers = itertools.count(1)


@dataclass(eq=False)
class Reader:
    """Whoever holds one stream open. ``stamp`` is what must stay as it was; ``until``: so long it is written down as there;
    ``pk`` names the reader to the package.
    """

    device_id: int
    stamp: tuple[object, ...]
    until: datetime
    shut: bool = False
    is_authenticated: bool = True
    pk: int = field(default_factory=lambda: next(_numbers))

    @property
    def channel(self) -> str:
        return channel_of(self.device_id)


def reader_of(device: Device, *, until: datetime) -> Reader:
    return Reader(device.pk, (device.token_hash, device.owner_id, device.revoked_at), until)


def channel_of(device_id: int) -> str:
    return f"device-{device_id}"


def device_id_of(channel: str) -> int:
    return int(channel.removeprefix("device-"))


class Watch:
    """One per process. Every reader of a channel is woken by a nudge, by a new subscription, and by the poll."""

    def __init__(self, *, wake: Callable[[str], None], kick: Callable[[Reader], None]) -> None:
        self._wake = wake
        self._kick = kick
        self._readers: dict[str, set[Reader]] = {}
        self._seen: dict[str, object] = {}
        self._until: dict[int, datetime] = {}  # what is written down of each device
        self._left: dict[int, datetime] = {}  # and of those that went since the last poll
        self._renewed = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []  # asyncio keeps no strong reference to a task

    def join(self, reader: Reader) -> None:
        self._readers.setdefault(reader.channel, set()).add(reader)
        self._until[reader.device_id] = max(reader.until, self._until.get(reader.device_id, reader.until))
        self._left.pop(reader.device_id, None)
        loop = asyncio.get_running_loop()
        if loop is not self._loop or any(task.done() for task in self._tasks):
            self._loop = loop
            self._tasks = [loop.create_task(self._listen()), loop.create_task(self._poll())]

    def leave(self, reader: Reader) -> None:
        readers = self._readers.get(reader.channel, set())
        readers.discard(reader)
        if not readers:
            self._readers.pop(reader.channel, None)
            self._seen.pop(reader.channel, None)
            if (until := self._until.pop(reader.device_id, None)) is not None:
                self._left[reader.device_id] = until

    async def _listen(self) -> None:
        wait = RETRY_S[0]
        while True:
            client = Redis(**(settings.EVENTSTREAM_REDIS | {"retry": Retry(NoBackoff(), 0)}))
            try:
                async with client, client.pubsub() as pubsub:
                    await pubsub.subscribe(events.NUDGES)
                    asked = False
                    while True:
                        message = await pubsub.get_message(timeout=LISTEN_S)
                        if message is None and asked:
                            raise TimeoutError("Redis is silent")
                        asked = message is None
                        if message is None:
                            await pubsub.ping()
                        elif message["type"] == "subscribe":
                            wait = RETRY_S[0]
                            for channel in list(self._readers):  # whatever happened while nobody listened
                                self._wake(channel)
                        elif message["type"] == "message":
                            self._wake(channel_of(int(message["data"])))
            except (RedisError, OSError, TimeoutError) as error:
                if wait == RETRY_S[0]:
                    log.warning("no nudges for now, the poll delivers: %s", type(error).__name__)
            await asyncio.sleep(wait)
            wait = min(wait * 2, RETRY_S[1])

    async def _poll(self) -> None:
        look = sync_to_async(_look, thread_sensitive=False)
        while True:
            await asyncio.sleep(POLL_S)
            await self._write_down()
            if not self._readers:
                continue
            asked = {channel: tuple(readers) for channel, readers in self._readers.items()}  # others may join meanwhile
            try:
                rows = await look([device_id_of(channel) for channel in asked])
            except Exception:  # a task's edge: the streams outlive their database
                log.exception("the poll under the streams failed; again in %s s", POLL_S)
                continue
            for channel, readers in asked.items():
                seq, *stamp = rows.get(device_id_of(channel), (None,))
                for reader in readers:
                    if tuple(stamp) != reader.stamp and not reader.shut:
                        reader.shut = True
                        self._kick(reader)
                if channel in self._readers and self._seen.get(channel) != seq:
                    self._seen[channel] = seq
                    self._wake(channel)

    async def _write_down(self) -> None:
        """Who is still there, and who went; all of it in one go, now and then."""
        loop = asyncio.get_running_loop()
        left, self._left = self._left, {}
        there = list(self._until) if loop.time() - self._renewed >= presence.RENEWED_S else []
        if not (left or there):
            return
        try:
            until = await sync_to_async(_write, thread_sensitive=False)(there, left)
        except Exception:  # a task's edge, as below; what is written down is over by itself
            log.exception("who is there could not be written down; again in %s s", POLL_S)
            return
        if there:
            self._renewed = loop.time()
        self._until |= {device: until for device in there if device in self._until}


def _write(there: Iterable[int], left: Mapping[int, datetime]) -> datetime:
    try:
        presence.left(left)
        return presence.stays(there) if there else clock.now()
    finally:
        events.release_connections()


def _look(device_ids: list[int]) -> dict[int, tuple[object, ...]]:
    try:
        rows = Device.objects.filter(pk__in=device_ids).values_list("pk", "event_seq", "token_hash", "owner_id", "revoked_at")
        return {row[0]: row[1:] for row in rows}
    finally:
        events.release_connections()
