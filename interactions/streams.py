"""The open event streams of this process, served by django_eventstream's own view; the only file that imports it.

Its two public hooks are ours: the storage reads ``DeviceEvent`` rows, the channel manager lets a device read its own
channel. A watch wakes the readers, by nudge at once and by a poll in any case; a stream only ever reads rows, so a lost
nudge costs seconds and never an event.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.http import HttpRequest, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django_eventstream.channelmanager import ChannelManagerBase
from django_eventstream.event import Event
from django_eventstream.storage import EventDoesNotExist, StorageBase
from django_eventstream.views import events as package_view
from django_eventstream.views import get_listener_manager
from redis import RedisError
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from interactions import events
from interactions.models import Device

log = logging.getLogger(__name__)

get_listener_manager().redis_listener = None  # it dies for good when Redis is away for some seconds; the watch is ours

HEARTBEAT_S = 10.0  # a stream is never silent for 15 s
STREAM_S = 600.0  # then it ends, and the device shows its token again
POLL_S = 3.0
LISTEN_S = 10.0  # a silent Redis connection is asked whether it lives
RETRY_S = (0.1, 2.0)

_numbers = itertools.count(1)


@dataclass(eq=False)
class Reader:
    """Whoever holds one stream open. ``stamp`` is what must stay as it was; ``pk`` names the reader to the package."""

    device_id: int
    stamp: tuple[object, ...]
    shut: bool = False
    is_authenticated: bool = True
    pk: int = field(default_factory=lambda: next(_numbers))

    @property
    def channel(self) -> str:
        return f"device-{self.device_id}"


def reader_of(device: Device) -> Reader:
    return Reader(device.pk, (device.token_hash, device.owner_id, device.revoked_at))


class DeviceEventStorage(StorageBase):  # type: ignore[misc]
    """The package's view of our rows. Each read gives its database connection back: a stream must not hold one."""

    def append_event(self, channel: str, event_type: str, data: object) -> None:
        raise NotImplementedError("Events are written by interactions.events.emit, with the change that caused them.")

    def get_events(self, channel: str, last_id: int, limit: int = 100) -> list[Event]:
        try:
            return _read(channel, last_id, limit)
        finally:
            release_connections()

    def get_current_id(self, channel: str) -> int:
        try:
            return events.current_seq(_device_id(channel))
        finally:
            release_connections()


class DeviceChannels(ChannelManagerBase):  # type: ignore[misc]
    """A device reads its own channel and no other; nothing in the request can name one."""

    def get_channels_for_request(self, request: HttpRequest, view_kwargs: object) -> set[str]:
        return {request.user.channel} if isinstance(request.user, Reader) else set()

    def can_read_channel(self, user: object, channel: str) -> bool:
        return isinstance(user, Reader) and user.channel == channel and not user.shut

    def is_channel_reliable(self, channel: str) -> bool:
        return True


def _read(channel: str, after: int, limit: int) -> list[Event]:
    found: list[Event] = []
    more = True
    while more and len(found) < limit:  # a page may consist of nothing but events whose moment is over
        batch = events.since(_device_id(channel), after, limit=limit)
        if batch.reset:
            raise EventDoesNotExist(f"Nothing to continue from after {after}", batch.cursor)
        found += [Event(channel, row.kind, json.dumps(events.render(row)), id=row.seq) for row in batch.events]
        after, more = batch.cursor, batch.more
    return found


def _device_id(channel: str) -> int:
    return int(channel.removeprefix("device-"))


def release_connections() -> None:
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


# ---- serving --------------------------------------------------------------------------------------------------------------


def serve(request: HttpRequest, reader: Reader, *, after: int) -> HttpResponseBase:
    """The package's view on a request that says nothing but who reads and from where."""
    request.user = reader  # type: ignore[assignment]
    request.GET = QueryDict()  # its own parameters (es-meta, link, recover, channel) are none of ours
    request.META["HTTP_LAST_EVENT_ID"] = f"{reader.channel}:{after}"
    response: HttpResponseBase = package_view(request)
    if isinstance(response, StreamingHttpResponse):
        source = response.streaming_content
        assert isinstance(source, AsyncIterator)
        response.streaming_content = _paced(source, reader, after)
        response["Content-Encoding"] = "identity"  # a compressing middleware would hold events back
    return response


