"""What a device is listening for: wakes and their words, the while after an answer, stop, who speaks, how speech was cut."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from interactions import attention, clock
from interactions.models import ChainRun, Device, DeviceEvent, Person, Utterance
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


def told(device: Device, kind: str) -> list[dict[str, Any]]:
    return [row.payload for row in DeviceEvent.objects.filter(device=device, kind=kind).order_by("seq")]


def verdict(device: Device, text: str, **report: Any) -> tuple[str, str]:
    answer = talk.post(device, text, **report)
    return answer.body["disposition"], answer.body["reason"]


def delivered(device: Device) -> None:
    """The device has got everything it was told."""
    DeviceEvent.objects.filter(device=device, delivered_at=None).update(delivered_at=clock.now())


# ---- stop ---------------------------------------------------------------------------------------------------------------


@pytest.mark.case("C08")
@pytest.mark.parametrize("word", ["stop", "Hermes, stop.", "रुको"])
def test_stop_is_obeyed_at_once_while_the_chain_speaks_and_no_plugin_is_asked(device: Device, word: str) -> None:
    talk.post(device, "turn on the lamp")
    talk.handle(device)
    delivered(device)
    assert verdict(device, word) == ("accepted", "stop")
    assert len(told(device, "speech.stop")) == 1
    assert ChainRun.objects.count() == 1


def test_stop_is_for_us_while_an_answer_is_on_its_way_and_that_is_then_only_shown(device: Device) -> None:
    talk.post(device, "turn on the lamp")
    assert verdict(device, "stop") == ("accepted", "stop")
    talk.handle(device)
    assert ChainRun.objects.get().status == "done"
    assert talk.spoken(device) == []
    assert [row["text"] for row in told(device, "plugin.reply")] == ["The chain heard: turn on the lamp"]


def test_stop_with_nothing_of_ours_in_the_air_is_for_the_chain_and_silences_all_the_same(device: Device) -> None:
    assert verdict(device, "stop") == ("accepted", "chain")
    assert len(told(device, "speech.stop")) == 1
    assert Device.objects.get(pk=device.pk).silenced_upto == Utterance.objects.get().pk
    talk.handle(device)
    assert talk.spoken(device) == ["The chain heard: stop"]


# ---- who speaks, and how speech was cut ---------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["stream", "wake"])
def test_another_identified_speaker_changes_nothing_and_the_log_says_so_without_words(
    script: Script, device: Device, caplog: pytest.LogCaptureFixture, source: str
) -> None:
    talk.say(device, "open scripted")
    Person.objects.filter(user=device.owner).update(speakers=["asha", "meera"])
    with caplog.at_level(logging.INFO, logger="interactions"):
        assert verdict(device, "two secret milk", source=source, speaker="ravi") == ("recorded", "speaker")
    utterance = Utterance.objects.get(text="two secret milk")
    assert f"utterance {utterance.pk} of another speaker at device {device.pk}: recorded" in caplog.text
    assert "secret" not in caplog.text
    assert verdict(device, "three milk", source=source, speaker="meera") == ("accepted", "mode")
    assert verdict(device, "four bread", source=source) == ("accepted", "mode")
    talk.handle(device)
    assert script.heard() == ["", "three milk", "four bread"]


@pytest.mark.promise("P222")
def test_an_override_that_no_table_knows_is_closed_and_loses_no_utterance(script: Script, device: Device) -> None:
    Device.objects.filter(pk=device.pk).update(segmentation="by_ear")
    assert verdict(device, "open scripted") == ("recorded", "window")
    assert verdict(device, "open scripted", segmentation="streaming_stt") == ("recorded", "segmentation")
    assert verdict(device, "open scripted", source="wake") == ("accepted", "activation")
    assert Utterance.objects.count() == 3


# ---- the while after an answer ------------------------------------------------------------------------------------------


def test_speech_that_begins_soon_after_an_answer_is_marked_and_only_once(device: Device) -> None:
    attention_opened(device)
    assert verdict(device, "and the heating") == ("accepted", "chain")
    assert Utterance.objects.get().details.get("follow_up") is True
    talk.post(device, "blue sky today")
    assert "follow_up" not in Utterance.objects.get(text="blue sky today").details


@pytest.mark.parametrize(("source", "ahead_s"), [("stream", -1), ("typed", 5), ("tap", 5)])
def test_late_speech_and_what_was_typed_are_no_follow_up(device: Device, source: str, ahead_s: float) -> None:
    attention_opened(device)
    Device.objects.filter(pk=device.pk).update(follow_up_until=clock.now() + timedelta(seconds=ahead_s))
    talk.post(device, "and", source=source)
    assert "follow_up" not in Utterance.objects.get().details


def attention_opened(device: Device) -> None:
    with transaction.atomic():
        attention.answered(device.pk, clock.now(), cause="chain:1")
