"""The whole stack in one process, and everything that can be done to it: one method for each thing that happens.

An act is a name and plain arguments, so that a run is a list that can be kept, made smaller and played again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from celery import current_app

from interactions import clock, sessions, sweep, tasks
from interactions.contracts import Call, Json
from interactions.models import InteractionSession
from interactions.plugins import ActionResult
from swiggy_instamart import lookups, payments
from swiggy_instamart.randomised import vocabulary
from swiggy_instamart.randomised.clock import Clock
from swiggy_instamart.randomised.household import Household, Place
from swiggy_instamart.randomised.shop import Eyes, Shop
from swiggy_instamart.randomised.wire import Poll, Wire
from swiggy_instamart.randomised.workers import Blow, Workers
from swiggy_instamart.shop import Swiggy

assert tasks  # so that every task is known by its name

MOST_BELLS = 80  # rung because of those that wait already, before something is going round in circles
LEASE_ENDS_S = 80.0  # longer than any lease over a call


class World:
    """One household and its shop, from the first word on."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.trace: list[tuple[str, dict[str, Any]]] = []
        self.workers = Workers()
        self.clock = Clock(self.workers.may_hold)
        self.wire = Wire(self.clock, self.complain)
        self.shop = Shop(self.clock, self.workers, Eyes(self.wire.leaves, self.wire.lands))
        self.wire.shop = self.shop
        self.household = Household(self.clock, self.complain, self.wire.heard, self.workers.run)
        self.wire.linked = self.household.linked
        self.bells: list[tuple[str, int]] = []
        self.notices_fail = False
        self.moved: set[str] = set()  # orders whose payment was taken back after it was made

    def complain(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def act(self, name: str, **arguments: Any) -> None:
        """Do one thing, and remember that it was done."""
        self.trace.append((name, arguments))
        getattr(self, f"do_{name}")(**arguments)

    # ---- what the product is given in place of what it has

    def ring(self, task: str, row: int | str, *, queue: str | None = None) -> bool:
        if isinstance(row, int):
            self.bells.append((task, row))
        return True

    def swiggy(self) -> Swiggy:
        return Swiggy(self.shop)

    def perform(self, real: Callable[..., Json], mode: Any, call: Call) -> Json:
        self.wire.by.append(call)
        try:
            return real(mode, call)
        finally:
            self.wire.by.pop()

    def call_plugin(self, plugin: str, action: str, data: Json) -> ActionResult:
        if action == "notify":
            self.workers.call()
            return ActionResult(ok=not self.notices_fail, error="http_500" if self.notices_fail else "")
        return ActionResult(ok=True)

    # ---- people

    def place(self, at: int) -> Place:
        return self.household.places[at % len(self.household.places)]

    def phase(self, place: Place) -> str:
        """Where the talk at this device stands, finer than the machine's phases."""
        session = self.household.session(place)
        if session is None:
            return ""
        if session.phase == "shopping":
            cart = session.state.get("cart") or {}
            return "choosing" if session.state.get("offers") else "filled" if cart.get("lines") else "shopping"
        return session.phase if session.phase in vocabulary.ONWARD else "shopping"

    def do_onward(self, at: int, turn: int = 0, **how: Any) -> None:
        """What leads on from here, and the work that it makes."""
        place = self.place(at)
        words = vocabulary.ONWARD[self.phase(place)]
        self.household.say(place, words[turn % len(words)], **how)
        self.do_work()

    def do_shop(self, at: int, until: str) -> None:
        """The straight road to a phase."""
        place = self.place(at)
        for _ in range(9):
            phase = self.phase(place)
            if phase == until or phase in ("awaiting_payment", "checkout_outcome_unknown"):
                break
            if phase == "awaiting_confirmation" and until != "awaiting_payment":
                break
            self.household.say(place, vocabulary.ONWARD[phase][0])
            self.do_work()

    def do_say(self, at: int, text: str, **how: Any) -> None:
        """Said, and not handled yet."""
        self.household.say(self.place(at), text, **how)

    def do_again(self, at: int, how: str) -> None:
        self.household.again(self.place(at), how)

    def do_listen(self, at: int, how: str) -> None:
        self.household.listen(self.place(at), how)

    def do_meanwhile(self, at: int, text: str) -> None:
        """Said while the next call is under way."""
        self.shop.meanwhile.append(partial(self.household.say, self.place(at), text, listen="silent"))

    def do_end(self, at: int) -> None:
        """The operator ends the session."""
        session = self.household.session(self.place(at))
        if session is not None:
            sessions.add(session.pk, kind="end", at=clock.now(), data={"by": "operator"})

    # ---- workers

    def do_ring(self, which: int, twice: bool = False, lost: bool = False) -> None:
        """One doorbell is answered out of turn, is answered and kept, or is lost."""
        if not self.bells:
            return
        task, row = self.bells[which % len(self.bells)]
        if not twice:
            self.bells.remove((task, row))
        if not lost:
            self.job(task, row)

    def do_work(self) -> None:
        """Every doorbell in its order, until it is quiet."""
        for _ in range(len(self.bells) + MOST_BELLS):
            if not self.bells:
                return
            self.job(*self.bells.pop(0))
        self.complain(f"no rest: {self.bells[:4]} rings on and on")
        self.bells.clear()

    def do_drain(self, which: int, effects: bool) -> None:
        """Somebody drains a session that nobody rang for."""
        found = list(InteractionSession.objects.order_by("pk").values_list("pk", flat=True))
        if found:
            self.job("interactions.perform" if effects else "interactions.drain", found[which % len(found)])

    def do_beat(self) -> None:
        self.workers.run(lambda: sweep.tick(clock.now()))

    def do_blow(self, at: str, left: int, where: str = "before", frozen: bool = False) -> None:
        """A worker will die, or freeze for good."""
        self.workers.blow = Blow(at, left, where, frozen)

    def do_freeze(self, tool: str = "*") -> None:
        """The holder of the next such call sleeps over its answer, others take over, and then it goes on."""
        self.shop.frozen = (tool, self._others)

    def _others(self) -> None:
        self.clock.forward(LEASE_ENDS_S)
        self.do_beat()
        self.do_work()

    def job(self, task: str, row: int) -> None:
        by = [Poll(task, row)] if task in (payments.POLL, lookups.LOOK) else []
        before, self.wire.by = self.wire.by, [*by]
        try:
            self.workers.run(lambda: current_app.tasks[task](row))
        except Exception as error:  # noqa: BLE001  the edge of a task: nothing may come this far
            self.complain(f"{task} raised {type(error).__name__}: {error}")
        finally:
            self.wire.by = before

    # ---- time and the shop

    def do_wait(self, seconds: float) -> None:
        self.clock.forward(seconds)

    def do_set_back(self, seconds: float) -> None:
        self.clock.set_back(seconds)

    def do_fault(self, **rule: Any) -> None:
        self.shop.fault(rule)

    def do_signed_out(self, out: bool) -> None:
        self.shop.account.switches.auth = "revoked" if out else "ok"

    def do_notices(self, fail: bool) -> None:
        self.notices_fail = fail

    def do_foreign(self, find: str, quantity: int) -> None:
        """Somebody else changes the cart; nothing else happens."""
        from swiggy_instamart.sandbox.control import CartEdit

        edit: dict[str, Any] = {"lines": [{"find": find, "quantity": quantity}]} if find else {"action": "clear"}
        self.shop.meddle(lambda: self.shop.control.cart(CartEdit.model_validate(edit)))

    def do_stock(self, find: str, in_stock: bool, price_paise: int) -> None:
        from swiggy_instamart.sandbox.control import CatalogueEdit

        edit = {"find": find, "in_stock": in_stock, "price_paise": price_paise}
        self.shop.meddle(lambda: self.shop.control.catalogue(CatalogueEdit.model_validate(edit)))

    def do_pay(self, state: str, confirmed: bool) -> None:
        from swiggy_instamart.sandbox.control import PaymentMove

        if self.shop.account.state.orders:
            last = self.shop.account.state.orders[-1]
            if last.paid:
                self.moved.add(last.id)
            self.shop.meddle(lambda: self.shop.control.payment(PaymentMove(state=state, confirmed=confirmed)))

    def do_land(self, which: int) -> None:
        """A request that was given up arrives after all."""
        if self.shop.packets:
            self.shop.land(self.shop.packets[which % len(self.shop.packets)])
