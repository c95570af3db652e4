"""A twin that says more comes while a worker begins what the first report said: nothing is lost, and nothing done twice."""

from __future__ import annotations

from typing import Any

import pytest

from interactions import agenda, ingress, revisions, turns
from interactions.ingress import Answer
from interactions.models import InboxItem
from interactions.reports import Report
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)

SHORT, LONG = "add milk", "add milk and bread"


@pytest.fixture
def waiting(kitchen: Any, script: Script) -> Any:
    """A device with a session, in whose inbox the short words wait."""
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    post(kitchen.device, SHORT, "wake")
    return kitchen.device


def post(device: Any, text: str, source: str) -> Answer:
    return ingress.accept(device.pk, Report(text=text, source=source), key=f"{source} {text}", body_hash=text)


def work(device: Any) -> None:
    turns.drain(talk.session_of(device).pk)


def test_control_a_worker_that_begins_what_it_read_loses_the_rest(
    stage: Stage, waiting: Any, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "_begin", lambda lease, work, mode: True)
    worker = stage.act(lambda: work(waiting))
    worker.to(read := worker.halt_after(agenda, "look"))
    assert post(waiting, LONG, "stream").body["reason"] == "extended"
    read.go()
    worker.end()
    assert script.heard() == [SHORT], "and the bread is gone"
    assert InboxItem.objects.get(kind="heard").text == LONG


@pytest.mark.promise("P022", "P204")
def test_a_worker_that_has_read_the_short_words_handles_the_long_ones(stage: Stage, waiting: Any, script: Script) -> None:
    worker = stage.act(lambda: work(waiting))
    worker.to(read := worker.halt_after(agenda, "look"))
    assert post(waiting, LONG, "stream").body["reason"] == "extended"
    read.go()
    worker.end()
    assert script.heard() == [LONG]
    assert InboxItem.objects.get(kind="heard").attempts == 1


@pytest.mark.promise("P022", "P204")
def test_what_a_worker_has_begun_is_not_replaced_and_the_rest_is_a_turn(stage: Stage, waiting: Any, script: Script) -> None:
    worker = stage.act(lambda: work(waiting))
    worker.to(begun := worker.halt_after(turns, "_begin"))
    assert post(waiting, LONG, "stream").body["reason"] == "tail"
    begun.go()
    worker.end()
    work(waiting)
    assert script.heard() == [SHORT, "and bread"]


@pytest.mark.promise("P022", "P204")
def test_a_worker_that_comes_while_the_words_are_being_replaced_waits_for_them(
    stage: Stage, waiting: Any, script: Script
) -> None:
    device, worker = stage.act(lambda: post(waiting, LONG, "stream")), stage.act(lambda: work(waiting))
    device.to(replaced := device.halt_after(revisions, "settle"))
    worker.start().is_blocked()
    replaced.go()
    assert device.end().body["reason"] == "extended"
    worker.end()
    work(waiting)
    assert script.heard() == [LONG]


@pytest.mark.promise("P022", "P204")
def test_of_many_sentences_each_is_heard_whole_and_once_however_worker_and_twin_meet(
    stage: Stage, kitchen: Any, script: Script
) -> None:
    talk.say(kitchen.device, "open scripted", source="typed")
    script.events.clear()
    things = [f"thing{number:02}" for number in range(20)]
    for thing in things:
        post(kitchen.device, f"add {thing}", "wake")
        stage.together(lambda t=thing: post(kitchen.device, f"add {t} and more {t}", "stream"), lambda: work(kitchen.device))
        work(kitchen.device)
    heard = " ".join(script.heard())
    for thing in things:
        assert heard.count(f"add {thing}") == heard.count(f"and more {thing}") == 1, script.heard()
