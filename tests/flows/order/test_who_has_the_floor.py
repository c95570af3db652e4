"""An open order has the floor at its own device, and nowhere else; the ordinary chain has it before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interactions import registry
from tests.flows.order.dialogue import NOTHING, Ledger, Speaker
from tests.support.people import Owned

LAMP = "turn on the lamp"


@pytest.fixture
def chain_heard() -> Iterator[list[str]]:
    """Every sentence that reached an ordinary plugin."""
    recorder: Any = registry.plugin("recorder")
    recorder.events.clear()

    class Heard(list[str]):
        def __eq__(self, other: object) -> bool:
            return [event.text for event in recorder.events] == other

    yield Heard()
    recorder.events.clear()


@pytest.mark.promise("P005", "P056", "P057", "P062")
def test_what_is_said_to_an_open_order_reaches_no_ordinary_plugin_and_afterwards_does_at_once(
    asha_speaks: Speaker, chain_heard: list[str], ledger: Ledger
) -> None:
    say = asha_speaks.say
    assert say(LAMP) == f"The chain heard: {LAMP}"
    assert say("order swiggy") == "Use Home for delivery?"
    assert say(LAMP).endswith("Use Home for delivery?")
    say("yes")
    assert "chain" not in say("hermes call mummy")
    assert chain_heard == [LAMP]
    assert "closed the order" in say("cancel order")
    assert say(LAMP) == f"The chain heard: {LAMP}"
    assert chain_heard == [LAMP, LAMP]
    assert ledger.money == NOTHING


@pytest.mark.promise("P062")
def test_what_was_said_right_after_the_cancel_reaches_the_chain(asha_speaks: Speaker, chain_heard: list[str]) -> None:
    asha_speaks.to_shopping()
    asha_speaks.utter("cancel order")
    assert asha_speaks.say(LAMP).endswith(f"The chain heard: {LAMP}")
    assert chain_heard == [LAMP]


@pytest.mark.promise("P060", "P063")
def test_the_phrase_inside_an_open_order_is_a_turn_of_it(asha_speaks: Speaker, chain_heard: list[str]) -> None:
    asha_speaks.to_shopping()
    session = asha_speaks.session.pk
    asha_speaks.say("order swiggy")
    asha_speaks.say("repeat after me")  # another mode's phrase
    assert (asha_speaks.session.pk, asha_speaks.session.mode, asha_speaks.ended) == (session, "swiggy_order", "")
    assert chain_heard == []


@pytest.mark.promise("P061", "P164", "P165")
@pytest.mark.case("C03")
def test_c03_an_answer_comes_to_the_device_that_asked_and_to_no_other(
    asha_speaks: Speaker, at: Callable[[Owned], Speaker], hall: Owned, bedroom: Owned
) -> None:
    others = [at(hall), at(bedroom)]
    asha_speaks.to_shopping()
    asha_speaks.say("show cart")
    assert [other.hear() for other in others] == ["", ""]
    assert not any(other.events for other in others)
    assert others[1].say(LAMP) == f"The chain heard: {LAMP}"
    kinds = {row["kind"] for row in asha_speaks.events}
    assert {"interaction.started", "interaction.reply", "interaction.updated"} <= kinds
    for row in asha_speaks.events:
        assert row["session_id"] == asha_speaks.session.pk
        assert row["mode"] == "swiggy_order"
        assert row["phase"]
        assert row["status"] in ("active", "working")
        assert row["reply_id"]
        assert "reason" in row


@pytest.mark.case("C12")
def test_c12_a_yes_posted_from_the_device_that_was_asked_answers_its_question(
    asha_speaks: Speaker, chain_heard: list[str]
) -> None:
    asha_speaks.say("order swiggy")
    assert asha_speaks.question["text"] == "Use Home for delivery?"
    assert asha_speaks.say("yes", in_reply_to=asha_speaks.question["reply_id"]) == "What would you like?"
    assert chain_heard == []
