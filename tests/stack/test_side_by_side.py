"""A mode and the ordinary chain side by side on the real system: an open order keeps house and agent out, and no longer."""

from __future__ import annotations

import pytest

from tests.support.system import BOUND_S, Speaker, System
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_sqlite

HOUSE = [
    "turn on the lamp",
    "turn off the lamp",
    "set the heating to 21 degrees",
    "set a timer for ten minutes",
    "Turn on the lamp.",
    "Turn off the lamp!",
    "SET THE HEATING TO 21 DEGREES",
    "Set a timer for ten minutes.",
    "hermes turn on the lamp",
    "Hermes, set a timer for ten minutes",
]
AGENT = [
    "Hermes, what is love?",
    "hey hermes what's the time",
    "Hermes, tell me a joke",
    "hermes call mummy",
    "Hermes, will it rain tomorrow?",
    "Hermes, who won the match?",
    "hermes play some jazz",
    "Hermes, read me the news",
    "hey Hermes how are you",
    "Hermes, remind me to water the plants",
]


@pytest.mark.promise("P056", "P057", "P062", "P086", "P090")
def test_with_an_order_open_forty_sentences_for_house_and_agent_reach_neither_and_the_next_one_does(
    house: System, kitchen: Speaker
) -> None:
    opened = kitchen.accepted("order swiggy")
    kitchen.answer_to(opened, question=True)
    said = [kitchen.accepted(text) for text in (*HOUSE, *AGENT, *HOUSE, *AGENT)]
    assert len(said) == 40
    assert {one["session"] for one in said} == {opened["session"]}
    waiting = "SELECT count(*) FROM interactions_inboxitem WHERE kind = 'heard' AND status = 'waiting'"
    wait_until(lambda: house.value(waiting) == 0, 2 * BOUND_S, "the order to have answered all forty")
    assert (house.home.commands, house.agent.commands) == ([], [])
    assert house.value("SELECT count(*) FROM interactions_chainrun") == 0
    assert "closed the order" in kitchen.ask("cancel order")

    assert kitchen.ask("turn on the lamp") == "Turned on the lamp"
    answered = kitchen.ask("Hermes, what is love?")
    assert answered == "Hermes heard 1: what is love?", "and not that the house has no intent for it"
    assert house.home.commands == ["turn on the lamp", "what is love?"]
    assert house.agent.commands == ["what is love?"]
    assert house.calls("update_cart") == []
