"""One sentence that comes as several finals, at the shop: nothing of it is lost, and nothing that spends is put together."""

from __future__ import annotations

import pytest

from tests.flows.order.dialogue import NOTHING, Clock, Ledger, Speaker

PAUSE_S = 0.3


def speak(speaker: Speaker, clock: Clock, *pieces: str) -> list[str]:
    """Say the pieces one right after the other, while the workers keep up; what each was taken for."""
    speaker.play()
    clock.forward(5)
    reasons = []
    for piece in pieces:
        reasons.append(speaker.post(piece)["reason"])
        speaker.work()
        clock.forward(PAUSE_S)
    return reasons


def wait(speaker: Speaker, clock: Clock) -> str:
    """Until whatever broke off is handled; what was said since."""
    clock.forward(1)
    speaker.work()
    return speaker.hear()


@pytest.mark.case("A09")
@pytest.mark.promise("P117")
def test_a_wish_in_three_pieces_is_one_wish_and_one_more(asha_speaks: Speaker, clock: Clock, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    assert speak(asha_speaks, clock, "I need two litres", "of toned milk", "and a bread") == ["mode", "continues", "mode"]
    said = asha_speaks.hear()
    assert {call["query"] for call in ledger.arguments("search_products")} == {"toned milk", "bread"}
    assert "toned milk" in said
    for _ in range(2):
        asha_speaks.say("option 1")
    (milk, packs), (_, loaves) = sorted(ledger.cart.items(), key=lambda row: "Milk" not in row[0])
    assert (milk, packs, loaves) == ("Nandini Toned Milk 1 L", 2, 1)


@pytest.mark.case("A09")
def test_two_and_packets_of_milk_are_two_packets_of_milk(asha_speaks: Speaker, clock: Clock, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    assert speak(asha_speaks, clock, "add two", "packets of milk") == ["mode", "continues"]
    asha_speaks.hear()
    asha_speaks.say("option 1")
    assert list(ledger.cart.values()) == [2]


@pytest.mark.promise("P112")
def test_the_number_that_was_asked_for_is_answered_at_once(asha_speaks: Speaker, clock: Clock, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("milk")
    speak(asha_speaks, clock, "two")
    assert ledger.count("update_cart") == 1


@pytest.mark.promise("P124")
@pytest.mark.parametrize(
    "pieces", [("confirm", "order"), ("please confirm", "order"), ("Hermes", "confirm", "order"), ("कन्फर्म", "ऑर्डर")]
)
def test_the_phrase_in_two_pieces_spends_nothing(
    asha_speaks: Speaker, clock: Clock, ledger: Ledger, pieces: tuple[str, ...]
) -> None:
    asha_speaks.to_review()
    assert "continues" not in speak(asha_speaks, clock, *pieces)
    wait(asha_speaks, clock)
    assert ledger.money == NOTHING


@pytest.mark.promise("P262")
@pytest.mark.parametrize("more", ["and add bread", "and two packets of", "and"])
def test_what_goes_on_after_the_phrase_is_heard_before_anything_is_spent(
    asha_speaks: Speaker, clock: Clock, ledger: Ledger, more: str
) -> None:
    asha_speaks.to_review()
    asha_speaks.play()
    clock.forward(5)
    for piece in ("confirm order", more):
        assert asha_speaks.post(piece)["reason"] == "mode"
        clock.forward(PAUSE_S)
    asha_speaks.work()
    wait(asha_speaks, clock)
    assert ledger.money == NOTHING


@pytest.mark.promise("P262")
def test_the_phrase_after_what_broke_off_is_the_phrase_and_not_the_end_of_it(
    asha_speaks: Speaker, clock: Clock, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    assert speak(asha_speaks, clock, "add two", "confirm order") == ["mode", "mode"]
    wait(asha_speaks, clock)
    assert ledger.money.checkouts <= 1
