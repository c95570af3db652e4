"""What a deterministic turn costs the database: counted, since counts do not depend on the machine."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interactions import turns
from interactions.contracts import Effect, Reply, Settled, Step
from tests.support import scripted, talk

pytestmark = pytest.mark.django_db(transaction=True)

INGRESS, DRAIN, WITH_AN_EFFECT = 9, 11, 27  # BEGIN and COMMIT not counted


def statements(captured: CaptureQueriesContext) -> list[str]:
    return [
        row["sql"]
        for row in captured.captured_queries
        if row["sql"].split()[0] not in ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    ]


@pytest.mark.parametrize("history", [2, 40])
def test_a_turn_costs_the_same_few_statements_whatever_was_said_before(
    kitchen: Any, monkeypatch: pytest.MonkeyPatch, history: int
) -> None:
    scripted.install(monkeypatch)
    for text in ("open scripted", *(f"sentence {number}" for number in range(history))):
        talk.say(kitchen.device, text)
    with CaptureQueriesContext(connection) as ingress:
        answer = talk.post(kitchen.device, "one more")
    with CaptureQueriesContext(connection) as drain:
        turns.drain(answer.body["session"])
    assert talk.spoken(kitchen.device)[-1] == "ok"
    assert len(statements(ingress)) <= INGRESS, statements(ingress)
    assert len(statements(drain)) <= DRAIN, statements(drain)


def test_what_an_effect_adds_to_a_turn_is_counted_too(kitchen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    script = scripted.install(monkeypatch)
    talk.say(kitchen.device, "open scripted")
    script.decide = lambda standing, event: Step(
        say=(Reply("ok"),), effect=None if isinstance(event, Settled) else Effect("look", {})
    )
    answer = talk.post(kitchen.device, "one more")
    with CaptureQueriesContext(connection) as drain:
        turns.drain(answer.body["session"])
    assert talk.spoken(kitchen.device)[-2:] == ["ok", "ok"]
    assert len(statements(drain)) <= WITH_AN_EFFECT, statements(drain)
