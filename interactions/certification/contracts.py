"""What a mode brings to be certified, and what the harness hands back: frozen values and two protocols.

A point is (conversation, line, number of the durable action or remote call within that line). A suite stands in the plugin's
own ``certification`` module under the name ``SUITE``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

Ledger = Mapping[str, Any]


# ---- what is said ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody types a sentence at a device, answering what it was told last."""

    device: str
    text: str


@dataclass(frozen=True, slots=True)
class Outside:
    """Something the peer is told to do: a payment, a foreign hand in the basket."""

    what: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wait:
    """Nobody speaks until payments and look-ups have ended; ``long``: and nothing that may come after their end is awaited."""

    long: bool = False


Line = Say | Outside | Wait


@dataclass(frozen=True, slots=True)
class Conversation:
    """``since`` is the first line whose points belong to this conversation; those before it are another one's.

    From line ``spends`` on money can be spent, so that every point there is tried and not only each kind of point. ``ends`` is
    the outcome that the undisturbed conversation must have; what runs are compared with is never taken from a bad day.
    """

    name: str
    lines: tuple[Line, ...]
    ends: str
    since: int = 0
    spends: int | None = None
    world: Mapping[str, Any] = field(default_factory=dict)  # how the peer behaves from the start


# ---- what goes wrong ------------------------------------------------------------------------------------------------------


class Act(StrEnum):
    """What is done to the process at a durable action."""

    KILL_BEFORE = "killed before the commit"
    KILL_AFTER = "killed after the commit"
    STOP = "frozen past its lease, then resumed"
    REWIND = "database of one commit earlier, then recover"


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens at a remote call: ``rule`` is the peer's, ``then`` what is done to the process that waits for the answer."""

    name: str
    rule: Mapping[str, Any]
    then: str = ""  # "", "kill", "stop"
    acted: bool = False  # do it only once the peer has acted


@dataclass(frozen=True, slots=True)
class Case:
    """One run: where, and what. ``number`` counts from one within the line; exactly one of ``act`` and ``fault`` is given."""

    conversation: str
    line: int
    number: int
    spoken: str  # the line
    label: str  # of the durable action, or of the remote call, as the undisturbed run saw it
    act: Act | None = None
    fault: str = ""

    @property
    def what(self) -> str:
        return self.act.value if self.act is not None else self.fault

    @property
    def words(self) -> str:
        """Everything a person may pick a case by."""
        return f"{self.conversation}: {self.spoken}: {self.number} {self.label}: {self.what}"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a run. A run that never came to its point proves nothing and is counted apart."""

    case: Case
    violations: tuple[str, ...]
    reached: str = ""  # the label that was really hit; empty where the point was not reached
    end: str = ""
    otherwise: bool = False  # it ended in another way than the undisturbed run
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a suite judges: the peer's ledger, what each device was given, and what the script asked for."""

    ledger: Ledger
    heard: Mapping[str, Sequence[Mapping[str, Any]]]
    script: Sequence[Line]
    rewound: bool = False
    midway: bool = False  # a frozen worker has just been resumed; the conversation goes on after this


# ---- what a mode brings ---------------------------------------------------------------------------------------------------


class Peer(Protocol):
    """The remote end in a process of its own, with a memory outside the database."""

    def start(self, home: Path, *, world: Mapping[str, Any], behind_s: float) -> None:
        """Serve from the memory in ``home`` by a clock so far behind; an empty one is a fresh world, as ``world`` says."""

    def stop(self) -> None: ...

    def environ(self) -> Mapping[str, Any]:
        """Settings under which the mode reaches this peer."""

    def told(self, outside: Outside) -> None: ...

    def arm(self, number: int, fault: Fault) -> None:
        """Let ``fault`` happen at the nth call from now."""

    def calls(self) -> list[str]:
        """The names of all calls so far, in order."""

    def reached(self, number: int, *, acted: bool) -> bool:
        """Whether the nth call from the last ``arm`` has arrived, or has had its effect."""

    def ledger(self) -> Ledger: ...


class Suite(Protocol):
    """Everything that certification must know of one mode."""

    mode: str
    owner: str
    devices: tuple[str, ...]
    conversations: tuple[Conversation, ...]
    faults: tuple[Fault, ...]

    def hasten(self) -> None:
        """Scale the mode's own waiting times down, in this process and its children."""

    def preload(self) -> None:
        """Import what calls the peer, before anything is forked; open nothing."""

    def peer(self) -> Peer: ...

    def busy(self, *, long: bool) -> bool:
        """Whether something of the mode goes on outside its sessions; ``long``: or is watched for what may come late."""

    def check(self, evidence: Evidence) -> list[str]:
        """The mode's own invariants, each broken one a sentence. Reads the database."""

    def excused(self) -> bool:
        """Whether something got no answer, so that another end than the undisturbed one is honest."""

    def random(self, *, turns: int, seed: int) -> int:
        """Live random days in one process until so many turns were taken; the number of violations."""

    def outcome(self, evidence: Evidence) -> str:
        """How it all ended, in a few words that are equal for equal ends."""


@dataclass(frozen=True, slots=True)
class Control:
    """The system with one guard removed: some of the runs of these acts at these names must show a violation."""

    name: str
    sabotage: Callable[[], None]
    acts: tuple[Act, ...]
    labels: tuple[str, ...]
    money: bool = True  # only at the lines from which money can be spent
