"""While it cannot be known or stored whose an utterance is, no plugin of the chain gets it; afterwards each gets it once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client

from interactions import ownership, people, registry
from interactions.models import ChainRun, Utterance
from interactions.plugins import ChainEvent
from tests.plugins.answerer import Answerer
from tests.support.people import Owned

SAID = "turn on the lamp"


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What reaches the only plugin of the chain."""
    seen: list[str] = []
    answerer = registry.plugin("answerer")
    monkeypatch.setattr(registry, "ordinary", lambda: (answerer,))
    monkeypatch.setattr(Answerer, "handle", lambda plugin, event: _note(seen, event))
    return seen


def _note(seen: list[str], event: ChainEvent) -> None:
    seen.append(event.text)


def post(client: Client, kitchen: Owned, *, key: str = "k1") -> Any:
    body = json.dumps({"text": SAID, "source": "stream"})
    headers = kitchen.headers | {"Idempotency-Key": key}
    return client.post("/api/v1/utterances", body, content_type="application/json", headers=headers)


@pytest.mark.promise("P057", "P265")
@pytest.mark.parametrize("where", [(people, "lock"), (ownership, "decide")])
def test_without_a_database_the_chain_gets_nothing_and_once_it_is_back_gets_it_once(
    client: Client, kitchen: Owned, offered: list[str], where: tuple[Any, str]
) -> None:
    def gone(*args: object, **more: object) -> None:
        raise OperationalError("server closed the connection")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*where, gone)
        assert post(client, kitchen).status_code == 503
    call_command("drain")
    assert (offered, Utterance.objects.count(), ChainRun.objects.count()) == ([], 0, 0)

    for _ in range(2):  # the device posts it again, and once more
        assert post(client, kitchen).status_code == 202
        call_command("drain")
    assert offered == [SAID]


@pytest.mark.promise("P265")
def test_without_a_broker_the_sentence_is_kept_and_the_chain_gets_it_once_whoever_comes_first(
    client: Client, kitchen: Owned, offered: list[str]
) -> None:
    assert post(client, kitchen).status_code == 202
    assert offered == [], "the web process asks no plugin"
    for _ in range(2):
        call_command("drain")
    assert offered == [SAID]
    assert ChainRun.objects.get().status == "done"
