"""Two devices of one person hear one voice: while a mode is open or opening, one of them acts and the other is silent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interactions import clock, ingress
from interactions.models import ChainRun, DeviceEvent, InteractionSession, Utterance
from tests.flows.test_explain import explain
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

ELSEWHERE = ("duplicate", "other_device")
WAKE = {"source": "wake", "wake": {"word": "hermes", "score": 0.8}}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def opened(script: Script, kitchen: Any) -> Any:
    """The kitchen with a session open."""
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    return kitchen.device


def outcome(answer: ingress.Answer) -> tuple[str, str]:
    return answer.body["disposition"], answer.body["reason"]


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: now() + timedelta(seconds=seconds))


@pytest.mark.case("C02")
@pytest.mark.promise("P027", "P028")
@pytest.mark.parametrize(("near", "far"), [("order swiggy", "order swing"), ("order swing", "order swiggy")])
def test_one_wake_heard_by_two_devices_opens_one_session_and_the_other_device_is_silent(
    kitchen: Any, hall: Any, monkeypatch: pytest.MonkeyPatch, near: str, far: str
) -> None:
    first = talk.post(kitchen.device, near, **WAKE)
    later(monkeypatch, 0.4)
    second = talk.post(hall.device, far, **WAKE)
    assert (outcome(first), outcome(second)) == (("accepted", "activation"), ELSEWHERE)
    for device in (kitchen.device, hall.device):
        talk.handle(device)
    assert InteractionSession.objects.get().device == kitchen.device
    assert talk.spoken(kitchen.device)
    assert not DeviceEvent.objects.filter(device=hall.device, speak=True).exists()
    assert not ChainRun.objects.exists()
    row = Utterance.objects.get(pk=second.body["id"])
    assert (row.alias_of_id, row.text) == (first.body["id"], far)


@pytest.mark.promise("P027", "P218")
def test_words_for_an_open_mode_are_no_sentence_of_another_device_and_that_is_explained(
    script: Script, opened: Any, hall: Any
) -> None:
    first = talk.post(opened, "add two milk")
    second = talk.post(hall.device, "Add 2 milk.")
    assert outcome(second) == ELSEWHERE
    for device in (opened, hall.device):
        talk.handle(device)
    assert script.heard() == ["add two milk"]
    assert talk.spoken(hall.device) == []
    assert f"twin of    utterance {first.body['id']} (accepted)" in explain(second)
    assert "another device of the same person heard it too, and that one has it" in explain(second)
    assert f"utterance {second.body['id']} by stream, duplicate as other_device" in explain(first)


@pytest.mark.promise("P027")
@pytest.mark.parametrize(
    ("text", "other", "seconds"),
    [
        ("add two milk", "add two milk", 2.1),  # later
        ("add two milk", "add ten milk", 0.4),  # another amount
        ("add seven pens", "add seven eggs", 0.4),  # another thing
        ("yes", "yes", 0.4),  # two people may well say that
        ("confirm order", "confirm order", 0.4),
    ],
)
def test_other_words_short_words_and_later_ones_are_the_other_devices_own(
    script: Script, opened: Any, hall: Any, monkeypatch: pytest.MonkeyPatch, text: str, other: str, seconds: float
) -> None:
    talk.post(opened, text)
    later(monkeypatch, seconds)
    assert outcome(talk.post(hall.device, other)) == ("accepted", "chain")


@pytest.mark.promise("P027")
def test_without_a_mode_and_for_another_person_each_device_has_its_own_words(
    script: Script, kitchen: Any, hall: Any, elsewhere: Any
) -> None:
    for device in (kitchen.device, hall.device):
        assert outcome(talk.post(device, "turn on the lamp")) == ("accepted", "chain")
    talk.post(kitchen.device, "open scripted")
    assert outcome(talk.post(elsewhere.device, "open scripted")) == ("accepted", "activation")


@pytest.mark.promise("P027", "P001")
@pytest.mark.parametrize(("first", "second"), [("add two milk", "add two milk"), ("turn on the lamp", "turn on the lamp")])
def test_a_mode_loses_no_words_to_a_device_that_reported_them_first(
    script: Script, opened: Any, hall: Any, first: str, second: str
) -> None:
    assert outcome(talk.post(hall.device, first)) == ("accepted", "chain")
    assert outcome(talk.post(opened, second)) == ("accepted", "mode")
    for device in (hall.device, opened):
        talk.handle(device)
    assert script.heard() == [second]
    assert talk.spoken(hall.device) == [], "what had not been begun there is not begun"


@pytest.mark.promise("P027")
def test_a_phrase_that_was_misheard_elsewhere_first_opens_where_it_was_heard(script: Script, kitchen: Any, hall: Any) -> None:
    assert outcome(talk.post(hall.device, "open scriptid")) == ("accepted", "chain")
    assert outcome(talk.post(kitchen.device, "open scripted")) == ("accepted", "activation")
    for device in (hall.device, kitchen.device):
        talk.handle(device)
    assert talk.spoken(hall.device) == []
    assert script.heard() == [""]


@pytest.mark.promise("P027")
def test_two_devices_with_a_session_each_take_one_sentence_once(script: Script, opened: Any, hall: Any) -> None:
    talk.say(hall.device, "open scripted", source="typed")
    script.events.clear()
    talk.post(hall.device, "add two milk")
    assert outcome(talk.post(opened, "add two milk and bread")) == ELSEWHERE
    for device in (opened, hall.device):
        talk.handle(device)
    assert script.heard() == ["add two milk"]
