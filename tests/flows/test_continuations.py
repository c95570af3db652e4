"""A sentence that comes as several finals: the first waits for the rest, both are one turn, and nothing is lost."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interactions import clock, continuations, doorbells, feed, timers, turns
from interactions.contracts import Heard, Step
from interactions.models import ChainRun, InboxItem, InteractionSession, Person, Utterance
from tests.flows.test_explain import explain
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

OPEN = frozenset({"two", "and", "of", "packets"})
OWN = frozenset({"add", "turn"})


def unfinished(mode: Any, standing: Any, text: str) -> bool:
    return text.split()[-1] in OPEN


def continues(mode: Any, standing: Any, text: str, more: str) -> bool:
    return more.split()[0] not in OWN


def anything(mode: Any, standing: Any, *said: str) -> bool:
    return True


class Watch:
    """The time of the service; it stands still."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = clock.now()
        patch.setattr(clock, "now", lambda: self.now)

    def forward(self, ms: int) -> None:
        self.now += timedelta(milliseconds=ms)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch, unfinished=unfinished, continues=continues)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


@pytest.fixture
def device(script: Script, watch: Watch, kitchen: Any) -> Any:
    """The mode is open, and its device has spoken of nothing yet."""
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    watch.forward(60_000)
    return kitchen.device


def verdict(device: Any, text: str, **report: Any) -> tuple[str, str]:
    body = talk.post(device, text, **report).body
    return body["disposition"], body["reason"]


@pytest.mark.case("A09")
def test_two_finals_of_one_sentence_are_one_turn_and_the_evidence_stays_as_it_was(
    script: Script, watch: Watch, device: Any
) -> None:
    first = talk.post(device, "add two")
    talk.handle(device)
    assert script.heard() == [], "it waits"
    watch.forward(400)
    second = talk.post(device, "packets of milk")
    talk.handle(device)
    assert script.heard() == ["add two packets of milk"]
    assert (second.body["disposition"], second.body["reason"]) == ("accepted", "continues")
    rows = Utterance.objects.filter(pk__in=(first.body["id"], second.body["id"])).order_by("pk")
    assert [row.text for row in rows] == ["add two", "packets of milk"]
    assert [row.alias_of_id for row in rows] == [None, first.body["id"]]


@pytest.mark.case("A09")
def test_alone_it_is_handled_when_its_time_is_over_and_not_before(script: Script, watch: Watch, device: Any) -> None:
    talk.post(device, "add two")
    watch.forward(690)
    talk.handle(device)
    assert script.heard() == []
    watch.forward(20)
    talk.handle(device)
    assert script.heard() == ["add two"]
    assert not talk.session_of(device).work_pending


@pytest.mark.case("A09")
def test_a_sentence_in_four_pieces_is_one_turn(script: Script, watch: Watch, device: Any) -> None:
    for piece in ("two", "packets", "of", "milk"):
        verdict(device, piece)
        talk.handle(device)
        watch.forward(300)
    assert script.heard() == ["two packets of milk"]


def test_what_does_not_break_off_is_handled_at_once(script: Script, device: Any) -> None:
    talk.say(device, "add milk")
    assert script.heard() == ["add milk"]


@pytest.mark.promise("P209")
@pytest.mark.parametrize("next_one", ["stop", "cancel", "help", "repeat", "add a bread", "turn on the lamp", "confirm order"])
def test_another_kind_of_sentence_ends_the_wait_and_both_are_turns_in_their_order(
    script: Script, watch: Watch, device: Any, next_one: str
) -> None:
    talk.post(device, "add two")
    watch.forward(200)
    assert verdict(device, next_one) == ("accepted", "mode")
    talk.handle(device)
    assert script.heard() == ["add two", next_one]


@pytest.mark.promise("P132")
def test_two_halves_of_the_phrase_that_spends_are_two_turns_whatever_the_mode_says(
    kitchen: Any, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = scripted.install(monkeypatch, unfinished=anything, continues=anything)
    script.decide = scripted.spending
    talk.say(kitchen.device, "open scripted", source="typed")
    talk.say(kitchen.device, "ready", source="typed")
    talk.post(kitchen.device, "confirm")
    assert verdict(kitchen.device, "order") == ("accepted", "mode")
    watch.forward(3000)
    talk.handle(kitchen.device)
    assert script.heard() == ["", "ready", "confirm", "order"]
    assert script.calls == []


@pytest.mark.promise("P132", "P209")
@pytest.mark.parametrize("said", ["stop", "help", "Hermes, confirm order"])
def test_what_is_reserved_waits_for_nothing_whatever_the_mode_says(
    kitchen: Any, watch: Watch, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    script = scripted.install(monkeypatch, unfinished=anything)
    talk.say(kitchen.device, "open scripted", source="typed")
    talk.say(kitchen.device, said)
    assert script.heard() == ["", said]


@pytest.mark.promise("P021", "P204")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"source": "typed"}, {"source": "typed"}),
        ({"source": "tap"}, {"source": "stream"}),
        ({}, {"source": "typed"}),
        ({}, {"source": "wake", "wake": {"word": "hermes", "score": 0.9}}),
        ({"capture_epoch": "a"}, {"capture_epoch": "b"}),
        ({"audio_session_id": "a"}, {"audio_session_id": "b"}),
        ({"speaker": "asha"}, {"speaker": "ravi"}),
        ({"seq": 1, "capture_epoch": "a"}, {"seq": 3, "capture_epoch": "a"}),
    ],
)
def test_only_one_recogniser_goes_on_with_its_own_sentence(
    script: Script, watch: Watch, device: Any, first: dict[str, Any], second: dict[str, Any]
) -> None:
    talk.post(device, "add two", **first)
    assert verdict(device, "packets of milk", **second) == ("accepted", "mode")
    watch.forward(3000)
    talk.handle(device)
    assert script.heard() == ["add two", "packets of milk"]


