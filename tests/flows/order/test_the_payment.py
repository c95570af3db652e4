"""From the checkout to the end of its payment: the link, the waiting, and each of the ways it can end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interactions import sweep
from swiggy_instamart import mcp, payments
from swiggy_instamart.models import PaymentWatch
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import Clock, Ledger, Money, Speaker

ONE_ORDER = Money(checkouts=1, orders=1, confirms=0)
CONFIRMED = Money(checkouts=1, orders=1, confirms=1)
PLACED = "Instamart order placed successfully. ₹108 are paid."
UNSURE = "I don't know how the payment ended, please check Swiggy."


def past_the_cap(speaker: Speaker) -> None:
    speaker.clock.forward((speaker.watch.deadline_at - speaker.clock.now()).total_seconds() + 1)


# ---- waiting ------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P140", "P141", "P142")
def test_an_order_that_waits_for_its_payment_is_not_called_placed(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    said = asha_speaks.say("confirm order")
    assert "The order waits for your payment of ₹108 by UPI." in said
    assert "It is not placed until that is paid." in said
    assert asha_speaks.wait_for_payment() == ""
    for text in ("is it done?", "I have paid", "place it again", "milk", "complete order"):
        said = asha_speaks.say(text)
        assert "placed" not in said
        assert said.startswith("I am listening") or "payment" in said, text
    assert "nothing was cancelled: the order still waits for its payment" in asha_speaks.say("cancel order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P145")
def test_the_payment_is_looked_at_no_faster_than_told_and_only_for_so_long(
    asha_speaks: Speaker, sandbox: SandboxProcess, clock: Clock, ledger: Ledger
) -> None:
    sandbox.settings(polling_interval_ms=8000, max_poll_ms=60_000, confirm_unpaid="pending")
    asha_speaks.to_payment()
    assert ledger.count("check_payment_status") == 0
    asha_speaks.wait_for_payment()  # 5 s: too soon
    assert ledger.count("check_payment_status") == 0
    asha_speaks.wait_for_payment()
    assert ledger.count("check_payment_status") == 1
    for _ in range(20):
        clock.forward(3)
        asha_speaks.wait_for_payment()
    assert ledger.count("check_payment_status") <= 1 + 60 // 8
    assert asha_speaks.ended == "payment_unknown"
    assert ledger.money == CONFIRMED


@pytest.mark.promise("P145")
def test_c11_the_payment_is_followed_after_a_restart(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger, restart: Any
) -> None:
    asha_speaks.to_payment()
    sandbox.payment("success")
    restart()
    assert asha_speaks.wait_for_payment() == PLACED
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P206", "P036")
@pytest.mark.parametrize("paid", [True, False])
def test_no_deadline_ends_the_session_while_the_payment_is_open(
    paid: bool, asha_speaks: Speaker, sandbox: SandboxProcess, clock: Clock, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    clock.forward(660)  # past the idle limit, inside the freeze
    sweep.deadlines(clock.now())
    asha_speaks.work()
    assert (asha_speaks.ended, asha_speaks.hear()) == ("", "")
    if paid:
        sandbox.payment("success")
        assert asha_speaks.wait_for_payment() == PLACED
        assert ledger.money == ONE_ORDER
        return
    clock.forward(300)  # frozen_until is over, and nobody has looked: the session goes, the watch stays
    sweep.deadlines(clock.now())
    asha_speaks.work()
    said = asha_speaks.hear()
    assert asha_speaks.ended == "idle_timeout"
    assert "nothing was cancelled" in said
    assert "Nothing was placed" not in said
    assert PaymentWatch.objects.filter(ended_at=None).count() == 1
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P206")
def test_stop_while_paying_says_what_stands_and_the_end_is_told_all_the_same(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    assert "I keep checking and tell you how it ends." in asha_speaks.say("stop")
    assert asha_speaks.ended == "left_while_paying"
    sandbox.payment("success")
    assert asha_speaks.wait_for_payment() == PLACED
    assert asha_speaks.wait_for_payment() == ""
    assert ledger.money == ONE_ORDER


# ---- the ends -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P146")
@pytest.mark.parametrize("word", ["success", "paid"])
def test_a_paid_order_is_told_once_and_needs_no_confirm(
    word: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    sandbox.payment(word)
    assert asha_speaks.wait_for_payment() == PLACED
    assert asha_speaks.wait_for_payment() == ""
    ended = asha_speaks.of_kind("interaction.ended")
    assert [(row["reason"], row["status"], row["phase"]) for row in ended] == [("paid", "ended", "finished")]
    assert ledger.cart == {}
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P146")
def test_d20_a_paid_order_that_the_shop_has_not_placed_is_confirmed_once(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(confirmed_on_success=False)
    asha_speaks.to_payment()
    sandbox.payment("success")
    assert asha_speaks.wait_for_payment() == PLACED
    asha_speaks.wait_for_payment()
    sent = ledger.arguments("confirm_order")[0]
    order = ledger.orders[0]
    assert sent == {"orderId": order["id"], "paasId": order["paas_id"], "transactionId": order["transaction_id"]}
    assert ledger.money == CONFIRMED


@pytest.mark.promise("P146", "P149")
@pytest.mark.parametrize(
    "rule",
    [
        {"kind": "drop", "where": "before"},
        {"kind": "drop", "where": "after"},
        {"kind": "status", "status": 500, "where": "after"},
        {"kind": "malformed", "where": "after"},
        {"kind": "is_error", "where": "before"},
        {"kind": "success_false", "where": "after"},
    ],
    ids=lambda rule: f"{rule['kind']} {rule['where']}",
)
def test_a_confirm_without_an_answer_is_followed_by_status_reads_and_never_by_another(
    rule: dict[str, Any], asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(confirmed_on_success=False)
    asha_speaks.to_payment()
    sandbox.payment("success")
    sandbox.faults([{"tool": "confirm_order", **rule}])
    said = " ".join(asha_speaks.wait_for_payment() for _ in range(3))
    assert "failed" not in said
    assert said.strip() in ("", PLACED)
    if not said.strip():
        sandbox.payment("success", confirmed=True)  # the shop got there by itself
        assert asha_speaks.wait_for_payment() == PLACED
    assert ledger.money == CONFIRMED


@pytest.mark.promise("P147")
@pytest.mark.parametrize(
    ("word", "reason", "said"),
    [
        ("failed", "payment_failed", "The payment failed, so the order was not placed. Your cart is kept;"),
        ("cancelled", "payment_cancelled", "The order was cancelled at the payment. Swiggy refunds what was taken."),
        ("cart_changed", "cart_changed", "Price or stock changed during the payment, so the order was not placed."),
        ("refund-initiated", "payment_refunded", "The payment is being refunded by Swiggy"),
    ],
)
def test_d20_each_bad_end_has_its_own_reason_and_sentence_and_starts_nothing(
    word: str, reason: str, said: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    sandbox.payment(word)
    assert asha_speaks.wait_for_payment().startswith(said)
    assert (asha_speaks.ended, asha_speaks.phase) == (reason, "finished")
    assert "The chain heard" in asha_speaks.say("confirm order")
    assert len(ledger.cart) == 1
    assert asha_speaks.say("order swiggy") == "Use Home for delivery?"  # a new try is a new order
    assert ledger.money == ONE_ORDER


@pytest.mark.case("D15")
@pytest.mark.promise("P148")
@pytest.mark.parametrize(
    ("answer", "reason", "said"),
    [
        ("failed", "payment_failed", "The payment failed"),
        ("pending", "payment_unknown", UNSURE),
        ("other", "payment_unknown", UNSURE),
    ],
)
def test_d15_at_the_cap_one_confirm_is_asked_and_what_it_says_is_reported(
    answer: str, reason: str, said: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(confirm_unpaid=answer)
    asha_speaks.to_payment()
    past_the_cap(asha_speaks)
    assert "I am still waiting" in asha_speaks.say("I have paid")
    assert asha_speaks.wait_for_payment().startswith(said)
    assert asha_speaks.ended == reason
    assert asha_speaks.wait_for_payment() == ""
    assert ledger.money == CONFIRMED


@pytest.mark.case("D13")
@pytest.mark.promise("P148")
def test_d13_a_payment_that_arrives_with_the_cap_wins(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_payment()
    past_the_cap(asha_speaks)
    sandbox.payment("success")
    assert asha_speaks.wait_for_payment() == PLACED
    assert ledger.money == ONE_ORDER


WATCHING: tuple[dict[str, Any], ...] = (
    {"kind": "drop", "where": "before"},
    {"kind": "malformed"},
    {"kind": "status", "status": 500},
    {"kind": "status", "status": 401},
    {"kind": "status", "status": 429},
    {"kind": "is_error"},
    {"kind": "success_false"},
)


@pytest.mark.promise("P149")
def test_a_fault_of_the_watching_is_no_end_of_the_payment(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    for rule in WATCHING:
        sandbox.faults([{"tool": "check_payment_status", **rule}])
        assert asha_speaks.wait_for_payment() == "", rule
        assert (asha_speaks.phase, asha_speaks.watch.last_error != "") == ("awaiting_payment", True), rule
        sandbox.faults([])
        assert asha_speaks.wait_for_payment() == ""
        assert asha_speaks.watch.last_error == ""
    sandbox.payment("success")
    assert asha_speaks.wait_for_payment() == PLACED
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P149")
def test_a_payment_that_could_never_be_seen_ends_unknown_and_not_failed(
    asha_speaks: Speaker, sandbox: SandboxProcess, clock: Clock, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    sandbox.faults([{"tool": tool, "kind": "drop"} for tool in ("check_payment_status", "confirm_order")])
    past_the_cap(asha_speaks)
    assert asha_speaks.wait_for_payment() == ""
    clock.forward(61)
    assert asha_speaks.wait_for_payment().startswith(UNSURE)
    assert asha_speaks.ended == "payment_unknown"
    assert ledger.money == CONFIRMED


def test_a_word_that_nobody_knows_is_no_end(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_payment()
    sandbox.payment("being-thought-about")
    assert asha_speaks.wait_for_payment() == ""
    assert asha_speaks.phase == "awaiting_payment"
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P150")
def test_the_end_of_a_payment_cannot_be_undone_by_what_is_said_at_once(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_payment()
    sandbox.payment("success")
    asha_speaks.utter("cancel order")  # its turn comes first
    assert PLACED in asha_speaks.wait_for_payment()
    assert (asha_speaks.watch.result, asha_speaks.intent.state) == ("paid", "paid")
    assert not payments.finish(asha_speaks.watch, result="payment_failed")
    assert sum(row["text"] == PLACED for row in asha_speaks.of_kind("interaction.reply")) == 1
    assert ledger.money == ONE_ORDER


@pytest.mark.case("D12")
@pytest.mark.promise("P146", "P150")
def test_d12_two_looks_at_once_make_one_confirm_and_one_announcement(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.settings(confirmed_on_success=False)
    asha_speaks.to_payment()
    sandbox.payment("success")
    watch, real = asha_speaks.watch.pk, mcp.swiggy

    def with_another_in_the_middle() -> Any:
        monkeypatch.setattr(mcp, "swiggy", real)
        PaymentWatch.objects.update(lease_until=clock.now() - timedelta(seconds=1))  # the first one is thought dead
        payments.poll(watch)
        return real()

    monkeypatch.setattr(mcp, "swiggy", with_another_in_the_middle)
    assert asha_speaks.wait_for_payment() == PLACED
    assert asha_speaks.wait_for_payment() == ""
    assert ledger.money == CONFIRMED


@pytest.mark.promise("P151")
def test_a_monitor_that_cannot_start_costs_a_sentence_and_nothing_is_sent_again(
    asha_speaks: Speaker, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import IntegrityError

    def refuse(*_: Any, **__: Any) -> None:
        raise IntegrityError("payment_watch")

    asha_speaks.to_review()
    monkeypatch.setattr(payments, "watch", refuse)
    said = asha_speaks.say("confirm order")
    assert said.startswith("Placing it now. I don't know whether it was placed, please check Swiggy.")
    assert "Swiggy lists the order" in said
    assert "I sent nothing twice." in said
    assert asha_speaks.ended == "checkout_order_seen"
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.case("D01")
def test_another_amount_at_the_checkout_is_said(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    sandbox.settings(checkout_extra_paise=6000)
    asha_speaks.to_review()
    assert "payment of ₹168 by UPI. Swiggy now asks ₹168, not ₹108." in asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER
