"""Home Assistant and Hermes chat against real servers on this machine: they answer, refuse, lie and hang."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from chronicle import peer
from chronicle.plugins.hermes import Hermes, HermesSettings
from chronicle.plugins.home_assistant import HomeAssistant, HomeAssistantSettings
from interactions import bounded, registry
from interactions.configuration import PluginEntry
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin, UnreachableError
from tests.support import talk
from tests.support.llm_server import Behaviour, drips, drops, floods, mute, trickles, writes
from tests.support.peers import HERMES_KEY, HOME_TOKEN, HermesPeer, HomePeer, Peer, hermes_answer, home_answer
from tests.support.people import Owned

EVENT = ChainEvent(
    utterance=1, user=7, device=3, text="x", command="turn on the lamp", source="stream", at=datetime(2026, 11, 30, tzinfo=UTC)
)
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def home() -> Iterator[HomePeer]:
    with HomePeer() as running:
        yield running


@pytest.fixture(scope="module")
def agent() -> Iterator[HermesPeer]:
    with HermesPeer() as running:
        yield running


@pytest.fixture(autouse=True)
def _well_again(home: HomePeer, agent: HermesPeer) -> None:
    home.reset()
    agent.reset()


def home_assistant(url: str, *, token: str = HOME_TOKEN, within_s: float = 30) -> HomeAssistant:
    settings = HomeAssistantSettings(url=url, token=token, timeout_s=within_s)
    return HomeAssistant(PluginEntry(enabled=True, events=["utterance"]), settings.model_dump())


def hermes(url: str, *, key: str = HERMES_KEY, within_s: float = 30) -> Hermes:
    settings = HermesSettings(url=url, key=key, answer_s=within_s)
    return Hermes(PluginEntry(enabled=True, events=["utterance"], condition="wake_word"), settings.model_dump())


def said(command: str, **more: Any) -> ChainEvent:
    return replace(EVENT, command=command, **more)


# ---- Hermes -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P086")
def test_hermes_is_given_the_command_under_the_session_of_this_person_and_device(agent: HermesPeer) -> None:
    plugin = hermes(agent.url)
    assert plugin.handle(said("what's the time")) == ChainAnswer("Hermes heard 1: what's the time")
    assert plugin.handle(said("and now")) == ChainAnswer("Hermes heard 2: and now")
    assert hermes(agent.url).handle(said("hello", device=4)) == ChainAnswer("Hermes heard 1: hello")
    first = agent.asked[0]
    assert first.path == "/v1/chat/completions"
    assert first.headers["x-hermes-session-id"] == "chronicle-7-3"
    assert first.headers["authorization"] == f"Bearer {HERMES_KEY}"
    assert first.body == {
        "model": "hermes-agent",
        "messages": [{"role": "user", "content": "what's the time"}],
        "stream": False,
    }


@pytest.mark.promise("P087")
@pytest.mark.parametrize("command", ["", "  ", "?", "…"])
def test_hermes_without_a_command_does_not_call_the_agent(agent: HermesPeer, home: HomePeer, command: str) -> None:
    assert hermes(agent.url).handle(said(command)) is None
    assert home_assistant(home.origin).handle(said(command)) is None
    assert (agent.asked, home.asked) == ([], [])


def test_what_the_agent_writes_for_a_page_is_told_in_plain_words(agent: HermesPeer) -> None:
    page = (
        "## Weather\n\n**Rain** at *noon*, see [the radar](https://radar.example/).\n- take `boots`\n2 * 3 = 6\n```\nbye\n```"
    )
    agent.does = writes(json.dumps(hermes_answer(page)).encode())
    answer = hermes(agent.url).handle(EVENT)
    assert answer is not None
    assert answer.text == "Weather\nRain at noon, see the radar.\ntake boots\n2 * 3 = 6\nbye"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("One. " * 600, ("One. " * 400).strip()),
        ("x" * 3000, "x" * 1999 + "…"),
        ("नमस्\u200dते\x00\x1b[31m!", "नमस्\u200dते[31m!"),
        ("a\ud800b", "ab"),
    ],
)
def test_an_answer_is_no_longer_than_anybody_listens_to_and_holds_no_control_character(written: str, told: str) -> None:
    assert peer.plain(written) == told


# ---- Home Assistant ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P090")
def test_home_assistant_handles_the_sentences_of_its_house_and_stops(home: HomePeer) -> None:
    answer = home_assistant(f"{home.origin}/").handle(said("Turn on the lamp.", lang="en"))
    assert answer == ChainAnswer("Turned on the lamp", lang="en")
    (asked,) = home.asked
    assert asked.path == "/api/conversation/process"
    assert asked.headers["authorization"] == f"Bearer {HOME_TOKEN}"
    assert asked.body == {"text": "Turn on the lamp.", "language": "en", "conversation_id": "chronicle-7-3"}


@pytest.mark.promise("P090")
def test_home_assistant_declines_what_it_has_no_intent_for(home: HomePeer) -> None:
    assert home_assistant(home.origin).handle(said("what is love")) is None
    assert len(home.asked) == 1


DIM = {"response_type": "action_done", "data": {"success": [], "failed": [{"id": "light.attic"}]}}


@pytest.mark.parametrize(
    ("answered", "expected"),
    [
        (
            home_answer("It is 21 degrees.", response={"response_type": "query_answer"}),
            ChainAnswer("It is 21 degrees.", lang="en"),
        ),
        (home_answer("No light here.", code="no_valid_targets"), ("No light here.", False, True)),
        (home_answer("It broke.", code="failed_to_handle"), ("It broke.", False, False)),
        (home_answer("Eh.", code="unknown"), ("Eh.", False, False)),
        (home_answer("Eh.", code="a_word_of_next_year"), ("Eh.", False, False)),
        (home_answer("The attic did not answer.", response=DIM), ("The attic did not answer.", False, False)),
        (home_answer("Which lamp?", continue_conversation=True), ("Which lamp?", True, False)),
        (home_answer("Which?", code="no_valid_targets", continue_conversation=True), ("Which?", True, True)),
        (home_answer("", response={"speech": {}}), ("", True, False)),
    ],
)
def test_what_home_assistant_could_not_do_is_no_success_and_what_it_did_not_try_may_be_tried_by_the_next(
    home: HomePeer, answered: dict[str, Any], expected: Any
) -> None:
    home.does = writes(json.dumps(answered).encode())
    answer = home_assistant(home.origin).handle(EVENT)
    assert answer is not None
    assert answer == expected or (answer.text, answer.success, answer.should_continue) == expected


def test_a_language_that_is_none_is_not_passed_on(home: HomePeer) -> None:
    home.does = writes(json.dumps(home_answer("Done.", response={"language": "<b>x</b>"})).encode())
    answer = home_assistant(home.origin).handle(EVENT)
    assert answer == ChainAnswer("Done.", lang=None)


# ---- both: when it goes wrong -------------------------------------------------------------------------------------------

BOUND_S = {"too_slow": 2.0}  # only what never ends is given little time
LONGEST_S = 20  # what takes longer has no bound of its own
Ways = list[tuple[Behaviour, str, bool]]
FAILURES: Ways = [
    (drops, "RemoteProtocolError", True),
    (mute, "too_slow", True),
    (drips, "too_slow", True),
    (trickles, "too_slow", True),
    (floods, "too_large", True),
    (writes(b"<html>oops</html>"), "no_json", True),
    (writes(b"[" * 100_000), "no_json", True),
    (writes(b"{}"), "strange_answer", True),
    (writes(b'{"choices": [], "response": null}'), "strange_answer", True),
    (writes(b"7"), "strange_answer", True),
    (writes(b"{}", status=500), "http_500", True),
    (writes(b"{}", status=503), "http_503", True),
    (writes(b"{}", status=301), "http_301", False),
    (writes(b"{}", status=400), "http_400", False),
    (writes(b"{}", status=404), "http_404", False),
    (writes(b"{}", status=429), "http_429", False),
]


@pytest.mark.parametrize(("does", "reason", "sent"), FAILURES)
@pytest.mark.parametrize("which", ["home", "agent"])
def test_a_failure_says_whether_the_peer_may_have_had_the_command(
    home: HomePeer, agent: HermesPeer, which: str, does: Behaviour, reason: str, sent: bool
) -> None:
    asked: Peer = home if which == "home" else agent
    within_s = BOUND_S.get(reason, 30)
    plugin: OrdinaryPlugin = (
        home_assistant(home.origin, within_s=within_s) if which == "home" else hermes(agent.url, within_s=within_s)
    )
    asked.does = does
    with pytest.raises(UnreachableError) as failed:
        bounded.call(lambda: plugin.handle(EVENT), LONGEST_S)
    assert plugin.deadline_s > within_s, "its own bound comes before that of the chain"
    assert (str(failed.value), failed.value.sent) == (reason, sent)
    assert len(asked.asked) == 1


@pytest.mark.parametrize("plugin", [home_assistant(NOWHERE), hermes(f"{NOWHERE}/v1")], ids=["home_assistant", "hermes"])
def test_a_peer_that_is_away_has_not_had_the_command(plugin: OrdinaryPlugin) -> None:
    with pytest.raises(UnreachableError) as failed:
        plugin.handle(EVENT)
    assert failed.value.sent is False
    assert plugin.check() == "ConnectError"


def test_a_key_that_is_not_taken_is_seen_by_the_check_and_leaves_the_sentence_to_the_next(
    home: HomePeer, agent: HermesPeer
) -> None:
    for right, wrong in (
        (home_assistant(home.origin), home_assistant(home.origin, token="x")),
        (hermes(agent.url), hermes(agent.url, key="x")),
    ):
        assert (right.check(), wrong.check()) == ("ok", "http_401")
        with pytest.raises(UnreachableError, match="http_401") as failed:
            wrong.handle(EVENT)
        assert failed.value.sent is False
    assert all(not asked.body for asked in (home.asked[0], agent.asked[0])), "a look puts nothing to anybody"


# ---- both: settings -------------------------------------------------------------------------------------------------------


def test_without_an_address_nothing_is_asked_and_nobody_waits() -> None:
    for plugin in (home_assistant("", token=""), hermes("", key="")):
        assert plugin.handle(EVENT) is None
        assert plugin.waits(EVENT) is False
        assert plugin.check() == plugin.health() != "ok"
    assert home_assistant(NOWHERE).waits(EVENT)
    assert hermes(NOWHERE).waits(EVENT)


@pytest.mark.parametrize("model", [HomeAssistantSettings, HermesSettings])
@pytest.mark.parametrize(
    ("url", "secret", "says"),
    [
        ("http://homeassistant.local:8123", "s3cret", "https address"),
        ("https://user:pw@peer.example", "s3cret", "https address"),
        ("ftp://peer.example", "s3cret", "https address"),
        ("https://peer.example", "", "url needs"),
    ],
)
def test_an_address_in_the_clear_or_without_its_key_is_refused_at_the_start(
    model: Any, url: str, secret: str, says: str
) -> None:
    name = "token" if model is HomeAssistantSettings else "key"
    with pytest.raises(ValidationError, match=says) as refused:
        model(url=url, **{name: secret})
    assert "s3cret" not in refused.value.errors(include_input=False)[0]["msg"]
    assert "s3cret" not in repr(model(url="https://peer.example", **{name: "s3cret"}))


# ---- in the chain -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P086", "P087", "P090")
def test_the_house_answers_first_and_what_it_declines_is_answered_by_the_agent_if_it_was_named(
    home: HomePeer, agent: HermesPeer, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugins = (home_assistant(home.origin), hermes(agent.url))
    monkeypatch.setattr(registry, "ordinary", lambda: plugins)
    for text in ("Turn on the lamp.", "what is love", "Hermes, what is love?", "Hermes."):
        talk.post(kitchen.device, text, source="typed")
        talk.handle(kitchen.device)
    assert talk.spoken(kitchen.device) == ["Turned on the lamp", "Hermes heard 1: what is love?"]
    assert home.commands == ["Turn on the lamp.", "what is love", "what is love?"]
    assert agent.commands == ["what is love?"]


LAMP = "Hermes, turn on the lamp"
HEARD = "Hermes heard 1: turn on the lamp"
NOT_SURE = "I'm not sure whether that was done. Please check before you say it again."


@pytest.mark.promise("P075", "P090")
@pytest.mark.parametrize(
    ("does", "spoken", "agent_asked"),
    [
        (None, "Turned on the lamp", False),
        (writes(json.dumps(home_answer("No lamp here.", code="no_valid_targets")).encode()), HEARD, True),
        (writes(json.dumps(home_answer("Eh?", code="no_intent_match")).encode()), HEARD, True),
        (writes(json.dumps(home_answer("It broke.", code="failed_to_handle")).encode()), "It broke.", False),
        (writes(b"{}", status=401), HEARD, True),
        (writes(b"{}", status=500), NOT_SURE, False),
        (drops, NOT_SURE, False),
    ],
)
def test_the_agent_is_asked_only_for_what_the_house_has_surely_not_done(
    home: HomePeer,
    agent: HermesPeer,
    kitchen: Owned,
    monkeypatch: pytest.MonkeyPatch,
    does: Behaviour | None,
    spoken: str,
    agent_asked: bool,
) -> None:
    plugins = (home_assistant(home.origin), hermes(agent.url))
    monkeypatch.setattr(registry, "ordinary", lambda: plugins)
    home.does = does
    talk.post(kitchen.device, LAMP, source="typed")
    talk.handle(kitchen.device)
    assert talk.spoken(kitchen.device) == [spoken]
    assert agent.commands == ["turn on the lamp"] * agent_asked
    assert home.commands == ["turn on the lamp"]
