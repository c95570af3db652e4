"""Answers that come late, looks that break and endings that cross: what was begun must end, and its end must be told."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from interactions import host, turns
from interactions.contracts import Call, Done
from interactions.models import DeviceEvent, InboxItem, InteractionSession
from swiggy_instamart import lookups, mcp, orders, payments
from swiggy_instamart.models import Account, CheckoutIntent, Order, PaymentWatch
from swiggy_instamart.options import Options
from tests.support import talk
from tests.support.shop import Till

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]

LOST = {"tool": "checkout", "nth": 1, "kind": "drop", "where": "after"}
LINK = "https://pay.example/opaque"
ANSWER = {
    "placing": "pending_payment", "order_ids": ["ORD1"], "paas_id": "PAAS1", "transaction_id": "T", "link": LINK,
    "total_paise": 8400, "poll_every_ms": 5000, "poll_for_ms": 300000, "failures": 0,
}  # fmt: skip


def unknown(till: Till) -> None:
    till.to_review()
    till.sandbox.settings(orders_stale=True)
    till.sandbox.faults([LOST])
    till.say("confirm order")
    assert till.phase == "checkout_outcome_unknown"


def answered_late(till: Till) -> None:
    """The answer of a holder that the session had given up."""
    intent = till.intent
    call = Call("checkout", {}, intent.session_id, till.device.owner_id or 0, intent.checkpoint, 1, timezone.now())
    with transaction.atomic():
        orders.witness(call, Done(ANSWER), options=Options())


def links(till: Till) -> list[str]:
    rows = DeviceEvent.objects.filter(device=till.device, kind="interaction.payment").order_by("seq")
    return [row.payload["data"]["link"] for row in rows]


# ---- an answer that comes late ------------------------------------------------------------------------------------------


@pytest.mark.promise("P046", "P145")
def test_a_late_answer_is_followed_also_where_the_session_ends_before_it_hears_of_it(till: Till) -> None:
    unknown(till)
    talk.post(till.device, "stop")  # is handled first
    answered_late(till)
    till.handle()
    assert till.reason == "left_while_paying"
    assert PaymentWatch.objects.get().intent.state == "pending_payment"
    assert links(till) == [LINK]
    assert Order.objects.get().closed_at is None


@pytest.mark.promise("P145")
def test_a_late_answer_after_the_session_brings_its_link_to_the_device(till: Till) -> None:
    unknown(till)
    till.say("stop")
    answered_late(till)
    assert links(till) == [LINK]
    assert "waits for your payment" in talk.spoken(till.device)[-1]
    assert all(LINK not in text for text in talk.spoken(till.device))


@pytest.mark.promise("P145")
def test_a_late_answer_is_told_also_once_the_look_up_was_given_up(till: Till) -> None:
    unknown(till)
    CheckoutIntent.objects.update(look_until=timezone.now() - timedelta(seconds=1))
    till.look()
    till.handle()
    assert (till.phase, till.intent.state) == ("shopping", "unfound")
    answered_late(till)
    assert "waits for your payment" in till.handle()
    assert links(till) == [LINK]
    assert till.intent.state == "pending_payment"
    assert "review it again" not in " ".join(talk.spoken(till.device))


@pytest.mark.promise("P145", "P150")
def test_an_answer_in_hand_is_not_lost_to_a_look_up_that_was_quicker(till: Till, monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers were away after the answer was stored; the sweep took the intent for left behind, and found the order."""
    till.to_review()
    take = turns._take

    def dying(lease: Any, work: Any, mode: Any, **more: Any) -> bool:
        if work.checkpoint is not None and work.checkpoint.effect == "checkout":
            raise KeyboardInterrupt
        return take(lease, work, mode, **more)

    monkeypatch.setattr(turns, "_take", dying)
    with pytest.raises(KeyboardInterrupt):
        till.say("confirm order")
    monkeypatch.setattr(turns, "_take", take)
    talk.session_of(till.device).__class__.objects.update(lease_until=None, lease_owner="")
    CheckoutIntent.objects.update(created_at=timezone.now() - timedelta(minutes=10))
    lookups.due(timezone.now())
    CheckoutIntent.objects.update(created_at=timezone.now())
    till.look()
    assert till.intent.state == "seen"
    till.handle()
    assert (till.phase, till.intent.state) == ("awaiting_payment", "pending_payment")
    assert PaymentWatch.objects.get().ended_at is None


# ---- an end that crosses another ----------------------------------------------------------------------------------------


@pytest.mark.promise("P206")
@pytest.mark.parametrize("stale", [False, True])
def test_the_end_of_a_look_up_is_told_also_where_stop_came_first(till: Till, stale: bool) -> None:
    unknown(till)
    till.sandbox.settings(orders_stale=stale)
    talk.post(till.device, "stop")
    CheckoutIntent.objects.update(look_until=timezone.now() - timedelta(seconds=1))
    till.look()
    said = till.handle()
    assert till.reason == "left_while_paying"
    assert said.count("may exist" if stale else "Swiggy lists the order") == 1
    assert not InboxItem.objects.filter(status="waiting").exists()
    assert Order.objects.get().closed_at is not None


def test_a_look_up_that_the_session_told_is_not_told_again(till: Till) -> None:
    till.to_review()
    till.sandbox.faults([LOST])
    said = till.say("confirm order")
    assert said.count("Swiggy lists the order") == 1


