"""One whole order on real processes, spoken as a device speaks, judged by the shop's own ledger."""

from __future__ import annotations

from typing import Any

import pytest

from chronicle import demo, services
from interactions.client import Event
from tests.support.system import System

REPLIES = ("interaction.reply", "interaction.payment", "interaction.ended", "interaction.started")


@pytest.fixture(scope="module")
def order(system: System) -> tuple[list[str], list[Event], Any]:
    """What was found wrong, what the device heard, and the ledger."""
    system.fresh()
    faults, heard = demo.order(system, switches=demo.FAULTS[""])
    return faults, heard, system.ledger()


@pytest.mark.promise("P101", "P137", "P141", "P146")
def test_a_spoken_order_is_checked_out_once_and_paid_once(order: Any) -> None:
    faults, _, ledger = order
    assert faults == []
    assert ledger["counts"] | {"confirms": 0} == {"checkouts": 1, "committed": 1, "paid": 1, "placed": 1, "confirms": 0}
    assert ledger["checkouts"][0]["arguments"]["paymentMethod"] == "UPI"


@pytest.mark.promise("P164")
def test_every_event_says_which_session_mode_phase_and_status_it_belongs_to(order: Any) -> None:
    told = [event for event in order[1] if event.kind in REPLIES]
    assert {event.kind for event in told} == set(REPLIES)
    for event in told:
        assert event.data.keys() >= {"session_id", "mode", "phase", "status", "reason", "reply_id"}
        assert event.data["mode"] == "swiggy_order"


@pytest.mark.promise("P245")
def test_a_device_that_reads_speech_and_lang_alone_hears_the_whole_order(order: Any) -> None:
    spoken = [event.data for event in order[1] if event.data.get("speak")]
    assert len(spoken) > 8
    for reply in spoken:
        assert reply["speech"]
        assert reply["lang"] == "en"
        assert not any(sign in reply["speech"] for sign in ("₹", "://"))
        assert not any(letter.isdigit() for letter in reply["speech"])
        assert reply["est_ms"] > 0


@pytest.mark.promise("P165")
def test_events_come_once_and_in_order(order: Any) -> None:
    numbers = [event.seq for event in order[1]]
    assert numbers == sorted(set(numbers))


def test_round_trips_stay_within_their_budgets(order: Any) -> None:
    """Add to cart: read, write. Complete order: one wave. Confirm order: read, checkout."""
    tools = [call["tool"] for call in order[2]["calls"]]
    assert tools.count("get_addresses") == 1
    assert tools.count("search_products") <= 6
    assert tools.count("update_cart") == 3
    at = tools.index("checkout")
    assert sorted(tools[at - 3 : at]) == ["get_cart", "get_cart", "get_payment_options"]
    assert order[2]["rpc"].get("initialize", 0) <= 4, "one handshake per effects child, at most"


def test_the_dialogue_of_the_readme_is_what_was_said(order: Any) -> None:
    readme = (services.ROOT / "README.md").read_text().split("```")[1]
    said = [line.strip() for line in demo.SCRIPT.read_text().splitlines()]
    heard = [(str(event.data.get("phase")), str(event.data.get("text"))) for event in order[1]]
    for line in readme.strip("\n").splitlines():
        phase, who, words = line[:24].strip(), line[24:32].strip(), line[32:].removeprefix("... ")
        if who == "you":
            assert words in said
        elif who == "Hermes":
            assert any(phase == at and text.endswith(words) for at, text in heard), f"nobody said {words!r}"
