"""One wake that several devices of a person hear: one of them has it, the others are told which, and say nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interactions import attention, chain, clock, explaining, presence, turns
from interactions.models import ChainRun, Device, DeviceEvent, InboxItem, InteractionSession, Utterance
from tests.support import people, scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

LAMP = "turn on the lamp"


class Standing:
    """The service's clock. It stands still until it is moved, so that a busy machine hears nothing too late."""

    def __init__(self) -> None:
        self.at = timezone.now()

    def __call__(self, milliseconds: int) -> None:
        self.at += timedelta(milliseconds=milliseconds)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Standing:
    standing = Standing()
    monkeypatch.setattr(clock, "now", lambda: standing.at)
    return standing


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def near(kitchen: Any, later: Standing) -> Device:
    device: Device = kitchen.device
    presence.came(device.pk)
    return device


@pytest.fixture
def far(hall: Any) -> Device:
    """Asha's second speaker; both hold an event stream open."""
    device: Device = hall.device
    presence.came(device.pk)
    return device


def wake(device: Device, text: str, score: float | None = None, **report: Any) -> tuple[str, str]:
    detected = {"word": "hermes"} | ({} if score is None else {"score": score})
    body = talk.post(device, text, source="wake", wake=detected, **report).body
    return body["disposition"], body["reason"]


def told(device: Device, kind: str = "wake.heard") -> list[Any]:
    rows = DeviceEvent.objects.filter(device=device, kind=kind).order_by("seq")
    return [(row.payload["taken_by"], row.payload["reason"]) if kind == "wake.heard" else row.payload for row in rows]


def handled(later: Standing, *devices: Device) -> list[list[str]]:
    """What each of them is told to speak, once nothing more is held."""
    later(300)
    for device in devices:
        talk.handle(device)
    return [talk.spoken(device) for device in devices]


# ---- one device, and nobody else there ----------------------------------------------------------------------------------


def test_where_no_other_device_is_there_nothing_is_held(script: Script, near: Device, hall: Any) -> None:
    assert wake(near, LAMP, 0.5) == ("accepted", "chain")
    assert wake(near, "open scripted", 0.5) == ("accepted", "activation")
    assert ChainRun.objects.get().not_before is InboxItem.objects.get().not_before is None
    assert not Utterance.objects.filter(details__has_key="held_ms").exists()
    presence.came(hall.device.pk)
    presence.left({hall.device.pk: clock.now() + presence.LASTS})
    talk.handle(near)
    assert wake(near, "turn off the fan", 0.5) == ("accepted", "mode")


def test_what_the_only_device_of_a_person_reports_costs_no_statement_more(script: Script, near: Device) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            wake(near, LAMP)
        return len(captured)

    alone = statements()
    other = Device.objects.create(owner=near.owner, client_id="hall", scope="device")
    assert statements() == alone + 1, "what others reported is looked up"
    other.delete()
    assert statements() == alone


def test_speech_without_a_wake_is_never_held(script: Script, near: Device, far: Device) -> None:
    for source in ("stream", "typed", "tap"):
        talk.post(near, f"{LAMP} {source}", source=source)
    assert not ChainRun.objects.exclude(not_before=None).exists()


# ---- a better score -----------------------------------------------------------------------------------------------------


@pytest.mark.case("C02", "C03")
@pytest.mark.parametrize(
    ("first", "second", "winner"), [(0.6, 0.9, "far"), (0.9, 0.6, "near"), (0.7, 0.7, "near"), (None, None, "near")]
)
def test_a_command_is_answered_at_the_better_device_and_the_other_is_told(
    near: Device, far: Device, first: float | None, second: float | None, winner: str, later: Standing
) -> None:
    assert wake(near, LAMP, first) == ("accepted", "chain")
    assert ChainRun.objects.get().not_before is not None
    later(100)
    assert wake(far, LAMP, second)[0] == ("accepted" if winner == "far" else "duplicate")
    answers = handled(later, near, far)
    assert ChainRun.objects.count() == 1
    assert answers == ([[], [f"The chain heard: {LAMP}"]] if winner == "far" else [[f"The chain heard: {LAMP}"], []])
    if winner == "far":
        assert (told(near), told(far)) == ([(None, ""), ("hall", "score")], [(None, "")])
        assert Utterance.objects.get(device=far).alias_of == Utterance.objects.get(device=near)
    else:
        assert (told(near), told(far)) == ([(None, "")], [("kitchen", "first" if first == second else "score")])
        assert Utterance.objects.get(device=far).alias_of == Utterance.objects.get(device=near)


