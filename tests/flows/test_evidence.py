"""POST /evidence: what collectors bring in is kept once and word for word, in any order of time, and starts nothing."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from interactions import evidence
from interactions.models import ChainRun, DeviceEvent, InboxItem, InteractionSession, Utterance
from tests.support import people, scripted, talk
from tests.support.people import Owned

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

MORNING = datetime(2026, 5, 4, 6, 30, tzinfo=UTC)
BOUND_S = 10.0  # of the processor, whatever else the machine does


@pytest.fixture
def collector(asha: Any) -> Owned:
    return people.with_service(asha, "collector")


def item(number: int, text: str = "what was said", **more: Any) -> dict[str, Any]:
    begins = MORNING + timedelta(seconds=5 * number)
    return {
        "id": f"item-{number}",
        "person": "asha",
        "kind": "import",
        "text": text,
        "started_at": begins.isoformat(),
        "ended_at": (begins + timedelta(seconds=5)).isoformat(),
    } | more


def post(client: Client, owned: Owned | None, items: Any, **more: Any) -> Any:
    headers = owned.headers if owned else {}
    body = json.dumps({"items": items} | more)
    return client.post("/api/v1/evidence", body, content_type="application/json", headers=headers)


def taken(answer: Any) -> tuple[int, int, list[str]]:
    assert answer.status_code == 200, answer.content
    said = answer.json()
    return said["stored"], said["known"], said["conflicts"]


def nothing_was_started() -> bool:
    return not any(table.objects.exists() for table in (InteractionSession, InboxItem, ChainRun, DeviceEvent))


# ---- three collectors -----------------------------------------------------------------------------------------------------


class ScreenPipe:
    """A recorder of somebody's screen and microphone: its pages overlap, come in any order, and some are sent again."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.heard = [item(n, f"order swiggy {n}", kind="screenpipe", speaker="asha") for n in range(60)]

    def pages(self) -> Iterator[list[dict[str, Any]]]:
        pages = [self.heard[start : start + 20] for start in range(0, 60, 10)]
        pages += self._chance.sample(pages, 2)
        self._chance.shuffle(pages)
        for page in pages:
            yield self._chance.sample(page, len(page))


