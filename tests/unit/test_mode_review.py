"""The review and the words that spend: heard whole, to this total, at this device, in time; everything else places nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from interactions.contracts import Failed, Playback, Refused, Unknown
from swiggy_instamart import machine, mode, rows
from tests.support.ordering import DEVICE, Order, cart, line

HELD = cart(line("milk-1", 2))
ABILITIES = {"scan": True, "reachable": True, "maybe": [], "blocked": False}


def asked(held: dict[str, Any], **more: Any) -> Order:
    """Complete order, with the cart and the options that came back."""
    options = {key: more.pop(key) for key in list(more) if key in ABILITIES}
    order = Order(**more).to_shopping(held=HELD)
    order.say("complete order")
    order.settle({"cart": held} | ABILITIES | options)
    return order


def spends(order: Order) -> bool:
    return "checkout" in order.calls or "recheck" in order.calls


# ---- what may be reviewed -----------------------------------------------------------------------------------------------


@pytest.mark.promise("P126", "P141")
def test_complete_order_reads_back_items_total_address_and_payment() -> None:
    order = Order().to_review()
    assert order.phase == "awaiting_confirmation"
    assert order.calls[-1] == "review"
    for part in ("2 x Amul Taaza 500 ml", "To Home", "₹269", "UPI scan"):
        assert part in order.words


@pytest.mark.promise("P126")
@pytest.mark.parametrize("address", ["a3", ""])
def test_a_cart_of_another_or_an_unseen_address_is_not_reviewed(address: str) -> None:
    order = asked(cart(line("milk-1", 2), address=address))
    assert order.phase == "shopping"
    assert order.standing.state["review"] is None


@pytest.mark.promise("P127")
@pytest.mark.parametrize("text", ["that's all", "complete order", "done"])
def test_thats_all_reviews_and_never_checks_out(text: str) -> None:
    order = Order().to_shopping(held=HELD)
    order.say(text)
    assert order.calls[-1] == "review"
    assert not spends(order)


@pytest.mark.promise("P128")
def test_an_empty_cart_cannot_be_reviewed() -> None:
    order = asked(cart())
    assert order.phase == "shopping"
    assert "empty" in order.words


@pytest.mark.promise("P129")
@pytest.mark.parametrize(
    ("total", "phase"),
    [(None, "shopping"), (100_000, "shopping"), (99_999, "awaiting_confirmation"), (0, "shopping"), (120_000, "shopping")],
)
def test_a_total_that_cannot_be_read_or_reaches_the_limit_is_refused(total: int | None, phase: str) -> None:
    order = asked(cart(line("milk-1", 2), total=total))
    assert order.phase == phase
    assert not spends(order)


@pytest.mark.promise("P129")
def test_the_limit_is_a_setting() -> None:
    assert asked(cart(line("milk-1", 2), total=120_000), order_limit_rupees=None).phase == "awaiting_confirmation"
    assert asked(cart(line("milk-1", 2), total=26_900), order_limit_rupees=200).phase == "shopping"


@pytest.mark.promise("P130", "P141")
def test_without_a_upi_scan_it_is_refused_and_cash_is_never_offered() -> None:
    order = asked(HELD, scan=False)
    assert order.phase == "shopping"
    assert "do not order with cash" in order.words


def test_without_a_screen_or_a_channel_the_link_could_reach_nobody_and_nothing_is_reviewed() -> None:
    order = Order(screen=False).to_shopping(held=HELD)
    order.say("complete order")
    order.settle({"cart": HELD} | ABILITIES | {"reachable": False})
    assert order.phase == "shopping"
    assert "payment link" in order.words
    order.say("complete order")
    order.settle({"cart": HELD} | ABILITIES)
    assert order.phase == "awaiting_confirmation"


def test_an_item_that_cannot_be_delivered_is_named_and_not_reviewed() -> None:
    order = asked(cart(line("milk-1", 2, available=False)))
    assert order.phase == "shopping"
    assert "Amul Taaza" in order.words


@pytest.mark.parametrize("outcome", [Failed("timeout"), Refused("rate_limited"), Unknown("x")])
def test_a_review_that_cannot_be_read_leaves_no_review(outcome: Any) -> None:
    order = Order().to_review()
    order.say("complete order")
    assert order.standing.state["review"] is None
    order.settle(outcome)
    assert order.phase == "shopping"
    order.say("confirm order")
    assert not spends(order)


# ---- the words that spend -----------------------------------------------------------------------------------------------


@pytest.mark.promise("P131")
@pytest.mark.parametrize("phase", ["to_address", "to_shopping"])
def test_confirm_order_before_a_review_is_refused(phase: str) -> None:
    order = Order()
    getattr(order, phase)()
    order.say("confirm order")
    assert not spends(order)
    assert not order.words.rstrip(".").endswith("confirm order")


@pytest.mark.promise("P132")
@pytest.mark.parametrize(
    "text", ["confirm order", "Confirm order.", "CONFIRM ORDER!", "Hermes, confirm order", "hermes confirm order", "कन्फर्म ऑर्डर"]
)
def test_the_exact_phrase_alone_asks_for_the_last_reading(text: str) -> None:
    order = Order().to_review()
    order.say(text)
    assert order.pending is not None
    assert order.pending.name == "recheck"


@pytest.mark.promise("P132", "P133")
@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "yes confirm order",
        "please confirm order",
        "confirm the order",
        "confirm order please",
        "confirm order confirm order",
        "complete order confirm order",
        "confirm",
        "confirm orders",
        "confirmed order",
        "place the order",
        "ok",
        "do it",
        "um confirm order",
        "don't confirm order",
        "confirm order no wait",
        "confirm my order",
        "cnfirm order",
        "kanfarm order",
    ],
)
def test_anything_else_spends_nothing(text: str) -> None:
    order = Order().to_review()
    order.say(text)
    assert "recheck" not in order.calls
    assert "checkout" not in order.calls


@pytest.mark.promise("P132")
@pytest.mark.parametrize(("confidence", "spent"), [(None, True), (0.6, True), (0.95, True), (0.59, False), (0.0, False)])
def test_a_recogniser_in_doubt_spends_nothing(confidence: float | None, spent: bool) -> None:
    order = Order().to_review()
    order.say("confirm order", confidence=confidence)
    assert spends(order) is spent


def test_a_yes_is_answered_with_how_to_confirm_and_keeps_the_review() -> None:
    order = Order().to_review()
    review = order.standing.state["review"]
    order.say("yes")
    assert "A yes is not enough" in order.words
    assert order.standing.state["review"] == review
    order.say("confirm order")
    assert spends(order)


def test_too_early_is_answered_and_keeps_the_review() -> None:
    order = Order().to_review()
    order.say("confirm order", listened=False)
    assert "still reading" in order.words
    assert order.phase == "awaiting_confirmation"
    assert not spends(order)
    order.say("confirm order")
    assert spends(order)


def test_a_review_that_was_cut_off_cannot_be_confirmed() -> None:
    order = Order().to_review()
    assert order.prompt is not None
    order.say("confirm order", playback=Playback(order.prompt.reply_id, "interrupted"))
    assert "cut off" in order.words
    assert not spends(order)


def test_the_review_counts_only_at_the_device_that_was_told() -> None:
    order = Order().to_review()
    order.say("confirm order", device=DEVICE + 1)
    assert "another device" in order.words
    assert not spends(order)


def test_a_review_the_device_had_not_received_cannot_be_confirmed() -> None:
    order = Order().to_review()
    order.say("confirm order", heard_upto=0)
    assert "not heard this review" in order.words
    assert not spends(order)


def test_a_confirmation_of_an_earlier_review_spends_nothing() -> None:
    order = Order().to_review()
    old = order.prompt
    order.say("complete order")
    order.settle({"cart": HELD} | ABILITIES)
    assert order.prompt is not None
    assert old is not None
    assert order.prompt.key != old.key
    order.say("confirm order", prompt=old)
    assert not spends(order)


# ---- what voids a review ------------------------------------------------------------------------------------------------


@pytest.mark.promise("P136")
def test_an_old_review_needs_another_complete_order() -> None:
    order = Order(review_validity_s=60).to_review()
    order.say("show cart")
    order.now += timedelta(seconds=61)
    order.say("confirm order")
    assert "too old" in order.words
    assert order.phase == "shopping"
    assert not spends(order)
    order.say("confirm order")
    assert not spends(order)


@pytest.mark.promise("P136")
def test_the_validity_runs_from_the_end_of_the_playback() -> None:
    order = Order(review_validity_s=60).to_review()
    assert order.prompt is not None
    order.now += timedelta(seconds=90)  # a slow speaker
    order.prompt = replace(order.prompt, finished_at=order.now)
    order.now += timedelta(seconds=50)
    order.say("confirm order")
    assert spends(order)


@pytest.mark.promise("P136")
def test_repeating_a_review_does_not_keep_it_good_for_ever() -> None:
    order = Order(review_validity_s=60).to_review()
    for _ in range(6):
        order.now += timedelta(seconds=45)
        order.say("repeat")
    order.say("confirm order")
    assert not spends(order)


@pytest.mark.parametrize(
    "text",
    ["two milk", "add bread", "remove the milk", "make it three", "no", "change address", "clear cart", "complete order"],
)
def test_every_edit_voids_the_review(text: str) -> None:
    order = Order().to_review()
    order.say(text)
    assert order.standing.state["review"] is None
    order.pending = None
    order.say("confirm order")
    assert not spends(order)


def test_showing_the_cart_and_asking_for_help_keep_the_review() -> None:
    order = Order().to_review()
    for text in ("show cart", "help", "repeat", "hmm"):
        order.say(text)
    order.say("confirm order")
    assert spends(order)


@pytest.mark.promise("P259")
def test_moving_the_session_to_another_device_voids_the_review() -> None:
    order = Order().to_review()
    order.signal("moved", device=DEVICE + 1, place="hall", left="kitchen")
    assert order.phase == "shopping"
    assert order.standing.state["review"] is None
    assert "nothing was placed" in order.words
    assert order.last.rows == (rows.Moved(),)


# ---- the last reading ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P134", "P135")
@pytest.mark.parametrize(
    ("now", "said"),
    [
        (cart(line("milk-1", 3)), "there are 3 instead of 2"),
        (cart(line("milk-1", 2), line("eggs", 1, name="Eggs")), "1 x Eggs 500 ml is new"),
        (cart(line("bread-1", 1, name="Brown Bread")), "2 x Amul Taaza 500 ml is gone"),
        (cart(), "is gone"),
        (cart(line("milk-1", 2), total=29900), "was ₹269 and is ₹299"),
        (cart(line("milk-1", 2), total=None), "total cannot be read"),
        (cart(line("milk-1", 2), address="a3"), "another address"),
        (cart(line("milk-1", 2, available=False)), "not available now"),
        (cart(line("milk-1", 2, sku="other")), "replaced by the shop"),
    ],
)
def test_a_changed_cart_is_told_and_nothing_is_placed(now: dict[str, Any], said: str) -> None:
    order = Order().to_review()
    order.say("confirm order")
    order.settle({"cart": now})
    assert said in order.words
    assert "nothing was placed" in order.words
    assert order.phase == "shopping"
    assert "checkout" not in order.calls
    order.say("confirm order")
    assert "checkout" not in order.calls


@pytest.mark.promise("P134", "P137")
def test_an_unchanged_cart_asks_for_one_checkout_on_the_word_of_that_utterance() -> None:
    order = Order().to_review()
    order.say("confirm order")
    utterance = order.utterances
    step = order.settle({"cart": HELD})
    assert step.effect is not None
    assert (step.effect.name, step.effect.consent) == ("checkout", utterance)
    assert [type(row).__name__ for row in step.rows] == ["Intend"]
    assert step.freeze_s == 900
    assert step.phase == "checkout_in_progress"


@pytest.mark.promise("P134")
@pytest.mark.parametrize("outcome", [Failed("timeout"), Refused("rate_limited"), Unknown("x"), Refused("sign_in")])
def test_a_cart_that_cannot_be_read_once_more_places_nothing_and_voids_the_review(outcome: Any) -> None:
    order = Order().to_review()
    order.say("confirm order")
    order.settle(outcome)
    assert "checkout" not in order.calls
    assert order.phase == "shopping"
    assert order.standing.state["review"] is None


def test_a_last_reading_that_took_too_long_places_nothing() -> None:
    order = Order().to_review()
    order.say("confirm order")
    order.now += timedelta(seconds=11)
    order.settle({"cart": HELD})
    assert "checkout" not in order.calls
    assert "nothing was placed" in order.words


def test_what_was_said_after_the_phrase_is_heard_first_and_the_order_is_not_placed() -> None:
    order = Order().to_review()
    order.say("confirm order")
    order.settle({"cart": HELD})
    checkout = order.pending
    # The host threw that step away, and steps what was said meanwhile from where it stood.
    order = Order().to_review()
    order.say("show cart")
    assert checkout is not None
    order.pending = checkout
    order.settle(Failed("overtaken"))
    assert "I have not placed the order" in order.words
    assert "still stands" in order.words
    assert order.phase == "awaiting_confirmation"


def test_an_edit_after_the_phrase_leaves_nothing_to_place() -> None:
    order = Order().to_review()
    order.say("confirm order")
    order.settle({"cart": HELD})
    checkout = order.pending
    order = Order().to_review()
    order.say("add bread")
    assert order.phase == "shopping"
    order.pending = checkout
    order.settle(Failed("overtaken"))
    assert order.words == ""
    assert order.phase == "shopping"


def test_a_consent_the_database_refuses_places_nothing_and_voids_the_review() -> None:
    order = Order().to_review()
    order.say("confirm order")
    checkout = order.pending
    order.pending = replace(checkout, name="checkout") if checkout else None
    order.settle(Refused("constraint", "intent_one_open"))
    assert order.phase == "shopping"
    assert order.standing.state["review"] is None


# ---- the declarations ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P124")
def test_only_one_effect_spends_and_it_names_its_phase_and_its_words() -> None:
    effects = mode.SwiggyOrderMode.effects
    once = [name for name, spec in effects.items() if spec.policy.value == "once"]
    assert once == ["checkout"]
    assert effects["checkout"].phase == machine.Phase.REVIEW
    assert "confirm order" in effects["checkout"].phrases
    assert effects["checkout"].attempts == 1


@pytest.mark.promise("P241")
def test_an_order_that_may_exist_opens_the_next_review() -> None:
    order = asked(HELD, maybe=[{"total_paise": 26900, "when": "12:04"}])
    assert order.words.startswith("An order of ₹269 from 12:04 may exist already")
    order.say("confirm order", listened=False)
    assert not spends(order)


def test_while_a_checkout_is_looked_up_nothing_is_reviewed() -> None:
    order = asked(HELD, blocked=True)
    assert order.phase == "shopping"
    assert "looked up" in order.words
