"""Guards of the account and of the payment, each looked at alone: rows, and a shop that only counts what reaches it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from interactions import host
from interactions.contracts import NoAnswerError, NotSentError, NotYetError, OvertakenError
from swiggy_instamart import mcp, payments
from swiggy_instamart.models import Account, CheckoutIntent, Order, PaymentWatch
from swiggy_instamart.receipts import Confirmed, Payment, PaymentStatus

pytestmark = pytest.mark.django_db(transaction=True)


MILK = {"spin": "s", "sku": "k", "name": "Milk", "size": "1 L", "quantity": 1}
UNSENT = (NotYetError, OvertakenError, NotSentError)


@dataclass
class Till:
    """Notes whatever changes something, and each confirm with whether it was marked and inside a transaction; never answers."""

    confirms: list[tuple[bool, bool]] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)

    def until(self, deadline: datetime, **_: Any) -> Till:
        return self

    def update_cart(self, address_id: str, lines: Any) -> None:
        self.changes.append("update_cart")
        raise NoAnswerError

    def clear_cart(self) -> None:
        self.changes.append("clear_cart")
        raise NoAnswerError

    def checkout(self, address_id: str) -> None:
        self.changes.append("checkout")
        raise NoAnswerError

    def confirm_order(self, order_id: str, paas_id: str, transaction_id: str = "") -> Confirmed:
        marked = PaymentWatch.objects.exclude(confirm_started_at=None).exists()
        self.confirms.append((marked, connection.in_atomic_block))
        raise NoAnswerError


@pytest.fixture
def till(monkeypatch: pytest.MonkeyPatch) -> Till:
    till = Till()
    monkeypatch.setattr(mcp, "swiggy", lambda: till)
    monkeypatch.setattr(host, "signal", lambda *_, **__: True)  # its session takes the end
    return till


@pytest.fixture
def watch(asha: Any, kitchen: Any) -> int:
    """A payment that is waited for."""
    now = timezone.now()
    account = Account.objects.create(user=asha)
    order = Order.objects.create(
        account=account, session_id=1, device_id=kitchen.device.pk, opened_at=now, session_ended_at=now
    )
    intent = CheckoutIntent.objects.create(
        order=order,
        utterance=1,
        session_id=1,
        checkpoint=1,
        revision=1,
        total_paise=26900,
        state="pending_payment",
        order_ids=["ORD1"],
        paas_id="PAAS1",
        created_at=now,
    )
    return PaymentWatch.objects.create(intent=intent, interval_ms=5000, next_poll_at=now, deadline_at=now).pk


def held(watch: int) -> PaymentWatch:
    """The watch as one poll sees it."""
    return PaymentWatch.objects.select_related("intent__order").get(pk=watch)


PAID = PaymentStatus(Payment.PAID)


@pytest.mark.promise("P146")
def test_of_two_that_see_a_payment_at_once_one_confirms_it(watch: int, till: Till) -> None:
    both = held(watch), held(watch)
    for one in both:
        payments._act(one, PAID, over=False)
    assert len(till.confirms) == 1


@pytest.mark.promise("P146")
def test_a_confirm_is_marked_and_committed_before_it_is_sent(watch: int, till: Till) -> None:
    payments._act(held(watch), PAID, over=False)
    assert till.confirms == [(True, False)]


@pytest.mark.promise("P146")
def test_a_payment_that_the_shop_has_confirmed_is_not_confirmed_again(watch: int, till: Till) -> None:
    payments._act(held(watch), PaymentStatus(Payment.PAID, confirmed=True), over=False)
    assert till.confirms == []
    assert held(watch).result == "paid"


@pytest.mark.promise("P146")
def test_a_confirm_whose_answer_was_lost_is_not_sent_again_at_the_cap(watch: int, till: Till) -> None:
    payments._act(held(watch), PAID, over=False)
    payments._act(held(watch), PaymentStatus(Payment.PENDING), over=True)
    payments._act(held(watch), PAID, over=True)
    assert len(till.confirms) == 1


@pytest.mark.promise("P146")
def test_a_poll_whose_lease_was_taken_over_confirms_nothing(watch: int, till: Till) -> None:
    mine = held(watch)
    PaymentWatch.objects.filter(pk=watch).update(polling=True, lease_until=timezone.now())
    payments._act(mine, PAID, over=False)
    assert till.confirms == []


@pytest.mark.promise("P147")
@pytest.mark.parametrize(
    ("state", "result"),
    [
        (Payment.FAILED, "payment_failed"),
        (Payment.CANCELLED, "payment_cancelled"),
        (Payment.REFUNDED, "payment_refunded"),
        (Payment.CART_CHANGED, "cart_changed"),
    ],
)
def test_each_bad_ending_is_stored_as_what_it_is_and_confirms_nothing(
    watch: int, till: Till, state: Payment, result: str
) -> None:
    payments._act(held(watch), PaymentStatus(state), over=True)
    seen = held(watch)
    assert (seen.result, seen.intent.state, seen.intent.code) == (result, "unpaid", result)
    assert till.confirms == []
