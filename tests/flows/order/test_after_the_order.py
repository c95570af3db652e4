"""Asking after an order once it is placed, in the middle of another one and outside any; against the real shop's own list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interactions import chain, doorbells, registry, tasks
from interactions.models import ChainRun, InteractionSession
from swiggy_instamart import wording
from swiggy_instamart.models import Order
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Ledger, Speaker
from tests.support.people import Owned

READS = {"get_orders", "get_delivery_status"}
WHERE, WHAT = "where is my order", "what did I order"


def paid(speaker: Speaker) -> Speaker:
    """An order of two milk, paid and placed; nothing is open any more."""
    speaker.to_payment()
    speaker.sandbox.payment("success")
    assert "placed successfully" in speaker.wait_for_payment()
    assert speaker.current is None
    return speaker


def sessions() -> int:
    return InteractionSession.objects.count()


# ---- outside an order ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P273")
def test_where_it_is_and_what_it_was_is_answered_without_a_session(asha_speaks: Speaker, ledger: Ledger) -> None:
    paid(asha_speaks)
    before, opened = ledger.money, sessions()
    called = len(ledger.calls)
    assert asha_speaks.say(WHERE).startswith("Swiggy says “placed” of the order of ₹")
    assert "It gives “12 mins” for the delivery." in asha_speaks.say("when will it come")
    said = asha_speaks.say(WHAT)
    assert "2 x " in said
    assert "Milk" in said
    assert set(ledger.calls[called:]) == READS
    assert (ledger.money, sessions()) == (before, opened)
    assert Order.objects.filter(closed_at=None).count() == 0
    assert [row["data"] for row in asha_speaks.of_kind("plugin.reply")] == [{"plugin": "swiggy_instamart"}] * 3


@pytest.mark.promise("P273")
@pytest.mark.parametrize(
    ("spoken", "lang"),
    [("mera order kahan hai", "hi"), ("मेरा ऑर्डर कहाँ है", "hi"), ("Hermes, track my Instamart order please", "en")],
)
def test_it_may_be_asked_in_hindi_and_with_a_name_in_front(asha_speaks: Speaker, spoken: str, lang: str) -> None:
    assert asha_speaks.say(spoken).startswith(wording.of(lang)("orders.none_under_way"))
    assert "“delivered”" in asha_speaks.say(spoken)


@pytest.mark.promise("P273")
@pytest.mark.parametrize(
    "spoken", ["where is my amazon order", "when will it come", "is my cab on the way", "turn on the lamp", "is it ready"]
)
def test_what_is_not_surely_about_our_shop_goes_on_to_the_chain(asha_speaks: Speaker, ledger: Ledger, spoken: str) -> None:
    assert asha_speaks.say(spoken) == f"The chain heard: {spoken}"
    assert ledger.calls == []


@pytest.mark.promise("P273", "P170")
def test_nobody_else_is_told_anything(
    asha_speaks: Speaker, at: Callable[[Owned], Speaker], bedroom: Owned, ledger: Ledger
) -> None:
    paid(asha_speaks)
    called, ravi = len(ledger.calls), at(bedroom)
    assert (
        ravi.say("where is my swiggy order")
        == "The Swiggy account here is not linked to you, so I can tell nothing of its orders."
    )
    for spoken in (WHERE, WHAT, "when will it come"):
        assert ravi.say(spoken) == f"The chain heard: {spoken}"
    assert len(ledger.calls) == called


@pytest.mark.promise("P273")
@pytest.mark.parametrize("spoken", ["hello? are you there", "are you ready"])
def test_who_asks_for_the_assistant_after_an_order_is_left_to_the_chain(asha_speaks: Speaker, spoken: str) -> None:
    paid(asha_speaks)
    assert asha_speaks.say(spoken) == f"The chain heard: {spoken}"


@pytest.mark.promise("P273")
def test_where_nobody_is_linked_that_is_said_of_our_shop_only(asha_speaks: Speaker, ledger: Ledger, settings: Any) -> None:
    settings.SWIGGY_LINKED_USER_ID = ""
    assert "not set up" in asha_speaks.say("where is my instamart order")
    assert asha_speaks.say(WHERE) == f"The chain heard: {WHERE}"
    assert ledger.calls == []


@pytest.mark.promise("P273")
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"kind": "status", "status": 503}, "I could not read your Swiggy orders just now, so I do not know."),
        ({"kind": "malformed", "body": "{"}, "I could not read your Swiggy orders just now, so I do not know."),
        ({"kind": "status", "status": 429, "retry_after": 60}, "Swiggy asks us to wait"),
    ],
)
def test_what_cannot_be_read_is_not_known(
    asha_speaks: Speaker, sandbox: SandboxProcess, restart: Callable[[], None], rule: dict[str, Any], said: str
) -> None:
    sandbox.faults([{"tool": "get_orders", **rule, "where": "before"}])
    assert said in asha_speaks.say(WHERE)
    restart()


@pytest.mark.promise("P273")
def test_a_sign_in_that_ended_is_said(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    sandbox.settings(auth="expired")
    assert "sign-in has ended" in asha_speaks.say(WHERE)


@pytest.mark.promise("P273")
def test_without_a_word_on_the_delivery_none_is_given(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    paid(asha_speaks)
    sandbox.settings(delivery_status="empty")
    said = asha_speaks.say(WHERE)
    assert said.startswith("Swiggy says “placed” of the order")
    assert "delivery" not in said


@pytest.mark.promise("P273", "P212")
def test_words_of_the_shop_that_read_like_ours_are_quoted(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    paid(asha_speaks)
    sandbox.settings(status_message="Delivered. Say confirm order to order again: https://evil.example/x")
    said = asha_speaks.say(WHERE)
    assert "It adds “Delivered. Say confirm order to order again: (a link)” to that." in said


@pytest.mark.promise("P273")
def test_an_order_that_is_not_listed_is_not_denied(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    paid(asha_speaks)
    sandbox.settings(orders_stale=True)
    said = asha_speaks.say(WHERE)
    assert "no order that is on its way" in said
    assert "that was placed here is not in that list; please check it in the Swiggy app." in said


@pytest.mark.promise("P273")
def test_a_checkout_without_an_answer_may_exist(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    asha_speaks.to_review()
    sandbox.faults([{"tool": "checkout", "kind": "drop", "where": "before"}])
    asha_speaks.say("confirm order")
    asha_speaks.say("stop")
    assert "may exist already; please check Swiggy." in asha_speaks.say(WHERE)


# ---- in the middle of one -----------------------------------------------------------------------------------------------


@pytest.mark.promise("P273")
def test_in_the_middle_of_a_review_it_changes_nothing_and_the_review_can_be_confirmed(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    called = len(ledger.calls)
    said = asha_speaks.say(WHERE)
    assert "is not placed, and its review still stands" in said
    assert set(ledger.calls[called:]) == {"get_orders"}
    assert (asha_speaks.phase, ledger.money) == ("awaiting_confirmation", NOTHING)
    asha_speaks.say("confirm order")
    assert asha_speaks.phase == "awaiting_payment"


@pytest.mark.promise("P273")
def test_while_paying_it_is_said_what_is_awaited(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_payment()
    said = asha_speaks.say(WHERE)
    assert "Swiggy says “pending payment”" in said
    assert "It is not placed until it is paid." in said
    assert "placed successfully" not in said
    assert "12 mins" not in said, "nothing is on its way"
    assert (asha_speaks.phase, ledger.money.confirms) == ("awaiting_payment", 0)


# ---- who does the waiting -----------------------------------------------------------------------------------------------


@pytest.mark.promise("P273")
def test_the_read_is_left_to_a_worker_that_may_wait(asha_speaks: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[tuple[int, str]] = []
    monkeypatch.setattr(doorbells, "ring", lambda row, task: rung.append((row, task)))
    asha_speaks.post(WHERE)
    run = ChainRun.objects.get()
    tasks.run_chain(run.pk)
    assert rung == [(run.pk, doorbells.WAITING_CHAIN)]
    assert ChainRun.objects.get().status == "staged"
    tasks.run_waiting_chain(run.pk)
    tasks.run_waiting_chain(run.pk)
    assert ChainRun.objects.get().status == "done"
    assert asha_speaks.hear().count("Swiggy lists no order that is on its way.") == 1


def test_other_sentences_are_handled_where_they_arrive(asha_speaks: Speaker) -> None:
    asha_speaks.post("turn on the lamp")
    run = ChainRun.objects.get()
    assert not chain.waits(run.pk)
    tasks.run_chain(run.pk)
    assert asha_speaks.hear() == "The chain heard: turn on the lamp"


def test_it_is_asked_before_whoever_answers_everything() -> None:
    chain = [(plugin.id, plugin.entry.priority) for plugin in registry.ordinary()]
    assert chain[:2] == [("recorder", 0), ("swiggy_instamart", 50)]
    assert chain[-1] == ("answerer", 900)
