"""The rows of the stream by plain GET, and how far a device says it got with each."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from interactions import events, playback
from interactions import replies as said
from interactions.api import replies
from interactions.contracts import Reply
from interactions.models import Device, DeviceEvent
from tests.support.people import Owned
from tests.support.telling import tell
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_postgres


def told(client: Client, owned: Owned, query: str = "") -> Any:
    answer = client.get(f"/api/v1/replies{query}", headers=owned.headers)
    assert answer.status_code == 200, answer.content
    return answer.json()


def report(client: Client, owned: Owned, event: DeviceEvent, state: str, **more: Any) -> Any:
    return client.post(
        f"/api/v1/replies/{event.pk}/playback", {"state": state} | more, content_type="application/json", headers=owned.headers
    )


@pytest.mark.promise("P250")
def test_a_device_without_a_stream_reads_the_same_rows_in_order(client: Client, kitchen: Owned) -> None:
    first, second = tell(kitchen, "one"), tell(kitchen, "two")
    found = told(client, kitchen, "?after=0")
    assert [(one["id"], one["event"], one["data"]["text"]) for one in found["events"]] == [
        (first.seq, "interaction.reply", "one"),
        (second.seq, "interaction.reply", "two"),
    ]
    assert found["cursor"] == second.seq
    assert found["events"][0]["data"]["reply_id"] == first.pk
    assert told(client, kitchen, f"?after={second.seq}") == {"events": [], "cursor": second.seq, "reset": False}


@pytest.mark.promise("P164")
def test_every_event_carries_its_session_and_reply_and_where_the_mode_stands(client: Client, kitchen: Owned) -> None:
    at = timezone.now()
    context = said.Context(
        device=kitchen.device.pk, session=0, mode="m", phase="p", status="active", cause="test:a", at=at, lang="en"
    )
    with transaction.atomic():
        for ordinal, kind in enumerate(("interaction.started", "interaction.updated", "interaction.ended")):
            said.note(context, kind=kind, ordinal=ordinal)
        said.tell(context, replies=(Reply("Hello"), Reply("Pay here", kind="interaction.payment")), ordinal=3)
    found = told(client, kitchen, "?after=0")["events"]
    assert len(found) == 5
    for one in found:
        assert {"session_id", "mode", "phase", "status", "reason", "reply_id"} <= one["data"].keys(), one["event"]
        assert (one["data"]["mode"], one["data"]["phase"], one["data"]["status"]) == ("m", "p", "active")


@pytest.mark.promise("P214")
def test_a_device_without_a_cursor_gets_only_what_comes_next(client: Client, kitchen: Owned) -> None:
    old = tell(kitchen)
    assert told(client, kitchen) == {"events": [], "cursor": old.seq, "reset": False}


@pytest.mark.promise("P214")
def test_a_prompt_whose_time_is_over_is_told_as_past_and_not_spoken(client: Client, kitchen: Owned) -> None:
    tell(kitchen, "Use Home for delivery?", expires_s=-1, payload={"text": "Home?", "expects_reply": True, "listen_ms": 8000})
    data = told(client, kitchen, "?after=0")["events"][0]["data"]
    assert (data["past"], data["speak"], data["expects_reply"], data["listen_ms"]) == (True, False, False, 0)


@pytest.mark.promise("P214")
def test_what_means_nothing_any_more_is_never_told_late(client: Client, kitchen: Owned) -> None:
    for kind in ("device.cue", "wake.heard", "speech.stop"):
        tell(kitchen, kind=kind, expires_s=-1)
    last = tell(kitchen, "still here")
    found = told(client, kitchen, "?after=0")
    assert [one["id"] for one in found["events"]] == [last.seq]


@pytest.mark.promise("P250")
def test_a_cursor_that_was_trimmed_or_is_foreign_is_told_to_start_again(client: Client, kitchen: Owned) -> None:
    for _ in range(4):
        tell(kitchen)
    DeviceEvent.objects.filter(seq__lte=2).delete()
    assert told(client, kitchen, "?after=1") == {"events": [], "cursor": 4, "reset": True}
    assert told(client, kitchen, "?after=99") == {"events": [], "cursor": 4, "reset": True}
    assert not told(client, kitchen, "?after=2")["reset"]


@pytest.mark.promise("P165")
def test_nobody_reads_the_replies_of_another_device(client: Client, kitchen: Owned, hall: Owned, elsewhere: Owned) -> None:
    mine = tell(kitchen)
    for other in (hall, elsewhere):
        assert told(client, other, "?after=0")["events"] == []
        assert report(client, other, mine, "finished").status_code == 404


@pytest.mark.parametrize("query", ["?after=x", "?after=-1", "?after=1.0", "?after=", f"?after={2**63}", "?wait=26", "?afer=1"])
def test_a_parameter_that_cannot_be_read_is_refused(client: Client, kitchen: Owned, query: str) -> None:
    answer = client.get(f"/api/v1/replies{query}", headers=kitchen.headers)
    assert answer.status_code == 400
    assert answer.json().keys() == {"code", "message", "fields"}


@pytest.mark.promise("P250")
@pytest.mark.django_db(transaction=True)
def test_a_waiting_device_gets_the_event_when_it_comes_and_holds_no_connection(
    client: Client, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = threading.Event()
    open_while_waiting: list[Any] = []

    def sleep(seconds: float) -> None:
        open_while_waiting.append(connection.connection)
        waiting.set()
        threading.Event().wait(0.01)

    monkeypatch.setattr(
        replies, "time", type("Clock", (), {"sleep": staticmethod(sleep), "monotonic": staticmethod(time.monotonic)})
    )
    found: list[Any] = []

    def ask() -> None:
        found.append(told(Client(), kitchen, "?after=0&wait=20"))
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    assert waiting.wait(10)
    event = tell(kitchen)
    wait_until(lambda: found, 10, "the waiting request to answer")
    thread.join()
    assert found[0]["cursor"] == event.seq
    assert set(open_while_waiting) == {None}


@pytest.mark.promise("P248")
def test_reports_only_move_forward_and_may_be_repeated(client: Client, kitchen: Owned) -> None:
    event = tell(kitchen)
    for state, then in (
        ("started", "started"),
        ("started", "started"),
        ("finished", "finished"),
        ("finished", "finished"),
        ("started", "finished"),
        ("interrupted", "finished"),
        ("failed", "finished"),
        ("shown", "finished"),
    ):
        answer = report(client, kitchen, event, state, position_ms=5)
        assert (answer.status_code, answer.json()["state"]) == (200, then), state


@pytest.mark.promise("P248")
@pytest.mark.parametrize("cut", ["interrupted", "failed"])
def test_a_cut_reply_stays_cut_until_it_was_played_again_to_its_end(client: Client, kitchen: Owned, cut: str) -> None:
    event = tell(kitchen)
    report(client, kitchen, event, "started")
    report(client, kitchen, event, cut)
    assert report(client, kitchen, event, "finished").json()["state"] == cut  # late: nothing was begun since
    assert report(client, kitchen, event, "started").json()["state"] == cut  # begun again, or the first one come late
    assert report(client, kitchen, event, "finished").json()["state"] == "finished"


@pytest.mark.promise("P248")
def test_shown_counts_as_finished_only_where_there_is_no_voice(client: Client, kitchen: Owned) -> None:
    event = tell(kitchen)
    assert report(client, kitchen, event, "shown").json()["state"] == ""
    Device.objects.filter(pk=kitchen.device.pk).update(capabilities={"voice": False, "screen": True})
    assert report(client, kitchen, event, "shown").json()["state"] == "finished"


@pytest.mark.promise("P248")
def test_a_report_that_cannot_be_read_or_names_no_reply_changes_nothing(client: Client, kitchen: Owned) -> None:
    event = tell(kitchen)
    assert report(client, kitchen, event, "humming").status_code == 400
    assert report(client, kitchen, event, "started", position_ms="5").status_code == 400
    assert (
        client.post(
            f"/api/v1/replies/{2**70}/playback", {"state": "started"}, "application/json", headers=kitchen.headers
        ).status_code
        == 404
    )
    event.refresh_from_db()
    assert event.playback == ""


@pytest.mark.promise("P158")
def test_an_event_is_stored_with_its_change_or_not_at_all(kitchen: Owned) -> None:
    class ChangedItsMindError(Exception):
        pass

    @transaction.atomic
    def tell_and_fail() -> None:
        tell(kitchen)
        raise ChangedItsMindError

    with pytest.raises(ChangedItsMindError):
        tell_and_fail()
    assert events.current_seq(kitchen.device.pk) == 0
    assert tell(kitchen).seq == 1


def test_two_ends_reported_at_once_have_one_winner(kitchen: Owned) -> None:
    event = tell(kitchen)
    ends = [playback.report(event.pk, state=state, at=timezone.now()) for state in ("failed", "finished")]
    assert ends == [True, False]