def test_what_is_typed_or_tapped_is_whole_and_waits_for_nothing(script: Script, device: Any) -> None:
    for source in ("typed", "tap"):
        talk.say(device, "add two", source=source)
    assert script.heard() == ["add two"] * 2


@pytest.mark.parametrize(
    ("starts", "reason"), [(2000, "continues"), (2699, "continues"), (2701, "mode"), (9000, "mode"), (100, "mode")]
)
def test_the_pause_is_counted_by_the_device_that_captured_both(device: Any, starts: int, reason: str) -> None:
    talk.post(device, "add two", start_ms=1000, end_ms=2000, capture_epoch="e")
    assert verdict(device, "packets of milk", start_ms=starts, end_ms=starts + 900, capture_epoch="e") == ("accepted", reason)


def test_a_sentence_that_nobody_has_begun_is_gone_on_with_although_its_time_is_over(
    script: Script, watch: Watch, device: Any
) -> None:
    """The words were said in time; it is the recogniser, or we, who were slow."""
    talk.post(device, "add two")
    watch.forward(1200)
    assert verdict(device, "packets of milk") == ("accepted", "continues")
    talk.handle(device)
    assert script.heard() == ["add two packets of milk"]


def test_words_that_were_said_too_late_are_a_turn_of_their_own(script: Script, watch: Watch, device: Any) -> None:
    talk.post(device, "add two")
    watch.forward(4000)
    assert verdict(device, "packets of milk") == ("accepted", "mode")
    talk.handle(device)
    assert script.heard() == ["add two", "packets of milk"]


@pytest.mark.promise("P022")
def test_the_same_from_another_source_is_a_twin_and_no_continuation(script: Script, watch: Watch, device: Any) -> None:
    wake = {"source": "wake", "wake": {"word": "hermes", "score": 0.9}}
    talk.post(device, "add two")
    assert verdict(device, "add two", **wake) == ("duplicate", "twin")
    assert verdict(device, "packets of milk") == ("accepted", "continues")
    assert verdict(device, "packets of milk", **wake) == ("duplicate", "twin")
    talk.handle(device)
    assert script.heard() == ["add two packets of milk"]


@pytest.mark.promise("P022")
def test_the_whole_sentence_from_another_source_is_a_twin_of_its_pieces(script: Script, watch: Watch, device: Any) -> None:
    talk.post(device, "add two")
    talk.post(device, "packets of milk")
    talk.handle(device)
    wake = {"source": "wake", "wake": {"word": "hermes", "score": 0.9}}
    assert verdict(device, "Hermes, add two packets of milk", **wake) == ("duplicate", "twin")
    talk.handle(device)
    assert script.heard() == ["add two packets of milk"]


@pytest.mark.promise("P022")
@pytest.mark.parametrize(("first", "rest"), [("add two", "packets of milk"), ("two", "packets of milk")])
def test_the_pieces_of_what_another_source_reported_whole_are_its_twins(
    script: Script, watch: Watch, device: Any, first: str, rest: str
) -> None:
    talk.say(device, f"{first} {rest}", source="wake", wake={"word": "hermes", "score": 0.9})
    verdict(device, first)
    assert verdict(device, rest) == ("duplicate", "twin")
    watch.forward(1000)
    talk.handle(device)
    assert script.heard() == [f"{first} {rest}"]
    assert not talk.session_of(device).work_pending
    assert verdict(device, rest) == ("accepted", "mode"), "said once more"


@pytest.mark.promise("P021")
@pytest.mark.parametrize("who", ["asha", None])
@pytest.mark.parametrize("piece", ["add two", "packets of milk"])
def test_a_strangers_twin_of_one_piece_takes_back_a_sentence_that_nobody_is_named_for(
    script: Script, watch: Watch, device: Any, who: str | None, piece: str
) -> None:
    Person.objects.filter(user=device.owner).update(speakers=["asha"])
    named = {"speaker": who} if who else {}
    talk.post(device, "add two", **(named if piece == "packets of milk" else {}))
    talk.post(device, "packets of milk", **(named if piece == "add two" else {}))
    assert verdict(device, piece, source="wake", wake={"word": "hermes"}, speaker="ravi") == ("recorded", "speaker")
    talk.handle(device)
    assert script.heard() == (["add two packets of milk"] if who else [])


