"""The read-back and the words that spend: what is read, what counts as consent to it, and what makes it void."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.shop import Swiggy
from tests.flows.order.dialogue import NOTHING, Clock, Ledger, Money, Speaker
from tests.support.people import Owned, with_device
from tests.support.shopper import Shopper

MILK = "Nandini Toned Milk 500 ml"
ONE_ORDER = Money(checkouts=1, orders=1, confirms=0)

# ---- what is read back --------------------------------------------------------------------------------------------------


@pytest.mark.promise("P126", "P141")
def test_complete_order_reads_the_cart_again_and_says_items_total_address_and_payment(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    say("two milk")
    say("option 1")
    sandbox.cart([{"find": "eggs", "quantity": 3}])  # at the phone, unseen by us
    said = say("complete order")
    assert ledger.calls[-2:] in (["get_cart", "get_payment_options"], ["get_payment_options", "get_cart"])
    assert said.startswith(f"Your order: 2 x {MILK} and 3 x ")
    assert f" To Home. ₹{ledger.total // 100} to pay by UPI scan. Say confirm order to place it" in said
    assert not said.rstrip(".").endswith("confirm order")
    assert ledger.money == NOTHING


@pytest.mark.promise("P127")
def test_thats_all_reviews_at_most_and_never_checks_out(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    sandbox.cart([{"find": "milk"}])
    for text in ("that's all", "that's all", "that is all", "done", "checkout"):
        asha_speaks.say(text)
        assert asha_speaks.phase in ("shopping", "awaiting_confirmation")
        assert ledger.money == NOTHING


@pytest.mark.promise("P128", "P131")
def test_an_empty_cart_is_not_reviewed_and_there_is_nothing_to_confirm(asha_speaks: Speaker, ledger: Ledger) -> None:
    say = asha_speaks.to_shopping().say
    assert "The cart is empty, so there is nothing to order." in say("complete order")
    assert "There is nothing to confirm yet." in say("confirm order")
    assert ledger.money == NOTHING


@pytest.mark.promise("P131")
def test_the_phrase_before_any_review_spends_nothing_in_any_phase(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "milk"}])
    say = asha_speaks.say
    for before in ("order swiggy", "no", "home", "yes", "keep cart", "eggs", "option 1", "show cart"):
        say(before)
        say("confirm order")
        assert ledger.count("checkout") == 0, before
    assert asha_speaks.phase == "shopping"
    assert ledger.money == NOTHING


@pytest.mark.case("D18")
@pytest.mark.promise("P129")
@pytest.mark.parametrize(
    ("price", "total", "fits"), [(98650, "999", True), (98700, "1000", False), (98750, "1000", False), (98850, "1001", False)]
)
def test_d18_a_total_at_or_above_the_limit_is_refused_before_any_checkout(
    price: int, total: str, fits: bool, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    found = sandbox.catalogue(find="milk", price_paise=price)  # and ₹12.50 of fees; the bill is rounded up
    sandbox.cart([{"spin": found["spin"]}])
    said = asha_speaks.to_shopping().say("complete order")
    assert f"₹{total}" in said
    assert (asha_speaks.phase == "awaiting_confirmation") is fits
    if not fits:
        assert "I only order below ₹1000, so nothing was ordered." in said
    asha_speaks.say("confirm order")
    assert ledger.money == (ONE_ORDER if fits else NOTHING)


@pytest.mark.promise("P129")
def test_without_a_limit_the_shops_own_is_the_last_word(
    asha_speaks: Speaker, sandbox: SandboxProcess, options: Callable[..., None], ledger: Ledger
) -> None:
    options(order_limit_rupees=None)
    found = sandbox.catalogue(find="milk", price_paise=120000)
    asha_speaks.sandbox.cart([{"spin": found["spin"]}])
    asha_speaks.to_shopping().say("complete order")
    said = asha_speaks.say("confirm order")
    assert "Swiggy said: " in said
    assert "allowed limit" in said
    assert asha_speaks.phase == "shopping"
    assert ledger.money == Money(checkouts=1, orders=0, confirms=0)


@pytest.mark.promise("P129")
def test_a_total_that_cannot_be_read_is_not_reviewed(
    asha_speaks: Speaker, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    from swiggy_instamart import money

    sandbox.cart([{"find": "milk"}])
    asha_speaks.to_shopping()
    monkeypatch.setattr(money, "total", lambda value: None)  # as if the bill were in words we do not know
    assert "I could not read the total, so I will not order it." in asha_speaks.say("complete order")
    assert "nothing to confirm" in asha_speaks.say("confirm order")
    assert ledger.money == NOTHING


@pytest.mark.promise("P130", "P141")
def test_without_a_upi_scan_it_is_refused_and_cash_is_never_offered(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "milk"}])
    sandbox.settings(upi=False)
    assert "no UPI scan payment for this cart, and I do not order with cash" in asha_speaks.to_shopping().say("complete order")
    asha_speaks.say("confirm order")
    assert ledger.money == NOTHING


@pytest.mark.promise("P126")
@pytest.mark.parametrize("echo", ["missing", "elsewhere"])
def test_a_cart_of_another_or_an_unseen_address_is_not_reviewed(
    echo: str, asha_speaks: Speaker, sandbox: SandboxProcess, shopper: Shopper, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "milk"}], address_id=shopper.address("Home 2" if echo == "elsewhere" else "Home"))
    asha_speaks.to_shopping()
    if echo == "missing":
        sandbox.settings(echo_address="missing")
    said = asha_speaks.say("complete order")
    assert "address" in said
    assert asha_speaks.phase == "shopping"
    asha_speaks.say("confirm order")
    assert ledger.money == NOTHING


@pytest.mark.promise("P126")
def test_the_base_of_a_compound_address_is_the_same_address(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(echo_address="full")
    asha_speaks.to_review()
    sandbox.settings(echo_address="base")
    assert "waits for your payment" in asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P272")
def test_without_a_screen_or_a_channel_the_link_could_reach_nobody_and_nothing_is_reviewed(
    asha: Any, at: Callable[[Owned], Speaker], sandbox: SandboxProcess, ledger: Ledger
) -> None:
    speaker = at(with_device(asha, "shelf", screen=False))
    sandbox.cart([{"find": "milk"}])
    assert "No screen or notification could show you the payment link" in speaker.to_shopping().say("complete order")
    assert speaker.phase == "shopping"
    speaker.say("confirm order")
    assert ledger.money == NOTHING


# ---- the words ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P132", "P133")
def test_only_the_exact_phrase_alone_spends(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    for text in (
        "yes",
        "ok",
        "confirm",
        "order",
        "place the order",
        "please confirm order",
        "confirm order please",
        "confirm order now",
        "confirm the order",
        "confirm my order",
        "confirm orders",
        "confirmed order",
        "um confirm order",
        "yes confirm order",
        "confirm order confirm order",
        "complete order confirm order",
        "complete order, confirm order!",
        "do not confirm order",
        "confirm order no wait",
        "she said confirm order",
        "conform order",
        "Hermes Hermes confirm order",
        "confirm order Hermes",
        "option 1 confirm order",
        "con firm order",
        "confirmorder",
    ):
        if asha_speaks.phase != "awaiting_confirmation":
            asha_speaks.say("complete order")
        asha_speaks.say(text)
        assert ledger.count("checkout") == 0, text
    if asha_speaks.phase != "awaiting_confirmation":
        asha_speaks.say("complete order")
    assert "waits for your payment" in asha_speaks.say("Hermes, CONFIRM ORDER!")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P132")
def test_two_halves_of_the_phrase_are_not_the_phrase(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.utter("confirm")
    asha_speaks.post("order")
    asha_speaks.work()
    assert asha_speaks.phase == "awaiting_confirmation"
    assert ledger.money == NOTHING


@pytest.mark.promise("P132")
def test_a_yes_at_the_review_is_told_how_to_confirm(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    assert "A yes is not enough to spend money. Say confirm order" in asha_speaks.say("yes")
    assert asha_speaks.phase == "awaiting_confirmation"
    assert ledger.count("checkout") == 0
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P132")
def test_a_recogniser_that_doubts_itself_is_asked_again(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    assert "not sure I heard that right" in asha_speaks.say("confirm order", confidence=0.59)
    assert ledger.count("checkout") == 0
    asha_speaks.say("confirm order", confidence=0.6)
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P124")
def test_c10_asking_to_place_it_places_nothing_and_claims_nothing(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    said = asha_speaks.say("place the order")
    assert said.startswith("A yes is not enough to spend money.")
    assert "if you want it placed" in said
    assert asha_speaks.phase == "awaiting_confirmation"
    assert ledger.money == NOTHING


# ---- heard whole, at this device, in time -------------------------------------------------------------------------------


@pytest.mark.promise("P201")
def test_the_phrase_while_the_review_is_read_is_answered_and_keeps_the_review(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    assert "I was still reading." in asha_speaks.say("confirm order", listened=False)
    assert (asha_speaks.phase, ledger.count("checkout")) == ("awaiting_confirmation", 0)
    assert "waits for your payment" in asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P201")
def test_what_the_utterance_says_of_the_playback_decides(asha_speaks: Speaker, clock: Clock, ledger: Ledger) -> None:
    asha_speaks.to_review()
    clock.forward(9)
    review = asha_speaks.question["reply_id"]
    for state, ended_ms in (("finished", 599), ("started", None)):
        ended = {} if ended_ms is None else {"ended_ms_before_speech": ended_ms}
        asha_speaks.say("confirm order", listened=False, playback={"reply_id": review, "state": state, **ended})
        assert ledger.money == NOTHING, state
    played = {"reply_id": review, "state": "finished", "ended_ms_before_speech": 600}
    asha_speaks.say("confirm order", listened=False, playback=played)
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P201", "P248")
@pytest.mark.parametrize("state", ["interrupted", "failed"])
def test_what_was_cut_off_as_the_phrase_was_said_is_read_again(state: str, asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    review = asha_speaks.question["reply_id"]
    cut = {"reply_id": review, "state": state, "ended_ms_before_speech": 5000}
    assert "cut off. Your order: " in asha_speaks.say("confirm order", listened=False, playback=cut)
    played = {"reply_id": review, "state": "finished", "ended_ms_before_speech": 600}
    asha_speaks.say("confirm order", listened=False, playback=played)  # the one that was read before
    assert ledger.money == NOTHING
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P201", "P260")
@pytest.mark.case("A10")
def test_a_hint_that_speaks_of_the_phrase_cannot_say_it(asha_speaks: Speaker, clock: Clock, ledger: Ledger) -> None:
    asha_speaks.to_review()
    assert "just these two words" in asha_speaks.say("yes")
    hint = asha_speaks.unplayed[0]
    clock.forward(1.5)
    for heard in ("say confirm order just these two words", "confirm order", "Confirm order, just these two words"):
        asha_speaks.say(heard, listened=False, playback={"reply_id": hint["reply_id"], "state": "started"})
        asha_speaks.say(heard, listened=False)
    asha_speaks.unplayed = [hint]
    asha_speaks.play()
    asha_speaks.say("confirm order", listened=False)  # begun before the hint was over
    assert (asha_speaks.phase, ledger.money) == ("awaiting_confirmation", NOTHING)
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P201")
@pytest.mark.parametrize(("early_s", "spent"), [(1.0, False), (-1.0, True)])
def test_without_any_report_the_time_it_takes_to_read_it_decides(
    early_s: float, spent: bool, asha_speaks: Speaker, clock: Clock, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    clock.forward(2 + 0.5 * asha_speaks.question["words"] - early_s)
    asha_speaks.say("confirm order", listened=False)
    assert ledger.money == (ONE_ORDER if spent else NOTHING)


@pytest.mark.promise("P201")
def test_a_review_that_was_cut_off_is_heard_again_before_it_counts(asha_speaks: Speaker, clock: Clock, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.report(asha_speaks.question["reply_id"], "interrupted")
    clock.forward(30)
    assert "cut off. Your order: " in asha_speaks.say("confirm order", listened=False)
    assert ledger.money == NOTHING
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P201")
def test_a_tap_counts_for_the_review_that_it_names_and_for_no_other(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    first = asha_speaks.question["reply_id"]
    asha_speaks.tap("make it three")
    asha_speaks.tap("complete order")
    assert "You have not heard this review yet" in asha_speaks.tap("confirm order", in_reply_to=first)
    assert ledger.count("checkout") == 0
    assert asha_speaks.choices[0] == "confirm order"
    asha_speaks.tap("confirm order")  # beside what was read once more
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P261", "P253")
@pytest.mark.parametrize(("age_ms", "spent"), [(31_000, False), (11_000, False), (0, True)])
def test_words_that_reach_us_late_spend_nothing(
    age_ms: int, spent: bool, asha_speaks: Speaker, clock: Clock, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    clock.forward(40)
    said = asha_speaks.say("confirm order", age_ms=age_ms)
    assert spent or "too late" in said
    assert ledger.money == (ONE_ORDER if spent else NOTHING)


@pytest.mark.promise("P253")
@pytest.mark.parametrize("between", [(), ("repeat",)])
def test_words_that_came_too_late_are_said_again_to_the_same_question(
    between: tuple[str, ...], asha_speaks: Speaker, ledger: Ledger
) -> None:
    asha_speaks.say("order swiggy")
    asha_speaks.play()
    asha_speaks.clock.forward(40)
    assert asha_speaks.say("yes", age_ms=31_000) == "That reached me too late, so I did nothing with it. Please say it again."
    for said in between:
        assert asha_speaks.say(said) == "Use Home for delivery?"
    assert "What would you like?" in asha_speaks.say("yes")
    assert ledger.money == NOTHING


@pytest.mark.promise("P253")
def test_a_no_to_a_remark_leaves_the_review_and_its_prompt_as_they_are(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    assert asha_speaks.say("thanks bhai") == "You're welcome. The order is not placed yet."
    assert asha_speaks.say("no").startswith("Say confirm order to place it")
    assert asha_speaks.phase == "awaiting_confirmation"
    assert ledger.money == NOTHING
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P261")
def test_words_that_waited_for_a_worker_too_long_spend_nothing(asha_speaks: Speaker, clock: Clock, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.utter("confirm order")
    clock.forward(11)
    asha_speaks.work()
    assert "too late, so I placed nothing" in asha_speaks.hear()
    assert asha_speaks.phase == "awaiting_confirmation"
    assert ledger.money == NOTHING


@pytest.mark.promise("P202", "P205")
def test_another_device_cannot_confirm(
    asha_speaks: Speaker, at: Callable[[Owned], Speaker], hall: Owned, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    other = at(hall)
    assert "The chain heard" in other.say("confirm order")
    assert "already open at kitchen" in other.say("order swiggy")
    other.say("confirm order")
    assert ledger.money == NOTHING


@pytest.mark.promise("P202", "P140")
def test_a_second_confirmation_does_nothing(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.utter("confirm order")
    asha_speaks.post("confirm order")
    asha_speaks.work()
    assert "waits for your payment" in asha_speaks.hear()
    assert "was sent once already and is not sent again" in asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P262")
@pytest.mark.parametrize("then", ["no wait", "stop", "cancel order", "make it five"])
def test_what_is_said_before_the_call_is_heard_before_it(then: str, asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.utter("confirm order")
    asha_speaks.post(then)
    asha_speaks.work()
    said = asha_speaks.hear()
    assert "Placing it now" not in said
    assert ledger.money == NOTHING


@pytest.mark.promise("P262")
def test_words_that_changed_nothing_leave_the_review_and_say_that_nothing_was_placed(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    asha_speaks.utter("confirm order")
    asha_speaks.post("what is this")
    asha_speaks.work()
    assert "I have not placed the order, because you went on talking. The review still stands." in asha_speaks.hear()
    assert ledger.count("checkout") == 0
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


# ---- void ---------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P136")
@pytest.mark.parametrize(("wait_s", "spent"), [(110, True), (121, False)])
def test_a_review_is_good_for_two_minutes_after_it_was_read(
    wait_s: float, spent: bool, asha_speaks: Speaker, clock: Clock, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    clock.forward(wait_s)
    said = asha_speaks.say("confirm order")
    if not spent:
        assert "too old by now, so nothing was placed. Say complete order to hear it again." in said
        assert "nothing to confirm" in asha_speaks.say("confirm order")
    assert ledger.money == (ONE_ORDER if spent else NOTHING)


@pytest.mark.case("D01", "D19")
@pytest.mark.promise("P134", "P135", "P202")
def test_d01_d19_a_cart_that_changed_since_the_review_is_told_and_nothing_is_placed(
    asha_speaks: Speaker, sandbox: SandboxProcess, shopper: Shopper, ledger: Ledger
) -> None:
    elsewhere = shopper.address("Home 2")
    changes: dict[str, tuple[Callable[[], Any], str]] = {
        "added": (lambda: sandbox.cart([{"find": "eggs"}]), "is new."),
        "fewer": (lambda: sandbox.cart([{"find": "toned milk", "quantity": 1}]), f"Of {MILK} there are 1 instead of 2."),
        "gone": (lambda: sandbox.cart([{"find": "toned milk", "quantity": 0}]), f"2 x {MILK} is gone."),
        "expired": (lambda: sandbox.cart(action="expire"), f"2 x {MILK} is gone."),
        "a fee": (
            lambda: sandbox.settings(surge="on"),
            "The total was ₹108 and is ₹138. “Surge Fee”, ₹30.00, is new in the bill.",
        ),
        "a coupon": (lambda: sandbox.settings(discount_paise=6000), "“Coupon Discount”, "),
        "the price": (lambda: sandbox.catalogue(find="toned milk", price_paise=3000), "The total was ₹108 and is ₹120."),
        "sold out": (lambda: sandbox.catalogue(find="toned milk", in_stock=False), "is not available now."),
        "moved": (lambda: sandbox.cart(address_id=elsewhere), "The cart is for another address."),
    }
    asha_speaks.to_shopping()
    for name, (change, said) in changes.items():
        sandbox.reset()
        sandbox.cart([{"find": "toned milk", "quantity": 2}])
        assert "Your order" in asha_speaks.say("complete order"), name
        change()
        answer = asha_speaks.say("confirm order")
        assert answer.startswith("The cart changed after I read it to you, so nothing was placed."), name
        assert said in answer
        assert "nothing to confirm" in asha_speaks.say("confirm order"), name
        assert ledger.money == NOTHING


@pytest.mark.case("D01")
@pytest.mark.promise("P134", "P135")
def test_d01_a_coupon_that_is_gone_stops_the_order_and_the_new_total_and_why_are_said(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(discount_paise=6000)
    asha_speaks.to_review()
    sandbox.settings(discount_paise=0)
    said = asha_speaks.say("confirm order")
    assert "nothing was placed. The total was ₹48 and is ₹108. “Coupon Discount”, " in said
    assert "is no longer in the bill. Say complete order to hear it again." in said
    assert ledger.money == NOTHING
    assert "₹108 to pay" in asha_speaks.say("complete order")
    asha_speaks.say("confirm order")
    assert ledger.money == ONE_ORDER


@pytest.mark.case("D01")
def test_d01_where_the_payment_would_be_another_amount_than_the_cart_says_nothing_is_read_back(
    asha_speaks: Speaker, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha_speaks.to_review()
    real = Swiggy.payment_options
    monkeypatch.setattr(Swiggy, "payment_options", lambda self: replace(real(self), amount_paise=37200))
    said = asha_speaks.say("complete order")
    assert said.startswith("The cart says ₹108 but the payment would be ₹372, so I have not read it back.")
    assert "nothing to confirm" in asha_speaks.say("confirm order")
    monkeypatch.undo()
    assert ledger.money == NOTHING


@pytest.mark.promise("P135")
def test_an_edit_voids_the_review(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.say("make it three")
    assert "nothing to confirm" in asha_speaks.say("confirm order")
    asha_speaks.say("complete order")
    asha_speaks.say("confirm order")
    assert ledger.orders[0]["items"] == [["Nandini Toned Milk", 3]]
    assert ledger.money == ONE_ORDER


@pytest.mark.promise("P132")
def test_r4_a_yes_with_a_rider_is_no_consent(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    asha_speaks.say("yes but make it three")
    assert ledger.money == NOTHING


@pytest.mark.promise("P139")
@pytest.mark.parametrize("text", ["cancel order", "stop"])
def test_cancel_before_the_checkout_ends_and_leaves_the_cart(text: str, asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    assert asha_speaks.say(text) == "I closed the order. Nothing was placed, and the items stay in your Swiggy cart."
    assert (asha_speaks.phase, asha_speaks.ended) == ("finished", "cancelled")
    assert ledger.cart == {MILK: 2}
    assert "The chain heard" in asha_speaks.say("confirm order")
    assert ledger.money == NOTHING
