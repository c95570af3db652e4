"""The sandbox without its process: the same account, tools, faults and ledger, called in the thread that asks.

``call`` is what a request meets on its way: a worker that dies before, during or after it, a fault on the line, and
whatever else happens while somebody waits for the answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from interactions.contracts import (
    EffectError,
    Json,
    NoAnswerError,
    NotSentError,
    SignInNeededError,
    StrangeAnswerError,
    TurnedDownError,
)
from swiggy_instamart.randomised.clock import Clock
from swiggy_instamart.randomised.workers import Killed, Workers
from swiggy_instamart.sandbox import control, faults, forms, ledger
from swiggy_instamart.sandbox.protocol import TOOLS
from swiggy_instamart.sandbox.state import Call
from swiggy_instamart.sandbox.switches import Switches
from swiggy_instamart.sandbox.tool import Answer
from swiggy_instamart.sandbox.world import RefusalError, World

CHANGING = frozenset({"update_cart", "clear_cart", "checkout", "confirm_order"})
NEVER_ANSWERED: dict[str, str] = {"drop": "closed", "half": "closed", "hang": "timeout", "stray": "closed", "die": "closed"}


class Account(World):
    """The account, by the clock of the run."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        super().__init__(start=Switches(hold_s=0, cart_ttl_s=1e9))

    def now(self) -> float:
        return self._clock.now().timestamp()


@dataclass
class Packet:
    """A request whose sender no longer waits, or no longer lives, and that may still arrive until ``until``."""

    tool: str
    arguments: dict[str, Any]
    by: Any
    until: float


@dataclass(frozen=True)
class Eyes:
    """Who looks at the wire: when a request leaves, and when it has done what it does."""

    leaves: Callable[[str, Json], Any]  # returns by whom
    lands: Callable[[str, Json, Any, Call], None]


