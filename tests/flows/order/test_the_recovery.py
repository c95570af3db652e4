"""A power cut, a restore, a failover: the shop remembers what the database forgot, and nothing is bought twice for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction

from interactions import clock as host_clock
from interactions import recovery as host_recovery
from interactions import turns
from interactions.models import Alarm, InteractionSession
from swiggy_instamart import lookups, recovery
from swiggy_instamart.models import CheckoutIntent, IntentEvent, Order, PaymentWatch, Recovery, StrayOrder
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Clock, Ledger, Money, Speaker

pytestmark = [pytest.mark.django_db, pytest.mark.promise("P263")]

UNKNOWN = "I don't know whether it was placed, please check Swiggy."
STRAY = "Swiggy lists an order of ₹108 from "


@contextmanager
def forgotten() -> Iterator[None]:
    """What happens in here the shop remembers, and the database does not."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def recover() -> host_recovery.Report:
    report = host_recovery.recover(host_clock.now())
    assert report.faults == ()
    return report


def forget(speaker: Speaker) -> None:
    """The device too is where it was."""
    speaker.cursor = speaker.owned.device.__class__.objects.get(pk=speaker.owned.device.pk).event_seq
    speaker.unplayed = []


def dying(monkeypatch: pytest.MonkeyPatch, effect: str) -> None:
    """The worker dies between the outcome of this effect and the step that takes it."""
    take = turns._take

    def die(lease: Any, work: Any, mode: Any, **more: Any) -> bool:
        if work.checkpoint is not None and work.checkpoint.effect == effect:
            monkeypatch.setattr(turns, "_take", take)
            raise KeyboardInterrupt
        return take(lease, work, mode, **more)

    monkeypatch.setattr(turns, "_take", die)


# ---- a review that was spent, and looks as if it was not ----------------------------------------------------------------


