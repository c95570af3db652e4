"""What a screen redraws itself from, what a device says of itself, and how every address refuses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from interactions import status
from interactions.api import device as device_api
from interactions.models import Device, Heartbeat, InboxItem, InteractionSession
from tests.support.people import Owned
from tests.support.telling import tell

pytestmark = pytest.mark.on_postgres

EVERYWHERE = [
    "utterances",
    "events",
    "events/ticket",
    "replies",
    "replies/1/playback",
    "sessions/current",
    "sessions/1/end",
    "device",
    "modes",
    "speech",
]


def session_of(owned: Owned, **more: Any) -> InteractionSession:
    now = timezone.now()
    fields = {
        "user_id": owned.device.owner_id,
        "client_id": owned.device.client_id,
        "device": owned.device,
        "mode": "shopping",
        "plugin": "shop",
        "phase": "awaiting_payment",
        "started_at": now,
        "idle_at": now + timedelta(minutes=10),
        "hard_at": now + timedelta(minutes=30),
    }
    return InteractionSession.objects.create(**(fields | more))


def current(client: Client, owned: Owned) -> Any:
    answer = client.get("/api/v1/sessions/current", headers=owned.headers)
    assert answer.status_code == 200
    return answer.json()


@pytest.mark.promise("P213")
def test_a_screen_sees_phase_question_choices_cart_and_link(client: Client, kitchen: Owned) -> None:
    session = session_of(kitchen, state={"view": {"lines": 2}})
    choices = [{"say": "yes", "label": "Yes"}]
    tell(
        kitchen,
        session_id=session.pk,
        payload={"text": "Use Home?", "speech": "Use Home?", "expects_reply": True, "choices": choices},
    )
    tell(kitchen, kind="interaction.payment", session_id=session.pk, payload={"data": {"link": "upi://x"}})
    found = current(client, kitchen)
    assert found["cursor"] == 2
    assert (found["session"]["session_id"], found["session"]["phase"]) == (session.pk, "awaiting_payment")
    assert found["session"]["question"]["text"] == "Use Home?"
    assert found["session"]["question"]["choices"] == choices
    assert found["session"]["view"] == {"lines": 2}
    assert found["session"]["payment"] == {"link": "upi://x"}
    tapped = {"text": choices[0]["say"], "source": "tap", "in_reply_to": found["session"]["question"]["reply_id"]}
    headers = kitchen.headers | {"Idempotency-Key": "tap"}
    answer = client.post("/api/v1/utterances", tapped, content_type="application/json", headers=headers)
    assert (answer.json()["disposition"], answer.json()["session"]) == ("accepted", session.pk)


def test_without_a_session_there_is_the_cursor_alone(client: Client, kitchen: Owned) -> None:
    session_of(kitchen, status="ended", end_reason="done")
    tell(kitchen)
    assert current(client, kitchen) == {"cursor": 1, "session": None}


def test_nobody_sees_or_ends_the_session_of_another(client: Client, kitchen: Owned, hall: Owned, elsewhere: Owned) -> None:
    session = session_of(kitchen)
    for other in (hall, elsewhere):
        assert current(client, other)["session"] is None
        assert client.post(f"/api/v1/sessions/{session.pk}/end", headers=other.headers).status_code == 404
    assert not InboxItem.objects.exists()


def test_the_end_button_is_an_item_of_the_sessions_inbox(client: Client, kitchen: Owned) -> None:
    session = session_of(kitchen)
    answer = client.post(f"/api/v1/sessions/{session.pk}/end", headers=kitchen.headers)
    assert (answer.status_code, answer.json()) == (202, {"session": session.pk})
    item = InboxItem.objects.get()
    assert (item.session_id, item.kind, item.status, item.data["by"]) == (session.pk, "end", "waiting", "device")
    session.refresh_from_db()
    assert (session.status, session.work_pending) == ("active", True)


def test_a_device_changes_what_it_can_and_what_it_leaves_out_stays(client: Client, kitchen: Owned) -> None:
    change = {"capabilities": {"screen": False, "languages": ["en", "hi"]}}
    answer = client.patch("/api/v1/device", change, content_type="application/json", headers=kitchen.headers)
    assert answer.status_code == 200
    kept = Device.objects.get(pk=kitchen.device.pk).capabilities
    assert kept == answer.json()["capabilities"]
    assert (kept["screen"], kept["voice"], kept["languages"]) == (False, True, ["en", "hi"])


@pytest.mark.parametrize(
    "change",
    [{"owner": 1}, {"client_id": "x"}, {"capabilities": {"voice": "yes"}}, {"capabilities": {"wings": True}}, {"name": 5}],
)
def test_a_device_cannot_change_whose_it_is_or_send_nonsense(client: Client, kitchen: Owned, change: Any) -> None:
    answer = client.patch("/api/v1/device", change, content_type="application/json", headers=kitchen.headers)
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == set(change)


def test_a_recogniser_learns_phrases_and_names(client: Client, kitchen: Owned) -> None:
    answer = client.get("/api/v1/modes", headers=kitchen.headers).json()
    assert answer["names"]
    assert all(mode["phrases"] for mode in answer["modes"])


@pytest.mark.promise("P216")
@pytest.mark.parametrize(("state", "waits_s"), [("started", 30), ("stopped", 10)])
def test_speech_holds_the_silence_ladder_and_routes_nothing(client: Client, kitchen: Owned, state: str, waits_s: int) -> None:
    now = timezone.now()
    session = session_of(kitchen, silence_at=now, mode="swiggy_order")
    answer = client.post("/api/v1/speech", {"state": state}, content_type="application/json", headers=kitchen.headers)
    assert answer.status_code == 202
    session.refresh_from_db()
    assert session.silence_at is not None
    assert 0 <= (session.silence_at - now).total_seconds() - waits_s < 5
    assert not InboxItem.objects.exists()


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_address_wants_a_token_and_says_how(client: Client, db: None, path: str) -> None:
    for method in (client.get, client.post, client.patch):
        answer = method(f"/api/v1/{path}")
        assert answer.status_code in (401, 405)
        assert answer.json().keys() == {"code", "message", "fields"}
        assert answer.status_code == 405 or answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", EVERYWHERE)
def test_a_wrong_method_and_an_unknown_parameter_are_refused_in_the_one_shape(
    client: Client, kitchen: Owned, path: str
) -> None:
    wrong = client.delete(f"/api/v1/{path}", headers=kitchen.headers)
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method_not_allowed")
    unknown = client.post(f"/api/v1/{path}?colour=red", {}, content_type="application/json", headers=kitchen.headers)
    assert unknown.json().keys() == {"code", "message", "fields"}
    assert unknown.status_code in (400, 405)


def test_a_fault_of_ours_is_said_in_the_one_shape(client: Client, kitchen: Owned, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(device: Device) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(device_api, "_view", fault)
    client.raise_request_exception = False
    answer = client.get("/api/v1/device", headers=kitchen.headers)
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert "secret" not in answer.content.decode()


def test_last_seen_is_written_at_most_once_a_minute(client: Client, kitchen: Owned) -> None:
    def seen() -> Any:
        client.get("/api/v1/device", headers=kitchen.headers)
        return Device.objects.get(pk=kitchen.device.pk).last_seen

    first = seen()
    assert first is not None
    assert seen() == first
    Device.objects.filter(pk=kitchen.device.pk).update(last_seen=first - timedelta(seconds=61))
    assert seen() > first


def test_the_api_describes_itself_without_asking_anyone_else(client: Client, db: None) -> None:
    schema = client.get("/api/schema/")
    assert schema.status_code == 200
    assert b"/api/v1/utterances" in schema.content
    page = client.get("/api/docs/").content.decode()
    assert "swagger" in page
    assert "//cdn" not in page
    assert "https://" not in page


@pytest.mark.promise("P163")
def test_the_status_says_of_each_part_whether_it_works_and_a_deaf_worker_turns_it_red(client: Client, db: None) -> None:
    assert client.get("/healthz").status_code == 200
    answer = client.get("/status")
    assert answer.status_code == 503  # no broker, nobody heard of
    parts = answer.json()["parts"]
    assert {name: parts[name]["status"] for name in ("database", "broker", "beat", "queue turns")} == {
        "database": "green",
        "broker": "red",
        "beat": "red",
        "queue turns": "red",
    }
    now = timezone.now()
    for name, age in (("beat", 1), ("turns", 1), ("effects", 3600)):
        Heartbeat.objects.create(name=name, at=now - timedelta(seconds=age))
    lights = status.lights()
    assert (lights["beat"].green, lights["queue turns"].green, lights["queue effects"].green) == (True, True, False)


@pytest.mark.promise("P163")
def test_readyz_asks_only_whether_this_process_can_accept(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/readyz").status_code == 200  # though the broker is gone

    def readonly(*args: object, **more: object) -> None:
        raise DatabaseError("read-only")

    monkeypatch.setattr(Heartbeat.objects, "filter", readonly)
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200


@pytest.mark.promise("P163")
def test_the_sign_in_is_a_light_of_its_own(client: Client, asha: Any) -> None:
    light = client.get("/status").json()["parts"]["swiggy sign-in"]
    assert light["status"] == "red"  # no tokens here
    assert "sign" in light["text"]


@pytest.mark.promise("P236")
def test_a_linked_user_who_is_nobody_turns_the_status_red_with_the_variables_name(client: Client, asha: Any) -> None:
    def light() -> Any:
        return client.get("/status").json()["parts"]["swiggy linked user"]

    assert light()["status"] == "green"
    asha.delete()
    assert light()["status"] == "red"
    assert "SWIGGY_LINKED_USER_ID" in light()["text"]


def test_an_unknown_address_is_refused_in_the_one_shape(client: Client, db: None) -> None:
    answer = client.get("/api/v1/nothing")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert client.get("/nothing")["Content-Type"].startswith("text/html")
