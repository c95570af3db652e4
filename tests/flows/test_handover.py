"""A session goes on at another device: an item of its inbox, one transaction; what was said at the device before is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from interactions import clock, devices, handover, saying, sessions, turns
from interactions.contracts import Effect, Heard, Reply, Settled, Signal, Standing, Step
from interactions.models import Checkpoint, Device, DeviceEvent, InboxItem, InteractionSession
from tests.support import people, scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    script = scripted.install(monkeypatch)
    script.decide = taking_over
    return script


def taking_over(standing: Standing, event: Any) -> Step:
    """``here 7`` asks for session 7; ``look`` and the phrase are as in every money mode."""
    match event:
        case Heard(text=text) if text.startswith("here "):
            return Step(say=(Reply("Bringing it."),), take_over=int(text.split()[1]))
        case Heard(text="look"):
            return Step(effect=Effect("look"))
        case Signal(name="moved", data=data):
            return Step(say=(Reply(f"Now at {data['place']}, no more at {data['left']}.", key="question"),))
        case Signal(name="not_moved", data=data):
            return Step(say=(Reply(data["code"]),), end="not_moved")
        case Settled(effect="look"):
            return Step(say=(Reply("looked"),))
    return scripted.spending(standing, event)


@pytest.fixture
def open_at(script: Script) -> Callable[[Any], InteractionSession]:
    def opened(owned: Any) -> InteractionSession:
        talk.say(owned.device, "open scripted", source="typed")
        return talk.session_of(owned.device)

    return opened


def told(owned: Any) -> list[str]:
    return talk.spoken(owned.device)


def drain(*open_sessions: InteractionSession) -> None:
    for session in open_sessions:
        turns.drain(session.pk)


def where(session: InteractionSession) -> str:
    session.refresh_from_db()
    assert session.client_id == session.device.client_id
    return session.client_id


@pytest.mark.promise("P259", "P205")
def test_a_session_moves_with_one_commit_and_both_devices_hear_it(
    script: Script, open_at: Any, kitchen: Any, hall: Any
) -> None:
    there, asking = open_at(kitchen), open_at(hall)
    talk.say(hall.device, f"here {there.pk}", source="typed")
    assert (where(there), asking.status, told(hall)[-1]) == ("kitchen", "active", "Bringing it.")
    drain(there)
    asking.refresh_from_db()
    assert where(there) == "hall"
    assert (asking.status, asking.end_reason) == ("ended", handover.ASKED)
    assert told(hall)[-1] == "Now at hall, no more at kitchen."
    assert told(kitchen)[-1] == "That goes on at hall now."
    assert sessions.active(there.user_id, "kitchen") is None
    assert script.closed == [handover.ASKED]  # the one that asked; the one that moved goes on
    assert InboxItem.objects.get(session=there, kind="moved").status == "done"
    talk.say(hall.device, "hello", source="typed")
    assert script.heard()[-1] == "hello"
    assert script.events[-1].device == hall.device.pk  # type: ignore[union-attr]


@pytest.mark.promise("P259", "P165")
def test_what_is_said_and_told_after_the_move_is_at_the_new_device_alone(
    script: Script, open_at: Any, kitchen: Any, hall: Any
) -> None:
    there, _ = open_at(kitchen), open_at(hall)
    talk.say(hall.device, f"here {there.pk}")
    drain(there)
    kinds = list(DeviceEvent.objects.filter(device=kitchen.device).order_by("seq").values_list("kind", flat=True))
    assert kinds[-3:] == ["speech.stop", "interaction.reply", "interaction.ended"]
    began = DeviceEvent.objects.filter(device=hall.device, session=there).order_by("seq").first()
    assert began is not None
    assert began.kind == "interaction.started"
    silent = DeviceEvent.objects.filter(device=kitchen.device, session=there, kind="interaction.reply").order_by("seq")
    assert [event.speak for event in silent] == [False] * (len(silent) - 1) + [True]  # nothing had been fetched yet
    before = Device.objects.get(pk=kitchen.device.pk).event_seq
    talk.say(hall.device, "hello again")
    assert Device.objects.get(pk=kitchen.device.pk).event_seq == before
    for device in (kitchen.device, hall.device):
        numbers = list(device.events.order_by("seq").values_list("seq", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.promise("P259")
def test_it_moves_between_effects_and_never_under_one(script: Script, open_at: Any, kitchen: Any, hall: Any) -> None:
    there, _ = open_at(kitchen), open_at(hall)
    seen: list[str] = []

    def look(call: Any) -> dict[str, Any]:
        talk.say(hall.device, f"here {there.pk}")
        seen.append(where(there))
        return {}

    script.act = look
    talk.say(kitchen.device, "look")
    assert seen == ["kitchen"]
    assert where(there) == "hall"
    assert DeviceEvent.objects.filter(device=kitchen.device, payload__text="looked").exists()
    assert [type(event) for event in script.events[-2:]] == [Settled, Signal]


@pytest.mark.promise("P259")
def test_a_staged_effect_is_done_before_the_move(script: Script, open_at: Any, kitchen: Any, hall: Any) -> None:
    there, _ = open_at(kitchen), open_at(hall)
    talk.post(kitchen.device, "look")
    turns.drain(there.pk, role=turns.Role.TURNS)  # staged, for those who perform
    talk.say(hall.device, f"here {there.pk}")
    turns.drain(there.pk, role=turns.Role.TURNS)
    assert where(there) == "kitchen"
    drain(there)
    assert where(there) == "hall"
    assert Checkpoint.objects.get().result == {"did": "look"}


@pytest.mark.promise("P259", "P202")
@pytest.mark.parametrize("when", ["before the move is asked for", "before the move is done"])
def test_the_phrase_said_at_the_device_before_spends_nothing(
    script: Script, open_at: Any, kitchen: Any, hall: Any, when: str
) -> None:
    there, _ = open_at(kitchen), open_at(hall)
    talk.say(kitchen.device, "ready")
    if when == "before the move is asked for":
        talk.post(kitchen.device, "confirm order")
    talk.say(hall.device, f"here {there.pk}")
    talk.post(kitchen.device, "confirm order")
    drain(there)
    assert where(there) == "hall"
    assert script.calls == []
    assert not Checkpoint.objects.exists()
    assert not InboxItem.objects.filter(session=there, status="waiting").exists()
    assert told(kitchen)[-1] == saying.ENGLISH("went_on")


@pytest.mark.promise("P202")
def test_the_commit_that_spends_refuses_a_phrase_from_another_device_than_the_sessions(
    script: Script, open_at: Any, kitchen: Any, hall: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, _ = open_at(kitchen), open_at(hall)
    talk.say(kitchen.device, "ready")
    talk.say(hall.device, f"here {there.pk}")
    drain(there)
    monkeypatch.setattr(handover, "is_stale", lambda work: False)
    with transaction.atomic():
        utterance = talk.post(kitchen.device, "confirm order", source="typed").body["id"]
        sessions.add(there.pk, kind="heard", at=clock.now(), text="confirm order")
        InboxItem.objects.filter(session=there, text="confirm order").update(utterance=utterance)
    drain(there)
    assert script.calls == []
    assert not Checkpoint.objects.exists()


@pytest.mark.promise("P259")
def test_words_still_waiting_from_the_device_before_are_dropped_and_told(
    script: Script, open_at: Any, kitchen: Any, hall: Any
) -> None:
    there, _ = open_at(kitchen), open_at(hall)
    talk.say(hall.device, f"here {there.pk}")
    late = talk.post(kitchen.device, "one more thing").body["id"]
    drain(there)
    assert "one more thing" not in script.heard()
    assert InboxItem.objects.get(utterance=late).status == "dropped"
    event = DeviceEvent.objects.filter(device=kitchen.device).latest("seq")
    assert (event.payload["text"], event.payload["answers"]) == (saying.ENGLISH("went_on"), late)


@pytest.mark.promise("P259")
def test_asked_twice_it_moves_once_and_what_was_said_meanwhile_is_heard_by_it(
    script: Script, open_at: Any, kitchen: Any, hall: Any
) -> None:
    there, asking = open_at(kitchen), open_at(hall)
    for _ in range(2):
        talk.say(hall.device, f"here {there.pk}", source="typed")
    talk.post(hall.device, "and then", source="typed")  # its owner has not come to it when the session moves
    drain(there, asking, there)
    moves = InboxItem.objects.filter(session=there, kind="moved").order_by("sequence")
    assert [item.status for item in moves] == ["done", "dropped"]
    assert told(hall).count("Now at hall, no more at kitchen.") == 1
    assert script.heard()[-1] == "and then"
    assert (where(there), told(hall)[-1]) == ("hall", "ok")
    assert not InboxItem.objects.filter(status="waiting").exists()


@pytest.mark.promise("P259", "P205")
def test_of_two_devices_that_ask_the_first_has_it_and_the_other_is_told(
    script: Script, open_at: Any, kitchen: Any, hall: Any, asha: Any
) -> None:
    bath = people.with_device(asha, "bath")
    there, first, second = open_at(kitchen), open_at(hall), open_at(bath)
    talk.say(hall.device, f"here {there.pk}")
    talk.say(bath.device, f"here {there.pk}")
    drain(there, first, second)
    assert where(there) == "hall"
    assert told(bath)[-1] == "handover_lost"
    second.refresh_from_db()
    assert second.end_reason == "not_moved"


@pytest.mark.promise("P259")
@pytest.mark.parametrize("who", ["nobody", "another person", "itself"])
def test_a_session_that_is_not_there_cannot_be_had_and_none_is_told_apart(
    script: Script, open_at: Any, kitchen: Any, hall: Any, bedroom: Any, who: str
) -> None:
    decide = script.decide

    def constrained(standing: Standing, event: Any) -> Step:
        if isinstance(event, Settled) and event.effect == "record":
            return Step(say=(Reply(event.outcome.message),))  # type: ignore[union-attr]
        return decide(standing, event)

    script.decide = constrained
    asking = open_at(hall)
    target = {"nobody": lambda: 0, "another person": lambda: open_at(bedroom).pk, "itself": lambda: asking.pk}[who]()
    assert talk.say(hall.device, f"here {target}") == ["handover_gone"]
    assert not InboxItem.objects.filter(kind="moved").exists()


@pytest.mark.promise("P259")
def test_nothing_is_moved_to_who_went_away_meanwhile(script: Script, open_at: Any, kitchen: Any, hall: Any) -> None:
    there, asking = open_at(kitchen), open_at(hall)
    talk.say(hall.device, f"here {there.pk}")
    devices.revoke(hall.device)
    drain(there, asking)
    assert where(there) == "kitchen"
    asking.refresh_from_db()
    assert asking.end_reason == "device_revoked"
    assert told(kitchen) == ["ok"]


@pytest.mark.promise("P259")
def test_a_session_that_ends_before_its_move_answers_who_asked(script: Script, open_at: Any, kitchen: Any, hall: Any) -> None:
    there, asking = open_at(kitchen), open_at(hall)
    decide = script.decide
    script.decide = lambda standing, event: (
        Step(end="closed") if isinstance(event, Heard) and event.text == "close" else decide(standing, event)
    )
    talk.post(kitchen.device, "close")
    talk.say(hall.device, f"here {there.pk}")
    drain(there, asking)
    assert (where(there), there.status, told(hall)[-1]) == ("kitchen", "ended", "handover_gone")
    asking.refresh_from_db()
    assert asking.end_reason == "not_moved"


@pytest.mark.promise("P259")
def test_a_step_that_raises_on_the_move_leaves_the_session_where_it_is_and_says_so_to_who_asked(
    script: Script, open_at: Any, kitchen: Any, hall: Any
) -> None:
    there, asking = open_at(kitchen), open_at(hall)
    decide = script.decide

    def raising(standing: Standing, event: Any) -> Step:
        if isinstance(event, Signal) and event.name == "moved":
            raise RuntimeError
        return decide(standing, event)

    script.decide = raising
    talk.say(hall.device, f"here {there.pk}")
    drain(there, asking)
    assert (where(there), told(hall)[-1]) == ("kitchen", "handover_failed")
    assert told(kitchen) == ["ok"]


@pytest.mark.promise("P259")
def test_a_holder_of_the_session_that_asked_stores_nothing_once_it_was_ended(
    script: Script, open_at: Any, kitchen: Any, hall: Any
) -> None:
    there, asking = open_at(kitchen), open_at(hall)
    talk.say(hall.device, f"here {there.pk}")
    decide = script.decide

    def meanwhile(standing: Standing, event: Any) -> Step:
        if isinstance(event, Heard) and event.text == "slowly" and standing.session == asking.pk:
            drain(there)
        return decide(standing, event)

    script.decide = meanwhile
    talk.say(hall.device, "slowly", source="typed")
    assert (where(there), script.heard().count("slowly")) == ("hall", 1)
    drain(asking, there)
    assert script.heard().count("slowly") == 2  # thrown away there, heard afresh here
    assert told(hall)[-2:] == ["Now at hall, no more at kitchen.", "ok"]


def test_a_step_that_takes_over_may_not_end_or_ask_for_an_effect(script: Script, open_at: Any, kitchen: Any) -> None:
    from interactions import registry, steps

    open_at(kitchen)
    mode = registry.mode("scripted")
    for step in (Step(take_over=1, end="over"), Step(take_over=1, effect=Effect("look"))):
        with pytest.raises(ValueError, match="waits for it"):
            steps.check(mode, step)
