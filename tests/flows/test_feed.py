"""GET /utterances: the evidence feed, as reconciliation will read it, through sessions, crashes, deletions and redactions."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from interactions import clock, evidence, feed, sweep
from interactions.contracts import Heard, Step
from interactions.models import ChainRun, Device, DeviceEvent, InboxItem, InteractionSession, Utterance
from tests.flows.test_evidence import item, post
from tests.support import people, scripted, talk
from tests.support.people import Owned
from tests.support.reconciler import KilledError, Reconciler
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def service(asha: Any) -> Owned:
    return people.with_service(asha, "reader")


class Reader:
    """Reads the feed over HTTP, with a file for what it found."""

    def __init__(self, client: Client, owned: Owned, file: Path) -> None:
        self._client, self._owned, self._file = client, owned, file

    def get(self, **query: Any) -> Any:
        return self._client.get("/api/v1/utterances", query, headers=self._owned.headers)

    def fetch(self, cursor: int, limit: int) -> dict[str, Any]:
        answer = self.get(cursor=cursor, limit=limit)
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def reborn(self) -> Reconciler:
        """A new process over what the last one saved."""
        return Reconciler(self.fetch, self._file)


@pytest.fixture
def reader(client: Client, service: Owned, tmp_path: Path) -> Reader:
    return Reader(client, service, tmp_path / "found.json")


def finals() -> Counter[str]:
    return Counter(Utterance.objects.filter(final=True).values_list("text", flat=True))


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=seconds))


# ---- every final once -------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P221")
def test_a_reader_that_is_killed_now_and_then_finds_every_final_once_whatever_took_it(
    client: Client,
    reader: Reader,
    service: Owned,
    script: Script,
    kitchen: Owned,
    bedroom: Owned,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sessions start, end and expire; twins, windows, a late one and an interim come; a collector brings old speech in."""
    script.decide = lambda standing, event: Step(end="closed") if isinstance(event, Heard) and event.text == "bye" else Step()
    Device.objects.filter(pk=bedroom.device.pk).update(segmentation="windowed_batch")
    for turn in range(4):
        talk.say(kitchen.device, "open scripted")
        talk.post(kitchen.device, f"two milk {turn}")
        talk.post(kitchen.device, f"two milk {turn}", source="wake")
        talk.post(kitchen.device, f"three mi {turn}", final=False)
        talk.post(kitchen.device, f"long ago {turn}", spoken_age_ms=31_000)
        talk.post(bedroom.device, f"behind a door {turn}", segmentation="windowed_batch")
        talk.post(bedroom.device, f"hermes turn on the lamp {turn}", source="wake")
        post(client, service, [item(100 - turn, f"from the archive {turn}", person="ravi")])
        if turn % 2:
            talk.post(kitchen.device, "bye", source="typed")
            talk.handle(kitchen.device)
        else:
            later(monkeypatch, 3600)
            sweep.tick()
            talk.handle(kitchen.device)
        talk.handle(bedroom.device)
        with pytest.raises(KilledError):
            reader.reborn().follow(dies_at=1 + turn % 2)
    found = reader.reborn().follow().found
    assert {(row["disposition"], row["reason"]) for row in found} >= {
        ("accepted", "activation"),
        ("accepted", "mode"),
        ("accepted", "chain"),
        ("duplicate", "twin"),
        ("ignored", "interim"),
        ("late", "age"),
        ("recorded", "window"),
        ("recorded", "ingest"),
    }
    assert Counter(row["text"] for row in found if row["final"]) == finals()
    assert len({row["id"] for row in found}) == len(found) == Utterance.objects.count()


