"""The open event streams of this process, served by django_eventstream's own view; the only file that imports it.

Its two public hooks are ours: the storage reads ``DeviceEvent`` rows, the channel manager lets a device read its own
channel. A stream only ever reads rows: whatever wakes it says no more than "look again".
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from django.http import HttpRequest, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django_eventstream.channelmanager import ChannelManagerBase
from django_eventstream.event import Event
from django_eventstream.storage import EventDoesNotExist, StorageBase
from django_eventstream.views import events as package_view
from django_eventstream.views import get_listener_manager

from interactions import events, watch
from interactions.watch import Reader, Watch

get_listener_manager().redis_listener = None  # it dies for good when Redis is away for some seconds; the watch is ours

HEARTBEAT_S = 10.0  # a stream is never silent for 15 s
STREAM_S = 600.0  # then it ends, and the device shows its token again


class DeviceEventStorage(StorageBase):
    """The package's view of our rows. Each read gives its database connection back: a stream must not hold one."""

    def append_event(self, channel: str, event_type: str, data: object) -> None:
        raise NotImplementedError("Events are written by interactions.events.emit, with the change that caused them.")

    def get_events(self, channel: str, last_id: int, limit: int = 100) -> list[Event]:
        try:
            return _read(channel, last_id, limit)
        finally:
            events.release_connections()

    def get_current_id(self, channel: str) -> int:
        try:
            return events.current_seq(watch.device_id_of(channel))
        finally:
            events.release_connections()


class DeviceChannels(ChannelManagerBase):
    """A device reads its own channel and no other; nothing in the request can name one."""

    def get_channels_for_request(self, request: HttpRequest, view_kwargs: object) -> set[str]:
        user: object = request.user
        return {user.channel} if isinstance(user, Reader) else set()

    def can_read_channel(self, user: object, channel: str) -> bool:
        return isinstance(user, Reader) and user.channel == channel and not user.shut

    def is_channel_reliable(self, channel: str) -> bool:
        return True


def _read(channel: str, after: int, limit: int) -> list[Event]:
    found: list[Event] = []
    more = True
    while more and len(found) < limit:  # a page may consist of nothing but events whose moment is over
        batch = events.since(watch.device_id_of(channel), after, limit=limit)
        if batch.reset:
            raise EventDoesNotExist(f"Nothing to continue from after {after}", batch.cursor)
        found += [Event(channel, row.kind, json.dumps(events.render(row)), id=row.seq) for row in batch.events]
        after, more = batch.cursor, batch.more
    return found


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
        response["Cache-Control"] = "no-cache, no-transform"  # and so would a proxy that compresses
        response["X-Accel-Buffering"] = "no"  # or one that collects a page before it passes it on
    return response


async def _paced(source: AsyncIterator[bytes], reader: Reader, after: int) -> AsyncIterator[bytes]:
    """The package's stream with a heartbeat, an end, and ids that are plain numbers."""
    loop = asyncio.get_running_loop()
    end = loop.time() + STREAM_S
    coming: asyncio.Future[bytes] | None = None
    _watch.join(reader)
    try:
        while (left := end - loop.time()) > 0:
            coming = coming or asyncio.ensure_future(anext(source))
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


def _wake(channel: str) -> None:
    """Make the package read the rows again: it does so when its own queue ran over."""
    manager = get_listener_manager()
    with manager.lock:
        for listener in manager.listeners_by_channel.get(channel, ()):
            listener.overflow = True
            listener.wake_threadsafe()


def _kick(reader: Reader) -> None:
    get_listener_manager().kick(reader.pk, reader.channel)


_watch = Watch(wake=_wake, kick=_kick)
