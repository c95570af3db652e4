"""Who owns an utterance: what is stored, what reaches a mode, what the ordinary chain gets, and what reaches nobody."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections

from interactions import chain, clock, configuration, ingress, turns
from interactions.contracts import Heard, Step
from interactions.errors import KeyReusedError, UnownedError
from interactions.models import ChainRun, Device, InboxItem, InteractionSession, Utterance
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


@pytest.fixture
def windowed(device: Any) -> Any:
    """A device whose live speech is cut into fixed windows."""
    Device.objects.filter(pk=device.pk).update(segmentation="windowed_batch")
    return Device.objects.get(pk=device.pk)


def outcome(answer: ingress.Answer) -> tuple[str, str]:
    return answer.body["disposition"], answer.body["reason"]


# ---- the owner ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P001", "P056", "P057")
def test_an_active_mode_sees_every_utterance_first_and_the_chain_none_of_them(script: Script, device: Any) -> None:
    assert outcome(talk.post(device, "open scripted")) == ("accepted", "activation")
    for text in ("turn on the lamp", "hermes what is the time", "repeat after me"):
        assert outcome(talk.post(device, text)) == ("accepted", "mode")
    talk.handle(device)
    assert script.heard() == ["", "turn on the lamp", "hermes what is the time", "repeat after me"]
    assert ChainRun.objects.count() == 0


@pytest.mark.promise("P005", "P063")
def test_without_a_mode_or_a_phrase_the_chain_runs_and_somebody_answers(script: Script, device: Any) -> None:
    answer = talk.post(device, "turn on the lamp")
    assert (outcome(answer), answer.body["session"]) == (("accepted", "chain"), None)
    talk.handle(device)
    assert talk.spoken(device) == ["The chain heard: turn on the lamp"]
    assert script.events == []


@pytest.mark.promise("P062")
def test_the_moment_a_mode_ends_the_chain_works_again(script: Script, device: Any) -> None:
    script.decide = lambda standing, event: Step(end="closed") if isinstance(event, Heard) else Step()
    for text in ("open scripted", "bye", "turn on the lamp"):
        talk.post(device, text)
        talk.handle(device)
    assert talk.spoken(device) == ["The chain heard: turn on the lamp"]


@pytest.mark.promise("P063")
def test_the_priority_of_an_ordinary_plugin_does_not_arbitrate_an_active_mode(script: Script, device: Any) -> None:
    from interactions import registry

    assert registry.ordinary()[0].entry.priority == 0
    talk.say(device, "open scripted")
    talk.post(device, "anything")
    talk.handle(device)
    assert script.heard() == ["", "anything"]
    assert ChainRun.objects.count() == 0


@pytest.mark.promise("P059", "P060")
def test_a_second_phrase_inside_an_active_mode_is_a_turn(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    talk.say(device, "open echo")
    assert script.heard() == ["", "open echo"]
    assert InteractionSession.objects.count() == 1


@pytest.mark.promise("P061")
def test_another_device_and_another_person_are_not_affected(
    script: Script, kitchen: Any, hall: Any, elsewhere: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(kitchen.device, "open scripted")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=3))  # at once, both would have heard one voice
    for other in (hall, elsewhere):
        assert outcome(talk.post(other.device, "turn on the lamp")) == ("accepted", "chain")
        assert outcome(talk.post(other.device, "open scripted")) == ("accepted", "activation")
    assert InteractionSession.objects.filter(status="active").count() == 3


@pytest.mark.promise("P002")
@pytest.mark.parametrize("source", ["stream", "wake", "typed", "tap"])
def test_every_source_goes_through_the_same_ingress(script: Script, device: Any, source: str) -> None:
    talk.say(device, "open scripted", source=source)
    talk.say(device, "go", source=source)
    assert script.heard() == ["", "go"]


@pytest.mark.promise("P047", "P048")
@pytest.mark.parametrize("text", ["open scripted", "OPEN, scripted!", "Hermes, open scripted", "Hey Hermes open scripted."])
def test_the_phrase_opens_in_any_case_with_punctuation_and_with_the_name_in_front(
    script: Script, device: Any, text: str
) -> None:
    talk.say(device, text)
    assert script.heard() == [""]


# ---- what reaches nobody --------------------------------------------------------------------------------------------------


@pytest.mark.promise("P003")
def test_interim_text_reaches_nobody(script: Script, device: Any) -> None:
    assert outcome(talk.post(device, "open scripted", final=False)) == ("ignored", "interim")
    assert not InteractionSession.objects.exists()
    assert not ChainRun.objects.exists()


@pytest.mark.promise("P004")
@pytest.mark.parametrize("text", ["", "   ", "...", "\u200b", "?!"])
def test_empty_and_blank_text_is_not_consumed(script: Script, device: Any, text: str) -> None:
    assert outcome(talk.post(device, text)) == ("ignored", "empty")
    assert not InboxItem.objects.exists()
    assert not ChainRun.objects.exists()


@pytest.mark.promise("P011")
@pytest.mark.parametrize("text", ["open scripted", "two milk", "turn on the lamp"])
def test_a_fixed_window_is_evidence_only(script: Script, windowed: Any, text: str) -> None:
    talk.say(windowed, "open scripted", source="wake")
    opened = len(script.events)
    assert outcome(talk.post(windowed, text, source="stream")) == ("recorded", "window")
    talk.handle(windowed)
    assert (len(script.events), ChainRun.objects.count()) == (opened, 0)
    assert Utterance.objects.filter(text=text, disposition="recorded").exists()


@pytest.mark.promise("P012", "P013")
def test_under_windows_an_acoustic_command_opens_and_goes_on(script: Script, windowed: Any) -> None:
    talk.say(windowed, "Hermes, open scripted", source="wake")
    talk.say(windowed, "two milk", source="stream")
    talk.say(windowed, "Hermes, confirm order", source="wake")
    assert script.heard() == ["", "Hermes, confirm order"]


@pytest.mark.promise("P014")
def test_under_streaming_the_bare_phrase_and_open_microphone_turns_work(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    talk.say(device, "two milk")
    assert script.heard() == ["", "two milk"]


@pytest.mark.promise("P015")
@pytest.mark.parametrize("ingest", ["upload", "screenpipe", "import"])
def test_what_is_not_live_never_opens_a_mode_and_never_runs_the_chain(script: Script, device: Any, ingest: str) -> None:
    assert outcome(talk.post(device, "open scripted", ingest=ingest)) == ("recorded", "ingest")
    assert outcome(talk.post(device, "turn on the lamp", ingest=ingest)) == ("recorded", "ingest")
    assert not InteractionSession.objects.exists()
    assert not ChainRun.objects.exists()


@pytest.mark.promise("P016", "P222")
def test_ingest_segmentation_and_mode_are_three_choices(script: Script, device: Any, windowed: Any) -> None:
    table = {
        ("live", "stream", "windowed_batch"): "window",
        ("live", "wake", "windowed_batch"): "activation",
        ("upload", "wake", "windowed_batch"): "ingest",
        ("live", "wake", "streaming_stt"): "segmentation",
    }
    for (ingest, source, segmentation), reason in table.items():
        answer = talk.post(windowed, "open scripted", ingest=ingest, source=source, segmentation=segmentation)
        assert answer.body["reason"] == reason
    assert {row.segmentation for row in Utterance.objects.all()} == {"windowed_batch", "streaming_stt"}


@pytest.mark.promise("P222")
def test_the_deployment_decides_how_live_speech_counts_and_not_the_body(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    current = configuration.current()
    defaults = current.host.defaults.model_copy(update={"live_segmentation": "windowed_batch"})
    host = current.host.model_copy(update={"defaults": defaults})
    monkeypatch.setattr("django.conf.settings.CHRONICLE", _replace(current, host=host))
    assert outcome(talk.post(device, "open scripted", segmentation="streaming_stt")) == ("recorded", "segmentation")
    assert outcome(talk.post(device, "open scripted")) == ("recorded", "window")


def _replace(value: Any, **changes: Any) -> Any:
    from dataclasses import replace

    return replace(value, **changes)


@pytest.mark.promise("P008")
def test_a_device_without_an_owner_routes_nothing(script: Script, device: Any) -> None:
    Device.objects.filter(pk=device.pk).update(owner=None)
    with pytest.raises(UnownedError):
        talk.post(device, "open scripted")
    assert not Utterance.objects.exists()


def test_what_took_too_long_to_reach_us_changes_nothing_and_that_is_said(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    assert outcome(talk.post(device, "two milk", spoken_age_ms=30_001)) == ("late", "age")
    talk.handle(device)
    assert script.heard() == [""]
    assert "too late" in talk.spoken(device)[-1]


# ---- stored once ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P009")
def test_an_accepted_input_is_stored_once_in_the_transaction_that_makes_it_due(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(device, "open scripted")

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(ingress.sessions, "add", fails)
        with pytest.raises(RuntimeError):
            talk.post(device, "two milk", key="k1")
    assert not Utterance.objects.filter(text="two milk").exists()
    talk.post(device, "two milk", key="k1", source="typed")
    row = Utterance.objects.get(text="two milk")
    assert (row.source, row.received_at is not None, row.items.get().text) == ("typed", True, "two milk")


@pytest.mark.promise("P225")
def test_the_same_key_and_body_return_the_stored_answer_with_no_second_effect(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    first = talk.post(device, "two milk", key="k1")
    again = talk.post(device, "two milk", key="k1")
    assert (again.body, again.replayed, first.replayed) == (first.body, True, False)
    talk.handle(device)
    assert script.heard() == ["", "two milk"]


@pytest.mark.promise("P225")
def test_the_same_key_with_another_body_is_refused_and_another_device_may_use_it(
    script: Script, kitchen: Any, hall: Any
) -> None:
    talk.post(kitchen.device, "two milk", key="k1")
    with pytest.raises(KeyReusedError):
        talk.post(kitchen.device, "three milk", key="k1")
    assert not talk.post(hall.device, "three milk", key="k1").replayed
    assert Utterance.objects.count() == 2


@pytest.mark.promise("P225")
def test_a_refused_body_does_not_use_its_key_up(script: Script, device: Any) -> None:
    Device.objects.filter(pk=device.pk).update(owner=None)
    with pytest.raises(UnownedError):
        talk.post(device, "two milk", key="k1")
    Device.objects.filter(pk=device.pk).update(owner=device.owner_id)
    assert not talk.post(device, "three milk", key="k1").replayed


@pytest.mark.promise("P006", "P227")
def test_ingress_calls_no_mode_no_plugin_and_no_effect(script: Script, device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("acceptance called somebody")

    monkeypatch.setattr(chain, "run", never)
    monkeypatch.setattr(turns, "drain", never)
    for text in ("open scripted", "two milk"):
        talk.post(device, text)
    assert (script.events, script.calls) == ([], [])


def test_the_highest_position_a_device_can_have_heard_is_what_was_delivered(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    talk.post(device, "two", heard_upto=999)
    talk.post(device, "three")
    assert [row.heard_upto for row in Utterance.objects.order_by("pk")] == [0, 0, 0]


# ---- the same second of sound, reported twice ------------------------------------------------------------------------------


@pytest.mark.promise("P028")
def test_one_activation_reported_by_recogniser_and_wake_opens_one_session(script: Script, device: Any) -> None:
    first = talk.post(device, "Hermes, open scripted", source="wake", start_ms=1000, end_ms=2500, capture_epoch="e")
    second = talk.post(device, "open scripted", source="stream", start_ms=1400, end_ms=2550, capture_epoch="e")
    assert outcome(second) == ("duplicate", "twin")
    assert second.body["session"] == first.body["session"]
    talk.handle(device)
    assert script.heard() == [""]


# ---- at the same time ---------------------------------------------------------------------------------------------------


@pytest.mark.race
@pytest.mark.promise("P053", "P226")
def test_many_posts_at_once_end_in_one_session_each_device_and_no_deadlock(
    script: Script, kitchen: Any, hall: Any, asha: Any
) -> None:
    from tests.support import people

    devices = [kitchen.device, hall.device, people.with_device(asha, "bath").device]
    faults: list[BaseException] = []
    gate = threading.Barrier(8)

    def poster(number: int) -> None:
        try:
            gate.wait()
            for turn in range(9):
                device = devices[(number + turn) % 3]
                talk.post(device, "open scripted", key=f"{number}-{turn}", source="typed")
        except BaseException as fault:  # noqa: BLE001 - shown by the test, whatever it is
            faults.append(fault)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=poster, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert InteractionSession.objects.count() == 3
    assert Utterance.objects.filter(reason="activation").count() == 3
    assert Utterance.objects.filter(reason="mode").count() == 69
    for session in InteractionSession.objects.all():
        sequences = list(session.inbox.order_by("sequence").values_list("sequence", flat=True))
        assert sequences == list(range(1, len(sequences) + 1))
    assert not connection.in_atomic_block


@pytest.mark.promise("P024")
def test_a_leading_name_does_not_hide_a_twin(script: Script, device: Any) -> None:
    talk.post(device, "open scripted", source="stream")
    assert outcome(talk.post(device, "Hermes, open scripted", source="wake")) == ("duplicate", "twin")


@pytest.mark.parametrize("seconds", [8, 25])
@pytest.mark.promise("P022")
def test_a_clock_that_is_set_back_in_between_hides_no_twin_and_makes_none(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    talk.say(device, "open scripted")
    talk.post(device, "option two", source="wake")
    talk.post(device, "option one")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now - timedelta(seconds=seconds))
    assert outcome(talk.post(device, "option one", source="wake")) == ("duplicate", "twin")
    assert outcome(talk.post(device, "option one")) == ("accepted", "mode"), "from one source it was said twice"
    assert outcome(talk.post(device, "option two")) == ("accepted", "mode"), "something else was said in between"


@pytest.mark.promise("P025")
def test_a_short_answer_said_twice_by_one_source_counts_twice(script: Script, device: Any) -> None:
    talk.say(device, "open scripted")
    for _ in range(2):
        talk.say(device, "yes")
    assert script.heard() == ["", "yes", "yes"]


def test_a04_after_a_wake_a_slip_of_the_recogniser_still_opens_and_without_one_it_does_not(script: Script, device: Any) -> None:
    assert outcome(talk.post(device, "open scriptid", source="stream")) == ("accepted", "chain")
    assert outcome(talk.post(device, "Hermes, open scriptid please", source="wake")) == ("accepted", "activation")
