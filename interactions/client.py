"""A device in software: posts utterances, follows its event stream, reports playback. It knows only the wire.

``manage.py talk``, the demo and the stack tests speak through it, so that what they show is what any device could do.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import queue
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import httpx2

STREAM_SILENCE_S = 40.0  # an open stream says something at least every 15 s
RECONNECT_S = 0.3
UNREACHED_S = 15.0  # as long as a web process that was killed needs to come back
PAUSE_S = 0.7  # between the end of a reply and our answer, as between people


class DeviceError(RuntimeError):
    """The service refused what the device sent, or did not say what was waited for."""


class SilenceError(DeviceError):
    """What was waited for was not said."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the stream. ``seq`` is its place; ``data`` what design calls the payload."""

    seq: int
    kind: str
    data: dict[str, Any] = field(default_factory=dict)


class Device:
    """Open it, ``say`` things, take what comes from ``next``. Everything that was heard stays in ``heard``."""

    def __init__(self, url: str, token: str, *, voice: bool = False) -> None:
        self.voice = voice
        self.heard: list[Event] = []
        self.prompt: Event | None = None  # the last thing said to us
        self.cue: Callable[[str], object] = lambda cue: None  # plays a cue; a maker puts a sound here
        self._played_at = 0.0
        self._due: tuple[float, str] | None = None  # when which cue is to be played, unless the answer comes first
        self._http = httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=httpx2.Timeout(10))
        self._came: queue.Queue[Event | DeviceError] = queue.Queue()
        self._cursor: int | None = None  # the last event that came
        self._floor: int | None = None  # where the stream stood when we first spoke
        self._opened = threading.Event()
        self._closing = threading.Event()
        self._line: socket.socket | None = None  # beneath the open stream
        self._audio_session = f"talk-{uuid.uuid4().hex[:12]}"
        self._count = itertools.count(1)
        self._thread = threading.Thread(target=self._listen, name="event-stream", daemon=True)

    def __enter__(self) -> Device:
        self._thread.start()
        if not self._opened.wait(20):
            raise DeviceError("the event stream did not open within 20 s")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._closing.set()
        if self._line is not None:  # a reader that waits is not woken by a close
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
        self._http.close()
        self._thread.join(5)

    # ---- towards the service ---------------------------------------------------------------------------------------------

    def say(self, text: str, **more: Any) -> dict[str, Any]:
        """Post one utterance; the answer of the service. A refusal raises DeviceError with its message."""
        body: dict[str, Any] = {"text": text, "source": "stream" if self.voice else "typed"}
        body |= {"audio_session_id": self._audio_session, "capture_epoch": self._audio_session, "seq": next(self._count)}
        if self.prompt is not None:
            body |= {"heard_upto": self.heard[-1].seq} | self._answering(self.prompt.data)
        answer = self._post("/api/v1/utterances", body | more, {"Idempotency-Key": str(uuid.uuid4())})
        if self._floor is None:
            self._floor = int(answer["cursor"])
        return answer

    def _answering(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """What ties an utterance to what it answers: by hand the question that stands, by voice the reply that just ended."""
        if not self.voice:
            return {"in_reply_to": told.get("prompt") or told["reply_id"]}
        self._closing.wait(max(0.0, self._played_at + PAUSE_S - time.monotonic()))
        gap = int((time.monotonic() - self._played_at) * 1000)
        return {"playback": {"reply_id": told["reply_id"], "state": "finished", "ended_ms_before_speech": gap}}

    def played(self, event: Event) -> None:
        """Report that a reply was played to its end; a device that only shows has then shown it."""
        for state in ("started", "finished"):
            position = 0 if state == "started" else int(event.data.get("est_ms") or 0)
            self._post(f"/api/v1/replies/{event.data['reply_id']}/playback", {"state": state, "position_ms": position}, {})
        self._played_at = time.monotonic()

    def session(self) -> dict[str, Any] | None:
        """The session of the moment, as a screen would redraw it; None where there is none."""
        answer = self._http.get("/api/v1/sessions/current")
        if answer.status_code == 404:
            return None
        found: dict[str, Any] | None = self._read(answer).get("session")
        return found

    # ---- from the service ------------------------------------------------------------------------------------------------

    def next(self, timeout: float) -> Event:
        """The next event, in order, once each. What is spoken to us is reported as played."""
        came = self._take(time.monotonic() + timeout)
        if came is None:
            raise SilenceError(f"nothing was said for {timeout:g} s")
        if isinstance(came, DeviceError):
            raise came
        self.heard.append(came)
        if cue := came.data.get("cue"):
            self._due = (time.monotonic() + came.data["cue_after_ms"] / 1000, str(cue))
        if came.data.get("text") or came.data.get("status") == "ended":
            self._due = None
        if came.data.get("reply_id") and came.data.get("text"):
            self.played(came)
            self.prompt = came
        return came

    def _take(self, ends: float) -> Event | DeviceError | None:
        """What comes until then. A cue whose time comes first is played meanwhile."""
        due, cue = self._due or (math.inf, "")
        with contextlib.suppress(queue.Empty):
            return self._came.get(timeout=max(0.0, min(ends, due) - time.monotonic()))
        if due > ends:
            return None
        self._due = None
        self.cue(cue)
        return self._take(ends)

    def waiting(self) -> list[Event]:
        """What has come and was not taken yet; it is taken now."""
        return [self.next(0) for _ in range(self._came.qsize())]

    def until(self, condition: Callable[[Event], bool], timeout: float) -> Iterator[Event]:
        """Every event up to and including the first that fulfils ``condition``; each may take ``timeout`` seconds."""
        while True:
            event = self.next(timeout)
            yield event
            if condition(event):
                return

    # ---- the wire --------------------------------------------------------------------------------------------------------

    def _post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
        """Sent again while nobody answers: its key, or a report that is the same twice, makes it count once."""
        began = time.monotonic()
        while True:
            waited = time.monotonic() - began  # a consent that lay here is as old as it is
            try:
                return self._read(
                    self._http.post(path, json=body, headers=headers | {"Utterance-Age": str(int(waited * 1000))})
                )
            except httpx2.TransportError as error:
                if waited >= UNREACHED_S:
                    what = f"{self._http.base_url} cannot be reached ({type(error).__name__})"
                    raise DeviceError(f"{what}; see whether `make run` still runs, and its logs") from None
            self._closing.wait(RECONNECT_S)

    @staticmethod
    def _read(answer: httpx2.Response) -> dict[str, Any]:
        try:
            body: dict[str, Any] = answer.json() if answer.content else {}
        except ValueError:
            body = {"message": answer.text[:200]}
        if answer.status_code >= 400:
            raise DeviceError(f"{answer.request.url.path}: {answer.status_code} {body.get('message', body)}")
        return body

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                self._follow()
            except DeviceError as error:
                self._came.put(error)
                return
            except (httpx2.HTTPError, RuntimeError):  # RuntimeError: the client was closed under the stream
                pass
            self._closing.wait(RECONNECT_S)

    def _follow(self) -> None:
        """One connection to the stream, resumed after what came last."""
        headers = {"Accept": "text/event-stream"}
        resume = self._floor if self._cursor is None else self._cursor
        if resume is not None:
            headers["Last-Event-ID"] = str(resume)
        timeout = httpx2.Timeout(10, read=STREAM_SILENCE_S)
        with self._http.stream("GET", "/api/v1/events", headers=headers, timeout=timeout) as answer:
            if answer.status_code >= 400:
                answer.read()
                self._read(answer)
            self._line = answer.extensions["network_stream"].get_extra_info("socket")
            for kind, number, data in records(answer.iter_lines()):
                self._opened.set()
                if self._closing.is_set():
                    return
                if number is None or (self._cursor is not None and number <= self._cursor):
                    continue
                self._cursor = number
                self._came.put(Event(number, kind, data))


def records(lines: Iterator[str]) -> Iterator[tuple[str, int | None, dict[str, Any]]]:
    """The events of a text/event-stream: kind, number (where its id is one), data."""
    kind: str = "message"
    number: int | None = None
    data: list[str] = []
    for line in lines:
        if not line:
            if data or kind != "message":
                yield kind, number, _object("\n".join(data))
            kind, number, data = "message", None, []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "id":
            tail = value.rpartition(":")[2]
            number = int(tail) if tail.isdigit() else None
        elif name == "data":
            data.append(value)


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
