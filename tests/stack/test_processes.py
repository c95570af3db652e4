"""Who does what: the web process only accepts, beat ends what is due, and nothing outlives its supervisor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from chronicle import services
from chronicle.stack import Stack
from interactions.client import Device
from tests.support import stack
from tests.support.waiting import wait_until

BOUND_S = 3.0  # a POST, on a busy machine of two cores
DUE_S = 10.0
OVERDUE = """
from datetime import timedelta
from django.utils import timezone
from interactions.models import InteractionSession
print(InteractionSession.objects.filter(status="active").update(idle_at=timezone.now() - timedelta(seconds=1)))
"""
ENDED = "interaction.ended"


@pytest.mark.promise("P227")
def test_without_workers_a_post_is_accepted_and_nothing_happens_until_one_starts(bare: Stack) -> None:
    web = bare.spawn("web")
    web.wait_for(lambda: _answers(f"{bare.url}/readyz"), timeout=40, what="is ready")
    with Device(bare.url, bare.welcome["token"], voice=True) as device:
        began = time.monotonic()
        answer = device.say("order swiggy")
        assert answer["disposition"] == "accepted"
        assert time.monotonic() - began < BOUND_S
        assert [event.kind for event in device.waiting()] == []
        assert stack.ledger(bare)["calls"] == []

        bare.children["broker"].kill()
        began = time.monotonic()
        assert device.say("two milk")["disposition"] == "accepted"
        assert time.monotonic() - began < BOUND_S
        bare.children["broker"].mend()

        for name in ("worker-turns", "worker-effects", "worker-ticks", "beat"):
            bare.spawn(name)
        asked = list(device.until(lambda event: event.data.get("text") == "Use Home for delivery?", 40))
        assert asked[-1].data["answers"] == answer["id"]


@pytest.mark.promise("P227")
def test_eager_celery_is_refused_outside_unit_tests(tmp_path: Path) -> None:
    environ = stack.environ(CHRONICLE_EAGER="1", CHRONICLE_TLS="0", CHRONICLE_DATA_DIR=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=services.ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "CHRONICLE_EAGER" in done.stderr


@pytest.mark.promise("P228")
def test_beat_ends_an_overdue_session_once_and_the_next_turn_does_where_beat_is_dead(bare: Stack) -> None:
    web = bare.spawn("web")
    for name in ("worker-turns", "worker-effects", "worker-ticks", "beat"):
        bare.spawn(name)
    second = bare.spawn("beat", as_name="beat-2")
    web.wait_for(lambda: _answers(f"{bare.url}/readyz"), timeout=40, what="is ready")
    with (
        Device(bare.url, bare.welcome["token"]) as kitchen,
        Device(bare.url, stack.add_device(bare, "speaker-two", user="asha")) as other,
    ):
        _open(kitchen)
        assert stack.shell(bare, OVERDUE) == "1"
        ended = list(kitchen.until(lambda event: event.kind == ENDED, DUE_S))[-1]
        assert ended.data["reason"] == "idle_timeout"

        second.kill()
        bare.children["beat"].kill()
        assert [event for event in kitchen.waiting() if event.kind == ENDED] == [], "two beats ended it once"

        _open(kitchen)
        assert stack.shell(bare, OVERDUE) == "1"
        kitchen.say("two milk")
        assert list(kitchen.until(lambda event: event.kind == ENDED, 20))[-1].data["reason"] == "idle_timeout"

        _open(other)
        assert stack.shell(bare, OVERDUE) == "1"
        assert [event for event in other.waiting() if event.kind == ENDED] == []
        bare.spawn("beat")
        assert list(other.until(lambda event: event.kind == ENDED, DUE_S))[-1].data["reason"] == "idle_timeout"


def test_the_health_checks_of_the_file_pass_on_the_running_system(system: Stack) -> None:
    for name in ("web", "worker-turns", "worker-effects", "worker-ticks"):
        command = services.health(name, system.environ)
        done = subprocess.run(command, cwd=services.ROOT, env=system.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"


@pytest.mark.skipif(sys.platform != "linux", reason="a parent's death is signalled on Linux")
def test_what_falls_is_started_again_and_nothing_outlives_its_supervisor(tmp_path: Path) -> None:
    with stack.database() as url:
        environ = stack.environ(**url, CHRONICLE_DATA_DIR=str(tmp_path))
        with Supervised(environ) as (supervisor, said):
            wait_until(lambda: "device token" in said.read_text(), 60, "the card is printed")
            address = next(line.split()[1] for line in said.read_text().splitlines() if line.strip().startswith("service"))
            web = _child_of(tmp_path, "chronicle.asgi")
            os.kill(web, signal.SIGKILL)
            wait_until(lambda: "web fell and was started again" in said.read_text(), 10, "the fall is noticed")
            wait_until(lambda: _answers(f"{address}/readyz"), 40, "the web process is back")
            supervisor.kill()
            wait_until(lambda: not stack.processes_of(tmp_path), 30, "every process is gone")
        with Supervised(environ) as (supervisor, said):
            wait_until(lambda: "device token" in said.read_text(), 60, "a second start in the same directory")
            supervisor.terminate()
            assert supervisor.wait(30) == 0
            assert stack.processes_of(tmp_path) == set()


# ---- helpers -----------------------------------------------------------------------------------------------------------------


def _open(device: Device) -> None:
    device.say("order swiggy")
    list(device.until(lambda event: event.data.get("text") == "Use Home for delivery?", 20))


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _child_of(data: Path, word: str) -> int:
    for pid in stack.processes_of(data):
        if word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
            return pid
    raise AssertionError(f"no process runs {word}")


class Supervised:
    """``make run`` without make, its output in a file."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ
        self.said = Path(environ["CHRONICLE_DATA_DIR"]).with_suffix(".out")

    def __enter__(self) -> tuple[subprocess.Popen[bytes], Path]:
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-u", "-m", "chronicle.supervisor"],
                cwd=services.ROOT,
                env=self.environ,
                stdout=out,
                stderr=out,
            )
        return self.process, self.said

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
