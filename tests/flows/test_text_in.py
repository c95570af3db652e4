"""What reaches a mode when the recogniser wrote it its own way: misspelt names, invented lines, other scripts. On the wire."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from interactions import configuration, registry
from interactions.models import ChainRun, InteractionSession, Utterance
from tests.support import scripted, talk
from tests.support.people import Owned

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

_keys = itertools.count(1)


def post(client: Client, owned: Owned, text: str, **body: Any) -> dict[str, Any]:
    headers = owned.headers | {"Idempotency-Key": f"text-in-{next(_keys)}"}
    answer = client.post(
        "/api/v1/utterances", {"text": text, "source": "stream"} | body, content_type="application/json", headers=headers
    )
    assert answer.status_code == 202, answer.content
    accepted: dict[str, Any] = answer.json()
    return accepted


@pytest.fixture
def transliterated(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the operator had written further phrases into plugins.yml."""
    current = configuration.current()
    phrases = {"echo": ["इको खोलो", "ओपन इको", "echo kholo"]}
    entry = current.plugins["echo"].model_copy(update={"phrases": phrases})
    door = registry.examine(replace(current, plugins={**current.plugins, "echo": entry}))
    assert not door.faults
    monkeypatch.setattr(registry, "_registry", door)


@pytest.mark.promise("P054")
@pytest.mark.parametrize(
    ("said", "remainder"),
    [
        ("इको खोलो", ""),
        ("ओपन इको।", ""),
        ("Hermes, echo kholo", ""),
        ("प्लीज़ इको खोलो, दो पैकेट दूध", "दो पैकेट दूध"),
        ("open echo", ""),  # the declared phrase stays
    ],
)
def test_the_phrases_of_the_configuration_open_in_every_script(
    client: Client, kitchen: Owned, transliterated: None, said: str, remainder: str
) -> None:
    answer = post(client, kitchen, said)
    assert (answer["disposition"], answer["reason"]) == ("accepted", "activation")
    session = InteractionSession.objects.get(pk=answer["session"])
    assert (session.mode, session.inbox.get().text) == ("echo", remainder)


@pytest.mark.promise("P054", "P049")
@pytest.mark.parametrize("said", ["मुझे इको खोलो", "इको", "repeat after me"])
def test_other_words_and_phrases_that_are_not_configured_open_nothing(
    client: Client, kitchen: Owned, transliterated: None, said: str
) -> None:
    assert post(client, kitchen, said)["session"] is None


@pytest.mark.case("A04", "A05", "A20")
@pytest.mark.parametrize("said", ["Hermis, open scripted", "open scripted", "hermes open scripted", "Hermes open script ed"])
def test_after_a_wake_a_slip_of_the_recogniser_opens(
    monkeypatch: pytest.MonkeyPatch, client: Client, kitchen: Owned, said: str
) -> None:
    script = scripted.install(monkeypatch)
    assert post(client, kitchen, said, source="wake")["reason"] == "activation"
    talk.handle(kitchen.device)
    assert script.heard() == [""]


@pytest.mark.case("A04")
def test_a_wake_command_that_just_misses_the_phrase_is_asked_about_and_runs_nothing(
    monkeypatch: pytest.MonkeyPatch, client: Client, kitchen: Owned
) -> None:
    scripted.install(monkeypatch)
    answer = post(client, kitchen, "Hermes, open sculptead", source="wake")
    assert (answer["disposition"], answer["reason"], answer["session"]) == ("accepted", "near_activation", None)
    assert talk.spoken(kitchen.device) == ["Did you mean open scripted? Say it once more if you did."]
    assert not ChainRun.objects.exists()
    assert post(client, kitchen, "open scrapped")["reason"] == "chain"  # without a wake it is nobody's business


@pytest.mark.case("A07")
@pytest.mark.parametrize("source", ["stream", "wake"])
@pytest.mark.parametrize("said", ["Thank you.", "Thanks for watching!", "[Music]", "Subtitles by somebody", "धन्यवाद"])
def test_a_line_invented_from_silence_is_recorded_with_its_reason_and_reaches_nobody(
    monkeypatch: pytest.MonkeyPatch, client: Client, kitchen: Owned, said: str, source: str
) -> None:
    script = scripted.install(monkeypatch)
    outside = post(client, kitchen, said, source=source)
    opened = post(client, kitchen, "open scripted")
    inside = post(client, kitchen, said, source=source)
    for answer in (outside, inside):
        assert (answer["disposition"], answer["reason"]) == ("ignored", "invented")
    talk.handle(kitchen.device)
    assert script.heard() == [""]
    assert not ChainRun.objects.exists()
    assert Utterance.objects.filter(text=said, reason="invented").count() == 2
    session = InteractionSession.objects.get(pk=opened["session"])
    assert session.inbox.count() == 1


@pytest.mark.case("A07")
@pytest.mark.parametrize("said", ["Thank you.", "please subscribe"])
def test_what_was_typed_was_meant(client: Client, kitchen: Owned, said: str) -> None:
    assert post(client, kitchen, said, source="typed")["reason"] == "chain"


@pytest.mark.case("C08")
@pytest.mark.parametrize("said", ["stop", "Hermes, stop.", "um, stop please", "ruko", "बस", "stop, Hermes"])
def test_stop_silences_the_device_also_with_the_name_around_it(
    monkeypatch: pytest.MonkeyPatch, client: Client, kitchen: Owned, said: str
) -> None:
    scripted.install(monkeypatch)
    post(client, kitchen, "open scripted")
    post(client, kitchen, said)
    assert kitchen.device.events.filter(kind="speech.stop").count() == 1
