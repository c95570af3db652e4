"""What comes to light in the last moment before a checkout, or late, or not at all: nothing is bought in ignorance of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from interactions import clock as host_clock
from interactions import recovery as host_recovery
from interactions import turns
from interactions.contracts import Call, Done
from interactions.models import Alarm
from swiggy_instamart import intents, lookups, notices, orders, payments, recovery, settlement
from swiggy_instamart.history import OrderSeen
from swiggy_instamart.models import CheckoutIntent, IntentEvent, PaymentWatch, Recovery, StrayOrder
from swiggy_instamart.options import Options
from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.settlement import NotNowError
from swiggy_instamart.shop import Swiggy
from tests.flows.order.dialogue import Ledger, Speaker

pytestmark = pytest.mark.django_db

LOST = {"tool": "checkout", "nth": 1, "kind": "drop", "where": "after"}
LISTS = "Swiggy lists the order"
LINK = "https://pay.example/opaque"
ANSWER = {
    "placing": "pending_payment", "order_ids": ["ORD1"], "paas_id": "PAAS1", "transaction_id": "T", "link": LINK,
    "total_paise": 10800, "poll_every_ms": 5000, "poll_for_ms": 300000, "failures": 0,
}  # fmt: skip


@pytest.fixture
def lost(asha_speaks: Speaker, sandbox: SandboxProcess) -> Speaker:
    """Placed, its answer lost, and on no list for now."""
    asha_speaks.to_review()
    sandbox.settings(orders_stale=True)
    sandbox.faults([LOST])
    asha_speaks.say("confirm order")
    assert (asha_speaks.intent.state, asha_speaks.intent.looks) == ("unknown", 1)
    return asha_speaks


def look(speaker: Speaker) -> str:
    CheckoutIntent.objects.exclude(next_look_at=None).update(next_look_at=timezone.now())
    for intent in CheckoutIntent.objects.exclude(next_look_at=None).values_list("pk", flat=True):
        lookups.look(intent)
    speaker.work()
    return speaker.hear()


def not_placed(speaker: Speaker) -> None:
    settlement.perform("not_placed", speaker.intent.pk, by="olga", note="looked in the app")
    look(speaker)
    assert speaker.intent.state == "not_placed"
    speaker.clock.forward(70)  # until nothing can arrive any more


def before_the_call(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """It happens between the last look at the cart and the step that spends."""
    take = turns._take

    def first(lease: Any, work: Any, mode: Any, **more: Any) -> bool:
        if work.checkpoint is not None and work.checkpoint.effect == "recheck":
            monkeypatch.setattr(turns, "_take", take)
            act()
        return take(lease, work, mode, **more)

    monkeypatch.setattr(turns, "_take", first)


def answered_late(intent: CheckoutIntent, **changes: Any) -> None:
    """The answer of a holder that the session had given up."""
    call = Call("checkout", {}, intent.session_id, intent.order.account.user_id, intent.checkpoint, 1, timezone.now())
    with transaction.atomic():
        orders.witness(call, Done(ANSWER | changes), options=Options())


# ---- just before the call -----------------------------------------------------------------------------------------------


@pytest.mark.promise("P268", "P240")
def test_an_order_that_is_seen_after_all_just_before_the_call_is_told_and_nothing_is_called(
    lost: Speaker, sandbox: SandboxProcess, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    not_placed(lost)
    sandbox.cart([{"find": "toned milk", "quantity": 2}])
    lost.say("complete order")
    first = lost.intent.pk

    def seen() -> None:
        sandbox.settings(orders_stale=False)
        CheckoutIntent.objects.update(next_look_at=timezone.now())
        lookups.look(first)

    before_the_call(monkeypatch, seen)
    said = lost.say("confirm order")
    assert said.count(LISTS) == 1
    assert "What I read back before no longer counts" in said
    assert (lost.phase, ledger.money.checkouts) == ("shopping", 1)
    assert lost.say("complete order").startswith("Your order: "), "it can be ordered all the same, by new words"


@pytest.mark.promise("P205", "P120")
def test_an_answer_that_comes_late_for_an_order_that_was_closed_keeps_the_next_one_from_being_sent(
    lost: Speaker, sandbox: SandboxProcess, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lost.intent
    lost.say("stop")
    not_placed(lost)
    lost.to_review()
    before_the_call(monkeypatch, lambda: answered_late(first))
    said = lost.say("confirm order")
    assert "waits for your payment" in said
    assert ledger.money.checkouts == 1
    first.refresh_from_db()
    assert (first.state, lost.phase) == ("pending_payment", "shopping")


# ---- an answer that nobody waited for -----------------------------------------------------------------------------------


@pytest.mark.promise("P207", "P138")
def test_a_late_answer_that_says_placed_is_the_best_of_sights(lost: Speaker, ledger: Ledger) -> None:
    not_placed(lost)
    answered_late(lost.intent, placing="placed", paas_id="", transaction_id="", link="")
    lost.work()
    assert lost.hear().count(LISTS) == 1
    assert (lost.intent.state, lost.intent.order_ids) == ("seen", ["ORD1"])
    assert Alarm.objects.filter(cause__startswith="seen:").exists()


@pytest.mark.promise("P145", "P207")
def test_a_late_answer_that_waits_for_a_payment_outweighs_the_operators_word_that_it_was_placed(
    lost: Speaker, ledger: Ledger
) -> None:
    settlement.perform("placed", lost.intent.pk, by="olga", note="looked in the app")
    lost.work()
    assert "that order was placed" in lost.hear()
    answered_late(lost.intent)
    assert "It is not placed until that is paid" in lost.hear()
    assert (lost.intent.state, lost.watch.ended_at) == ("pending_payment", None)
    assert intents.verify(lost.intent)


@pytest.mark.promise("P145")
def test_a_late_payment_is_told_also_while_the_payment_of_a_later_checkout_goes_on(
    lost: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    """One order has one open checkout, so the earlier one cannot be followed; that is told, to the operator too."""
    first = lost.intent
    not_placed(lost)
    sandbox.cart([{"find": "toned milk", "quantity": 2}])
    lost.say("complete order")
    lost.say("confirm order")
    assert lost.phase == "awaiting_payment"
    answered_late(first)
    lost.work()
    said = lost.hear()
    assert "waits for your payment" in said
    assert LINK in [row["data"]["link"] for row in lost.of_kind("interaction.payment")]
    assert IntentEvent.objects.filter(intent=first, name="witnessed").exists()
    assert Alarm.objects.filter(cause=f"beside:{first.pk}").exists()


# ---- where nothing could be read ----------------------------------------------------------------------------------------


@pytest.mark.promise("P268")
def test_a_look_that_could_read_nothing_is_no_look(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    asha_speaks.to_review()
    sandbox.settings(orders_stale=True)
    sandbox.faults([LOST, {"tool": "get_orders", "kind": "status", "status": 500}])
    asha_speaks.say("confirm order")
    look(asha_speaks)
    assert (asha_speaks.intent.state, asha_speaks.intent.looks) == ("unknown", 0)
    with pytest.raises(NotNowError, match="Nobody has looked"):
        settlement.perform("not_placed", asha_speaks.intent.pk, by="olga", note="looked in the app")


@pytest.mark.promise("P241")
def test_an_order_that_cannot_be_told_keeps_neither_the_account_closed_nor_the_next_one_untold(
    asha_speaks: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha_speaks.to_shopping()
    listed = [
        OrderSeen("strange", "new", active=True, total_paise=100, created_at=datetime.max.replace(tzinfo=UTC)),
        OrderSeen("plain", "new", active=True, total_paise=200, created_at=timezone.now()),
    ]
    monkeypatch.setattr(Swiggy, "orders", lambda self, **more: tuple(listed))
    host_recovery.recover(host_clock.now())
    for seconds in (15, 200):
        asha_speaks.clock.forward(seconds)
        recovery.search(Recovery.objects.get().pk)
    assert list(StrayOrder.objects.values_list("order_id", flat=True)) == ["plain"]
    assert Recovery.objects.get().ended_at is not None


# ---- the operator, a moment too late ------------------------------------------------------------------------------------


@pytest.mark.promise("P233", "P268")
def test_a_link_is_not_sent_again_for_a_payment_that_ended_a_moment_ago(asha_speaks: Speaker) -> None:
    asha_speaks.to_payment()
    shown = asha_speaks.intent
    payments.finish(PaymentWatch.objects.select_related("intent__order").get(), result="paid")
    with pytest.raises(NotNowError), transaction.atomic():
        settlement.ACTS["resend"].do(shown, "olga", "asked for", "")
    asha_speaks.hear()
    assert len(asha_speaks.of_kind("interaction.payment")) == 1
    assert not IntentEvent.objects.filter(name=notices.RESENT).exists()


# ---- the account is somebody else's by now ------------------------------------------------------------------------------


@pytest.mark.promise("P170")
def test_an_order_that_was_open_when_the_account_was_linked_to_somebody_else_reads_and_buys_nothing_there(
    asha_speaks: Speaker, ledger: Ledger, settings: Any, django_user_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha_speaks.to_review()
    somebody = django_user_model.objects.create_user("somebody else")

    def linked() -> None:
        settings.SWIGGY_LINKED_USER_ID = str(somebody.pk)

    before_the_call(monkeypatch, linked)
    asha_speaks.say("confirm order")
    assert ledger.money.checkouts == 0
    assert asha_speaks.intent.state == "not_sent"
    calls = len(ledger.calls)
    for words in ("complete order", "show cart", "two bread"):
        assert "not linked" in asha_speaks.say(words)
    assert len(ledger.calls) == calls


@pytest.mark.promise("P170", "P263")
def test_orders_of_the_person_whose_account_it_is_now_are_told_to_nobody_who_had_it_before(
    lost: Speaker, sandbox: SandboxProcess, settings: Any, django_user_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by the look for a checkout of theirs, which it would fit, nor by the search after a recovery."""
    settings.SWIGGY_LINKED_USER_ID = str(django_user_model.objects.create_user("somebody else").pk)
    theirs = [
        OrderSeen("theirs", "new", active=True, total_paise=lost.intent.total_paise, created_at=timezone.now()),
        OrderSeen("theirs too", "new", active=True, total_paise=4200, created_at=timezone.now()),
    ]
    monkeypatch.setattr(Swiggy, "orders", lambda self, **more: tuple(theirs))
    assert LISTS not in look(lost)
    assert (lost.intent.state, lost.intent.looks) == ("unknown", 1)
    lost.say("stop")
    host_recovery.recover(host_clock.now())
    for seconds in (15, 200):
        lost.clock.forward(seconds)
        for row in Recovery.objects.values_list("pk", flat=True):
            recovery.search(row)
    assert not StrayOrder.objects.filter(account__user=lost.owned.device.owner).exists()
    assert not Recovery.objects.filter(ended_at=None).exists()
    assert "Swiggy lists" not in lost.hear()