def test_the_danger_is_real_without_a_recovery_the_same_basket_is_bought_twice(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    with forgotten():
        asha_speaks.say("confirm order")
    asha_speaks.clock.forward(5)
    asha_speaks.post("confirm order")
    asha_speaks.work()
    assert ledger.money == Money(checkouts=2, orders=2, confirms=0)


@pytest.mark.promise("P263", "P241", "P154")
def test_a_review_is_void_and_the_order_is_found_and_told_before_anything_can_be_ordered(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    with forgotten():
        asha_speaks.say("confirm order")
    forget(asha_speaks)
    assert ledger.money == Money(1, 1, 0)
    looks = ledger.count("get_orders")
    recover()
    said = asha_speaks.hear()
    assert "an order may have been placed that I do not know of. What I read back no longer counts." in said
    assert "please check Swiggy too" in said
    assert ledger.count("get_orders") == looks, "said before anything is looked up"
    assert "nothing to confirm" in asha_speaks.say("confirm order")
    assert "I will not order anything before that has ended" in asha_speaks.say("complete order")
    assert STRAY in asha_speaks.wait_for_search()
    assert asha_speaks.wait_for_search() == "", "told once"
    assert "proves nothing" in asha_speaks.wait_for_search(200)
    said = asha_speaks.say("complete order")
    assert said.startswith("An order of ₹108 from ")
    assert ledger.money == Money(1, 1, 0)
    assert StrayOrder.objects.get().told_at is not None
    assert Alarm.objects.filter(cause__startswith="stray:").count() == 1


def test_a_look_that_came_just_before_the_call_spends_nothing_after_the_recovery(
    asha_speaks: Speaker, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha_speaks.to_review()
    dying(monkeypatch, "recheck")
    with pytest.raises(KeyboardInterrupt):
        asha_speaks.say("confirm order")
    with forgotten():
        InteractionSession.objects.update(lease_until=None, lease_owner="")
        asha_speaks.work()
    assert ledger.money == Money(1, 1, 0)
    forget(asha_speaks)
    recover()
    asha_speaks.work()
    assert ledger.money == Money(1, 1, 0)
    assert asha_speaks.phase == "shopping"
    assert STRAY in asha_speaks.wait_for_search()


@pytest.mark.promise("P263")
def test_words_that_waited_and_a_review_that_was_being_read_spend_nothing(
    asha_speaks: Speaker, ledger: Ledger, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha_speaks.to_shopping()
    sandbox.cart([{"find": "toned milk", "quantity": 2}])
    dying(monkeypatch, "review")
    with pytest.raises(KeyboardInterrupt):
        asha_speaks.say("complete order")
    asha_speaks.post("confirm order")
    recover()
    asha_speaks.work()
    said = asha_speaks.hear()
    assert "I will not order anything before that has ended" in said
    assert "nothing to confirm" in said
    assert ledger.money == NOTHING


# ---- more than one commit lost ------------------------------------------------------------------------------------------


@pytest.mark.promise("P241")
def test_an_order_of_a_session_that_was_forgotten_whole_is_told_before_the_next_review(
    asha_speaks: Speaker, ledger: Ledger, sandbox: SandboxProcess
) -> None:
    with forgotten():
        asha_speaks.to_review()
        asha_speaks.say("confirm order")
    forget(asha_speaks)
    assert not Order.objects.exists()
    recover()
    asha_speaks.to_shopping()
    sandbox.cart([{"find": "toned milk", "quantity": 2}])
    assert "I will not order anything before that has ended" in asha_speaks.say("complete order")
    assert STRAY in asha_speaks.wait_for_search()
    asha_speaks.wait_for_search(200)
    sandbox.cart([{"find": "toned milk", "quantity": 2}])
    said = asha_speaks.say("complete order")
    assert said.startswith("An order of ₹108 from ")
    assert "I was still reading" in asha_speaks.say("confirm order", listened=False)
    assert ledger.money == Money(1, 1, 0)
    asha_speaks.say("confirm order")
    assert ledger.money == Money(2, 2, 0), "with it heard, they may"


def test_where_nobody_is_ordering_it_is_told_where_its_person_was_last(asha_speaks: Speaker) -> None:
    with forgotten():
        asha_speaks.to_review()
        asha_speaks.say("confirm order")
    forget(asha_speaks)
    recover()
    assert STRAY in asha_speaks.wait_for_search()
    assert asha_speaks.wait_for_search(200) == ""


@pytest.mark.promise("P263", "P241")
def test_what_no_list_shows_may_exist_all_the_same_and_opens_the_next_review(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    recover()
    sandbox.settings(orders_stale=True)
    asha_speaks.wait_for_search()
    assert "I have looked at your Swiggy orders. That proves nothing" in asha_speaks.wait_for_search(200)
    said = asha_speaks.say("complete order")
    assert said.startswith("I was interrupted around ")
    assert "may have forgotten an order; please check Swiggy. Your order: 2 x" in said
    asha_speaks.say("confirm order")
    assert ledger.money == Money(1, 1, 0)
    assert recovery.may_exist(asha_speaks.owned.device.owner_id or 0, now=host_clock.now()) == []


@pytest.mark.promise("P241")
def test_a_search_that_can_read_nothing_ends_all_the_same_and_says_so(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    asha_speaks.to_review()
    recover()
    sandbox.faults([{"tool": "get_orders", "kind": "status", "status": 500}])
    asha_speaks.wait_for_search()
    assert "I could not read your Swiggy orders" in asha_speaks.wait_for_search(200)
    assert "may have forgotten an order" in asha_speaks.say("complete order")


def test_an_order_of_long_ago_and_one_that_is_known_are_no_news(asha_speaks: Speaker, clock: Clock, shopper: Any) -> None:
    asha_speaks.to_payment()
    recover()
    assert asha_speaks.wait_for_search() == ""
    assert not StrayOrder.objects.exists()


# ---- what was begun -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P154", "P137")
def test_a_checkout_whose_answer_was_forgotten_is_unknown_said_so_looked_up_and_found(
    asha_speaks: Speaker, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from swiggy_instamart.shop import Swiggy

    real = Swiggy.checkout

    def killed(self: Swiggy, address_id: str) -> Any:
        real(self, address_id)
        raise KeyboardInterrupt

    monkeypatch.setattr(Swiggy, "checkout", killed)
    asha_speaks.to_review()
    with pytest.raises(KeyboardInterrupt):
        asha_speaks.say("confirm order")
    looks = ledger.count("get_orders")
    assert recover().unknown == 1
    assert ledger.count("get_orders") == looks
    asha_speaks.work()
    said = asha_speaks.hear()
    assert said.index(UNKNOWN) < said.index("Swiggy lists the order")
    assert asha_speaks.intent.state == "seen"
    assert asha_speaks.wait_for_search() == "", "an order that its own look-up found is no stray"
    assert ledger.money == Money(1, 1, 0)


@pytest.mark.promise("P154", "P207")
def test_a_checkout_without_a_session_is_called_unknown_where_its_person_is_before_it_is_looked_up(
    asha_speaks: Speaker, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha_speaks.to_payment()
    CheckoutIntent.objects.update(state="started", order_ids=[])
    asha_speaks.intent.watch.delete()
    InteractionSession.objects.update(status="ended", end_reason="internal_error")
    looks = ledger.count("get_orders")
    recover()
    assert UNKNOWN in asha_speaks.hear()
    assert ledger.count("get_orders") == looks
    assert asha_speaks.intent.state == "unknown"
    assert "Swiggy lists the order" in asha_speaks.wait_for_look_up(0.1)
    assert asha_speaks.hear() == ""


# ---- payments -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P263", "P146")
def test_a_confirm_that_was_sent_and_forgotten_is_not_sent_again(
    asha_speaks: Speaker, ledger: Ledger, sandbox: SandboxProcess
) -> None:
    sandbox.settings(confirm_unpaid="pending")
    asha_speaks.to_payment()
    PaymentWatch.objects.update(deadline_at=host_clock.now())
    with forgotten():
        asha_speaks.wait_for_payment()
    assert ledger.count("confirm_order") == 1
    forget(asha_speaks)
    recover()
    assert asha_speaks.watch.confirm_started_at is not None
    assert IntentEvent.objects.filter(name="confirm_presumed").count() == 1
    for _ in range(3):
        asha_speaks.wait_for_payment()
    assert ledger.count("confirm_order") == 1


# ---- again --------------------------------------------------------------------------------------------------------------


def test_a_second_recovery_says_nothing_again_and_searches_for_longer(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    recover()
    assert asha_speaks.hear().count("I was interrupted") == 1
    until = Recovery.objects.get().look_until
    asha_speaks.clock.forward(5)
    report = recover()
    assert report.unknown == 0
    assert asha_speaks.hear() == ""
    assert Recovery.objects.get().look_until > until
    assert ledger.money == NOTHING


@pytest.mark.promise("P263")
def test_no_checkout_is_stored_while_the_orders_are_searched(asha_speaks: Speaker, ledger: Ledger) -> None:
    """Whatever a mode makes of a recovery: the row that a checkout needs is refused."""
    asha_speaks.to_review()
    recovery.begin(at=host_clock.now(), options=_options())
    Order.objects.get().account.__class__.objects.update(quiet_until=None)
    said = asha_speaks.say("confirm order")
    assert ledger.money == NOTHING
    assert "I could not go on with this order just now." in said


def _options() -> Any:
    from swiggy_instamart.options import Options

    return Options()


@pytest.mark.promise("P154", "P241")
def test_the_sweep_says_unknown_before_it_looks_for_a_checkout_that_its_session_left_behind(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    CheckoutIntent.objects.update(state="started", order_ids=[])
    asha_speaks.watch.delete()
    InteractionSession.objects.update(status="ended", end_reason="internal_error")
    lookups.due(host_clock.now())
    assert asha_speaks.hear() == "", "its session may still say so itself"
    asha_speaks.clock.forward(400)
    for _ in range(2):
        lookups.due(host_clock.now())
    assert asha_speaks.hear().count(UNKNOWN) == 1
    assert ledger.count("get_orders") == 0
    assert asha_speaks.intent.state == "unknown"


def test_who_orders_while_the_orders_are_searched_is_not_told_that_nothing_was_placed(asha_speaks: Speaker) -> None:
    recover()
    asha_speaks.say("order swiggy")
    said = asha_speaks.say("cancel order")
    assert "may exist" in said
    assert "Nothing was placed" not in said