# ---- what breaks ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P241")
def test_a_look_that_breaks_ends_all_the_same(till: Till, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown(till)

    def broken(*_: Any) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(lookups, "evidence", broken)
    till.look()
    assert till.intent.state == "unknown"
    CheckoutIntent.objects.update(look_until=timezone.now() - timedelta(seconds=1))
    till.look()
    assert till.intent.state == "unfound"
    assert "may exist" in till.handle()


@pytest.mark.promise("P149", "P145")
def test_a_poll_that_breaks_ends_as_unknown_and_frees_the_account(till: Till, monkeypatch: pytest.MonkeyPatch) -> None:
    till.to_payment()

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(mcp, "swiggy", broken)
    till.poll()
    assert till.watch.ended_at is None
    till.at_cap()
    till.poll()
    PaymentWatch.objects.update(deadline_at=timezone.now() - timedelta(minutes=10))
    till.poll()
    assert till.watch.result == "payment_unknown"
    assert "don't know how the payment ended" in till.handle()
    assert Order.objects.get().closed_at is not None


@pytest.mark.promise("P227")
def test_everything_that_calls_the_shop_runs_where_effects_are_performed() -> None:
    from celery import current_app

    router = current_app.amqp.router
    for task in (payments.POLL, lookups.LOOK):
        assert router.route({}, task)["queue"].name == "effects"


def test_a_stopped_worker_child_is_killed_in_the_end() -> None:
    """Stopped inside a transaction it would hold the database's lock; its own timer cannot fire before it goes on."""
    from celery import current_app

    limit = current_app.conf.task_time_limit
    assert limit is not None
    assert 100 <= limit <= 300


@pytest.mark.promise("P145")
@pytest.mark.parametrize(("wish", "number"), [("polling_interval_ms", 10**9), ("max_poll_ms", 10**18), ("max_poll_ms", 300)])
def test_no_number_of_the_shops_keeps_a_payment_from_being_followed(till: Till, wish: str, number: int) -> None:
    till.sandbox.settings(**{wish: number})
    till.to_payment()
    watch = till.watch
    assert till.phase == "awaiting_payment"
    assert watch.next_poll_at <= timezone.now() + timedelta(seconds=60)
    assert timedelta(seconds=60) <= watch.deadline_at - till.intent.created_at <= timedelta(seconds=600)


# ---- the cart -------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P264", "P153")
def test_a_clear_that_is_replayed_wipes_nothing_that_came_after_it(till: Till) -> None:
    from swiggy_instamart import effects

    till.to_shopping()
    till.say("milk")
    till.say("option 1")
    session = talk.session_of(till.device)
    before = session.state["cart"]["lines"]
    till.sandbox.cart([{"find": "brown bread", "quantity": 3}])  # the first clear arrived; then somebody filled it anew
    call = Call(
        "clear", {"before": before}, session.pk, till.device.owner_id or 0, 1, 2, timezone.now() + timedelta(seconds=20)
    )
    left = effects.perform(call, options=Options())["cart"]["lines"]
    assert 3 in [line["quantity"] for line in left]
    assert till.ledger["cart"]["lines"]


def test_a_clear_knows_the_cart_it_was_asked_for(till: Till) -> None:
    from interactions.models import Checkpoint

    till.to_shopping()
    till.say("milk")
    till.say("option 1")
    till.say("clear cart")
    payload = Checkpoint.objects.filter(effect="clear").latest("pk").payload
    assert len(payload["before"]) == 1


# ---- clocks and revoked devices --------------------------------------------------------------------------------------------


def test_an_account_is_never_quiet_for_longer_than_a_call_can_last(till: Till) -> None:
    """The clock stepped back after it was set: what it says is no longer true, and nothing would ever correct it."""
    till.to_shopping()
    Account.objects.update(quiet_until=timezone.now() + timedelta(days=1))
    till.say("milk")
    till.say("option 1")
    quiet_until = Account.objects.get().quiet_until
    assert quiet_until is not None
    assert quiet_until < timezone.now() + timedelta(seconds=90)
    assert talk.session_of(till.device).not_before == quiet_until


@pytest.mark.promise("P256")
def test_a_revoked_device_ends_its_session_as_such_and_hears_nothing_of_the_payment(till: Till) -> None:
    from interactions import devices

    till.to_shopping()
    devices.revoke(till.device)
    talk.handle(till.device)
    assert till.reason == "device_revoked"
    assert host.is_active(talk.session_of(till.device).pk) is False


@pytest.mark.promise("P256", "P145")
def test_the_end_of_a_payment_is_told_at_another_device_of_the_same_person_where_the_first_was_revoked(
    till: Till, hall: Any, bedroom: Any
) -> None:
    from interactions import devices

    till.to_payment()
    devices.revoke(till.device)
    talk.handle(till.device)
    assert till.reason == "device_revoked"
    till.sandbox.payment("success")
    till.poll()
    till.poll()
    assert "placed successfully" in talk.spoken(hall.device)[-1]
    assert talk.spoken(bedroom.device) == []


def test_an_address_whose_label_no_row_can_hold_costs_a_sentence_and_nothing_is_placed(till: Till) -> None:
    till.to_review()
    session = InteractionSession.objects.get()
    state = session.state
    state["review"]["label"] = "Home " * 60  # PostgreSQL refuses it, SQLite takes it
    InteractionSession.objects.update(state=state)
    till.say("confirm order")
    assert till.phase in ("shopping", "awaiting_payment")
    assert len(till.sandbox.calls("checkout")) == CheckoutIntent.objects.count()
