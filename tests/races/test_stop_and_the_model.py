"""Somebody says stop while a language model is asked and does not answer. The call is given up, and nothing of it is spoken."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from interactions import language_model, turns
from interactions.models import Checkpoint
from tests.support import llm_server, talk
from tests.support.interleave import BOUND_S, Stage
from tests.support.shop import Till
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
ATTEMPT_S = 20.0  # much longer than a stop may take
VAGUE = "hmm let me have a think about that then"


@pytest.fixture
def model(settings: Any) -> Iterator[llm_server.Server]:
    """It takes every request and answers none."""
    language_model.preload()
    with llm_server.Server() as running:
        settings.CHRONICLE = running.configured(settings.CHRONICLE, attempt_s=ATTEMPT_S)
        yield running


@pytest.mark.promise("P266", "P123")
def test_a_stop_is_obeyed_while_the_model_is_mute(stage: Stage, till: Till, model: llm_server.Server) -> None:
    till.to_shopping()
    session = talk.session_of(till.device).pk
    talk.post(till.device, VAGUE, source="typed")
    said = len(talk.spoken(till.device))
    worker = stage.act(lambda: turns.drain(session)).start()
    wait_until(lambda: model.asked, BOUND_S, "the model to be asked")
    began = time.monotonic()
    talk.post(till.device, "stop", source="typed")
    worker.end()
    took_s = time.monotonic() - began
    assert took_s < 1, "half a second, and what a busy machine takes for the rest"
    assert Checkpoint.objects.get(effect="understand").outcome == "abandoned"
    assert till.reason == "cancelled"
    assert len(talk.spoken(till.device)) == said + 1, "nothing but the goodbye"
    assert [asked.model for asked in model.asked] == ["fast"]
    assert till.sandbox.calls("update_cart") == []
