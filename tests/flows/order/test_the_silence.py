"""Nobody speaks: one reminder, one look in, then quiet; all of it counted from the end of playback, and no deadline moved."""

from __future__ import annotations

from datetime import timedelta

import pytest

from interactions import silence
from interactions.models import InboxItem, InteractionSession
from swiggy_instamart.mode import SwiggyOrderMode
from tests.flows.order.dialogue import NOTHING, Ledger, Speaker

FIRST_S, SECOND_S = SwiggyOrderMode.silence_s
LOOK_IN = "Are you still there? Your basket is kept."


def asked_which_milk(speaker: Speaker) -> str:
    speaker.to_shopping()
    said = speaker.say("milk")
    assert "Which one?" in said
    return said


@pytest.mark.promise("P216")
@pytest.mark.case("C07")
def test_c07_thinking_for_twenty_seconds_is_met_with_one_reminder_and_the_question_stays_open(asha_speaks: Speaker) -> None:
    question = asked_which_milk(asha_speaks)
    asha_speaks.play()
    assert asha_speaks.silent(20) == [question]
    assert asha_speaks.phase == "shopping"
    assert "The cart has 1 x" in asha_speaks.say("hermes, option 1")


@pytest.mark.promise("P216")
def test_silence_is_met_once_with_the_question_once_with_a_look_in_and_then_with_nothing(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    question = asked_which_milk(asha_speaks)
    asha_speaks.play()
    deadlines = (asha_speaks.session.idle_at, asha_speaks.session.hard_at)
    calls = ledger.calls
    assert asha_speaks.silent(FIRST_S - 1) == []
    assert asha_speaks.silent(SECOND_S + 60) == [question, LOOK_IN]
    assert asha_speaks.silent(240) == []
    assert (asha_speaks.session.idle_at, asha_speaks.session.hard_at) == deadlines
    assert (asha_speaks.phase, asha_speaks.ended, ledger.calls) == ("shopping", "", calls)


@pytest.mark.promise("P216")
def test_the_idle_deadline_alone_closes_and_says_that_the_basket_is_kept(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    idle_at = asha_speaks.session.idle_at
    while asha_speaks.clock.now() < idle_at - timedelta(seconds=15):  # the clock goes on by itself while the service works
        asha_speaks.silent(5)
        assert asha_speaks.ended == ""
    [said] = asha_speaks.silent(20)
    assert said == "The order timed out. Nothing was placed, and the items stay in your Swiggy cart."
    assert asha_speaks.ended == "idle_timeout"
    assert sum(ledger.cart.values()) == 2
    assert ledger.money == NOTHING


@pytest.mark.promise("P216")
@pytest.mark.case("C06")
def test_c06_the_window_for_an_answer_opens_when_a_long_review_was_played_to_the_end(asha_speaks: Speaker) -> None:
    asha_speaks.to_review()
    review = asha_speaks.question["reply_id"]
    asha_speaks.report(review, "started")
    asha_speaks.unplayed = []
    assert asha_speaks.silent(12) == []
    asha_speaks.clock.forward(13)
    asha_speaks.report(review, "finished")
    assert asha_speaks.silent(5) == []
    assert "A yes is not enough" in asha_speaks.say("yes", listened=False)
    assert asha_speaks.phase == "awaiting_confirmation"


@pytest.mark.promise("P216")
def test_a_reminder_at_the_review_does_not_read_it_out_again_and_leaves_it_good(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    [reminder] = asha_speaks.silent(FIRST_S + 3)
    assert reminder.startswith("Say confirm order to place it")
    asha_speaks.say("confirm order")
    assert ledger.money.orders == 1


@pytest.mark.promise("P102", "P216", "P253")
def test_a_yes_to_the_look_in_takes_no_offer_and_a_yes_to_the_offer_does(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    question = asha_speaks.say("beetroot")
    assert question.endswith("Shall I take it? Say option 1 or skip.")
    asha_speaks.play()
    assert asha_speaks.silent(FIRST_S + SECOND_S + 30) == [question, LOOK_IN]
    assert asha_speaks.say("yes") == question
    assert not ledger.cart
    assert asha_speaks.say("yes").startswith("The cart has 1 x ")


@pytest.mark.promise("P216", "P253")
def test_the_look_in_at_a_review_leaves_it_good(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    said = asha_speaks.silent(FIRST_S + SECOND_S + 30)
    assert said[-1] == LOOK_IN
    assert asha_speaks.say("yes").startswith("Say confirm order to place it")  # it answers the look-in, and buys nothing
    assert ledger.money == NOTHING
    asha_speaks.say("confirm order")
    assert ledger.money.orders == 1


@pytest.mark.promise("P216", "P249")
def test_without_a_report_a_reply_counts_as_played_after_a_bound_from_its_delivery(asha_speaks: Speaker) -> None:
    asked_which_milk(asha_speaks)
    asha_speaks.unplayed = []  # this device reports nothing
    bound_s = 1.5 * asha_speaks.question["est_ms"] / 1000 + 3
    assert asha_speaks.silent(bound_s + FIRST_S - 2) == []
    assert len(asha_speaks.silent(4)) == 1


@pytest.mark.promise("P216")
def test_a_question_that_did_not_arrive_is_not_asked_again(asha_speaks: Speaker) -> None:
    asha_speaks.to_shopping()
    asha_speaks.utter("milk")
    asha_speaks.work()
    for _ in range(60):
        asha_speaks.clock.forward(2)
        silence.sweep(asha_speaks.clock.now())
    assert not InboxItem.objects.filter(kind=silence.KIND).exists()


@pytest.mark.promise("P216")
def test_whoever_is_speaking_is_not_reminded(asha_speaks: Speaker) -> None:
    asked_which_milk(asha_speaks)
    asha_speaks.play()
    asha_speaks.silent(FIRST_S - 2)
    speech(asha_speaks, "started")
    assert asha_speaks.silent(FIRST_S) == []
    speech(asha_speaks, "stopped")
    assert asha_speaks.silent(FIRST_S - 1) == []
    assert len(asha_speaks.silent(3)) == 1


@pytest.mark.promise("P216")
def test_a_reminder_that_somebody_speaks_before_is_not_said(asha_speaks: Speaker) -> None:
    asked_which_milk(asha_speaks)
    asha_speaks.play()
    asha_speaks.clock.forward(FIRST_S + 1)
    for _ in range(2):  # two beats
        silence.sweep(asha_speaks.clock.now())
    reminder = InboxItem.objects.get(kind=silence.KIND)
    assert "The cart has 1 x" in asha_speaks.say("option 1", listened=False)
    assert "Which one?" not in str([row.get("text") for row in asha_speaks.events[-3:]])
    reminder.refresh_from_db()
    assert reminder.status == "dropped"


@pytest.mark.promise("P216")
def test_nobody_who_is_paying_is_reminded(asha_speaks: Speaker) -> None:
    asha_speaks.to_payment()
    asha_speaks.play()
    assert asha_speaks.silent(60) == []


@pytest.mark.promise("P216")
def test_a_device_without_a_voice_is_never_reminded(asha_speaks: Speaker) -> None:
    device = asha_speaks.owned.device
    device.capabilities = {**device.capabilities, "voice": False}
    device.save()
    asked_which_milk(asha_speaks)
    asha_speaks.unplayed = []
    assert InteractionSession.objects.get().silence_at is None
    assert asha_speaks.silent(90) == []


def speech(speaker: Speaker, state: str) -> None:
    answer = speaker.http.post(
        "/api/v1/speech", {"state": state}, content_type="application/json", headers=speaker.owned.headers
    )
    assert answer.status_code == 202


@pytest.mark.case("C14")
def test_c14_answers_that_were_not_heard_are_met_by_two_reminders_and_then_by_waiting_and_cancel_works(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("a kilo of cauliflower")
    question = asha_speaks.say("option 1")
    assert "How many shall I take?" in question
    asha_speaks.play()
    for unheard in ("", " ", "."):
        asha_speaks.clock.forward(2)
        assert asha_speaks.post(unheard)["disposition"] == "ignored"
        asha_speaks.work()
        assert asha_speaks.hear() == ""
    reminders = asha_speaks.silent(FIRST_S + SECOND_S + 120)
    assert len(reminders) == 2
    assert reminders[0].endswith("How many shall I take?")
    assert reminders[1] == LOOK_IN
    assert (asha_speaks.phase, ledger.cart, ledger.money) == ("shopping", {}, NOTHING)
    assert "closed the order" in asha_speaks.say("cancel")
