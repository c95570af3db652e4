"""The floor, spoken to: one device that posts a bare turn, waits for its event on the open stream, and posts the next.

One turn at a time, so that what is measured is a turn and no queue. The device's own work is this process's and not counted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2

from chronicle.bench import cpu
from chronicle.stack import Stack
from interactions import client

COUNTED = ("web", "worker-turns")  # the processes of ours that a turn runs through; the broker is left out, to our loss
FIRST_S, NEXT_S = 60.0, 15.0  # the first turn also waits for the worker to come up


class TurnError(RuntimeError):
    """A bare turn got no event; the message says where to look."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU milliseconds per turn, by process."""

    by_process: Mapping[str, float]

    @property
    def ms(self) -> float:
        return sum(self.by_process.values())


class Speaker:
    """A device with its stream open. Use ``speaking``."""

    def __init__(self, stack: Stack, http: httpx2.Client, lines: Iterator[str]) -> None:
        self._stack = stack
        self._http = http
        self._events = client.records(lines)
        self._patience_s = FIRST_S

    def turn(self, text: str) -> None:
        """Post one and wait until its event is here."""
        try:
            self._turn(text)
        except httpx2.HTTPError as error:
            raise TurnError(f"the floor broke off ({type(error).__name__}); see {self._stack.log('web')}") from None
        self._patience_s = NEXT_S

    def _turn(self, text: str) -> None:
        ends = time.monotonic() + self._patience_s
        answer = self._http.post("/bench/turns", json={"text": text})
        if answer.status_code != 202:
            raise TurnError(f"the floor answered {answer.status_code}; see {self._stack.log('web')}")
        said = answer.json()["id"]
        for _, _, data in self._events:  # a stream says something every few seconds, so that this loop always goes on
            if data.get("answers") == said:
                return
            if time.monotonic() > ends:
                break
        raise TurnError(f"a bare turn got no event within {self._patience_s:g} s; see {self._stack.log('worker-turns')}")

    def batch(self, texts: Sequence[str]) -> Cost:
        """Say all of them, one after the other; what one of them costs."""
        counted = [self._stack.children[name] for name in COUNTED]
        before = cpu.used(counted)
        for text in texts:
            self.turn(text)
        after = cpu.used(counted)
        return Cost({name: (after[name] - before[name]) / len(texts) for name in COUNTED})


@contextmanager
def speaking(stack: Stack) -> Iterator[Speaker]:
    headers = {"Authorization": f"Bearer {stack.welcome['token']}"}
    with (
        httpx2.Client(base_url=stack.url, headers=headers, timeout=httpx2.Timeout(10, read=client.STREAM_SILENCE_S)) as http,
        http.stream("GET", "/api/v1/events", headers={"Accept": "text/event-stream"}) as answer,
    ):
        answer.raise_for_status()
        yield Speaker(stack, http, answer.iter_lines())
