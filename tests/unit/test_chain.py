"""The ordinary chain: who is offered a sentence, in which order, how often, and what is stored and said."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from interactions import chain, conditions, host, registry
from interactions.configuration import PluginEntry
from interactions.models import ChainRun, Device, DeviceEvent, Utterance
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NAMES = ("Hermes",)


class Scripted(OrdinaryPlugin):
    """Gives one answer and remembers what it was offered."""

    def __init__(self, name: str, answer: ChainAnswer | Exception | None = None, **entry: Any) -> None:
        super().__init__(PluginEntry(enabled=True, events=["utterance"], **entry), {})
        self.id = name  # type: ignore[misc]
        self.answer = answer
        self.offered: list[ChainEvent] = []

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        self.offered.append(event)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def say(db: None, django_user_model: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Store a sentence that no mode owns and take it through these plugins."""
    owner = django_user_model.objects.create_user("asha")  # owns the kitchen's speaker
    device = Device.objects.create(owner=owner, client_id="kitchen")

    def heard(text: str, *plugins: OrdinaryPlugin, source: str = "stream", run: bool = True) -> ChainRun:
        monkeypatch.setattr(registry, "ordinary", lambda: plugins)
        utterance = Utterance.objects.create(
            device=device,
            owner=owner,
            key=f"key-{Utterance.objects.count()}",
            body_hash="0",
            text=text,
            source=source,
            segmentation="streaming_stt",
            received_at=AT,
            disposition="accepted",
        )
        chain_run = ChainRun.objects.create(utterance=utterance, created_at=AT)
        if run:
            chain.run(chain_run.pk)
        chain_run.refresh_from_db()
        return chain_run

    return heard


def told() -> list[tuple[str, str]]:
    return [(event.kind, event.payload["text"]) for event in DeviceEvent.objects.order_by("seq")]


# ---- who answers ------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P074")
def test_a_plugin_that_returns_nothing_passes_the_sentence_on(say: Any) -> None:
    first, second = Scripted("first"), Scripted("second", ChainAnswer("The lamp is on."))
    done = say("turn on the lamp", first, second)
    assert [event.text for event in (*first.offered, *second.offered)] == ["turn on the lamp"] * 2
    assert done.status == "done"
    assert done.answered_by == "second"
    assert told() == [("plugin.reply", "The lamp is on.")]


@pytest.mark.promise("P073")
def test_an_answer_stops_the_chain(say: Any) -> None:
    last = Scripted("last", ChainAnswer("never said"))
    say("turn on the lamp", Scripted("first", ChainAnswer("The lamp is on.")), last)
    assert last.offered == []
    assert told() == [("plugin.reply", "The lamp is on.")]


@pytest.mark.promise("P073")
def test_a_plugin_can_stop_the_chain_without_a_word(say: Any) -> None:
    last = Scripted("last", ChainAnswer("never said"))
    done = say("turn on the lamp", Scripted("first", ChainAnswer()), last)
    assert last.offered == []
    assert told() == []
    assert done.answered_by == "first"


@pytest.mark.promise("P073")
def test_an_answer_that_should_continue_lets_the_next_one_speak_too(say: Any) -> None:
    say(
        "good night",
        Scripted("first", ChainAnswer("Good night.", should_continue=True)),
        Scripted("last", ChainAnswer("Doors locked.")),
    )
    assert told() == [("plugin.reply", "Good night."), ("plugin.reply", "Doors locked.")]
    assert [event.cause for event in DeviceEvent.objects.order_by("seq")] == [f"chain:{ChainRun.objects.get().pk}"] * 2


def test_where_nobody_answers_nothing_is_said(say: Any) -> None:
    done = say("turn on the lamp", Scripted("first"))
    assert (done.status, done.answered_by, told()) == ("done", "", [])


@pytest.mark.promise("P075")
def test_a_plugin_that_raises_is_recorded_and_the_next_one_is_asked(say: Any) -> None:
    done = say(
        "turn on the lamp", Scripted("first", RuntimeError("the lamp said ouch")), Scripted("second", ChainAnswer("Done."))
    )
    assert told() == [("plugin.reply", "Done.")]
    assert [(step["plugin"], step["outcome"]) for step in done.trace] == [
        ("first", "failed: RuntimeError"),
        ("second", "answered"),
    ]
    assert "lamp" not in str(done.trace)


@pytest.mark.promise("P078")
def test_what_a_plugin_is_given_cannot_be_changed_for_the_next(say: Any) -> None:
    class Meddler(Scripted):
        def handle(self, event: ChainEvent) -> ChainAnswer | None:
            event.text = "changed"  # type: ignore[misc]
            return None

    second = Scripted("second")
    done = say("turn on the lamp", Meddler("first"), second)
    assert done.trace[0]["outcome"] == f"failed: {FrozenInstanceError.__name__}"
    assert second.offered[0].text == "turn on the lamp"


def test_a_run_that_was_claimed_is_never_run_again(say: Any) -> None:
    plugin = Scripted("first", ChainAnswer("Done."))
    done = say("turn on the lamp", plugin)
    chain.run(done.pk)
    assert len(plugin.offered) == 1
    assert len(told()) == 1


def test_a_run_that_died_after_its_claim_is_left_to_the_sweep(say: Any) -> None:
    plugin = Scripted("first", ChainAnswer("Done."))
    staged = say("turn on the lamp", plugin, run=False)
    ChainRun.objects.filter(pk=staged.pk).update(status="claimed")
    chain.run(staged.pk)
    assert plugin.offered == []