@pytest.mark.promise("P224", "P015")
@pytest.mark.parametrize("seed", range(3))
def test_a_recorder_that_sends_overlapping_pages_out_of_order_is_kept_once_and_starts_nothing(
    client: Client, collector: Owned, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    scripted.install(monkeypatch)
    recorder = ScreenPipe(seed)
    told = [taken(post(client, collector, page)) for page in recorder.pages()]
    assert sum(stored for stored, _, _ in told) == 60
    assert all(not conflicts for *_, conflicts in told)
    kept = {one.key: (one.text, one.captured_at) for one in Utterance.objects.all()}
    assert kept == {one["id"]: (one["text"], datetime.fromisoformat(one["started_at"])) for one in recorder.heard}
    assert set(Utterance.objects.values_list("device", "disposition", "reason", "session")) == {
        (None, "recorded", "ingest", None)
    }
    assert nothing_was_started()


@pytest.mark.promise("P224", "P015")
def test_an_upload_of_an_hour_comes_in_with_its_own_times_and_starts_nothing(
    client: Client, collector: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.install(monkeypatch)
    hour = [item(n, "open scripted" if n % 9 == 0 else f"part {n}", kind="upload") for n in range(720)]
    for batch in (hour[500:], hour[:500]):
        assert taken(post(client, collector, batch)) == (len(batch), 0, [])
    first, last = Utterance.objects.order_by("captured_at")[0], Utterance.objects.order_by("captured_at")[719]
    assert last.captured_until is not None
    assert first.captured_at is not None
    assert last.captured_until - first.captured_at == timedelta(hours=1)
    assert nothing_was_started()


@pytest.mark.promise("P224")
def test_an_import_of_ten_thousand_lines_costs_seconds(client: Client, collector: Owned) -> None:
    lines = [item(n, f"line {n} of an old conversation, as somebody else kept it") for n in range(10_000)]
    began = time.process_time()
    for start in range(0, 10_000, evidence.MOST_ITEMS):
        assert taken(post(client, collector, lines[start : start + evidence.MOST_ITEMS]))[0] == evidence.MOST_ITEMS
    assert time.process_time() - began < BOUND_S
    assert Utterance.objects.count() == 10_000
    assert nothing_was_started()


# ---- beside what is live --------------------------------------------------------------------------------------------------


@pytest.mark.promise("P224", "P015")
def test_what_is_brought_in_while_a_session_is_open_is_no_turn_of_it_and_no_twin_of_what_is_said_live(
    client: Client, collector: Owned, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = scripted.install(monkeypatch)
    talk.say(kitchen.device, "open scripted")
    events = DeviceEvent.objects.count()
    words = ["two milk", "confirm order", "stop"]
    assert taken(post(client, collector, [item(n, text, kind="screenpipe") for n, text in enumerate(words)]))[0] == 3
    assert (InboxItem.objects.count(), DeviceEvent.objects.count()) == (1, events)
    assert talk.post(kitchen.device, "two milk", source="wake").body["disposition"] == "accepted"
    talk.handle(kitchen.device)
    assert script.heard() == ["", "two milk"]


# ---- the same again ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P224")
def test_a_repeat_is_harmless_also_in_one_post_and_in_another_zone(client: Client, collector: Owned) -> None:
    there = item(1) | {"started_at": "2026-05-04T12:00:05+05:30", "ended_at": "2026-05-04T12:00:10+05:30"}
    assert taken(post(client, collector, [item(1), item(1), item(2)])) == (2, 1, [])
    assert taken(post(client, collector, [there, item(2), item(3)])) == (1, 2, [])
    assert Utterance.objects.count() == 3


@pytest.mark.promise("P224", "P221")
@pytest.mark.parametrize("change", [{"text": "something else"}, {"kind": "upload"}, {"speaker": "ravi"}, {"ended_at": None}])
def test_an_id_that_comes_again_with_something_else_is_named_and_what_was_stored_stands(
    client: Client, collector: Owned, change: dict[str, Any]
) -> None:
    post(client, collector, [item(1)])
    before = Utterance.objects.values().get()
    other = {name: value for name, value in (item(1) | change).items() if value is not None}
    assert taken(post(client, collector, [other, item(2)])) == (1, 0, ["item-1"])
    assert Utterance.objects.values().order_by("pk")[0] == before


@pytest.mark.promise("P224")
def test_two_collectors_and_two_people_may_use_one_id(client: Client, collector: Owned, asha: Any, ravi: Any) -> None:
    other = people.with_service(ravi, "collector")
    for owned, person in itertools.product((collector, other), ("asha", "ravi")):
        assert taken(post(client, owned, [item(1, person=person)])) == (1, 0, [])
    assert Utterance.objects.count() == 4


@pytest.mark.promise("P224")
def test_words_that_were_taken_out_are_not_brought_in_again(client: Client, collector: Owned) -> None:
    post(client, collector, [item(1), item(2)])
    assert evidence.redact(Utterance.objects.filter(key="item-1"), at=MORNING) == 1
    assert taken(post(client, collector, [item(1), item(2)])) == (0, 2, [])
    assert list(Utterance.objects.order_by("key").values_list("text", flat=True)) == ["", "what was said"]


# ---- what is refused ------------------------------------------------------------------------------------------------------


def refused(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    said: dict[str, Any] = answer.json()
    assert set(said) == {"code", "message", "fields"}
    assert not Utterance.objects.exists()
    return said


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"person": "nobody"}, "person"),
        ({"person": 7}, "person"),
        ({"kind": "live"}, "kind"),
        ({"text": ""}, "text"),
        ({"text": "x" * 2001}, "text"),
        ({"id": ""}, "id"),
        ({"id": "x" * 129}, "id"),
        ({"started_at": "2026-05-04T06:30:00"}, "started_at"),
        ({"started_at": "this morning"}, "started_at"),
        ({"started_at": 1777876200}, "started_at"),
        ({"started_at": "0001-01-01T00:00:00+14:00"}, "started_at"),
        ({"ended_at": "2026-05-04T06:29:59Z"}, "ended_at"),
        ({"confidence": 2}, "confidence"),
        ({"device": "kitchen"}, "device"),
    ],
)
def test_one_wrong_item_refuses_the_post_and_is_named_by_its_place(
    client: Client, collector: Owned, changes: dict[str, Any], field: str
) -> None:
    said = refused(post(client, collector, [item(0), item(1) | changes]), 400)
    assert list(said["fields"]["items"]) == ["1"]
    assert list(said["fields"]["items"]["1"]) == [field]


def test_a_person_who_is_switched_off_is_not_recorded_any_more(client: Client, collector: Owned, ravi: Any) -> None:
    ravi.is_active = False
    ravi.save()
    refused(post(client, collector, [item(0, person="ravi")]), 400)


def test_a_post_has_items_and_not_too_many(client: Client, collector: Owned) -> None:
    refused(post(client, collector, []), 400)
    refused(post(client, collector, [item(n) for n in range(501)]), 400)
    refused(post(client, collector, [item(0)], kind="import"), 400)


def test_a_post_of_three_hundred_thousand_bytes_is_taken_and_one_of_six_hundred_thousand_is_told_the_limit(
    client: Client, collector: Owned
) -> None:
    assert "524288" in refused(post(client, collector, [item(n, "x" * 2000) for n in range(300)]), 413)["message"]
    assert taken(post(client, collector, [item(n, "x" * 2000) for n in range(150)])) == (150, 0, [])


def test_a_token_of_a_device_brings_no_evidence_in(client: Client, asha: Any, kitchen: Owned) -> None:
    assert "service" in refused(post(client, kitchen, [item(0)]), 403)["message"]
    refused(post(client, None, [item(0)]), 401)
