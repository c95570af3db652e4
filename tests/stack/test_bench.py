"""The bench against the real stack, a small one: the floor is the bare turn and no more, and a dear understanding is caught."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from chronicle.bench import __main__ as bench
from chronicle.bench import pairs, turns, understanding
from chronicle.bench.stages import Place
from chronicle.stack import Stack
from interactions.contracts import Heard, Step

SMALL = pairs.Size(pairs=6, turns=10, rounds=1, warm=10)

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(
        os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="once is enough; make bench itself runs on both"
    ),
]


@dataclass(frozen=True)
class Stand:
    """A bench's stack with its device listening."""

    stack: Stack
    speaker: turns.Speaker

    def count(self, table: str) -> int:
        with closing(sqlite3.connect(self.stack.data / "chronicle.sqlite3", timeout=20)) as lite:
            return int(lite.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.fixture(scope="module")
def stand() -> Iterator[Stand]:
    with (
        tempfile.TemporaryDirectory(prefix="chronicle-bench-") as data,
        Stack(Path(data), environ=bench.environ({}), say=lambda _: None, processes=turns.COUNTED) as running,
        turns.speaking(running) as speaker,
    ):
        yield Stand(running, speaker)


def test_a_bare_turn_is_one_row_one_answer_and_one_event(stand: Stand) -> None:
    tables = ("floor_said", "floor_answered", "interactions_deviceevent")
    before = [stand.count(table) for table in tables]
    cost = stand.speaker.batch(["two packets of milk"] * 20)
    assert [stand.count(table) - was for table, was in zip(tables, before, strict=True)] == [20, 20, 20]
    assert set(stand.stack.children) == {"broker", *turns.COUNTED}, "nothing else runs beside a turn that is measured"
    assert min(cost.by_process.values()) > 0
    assert cost.ms == pytest.approx(sum(cost.by_process.values()))


def test_the_rows_of_the_floor_have_their_migration(stand: Stand) -> None:
    stand.stack.run("makemigrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"])


def test_understanding_as_it_is_keeps_the_budget(stand: Stand) -> None:
    said: list[str] = []
    judged = pairs.judge(pairs.run(stand.speaker, size=SMALL, say=said.append))
    assert not [one for one in judged if one.missed], judged
    assert [line.split(":")[0] for line in said[1:]] == [f"pair {number} of 6" for number in range(1, 7)]


def test_an_understanding_that_burns_as_much_as_a_bare_turn_is_caught(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    some = understanding.table()[::-9]  # the longest among them
    monkeypatch.setattr(understanding, "table", lambda: some)
    bare_s = stand.speaker.batch(["milk"] * 20).ms / 1000

    def dear(place: Place, heard: Heard) -> Step:
        ends = time.thread_time() + bare_s
        while time.thread_time() < ends:
            pass
        return place.step(heard)

    judged = pairs.judge(pairs.run(stand.speaker, size=SMALL, say=lambda _: None, understand=dear))
    assert all(one.missed for one in judged), judged
