"""The same report twice at once: one utterance, one answer; and one second of sound from two sources is heard once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db.models import F

from interactions import ingress, ownership, people, turns, twins
from interactions.errors import KeyReusedError
from interactions.ingress import Answer
from interactions.models import ChainRun, Device, InboxItem, InteractionSession, Utterance
from interactions.reports import Report
from tests.support import talk
from tests.support.interleave import BOUND_S, Stage, without
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 20
SOURCES = ("stream", "wake")
THINGS = ("apples", "lemons", "onions", "melons", "carrots", "grapes", "mangoes", "papayas", "radishes", "walnuts")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def unlocked(device_id: int, key: str, **_: Any) -> Device:
    """What ``people.lock`` returns, without its lock."""
    return people.hearing(device_id, key)


def post(device: Device, text: str, *, key: str, source: str = "stream", body: str = "") -> Answer:
    return ingress.accept(device.pk, Report(text=text, source=source), key=key, body_hash=body or text)


def both_past(stage: Stage, owner: Any, name: str, *posts: Callable[[], Answer]) -> list[Answer]:
    """Every post has come to the end of ``name`` before one goes on; on a lock, the first goes on and the others wait."""
    acts = [stage.act(one) for one in posts]
    halts = [act.halt_after(owner, name) for act in acts]
    for act, halt in zip(acts, halts, strict=True):
        act.to(halt)
    for halt in halts:
        halt.go()
    return [act.end() for act in acts]


def one_waits(stage: Stage, owner: Any, name: str, first: Callable[[], Answer], second: Callable[[], Answer]) -> list[Answer]:
    """The same interleaving where the second cannot come so far before the first is through."""
    ahead, behind = stage.act(first), stage.act(second)
    ahead.to(halt := ahead.halt_after(owner, name))
    behind.start().is_blocked()
    halt.go()
    return [ahead.end(), behind.end()]


# ---- the same key -------------------------------------------------------------------------------------------------------


@pytest.mark.postgres  # SQLite lets one transaction in at a time
def test_control_without_lock_and_constraint_one_key_is_accepted_twice(
    stage: Stage, kitchen: Any, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "lock", unlocked)
    with without((Utterance, "utterance_device_key")):
        again = [lambda: post(kitchen.device, "what is the time", key="k")] * 2
        both_past(stage, ownership, "decide", *again)
        assert Utterance.objects.filter(key="k").count() == ChainRun.objects.count() == 2


@pytest.mark.promise("P225", "P204")
def test_the_second_of_two_equal_posts_waits_for_the_first_and_gets_its_answer(
    stage: Stage, kitchen: Any, script: Script
) -> None:
    first, second = one_waits(stage, ownership, "decide", *[lambda: post(kitchen.device, "what is the time", key="k")] * 2)
    assert (first.replayed, second.replayed) == (False, True)
    assert first.body == second.body
    assert Utterance.objects.count() == ChainRun.objects.count() == 1


@pytest.mark.promise("P225", "P204")
def test_of_two_hundred_posts_with_one_key_one_body_is_accepted_and_the_other_refused(
    stage: Stage, kitchen: Any, script: Script
) -> None:
    def device(number: int) -> list[Any]:
        answers: list[Any] = []
        for turn in range(200 // AT_ONCE):
            text = "order pizza" if (number + turn) % 10 == 9 else "open scripted"
            try:
                answers.append(post(kitchen.device, text, key="k"))
            except KeyReusedError:
                answers.append(text)
        return answers

    answers = [one for told in stage.together(*[lambda n=n: device(n) for n in range(AT_ONCE)]) for one in told]
    kept = Utterance.objects.get()
    stored = {"id": kept.pk, **kept.answer}
    counts = {"open scripted": 180, "order pizza": 20}
    assert Counter(one for one in answers if isinstance(one, str)) == {
        text: count for text, count in counts.items() if text != kept.text
    }
    accepted = [one for one in answers if isinstance(one, Answer)]
    assert [one.body for one in accepted] == [stored] * counts[kept.text]
    assert sum(not one.replayed for one in accepted) == 1


@pytest.mark.promise("P225", "P053")
def test_a_hundred_first_posts_at_once_open_one_session_and_handle_each_key_once(
    stage: Stage, kitchen: Any, script: Script
) -> None:
    """Ten keys, each posted ten times, by ten at once."""

    def device(number: int) -> list[Answer]:
        keys = [f"k{(number + turn) % 10}" for turn in range(10)]
        return [post(kitchen.device, "open scripted", key=key, source="typed") for key in keys]

    answers = [one for told in stage.together(*[lambda n=n: device(n) for n in range(10)]) for one in told]
    assert len(answers) == 100
    assert sum(not one.replayed for one in answers) == Utterance.objects.count() == 10
    assert Utterance.objects.filter(reason="activation").count() == 1
    turns.drain(talk.session_of(kitchen.device).pk)
    handled = [event.utterance for event in script.events if hasattr(event, "utterance")]
    assert sorted(handled) == sorted(Utterance.objects.values_list("pk", flat=True))


# ---- one sound, two sources ---------------------------------------------------------------------------------------------


def handle_all(device: Device) -> None:
    session = talk.session_of(device).pk
    while InboxItem.objects.filter(session=session, status="waiting").exists():
        turns.drain(session)


def pair(device: Device, text: str) -> list[Callable[[], Answer]]:
    return [lambda source=source: post(device, text, key=f"{text} {source}", source=source) for source in SOURCES]


@pytest.mark.postgres  # SQLite lets one transaction in at a time
def test_control_without_the_lock_two_sources_of_one_sentence_are_both_first(
    stage: Stage, kitchen: Any, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    monkeypatch.setattr(people, "lock", unlocked)
    both_past(stage, twins, "find", *pair(kitchen.device, "two packets of milk"))
    turns.drain(talk.session_of(kitchen.device).pk)
    assert script.heard() == ["two packets of milk"] * 2, "four packets"


@pytest.mark.promise("P204")
def test_the_second_source_of_one_sentence_waits_and_is_its_twin(stage: Stage, kitchen: Any, script: Script) -> None:
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    first, second = one_waits(stage, twins, "find", *pair(kitchen.device, "two packets of milk"))
    assert (first.body["disposition"], second.body["disposition"]) == ("accepted", "duplicate")
    turns.drain(talk.session_of(kitchen.device).pk)
    assert script.heard() == ["two packets of milk"]


@pytest.mark.promise("P204")
def test_each_of_many_sentences_from_two_sources_at_once_is_heard_once(stage: Stage, kitchen: Any, script: Script) -> None:
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    said = [f"{number} {thing}" for number in NUMBERS for thing in ("apples", "lemons")]
    line = threading.Barrier(2)

    def speak(source: str) -> list[str]:
        heard = []
        for text in said:
            line.wait(BOUND_S)
            heard.append(post(kitchen.device, text, key=f"{text} {source}", source=source).body["disposition"])
        return heard

    answers = stage.together(*[lambda source=source: speak(source) for source in SOURCES])
    assert {frozenset(both) for both in zip(*answers, strict=True)} == {frozenset({"accepted", "duplicate"})}
    turns.drain(talk.session_of(kitchen.device).pk)
    assert script.heard() == said


def everywhere(stage: Stage, posts: list[tuple[Device, str]], said: list[str]) -> list[tuple[str, ...]]:
    """Each sentence from all of them at once; for each, what became of its reports."""
    became: list[tuple[str, ...]] = []
    for start in range(0, len(said), AT_ONCE):  # an act that takes too long is taken for a deadlock
        line = threading.Barrier(len(posts))
        works = [partial(speak, line, number, *posts[number], said[start : start + AT_ONCE]) for number in range(len(posts))]
        became += [tuple(sorted(both)) for both in zip(*stage.together(*works), strict=True)]
    return became


def speak(line: threading.Barrier, number: int, device: Device, source: str, said: list[str]) -> list[str]:
    became = []
    for text in said:
        line.wait(BOUND_S)
        became.append(post(device, text, key=f"{text} {number}", source=source).body["disposition"])
    return became


SENTENCES = [f"{number} {colour} {thing}" for number in NUMBERS for colour in ("red", "big") for thing in THINGS]


@pytest.mark.promise("P022", "P204")
def test_of_two_hundred_pairs_from_stream_and_wake_exactly_one_each_is_accepted(
    stage: Stage, kitchen: Any, script: Script
) -> None:
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    became = everywhere(stage, [(kitchen.device, source) for source in SOURCES], SENTENCES)
    assert Counter(became) == {("accepted", "duplicate"): 200}
    handle_all(kitchen.device)
    assert script.heard() == SENTENCES


@pytest.mark.promise("P027", "P204")
def test_of_two_hundred_pairs_from_two_devices_with_modes_exactly_one_each_is_accepted(
    stage: Stage, kitchen: Any, hall: Any, script: Script
) -> None:
    for owned in (kitchen, hall):
        talk.say(owned.device, "open scripted", source="typed")
    script.events.clear()
    became = everywhere(stage, [(kitchen.device, "stream"), (hall.device, "stream")], SENTENCES)
    assert Counter(became) == {("accepted", "duplicate"): 200}
    handle_all(kitchen.device)
    handle_all(hall.device)
    assert sorted(script.heard()) == sorted(SENTENCES)


@pytest.mark.postgres  # SQLite lets one transaction in at a time
def test_control_without_the_lock_two_devices_of_one_person_both_open_a_mode(
    stage: Stage, kitchen: Any, hall: Any, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "lock", unlocked)
    both_past(stage, twins, "find", *[lambda d=d: post(d, "open scripted", key="k") for d in (kitchen.device, hall.device)])
    assert InteractionSession.objects.count() == 2


@pytest.mark.promise("P027", "P028", "P204")
def test_a_phrase_heard_by_two_devices_at_once_opens_one_session_each_of_forty_times(
    stage: Stage, kitchen: Any, hall: Any, script: Script
) -> None:
    for round_ in range(40):
        posts = [lambda d=d, r=round_: post(d, "open scripted", key=f"k{r}") for d in (kitchen.device, hall.device)]
        became = sorted(answer.body["disposition"] for answer in stage.together(*posts))
        assert became == ["accepted", "duplicate"]
        assert InteractionSession.objects.filter(status="active").count() == 1
        InteractionSession.objects.update(status="ended", end_reason="closed")
        Utterance.objects.update(received_at=F("received_at") - timedelta(minutes=1))


@pytest.mark.promise("P027", "P001", "P204")
def test_what_a_device_beside_an_open_mode_hears_at_once_is_heard_by_the_mode_alone(
    stage: Stage, kitchen: Any, hall: Any, script: Script
) -> None:
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    everywhere(stage, [(kitchen.device, "stream"), (hall.device, "stream")], SENTENCES[:40])
    handle_all(kitchen.device)
    assert script.heard() == SENTENCES[:40]
    assert not ChainRun.objects.filter(status="staged").exists()
