"""What is heard while a READ is waited for: obeyed or answered meanwhile; whatever would change something waits its turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interactions import asides, attempts
from interactions.contracts import (
    Abandoned,
    AbandonedError,
    Done,
    Effect,
    Event,
    Heard,
    NoAnswerError,
    Reply,
    Settled,
    Standing,
    Step,
)
from interactions.models import Checkpoint, DeviceEvent, InboxItem, InteractionSession
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    monkeypatch.setattr(asides, "LOOK_S", 0.0)
    made = scripted.install(monkeypatch)
    made.decide = deciding()
    return made


@pytest.fixture
def device(kitchen: Any, script: Script) -> Any:
    talk.say(kitchen.device, "open scripted")
    return kitchen.device


def deciding(helping: Callable[[Standing], Step] | None = None) -> Callable[[Standing, Event], Step]:
    """``go`` looks something up; ``help`` is answered, and says what is under way; ``stop`` ends."""

    def decide(standing: Standing, event: Event) -> Step:
        match event:
            case Heard(text="go"):
                return Step(effect=Effect("look"))
            case Heard(text="stop"):
                return Step(end="stopped", say=(Reply("Closed."),))
            case Heard(text="help"):
                return helping(standing) if helping else Step(say=(Reply(f"Working: {standing.working}."),))
            case Heard(text=text):
                return Step(say=(Reply(f"Heard {text}."),), state={"heard": text})
            case Settled(outcome=Abandoned()):
                return Step()
            case Settled():
                return Step(say=(Reply("Found."),))
        return Step()

    return decide


def hearing(device: Any, *said: str) -> Callable[[Any], dict[str, Any]]:
    """A READ during which these are said one after the other, each followed by a look whether anybody waits."""

    def act(call: Any) -> dict[str, Any]:
        for text in said:
            talk.post(device, text)
            if call.abandoned():
                raise AbandonedError
        return {}

    return act


@pytest.mark.promise("P266")
@pytest.mark.parametrize("word", ["help", "repeat", "what can I say", "Hermes, help", "madad", "फिर से बोलो"])
def test_whoever_asks_is_answered_while_the_read_goes_on(script: Script, device: Any, word: str) -> None:
    script.decide = lambda standing, event: (
        Step(effect=Effect("look"))
        if isinstance(event, Heard) and event.text == "go"
        else Step(say=(Reply(f"Working: {standing.working}." if isinstance(event, Heard) else "Found."),))
    )
    script.act = hearing(device, word)
    told = talk.say(device, "go")
    assert told == ["Working: look.", "Found."]
    assert [type(outcome) for outcome in script.outcomes()] == [Done]
    assert len(script.calls) == 1  # it was not called again
    helped = DeviceEvent.objects.get(payload__text="Working: look.")
    assert helped.payload["status"] == "working"
    assert helped.payload["answers"] == InboxItem.objects.latest("pk").utterance_id


@pytest.mark.promise("P266")
def test_after_a_stop_nothing_that_was_asked_earlier_is_spoken(script: Script, device: Any) -> None:
    script.act = hearing(device, "add bread", "stop")
    assert talk.say(device, "go") == ["Closed."]
    assert not DeviceEvent.objects.get(payload__text="Heard add bread.").speak
    assert [type(outcome) for outcome in script.outcomes()] == [Abandoned]
    assert InteractionSession.objects.get().end_reason == "stopped"


@pytest.mark.promise("P266")
def test_the_answer_that_came_in_spite_of_the_stop_is_not_spoken(script: Script, device: Any) -> None:
    def act(call: Any) -> dict[str, Any]:
        talk.post(device, "stop")
        return {}  # it was there before anybody looked

    script.act = act
    assert talk.say(device, "go") == ["Closed."]
    found = DeviceEvent.objects.get(payload__text="Found.")
    assert not found.speak


@pytest.mark.promise("P266")
@pytest.mark.parametrize("changes", [{"state": {"x": 1}}, {"phase": "asking"}, {"effect": Effect("look")}, {"end": "over"}])
def test_what_would_change_something_waits_its_turn(script: Script, device: Any, changes: dict[str, Any]) -> None:
    script.decide = deciding(lambda standing: Step(say=(Reply("Helped."),), **changes))
    script.act = hearing(device, *["help"] * (len(script.calls) == 0))
    told = talk.say(device, "go")
    assert told[:2] == ["Found.", "Helped."]


@pytest.mark.promise("P266")
def test_a_sentence_that_is_no_universal_word_waits_its_turn(script: Script, device: Any) -> None:
    script.act = hearing(device, "add bread", "help")
    assert talk.say(device, "go") == ["Working: look.", "Found.", "Heard add bread."]


def test_a_mode_that_raises_in_between_costs_the_read_nothing(script: Script, device: Any) -> None:
    raised: list[str] = []

    def helping(standing: Standing) -> Step:
        if not raised:
            raised.append(standing.working)
            raise RuntimeError("whatever")
        return Step(say=(Reply("Helped."),))

    script.decide = deciding(helping)
    script.act = hearing(device, "help", "and more")
    assert talk.say(device, "go") == ["Found.", "Helped.", "Heard and more."]
    assert raised == ["look"]


@pytest.mark.promise("P266")
def test_a_stop_is_seen_between_two_attempts_as_well(script: Script, device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "BACKOFF_S", 60.0)

    def act(call: Any) -> dict[str, Any]:
        talk.post(device, "stop")
        raise NoAnswerError("cut", retry_after_s=4.0)

    script.act = act
    assert talk.say(device, "go") == ["Closed."]
    assert len(script.calls) == 1


@pytest.mark.promise("P266")
def test_the_lease_still_covers_the_call_after_an_answer_in_between(script: Script, device: Any) -> None:
    left: list[float] = []

    def act(call: Any) -> dict[str, Any]:
        talk.post(device, "help")
        call.abandoned()
        session = InteractionSession.objects.get()
        left.append((session.lease_until - call.deadline).total_seconds())
        return {}

    script.act = act
    talk.say(device, "go")
    assert left[0] > 0
    assert Checkpoint.objects.get().outcome == "done"


@pytest.mark.promise("P262")
@pytest.mark.parametrize(
    ("asked", "order"), [("go", ["Working: look.", "Found."]), ("confirm order", ["Found.", "Working: ."])]
)
def test_after_the_phrase_that_spends_nothing_is_answered_in_between_and_so_it_holds_back(
    script: Script, device: Any, asked: str, order: list[str]
) -> None:
    def decide(standing: Standing, event: Event) -> Step:
        if isinstance(event, Heard) and event.text == asked:
            return Step(effect=Effect("look"))
        return Step(say=(Reply(f"Working: {standing.working}." if isinstance(event, Heard) else "Found."),))

    script.decide, script.act = decide, hearing(device, "help")
    assert talk.say(device, asked) == order
