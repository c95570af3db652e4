"""What a device is listening for: wakes and their words, the while after an answer, stop, who speaks, how speech was cut."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from interactions import activation, attention, clock, configuration, registry
from interactions.configuration import PluginEntry
from interactions.contracts import Heard, Step
from interactions.models import ChainRun, Device, DeviceEvent, InteractionSession, Person, Utterance
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin
from tests.plugins.answerer import Answerer
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def windowed(kitchen: Any) -> Any:
    """A device whose live speech is cut into fixed windows."""
    Device.objects.filter(pk=kitchen.device.pk).update(segmentation="windowed_batch")
    return Device.objects.get(pk=kitchen.device.pk)


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


# ---- a wake and its words -----------------------------------------------------------------------------------------------

WAKE = {"source": "wake", "wake": {"word": "hermes", "score": 0.8}}
NO_WORDS = ("error", "no_words")


def cues(device: Device) -> list[tuple[str, str]]:
    return [(row["cue"], row["reason"]) for row in told(device, "device.cue")]


def look_in(seconds: float) -> None:
    """The service looks twice, so many seconds from now."""
    for _ in range(2):
        attention.sweep(clock.now() + timedelta(seconds=seconds))


@pytest.mark.promise("P019")
@pytest.mark.parametrize("text", ["", "...", "Hermes", "Hey Hermes!", "Hermes, Hermes"])
def test_a_wake_without_a_command_announces_that_speech_follows(script: Script, device: Device, text: str) -> None:
    assert verdict(device, text, **WAKE) == ("recorded", "announcement")
    (heard,) = told(device, "wake.heard")
    assert (heard["word"], heard["score"], heard["listen_ms"], heard["taken_by"]) == ("hermes", 0.8, 8000, None)
    assert verdict(device, "open scripted") == ("accepted", "activation")
    look_in(60)
    assert cues(device) == []
    talk.handle(device)
    assert script.heard() == [""]


@pytest.mark.promise("P019")
def test_the_words_that_a_wake_announced_are_for_us_as_if_they_had_come_with_it(script: Script, device: Device) -> None:
    talk.post(device, "", **WAKE)
    assert verdict(device, "turn on the lamp") == ("accepted", "chain")
    assert verdict(device, "open scriptid") == ("accepted", "chain")  # nothing announced this one, so no slip is forgiven
    assert (is_follow_up("turn on the lamp"), is_follow_up("open scriptid")) == (True, False)
    talk.post(device, "Hermes", **WAKE)
    assert verdict(device, "open scripted two") == ("accepted", "activation")


@pytest.mark.promise("P019")
def test_after_an_announcement_the_phrase_may_hold_a_slip_as_after_a_wake(script: Script, device: Device) -> None:
    talk.post(device, "", **WAKE)
    assert verdict(device, "open scriptid") == ("accepted", "activation")


@pytest.mark.promise("P011", "P019")
def test_under_windows_the_announced_words_are_captured_and_no_window_is_taken_for_them(windowed: Device) -> None:
    talk.post(windowed, "", **WAKE)
    (heard,) = told(windowed, "wake.heard")
    assert heard["capture"] is True
    assert verdict(windowed, "turn on the lamp") == ("recorded", "window")
    assert Device.objects.get(pk=windowed.pk).announced is not None
    assert verdict(windowed, "turn on the lamp", **WAKE) == ("accepted", "chain")
    look_in(60)
    assert cues(windowed) == []


@pytest.mark.promise("P019")
def test_a_wake_with_its_command_is_routed_at_once_and_nothing_is_waited_for(script: Script, device: Device) -> None:
    assert verdict(device, "Hermes, open scripted", **WAKE) == ("accepted", "activation")
    (heard,) = told(device, "wake.heard")
    assert (heard["word"], heard["listen_ms"]) == ("hermes", 0)
    look_in(60)
    assert cues(device) == []


@pytest.mark.promise("P018")
@pytest.mark.parametrize("text", ["", "turn on the lamp", "open scripted"])
def test_a_capture_that_the_device_marks_as_without_speech_is_not_routed(script: Script, device: Device, text: str) -> None:
    assert verdict(device, text, has_speech=False, **WAKE) == ("ignored", "no_speech")
    assert cues(device) == [NO_WORDS]
    assert not ChainRun.objects.exists()
    assert not InteractionSession.objects.exists()


@pytest.mark.promise("P020")
def test_a_wake_that_no_words_follow_in_time_is_told_so_once_over_the_wire(client: Client, kitchen: Any) -> None:
    device, headers = kitchen.device, kitchen.headers | {"Idempotency-Key": "w1"}
    body = {"text": "", "source": "wake", "wake": {"word": "hermes", "also_fired": ["jarvis"]}}
    answer = client.post("/api/v1/utterances", body, content_type="application/json", headers=headers).json()
    assert (answer["disposition"], answer["reason"]) == ("recorded", "announcement")
    look_in(7)
    assert cues(device) == []
    look_in(9)
    assert cues(device) == [NO_WORDS]
    events = client.get("/api/v1/replies?after=0", headers=kitchen.headers).json()["events"]
    assert [event["event"] for event in events] == ["wake.heard", "device.cue"]
    assert events[1]["data"]["answers"] == answer["id"]
    assert Utterance.objects.get().details["wake"]["also_fired"] == [{"word": "jarvis"}]


@pytest.mark.promise("P020")
@pytest.mark.parametrize(
    ("follows", "seconds", "expected"),
    [
        ([("turn on the lamp", {})], 60, []),
        ([("turn on the lamp", {"speaker": "ravi"})], 60, []),  # not for us, but there were words
        ([("Hermes", {})], 9, [NO_WORDS]),  # the wake word itself, as a sentence
        ([("", {}), ("thank you for watching", {})], 9, [NO_WORDS]),
        ([("turn on the lamp", {"ingest": "upload"})], 9, [NO_WORDS]),
        ([("turn on", {"final": False})], 7, []),
        ([("", {"has_speech": False})], 0, [NO_WORDS]),
        ([("", {"has_speech": False})], 60, [NO_WORDS]),
    ],
)
def test_words_are_words_of_a_person(
    device: Device, follows: list[tuple[str, dict[str, Any]]], seconds: float, expected: list[tuple[str, str]]
) -> None:
    Person.objects.filter(user=device.owner).update(speakers=["asha"])
    talk.post(device, "", **WAKE)
    for text, report in follows:
        talk.post(device, text, **report)
    look_in(seconds)
    assert cues(device) == expected


def test_a_second_wake_is_waited_for_anew_and_both_together_are_told_once(device: Device) -> None:
    for _ in range(2):
        talk.post(device, "", **WAKE)
    look_in(9)
    assert cues(device) == [NO_WORDS]


def test_a_recogniser_that_is_quicker_than_the_wake_has_given_its_words(device: Device) -> None:
    talk.post(device, "hermes turn on the lamp", spoken_age_ms=300)
    talk.post(device, "", spoken_age_ms=1500, **WAKE)
    look_in(60)
    assert cues(device) == []


def test_whoever_is_speaking_is_waited_for(client: Client, kitchen: Any) -> None:
    device = kitchen.device
    talk.post(device, "", **WAKE)
    client.post("/api/v1/speech", {"state": "started"}, content_type="application/json", headers=kitchen.headers)
    look_in(20)
    assert cues(device) == []
    client.post("/api/v1/speech", {"state": "stopped"}, content_type="application/json", headers=kitchen.headers)
    look_in(9)
    assert cues(device) == [NO_WORDS]


def test_after_a_wake_the_silence_ladder_waits(script: Script, device: Device) -> None:
    talk.say(device, "open scripted")
    before = clock.now() + timedelta(seconds=2)
    InteractionSession.objects.update(silence_at=before)
    talk.post(device, "", **WAKE)
    assert InteractionSession.objects.get().silence_at > before


# ---- the while after an answer ------------------------------------------------------------------------------------------


def answered(device: Device, *, cause: str = "chain:1", plays_s: float = 0) -> None:
    """As the chain says it of a command that was carried out."""
    with transaction.atomic():
        attention.answered(device.pk, clock.now() + timedelta(seconds=plays_s), cause=cause)


def is_follow_up(text: str) -> bool:
    return "follow_up" in Utterance.objects.get(text=text).details


def test_speech_that_begins_soon_after_an_answer_needs_no_wake_word_and_uses_the_window_up(device: Device) -> None:
    answered(device, plays_s=3)
    (cue,) = told(device, "device.cue")
    assert (cue["cue"], cue["listen_ms"], cue["capture"]) == ("listening", 12000, False)
    assert verdict(device, "and the heating") == ("accepted", "chain")
    talk.post(device, "blue sky today")
    assert (is_follow_up("and the heating"), is_follow_up("blue sky today")) == (True, False)


@pytest.mark.parametrize(
    ("source", "ahead_s", "age_ms", "expected"),
    [
        ("stream", -1, 0, False),
        ("stream", -1, 3000, True),  # it began in time, and was long on its way
        ("stream", 1, 0, True),
        ("typed", 5, 0, False),
        ("tap", 5, 0, False),
    ],
)
def test_it_is_the_beginning_of_speech_that_counts(
    device: Device, source: str, ahead_s: float, age_ms: int, expected: bool
) -> None:
    Device.objects.filter(pk=device.pk).update(follow_up_until=clock.now() + timedelta(seconds=ahead_s))
    talk.post(device, "and", source=source, spoken_age_ms=age_ms)
    assert is_follow_up("and") is expected


def test_the_window_counts_from_the_reported_end_of_the_answer(client: Client, kitchen: Any) -> None:
    device = kitchen.device
    talk.say(device, "turn on the lamp")
    talk.handle(device)
    delivered(device)
    answered(device, plays_s=-9)  # it was thought to be over long before
    reply = DeviceEvent.objects.get(kind="plugin.reply")
    url = f"/api/v1/replies/{reply.pk}/playback"
    for state in ("started", "finished", "finished"):
        client.post(url, {"state": state}, content_type="application/json", headers=kitchen.headers)
    left = Device.objects.get(pk=device.pk).follow_up_until - clock.now()
    assert timedelta(seconds=10) < left <= timedelta(seconds=12)


def test_the_end_of_an_answer_that_opened_nothing_opens_nothing(
    client: Client, kitchen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = kitchen.device
    answered(device)
    monkeypatch.setattr(Answerer, "handle", lambda plugin, event: ChainAnswer("I found no lamp.", success=False))
    talk.post(device, "turn on the lamp")
    talk.handle(device)
    reply = DeviceEvent.objects.get(kind="plugin.reply")
    url = f"/api/v1/replies/{reply.pk}/playback"
    client.post(url, {"state": "finished"}, content_type="application/json", headers=kitchen.headers)
    assert Device.objects.get(pk=device.pk).follow_up_until is None


class House(OrdinaryPlugin):
    """Does what it is told after a wake word, unless that is about the heating."""

    id = "house"

    def __init__(self) -> None:
        super().__init__(PluginEntry(enabled=True, events=["utterance"], condition="wake_word"), {})
        self.told: list[str] = []

    def handle(self, event: ChainEvent) -> ChainAnswer:
        self.told.append(event.command)
        return ChainAnswer("It is cold.", success=False) if "heating" in event.command else ChainAnswer("Done.")


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> House:
    house = House()
    monkeypatch.setattr(registry, "ordinary", lambda: (house,))
    return house


@pytest.mark.promise("P092")
def test_what_is_said_after_a_success_needs_no_wake_word_and_after_a_failure_it_does(device: Device, house: House) -> None:
    for text in ("blue sky", "Hermes, turn on the lamp", "and the fan", "and the heating", "and the radio"):
        talk.post(device, text)
        talk.handle(device)
    assert house.told == ["turn on the lamp", "and the fan", "and the heating"]


def test_an_answer_that_a_stop_has_silenced_opens_no_window(device: Device, house: House) -> None:
    for text in ("Hermes, turn on the lamp", "stop"):
        talk.post(device, text)
    talk.handle(device)
    assert house.told == ["turn on the lamp"]
    assert Device.objects.get(pk=device.pk).follow_up_until is None
    assert told(device, "device.cue") == []


@pytest.mark.promise("P011")
def test_under_windows_the_device_is_asked_to_capture_and_only_that_capture_is_a_command(windowed: Device) -> None:
    answered(windowed)
    (cue,) = told(windowed, "device.cue")
    assert (cue["cue"], cue["capture"]) == ("listening", True)
    assert verdict(windowed, "and the heating") == ("recorded", "window")
    assert not ChainRun.objects.exists()
    assert verdict(windowed, "and the heating", source="wake") == ("accepted", "chain")
    assert ChainRun.objects.count() == 1


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


@pytest.mark.promise("P017")
@pytest.mark.parametrize(
    ("ago_s", "stop", "repeated"),
    [(0.5, "stop", "echo"), (4.5, "stop", "echo"), (30, "chain", "chain")],
)
def test_a_reply_whose_playback_nobody_reports_is_in_the_air_for_its_safe_bound(
    device: Device, ago_s: float, stop: str, repeated: str
) -> None:
    talk.post(device, "turn on the lamp in the hall")
    talk.handle(device)
    DeviceEvent.objects.update(delivered_at=clock.now() - timedelta(seconds=ago_s))
    assert verdict(device, "the chain heard turn on the lamp in the hall")[1] == repeated
    DeviceEvent.objects.update(delivered_at=clock.now() - timedelta(seconds=ago_s))
    ChainRun.objects.update(status="done")
    assert verdict(device, "stop")[1] == stop


def test_a_stop_right_after_what_ended_the_dialog_is_not_offered_to_the_chain(script: Script, device: Device) -> None:
    script.decide = lambda standing, event: Step(end="closed") if isinstance(event, Heard) else Step()
    for text in ("open scripted", "bye", "stop"):
        talk.post(device, text)
    talk.handle(device)
    assert len(told(device, "speech.stop")) == 1
    assert not ChainRun.objects.exists()


# ---- who speaks, and how speech was cut ---------------------------------------------------------------------------------


@pytest.mark.promise("P021")
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


@pytest.mark.promise("P223")
def test_a_segmentation_is_one_entry_of_a_table_and_nothing_else(
    script: Script, client: Client, kitchen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = configuration.Segmentation("turn_segmenter", open_turns=True)
    monkeypatch.setitem(configuration.SEGMENTATIONS, entry.name, entry)
    call_command("devices", "set", str(kitchen.device.pk), "--segmentation", "turn_segmenter")
    for number, text in enumerate(("open scripted", "two milk")):
        headers = kitchen.headers | {"Idempotency-Key": f"s{number}"}
        body = {"text": text, "source": "stream", "segmentation": "turn_segmenter"}
        answer = client.post("/api/v1/utterances", body, content_type="application/json", headers=headers)
        assert answer.json()["disposition"] == "accepted", answer.content
    talk.handle(kitchen.device)
    assert script.heard() == ["", "two milk"]


@pytest.mark.promise("P222")
@pytest.mark.parametrize("source", ["stream", "wake"])
@pytest.mark.parametrize("name", ["windowed_batch", "by_ear"])
def test_a_body_that_claims_another_segmentation_is_evidence_whatever_its_name(
    client: Client, kitchen: Any, source: str, name: str
) -> None:
    body = {"text": "order swiggy", "source": source, "segmentation": name}
    headers = kitchen.headers | {"Idempotency-Key": "s1"}
    answer = client.post("/api/v1/utterances", body, content_type="application/json", headers=headers).json()
    assert (answer["disposition"], answer["reason"]) == ("recorded", "segmentation")
    assert Utterance.objects.get().segmentation == name
    assert not InteractionSession.objects.exists()
    assert not ChainRun.objects.exists()


# ---- what a recogniser may expect ---------------------------------------------------------------------------------------


@pytest.mark.promise("P055")
def test_the_recogniser_can_read_every_phrase_the_operators_too_and_the_names(client: Client, kitchen: Any) -> None:
    said = client.get("/api/v1/modes", headers=kitchen.headers).json()
    assert said["names"] == ["Hermes"]
    phrases = {one["mode"]: one["phrases"] for one in said["modes"]}
    assert "order swiggy" in phrases["swiggy_order"]
    assert "repeat after me" in phrases["echo"]  # the operator's own, from plugins.yml
    for phrase in (phrase for several in phrases.values() for phrase in several):
        assert registry.plugin_of(activation.find(phrase, registry.activations(), said["names"]).key)