@pytest.mark.case("C02")
@pytest.mark.promise("P028")
def test_one_session_is_opened_and_it_is_at_the_better_device(
    script: Script, near: Device, far: Device, later: Standing
) -> None:
    wake(near, "open scripted", 0.6, audio_session_id="a", seq=1, capture_epoch="a")
    later(100)
    assert wake(far, "open scripted two milk", 0.9, audio_session_id="b", seq=1, capture_epoch="b") == (
        "accepted",
        "activation",
    )
    assert handled(later, near, far) == [[], ["ok"]]
    assert InteractionSession.objects.count() == 1
    session = InteractionSession.objects.get()
    assert (session.device, session.client_id, session.audio_session_id) == (far, "hall", "b")
    assert script.heard() == ["two milk"]
    assert InboxItem.objects.get().utterance == Utterance.objects.get(device=far)
    assert talk.say(far, "three milk") == ["ok"]
    assert wake(near, LAMP, 0.9) == ("accepted", "chain")


@pytest.mark.case("C02")
@pytest.mark.promise("P028")
def test_c02_a_far_device_that_comes_too_late_is_told_who_has_it_however_well_it_heard(
    script: Script, near: Device, far: Device, later: Standing
) -> None:
    assert wake(near, "open scripted", 0.3) == ("accepted", "activation")
    later(400)
    assert wake(far, "open scriptid", 0.9) == ("duplicate", "other_device")
    assert handled(later, near, far) == [["ok"], []]
    assert InteractionSession.objects.get().device == near
    assert told(far) == [("kitchen", "later")]
    assert not ChainRun.objects.exists()


def test_it_needs_nobody_there_to_be_told_that_another_device_has_it(near: Device, hall: Any) -> None:
    wake(near, LAMP)
    assert wake(hall.device, LAMP, 0.9) == ("duplicate", "other_device")
    assert told(hall.device) == [("kitchen", "later")]


def test_a_third_device_may_still_be_better_until_the_moment_is_over(
    near: Device, far: Device, asha: Any, later: Standing
) -> None:
    third = people.with_device(asha, "study").device
    wake(near, LAMP, 0.5)
    later(100)
    wake(far, LAMP, 0.7)
    later(100)
    assert wake(third, LAMP, 0.9) == ("accepted", "chain")
    assert handled(later, near, far, third) == [[], [], [f"The chain heard: {LAMP}"]]
    assert told(far) == [(None, ""), ("study", "score")]
    later(100)
    assert wake(near, LAMP, 1.0) == ("duplicate", "other_device")


@pytest.mark.promise("P204")
def test_what_was_begun_is_not_taken(near: Device, far: Device, script: Script, later: Standing) -> None:
    """Whatever the clock of the process that began it said."""
    wake(near, LAMP, 0.1)
    ChainRun.objects.update(not_before=None)
    chain.run(ChainRun.objects.get().pk)
    assert wake(far, LAMP, 0.9) == ("duplicate", "other_device")
    later(5000)
    wake(near, "open scripted", 0.1)
    InboxItem.objects.update(not_before=None)
    turns.drain(InteractionSession.objects.get().pk)
    assert wake(far, "open scripted", 0.9) == ("duplicate", "other_device")
    assert talk.spoken(far) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (LAMP, "open scripted", [[], ["ok"]]),
        ("open scripted", LAMP, [[], [f"The chain heard: {LAMP}"]]),
        ("open scriptidly", "open scripted", [[], ["ok"]]),  # it was asked at once whether that was meant
    ],
)
def test_where_they_heard_different_words_those_of_the_better_device_count(
    script: Script, near: Device, far: Device, first: str, second: str, expected: list[list[str]], later: Standing
) -> None:
    wake(near, first, 0.2)
    later(100)
    assert wake(far, second, 0.8)[0] == "accepted"
    answers = handled(later, near, far)
    assert answers == expected
    assert not InteractionSession.objects.filter(status="active", device=near).exists()
    assert not ChainRun.objects.exclude(status="done").exists()


def test_words_of_another_time_are_another_command(near: Device, far: Device, later: Standing) -> None:
    wake(near, LAMP, 0.6)
    later(600)
    assert wake(far, "play some jazz", 0.6) == ("accepted", "chain")
    later(1500)
    assert wake(far, LAMP, 0.6) == ("accepted", "chain")


def test_another_persons_device_is_never_asked(near: Device, bedroom: Any) -> None:
    presence.came(bedroom.device.pk)
    wake(near, LAMP, 0.1)
    assert wake(bedroom.device, LAMP, 0.9) == ("accepted", "chain")
    assert ChainRun.objects.filter(not_before=None).count() == 2


# ---- announcements and the words that follow ------------------------------------------------------------------------------


def announced() -> list[str]:
    return list(Device.objects.exclude(announced=None).values_list("client_id", flat=True))