def test_what_opened_the_mode_waits_for_the_rest_of_its_wish(script: Script, watch: Watch, kitchen: Any) -> None:
    talk.post(kitchen.device, "open scripted add two")
    talk.handle(kitchen.device)
    assert script.heard() == []
    talk.post(kitchen.device, "packets of milk")
    talk.handle(kitchen.device)
    assert script.heard() == ["add two packets of milk"]


@pytest.mark.promise("P029", "P225")
def test_a_repeated_post_of_the_rest_adds_nothing(script: Script, device: Any) -> None:
    talk.post(device, "add two")
    first, again = (talk.post(device, "packets of milk", key="rest") for _ in range(2))
    assert again.replayed
    assert again.body == first.body
    talk.handle(device)
    assert script.heard() == ["add two packets of milk"]


def test_a_hook_that_raises_costs_the_wait_and_not_the_words(kitchen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(mode: Any, *said: Any) -> bool:
        raise ZeroDivisionError

    script = scripted.install(monkeypatch, unfinished=raising)
    talk.say(kitchen.device, "open scripted", source="typed")
    talk.say(kitchen.device, "add two")
    assert script.heard() == ["", "add two"]


def test_while_the_device_says_that_somebody_speaks_it_waits_for_them(script: Script, watch: Watch, device: Any) -> None:
    talk.post(device, "add two")
    watch.forward(500)
    continuations.speaking(talk.session_of(device), began=True, at=clock.now())
    watch.forward(2000)
    talk.handle(device)
    assert script.heard() == []
    continuations.speaking(talk.session_of(device), began=False, at=clock.now())
    watch.forward(650)
    talk.handle(device)
    assert script.heard() == []
    watch.forward(100)
    talk.handle(device)
    assert script.heard() == ["add two"]


@pytest.mark.promise("P218")
def test_each_piece_tells_what_became_of_it(script: Script, device: Any) -> None:
    first = talk.post(device, "add two")
    second = talk.post(device, "packets of milk")
    talk.handle(device)
    assert f"continues  utterance {first.body['id']} (accepted)" in explain(second)
    assert "both were one turn" in explain(second)
    assert "heard, item" in explain(second), "its turn"
    assert f"goes on    utterance {second.body['id']} by stream" in explain(first)
    rows = {row["id"]: row for row in map(feed.row, feed.page(0).utterances)}
    told = rows[second.body["id"]]
    assert (told["disposition"], told["reason"], told["alias_of"]) == ("accepted", "continues", first.body["id"])
    assert told["owner"]["kind"] == "mode"


@pytest.mark.promise("P046", "P062")
def test_what_was_joined_in_a_session_that_ended_is_heard_afresh_with_every_word(script: Script, device: Any) -> None:
    script.decide = lambda standing, event: Step(end="closed") if isinstance(event, Heard) and event.text == "bye" else Step()
    talk.post(device, "bye")
    talk.post(device, "add two")
    talk.post(device, "packets of milk")
    turns.drain(talk.session_of(device).pk)
    assert [run.utterance.text for run in ChainRun.objects.order_by("pk")] == ["add two", "packets of milk"]


def test_a_plain_turn_asks_the_database_nothing_more(script: Script, device: Any) -> None:
    with CaptureQueriesContext(connection) as plain:
        talk.post(device, "add milk")
    asked = [row["sql"] for row in plain.captured_queries if "inboxitem" in row["sql"].lower()]
    assert [sql.split()[0] for sql in asked] == ["INSERT"]


# ---- in time --------------------------------------------------------------------------------------------------------------


def test_a_worker_that_finds_it_waiting_rings_when_it_is_due_once(
    script: Script, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[float] = []

    class Timer:
        def __init__(self, wait_s: float, act: Any, args: Any) -> None:
            began.append(round(wait_s, 2))

        def start(self) -> None: ...

    monkeypatch.setattr(timers, "_enabled", True)
    monkeypatch.setattr(timers, "_set", set())
    monkeypatch.setattr(timers.threading, "Timer", Timer)
    talk.post(device, "add two")
    for _ in range(3):
        turns.drain(talk.session_of(device).pk)
    assert began == [0.72]
    session = InteractionSession.objects.get()
    assert (session.not_before, session.work_pending) == (InboxItem.objects.latest("pk").not_before, True), "for the sweep"


def test_when_the_time_comes_the_session_is_rung_for(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[int] = []
    monkeypatch.setattr(doorbells, "ring", rung.append)
    at = clock.now()
    monkeypatch.setattr(timers, "_set", {(7, at)})
    timers._ring(7, at)
    assert rung == [7]
    assert timers._set == set()


def test_without_celery_it_is_waited_for_in_place(script: Script, kitchen: Any) -> None:
    talk.say(kitchen.device, "open scripted", source="typed")
    talk.post(kitchen.device, "add two")
    call_command("drain", stdout=io.StringIO())
    assert script.heard() == ["", "add two"]


def test_outside_a_worker_nothing_rings_by_itself() -> None:
    assert not timers.ring_at(7, clock.now())
