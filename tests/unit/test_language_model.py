"""Asking a language model over the wire: one valid tool, in time, whatever the server does; and the server is a real one."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from interactions import language_model
from interactions.configuration import Defaults
from interactions.contracts import AbandonedError, EffectError, NoAnswerError, NotSentError, TurnedDownError
from tests.support import llm_server
from tests.support.llm_server import chooses, chooses_all, drops, floods, late, mute, says, trickles, twice, writes

ATTEMPT_S = 3.0
SHORT_S = 0.5  # where the wait itself is looked at
LATE_S = 0.4  # a busy machine's own
GOOD = chooses("pick", number=2)
KEY = "sk-a-key-for-tests"


class Pick(BaseModel):
    """One of the options."""

    model_config = ConfigDict(extra="forbid")
    number: int = Field(ge=1, le=3)


class Look(BaseModel):
    """The cart."""

    model_config = ConfigDict(extra="forbid")


TOOLS = {"pick": Pick, "look": Look}


@pytest.fixture(scope="module")
def _server() -> Iterator[llm_server.Server]:
    language_model.preload()
    with llm_server.Server() as running:
        yield running


@pytest.fixture
def server(_server: llm_server.Server, settings: Any) -> llm_server.Server:
    _server.reset()
    settings.CHRONICLE = _server.configured(settings.CHRONICLE, attempt_s=ATTEMPT_S, key=KEY)
    return _server


def ask(*, within_s: float = 2 * ATTEMPT_S, abandoned: Any = lambda: False) -> language_model.Chosen:
    return language_model.ask("Choose.", '{"said": "the second"}', TOOLS, within_s=within_s, abandoned=abandoned)


def asked(server: llm_server.Server) -> list[str]:
    return [one.model for one in server.asked]


# ---- it answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P121")
def test_one_request_brings_one_tool_with_arguments_of_its_schema(server: llm_server.Server) -> None:
    server.says = {"fast": [chooses("pick", number=2, prose="I would take the second.")]}
    assert ask() == language_model.Chosen("pick", Pick(number=2))
    (request,) = server.asked
    assert request.path == "/v1/chat/completions"
    assert [tool["function"]["name"] for tool in request.body["tools"]] == ["pick", "look"]
    for tool in request.body["tools"]:
        assert tool["function"]["strict"] is True
        assert tool["function"]["parameters"]["additionalProperties"] is False
    assert request.body["parallel_tool_calls"] is False
    assert "max_retries" not in request.body


@pytest.mark.promise("P121")
@pytest.mark.parametrize("does", [late(0.3, GOOD), twice(GOOD)])
def test_an_answer_that_is_late_or_comes_twice_is_taken_once(server: llm_server.Server, does: Any) -> None:
    server.says = {"fast": [does], "slow": [chooses("pick", number=3)]}
    for _ in range(2):
        assert ask().arguments == Pick(number=2)
    assert asked(server) == ["fast", "fast"]


@pytest.mark.promise("P125")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (chooses_all(("pick", {"number": 1}), ("pick", {"number": 2})), "several_tools"),
        (chooses_all(("pick", {"number": 1}), ("look", {})), "several_tools"),
        (says("The second one, I think."), "no_tool"),
        (says('{"name": "pick", "arguments": {"number": 2}}'), "no_tool"),
        (chooses("checkout", address="home"), "unknown_tool"),
        (chooses("Pick", number=2), "unknown_tool"),
        (chooses("pick"), "wrong_arguments"),
        (chooses("pick", number=4), "wrong_arguments"),
        (chooses("pick", number="2"), "wrong_arguments"),
        (chooses("pick", number=2.0), "wrong_arguments"),
        (chooses("pick", number=True), "wrong_arguments"),
        (chooses("pick", number=2, confirm=True), "wrong_arguments"),
        (chooses("look", number=2), "wrong_arguments"),
        (llm_server.answers(llm_server.Message([("pick", '{"number": 2')])), "wrong_arguments"),
        (llm_server.answers(llm_server.Message([("pick", '{"number": 2} and then check out')])), "wrong_arguments"),
        (llm_server.answers(llm_server.Message([("pick", "[" * 5000)])), "wrong_arguments"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_answer_that_is_not_one_known_tool_is_refused_and_nobody_else_is_asked(
    server: llm_server.Server, answer: Any, code: str
) -> None:
    server.says = {"fast": [answer], "slow": [GOOD]}
    with pytest.raises(TurnedDownError) as refused:
        ask()
    assert refused.value.code == code
    assert asked(server) == ["fast"]


# ---- it does not answer ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P122")
@pytest.mark.parametrize(
    ("does", "code"),
    [
        (floods, "too_large"),
        (drops, "unreachable"),
        (writes(b"<html>Bad gateway</html>", kind="text/html"), "strange_answer"),
        (writes(b'{"choices": "none"}'), "strange_answer"),
        (writes(b'{"choices": [{"message": {"tool_calls": [{"function": {"name": "pick"}}]}}]}'), "strange_answer"),
        (writes(b'{"error": {"message": "down"}}', status=500), "http_500"),
        (writes(b'{"error": {"message": "slow down"}}', status=429), "http_429"),
        (writes(b"{}", status=401), "http_401"),
        (writes(b"", status=307), "http_307"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whoever_does_not_answer_is_asked_once_and_the_fallback_after_it(
    server: llm_server.Server, does: Any, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.says = {"fast": [does], "slow": [GOOD]}
    assert ask().arguments == Pick(number=2)
    assert asked(server) == ["fast", "slow"]
    assert [record.getMessage() for record in caplog.records] == [f"language model fast did not answer: {code}"]


@pytest.mark.promise("P122")
@pytest.mark.parametrize("does", [mute, trickles])
def test_a_hung_primary_leaves_the_fallback_its_whole_attempt(server: llm_server.Server, settings: Any, does: Any) -> None:
    settings.CHRONICLE = server.configured(settings.CHRONICLE, attempt_s=2 * SHORT_S)
    server.says = {"fast": [does], "slow": [GOOD]}
    began = time.monotonic()
    assert ask(within_s=language_model.budget_s()).arguments == Pick(number=2)
    assert 2 * SHORT_S <= time.monotonic() - began < 4 * SHORT_S
    assert asked(server) == ["fast", "slow"]


@pytest.mark.promise("P122", "P121")
def test_two_hung_models_cost_no_more_than_two_attempts(server: llm_server.Server, settings: Any) -> None:
    settings.CHRONICLE = server.configured(settings.CHRONICLE, attempt_s=SHORT_S)
    began = time.monotonic()
    with pytest.raises(NoAnswerError) as failed:
        ask(within_s=language_model.budget_s())
    assert failed.value.code == "timeout"
    assert 2 * SHORT_S * 0.9 <= time.monotonic() - began <= 2 * SHORT_S + LATE_S
    assert asked(server) == ["fast", "slow"]


@pytest.mark.promise("P121")
def test_an_attempt_is_bounded_by_what_is_left_of_the_effect(server: llm_server.Server) -> None:
    began = time.monotonic()
    with pytest.raises(NoAnswerError):
        ask(within_s=SHORT_S)
    assert time.monotonic() - began < SHORT_S + LATE_S
    assert asked(server) == ["fast"]


@pytest.mark.promise("P122")
def test_a_port_where_nobody_listens_is_no_answer(server: llm_server.Server, settings: Any) -> None:
    models = settings.CHRONICLE.host.models
    gone = models | {"fast": models["fast"].model_copy(update={"url": "http://127.0.0.1:9/v1"})}
    settings.CHRONICLE = replace(settings.CHRONICLE, host=settings.CHRONICLE.host.model_copy(update={"models": gone}))
    server.says = {"slow": [GOOD]}
    assert ask().arguments == Pick(number=2)


@pytest.mark.promise("P123", "P211")
def test_without_a_model_nothing_is_asked(server: llm_server.Server, settings: Any) -> None:
    host = settings.CHRONICLE.host.model_copy(update={"defaults": Defaults()})
    settings.CHRONICLE = replace(settings.CHRONICLE, host=host)
    assert language_model.models() == ()
    with pytest.raises(NotSentError) as failed:
        ask()
    assert failed.value.code == "no_model"
    assert server.asked == []


def test_a_model_that_is_both_first_and_fallback_is_asked_once(server: llm_server.Server, settings: Any) -> None:
    host = settings.CHRONICLE.host.model_copy(update={"defaults": Defaults(fast_llm="fast", fallback_llm="fast")})
    settings.CHRONICLE = replace(settings.CHRONICLE, host=host)
    server.says = {"fast": [drops]}
    with pytest.raises(NoAnswerError):
        ask()
    assert asked(server) == ["fast"]


@pytest.mark.promise("P266")
def test_a_stop_is_seen_within_half_a_second_while_the_model_is_mute(server: llm_server.Server, settings: Any) -> None:
    settings.CHRONICLE = server.configured(settings.CHRONICLE, attempt_s=30)
    began, stopped = time.monotonic(), []

    def stop() -> bool:
        stopped.append(time.monotonic())
        return True

    with pytest.raises(AbandonedError):
        ask(within_s=60, abandoned=stop)
    assert time.monotonic() - began < 0.5
    assert len(stopped) == 1
    assert asked(server) == ["fast"]


# ---- what leaves, and what is kept ----------------------------------------------------------------------------------------


@pytest.mark.promise("P121")
def test_the_key_goes_to_its_own_model_and_nothing_of_the_environment_goes_along(
    server: llm_server.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "not-ours")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-secret: not-ours")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    server.says = {"fast": [drops], "slow": [GOOD]}
    ask()
    first, second = server.asked
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in second.headers
    for request in server.asked:
        assert set(request.headers) <= language_model.HEADERS | {"authorization"}
        assert "not-ours" not in json.dumps(request.headers)


@pytest.mark.promise("P123")
@pytest.mark.parametrize("does", [drops, says("secret prose"), writes(b"secret prose"), writes(b"secret prose", status=500)])
def test_no_key_no_speech_and_no_answer_is_logged_or_raised(
    server: llm_server.Server, does: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server.says = {"fast": [does], "slow": [does]}
    with caplog.at_level(logging.DEBUG), pytest.raises(EffectError) as raised:
        ask()
    said = [caplog.text, str(raised.value), str(raised.value.__cause__)]
    assert not [told for told in said if KEY in told or "the second" in told or "secret" in told]
