"""A checkout that nobody knows the outcome of: the operator is alarmed and may settle it, and a late sight reopens it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from interactions import recovery
from interactions.models import Alarm
from swiggy_instamart import intents, lights, payments, settlement
from swiggy_instamart import recovery as search
from swiggy_instamart.models import CheckoutIntent, IntentEvent, PaymentWatch, Recovery
from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.settlement import NotNowError
from tests.flows.order.dialogue import Ledger, Money, Speaker

pytestmark = pytest.mark.django_db

LOST = {"tool": "checkout", "nth": 1, "kind": "drop", "where": "after"}
NEVER = {"tool": "checkout", "nth": 1, "kind": "drop", "where": "before"}
LISTS = "Swiggy lists the order"
ONE_ORDER, NO_ORDER = Money(1, 1, 0), Money(1, 0, 0)


@pytest.fixture
def lost(asha_speaks: Speaker, sandbox: SandboxProcess) -> Speaker:
    """Placed, its answer lost, and on no list for now."""
    return unknown(asha_speaks, sandbox, LOST)


@pytest.fixture
def never(asha_speaks: Speaker, sandbox: SandboxProcess) -> Speaker:
    """Cut off before the shop took it."""
    return unknown(asha_speaks, sandbox, NEVER)


def unknown(speaker: Speaker, sandbox: SandboxProcess, rule: dict[str, Any]) -> Speaker:
    speaker.to_review()
    sandbox.settings(orders_stale=True)
    sandbox.faults([rule])
    speaker.say("confirm order")
    assert speaker.intent.state == "unknown"
    assert speaker.intent.looks == 1
    return speaker


def settle(act: str, speaker: Speaker, **more: str) -> str:
    settlement.perform(act, speaker.intent.pk, by="olga", note="looked in the app", **more)
    speaker.work()
    return speaker.hear()


def give_up(speaker: Speaker) -> None:
    assert "it may exist" in speaker.wait_for_look_up(200)
    assert speaker.intent.state == "unfound"


def events() -> list[str]:
    return list(IntentEvent.objects.order_by("sequence").values_list("name", flat=True))


def alarms() -> list[str]:
    return [cause.partition(":")[0] for cause in Alarm.objects.order_by("pk").values_list("cause", flat=True)]


# ---- the alarm ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P271")
def test_an_unknown_checkout_alarms_the_operator_at_once_and_is_red_until_it_is_known(lost: Speaker) -> None:
    assert alarms() == ["unknown"]
    alarm = Alarm.objects.get()
    for secret in ("http", "milk", "confirm order", lost.intent.address_label):
        assert secret not in alarm.text
    assert not lights.checkouts().green
    give_up(lost)
    assert alarms() == ["unknown", "unfound"]
    assert not lights.checkouts().green
    settle("placed", lost)
    assert lights.checkouts().green


# ---- seen late ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P207", "P268")
def test_an_order_that_is_listed_long_after_the_look_up_is_told_once_and_alarmed(
    lost: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    give_up(lost)
    assert lost.wait_for_look_up(60) == "", "not asked for again at once"
    sandbox.settings(orders_stale=False)
    assert lost.wait_for_look_up(600).count(LISTS) == 1
    assert (lost.intent.state, alarms()[-1]) == ("seen", "seen")
    assert lost.intent.told_at is not None
    for _ in range(2):
        assert lost.wait_for_look_up(3600) == ""
    assert ledger.money == ONE_ORDER
    assert intents.verify(lost.intent)


@pytest.mark.promise("P207", "P268")
def test_a_sight_after_the_session_is_told_where_it_was_and_voids_the_review_of_a_later_order(
    lost: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    give_up(lost)
    lost.say("cancel order")
    lost.to_review()
    sandbox.settings(orders_stale=False)
    assert LISTS in lost.wait_for_look_up(330)
    assert lost.phase == "shopping"
    assert "nothing to confirm" in lost.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P207")
def test_the_looks_grow_rare_and_end_after_a_day(never: Speaker, ledger: Ledger) -> None:
    give_up(never)
    before = ledger.count("get_orders")
    for _ in range(30):
        never.wait_for_look_up(3600)
    assert never.intent.next_look_at is None
    assert 2 <= (ledger.count("get_orders") - before) / 2 <= 12


# ---- placed -------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P207", "P233")
def test_the_operator_settles_it_as_placed_and_the_speaker_hears_so(lost: Speaker, ledger: Ledger) -> None:
    calls = len(ledger.calls)
    assert "that order was placed" in settle("placed", lost, order_id="ORD77")
    assert (lost.ended, lost.intent.state, lost.intent.order_ids) == ("checkout_settled", "placed", ["ORD77"])
    event = IntentEvent.objects.latest("sequence")
    assert (event.name, event.facts["by"], event.facts["note"]) == ("settled_placed", "olga", "looked in the app")
    assert intents.verify(lost.intent)
    assert len(ledger.calls) == calls, "an operator's word calls nothing"
    assert lost.wait_for_look_up(600) == ""


@pytest.mark.promise("P207", "P233")
def test_it_is_told_at_the_device_where_the_session_has_ended(lost: Speaker) -> None:
    lost.say("stop")
    assert "that order was placed" in settle("placed", lost)
    assert lost.say("order swiggy") == "Use Home for delivery?"


# ---- not placed ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P207", "P233", "P268")
def test_not_placed_needs_one_more_look_that_sees_nothing_and_opens_no_way_to_spend(never: Speaker, ledger: Ledger) -> None:
    looks = ledger.count("get_orders")
    assert settle("not_placed", never) == ""
    assert (never.intent.state, never.intent.wish) == ("unknown", "not_placed")
    assert ledger.count("get_orders") == looks, "asking looks at nothing by itself"
    assert "that order was not placed" in never.wait_for_look_up(0.1)
    assert ledger.count("get_orders") > looks
    assert (never.phase, never.intent.state) == ("shopping", "not_placed")
    asked, settled = IntentEvent.objects.filter(name__in=("not_placed_asked", "settled_not_placed")).order_by("sequence")
    assert asked.facts["by"] == settled.facts["by"] == "olga"
    assert "nothing to confirm" in never.say("confirm order")
    assert never.say("complete order").startswith("Your order: "), "what is settled is no doubt any more"
    assert ledger.money == NO_ORDER


@pytest.mark.promise("P207", "P268")
def test_not_placed_is_refused_where_the_look_sees_the_order(lost: Speaker, sandbox: SandboxProcess) -> None:
    sandbox.settings(orders_stale=False)
    settle("not_placed", lost)
    assert LISTS in lost.wait_for_look_up(0.1)
    assert (lost.intent.state, lost.intent.wish) == ("seen", "")
    assert "settled_not_placed" not in events()


@pytest.mark.promise("P207", "P268")
def test_not_placed_is_refused_where_nothing_can_be_read_or_was_looked_at(never: Speaker, sandbox: SandboxProcess) -> None:
    give_up(never)
    sandbox.faults([{"tool": "get_orders", "kind": "status", "status": 500}])
    settle("not_placed", never)
    assert never.wait_for_look_up(0.1) == ""
    assert (never.intent.state, never.intent.wish, events()[-1]) == ("unfound", "", "not_placed_refused")
    CheckoutIntent.objects.update(looks=0)
    with pytest.raises(NotNowError, match="Nobody has looked"):
        settle("not_placed", never)


@pytest.mark.promise("P268")
def test_a_sight_after_not_placed_reopens_it_and_tells_both(lost: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    settle("not_placed", lost)
    lost.wait_for_look_up(0.1)
    assert lost.intent.state == "not_placed"
    lost.say("complete order")
    sandbox.settings(orders_stale=False)
    assert lost.wait_for_look_up(900).count(LISTS) == 1
    assert lost.phase == "shopping"
    assert (lost.intent.state, alarms()[-1]) == ("seen", "seen")
    assert lost.wait_for_look_up(3600) == ""
    assert ledger.money == ONE_ORDER


# ---- link and watch -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P233", "P143")
def test_the_link_is_sent_again_to_screen_and_channel(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_payment()
    asha_speaks.say("stop")
    before = len(asha_speaks.of_kind("interaction.payment"))
    settle("resend", asha_speaks)
    assert len(asha_speaks.of_kind("interaction.payment")) == before + 1
    assert asha_speaks.watch.notice_at is not None
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P233", "P146")
def test_a_payment_followed_on_is_read_and_never_confirmed_again(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(confirm_unpaid="pending")
    asha_speaks.to_payment()
    PaymentWatch.objects.update(deadline_at=asha_speaks.clock.now())
    asha_speaks.wait_for_payment()
    assert asha_speaks.intent.state == "payment_unknown"
    asha_speaks.clock.forward(3600)
    sandbox.payment("success")
    payments.poll(asha_speaks.watch.pk)
    assert asha_speaks.intent.state == "payment_unknown", "nobody looks at it any more"
    settle("follow", asha_speaks)
    payments.poll(asha_speaks.watch.pk)
    assert "placed successfully" in asha_speaks.hear()
    assert ledger.count("confirm_order") == 1
    assert "watch_rearmed" in events()


# ---- the page -----------------------------------------------------------------------------------------------------------


def page(speaker: Speaker) -> str:
    return reverse("admin:swiggy_instamart_checkoutintent_settle", args=[speaker.intent.pk])


@pytest.mark.promise("P233", "P207")
def test_the_page_shows_what_was_agreed_to_and_acts_on_a_post_with_a_reason_alone(
    lost: Speaker, client: Client, django_user_model: Any, ledger: Ledger
) -> None:
    client.force_login(django_user_model.objects.create_superuser("olga"))
    calls = len(ledger.calls)
    shown = client.get(page(lost)).content.decode()
    for words in ("Toned Milk", "₹108", "Home", "It was placed", "It was not placed"):
        assert words in shown
    assert "Send the payment link" not in shown
    link = reverse("admin:swiggy_instamart_checkoutintent_change", args=[lost.intent.pk])
    assert page(lost) in client.get(link).content.decode()
    assert client.post(page(lost), {"act": "placed"}).status_code == 200
    assert lost.intent.state == "unknown", "not without a reason"
    assert client.post(page(lost), {"act": "resend", "note": "x"}).status_code == 200
    answer = client.post(page(lost), {"act": "placed", "order_id": "ORD77", "note": "seen in the app"}, follow=True)
    assert "olga: seen in the app" in answer.content.decode()
    assert (lost.intent.state, LogEntry.objects.get().change_message) == ("placed", "placed: seen in the app")
    assert client.post(page(lost), {"act": "not_placed", "note": "x"}).status_code == 200
    assert lost.intent.state == "placed"
    assert len(ledger.calls) == calls


@pytest.mark.promise("P233")
def test_nobody_without_the_permission_sees_or_does_it(lost: Speaker, client: Client, django_user_model: Any) -> None:
    helper = django_user_model.objects.create_user("helper", is_staff=True)
    helper.user_permissions.add(Permission.objects.get(codename="view_checkoutintent"))
    client.force_login(helper)
    for answer in (client.get(page(lost)), client.post(page(lost), {"act": "placed", "note": "x"})):
        assert answer.status_code == 403
    link = reverse("admin:swiggy_instamart_checkoutintent_change", args=[lost.intent.pk])
    assert page(lost) not in client.get(link).content.decode()
    client.logout()
    assert client.post(page(lost), {"act": "placed", "note": "x"}).status_code == 302
    assert lost.intent.state == "unknown"


@pytest.mark.promise("P268", "P241")
def test_an_order_that_a_list_shows_by_the_next_review_is_seen_then_and_cannot_be_bought_again(
    lost: Speaker, ledger: Ledger, sandbox: SandboxProcess
) -> None:
    settle("not_placed", lost)
    assert "not placed" in lost.wait_for_look_up(0.1)
    assert lost.intent.state == "not_placed"
    lost.wait_for_look_up(20)  # in vain once more; from here on the looks are rare
    sandbox.settings(orders_stale=False)
    assert lost.intent.next_look_at > lost.clock.now() + timedelta(minutes=2), "its own look is far away"
    lost.say("complete order")
    assert LISTS in lost.wait_for_look_up(0.1)
    lost.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P263", "P268")
def test_a_recovery_that_sees_such_an_order_has_its_checkout_looked_for_before_anything_is_reviewed(
    lost: Speaker, ledger: Ledger, sandbox: SandboxProcess
) -> None:
    settle("not_placed", lost)
    lost.wait_for_look_up(0.1)
    sandbox.settings(orders_stale=False)
    recovery.recover(lost.clock.now())
    lost.clock.forward(200)
    for row in Recovery.objects.filter(ended_at=None).values_list("pk", flat=True):
        search.search(row)
    assert Recovery.objects.filter(ended_at=None).exists(), "what was seen is told first"
    assert LISTS in lost.wait_for_look_up(0.1)
    assert lost.intent.state == "seen"
    assert ledger.money == ONE_ORDER
