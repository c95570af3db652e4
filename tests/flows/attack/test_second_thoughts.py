"""Ways to have the phrase spend although something that was said with it, or right after it, takes it back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.flows.test_arbitration import Standing, later
from tests.flows.test_twins import asked, device, handled, opened, outcome, script
from tests.support import talk
from tests.support.scripted import Script

__all__ = ["asked", "device", "later", "opened", "script"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

PHRASE = "confirm order"


# ---- what is reported once more, and longer -----------------------------------------------------------------------------


@pytest.mark.promise("P262", "P022")
@pytest.mark.parametrize("whole", ["wait don't confirm order", "wait don't", "wait no don't do that"])
def test_what_a_twin_says_more_is_heard_before_the_phrase_that_came_meanwhile_is_acted_on(
    script: Script, later: Standing, asked: Any, whole: str
) -> None:
    """One recogniser reports "wait", and the phrase; the other was slower, and heard what came between."""
    talk.post(asked, "wait")
    talk.post(asked, PHRASE)
    assert outcome(talk.post(asked, whole, source="wake")) == ("accepted", "tail")
    assert handled(asked, script)[-3:] == ["wait", PHRASE, whole.removeprefix("wait ")]
    assert script.calls == []


@pytest.mark.promise("P022")
def test_what_waits_behind_the_phrase_is_lengthened_in_its_place(script: Script, later: Standing, asked: Any) -> None:
    talk.post(asked, PHRASE)
    talk.post(asked, "no wait")
    assert outcome(talk.post(asked, "no wait and add milk", source="wake")) == ("duplicate", "extended")
    handled(asked, script)
    assert script.calls == []


# ---- another device heard it otherwise ----------------------------------------------------------------------------------


@pytest.mark.promise("P262", "P132", "P022")
@pytest.mark.parametrize("first", ["hall", "kitchen"])
@pytest.mark.parametrize(
    ("hall_heard", "spent"), [("don't confirm order", 0), ("confirm order no", 0), (PHRASE, 1), ("order", 1), ("hermes", 1)]
)
def test_a_wake_that_the_other_device_heard_otherwise_is_no_consent_whichever_reports_first(
    script: Script, later: Standing, asked: Any, hall: Any, first: str, hall_heard: str, spent: int
) -> None:
    later(1000)
    reports = [(hall.device, hall_heard), (asked, PHRASE)]
    for where, said in reports if first == "hall" else reversed(reports):
        talk.post(where, said, source="wake", spoken_age_ms=300)
    later(300)
    handled(asked, script)
    assert len(script.calls) == spent


@pytest.mark.promise("P262", "P027")
@pytest.mark.parametrize("said", ["no don't do that", "leave it for now"])
def test_what_the_session_of_another_device_took_holds_back_the_phrase_before_it(
    script: Script, later: Standing, asked: Any, hall: Any, said: str
) -> None:
    talk.say(hall.device, "open scripted", source="typed")
    talk.post(asked, PHRASE)
    talk.post(hall.device, said)
    assert outcome(talk.post(asked, said)) == ("duplicate", "other_device")
    handled(asked, script)
    assert script.calls == []


@pytest.mark.promise("P027")
def test_the_phrase_that_two_devices_with_a_session_each_heard_is_spent_where_it_was_asked_for(
    script: Script, later: Standing, asked: Any, hall: Any
) -> None:
    talk.say(hall.device, "open scripted", source="typed")
    talk.post(asked, PHRASE)
    talk.post(hall.device, PHRASE)
    handled(asked, script)
    assert len(script.calls) == 1
