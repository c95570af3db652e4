"""Two workers, one session: one of them holds it, nothing is handled twice or out of order, and no wake-up is lost."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from interactions import leases, processes, turns
from interactions.contracts import Reply, Step
from interactions.leases import Lease
from interactions.models import InboxItem, InteractionSession
from tests.support import talk
from tests.support.interleave import BOUND_S, Stage
from tests.support.scripted import Script
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session(script: Script, kitchen: Any) -> int:
    talk.say(kitchen.device, "open scripted")
    script.events.clear()
    return talk.session_of(kitchen.device).pk


def naive_claim(session: int) -> Lease | None:
    """Read that nobody holds it, then take it."""
    row = InteractionSession.objects.get(pk=session)
    if row.lease_until is not None:
        return None
    lease = Lease(session, processes.name(), row.fence + 1)
    taken = InteractionSession.objects.filter(pk=session)
    taken.update(lease_owner=lease.owner, lease_until=leases._from_now(leases.short_s()), fence=lease.fence)
    return lease


def naive_release(lease: Lease) -> bool:
    """Look whether anything waits, then let go; two statements that nothing holds together."""
    if InboxItem.objects.filter(session=lease.session, status="waiting").exists():
        return False
    leases.release(lease, pending=False)
    return True


def both_see_it_free(stage: Stage, session: int, claim: Callable[[int], Lease | None]) -> list[Lease | None]:
    workers = [stage.act(lambda: claim(session)) for _ in range(2)]
    halts = [worker.halt_before(processes, "name") for worker in workers]
    for worker, halt in zip(workers, halts, strict=True):
        worker.to(halt)
    for halt in halts:
        halt.go()
    return [worker.end() for worker in workers]


def test_control_to_read_and_then_take_makes_two_holders(stage: Stage, session: int) -> None:
    assert None not in both_see_it_free(stage, session, naive_claim)


@pytest.mark.promise("P204")
def test_of_two_workers_that_both_see_the_session_free_one_holds_it(stage: Stage, session: int) -> None:
    assert both_see_it_free(stage, session, leases.claim).count(None) == 1


def test_control_to_look_and_then_let_go_leaves_what_came_between_to_nobody(
    stage: Stage, session: int, script: Script, kitchen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "release_if_idle", naive_release)
    monkeypatch.setattr(leases, "release_if_unchanged", lambda *_, **__: False)
    worker = stage.act(lambda: turns.drain(session))
    worker.to(halt := worker.halt_before(leases, "release"))
    talk.post(kitchen.device, "milk")
    turns.drain(session)  # its doorbell finds the session taken
    halt.go()
    worker.end()
    assert InboxItem.objects.filter(session=session, status="waiting").count() == 1
    assert not InteractionSession.objects.get(pk=session).work_pending, "nobody will ever ring for it"


@pytest.mark.promise("P204")
@pytest.mark.parametrize("letting_go", ["release_if_unchanged", "release_if_idle"])
def test_what_comes_in_before_a_worker_lets_go_is_handled_by_it(
    stage: Stage, session: int, script: Script, kitchen: Any, letting_go: str
) -> None:
    before = ["bread"] if letting_go == "release_if_unchanged" else []  # the short way out, after a turn that was alone
    for text in before:
        talk.post(kitchen.device, text)
    worker = stage.act(lambda: turns.drain(session))
    worker.to(halt := worker.halt_before(leases, letting_go))
    talk.post(kitchen.device, "milk")
    turns.drain(session)  # its doorbell finds the session taken
    halt.go()
    worker.end()
    assert script.heard() == [*before, "milk"]
    assert not InteractionSession.objects.get(pk=session).work_pending


@pytest.mark.promise("P204")
def test_what_comes_in_during_the_release_waits_for_it_and_is_left_pending(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    worker = stage.act(lambda: turns.drain(session))
    worker.to(letting_go := worker.halt_after(leases, "guard"))
    device = stage.act(lambda: talk.post(kitchen.device, "milk")).start()
    device.is_blocked()
    letting_go.go()
    worker.end()
    device.end()
    assert InteractionSession.objects.get(pk=session).work_pending
    turns.drain(session)
    assert script.heard() == ["milk"]


# ---- E11 ----------------------------------------------------------------------------------------------------------------


def basket(standing: Any, event: Any) -> Step:
    """What was said last stands: its order is its meaning."""
    verb, _, what = event.text.partition(" ")
    kept = [one for one in standing.state["basket"] if one != what]
    said = [*standing.state["said"], event.text]
    return Step(state={"basket": [*kept, what] if verb == "add" else kept, "said": said}, say=(Reply("ok"),))


def naive_turn(session: int, text: str) -> None:
    """Each worker takes a message of its own, and keeps the session to nobody."""
    standing = InteractionSession.objects.get(pk=session)
    store(session, basket(standing, SimpleNamespace(text=text)).state)


def store(session: int, state: Any) -> None:
    InteractionSession.objects.filter(pk=session).update(state=state)


@pytest.mark.case("E11")
def test_control_two_workers_with_a_message_each_undo_what_the_other_did(stage: Stage, session: int) -> None:
    store(session, {"basket": [], "said": []})
    add, remove = (stage.act(lambda text=text: naive_turn(session, text)) for text in ("add milk", "remove milk"))
    add.to(halt := add.halt_before(sys.modules[__name__], "store"))
    remove.start().end()
    halt.go()
    add.end()
    assert InteractionSession.objects.get(pk=session).state["basket"] == ["milk"], "said last: remove milk"


@pytest.mark.case("E11")
@pytest.mark.promise("P204")
def test_add_and_remove_with_four_workers_are_handled_one_after_the_other(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    store(session, {"basket": [], "said": []})
    script.decide = basket
    spoken = [f"{verb} {what}" for what in ("milk", "bread", "eggs", "rice", "salt") for verb in ("add", "remove")]
    left = threading.Event()

    def speak() -> None:
        for text in spoken:
            talk.post(kitchen.device, text)
        wait_until(lambda: not InteractionSession.objects.get(pk=session).work_pending, BOUND_S, "all is handled")
        left.set()

    def work() -> None:
        while not left.is_set():
            turns.drain(session)

    stage.together(speak, *[work] * 4)
    assert InteractionSession.objects.get(pk=session).state == {"basket": [], "said": spoken}
    assert script.heard() == spoken
    assert set(InboxItem.objects.filter(session=session).values_list("status", "attempts")) == {("done", 1)}
