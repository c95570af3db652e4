"""Every ending that a payment can have, against the shop on the wire: each is a script of what the shop does and when we look.

The order's session is gone, so that what the watch says is all that is said. The shop's own ledger counts the confirms.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from interactions import registry
from interactions.models import InteractionSession
from interactions.plugins import ActionResult
from swiggy_instamart import adoption, intents, late, mcp, payments, rows, shop
from swiggy_instamart.models import Account, CheckoutIntent, Order, PaymentWatch
from swiggy_instamart.options import Options
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support import talk
from tests.support.people import Owned
from tests.support.shopper import Shopper

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]

_numbers = itertools.count(1_000_000)
LINK = "https://pay.example/opaque"
PLACED = "Instamart order placed successfully."
LATE = "did go through after all: that Instamart order was placed successfully."
UNSURE = "I don't know how the payment ended, please check Swiggy."
FAILED = "The payment failed, so the order was not placed."


class Following:
    """One order that waits for its payment, made at the shop itself; its session has ended."""

    def __init__(self, owned: Owned, sandbox: SandboxProcess) -> None:
        self.device, self.sandbox = owned.device, sandbox
        sandbox.cart([{"find": "toned milk", "quantity": 2}])
        shopper = Shopper(sandbox)
        answer = shopper.pay_by_scan(at=shopper.address("Home"))
        shopper.close()
        self.total, number = round(answer["cartTotal"] * 100), next(_numbers)
        now = timezone.now()
        account, _ = Account.objects.get_or_create(user_id=self.device.owner_id)
        session = InteractionSession.objects.create(
            user=self.device.owner, client_id=self.device.client_id, device=self.device, mode="swiggy_order", phase="finished",
            plugin="swiggy_instamart", status="ended", end_reason="left_while_paying", started_at=now, idle_at=now,
            hard_at=now + timedelta(minutes=30), ended_at=now,
        )  # fmt: skip
        order = Order.objects.create(
            account=account, session_id=session.pk, device_id=self.device.pk, opened_at=now, session_ended_at=now
        )
        self.intent = CheckoutIntent.objects.create(
            order=order, utterance=number, session_id=session.pk, checkpoint=number, revision=1, address_id="a",
            address_label="Home", total_paise=self.total, fingerprint="f", created_at=now,
        )  # fmt: skip
        self.result = {
            "placing": "pending_payment", "order_ids": [answer["orderId"]], "paas_id": answer["paasId"], "link": LINK,
            "transaction_id": answer["transactionId"], "total_paise": self.total, "poll_every_ms": 5000, "poll_for_ms": 300_000,
        }  # fmt: skip

    def watched(self) -> Following:
        with transaction.atomic():
            payments.watch(self.intent, rows.awaits(self.intent.utterance, self.result), at=timezone.now(), options=Options())
        return self

    @property
    def watch(self) -> PaymentWatch:
        return PaymentWatch.objects.select_related("intent").get(intent=self.intent)

    def poll(self) -> None:
        PaymentWatch.objects.filter(intent=self.intent).update(next_poll_at=timezone.now())
        payments.poll(self.watch.pk)

    def past_the_cap(self, by_s: float = 0.001) -> None:
        PaymentWatch.objects.update(deadline_at=timezone.now() - timedelta(seconds=by_s))

    def play(self, *script: str | dict[str, Any]) -> None:
        for act in script:
            match act:
                case "look":
                    self.poll()
                case "cap":
                    self.past_the_cap()
                case "grace":
                    self.past_the_cap(payments.GRACE_S + 1)
                case "well":
                    self.sandbox.faults([])
                case "signed out" | "signed in":
                    self.sandbox.settings(auth="expired" if act == "signed out" else "ok")
                case dict():
                    self.sandbox.faults([act])
                case _:
                    word, *flags = act.split()
                    said = {"terminal": True, "lost": False}
                    terminal = next((said[flag] for flag in flags if flag in said), None)
                    self.sandbox.payment(word, terminal=terminal, confirmed=True if "confirmed" in flags else None)

    @property
    def said(self) -> str:
        return " ".join(talk.spoken(self.device))

    @property
    def confirms(self) -> int:
        return len(self.sandbox.calls("confirm_order"))


@dataclass(frozen=True)
class Ending:
    """``script``: the shop's payment word, a fault rule, or look / cap / grace / well / signed out / signed in."""

    script: tuple[str | dict[str, Any], ...]
    result: str
    said: str
    confirms: int = 0
    shop: dict[str, Any] = field(default_factory=dict)


LOST = {"tool": "confirm_order", "kind": "drop", "where": "after"}
NEVER_CAME = {"tool": "confirm_order", "kind": "drop", "where": "before"}
BLIND = {"tool": "check_payment_status", "kind": "status", "status": 500}
UNPLACED = {"confirmed_on_success": False}

