"""A place where runs happen one after the other: a database, a peer, and the processes that are forked to be killed."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections
from django.utils import timezone

from interactions import watchdog
from interactions.certification import databases
from interactions.certification.actor import Actor, Memories, Memory
from interactions.certification.children import Child
from interactions.certification.contracts import Line, Peer, Suite
from interactions.certification.databases import Database
from interactions.certification.probe import Probe, Trap

PATIENCE_S = 90.0


@dataclass(frozen=True)
class Snapshot:
    """The world between two lines: the rows, the peer's memory, the devices' memories."""

    rows: Path
    peer: Path
    memories: Memories
    taken_at: float


@dataclass
class Slot:
    suite: Suite
    home: Path
    number: int
    database: Database = field(init=False)
    peer: Peer = field(init=False)
    taken: int = 0
    sabotage: Callable[[], None] | None = None
    behind_s: float = 0.0  # a run goes on when its snapshot was taken, and so does the peer: nothing has grown old meanwhile

    def open(self) -> None:
        given = connections["default"].settings_dict
        self.database = databases.slot(given, self.number, home=self.home)
        given["NAME"] = self.database.name
        self.peer = self.suite.peer()

    @property
    def world(self) -> Path:
        return self.home / f"peer-{self.number}"

    def fresh(self, world: Mapping[str, Any]) -> None:
        """A peer without a memory; the rows as they were when the slot was opened."""
        self.peer.stop()
        shutil.rmtree(self.world, ignore_errors=True)
        self.behind_s = 0.0
        self._start(world)

    def restore(self, snapshot: Snapshot, *, world: Mapping[str, Any], rows: Path | None = None) -> None:
        """Back to a snapshot; ``rows`` puts other rows beside the peer's present memory instead."""
        self.database.put_back(rows or snapshot.rows)
        if rows is None:
            self.peer.stop()
            shutil.rmtree(self.world, ignore_errors=True)
            shutil.copytree(snapshot.peer, self.world)
            self.behind_s = time.time() - snapshot.taken_at
            self._start(world)

    def _start(self, world: Mapping[str, Any]) -> None:
        self.world.mkdir(exist_ok=True)
        self.peer.start(self.world, world=world, behind_s=self.behind_s)
        for name, value in self.peer.environ().items():
            setattr(settings, name, value)

    def take(self, memories: Memories) -> Snapshot:
        self.taken += 1
        rows, peer = self.home / f"rows-{self.number}-{self.taken}", self.home / f"memory-{self.number}-{self.taken}"
        self.database.copy(rows)
        shutil.copytree(self.world, peer)
        return Snapshot(rows, peer, memories, time.time() - self.behind_s)

    def spawn(self, work: Callable[[Actor, Connection], None], memories: Memories, traps: tuple[Trap, ...] = ()) -> Child:
        """A worker that may die at any time, as a prefork child may."""

        def live(channel: Connection) -> None:
            watchdog.enable()
            _set_back(self.behind_s)
            if self.sabotage is not None:
                self.sabotage()
            actor = Actor(self.suite, self.peer, {name: Memory(one.cursor, list(one.heard)) for name, one in memories.items()})
            actor.enter()
            probe = Probe(_roots(self.suite), channel.send, channel.recv, traps)
            probe.install()
            work(actor, channel)
            channel.send({"seen": probe.seen, "memories": actor.memories, "complaints": actor.complaints.lines})
            connections.close_all()

        return Child(live)

    def close(self) -> None:
        self.peer.stop()


def player(line: Line, *, key: str) -> Callable[[Actor, Connection], None]:
    """Work for a child: play one line to its end."""

    def work(actor: Actor, channel: Connection) -> None:
        channel.send({"answer": actor.play(line, key=key)})

    return work


def _set_back(seconds: float) -> None:
    """The clock of our rules, in this process; leases go by the database's own, and a snapshot holds none."""
    real, behind = timezone.now, timedelta(seconds=seconds)
    timezone.now = lambda: real() - behind


def _roots(suite: Suite) -> tuple[str, ...]:
    return ("interactions.", f"{type(suite).__module__.partition('.')[0]}.")
