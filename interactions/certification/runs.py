"""One run: from the world before a line, the line played until its point, something terrible done there, and then life goes on.

After it the device posts what it got no answer to again, the conversation is spoken to its end, everything comes to rest, and
the invariants are asked of the rows and of the peer's own ledger.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from interactions import clock, recovery
from interactions.certification import verdicts
from interactions.certification.actor import Actor, Memories
from interactions.certification.children import Child, ChildError
from interactions.certification.contracts import Act, Case, Conversation, Evidence, Fault, Line, Result, Suite, Wait
from interactions.certification.probe import Trap
from interactions.certification.slots import PATIENCE_S, Slot, Snapshot, player
from interactions.models import Checkpoint

DEATHS = 9  # a worker may be killed by its own watchdog on a busy machine, and another one goes on
TRIES = 3

TRAPS: dict[Act, Callable[[int], tuple[Trap, ...]]] = {
    Act.KILL_BEFORE: lambda number: (Trap(number, "before", "kill"),),
    Act.KILL_AFTER: lambda number: (Trap(number, "after", "kill"),),
    Act.STOP: lambda number: (Trap(number, "after", "stop"),),
    Act.REWIND: lambda number: (Trap(number - 1, "after", "hold"), Trap(number + 1, "before", "kill")),
}


def key(line: int) -> str:
    """The idempotency key of a line, the same whoever plays it."""
    return f"line-{line}"


def run(slot: Slot, suite: Suite, conversation: Conversation, before: Snapshot, case: Case, *, end: str) -> Result:
    """Raises nothing: a run that breaks is a violation that says how. One that missed its point is made again."""
    for _ in range(TRIES):
        result = _once(slot, suite, conversation, before, case, end=end)
        if result.reached or result.violations:
            break
    return result


def _once(slot: Slot, suite: Suite, conversation: Conversation, before: Snapshot, case: Case, *, end: str) -> Result:
    slot.restore(before, world=conversation.world)
    try:
        done = _Run(slot, suite, conversation, before.memories, case)
        memories = done.disturb(before)
        memories = done.live_on(memories)
        verdict = verdicts.judge(
            slot, suite, conversation, memories, rewound=case.act is Act.REWIND, interrupted=done.interrupted
        )
        violations = [*verdict.violations, *done.complaints]
        otherwise = verdict.end != end
        if otherwise and case.act in (Act.KILL_BEFORE, Act.KILL_AFTER, Act.STOP) and not verdict.excused:
            violations.append(f"it ended as {verdict.end!r}, and undisturbed as {end!r}")
        said = verdicts.said(memories)
        result = Result(case, tuple(violations), done.reached, end=verdict.end, otherwise=otherwise, said=said)
    except ChildError as error:
        result = Result(case, (str(error),), "broken")
    return result


@dataclass
class _Run:
    slot: Slot
    suite: Suite
    conversation: Conversation
    memories: Memories
    case: Case
    reached: str = ""
    next_line: int = 0

    def __post_init__(self) -> None:
        self.complaints: list[str] = []
        self.interrupted: tuple[int, ...] = ()
        self.next_line = self.case.line

    @property
    def lines(self) -> Sequence[Line]:
        return (*self.conversation.lines, Wait(long=True))

    def disturb(self, before: Snapshot) -> Memories:
        if self.case.act is Act.REWIND:
            return self._rewind(before)
        if self.case.act is not None:
            return self._signal(TRAPS[self.case.act](self.case.number))
        fault = next(one for one in self.suite.faults if one.name == self.case.fault)
        return self._confuse(fault)

    # ---- (a) and (b): at a durable action

    def _signal(self, traps: tuple[Trap, ...]) -> Memories:
        victim = self._victim(traps)
        if not victim.until(lambda: victim.stopped, within_s=PATIENCE_S):
            return self._dead(victim)
        self.reached = victim.said("label") or ""
        return self._resume(victim)

    def _dead(self, victim: Child) -> Memories:
        self.reached = victim.said("label") or ""
        return self._after(victim)

    def _resume(self, victim: Child) -> Memories:
        """While it is frozen others take over and go one line further; then it wakes up, and must not do anything."""
        self._interrupt()
        memories = self._play(self.memories, upto=self.case.line + 2)
        victim.send(signal.SIGCONT)
        victim.join(within_s=PATIENCE_S)
        evidence = Evidence(self.slot.peer.ledger(), {}, self.conversation.lines, midway=True)
        look = self.slot.spawn(lambda actor, channel: channel.send({"found": self.suite.check(evidence)}), memories)
        look.join(within_s=PATIENCE_S)
        self.complaints += [f"when it woke up: {line}" for line in look.said("found")]
        return memories

    # ---- (c): a power cut or a restore

    def _rewind(self, before: Snapshot) -> Memories:
        rows, number = before.rows, self.case.number
        victim = self._victim(TRAPS[Act.REWIND](number))
        if number > 1:
            if not victim.until(lambda: victim.said("trap") is not None, within_s=PATIENCE_S):
                return self._dead(victim)
            rows = self.slot.home / f"cut-{self.slot.number}-{time.monotonic_ns()}"
            self.slot.database.copy(rows)
            victim.go_on()
        victim.join(within_s=PATIENCE_S)
        self.reached = victim.said("label") or ""
        self.slot.restore(before, world={}, rows=rows)
        recovering = self.slot.spawn(_recover, self.memories)
        recovering.join(within_s=PATIENCE_S)
        return self.memories

    # ---- (d): at a remote call

    def _confuse(self, fault: Fault) -> Memories:
        peer, number = self.slot.peer, self.case.number
        calls = len(peer.calls())
        peer.arm(number, fault)
        victim = self._victim(())
        memories = self.memories
        if fault.then:
            there = victim.until(lambda: peer.reached(number, acted=fault.acted), within_s=PATIENCE_S)
            if there:
                victim.send(signal.SIGKILL if fault.then == "kill" else signal.SIGSTOP)
            memories = self._resume(victim) if there and fault.then == "stop" else self._after(victim)
        else:
            memories = self._after(victim)
        names = peer.calls()[calls:]
        self.reached = names[number - 1] if len(names) >= number else ""
        return memories

    def _after(self, victim: Child) -> Memories:
        if not victim.join(within_s=PATIENCE_S):
            return self._survived(victim)
        self._interrupt()
        return self.memories

    def _interrupt(self) -> None:
        """Whoever began these will not bring their outcome, and nobody else may."""
        asked = self.slot.spawn(_open_onces, self.memories)
        asked.join(within_s=PATIENCE_S)
        self.interrupted = asked.said("open")

    # ---- and then

    def _victim(self, traps: tuple[Trap, ...]) -> Child:
        line = self.lines[self.case.line]
        return self.slot.spawn(player(line, key=key(self.case.line)), self.memories, traps)

    def _survived(self, victim: Child) -> Memories:
        self.next_line += 1
        self.complaints += victim.said("complaints")
        memories: Memories = victim.said("memories")
        return memories

    def live_on(self, memories: Memories) -> Memories:
        return self._play(memories, upto=len(self.lines))

    def _play(self, memories: Memories, *, upto: int) -> Memories:
        """Play on until before line ``upto``. Whoever dies of its own watchdog is followed by another, as in a pool."""
        for _ in range(DEATHS):
            first = self.next_line
            todo = [(number, self.lines[number]) for number in range(first, min(upto, len(self.lines)))]
            worker = self.slot.spawn(_speaker(todo), memories)
            ended = worker.join(within_s=PATIENCE_S)
            memories = worker.said("memories") or memories
            self.next_line = max(first, worker.said("next") or 0)
            if not ended:
                self.complaints += worker.said("complaints")
                return memories
            if ended != signal.SIGALRM:
                raise ChildError(f"a worker was ended by signal {ended}")
        raise ChildError(f"{DEATHS} workers in a row were ended by their watchdog")


def _speaker(todo: Sequence[tuple[int, Line]]) -> Callable[[Actor, Connection], None]:
    def work(actor: Actor, channel: Connection) -> None:
        for number, line in todo:
            actor.play(line, key=key(number))
            channel.send({"next": number + 1, "memories": actor.memories})

    return work


def _recover(actor: Actor, channel: Connection) -> None:
    recovery.recover(clock.now())


def _open_onces(actor: Actor, channel: Connection) -> None:
    begun = Checkpoint.objects.filter(policy="once", state=Checkpoint.State.STARTED)
    channel.send({"open": tuple(begun.values_list("pk", flat=True))})