ENDINGS: dict[str, Ending] = {
    "paid and confirmed": Ending(("success", "look", "look"), "paid", PLACED),
    "paid, in the other word": Ending(("paid", "look"), "paid", PLACED),
    "paid and not confirmed": Ending(("success", "look", "look"), "paid", PLACED, 1, UNPLACED),
    "failed": Ending(("failed", "look"), "payment_failed", FAILED),
    "cancelled": Ending(("cancelled", "look"), "payment_cancelled", "The order was cancelled at the payment."),
    "the cart changed": Ending(("cart_changed", "look"), "cart_changed", "Price or stock changed during the payment"),
    "refund": Ending(("refund-initiated", "look"), "payment_refunded", "The payment is being refunded by Swiggy"),
    "a flag of success beside a word nobody knows": Ending(("thinking terminal confirmed", "look"), "paid", PLACED),
    "a flag of failure beside a word nobody knows": Ending(("thinking lost", "look"), "payment_failed", FAILED),
    "a word nobody knows to the cap": Ending(
        ("thinking", "look", "look", "cap", "look"), "payment_unknown", UNSURE, 1, {"confirm_unpaid": "other"}
    ),
    "pending to the cap, then paid": Ending(("look", "cap", "success", "look"), "paid", PLACED),
    "pending to the cap, the confirm knows better": Ending(
        ("success", "thinking", "look", "cap", "look"), "paid", PLACED, 1, UNPLACED
    ),
    "pending to the cap, the confirm says failed": Ending(
        ("look", "cap", "look"), "payment_failed", FAILED, 1, {"confirm_unpaid": "failed"}
    ),
    "pending to the cap, the confirm says pending": Ending(
        ("look", "cap", "look"), "payment_unknown", UNSURE, 1, {"confirm_unpaid": "pending"}
    ),
    "pending to the cap, the confirm's answer lost": Ending(
        (LOST, "cap", "look", "look", "grace", "look"), "payment_unknown", UNSURE, 1, {"confirm_unpaid": "pending"}
    ),
    "pending to the cap, the confirm's answer lost, then paid": Ending(
        (LOST, "cap", "look", "success", "look"), "paid", PLACED, 1, {"confirm_unpaid": "pending"}
    ),
    "pending to the cap, the confirm lost on its way": Ending(
        (NEVER_CAME, "cap", "look", "well", "look", "grace", "look"), "payment_unknown", UNSURE, 1
    ),
    "paid, the confirm's answer lost": Ending(("success", LOST, "look", "look"), "paid", PLACED, 1, UNPLACED),
    "paid, the confirm lost on its way, read to the cap": Ending(
        ("success", NEVER_CAME, "look", "look", "cap", "look", "grace", "look"), "payment_unknown", UNSURE, 1, UNPLACED
    ),
    "never to be seen": Ending(
        (BLIND, "look", "cap", "look", "grace", "look"), "payment_unknown", UNSURE, 1, {"confirm_unpaid": "pending"}
    ),
    "seen again after errors": Ending((BLIND, "look", "look", "well", "success", "look"), "paid", PLACED),
    "signed out in the middle": Ending(("signed out", "look", "look", "signed in", "success", "look"), "paid", PLACED),
    "signed out over the cap, and in again": Ending(
        ("signed out", "cap", "look", "look", "signed in", "look"), "payment_failed", FAILED, 1
    ),
    "signed out for good": Ending(("signed out", "cap", "look", "grace", "look", "look"), "payment_unknown", UNSURE, 1),
}


@pytest.fixture
def following(sandbox: SandboxProcess, kitchen: Owned, settings: Any) -> Following:
    sandbox.reset()
    sandbox.settings(hold_s=0)
    settings.SWIGGY_MCP_URL = sandbox.url
    return Following(kitchen, sandbox)


@pytest.mark.case("D20", "D13", "D15")
@pytest.mark.promise("P146", "P147", "P148", "P149")
@pytest.mark.parametrize("name", ENDINGS)
def test_each_ending_is_told_once_in_its_own_words_with_one_confirm_at_most(name: str, following: Following) -> None:
    ending = ENDINGS[name]
    following.watched()
    following.sandbox.settings(**ending.shop)
    following.play(*ending.script)
    watch = following.watch
    assert watch.result == ending.result
    assert following.said.startswith(ending.said)
    assert len(talk.spoken(following.device)) == 1
    assert following.confirms == ending.confirms <= 1
    assert len(following.sandbox.ledger()["checkouts"]) == 1
    assert watch.intent.order.closed_at is not None
    assert intents.verify(watch.intent)


# ---- after the end ------------------------------------------------------------------------------------------------------