class Shop:
    def __init__(self, clock: Clock, workers: Workers, eyes: Eyes) -> None:
        self.clock, self.workers, self.eyes = clock, workers, eyes
        self.account = Account(clock)
        self.control = control.Control(self.account, allowed=True)
        self.packets: list[Packet] = []
        self.meanwhile: list[Callable[[], Any]] = []  # what happens while the next call is under way
        self.meddled = False  # somebody else changed the cart or its prices since it was last read
        self.touched = False  # the same, since it was last written
        self.frozen: tuple[str, Callable[[], None]] | None = None  # whose holder sleeps over its answer, and what others do
        self.stray: str | None = None  # the tool whose next request is cut off and may arrive later

    # ---- what the test may do

    def ledger(self) -> dict[str, Any]:
        return ledger.show(self.account)

    def fault(self, rule: dict[str, Any]) -> None:
        if rule["kind"] == "stray":
            self.stray = rule["tool"]
            return
        self.account.state.rules.append(faults.Rule.model_validate({"times": 1, **rule}))

    def meddle(self, change: Callable[[], Any]) -> None:
        self.meddled = self.touched = True
        change()

    def land(self, packet: Packet) -> None:
        """A stray request arrives after all; its answer goes nowhere."""
        self.packets.remove(packet)
        if self.clock.true_s < packet.until:
            self._do(packet.tool, packet.arguments, packet.by)

    def under_way(self) -> list[Packet]:
        return [packet for packet in self.packets if self.clock.true_s < packet.until]

    # ---- the wire

    def tools(self, *, timeout_s: float) -> frozenset[str]:
        return frozenset(TOOLS)

    def call(self, tool: str, arguments: Json, *, timeout_s: float, abandoned: Callable[[], bool] | None = None) -> Any:
        blow = self.workers.call()
        with self.workers.aside():
            by = self.eyes.leaves(tool, arguments)
        packet = Packet(tool, dict(arguments), by, self.clock.true_s + timeout_s)
        if blow is not None and blow.where == "flying":
            self._fly(packet)
            self.workers.die(frozen=blow.frozen)
        self._happen()
        try:
            answer = self._answer(packet, timeout_s=timeout_s)
        except EffectError:
            if blow is not None:
                self.workers.die(frozen=blow.frozen)
            raise
        if blow is not None:
            self.workers.die(frozen=blow.frozen)
        return answer

    def _happen(self) -> None:
        todo, self.meanwhile = self.meanwhile, []
        for act in todo:
            self.workers.run(act)

    def _fly(self, packet: Packet) -> None:
        if packet.tool in CHANGING:
            self.packets.append(packet)

    def _answer(self, packet: Packet, *, timeout_s: float) -> Any:
        state = self.account.state
        if any(rule.meets("initialize") for rule in state.rules):
            raise NotSentError("no_session")
        if self.account.switches.auth != "ok":
            raise SignInNeededError
        if self.stray == packet.tool:
            self.stray = None
            self._fly(packet)
            raise NoAnswerError("closed")
        rules = faults.pick(state.rules, method="tools/call", tool=packet.tool)
        told = next(self._strikes(rules, "before", packet.tool, timeout_s), None)
        if told is not None:
            return told
        form = next((rule.form for rule in rules if rule.kind == "form" and rule.form), self.account.switches.form)
        envelope, prose = self._do(packet.tool, packet.arguments, packet.by)
        told = next(self._strikes(rules, "after", packet.tool, timeout_s), None)
        if told is not None:
            return told
        if self.frozen is not None and self.frozen[0] in (packet.tool, "*") and _is_last_change(packet):
            (_, others), self.frozen = self.frozen, None
            others()
        return forms.render(envelope, prose=prose, form=form, tool=packet.tool)

    def _do(self, tool: str, arguments: dict[str, Any], by: Any) -> tuple[dict[str, Any], str]:
        """The effect itself, as ``sandbox.protocol`` makes it."""
        calls = self.account.state.calls
        call = Call(n=len(calls) + 1, tool=tool, arguments=arguments, at=self.account.now())
        calls.append(call)
        try:
            TOOLS[tool].check(arguments)
            given: Any = TOOLS[tool].run(self.account, arguments, call)
            answer: Answer = _ended(given) if inspect.iscoroutine(given) else given
            found = forms.success(answer.data, answer.message), answer.prose
            call.outcome = "done"
        except RefusalError as refused:
            found = forms.failure(str(refused)), f"Error: {refused}"
            call.outcome, call.message = "refused", str(refused)
        if tool == "get_cart":
            self.meddled = False
        if tool in CHANGING:
            self.touched = tool == "confirm_order"  # which may place the order, and empty the cart
        with self.workers.aside():
            self.eyes.lands(tool, arguments, by, call)
        return found

    def _strikes(self, rules: list[faults.Rule], where: str, tool: str, timeout_s: float) -> Iterator[Any]:
        for rule in (rule for rule in rules if rule.where == where and rule.kind != "form"):
            if rule.kind == "slow":
                self._wait(min(rule.seconds, timeout_s - 0.5))
                continue
            yield self._wrong(rule, tool, timeout_s)

    def _wrong(self, rule: faults.Rule, tool: str, timeout_s: float) -> Any:
        """What the caller gets instead of the answer; what ``failures`` makes of the same on the wire."""
        if rule.kind == "hang":
            self._wait(timeout_s)
        if rule.kind in NEVER_ANSWERED:
            raise NoAnswerError(NEVER_ANSWERED[rule.kind])
        if rule.kind in ("malformed", "empty"):
            raise StrangeAnswerError("malformed")
        if rule.kind == "status" and rule.status == 429:
            raise TurnedDownError("rate_limited", retry_after_s=rule.retry_after)
        if rule.kind in ("status", "rpc_error"):
            raise NoAnswerError("server_error")
        if rule.kind == "is_error":
            return forms.error(rule.message)
        return forms.render(forms.failure(rule.message), prose=f"Error: {rule.message}", form="structured", tool=tool)

    def _wait(self, seconds: float) -> None:
        with self.workers.aside():
            self.clock.forward(seconds)


def _is_last_change(packet: Packet) -> bool:
    """Whether a holder that slept over this answer sends nothing more that changes anything.

    One that would is killed by the watchdog as it wakes; here nobody would stop it.
    """
    effect = getattr(packet.by, "effect", "")
    return packet.tool in CHANGING or effect not in ("write", "clear")


def _ended(coroutine: Any) -> Any:
    """Run a tool that would wait; without a time to hold a poll it ends at once."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise Killed("a tool of the sandbox waits; set hold_s to 0")
