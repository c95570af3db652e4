"""Guards of the kernel, the account and the payment that stand behind another one, each looked at alone.

The mode of the first part does what a test says; the shop of the rest only counts what reaches it.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from interactions import attempts, host, registry, saying, turns
from interactions.contracts import (
    Call,
    Effect,
    Event,
    Failed,
    Heard,
    NoAnswerError,
    NotSentError,
    NotYetError,
    OvertakenError,
    Settled,
    Standing,
    Step,
)
from swiggy_instamart import accounts, effects, mcp, payments
from swiggy_instamart.models import Account, CheckoutIntent, Order, PaymentWatch
from swiggy_instamart.options import Options
from swiggy_instamart.receipts import Confirmed, Payment, PaymentStatus
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)


# ---- the kernel ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    monkeypatch.setattr(attempts, "BACKOFF_S", 0.0)
    return scripted.install(monkeypatch)


def unanswered(call: Call) -> dict[str, Any]:
    raise NoAnswerError


def spend(consent: int) -> Step:
    return Step(effect=Effect("spend", {}, consent=consent))


@pytest.mark.promise("P262", "P202")
def test_what_was_overtaken_cannot_be_asked_for_again_on_the_same_words(script: Script, kitchen: Any) -> None:
    device, consents = kitchen.device, list[int]()

    def insists(standing: Standing, event: Event) -> Step:
        match event:
            case Heard(text="confirm order", utterance=utterance):
                consents.append(utterance)
                return spend(utterance)
            case Settled(outcome=Failed("overtaken")):
                return spend(consents[0])
        return scripted.spending(standing, event)

    script.decide = insists
    talk.say(device, "open scripted")
    talk.say(device, "ready")
    for text in ("confirm order", "no wait"):
        talk.post(device, text)
    turns.drain(talk.session_of(device).pk)
    assert script.outcomes() == [Failed("overtaken")]
    assert script.calls == []


@pytest.mark.promise("P132", "P220")
def test_the_phrase_said_in_another_session_spends_nothing(script: Script, kitchen: Any) -> None:
    device, consents = kitchen.device, list[int]()

    def remembers(standing: Standing, event: Event) -> Step:
        match event:
            case Heard(text="confirm order", utterance=utterance):
                consents.append(utterance)
                return Step(end="over")
            case Heard(text="go on"):
                return spend(consents[0])
        return scripted.spending(standing, event)

    script.decide = remembers
    for texts in (("open scripted", "ready", "confirm order"), ("open scripted", "ready", "go on")):
        told = [talk.say(device, text) for text in texts]
    assert len(consents) == 1
    assert told[-1] == [saying.ENGLISH("sorry")]
    assert script.calls == []


@pytest.mark.promise("P120")
def test_a_once_without_an_answer_is_known_to_be_still_under_way(script: Script, kitchen: Any) -> None:
    script.decide, script.act = scripted.spending, unanswered
    for text in ("open scripted", "ready", "confirm order"):
        talk.say(kitchen.device, text)
    assert script.orphans == ["spend"]


@pytest.mark.promise("P120")
def test_a_write_without_an_answer_is_known_to_be_still_under_way(script: Script, kitchen: Any) -> None:
    script.decide, script.act = scripted.asking("write"), unanswered
    for text in ("open scripted", "go"):
        talk.say(kitchen.device, text)
    assert script.orphans == ["write"]


# ---- a shop that counts -------------------------------------------------------------------------------------------------


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
    monkeypatch.setattr(mcp, "signed_in", lambda **_: None)  # there is nobody to sign in to
    monkeypatch.setattr(host, "signal", lambda *_, **__: True)  # its session takes the end
    return till


@pytest.fixture
def order(asha: Any, kitchen: Any) -> Order:
    """The open order of session 1."""
    account = Account.objects.create(user=asha)
    return Order.objects.create(account=account, session_id=1, device_id=kitchen.device.pk, opened_at=timezone.now())


# ---- one account --------------------------------------------------------------------------------------------------------

MILK = {"spin": "s", "sku": "k", "name": "Milk", "size": "1 L", "quantity": 1}
CHANGES: dict[str, dict[str, Any]] = {
    "write": {"address": "a", "before": [], "after": [MILK]},
    "clear": {},
    "checkout": {"address": "a"},
}


def try_to(effect: str, order: Order) -> None:
    """Perform the effect; a call that was made has no answer, and one that was not is what some expect."""
    now = timezone.now()
    payload = CHANGES[effect] | {"said_at": now.isoformat()}
    call = Call(effect, payload, order.session_id, order.account.user_id, 1, 1, now + timedelta(seconds=20))
    with contextlib.suppress(NotYetError, OvertakenError, NotSentError, NoAnswerError):
        effects.perform(call, options=Options())


@pytest.mark.promise("P120")
def test_in_a_quiet_account_each_of_these_calls_is_made(order: Order, till: Till) -> None:
    for effect in CHANGES:
        try_to(effect, order)
    assert till.changes == ["update_cart", "clear_cart", "checkout"]


@pytest.mark.promise("P120")
def test_while_an_old_request_may_arrive_no_call_is_made(order: Order, till: Till) -> None:
    accounts.keep_quiet(order.account.user_id, until=timezone.now() + timedelta(seconds=30))
    for effect in CHANGES:
        try_to(effect, order)
    assert till.changes == []


@pytest.mark.promise("P120")
def test_once_its_order_is_over_a_session_makes_no_call(order: Order, till: Till) -> None:
    Order.objects.update(session_ended_at=timezone.now())
    for effect in CHANGES:
        try_to(effect, order)
    assert till.changes == []


@pytest.mark.promise("P120")
@pytest.mark.parametrize("effect", CHANGES)
def test_a_sender_that_died_leaves_the_account_quiet_while_its_call_may_arrive(effect: str, order: Order) -> None:
    until = timezone.now() + timedelta(seconds=30)
    standing = Standing(1, order.account.user_id, order.device_id, "shopping", {}, 0, 0, timezone.now(), capabilities={})
    for one in (until, until - timedelta(seconds=10)):  # an earlier end shortens nothing
        registry.mode("swiggy_order").orphaned(standing, effect, {}, until=one)
    assert Account.objects.get().quiet_until == until


# ---- one payment --------------------------------------------------------------------------------------------------------


@pytest.fixture
def watch(order: Order) -> int:
    """A payment that is waited for."""
    now = timezone.now()
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
    PaymentWatch.objects.filter(pk=watch).update(polling=True, polled_by="another", lease_until=timezone.now())
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
