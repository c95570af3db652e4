"""``manage.py explain``: of any utterance, what was heard, who took it, why, what was called and said, and how long it took."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from interactions import clock, evidence, explaining, ingress
from interactions.contracts import Effect, Heard, Reply, Settled, Step
from interactions.models import Checkpoint, DeviceEvent, Utterance
from tests.flows.test_evidence import item, post
from tests.support import people, scripted, talk
from tests.support.people import Owned
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


def explain(answer: ingress.Answer | int) -> str:
    out = io.StringIO()
    call_command("explain", str(answer if isinstance(answer, int) else answer.body["id"]), stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) <= explaining.MOST
    assert all(len(line) <= explaining.WIDTH for line in lines)
    return out.getvalue()


@pytest.mark.promise("P218")
def test_a_turn_tells_its_session_its_decision_its_call_its_answers_and_their_times(script: Script, kitchen: Owned) -> None:
    def decide(standing: Any, event: Any) -> Step:
        match event:
            case Heard():
                return Step(say=(Reply("Looking for milk."),), effect=Effect("look", {"find": "milk"}), said="searching")
            case Settled():
                return Step(phase="asking", say=(Reply("Found milk."),))
        return Step()

    script.decide = decide
    talk.say(kitchen.device, "open scripted")
    answer = talk.post(kitchen.device, "two packets of milk", spoken_age_ms=300, speaker="asha", confidence=0.9)
    talk.handle(kitchen.device)
    DeviceEvent.objects.filter(payload__text="Found milk.").update(
        delivered_at=clock.now(), playback="finished", play_ended_at=clock.now()
    )
    said = explain(answer)
    for part in (
        '"two packets of milk"',
        "stream, live, ",
        "spoken 0.3 s before it came",
        "speaker asha, confidence 0.9",
        "a session was open",
        "phases     open -> asking",
        "as searching, after ",
        f"{answer.body['session']} of mode scripted, now in asking",
        "heard, item 2 of session",
        "decided: searching",
        "look (read): done in ",
        '"Looking for milk."',
        '"Found milk."',
        "finished ",
        "not delivered",
        " to the first words, ",
    ):
        assert part in said, part


@pytest.mark.promise("P218")
def test_what_spent_is_named_with_the_utterance_that_agreed_to_it(script: Script, kitchen: Owned) -> None:
    def decide(standing: Any, event: Any) -> Step:
        if isinstance(event, Heard):
            return Step(effect=Effect("spend", {"total": 100}, consent=event.utterance))
        return Step(phase="asking", say=(Reply("ok"),))

    script.decide = decide
    talk.say(kitchen.device, "open scripted")
    answer = talk.post(kitchen.device, "confirm order", source="typed")
    talk.handle(kitchen.device)
    assert Checkpoint.objects.get().outcome == "done"
    assert "spend (once, agreed to by this utterance): done in " in explain(answer)


@pytest.mark.promise("P218")
def test_a_sentence_of_the_chain_tells_who_was_asked_and_who_answered(script: Script, kitchen: Owned) -> None:
    answer = talk.post(kitchen.device, "turn on the lamp")
    assert "staged" in explain(answer)
    talk.handle(kitchen.device)
    said = explain(answer)
    assert "answered by answerer" in said
    assert "answerer: answered in " in said
    assert '"The chain heard: turn on the lamp"' in said


@pytest.mark.promise("P218")
def test_what_nobody_took_says_why(client: Client, script: Script, asha: Any, kitchen: Owned) -> None:
    first = talk.post(kitchen.device, "turn on the lamp")
    twin = talk.post(kitchen.device, "turn on the lamp", source="wake", wake={"word": "hermes", "score": 0.93})
    assert f'utterance {first.body["id"]} (accepted) "turn on the lamp"' in explain(twin)
    assert 'wake "hermes" 0.93' in explain(twin)
    assert f"utterance {twin.body['id']} by wake, duplicate as twin" in explain(first)
    assert "half a minute" in explain(talk.post(kitchen.device, "two milk", spoken_age_ms=31_000))
    assert "not final" in explain(talk.post(kitchen.device, "two mi", final=False))
    post(client, people.with_service(asha, "recorder"), [item(1, kind="screenpipe")])
    brought = Utterance.objects.get(ingest="screenpipe")
    said = explain(brought.pk)
    assert "it was not live" in said
    assert "of asha, recorder" in said
    evidence.redact(Utterance.objects.filter(pk=brought.pk), at=clock.now())
    assert "its words were taken out" in explain(brought.pk)


@pytest.mark.promise("P218")
def test_it_stays_on_one_screen_whatever_happened(script: Script, kitchen: Owned) -> None:
    noisy = "ab\x1b[2Jcd\r\n" + "x" * 900
    script.decide = lambda standing, event: Step(say=(Reply("\x1b[31m" + "long words " * 40),) * 5)
    talk.say(kitchen.device, "open scripted")
    answer = talk.post(kitchen.device, "noisy", source="wake", speaker="s" * 128, lang="en", wake={"word": "w" * 64})
    talk.handle(kitchen.device)
    Utterance.objects.filter(pk=answer.body["id"]).update(text=noisy)
    utterance = Utterance.objects.get(pk=answer.body["id"])
    told = list(DeviceEvent.objects.filter(payload__answers=utterance.pk))
    turns = list(utterance.items.select_related("session"))
    effects = [
        Checkpoint(effect=f"look{n}", policy="read", state="settled", outcome="failed", result={"code": "c" * 200})
        for n in range(40)
    ]
    run = explaining.ChainRun(utterance=utterance, status="done", trace=[{"plugin": "p", "outcome": "declined"}] * 40)
    full = explaining.Story(utterance, [utterance] * 40, turns * 40, effects, run, told * 40)
    lines = explaining.lines(full)
    assert len(lines) <= explaining.MOST
    assert all(len(line) <= explaining.WIDTH and line.isprintable() for line in lines)
    explain(answer)


def test_no_secret_of_a_payload_or_a_result_is_shown(script: Script, kitchen: Owned) -> None:
    script.act = lambda call: {"link": "https://pay.example/s3cret"}
    script.decide = lambda standing, event: (
        Step(say=(Reply("Pay here.", data={"link": "https://pay.example/s3cret"}),), effect=Effect("look", {"token": "s3cret"}))
        if isinstance(event, Heard)
        else Step()
    )
    talk.say(kitchen.device, "open scripted")
    answer = talk.post(kitchen.device, "pay")
    talk.handle(kitchen.device)
    assert "Pay here." in explain(answer)
    assert "s3cret" not in explain(answer)


def test_an_utterance_that_does_not_exist_says_where_to_look(db: None) -> None:
    with pytest.raises(CommandError, match="the feed"):
        explain(7)


def test_an_answer_of_before_the_clock_was_set_back_is_found(
    script: Script, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = talk.post(kitchen.device, "turn on the lamp")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now - timedelta(hours=1))
    talk.handle(kitchen.device)
    assert "The chain heard" in explain(answer)
