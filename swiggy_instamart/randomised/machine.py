"""What may happen, for hypothesis to draw from: it chooses, it makes what failed smaller, and it prints it as a list of acts.

Each rule is one act of the world. Some are there more than once, since a run that never orders anything shows little.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from swiggy_instamart.randomised import rest, stage, vocabulary
from swiggy_instamart.randomised.world import World

PLACES = st.sampled_from((0, 0, 0, 1, 2, 3))
AT_SHOP = st.sampled_from((0, 0, 2))
WORDS = st.sampled_from(vocabulary.ANYTIME)
LISTENING = st.sampled_from(("full", "full", *vocabulary.LISTENING))
TOOLS = st.sampled_from(vocabulary.TOOLS)


class ViolationError(AssertionError):
    """Something that must hold did not; ``trace`` is what had happened by then."""

    def __init__(self, problems: list[str], trace: list[tuple[str, dict[str, Any]]]) -> None:
        super().__init__("; ".join(problems))
        self.problems, self.trace = problems, trace


class Tally:
    """What all the runs of a process amount to."""

    def __init__(self) -> None:
        self.turns = self.runs = self.orders = self.deaths = 0

    def add(self, world: World) -> None:
        self.turns += world.household.turns
        self.runs += 1
        self.orders += len(world.shop.account.state.orders)
        self.deaths += world.workers.deaths

    def figures(self) -> dict[str, int]:
        return {"turns": self.turns, "days": self.runs, "orders": self.orders, "deaths": self.deaths}


class Day(RuleBasedStateMachine):
    """One household's day, from an empty database to its end."""

    tally: ClassVar[Tally] = Tally()

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.world = self.stack.enter_context(stage.fresh())

    def act(self, name: str, **arguments: Any) -> None:
        self.world.act(name, **arguments)

    @invariant()
    def nothing_is_wrong(self) -> None:
        check(self.world)

    def teardown(self) -> None:
        try:
            if not self.world.problems:
                rest.day_ends(self.world)
                check(self.world)
        finally:
            self.tally.add(self.world)
            self.stack.close()

    # ---- people

    @initialize(at=AT_SHOP, until=st.sampled_from(("awaiting_confirmation", "awaiting_payment", "filled")))
    def begin(self, at: int, until: str) -> None:
        self.act("shop", at=at, until=until)

    @rule(at=AT_SHOP, until=st.sampled_from(("awaiting_payment", "awaiting_confirmation", "filled")))
    def shop(self, at: int, until: str) -> None:
        self.act("shop", at=at, until=until)

    @rule(at=PLACES, turn=st.integers(0, 9), listen=LISTENING)
    def onward(self, at: int, turn: int, listen: str) -> None:
        self.act("onward", at=at, turn=turn, listen=listen)

    @rule(at=AT_SHOP, turn=st.sampled_from((0, 0, 1)))
    def onward_well(self, at: int, turn: int) -> None:
        self.act("onward", at=at, turn=turn)

    @rule(at=PLACES, text=WORDS, listen=LISTENING)
    def say(self, at: int, text: str, listen: str) -> None:
        self.act("say", at=at, text=text, listen=listen)

    @rule(
        at=PLACES,
        text=st.sampled_from(("confirm order", "confirm order", "yes", "stop", "complete order", "option 1")),
        listen=st.sampled_from(vocabulary.LISTENING),
        source=st.sampled_from(vocabulary.SOURCES),
        naming=st.sampled_from(("latest", "older", "wrong")),
        age_ms=st.sampled_from((0, 500, 4000, 9000, 12_000, 40_000)),
        confidence=st.sampled_from((None, 0.95, 0.4)),
        claims=st.booleans(),
    )
    def say_oddly(self, **how: Any) -> None:
        self.act("say", **how)

    @rule(at=PLACES, text=WORDS, number=st.sampled_from((1, 2, 0, -1, -2)))
    def say_numbered(self, at: int, text: str, number: int) -> None:
        self.act("say", at=at, text=text, number=number, listen="silent")

    @rule(at=PLACES, how=st.sampled_from(("same", "rekeyed", "twin", "longer")))
    def again(self, at: int, how: str) -> None:
        self.act("again", at=at, how=how)

    @rule(at=PLACES, text=WORDS)
    def meanwhile(self, at: int, text: str) -> None:
        self.act("meanwhile", at=at, text=text)

    @rule(at=AT_SHOP)
    def end(self, at: int) -> None:
        self.act("end", at=at)

    # ---- workers

    @rule(which=st.integers(0, 3), twice=st.booleans(), lost=st.booleans())
    def ring(self, which: int, twice: bool, lost: bool) -> None:
        self.act("ring", which=which, twice=twice, lost=lost)

    @rule()
    def work(self) -> None:
        self.act("work")

    @rule(which=st.integers(0, 3), effects=st.booleans())
    def drain(self, which: int, effects: bool) -> None:
        self.act("drain", which=which, effects=effects)

    @rule()
    def beat(self) -> None:
        self.act("beat")

    @rule(left=st.integers(1, 60), frozen=st.booleans())
    def blow_at_a_statement(self, left: int, frozen: bool) -> None:
        self.act("blow", at="statement", left=left, frozen=frozen)

    @rule(left=st.integers(1, 4), where=st.sampled_from(("before", "lost", "flying")), frozen=st.booleans())
    def blow_at_a_call(self, left: int, where: str, frozen: bool) -> None:
        self.act("blow", at="call", left=left, where=where, frozen=frozen)

    @rule(tool=TOOLS)
    def freeze(self, tool: str) -> None:
        self.act("freeze", tool=tool)

    # ---- time and the shop

    @rule(seconds=st.sampled_from((1.0, 6.0, 16.0, 45.0, 130.0, 400.0)))
    def wait(self, seconds: float) -> None:
        self.act("wait", seconds=seconds)
        self.act("beat")

    @rule(seconds=st.sampled_from((0.4, 2.0, 8.0)))
    def set_back(self, seconds: float) -> None:
        self.act("set_back", seconds=seconds)

    @rule(tool=TOOLS, kind=st.sampled_from(vocabulary.KINDS), where=st.sampled_from(("before", "after")))
    def fault(self, tool: str, kind: str, where: str) -> None:
        more: dict[str, Any] = {"form": "prose_json"} if kind == "form" else {"seconds": 8.0} if kind == "slow" else {}
        self.act("fault", tool=tool, kind=kind, where=where, **more)

    @rule(kind=st.sampled_from(vocabulary.KINDS), where=st.sampled_from(("before", "after")))
    def fault_at_the_checkout(self, kind: str, where: str) -> None:
        self.fault("checkout", kind, where)

    @rule(tool=TOOLS.filter(lambda tool: tool != "*"))
    def unreachable(self, tool: str) -> None:
        self.act("fault", tool="initialize", kind="drop", where="before", times=2)

    @rule(out=st.booleans())
    def signed_out(self, out: bool) -> None:
        self.act("signed_out", out=out)

    @rule(fail=st.booleans())
    def notices(self, fail: bool) -> None:
        self.act("notices", fail=fail)

    @rule(find=st.sampled_from(("", *vocabulary.STOCK)), quantity=st.integers(0, 3))
    def foreign(self, find: str, quantity: int) -> None:
        self.act("foreign", find=find, quantity=quantity)

    @rule(find=st.sampled_from(vocabulary.STOCK), in_stock=st.booleans(), rupees=st.integers(10, 90))
    def stock(self, find: str, in_stock: bool, rupees: int) -> None:
        self.act("stock", find=find, in_stock=in_stock, price_paise=rupees * 100)

    @rule(state=st.sampled_from(vocabulary.PAYMENTS), confirmed=st.booleans())
    def pay(self, state: str, confirmed: bool) -> None:
        self.act("pay", state=state, confirmed=confirmed)

    @rule(which=st.integers(0, 2))
    def land(self, which: int) -> None:
        self.act("land", which=which)


def check(world: World) -> None:
    """Raise what the world has to complain of."""
    if world.problems:
        raise ViolationError(world.problems, world.trace)