@pytest.mark.case("D15")
@pytest.mark.promise("P150")
@pytest.mark.parametrize("first", ["pending to the cap, the confirm says pending", "failed", "cancelled"])
def test_a_payment_that_arrives_after_its_end_is_told_once_and_never_taken_back(first: str, following: Following) -> None:
    ending = ENDINGS[first]
    following.watched()
    following.sandbox.settings(**ending.shop)
    following.play(*ending.script)
    following.play("look", "success", "look", "look", "failed", "look")
    watch = following.watch
    assert (watch.result, watch.intent.state, watch.late_until) == ("paid", "paid", None)
    assert following.said.count(LATE) == 1
    assert talk.spoken(following.device)[-1].endswith(LATE)
    assert following.confirms == ending.confirms
    assert not payments.finish(watch, result="payment_failed")
    assert intents.verify(watch.intent)


def test_after_its_end_a_payment_is_looked_at_seldom_behind_the_open_ones_and_not_for_ever(
    following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[int] = []
    monkeypatch.setattr(payments.host, "ring_after_commit", lambda row, task: rung.append(row))
    following.watched().play("failed", "look")
    over = following.watch
    assert over.ended_at is not None
    assert over.next_poll_at >= over.ended_at + late.INTERVAL
    payments.due(over.next_poll_at)
    assert rung == [over.pk]
    other = Following(Owned(following.device, ""), following.sandbox).watched()
    PaymentWatch.objects.filter(pk=other.watch.pk).update(next_poll_at=over.next_poll_at)
    payments.due(over.next_poll_at)
    assert rung == [over.pk, other.watch.pk]
    assert over.late_until is not None
    PaymentWatch.objects.filter(pk=other.watch.pk).update(next_poll_at=over.late_until + timedelta(hours=1))
    payments.due(over.late_until)
    assert len(rung) == 2


# ---- as the shop asks ---------------------------------------------------------------------------------------------------


@pytest.mark.case("D06", "D20")
@pytest.mark.promise("P145")
def test_a_poll_that_is_asked_to_wait_waits_so_long_and_the_one_confirm_is_not_wasted_on_it(following: Following) -> None:
    following.watched().play({"tool": "*", "kind": "status", "status": 429, "retry_after": 40}, "cap")
    before = timezone.now()
    following.poll()
    assert following.watch.next_poll_at >= before + timedelta(seconds=40)
    following.poll()  # the client keeps to it too
    assert len(following.sandbox.calls("check_payment_status")) == 1
    assert following.watch.confirm_started_at is None
    mcp.close()  # as when the time is over
    following.play("well", "success", "look")
    assert following.watch.result == "paid"
    assert following.confirms == 0


@pytest.mark.promise("P145", "P157")
def test_a_status_that_the_shop_holds_is_waited_for_and_one_cut_short_is_no_answer(
    following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_s = 19  # how long the shop holds a status read; everything else here is a hundredth
    assert shop.TIMEOUTS["check_payment_status"] >= 30 > held_s
    assert shop.TIMEOUTS["check_payment_status"] + shop.TIMEOUTS["confirm_order"] < payments.LEASE_S
    following.watched().sandbox.settings(hold_s=held_s / 100)
    monkeypatch.setitem(shop.TIMEOUTS, "check_payment_status", held_s / 200)  # type: ignore[misc]
    following.poll()  # the control: a client without patience sees nothing
    assert (following.watch.last_status, following.watch.last_error) == ("", "timeout")
    monkeypatch.setitem(shop.TIMEOUTS, "check_payment_status", 2.0)  # type: ignore[misc]
    following.poll()
    assert (following.watch.last_status, following.watch.last_error) == ("pending", "")


# ---- a link that no session got to send ---------------------------------------------------------------------------------


class Hermes:
    """Takes notices, or does not."""

    def __init__(self, *answers: ActionResult) -> None:
        self.answers, self.got = list(answers), list[dict[str, Any]]()

    def call(self, action: str, data: dict[str, Any]) -> ActionResult:
        assert action == "notify"
        self.got.append(data)
        return self.answers.pop(0)


NO_ANSWER, TAKEN = ActionResult(ok=False, error="unreachable: ReadTimeout"), ActionResult(ok=True)
NOWHERE = ActionResult(ok=False, error="no_target")


@pytest.mark.promise("P142", "P143")
@pytest.mark.parametrize("answers", [(NO_ANSWER, TAKEN), (NOWHERE,)], ids=["taken the second time", "nowhere to send it"])
def test_a_late_answer_whose_session_is_gone_sends_its_link_to_the_persons_own_channel(
    answers: tuple[ActionResult, ...], following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes = Hermes(*answers)
    monkeypatch.setattr(registry, "plugin", lambda name: hermes if name == "hermes" else None)
    with transaction.atomic():
        adoption.adopt(following.intent, following.result, at=timezone.now(), options=Options())
    assert hermes.got == []  # not inside the transaction
    payments.poll(following.watch.pk)  # due at once
    for _ in range(2):
        following.poll()
    assert [(row["link"], row["id"]) for row in hermes.got] == [(LINK, f"swiggy-{following.intent.pk}-late")] * len(answers)
    assert "it waits for your payment" in following.said
    assert ("I could not send you the payment link." in following.said) is (answers[-1] is NOWHERE)
    assert LINK not in following.said
