"""Two devices of one person and one shop account: one order is open, the other device is told where, and no late write of a
sender that is gone gets between a review and its checkout."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from interactions import turns
from interactions.models import InteractionSession
from swiggy_instamart import accounts
from swiggy_instamart.models import Account, Order
from swiggy_instamart.shop import Swiggy
from tests.support import talk
from tests.support.interleave import Stage, without
from tests.support.shop import Till

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def till_in_the_hall(till: Till, hall: Any) -> Till:
    return Till(hall.device, till.sandbox, till.patch)


def opened(till: Till) -> Callable[[], str]:
    return lambda: " ".join(
        talk.say(till.device, "order swiggy", source="typed")
    )  # by hand, or both would have heard one voice


# ---- one order ----------------------------------------------------------------------------------------------------------


@pytest.mark.postgres  # SQLite lets one transaction in at a time
def test_control_to_look_for_an_open_order_and_then_open_one_opens_two(
    stage: Stage, till: Till, till_in_the_hall: Till
) -> None:
    with without((Order, "order_one_open")):
        kitchen, hall = (stage.act(opened(one)) for one in (till, till_in_the_hall))
        halts = [act.halt_after(accounts, "open_order") for act in (kitchen, hall)]
        kitchen.to(halts[0])
        hall.to(halts[1])
        for halt in halts:
            halt.go()
        kitchen.end()
        hall.end()
        assert Order.objects.filter(closed_at=None).count() == 2


@pytest.mark.promise("P205", "P229", "P204")
def test_of_two_devices_that_open_at_once_one_waits_and_is_told_where_the_order_is(
    stage: Stage, till: Till, till_in_the_hall: Till
) -> None:
    kitchen, hall = (stage.act(opened(one)) for one in (till, till_in_the_hall))
    kitchen.to(opening := kitchen.halt_after(accounts, "open_order"))
    hall.start().is_blocked()
    opening.go()
    kitchen.end()
    assert "already open at kitchen" in hall.end()
    assert Order.objects.get(closed_at=None).session_id == talk.session_of(till.device).pk


@pytest.mark.promise("P205", "P204")
def test_however_two_devices_open_one_has_the_order_and_the_other_knows_where(
    stage: Stage, till: Till, till_in_the_hall: Till
) -> None:
    for _ in range(3):
        said = stage.together(opened(till), opened(till_in_the_hall))
        names = ("kitchen", "hall")
        [at] = [names.index(name) for name in names if any(f"already open at {name}" in one for one in said)]
        assert f"already open at {names[at]}" in said[1 - at]
        assert Order.objects.filter(closed_at=None).count() == 1
        for one in (till, till_in_the_hall):
            one.say("cancel order")
        assert not Order.objects.filter(closed_at=None).exists()


# ---- one cart -----------------------------------------------------------------------------------------------------------


def land(till: Till) -> None:
    """What was on its way all the time arrives at the shop."""
    till.sandbox.cart([{"find": "eggs", "quantity": 5}])


def test_control_a_checkout_that_does_not_wait_for_an_old_write_buys_what_nobody_reviewed(
    stage: Stage, till: Till, asha: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "check_quiet", lambda *_, **__: None)
    session = till.to_phrase()
    accounts.keep_quiet(asha.pk, until=timezone.now() + timedelta(seconds=5))
    worker = stage.act(lambda: turns.drain(session))
    worker.to(calling := worker.halt_before(Swiggy, "checkout"))
    land(till)
    calling.go()
    worker.end()
    assert (till.intent.billed_paise or 0) > till.intent.total_paise


@pytest.mark.promise("P120", "P264")
def test_no_checkout_is_made_while_an_old_write_may_still_land(stage: Stage, till: Till, asha: Any) -> None:
    session = till.to_phrase()
    accounts.keep_quiet(asha.pk, until=timezone.now() + timedelta(seconds=5))
    worker = stage.act(lambda: turns.drain(session))
    worker.to(reading := worker.halt_before(accounts, "check_quiet"))
    land(till)
    reading.go()
    worker.end()
    assert till.sandbox.calls("checkout") == []
    Account.objects.update(quiet_until=None)
    InteractionSession.objects.update(not_before=None)
    till.handle()
    assert till.sandbox.calls("checkout") == [], "and the cart that is read then is not the one that was reviewed"
    assert till.phase == "shopping"


@pytest.mark.promise("P120", "P264", "P205", "P204")
def test_a_write_under_way_keeps_the_account_from_the_other_device_until_it_cannot_land_any_more(
    stage: Stage, till: Till, till_in_the_hall: Till
) -> None:
    till.to_shopping()
    till.say("milk")
    till.show()
    talk.post(till.device, "option 1", source="typed")
    session = talk.session_of(till.device).pk
    frozen = stage.act(lambda: turns.drain(session))
    frozen.to(writing := frozen.halt_before(Swiggy, "update_cart"))
    InteractionSession.objects.filter(pk=session).update(lease_until=timezone.now())
    talk.post(till.device, "cancel order", source="typed")
    till.handle()  # another worker: nothing may be written or let go of yet
    assert "already open at kitchen" in opened(till_in_the_hall)()
    writing.go()  # it lands late, and its sender is nobody any more
    frozen.end()
    Account.objects.update(quiet_until=None)
    InteractionSession.objects.update(not_before=None)
    till.handle()
    assert [len(till.sandbox.calls(tool)) for tool in ("update_cart", "checkout")] == [1, 0]
    assert till.reason == "cancelled"
    assert not Order.objects.filter(closed_at=None).exists()