@pytest.mark.promise("P019", "P020")
@pytest.mark.parametrize(("first", "second", "winner", "loser"), [(0.6, 0.9, "hall", "kitchen"), (0.9, 0.6, "kitchen", "hall")])
def test_of_two_announcements_the_better_is_listened_to_and_the_words_at_the_other_are_evidence(
    near: Device, far: Device, first: float, second: float, winner: str, loser: str, later: Standing
) -> None:
    wake(near, "", first)
    later(100)
    wake(far, "Hermes", second)
    assert announced() == [winner]
    named = {device.client_id: device for device in (near, far)}
    assert told(named[loser])[-1] == (winner, "score")
    assert told(named[winner]) == [(None, "")]
    later(2000)
    answer = talk.post(named[loser], LAMP)  # the loser's recogniser may well be the quicker one
    assert (answer.body["disposition"], answer.body["reason"]) == ("duplicate", "other_device")
    assert talk.post(named[winner], LAMP).body["reason"] == "chain"
    attention.sweep(clock.now() + timedelta(seconds=60))
    assert told(named[loser], "device.cue") == []
    assert ChainRun.objects.get().utterance.device == named[winner]
    assert talk.post(named[loser], "and the fan").body["disposition"] == "accepted"  # one sentence belonged to the wake


def test_a_capture_that_belongs_to_a_lost_wake_is_told_so(near: Device, far: Device, later: Standing) -> None:
    wake(near, "", 0.9)
    wake(far, "", 0.6)
    later(2500)
    assert wake(far, LAMP, 0.9) == ("duplicate", "other_device")
    assert wake(near, LAMP, 0.9) == ("accepted", "chain")
    assert told(far)[-1] == ("kitchen", "later")


def test_the_stream_of_a_device_that_lost_the_command_brings_it_in_no_second_time(near: Device, far: Device) -> None:
    wake(near, LAMP, 0.9)
    wake(far, LAMP, 0.6)
    assert talk.post(far, f"hermes {LAMP}").body["reason"] == "other_device"
    assert talk.post(far, "what is the time").body["reason"] == "chain"
    assert ChainRun.objects.count() == 2


def test_a_wake_of_its_own_ends_what_a_device_has_lost(near: Device, far: Device, later: Standing) -> None:
    wake(near, "", 0.9)
    wake(far, "", 0.6)
    later(3000)
    wake(far, "", 0.6)
    assert set(announced()) == {"kitchen", "hall"}
    assert talk.post(far, LAMP).body["reason"] == "chain"


def test_a_device_sounds_its_cue_only_when_nobody_else_can_get_the_wake(near: Device, far: Device, later: Standing) -> None:
    wake(near, "", 0.5)
    later(150)
    wake(far, "", 0.7)
    first, second = (
        DeviceEvent.objects.filter(device=device, kind="wake.heard").order_by("seq")[0].payload for device in (near, far)
    )
    assert first["cue_after_ms"] == 250
    assert 0 < second["cue_after_ms"] <= 100


# ---- where a session is open ----------------------------------------------------------------------------------------------


def test_what_is_said_at_a_device_belongs_to_its_session_and_is_not_held(
    script: Script, near: Device, far: Device, later: Standing
) -> None:
    talk.say(near, "open scripted")
    script.events.clear()
    assert wake(near, "two milk", 0.1) == ("accepted", "mode")
    assert InboxItem.objects.latest("pk").not_before is None
    assert wake(far, "two milk", 0.9) == ("duplicate", "other_device")
    later(5000)
    assert wake(far, "three milk", 0.9) == ("accepted", "chain")  # the device without a session was first
    assert wake(near, "three milk", 0.1) == ("accepted", "mode")
    handled(later, near, far)
    assert script.heard() == ["two milk", "three milk"]
    assert talk.spoken(far) == []
    assert told(far) == [("kitchen", "session"), (None, ""), ("kitchen", "session")]


def test_stop_is_obeyed_at_every_device_that_hears_it(script: Script, near: Device, far: Device) -> None:
    talk.say(near, "open scripted")
    wake(near, "stop", 0.9)
    wake(far, "stop", 0.1)
    assert [len(told(device, "speech.stop")) for device in (near, far)] == [1, 1]


@pytest.mark.promise("P218")
def test_the_operator_reads_who_had_it_and_why(near: Device, far: Device) -> None:
    wake(near, LAMP, 0.6)
    wake(far, LAMP, 0.9)
    first, second = ("\n".join(explaining.lines(explaining.story(row.pk))) for row in Utterance.objects.order_by("pk"))
    assert "held for a better device" in first
    assert "wake.heard" in first
    assert "as score" in first
    assert "heard better here" in second


@pytest.mark.promise("P266")
def test_a_stop_is_not_undone_by_the_wake_that_goes_to_another_device_after_it(
    near: Device, far: Device, script: Script, later: Standing
) -> None:
    assert wake(near, "open skripdet", 0.4) == ("accepted", "near_activation")
    asked = talk.post(near, "what is the weather", source="typed").body["id"]
    stop = talk.post(near, "stop", source="typed").body["id"]
    later(100)
    assert wake(far, "open skripdet", 0.9)[0] == "accepted"
    assert told(near)[-1] == ("hall", "score")
    assert asked < stop == Device.objects.get(pk=near.pk).silenced_upto