async def _paced(source: AsyncIterator[bytes], reader: Reader, after: int) -> AsyncIterator[bytes]:
    """The package's stream with a heartbeat, an end, and ids that are plain numbers."""
    loop = asyncio.get_running_loop()
    end = loop.time() + STREAM_S
    coming: asyncio.Future[bytes] | None = None
    _watch.join(reader)
    try:
        while (left := end - loop.time()) > 0:
            coming = coming or asyncio.ensure_future(anext(source))  # type: ignore[arg-type]
            done, _ = await asyncio.wait({coming}, timeout=min(left, HEARTBEAT_S))
            if not done:
                yield b": alive\n\n"
                continue
            try:
                chunk = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            yield _plain_ids(chunk, reader, after)
    finally:
        _watch.leave(reader)
        if coming is not None:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)


def _plain_ids(chunk: bytes, reader: Reader, after: int) -> bytes:
    # An idle stream carries an id too, else a client that saw no event reconnects without a cursor and misses some.
    chunk = chunk.replace(b"event: stream-open\ndata:\n\n", f"event: stream-open\ndata:\n\nid: {after}\n\n".encode())
    # The id "error" would make a browser's next request one that can never succeed.
    return chunk.replace(f"\nid: {reader.channel}:".encode(), b"\nid: ").replace(b"\nid: error\n", b"\n")


# ---- waking ---------------------------------------------------------------------------------------------------------------


class Watch:
    """One per process. Every reader of a channel is woken by a nudge, by a new subscription, and by the poll."""

    def __init__(self) -> None:
        self._readers: dict[str, set[Reader]] = {}
        self._seen: dict[str, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []  # asyncio keeps no strong reference to a task

    def join(self, reader: Reader) -> None:
        self._readers.setdefault(reader.channel, set()).add(reader)
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

    def wake(self, channel: str) -> None:
        """Make the package read the rows again: what it does when its own queue ran over."""
        manager = get_listener_manager()
        with manager.lock:
            for listener in manager.listeners_by_channel.get(channel, ()):
                listener.overflow = True
                listener.wake_threadsafe()

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
                                self.wake(channel)
                        elif message["type"] == "message":
                            self.wake(f"device-{message['data'].decode()}")
            except (RedisError, OSError, TimeoutError) as error:
                log.warning("no nudges for now, the poll delivers: %s", type(error).__name__)
            await asyncio.sleep(wait)
            wait = min(wait * 2, RETRY_S[1])

    async def _poll(self) -> None:
        look = sync_to_async(_look, thread_sensitive=False)
        while True:
            await asyncio.sleep(POLL_S)
            if not self._readers:
                continue
            try:
                rows = await look([_device_id(channel) for channel in self._readers])
            except Exception:  # a task's edge: the streams outlive their database
                log.exception("the poll under the streams failed; again in %s s", POLL_S)
                continue
            for channel, readers in list(self._readers.items()):
                seq, *stamp = rows.get(_device_id(channel), (-1,))
                for reader in readers:
                    if tuple(stamp) != reader.stamp and not reader.shut:
                        reader.shut = True
                        get_listener_manager().kick(reader.pk, channel)
                if self._seen.get(channel) != seq:
                    self._seen[channel] = seq
                    self.wake(channel)


def _look(device_ids: list[int]) -> dict[int, tuple[object, ...]]:
    try:
        rows = Device.objects.filter(pk__in=device_ids).values_list("pk", "event_seq", "token_hash", "owner_id", "revoked_at")
        return {row[0]: row[1:] for row in rows}
    finally:
        release_connections()


_watch = Watch()
