"""Our own voice on the wire: what a device reports of its playback decides whether its next sentence is a turn. Over HTTP."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.test import Client

from interactions import turns
from interactions.contracts import Choice, Event, Heard, Reply, Standing, Started, Step
from interactions.models import ChainRun, Checkpoint, InboxItem, Utterance
from tests.support import scripted, talk
from tests.support.people import Owned
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

_keys = itertools.count(1)

PLACE = "Shall I place this order?"
WHICH = "For milk I found Amul Taaza and Nandini Milk. Which one, or skip?"
TEACHING = "Not yet. Say confirm order, just these two words, if you want it placed now."


class Talker:
    """A device that reports, and the mode that answers what a test gives it."""

    def __init__(self, client: Client, owned: Owned, script: Script) -> None:
        self.http, self.owned, self.script, self.cursor = client, owned, script, 0

    def post(self, text: str, *, age_ms: int = 0, **body: Any) -> dict[str, Any]:
        headers = self.owned.headers | {"Idempotency-Key": f"echo-{next(_keys)}", "Utterance-Age": str(age_ms)}
        sent = {"text": text, "source": "stream"} | body
        answer = self.http.post("/api/v1/utterances", sent, content_type="application/json", headers=headers)
        assert answer.status_code == 202, answer.content
        accepted: dict[str, Any] = answer.json()
        if accepted["session"] and accepted["disposition"] == "accepted":
            turns.drain(accepted["session"])
        return accepted

    def hear(self) -> dict[str, Any]:
        """The last thing it was told to say."""
        answer = self.http.get(f"/api/v1/replies?after={self.cursor}", headers=self.owned.headers).json()
        self.cursor = answer["cursor"]
        last: dict[str, Any] = [event["data"] for event in answer["events"] if event["data"].get("text")][-1]
        return last

    def play(self, reply: dict[str, Any], state: str) -> None:
        url = f"/api/v1/replies/{reply['reply_id']}/playback"
        answer = self.http.post(url, {"state": state}, content_type="application/json", headers=self.owned.headers)
        assert answer.status_code == 200

    def asked(self, text: str, *says: str, key: str | None = None) -> dict[str, Any]:
        """Have the mode ask this; returns the reply as the device got it."""
        self.script.decide = lambda standing, event: Step(
            phase="asking", say=(Reply(text, choices=tuple(Choice(say) for say in says), key=key),)
        )
        self.post("open scripted", source="typed")
        self.script.decide = _spends
        return self.hear()

    @property
    def heard(self) -> list[str]:
        return [event.text for event in self.script.events if isinstance(event, Heard)]


def _spends(standing: Standing, event: Event) -> Step:
    return Step() if isinstance(event, Started) else Step(say=(Reply("Noted."),))


@pytest.fixture
def talker(client: Client, kitchen: Owned, monkeypatch: pytest.MonkeyPatch) -> Talker:
    return Talker(client, kitchen, scripted.install(monkeypatch))


def during(reply: dict[str, Any]) -> dict[str, Any]:
    return {"playback": {"reply_id": reply["reply_id"], "state": "started"}}


def after(reply: dict[str, Any], ms: int) -> dict[str, Any]:
    return {"playback": {"reply_id": reply["reply_id"], "state": "finished", "ended_ms_before_speech": ms}}


@pytest.mark.promise("P017", "P058")
@pytest.mark.case("A10", "A11")
def test_our_question_answers_itself_never_however_often_it_comes_back(talker: Talker) -> None:
    reply = talker.asked(PLACE, "yes", "no")
    talker.play(reply, "started")
    assert talker.post("Shall I place this order")["disposition"] == "echo"
    talker.play(reply, "finished")
    for _ in range(5):
        answer = talker.post("shall I place this order")
        assert (answer["disposition"], answer["reason"]) == ("echo", "echo")
    assert talker.heard == []
    assert Utterance.objects.filter(disposition="echo").count() == 6
    assert InboxItem.objects.exclude(kind="start").count() == 0


@pytest.mark.promise("P058")
@pytest.mark.case("A10")
def test_an_answer_of_the_ordinary_chain_is_not_asked_again_by_its_own_echo(talker: Talker) -> None:
    talker.post("turn on the lamp in the hall")
    talk.handle(talker.owned.device)
    reply = talker.hear()
    assert talker.post("The chain heard turn on the lamp in the hall", **during(reply))["disposition"] == "echo"
    assert ChainRun.objects.count() == 1


@pytest.mark.promise("P260")
@pytest.mark.parametrize("ended_ms", [10, 400, 900])
@pytest.mark.parametrize(
    ("question", "says", "answer"),
    [
        (WHICH, ("option 1", "option 2", "skip"), "two"),
        (WHICH, ("option 1", "option 2", "skip"), "option two"),
        (WHICH, ("option 1", "option 2", "skip"), "nandini"),
        (WHICH, ("option 1", "option 2", "skip"), "Nandini Milk"),
        (WHICH, ("option 1", "option 2", "skip"), "skip"),
        ("Which address should I use: Home or Office?", ("Home", "Office"), "office"),
        ("Which address should I use: Home or Office?", ("Home", "Office"), "Hermes, home please"),
        ("Use Home for delivery?", ("yes", "no"), "yes"),
        ("Keep cart or clear cart?", ("keep cart", "clear cart"), "keep cart"),
        (TEACHING, ("confirm order",), "confirm order"),
        (TEACHING, ("confirm order",), "Hermes, confirm order."),
        ("Say, for example, add two milk.", (), "add two milk"),
    ],
)
def test_honest_answers_right_after_our_prompts_are_turns(
    talker: Talker, question: str, says: tuple[str, ...], answer: str, ended_ms: int
) -> None:
    reply = talker.asked(question, *says)
    assert talker.post(answer, **after(reply, ended_ms))["disposition"] == "accepted"
    assert talker.heard == [answer]


@pytest.mark.promise("P260", "P017")
def test_an_offered_answer_inside_the_playback_is_our_own_voice_and_other_speech_is_a_turn(talker: Talker) -> None:
    reply = talker.asked("Say confirm order now.", "confirm order")
    talker.play(reply, "started")
    assert talker.post("confirm order", start_ms=100, end_ms=101, **during(reply))["disposition"] == "echo"
    assert talker.post("no, show me the cart", **during(reply))["disposition"] == "accepted"
    assert talker.post("stop", **during(reply))["disposition"] == "accepted"
    assert talker.heard == ["no, show me the cart", "stop"]


@pytest.mark.promise("P201", "P260")
@pytest.mark.case("A10")
@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("say confirm order just these two words", during),
        ("confirm order just these two words if you want it placed now", during),
        ("say confirm order, just these two words confirm order", during),
        ("confirm order", during),
        ("confirm order", lambda reply: after(reply, 0)),
        ("confirm order", lambda reply: after(reply, 300)),
        ("confirm order", lambda reply: {}),
    ],
)
def test_our_own_hint_whole_cut_or_merged_with_speech_never_spends(talker: Talker, text: str, body: Any) -> None:
    """A mode that takes whatever the host lets through, where the host doubts it, as consent: the guard is in ``consent``."""
    reply = talker.asked(TEACHING, "confirm order", key="review")
    talker.post(text, **body(reply))
    doubted = [event.doubtful for event in talker.script.events if isinstance(event, Heard) and event.text == "confirm order"]
    assert all(doubted)
    assert Checkpoint.objects.count() == 0


@pytest.mark.promise("P260")
def test_what_was_typed_or_tapped_is_never_an_echo(talker: Talker) -> None:
    reply = talker.asked(TEACHING, "confirm order")
    talker.play(reply, "started")
    for source in ("typed", "tap"):
        assert talker.post("Say confirm order, just these two words", source=source)["disposition"] == "accepted"
    assert len(talker.heard) == 2
