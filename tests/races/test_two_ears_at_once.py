"""Two devices of one person report everything twice, with wakes, pieces and corrections, while workers are at it."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import pytest

from interactions import chain, clock, ingress, presence, sweep, turns
from interactions.models import ChainRun, Device, InboxItem, InteractionSession
from interactions.reports import Report
from tests.races.test_lock_order import in_thread
from tests.support import people, scripted
from tests.support.scripted import Script
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

_keys = itertools.count(1)
SAID = (
    "open scripted", "add two", "packets of milk", "add two packets of milk", "add ten packets of milk", "stop",
    "add two packets of milk and a bread", "confirm order", "cancel order", "turn on the lamp", "confirm order no wait",
)  # fmt: skip


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch, unfinished=lambda mode, standing, text: text == "add two")


def report(text: str, number: int) -> Report:
    wake = number % 3 == 0
    timed = {"start_ms": number // 4 * 700, "end_ms": number // 4 * 700 + 900, "capture_epoch": "e"} if number % 2 else {}
    heard = {"wake": {"word": "hermes", "score": number % 7 / 10}} if wake else {}
    return Report(text=text, source="wake" if wake else "stream", **timed, **heard)


@pytest.mark.promise("P226", "P204")
def test_mixed_reports_of_two_ears_with_workers_beside_them_end_without_deadlock(script: Script, asha: Any) -> None:
    devices: list[Device] = [people.with_device(asha, name).device for name in ("kitchen", "hall")]
    for device in devices:
        presence.came(device.pk)
    faults: list[BaseException] = []
    left = threading.Event()

    def post(device: Device, number: int) -> None:
        said = report(SAID[number % len(SAID)], number)
        ingress.accept(device.pk, said, key=f"two-ears-{next(_keys)}", body_hash=said.text)

    def poster(seed: int) -> None:
        for number in range(25):
            post(devices[(seed + number) % 2], seed * 5 + number)

    def worker() -> None:
        while not left.is_set():
            for session in InteractionSession.objects.filter(work_pending=True).values_list("pk", flat=True):
                turns.drain(session)
            for run in ChainRun.objects.filter(status="staged").values_list("pk", flat=True):
                chain.run(run)
            sweep.endings(clock.now())

    workers = [in_thread(worker, faults) for _ in range(2)]
    for thread in [in_thread(lambda seed=seed: poster(seed), faults) for seed in range(8)]:
        thread.join()
    waiting = InboxItem.objects.filter(status="waiting")
    wait_until(lambda: bool(faults) or not (waiting.exists() or ChainRun.objects.filter(status="staged").exists()), 60, "rest")
    left.set()
    for thread in workers:
        thread.join()
    assert faults == []
    for device in devices:
        seqs = list(device.events.order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))
