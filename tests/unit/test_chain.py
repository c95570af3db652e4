"""The ordinary chain: who is offered a sentence, in which order, how often, and what is stored and said."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from interactions import attention, bounded, chain, chain_ends, clock, conditions, host, lost_runs, processes, registry
from interactions.configuration import PluginEntry
from interactions.contracts import Json
from interactions.models import ChainRun, Device, DeviceEvent, Utterance
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin, UnreachableError

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

    def heard(text: str, *plugins: OrdinaryPlugin, source: str = "stream", run: bool = True, inline: bool = False) -> ChainRun:
        if inline:  # a plugin that looks at the rows of the test
            monkeypatch.setattr(bounded, "call", lambda work, seconds: work())
        monkeypatch.setattr(registry, "ordinary", lambda: plugins)
        utterance = Utterance.objects.create(
            device=device,
            owner=owner,
            key=f"key-{Utterance.objects.count()}",
            body_hash="0",
            text=text,
            source=source,
            segmentation="streaming_stt",
            received_at=clock.now(),
            disposition="accepted",
        )
        chain_run = ChainRun.objects.create(utterance=utterance, created_at=clock.now())
        if run:
            chain.run(chain_run.pk)
        chain_run.refresh_from_db()
        return chain_run

    return heard


def spoken() -> list[DeviceEvent]:
    return list(DeviceEvent.objects.exclude(kind="device.cue").order_by("seq"))


def told() -> list[tuple[str, str]]:
    return [(event.kind, event.payload["text"]) for event in spoken()]


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
    assert [event.cause for event in spoken()] == [f"chain:{ChainRun.objects.get().pk}"] * 2


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


@pytest.mark.promise("P265")
def test_a_run_that_was_claimed_is_never_run_again(say: Any) -> None:
    plugin = Scripted("first", ChainAnswer("Done."))
    done = say("turn on the lamp", plugin)
    chain.run(done.pk)
    assert len(plugin.offered) == 1
    assert len(told()) == 1


@pytest.mark.promise("P265", "P204")
def test_of_two_workers_that_found_it_staged_one_has_it(say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = Scripted("first", ChainAnswer())
    staged, name = say("turn on the lamp", plugin, run=False), processes.name()

    def quicker() -> str:  # another worker claims it, while this one is about to
        monkeypatch.setattr(processes, "name", lambda: name)
        chain.run(staged.pk)
        return name

    monkeypatch.setattr(processes, "name", quicker)
    chain.run(staged.pk)
    assert len(plugin.offered) == 1


@pytest.mark.promise("P265")
def test_a_run_that_died_after_its_claim_is_left_to_the_sweep(say: Any) -> None:
    plugin = Scripted("first", ChainAnswer("Done."))
    staged = say("turn on the lamp", plugin, run=False)
    ChainRun.objects.filter(pk=staged.pk).update(status="claimed")
    chain.run(staged.pk)
    assert plugin.offered == []


def test_the_reply_names_its_plugin_and_the_utterance_it_answers(say: Any) -> None:
    done = say("what is 2 x 3", Scripted("first", ChainAnswer("That is 6.", data={"a": 1})))
    (event,) = spoken()
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
    event = ChainEvent(utterance=1, user=1, device=1, text=text, command=text, source=source, at=AT, woken=source == "wake")
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
def test_calling_a_plugin_that_raises_is_a_failed_result(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Scripted):
        def call(self, action: str, data: Json) -> ActionResult:
            raise RuntimeError("ouch")

    monkeypatch.setattr(registry, "plugin", {"broken": Broken("broken")}.get)
    assert host.call_plugin("broken", "notify", {}) == ActionResult(ok=False, error="RuntimeError")


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


# ---- bounds -------------------------------------------------------------------------------------------------------------


class Slow(Scripted):
    """Does not come back before the test lets it."""

    deadline_s = 0.05

    def __init__(self, name: str, released: threading.Event, **entry: Any) -> None:
        super().__init__(name, ChainAnswer("too late"), **entry)
        self.released = released

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        self.offered.append(event)
        self.released.wait(20)
        return self.answer if isinstance(self.answer, ChainAnswer) else None


@pytest.fixture
def released() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def outcomes(run: ChainRun) -> list[str]:
    return [f"{step['plugin']} {step['outcome']}" for step in run.trace]


NOT_SURE = ("interaction.reply", "I'm not sure whether that was done. Please check before you say it again.")


@pytest.mark.promise("P265")
def test_a_plugin_that_outlasts_its_deadline_may_have_done_it_and_nobody_else_is_asked(
    say: Any, released: threading.Event
) -> None:
    last = Scripted("last", ChainAnswer("never said"))
    done = say("turn on the lamp", Slow("slow", released), last)
    assert last.offered == []
    assert outcomes(done) == ["slow unknown: deadline"]
    assert (done.status, done.answered_by, told()) == ("done", "", [NOT_SURE])


@pytest.mark.promise("P265")
@pytest.mark.parametrize(
    ("error", "next_is_asked", "outcome"),
    [
        (UnreachableError("timeout", sent=True), False, "unknown: unreachable timeout"),
        (UnreachableError("refused", sent=False), True, "failed: unreachable refused"),
        (ConnectionError("ouch"), True, "failed: ConnectionError"),
    ],
)
def test_the_next_is_asked_only_where_the_peer_surely_has_not_had_the_sentence(
    say: Any, error: Exception, next_is_asked: bool, outcome: str
) -> None:
    second = Scripted("second", ChainAnswer("Done."))
    done = say("turn on the lamp", Scripted("first", error), second)
    assert bool(second.offered) is next_is_asked
    assert done.trace[0]["outcome"] == outcome
    assert told() == ([("plugin.reply", "Done.")] if next_is_asked else [NOT_SURE])


def test_whoever_only_looks_on_holds_nobody_up(say: Any, released: threading.Event) -> None:
    class Onlooker(Slow):
        observes = True

    done = say("turn on the lamp", Onlooker("onlooker", released), Scripted("second", ChainAnswer("Done.")))
    assert outcomes(done) == ["onlooker failed: deadline", "second answered"]
    assert told() == [("plugin.reply", "Done.")]


def test_what_was_answered_before_the_unknown_is_said_too(say: Any) -> None:
    say(
        "good night",
        Scripted("first", ChainAnswer("Good night.", should_continue=True)),
        Scripted("second", UnreachableError(sent=True)),
    )
    assert told() == [("plugin.reply", "Good night."), NOT_SURE]


@pytest.mark.parametrize(("text", "is_said"), [("Hermes, turn on the lamp", True), ("turn on the lamp", False)])
def test_where_nobody_could_be_reached_that_is_said_to_whoever_spoke_to_us(say: Any, text: str, is_said: bool) -> None:
    done = say(text, Scripted("first", UnreachableError(sent=False)), Scripted("second"))
    assert done.answered_by == ""
    assert [said for _, said in told()] == (
        ["Sorry, that does not work right now: what would do it gives no answer. Please try again later."] if is_said else []
    )


# ---- whose words are said ------------------------------------------------------------------------------------------------

COULD_NOT = ChainAnswer("I found no lamp.", should_continue=True, success=False)


@pytest.mark.parametrize(
    ("plugins", "said", "by"),
    [
        ([("a", None), ("b", ChainAnswer("Done."))], ["Done."], "b"),
        ([("a", COULD_NOT), ("b", ChainAnswer("Done."))], ["Done."], "b"),
        ([("a", COULD_NOT), ("b", None)], ["I found no lamp."], "a"),
        ([("a", COULD_NOT), ("b", replace(COULD_NOT, text="Nor did I."))], ["I found no lamp."], "a"),
        ([("a", replace(COULD_NOT, should_continue=False)), ("b", ChainAnswer("Done."))], ["I found no lamp."], "a"),
    ],
)
def test_the_words_are_of_a_plugin_that_did_it_and_of_one_that_could_not_only_where_nobody_did(
    say: Any, plugins: list[tuple[str, ChainAnswer | None]], said: list[str], by: str
) -> None:
    done = say("turn on the lamp", *(Scripted(name, answer) for name, answer in plugins))
    assert [words for _, words in told()] == said
    assert done.answered_by == by


# ---- thinking ------------------------------------------------------------------------------------------------------------


def cues() -> list[tuple[str, str, str]]:
    events = DeviceEvent.objects.filter(kind="device.cue", payload__cue="thinking")
    return [(event.kind, event.payload["cue"], event.cause.partition(":")[2].partition(":")[2]) for event in events]


@pytest.mark.promise("P091")
def test_one_cue_is_played_when_a_quick_plugin_declines_and_a_slow_one_remains(say: Any) -> None:
    done = say("what is the weather", Scripted("quick"), Scripted("quicker"), Waiting("slow", True), Waiting("slower", True))
    assert cues() == [("device.cue", "thinking", "thinking")]
    first, last, _ = DeviceEvent.objects.order_by("seq")
    assert (first.kind, last.payload["text"]) == ("device.cue", "There.")
    assert first.expires_at is not None
    assert first.expires_at - first.created_at <= timedelta(seconds=5)
    assert {first.payload["answers"], last.payload["answers"]} == {done.utterance_id}


@pytest.mark.promise("P091")
@pytest.mark.parametrize(
    "plugins",
    [
        [Waiting("slow", True)],  # nobody has declined
        [Scripted("quick"), Waiting("quicker", False)],  # nobody is slow
        [Waiting("slow", True), Scripted("quick")],
        [Scripted("quick"), Waiting("slow", True, condition="wake_word")],  # is not given the sentence
        [Scripted("broken", RuntimeError("ouch")), Waiting("slow", True)],
    ],
)
def test_no_cue_is_played_where_nobody_slow_comes_after_a_decline(say: Any, plugins: list[OrdinaryPlugin]) -> None:
    say("what is the weather", *plugins)
    assert cues() == []


@pytest.mark.promise("P091")
def test_a_recorder_declines_nothing(say: Any) -> None:
    class Onlooker(Scripted):
        observes = True

    say("what is the weather", Onlooker("onlooker"), Waiting("slow", True))
    assert cues() == []


# ---- at most once --------------------------------------------------------------------------------------------------------

LOST = "Sorry, I lost track of that. Please say it again."


@pytest.mark.promise("P265")
@pytest.mark.parametrize("by", ["the worker", "the sweep"])
def test_a_sentence_that_waited_for_too_long_is_not_obeyed_any_more_and_that_is_said(say: Any, by: str) -> None:
    plugin = Scripted("first", ChainAnswer("The lamp is on."))
    staged = say("turn on the lamp", plugin, run=False)
    Utterance.objects.update(received_at=clock.now() - timedelta(seconds=lost_runs.STALE_S))
    for _ in range(2):
        chain.run(staged.pk) if by == "the worker" else lost_runs.sweep(clock.now())
    staged.refresh_from_db()
    assert (staged.status, plugin.offered) == ("lost", [])
    assert told() == [("interaction.reply", LOST)]
    (event,) = spoken()
    assert event.payload["answers"] == staged.utterance_id


@pytest.mark.promise("P265")
@pytest.mark.parametrize("how", ["its process is gone", "its time is over"])
def test_a_run_whose_worker_is_gone_is_said_once_and_never_run_again(
    say: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    plugin = Scripted("first", ChainAnswer("The lamp is on."))
    claimed = say("turn on the lamp", plugin, run=False)
    now = clock.now()
    ChainRun.objects.update(status="claimed", claimed_at=now, holder="somebody")
    lost_runs.sweep(now)
    assert told() == []
    if how == "its process is gone":
        monkeypatch.setattr(processes, "gone", lambda holder: holder == "somebody")
    else:
        now += timedelta(seconds=lost_runs.limit_s())
    for _ in range(2):
        lost_runs.sweep(now)
    chain.run(claimed.pk)
    claimed.refresh_from_db()
    assert (claimed.status, plugin.offered, told()) == ("lost", [], [NOT_SURE])


@pytest.mark.promise("P265")
def test_a_worker_that_wakes_up_after_its_run_was_called_lost_asks_nobody_else_and_says_nothing(say: Any) -> None:
    class Sleeper(Scripted):
        def handle(self, event: ChainEvent) -> ChainAnswer | None:
            lost_runs.lose(ChainRun.objects.get().pk, "claimed", clock.now())
            return super().handle(event)

    last = Scripted("last", ChainAnswer("never said"))
    done = say("turn on the lamp", Sleeper("first", ChainAnswer("never said", should_continue=True)), last, inline=True)
    assert (done.status, done.answered_by, last.offered, told()) == ("lost", "", [], [NOT_SURE])


@pytest.mark.promise("P265")
def test_a_run_has_one_end(say: Any) -> None:
    run = say("turn on the lamp", Scripted("first"), run=False)
    ChainRun.objects.update(status="claimed", holder="somebody")
    run.refresh_from_db()
    assert chain_ends.end(run, "claimed", "lost", at=clock.now())
    assert not chain_ends.end(run, "claimed", "done", at=clock.now())
    run.refresh_from_db()
    assert run.status == "lost"


@pytest.mark.promise("P256")
@pytest.mark.parametrize("comes", ["an answer", "a cue", "that it is lost"])
def test_a_device_that_was_given_away_is_told_nothing_of_what_was_said_there_before(
    say: Any, django_user_model: Any, comes: str
) -> None:
    somebody_else = django_user_model.objects.create_user("ravi")

    class Given(Scripted):
        def handle(self, event: ChainEvent) -> ChainAnswer | None:
            Device.objects.update(owner=somebody_else)
            return super().handle(event)

    if comes == "that it is lost":
        claimed = say("turn on the lamp", Scripted("first"), run=False)
        Device.objects.update(owner=somebody_else)
        lost_runs.lose(claimed.pk, "staged", clock.now())
    elif comes == "a cue":
        say("turn on the lamp", Given("first"), Waiting("second", True), inline=True)
    else:
        done = say("turn on the lamp", Given("first", ChainAnswer("The lamp is on.")), inline=True)
        assert (done.status, done.answered_by) == ("done", "first")
    assert not ChainRun.objects.filter(status__in=("staged", "claimed")).exists()
    assert not DeviceEvent.objects.exists()
    assert Device.objects.get().follow_up_until is None


def test_a_run_that_may_not_begin_yet_is_waited_for_a_moment_and_else_left_to_the_sweep(
    say: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    naps: list[float] = []
    rung: list[int] = []
    monkeypatch.setattr(chain.time, "sleep", naps.append)
    monkeypatch.setattr(lost_runs.doorbells, "ring", lambda run, task: rung.append(run))
    plugin = Scripted("first", ChainAnswer("Done."))
    staged, now = say("turn on the lamp", plugin, run=False), clock.now()
    ChainRun.objects.update(not_before=now + timedelta(seconds=20), created_at=now - timedelta(seconds=10))
    chain.run(staged.pk)
    lost_runs.sweep(now)
    assert (naps, rung, plugin.offered) == ([chain.NAP_S], [], [])
    lost_runs.sweep(now + timedelta(seconds=20))
    assert rung == [staged.pk]
    ChainRun.objects.update(not_before=clock.now())
    chain.run(staged.pk)
    assert (len(plugin.offered), naps[1:]) == (1, [0.0])


def test_a_run_names_the_process_that_has_it(say: Any) -> None:
    done = say("turn on the lamp", Scripted("first", ChainAnswer("Done.")))
    assert not processes.gone(done.holder)
    assert done.holder.rsplit(":", 3)[1] == str(os.getpid())


# ---- what follows ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P092")
@pytest.mark.parametrize(
    ("answers", "opens"),
    [
        ([ChainAnswer("The lamp is on.")], True),
        ([replace(COULD_NOT, should_continue=False)], False),
        ([None], False),
        ([ChainAnswer()], False),
        ([RuntimeError("ouch")], False),
        ([UnreachableError(sent=True)], False),
        ([ChainAnswer("Good night.", should_continue=True), UnreachableError(sent=True)], False),
        ([COULD_NOT, ChainAnswer("The lamp is on.")], True),
    ],
)
def test_words_of_success_open_the_follow_up_window_once_they_are_played_and_nothing_else_does(
    say: Any, answers: list[Any], opens: bool
) -> None:
    say("turn on the lamp", *(Scripted(f"plugin{n}", answer) for n, answer in enumerate(answers)))
    until = Device.objects.get().follow_up_until
    assert (until is not None) is opens
    if opens:
        (answer,) = spoken()
        assert until == answer.created_at + timedelta(milliseconds=answer.est_ms) + attention.FOLLOW_UP


@pytest.mark.promise("P076")
@pytest.mark.parametrize(
    ("source", "details", "woken"),
    [("wake", {}, True), ("stream", {"follow_up": True}, True), ("stream", {}, False), ("typed", {}, False)],
)
def test_a_wake_report_and_what_follows_an_answer_need_no_name(
    say: Any, source: str, details: dict[str, Any], woken: bool
) -> None:
    plugins = [Scripted(condition, condition=condition) for condition in ("wake_word", "acoustic_wake_word")]
    staged = say("turn on the lamp", *plugins, source=source, run=False)
    Utterance.objects.update(details=details)
    chain.run(staged.pk)
    assert [len(plugin.offered) for plugin in plugins] == [int(woken)] * 2


@pytest.mark.promise("P265")
def test_a_run_that_cannot_be_ended_keeps_no_other_from_being_said(say: Any) -> None:
    odd, other = (say(text, Scripted("any"), run=False) for text in ("turn on the lamp", "turn on the fan"))
    Utterance.objects.filter(pk=odd.utterance_id).update(details={"lang": ["no", "word"]})
    long_ago = clock.now() - timedelta(seconds=lost_runs.STALE_S + 1)
    Utterance.objects.update(received_at=long_ago)
    lost_runs.sweep(clock.now())
    other.refresh_from_db()
    assert (other.status, len(told())) == ("lost", 1)
