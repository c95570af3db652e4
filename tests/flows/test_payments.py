"""From the checkout on: the intent, the watch and its endings, each against the sandbox on the wire."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from interactions.contracts import Call, Done, Unknown
from interactions.models import DeviceEvent, InteractionSession
from swiggy_instamart import accounts, intents, lookups, orders, payments
from swiggy_instamart.models import Account, CheckoutIntent, IntentEvent, Order, PaymentWatch
from swiggy_instamart.options import Options
from tests.support import talk
from tests.support.shop import Till

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]

LOST = {"tool": "checkout", "nth": 1, "kind": "drop", "where": "after"}


def names(intent: CheckoutIntent) -> list[str]:
    return list(IntentEvent.objects.filter(intent=intent).order_by("sequence").values_list("name", flat=True))


def tools(till: Till, tool: str) -> int:
    return len(till.sandbox.calls(tool))


# ---- the good end -------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P137", "P144", "P145")
def test_a_checkout_stores_its_intent_first_and_then_watches_the_payment(till: Till) -> None:
    till.to_payment()
    intent, watch = till.intent, till.watch
    assert (till.phase, intent.state) == ("awaiting_payment", "pending_payment")
    assert intent.total_paise == intent.billed_paise
    assert names(intent) == ["intended", "payment_awaited"]
    assert intents.verify(intent)
    assert watch.next_poll_at > timezone.now()
    assert watch.deadline_at <= intent.created_at + timedelta(seconds=300)
    assert tools(till, "checkout") == 1


def test_a_paid_order_is_told_by_the_session_and_closes_the_order(till: Till) -> None:
    till.to_payment()
    till.sandbox.payment("success")
    till.poll()
    assert till.handle() == f"Instamart order placed successfully. ₹{till.intent.total_paise // 100} are paid."
    assert till.reason == "paid"
    assert till.intent.state == "paid"
    assert till.watch.told_at is not None
    assert Order.objects.get().closed_at is not None
    assert intents.verify(till.intent)


@pytest.mark.promise("P146")
def test_a_paid_order_that_is_not_confirmed_is_confirmed_once(till: Till) -> None:
    till.sandbox.settings(confirmed_on_success=False)
    till.to_payment()
    till.sandbox.payment("success")
    till.poll()
    till.poll()
    assert tools(till, "confirm_order") == 1
    assert "placed successfully" in till.handle()


@pytest.mark.promise("P146")
def test_a_confirm_without_an_answer_is_followed_by_status_reads_only(till: Till) -> None:
    till.sandbox.settings(confirmed_on_success=False)
    till.to_payment()
    till.sandbox.payment("success")
    till.sandbox.faults([{"tool": "confirm_order", "nth": 1, "kind": "drop", "where": "after"}])
    till.poll()
    assert till.watch.ended_at is None
    till.poll()
    till.poll()
    assert tools(till, "confirm_order") == 1
    assert till.watch.result == "paid"


@pytest.mark.promise("P146")
def test_a_worker_that_dies_after_the_guard_never_confirms_again(till: Till) -> None:
    till.sandbox.settings(confirmed_on_success=False)
    till.to_payment()
    till.sandbox.payment("success")
    PaymentWatch.objects.update(confirm_started_at=timezone.now())  # as a worker leaves it that dies before the call
    till.poll()
    assert tools(till, "confirm_order") == 0
    till.at_cap()
    PaymentWatch.objects.update(deadline_at=timezone.now() - timedelta(seconds=payments.GRACE_S + 1))
    till.poll()
    assert tools(till, "confirm_order") == 0
    assert till.watch.result == "payment_unknown"


# ---- the other ends -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P147")
@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("failed", "payment_failed"),
        ("cancelled", "payment_cancelled"),
        ("cart_changed", "cart_changed"),
        ("refund-initiated", "payment_refunded"),
    ],
)
def test_each_bad_ending_ends_the_session_with_its_reason(till: Till, state: str, reason: str) -> None:
    till.to_payment()
    till.sandbox.payment(state)
    till.poll()
    till.handle()
    assert till.reason == reason
    assert (till.intent.state, till.intent.code) == ("unpaid", reason)
    assert tools(till, "checkout") == 1
    assert tools(till, "confirm_order") == 0


@pytest.mark.promise("P148")
def test_at_the_cap_one_confirm_finalises_and_its_answer_is_reported(till: Till) -> None:
    till.sandbox.settings(confirm_unpaid="pending")
    till.to_payment()
    till.at_cap()
    till.poll()
    assert tools(till, "confirm_order") == 1
    assert "don't know how the payment ended" in till.handle()
    assert till.reason == "payment_unknown"


@pytest.mark.promise("P148")
def test_at_the_cap_a_confirm_that_says_failed_is_believed(till: Till) -> None:
    till.sandbox.settings(confirm_unpaid="failed")
    till.to_payment()
    till.at_cap()
    till.poll()
    till.handle()
    assert till.reason == "payment_failed"


def test_paid_at_the_very_cap_wins(till: Till) -> None:
    till.to_payment()
    till.sandbox.payment("success")
    till.at_cap()
    till.poll()
    assert till.watch.result == "paid"


@pytest.mark.promise("P149")
def test_an_error_of_the_monitor_is_unknown_and_never_a_failed_payment(till: Till) -> None:
    till.to_payment()
    till.sandbox.faults(
        [
            {"tool": "check_payment_status", "kind": "drop", "where": "before"},
            {"tool": "confirm_order", "kind": "drop", "where": "before"},
        ]
    )
    till.poll()
    assert (till.watch.ended_at, till.watch.last_error != "") == (None, True)
    till.at_cap()
    till.poll()
    PaymentWatch.objects.update(deadline_at=timezone.now() - timedelta(seconds=payments.GRACE_S + 1))
    till.poll()
    assert till.watch.result == "payment_unknown"
    assert "don't know" in till.handle()


@pytest.mark.promise("P150")
def test_the_end_of_the_watch_cannot_be_undone(till: Till) -> None:
    till.to_payment()
    till.sandbox.payment("success")
    till.poll()
    ended = till.watch
    assert not payments.finish(ended, result="payment_failed")
    till.say("resend payment link")
    assert (till.watch.result, till.intent.state) == ("paid", "paid")
    assert till.reason == "paid"


def test_a_person_who_stopped_is_told_the_end_at_the_device(till: Till) -> None:
    till.to_payment()
    assert "nothing was cancelled" in till.say("cancel order")
    assert till.reason == "left_while_paying"
    assert Order.objects.get().closed_at is None
    till.sandbox.payment("success")
    till.poll()
    told = talk.spoken(till.device)[-1]
    assert "placed successfully" in told
    assert Order.objects.get().closed_at is not None
    assert not DeviceEvent.objects.filter(cause=f"payment:{till.intent.pk}").count() > 1


def test_an_end_that_the_session_did_not_get_to_say_is_said_when_it_ends(till: Till) -> None:
    till.to_payment()
    till.sandbox.payment("success")
    talk.post(till.device, "stop", source="typed")
    till.poll()  # its signal stands behind the stop
    assert "placed successfully" in till.handle()


# ---- one poll at a time -------------------------------------------------------------------------------------------------


@pytest.mark.promise("P145")
def test_a_watch_is_polled_by_one_at_a_time_not_before_it_is_due_and_not_after_its_end(till: Till) -> None:
    till.to_payment()
    payments.poll(till.watch.pk)
    assert tools(till, "check_payment_status") == 0
    now = timezone.now()
    PaymentWatch.objects.update(polling=True, lease_until=now + timedelta(seconds=60), next_poll_at=now)
    payments.poll(till.watch.pk)
    assert tools(till, "check_payment_status") == 0
    PaymentWatch.objects.update(lease_until=now - timedelta(seconds=1))  # its poller died
    payments.poll(till.watch.pk)
    assert tools(till, "check_payment_status") == 1
    assert till.watch.next_poll_at >= now + timedelta(seconds=5)


@pytest.mark.promise("P145")
def test_the_sweep_rings_for_a_watch_that_is_due_also_after_a_restart(till: Till, monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[tuple[int, str]] = []
    monkeypatch.setattr(payments.host, "ring_after_commit", lambda row, task: rung.append((row, task)))
    till.to_payment()
    payments.due(timezone.now())
    assert rung == []
    payments.due(till.watch.next_poll_at)
    assert rung == [(till.watch.pk, "swiggy_instamart.poll")]


@pytest.mark.promise("P145")
def test_a_window_longer_than_ours_is_cut_to_ours(till: Till) -> None:
    till.sandbox.settings(max_poll_ms=36_000_000, polling_interval_ms=1)
    till.to_payment()
    assert till.watch.deadline_at == till.intent.created_at + timedelta(seconds=600)
    assert till.watch.interval_ms == 5000


# ---- unknown ------------------------------------------------------------------------------------------------------------


def test_a_lost_answer_is_unknown_looked_up_and_found(till: Till) -> None:
    till.to_review()
    till.sandbox.faults([LOST])
    said = till.say("confirm order")
    assert said.index("don't know whether it was placed") < said.index("Swiggy lists the order")
    assert till.reason == "checkout_order_seen"
    assert till.intent.state == "seen"
    assert tools(till, "checkout") == 1


def test_an_order_that_is_not_seen_is_looked_for_until_the_time_is_over_and_then_opens_the_next_review(till: Till) -> None:
    till.to_review()
    till.sandbox.settings(orders_stale=True)
    till.sandbox.faults([LOST])
    assert "proves nothing" in till.say("confirm order")
    assert till.phase == "checkout_outcome_unknown"
    till.look()
    assert till.intent.state == "unknown"
    CheckoutIntent.objects.update(look_until=timezone.now() - timedelta(seconds=1))
    till.look()
    assert "may exist" in till.handle()
    assert (till.phase, till.intent.state) == ("shopping", "unfound")
    Account.objects.update(quiet_until=None)  # the lost call's deadline has passed
    till.say("milk")
    till.say("option 1")
    assert till.say("complete order").startswith(f"An order of ₹{till.intent.total_paise // 100} from")
    assert tools(till, "checkout") == 1


def test_a_session_that_was_left_is_looked_up_without_it(till: Till) -> None:
    till.to_review()
    till.sandbox.settings(orders_stale=True)
    till.sandbox.faults([LOST])
    till.say("confirm order")
    till.say("stop")
    assert till.reason == "left_while_paying"
    till.sandbox.settings(orders_stale=False)
    till.look()
    assert "Swiggy lists the order" in talk.spoken(till.device)[-1]
    assert Order.objects.get().closed_at is not None


def test_the_answer_of_a_lost_holder_is_kept_and_the_payment_is_followed(till: Till) -> None:
    till.to_review()
    till.sandbox.settings(orders_stale=True)
    till.sandbox.faults([LOST])
    till.say("confirm order")
    answer = {
        "placing": "pending_payment", "order_ids": ["ORD1"], "paas_id": "PAAS1", "transaction_id": "T", "link": "https://pay.example/x",
        "total_paise": 8400, "poll_every_ms": 5000, "poll_for_ms": 300000, "failures": 0,
    }  # fmt: skip
    intent = till.intent
    call = Call("checkout", {}, intent.session_id, till.device.owner_id, intent.checkpoint, 1, timezone.now())
    with transaction.atomic():
        orders.witness(call, Done(answer), options=Options())
    assert "waits for your payment" in till.handle()
    assert till.phase == "awaiting_payment"
    assert PaymentWatch.objects.get().intent_id == intent.pk
    assert "witnessed" in names(intent)
    assert intents.verify(till.intent)


def test_a_witnessed_doubt_is_only_evidence(till: Till) -> None:
    till.to_payment()
    call = Call("checkout", {}, till.intent.session_id, till.device.owner_id, till.intent.checkpoint, 1, timezone.now())
    with transaction.atomic():
        orders.witness(call, Unknown("timeout"), options=Options())
    assert till.intent.state == "pending_payment"
    assert names(till.intent)[-1] == "witnessed"


# ---- refusals -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P240")
def test_a_closed_store_places_nothing_and_only_another_review_can_spend(till: Till) -> None:
    till.to_review()
    till.sandbox.settings(store_open=False)
    said = till.say("confirm order")
    assert "did not take the order" in said
    assert "I see no such order" in said
    assert till.intent.state == "refused"
    till.say("confirm order")
    assert tools(till, "checkout") == 1
    till.sandbox.settings(store_open=True)
    till.say("complete order")
    till.say("confirm order")
    assert tools(till, "checkout") == 2
    assert till.phase == "awaiting_payment"


# ---- what the database holds --------------------------------------------------------------------------------------------


def test_the_database_refuses_a_second_open_order_a_second_intent_and_a_rewritten_event(till: Till) -> None:
    till.to_payment()
    order, intent = Order.objects.get(), till.intent
    with pytest.raises(IntegrityError), transaction.atomic():
        Order.objects.create(account=order.account, session_id=10**6, device_id=1, opened_at=timezone.now())
    for changes in (
        {"utterance": 10**6, "checkpoint": intent.checkpoint},
        {"utterance": intent.utterance, "checkpoint": 10**6},
        {"utterance": 10**6, "checkpoint": 10**6},
    ):
        twin = CheckoutIntent.objects.get(pk=intent.pk)
        twin.pk, twin._state.adding = None, True
        for name, value in changes.items():
            setattr(twin, name, value)
        with pytest.raises(IntegrityError), transaction.atomic():
            twin.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        IntentEvent.objects.filter(intent=intent).update(facts={"total_paise": 1})
    with pytest.raises(TypeError):
        IntentEvent.objects.filter(intent=intent).first().save()  # type: ignore[union-attr]


def test_redacting_an_intent_keeps_its_chain_whole(till: Till) -> None:
    till.to_payment()
    intents.redact(till.intent)
    assert not any(event.personal for event in IntentEvent.objects.filter(intent=till.intent))
    assert intents.verify(till.intent)


def test_a_second_device_is_told_where_the_order_is(till: Till, hall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    till.to_shopping()
    other = Till(hall.device, till.sandbox, monkeypatch)
    calls = len(till.sandbox.calls())
    assert "already open at kitchen" in other.say("order swiggy")
    assert "at kitchen stays there" in other.say("no")
    assert other.reason == "order_open_elsewhere"
    assert len(till.sandbox.calls()) == calls
    till.say("cancel order")
    assert other.say("order swiggy") == "Use Home for delivery?"


def test_a_checkout_left_behind_by_a_broken_session_becomes_unknown_and_is_looked_up(till: Till) -> None:
    till.to_payment()
    intent = till.intent
    PaymentWatch.objects.all().delete()
    CheckoutIntent.objects.update(state="started", resolved_at=None)
    InteractionSession.objects.update(status="ended", end_reason="internal_error")
    lookups.due(timezone.now() + timedelta(minutes=6))
    assert till.intent.state == "unknown"
    till.look()
    assert till.intent.state == "seen"
    assert str(intent.order_ids[0]) in talk.spoken(till.device)[-1]


def test_an_order_left_open_by_a_session_that_ended_without_us_is_closed_and_logged(
    till: Till, caplog: pytest.LogCaptureFixture
) -> None:
    till.to_shopping()
    accounts.sweep(timezone.now() + timedelta(minutes=2))
    assert Order.objects.get().closed_at is None
    InteractionSession.objects.update(status="ended", end_reason="owner_unavailable")
    accounts.sweep(timezone.now() + timedelta(minutes=2))
    assert Order.objects.get().closed_at is not None
    assert "was left open" in caplog.text