@pytest.mark.promise("P221")
def test_a_page_reads_the_same_before_and_after_the_sessions_that_it_speaks_of(
    reader: Reader, script: Script, kitchen: Owned, hall: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owned in (kitchen, hall):
        talk.say(owned.device, "open scripted", source="typed")
        talk.say(owned.device, "two milk", source="typed")
    before = reader.get().json()
    script.decide = lambda standing, event: Step(end="closed") if isinstance(event, Heard) else Step()
    InteractionSession.objects.filter(client_id="hall").update(idle_at=clock.now() - timedelta(seconds=1))
    sweep.tick()
    talk.handle(hall.device)
    assert set(InteractionSession.objects.values_list("client_id", "status")) == {("kitchen", "active"), ("hall", "ended")}
    assert reader.get().json() == before, "ending and expiring a session wrote something into the feed"


@pytest.mark.promise("P221")
def test_the_feed_says_nothing_of_a_conversation_or_an_event(
    client: Client, reader: Reader, service: Owned, script: Script, kitchen: Owned
) -> None:
    talk.say(kitchen.device, "open scripted")
    talk.say(kitchen.device, "two milk")
    post(client, service, [item(1)])
    keys = {name.lower() for row in reader.get().json()["utterances"] for name in (*row, *row["owner"])}
    assert not [name for name in keys if "conversation" in name or "event" in name]
    assert {relation.related_model for relation in Utterance._meta.related_objects} >= {InboxItem, ChainRun}
    assert DeviceEvent not in {relation.related_model for relation in Utterance._meta.related_objects}


# ---- what a row says --------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P221")
def test_each_row_says_who_took_it(reader: Reader, script: Script, kitchen: Owned) -> None:
    talk.post(kitchen.device, "turn on the lamp")
    session = talk.post(kitchen.device, "open scripted").body["session"]
    talk.post(kitchen.device, "two milk", start_ms=0, end_ms=1500, spoken_age_ms=200, audio_session_id="a1")
    talk.post(kitchen.device, "two milk", source="wake", start_ms=0, end_ms=1500, audio_session_id="a1")
    lamp, opened, milk, again = reader.get().json()["utterances"]
    taken = {"kind": "mode", "session": session, "mode": "scripted"}
    nobody = {"kind": "nobody", "session": None, "mode": None}
    assert lamp["owner"] == {"kind": "chain", "session": None, "mode": None}
    assert [row["owner"] for row in (opened, milk, again)] == [taken, taken, nobody]
    assert (again["disposition"], again["alias_of"]) == ("duplicate", milk["id"])
    stored = Utterance.objects.get(pk=milk["id"])
    ended = stored.received_at - timedelta(milliseconds=200)
    assert milk["captured_until"] == ended.isoformat().replace("+00:00", "Z")
    assert milk["captured_at"] == (ended - timedelta(milliseconds=1500)).isoformat().replace("+00:00", "Z")
    assert (milk["person"], milk["device"], milk["collector"], milk["text"]) == ("asha", "kitchen", None, "two milk")


def test_an_interval_that_no_clock_can_hold_stops_nobody_from_reading(reader: Reader, script: Script, kitchen: Owned) -> None:
    talk.post(kitchen.device, "two milk", start_ms=0, end_ms=2**63 - 1, spoken_age_ms=2**31 - 1)
    assert len(reader.get().json()["utterances"]) == 1


@pytest.mark.promise("P221")
def test_what_was_brought_in_says_by_whom_and_when_it_was_spoken(client: Client, reader: Reader, service: Owned) -> None:
    post(client, service, [item(1, speaker="asha", lang="hi", confidence=0.5)])
    [row] = reader.get().json()["utterances"]
    assert (row["collector"], row["item"], row["device"]) == ("reader", "item-1", None)
    assert (row["captured_at"], row["captured_until"]) == ("2026-05-04T06:30:05Z", "2026-05-04T06:30:10Z")
    assert (row["speaker"], row["lang"], row["confidence"]) == ("asha", "hi", 0.5)
    assert row["owner"]["kind"] == "nobody"


# ---- what is taken away -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P221")
def test_redacted_words_are_gone_and_their_row_keeps_its_place(reader: Reader, script: Script, kitchen: Owned) -> None:
    for text in ("one", "a secret", "three"):
        talk.post(kitchen.device, text, source="typed", alternatives=(text, "a sea grit"))
    places = [row["place"] for row in reader.get().json()["utterances"]]
    evidence.redact(Utterance.objects.filter(text="a secret"), at=clock.now())
    talk.post(kitchen.device, "four", source="typed")
    found = reader.reborn().follow().found
    assert [(row["text"], row["redacted"]) for row in found] == [
        ("one", False),
        ("", True),
        ("three", False),
        ("four", False),
    ]
    assert [row["place"] for row in found[:3]] == places
    assert "secret" not in json.dumps(list(Utterance.objects.filter(text="").values("normal", "details")))


@pytest.mark.promise("P221")
def test_rows_that_are_deleted_give_their_places_to_nobody(reader: Reader, script: Script, kitchen: Owned) -> None:
    """Else what comes next would lie before the cursor of whoever read the deleted ones."""
    for text in ("one", "two", "three"):
        talk.post(kitchen.device, text, source="typed")
    reader.reborn().follow()
    ChainRun.objects.all().delete()
    Utterance.objects.filter(text__in=("two", "three")).delete()
    talk.post(kitchen.device, "four", source="typed")
    assert reader.reborn().follow().texts == ["one", "two", "three", "four"]


@pytest.mark.promise("P221")
@pytest.mark.parametrize("seconds", [-3600, 0])
def test_a_clock_that_was_set_back_or_stands_still_gives_no_place_twice(
    reader: Reader, script: Script, kitchen: Owned, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    later(monkeypatch, 0)
    talk.post(kitchen.device, "one", source="typed")
    reader.reborn().follow()
    later(monkeypatch, seconds)
    talk.post(kitchen.device, "two", source="typed")
    assert reader.reborn().follow().texts == ["one", "two"]


@pytest.mark.promise("P221")
def test_after_a_restore_a_reader_that_knows_of_lost_rows_still_finds_what_comes_next(
    reader: Reader, script: Script, kitchen: Owned
) -> None:
    """The database is as it was before anything was numbered; the reader's file is not."""
    for text in ("one", "two", "three"):
        talk.post(kitchen.device, text, source="typed")
    reader.reborn().follow()
    ChainRun.objects.all().delete()
    Utterance.objects.all().delete()
    feed.Heartbeat.objects.filter(name=feed.LOCK).delete()
    talk.post(kitchen.device, "four", source="typed")
    assert reader.reborn().follow().texts == ["one", "two", "three", "four"]


# ---- pages and tokens -------------------------------------------------------------------------------------------------------


def test_more_than_one_numbering_holds_is_read_to_its_end(
    client: Client, reader: Reader, service: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "BATCH", 10)
    post(client, service, [item(n, f"line {n}") for n in range(35)])
    found = Reconciler(reader.fetch, Path(reader._file), limit=10).follow()
    assert found.texts == [f"line {n}" for n in range(35)]


def test_the_end_of_the_feed_is_an_empty_page_with_the_same_cursor(reader: Reader, script: Script, kitchen: Owned) -> None:
    assert reader.get().json() == {"utterances": [], "cursor": 0, "more": False}
    talk.post(kitchen.device, "one")
    first = reader.get(limit=1).json()
    assert first["more"]
    assert reader.get(cursor=first["cursor"]).json() == {"utterances": [], "cursor": first["cursor"], "more": False}


@pytest.mark.parametrize("query", [{"cursor": "x"}, {"cursor": "-1"}, {"limit": "501"}, {"after": "1"}])
def test_a_question_that_cannot_be_read_is_refused(reader: Reader, query: dict[str, str]) -> None:
    answer = reader.get(**query)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == list(query)


def test_only_a_service_reads_and_it_cannot_speak(client: Client, kitchen: Owned, service: Owned) -> None:
    assert client.get("/api/v1/utterances", headers=kitchen.headers).status_code == 403
    assert client.get("/api/v1/utterances").status_code == 401
    spoken = client.post(
        "/api/v1/utterances?cursor=1", {}, content_type="application/json", headers=kitchen.headers | {"Idempotency-Key": "k"}
    )
    assert spoken.status_code == 400
    said = {"text": "order swiggy", "source": "typed"}
    headers = service.headers | {"Idempotency-Key": "k"}
    assert client.post("/api/v1/utterances", said, content_type="application/json", headers=headers).status_code == 403
    assert not Utterance.objects.exists()