def test_the_reply_names_its_plugin_and_the_utterance_it_answers(say: Any) -> None:
    done = say("what is 2 x 3", Scripted("first", ChainAnswer("That is 6.", data={"a": 1})))
    (event,) = DeviceEvent.objects.all()
    assert event.payload["data"] == {"a": 1, "plugin": "first"}
    assert event.payload["answers"] == done.utterance_id
    assert event.payload["expects_reply"] is False
    assert event.payload["speech"]


# ---- conditions -------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P076", "P077")
@pytest.mark.parametrize(
    ("condition", "text", "source", "command"),
    [
        ("always", "turn on the lamp", "stream", "turn on the lamp"),
        ("always", "Hey Hermes, turn on the lamp", "stream", "turn on the lamp"),
        ("wake_word", "Hermes, what's the time?", "stream", "what's the time?"),
        ("wake_word", "hey hermes what's the time", "wake", "what's the time"),
        ("wake_word", "Jarvis turn it up", "stream", "turn it up"),
        ("wake_word", "Hermes.", "stream", ""),
        ("wake_word", "what's the time, Hermes", "stream", None),
        ("wake_word", "hermeskefalo is a word", "stream", None),
        ("acoustic_wake_word", "what's the time", "wake", "what's the time"),
        ("acoustic_wake_word", "Hermes, what's the time", "wake", "what's the time"),
        ("acoustic_wake_word", "Hermes, what's the time", "stream", None),
        ("keyword_anywhere", "please play Jarvis some jazz", "stream", "please play some jazz"),
        ("keyword_anywhere", "Big Band, please!", "stream", "please!"),
        ("keyword_anywhere", "a big brass band", "stream", None),
        ("keyword_anywhere", "jarvisson", "stream", None),
        ("keyword_anywhere", "play big-band music", "stream", "play music"),
    ],
)
def test_a_condition_is_met_by_words_and_leaves_the_rest_as_it_was_said(
    condition: str, text: str, source: str, command: str | None
) -> None:
    plugin = Scripted("one", condition=condition, keywords=[] if condition == "always" else ["Jarvis", "big band"])
    event = ChainEvent(utterance=1, user=1, device=1, text=text, command=text, source=source, at=AT)
    assert conditions.command(plugin, event, names=NAMES) == command


@pytest.mark.promise("P076")
def test_a_plugin_whose_condition_does_not_hold_is_passed_over(say: Any) -> None:
    shy = Scripted("shy", ChainAnswer("never said"), condition="wake_word")
    done = say("turn on the lamp", shy, Scripted("second", ChainAnswer("Done.")))
    assert shy.offered == []
    assert done.trace[0] == {"plugin": "shy", "outcome": "passed_over"}
    assert told() == [("plugin.reply", "Done.")]


# ---- the plugins of the tests -------------------------------------------------------------------------------------------


@pytest.mark.promise("P094")
def test_the_recorder_records_every_sentence_and_stops_none(
    say: Any, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any
) -> None:
    settings.CHRONICLE_DATA_DIR = tmp_path
    recorder = registry.plugin("recorder")
    assert recorder is not None
    recorder.events.clear()  # type: ignore[attr-defined]
    for text in ("turn on the lamp", "बत्ती जलाओ"):
        say(text, recorder, Scripted("second", ChainAnswer("Done.")))
    assert [event.text for event in recorder.events] == ["turn on the lamp", "बत्ती जलाओ"]  # type: ignore[attr-defined]
    assert len((tmp_path / "recorder.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert len(told()) == 2
    assert host.call_plugin("recorder", "events", {}).data["texts"] == ["turn on the lamp", "बत्ती जलाओ"]


@pytest.mark.promise("P081")
def test_calling_a_plugin_that_is_unknown_or_off_is_a_failed_result() -> None:
    assert host.call_plugin("home_assistant", "notify", {}).ok is False
    assert host.call_plugin("answerer", "echo", {"a": 1}) == ActionResult(ok=True, data={"a": 1})


def test_the_default_event_is_complete() -> None:
    event = ChainEvent(utterance=1, user=1, device=1, text="a", command="a", source="stream", at=AT)
    assert replace(event, command="b").text == "a"


# ---- who may wait -------------------------------------------------------------------------------------------------------


class Waiting(Scripted):
    """Says that it waits, or fails to say."""

    def __init__(self, name: str, says: bool | Exception, **entry: Any) -> None:
        super().__init__(name, ChainAnswer("There."), **entry)
        self.says = says

    def waits(self, event: ChainEvent) -> bool:
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


@pytest.mark.parametrize(
    ("plugins", "waits"),
    [
        ([Scripted("quick")], False),
        ([Scripted("quick"), Waiting("slow", True)], True),
        ([Waiting("slow", False)], False),
        ([Waiting("slow", True, condition="wake_word")], False),
        ([Waiting("broken", RuntimeError("ouch"))], False),
    ],
)
def test_a_run_waits_only_where_a_plugin_that_is_given_the_sentence_says_so(
    say: Any, plugins: list[OrdinaryPlugin], waits: bool
) -> None:
    staged = say("turn on the lamp", *plugins, run=False)
    assert chain.waits(staged.pk) is waits
    assert staged.status == "staged"


def test_what_has_been_handled_is_waited_for_by_nobody(say: Any) -> None:
    done = say("turn on the lamp", Waiting("slow", True))
    assert done.status == "done"
    assert not chain.waits(done.pk)
