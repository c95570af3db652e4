"""Who does what: the web process only accepts, beat ends what is due, and nothing outlives its supervisor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chronicle import services
from chronicle.stack import PROCESSES
from tests.support import stack
from tests.support.system import Speaker, System, converse, frozen
from tests.support.waiting import wait_until

BOUND_S = 3.0  # a POST, on a busy machine of two cores
DUE_S = 10.0
START_S = 30.0  # a process comes up, on a machine whose cores others use as well
ENDED = "interaction.ended"


@pytest.mark.on_postgres
@pytest.mark.promise("P227")
def test_without_workers_a_post_is_accepted_and_nothing_happens_until_one_starts(house: System, kitchen: Speaker) -> None:
    house.halt("worker-turns", "worker-effects", "worker-ticks")
    first = kitchen.replies()["cursor"]
    for text in ("order swiggy", "show cart"):
        began = time.monotonic()
        accepted = kitchen.accepted(text)
        assert time.monotonic() - began < BOUND_S
    assert kitchen.replies(after=first, wait=3)["events"] == []
    assert house.sql("SELECT status, attempts FROM interactions_inboxitem") == [("waiting", 0)] * 2
    assert house.sql("SELECT id FROM interactions_checkpoint") == []
    assert house.calls() == []

    house.begin("worker-turns", "worker-effects", "worker-ticks")
    assert kitchen.answer_to(accepted)["phase"] == "confirm_address"


@pytest.mark.promise("P227")
def test_eager_celery_is_refused_outside_unit_tests(tmp_path: Path) -> None:
    environ = stack.environ(CHRONICLE_EAGER="1", CHRONICLE_TLS="0", CHRONICLE_DATA_DIR=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=services.ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "CHRONICLE_EAGER" in done.stderr


@pytest.mark.on_postgres
@pytest.mark.promise("P228")
def test_two_beats_end_an_overdue_session_once_and_soon(house: System, kitchen: Speaker) -> None:
    house.spawn("beat", as_name="beat-2")
    with kitchen.listening() as device:
        opened = device.say("open echo")
        converse(device, "hello")
        house.overdue(opened["session"])
        ended = list(device.until(lambda event: event.kind == ENDED, DUE_S))
        house.wait_sweeps(2)
        assert [event.data["reason"] for event in (*ended, *device.waiting()) if event.kind == ENDED] == ["idle"]
    assert house.value("SELECT COUNT(*) FROM interactions_inboxitem WHERE kind = 'deadline'") == 1


@pytest.mark.on_postgres
@pytest.mark.promise("P228")
def test_with_beat_dead_the_next_turn_ends_an_overdue_session_and_the_rest_end_when_beat_is_back(
    house: System, kitchen: Speaker, hall: Speaker
) -> None:
    hers, other = (speaker.accepted("open echo")["session"] for speaker in (kitchen, hall))
    for speaker in (kitchen, hall):
        speaker.ask("hello")
    house.crash("beat")
    house.overdue(hers)
    house.overdue(other)
    late = kitchen.accepted("are you there")
    wait_until(lambda: house.session(hers) == "ended", DUE_S, "the next turn to end the session")
    assert "You said: are you there" not in str(kitchen.replies(after=late["cursor"]))
    assert house.session(other) == "active"
    seen = house.value("SELECT at FROM interactions_heartbeat WHERE name = 'beat'")
    house.begin("beat")
    wait_until(
        lambda: house.value("SELECT at FROM interactions_heartbeat WHERE name = 'beat'") != seen, START_S, "beat to be back"
    )
    wait_until(lambda: house.session(other) == "ended", DUE_S, "beat to end the other session")


@pytest.mark.on_postgres
def test_the_health_checks_of_the_file_pass_on_the_running_system(house: System) -> None:
    assert house.health(house.environ, PROCESSES) == dict.fromkeys(PROCESSES[:-1], 0)


@pytest.mark.on_postgres
@pytest.mark.promise("P163")
def test_a_worker_that_hears_nothing_turns_the_status_red_and_the_service_goes_on_accepting(
    house: System, kitchen: Speaker
) -> None:
    wait_until(lambda: not house.red(), 40, "every light to be green")
    with frozen(house.children["worker-effects"].pid):
        house.sql("UPDATE interactions_heartbeat SET at = %s WHERE name = 'effects'", datetime.now(UTC) - timedelta(minutes=1))
        assert "effects" in house.red()["queue effects"]
        house.crash("broker")
        assert house.red().keys() == {"queue effects", "broker"}
        assert _answers(f"{house.url}/readyz")
        assert kitchen.accepted("hello")["disposition"] == "accepted"
        house.begin("broker")
    wait_until(lambda: not house.red(), 40, "every light to be green again")


@pytest.mark.whole
@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="asked once; the database has no part in it")
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
