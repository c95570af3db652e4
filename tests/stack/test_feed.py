"""The evidence feed on the real system: the web process dies under those who speak, bring in and read, and nothing is lost."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.support.reconciler import Reconciler
from tests.support.system import BOUND_S, Speaker, System
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_postgres

SAID = 8  # by each


class Service:
    """A program that holds a service token: it brings evidence in and follows the feed."""

    def __init__(self, house: System, file: Path) -> None:
        name = f"service-{uuid.uuid4().hex[:8]}"
        self._url = f"{house.url}/api/v1"
        self._headers = {"Authorization": f"Bearer {house.manage('devices', 'add', 'asha', name, '--service').split()[-1]}"}
        self._file = file

    def post(self, number: int) -> httpx2.Response:
        times = {"started_at": "2026-05-04T12:00:00+05:30"}
        items = [{"id": f"{number}", "person": "asha", "kind": "import", "text": f"from the archive {number}"} | times]
        return httpx2.post(f"{self._url}/evidence", json={"items": items}, headers=self._headers, timeout=5)

    def _page(self, cursor: int, limit: int) -> dict[str, Any]:
        query = {"cursor": cursor, "limit": limit}
        answer = httpx2.get(f"{self._url}/utterances", params=query, headers=self._headers, timeout=5)
        found: dict[str, Any] = answer.raise_for_status().json()
        return found

    def follow(self) -> Reconciler:
        """To the end of the feed, by a new reader over what the last one saved."""
        return Reconciler(self._page, self._file).follow()

    @contextlib.contextmanager
    def following(self) -> Iterator[None]:
        """Meanwhile one reader after the other follows, and each dies with the connection."""
        over = threading.Event()

        def read() -> None:
            while not over.wait(0.05):
                with contextlib.suppress(httpx2.HTTPError):
                    self.follow()

        thread = threading.Thread(target=read)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(BOUND_S)


def until_taken(send: Callable[[], httpx2.Response]) -> httpx2.Response:
    """Send the same again until it is answered, as a device and a collector do."""

    def once() -> httpx2.Response | None:
        with contextlib.suppress(httpx2.TransportError):
            answer = send()
            return answer if answer.is_success else None
        return None

    return wait_until(once, 2 * BOUND_S, "an answer")


@pytest.mark.race
@pytest.mark.promise("P221", "P224")
def test_a_reader_finds_every_final_once_though_the_web_process_dies_and_sessions_come_and_go(
    house: System, kitchen: Speaker, bedroom: Speaker, tmp_path: Path
) -> None:
    service = Service(house, tmp_path / "found.json")

    def speak(speaker: Speaker, number: int) -> dict[str, Any]:
        send = partial(speaker.post, f"{speaker.client_id} {number}", key=str(uuid.uuid4()))
        accepted: dict[str, Any] = until_taken(send).json()
        return accepted

    with service.following(), ThreadPoolExecutor() as pool:
        session = kitchen.accepted("open echo")["session"]
        works: list[Callable[[int], Any]] = [
            partial(speak, kitchen),
            partial(speak, bedroom),
            lambda number: until_taken(partial(service.post, number)),
        ]
        jobs = [pool.submit(lambda work=work: [work(number) for number in range(SAID)]) for work in works]
        stored = "SELECT COUNT(*) FROM interactions_utterance"
        wait_until(lambda: house.value(stored) > SAID, BOUND_S, "some of it is stored")
        house.crash("web")
        house.begin("web")
        for job in jobs:
            job.result(3 * BOUND_S)
        house.overdue(session)
        wait_until(lambda: house.session(session) == "ended", BOUND_S, "the session to expire")
        again = kitchen.accepted("open echo")["session"]
        kitchen.accepted("stop")
        wait_until(lambda: house.session(again) == "ended", BOUND_S, "the session to end")
    found = service.follow()
    finals = [text for (text,) in house.sql("SELECT text FROM interactions_utterance WHERE final")]
    assert Counter(found.texts) == Counter(finals)
    assert Counter(finals).most_common(1) == [("open echo", 2)], "something was stored twice"
    assert len(finals) == 3 * SAID + 3
