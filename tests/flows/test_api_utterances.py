"""POST /utterances: one answer per key and body, a refusal for everything else, and nothing stored by a refusal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from interactions import devices, events, ingress
from interactions.models import ChainRun, Utterance
from tests.support.people import Owned
from tests.support.telling import tell

pytestmark = pytest.mark.on_postgres

HEARD = {"text": "turn on the lamp", "source": "stream"}


def post(client: Client, owned: Owned | None, body: Any = HEARD, key: str | None = "k1", **headers: str) -> Any:
    sent = (owned.headers if owned else {}) | ({"Idempotency-Key": key} if key is not None else {}) | headers
    raw = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post("/api/v1/utterances", raw, content_type="application/json", headers=sent)


def refused(answer: Any, status: int, code: str | None = None) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    body: dict[str, Any] = answer.json()
    assert set(body) == {"code", "message", "fields"}
    assert body["message"]
    assert code is None or body["code"] == code
    return body


def test_a_report_is_answered_with_its_id_and_the_cursor_from_before_it(client: Client, kitchen: Owned) -> None:
    answer = post(client, kitchen)
    assert answer.status_code == 202
    assert answer.json() == {
        "id": Utterance.objects.get().pk,
        "disposition": "accepted",
        "reason": "chain",
        "session": None,
        "cursor": 0,
    }
    assert "Idempotent-Replayed" not in answer


@pytest.mark.promise("P225")
def test_the_same_key_and_body_give_the_stored_answer_marked_and_do_nothing_again(client: Client, kitchen: Owned) -> None:
    first = post(client, kitchen, '{"text": "turn on the lamp", "source": "stream"}')
    again = post(client, kitchen, '{"source":"stream","text":"turn on the lamp"}', **{"Utterance-Age": "900"})
    assert again.status_code == 202
    assert again.json() == first.json()
    assert again["Idempotent-Replayed"] == "true"
    assert (Utterance.objects.count(), ChainRun.objects.count()) == (1, 1)


@pytest.mark.promise("P225")
def test_a_key_used_with_another_body_is_refused_and_the_first_stands(client: Client, kitchen: Owned) -> None:
    post(client, kitchen)
    refused(post(client, kitchen, HEARD | {"text": "turn off the lamp"}), 422, "key_reused")
    assert Utterance.objects.get().text == "turn on the lamp"


@pytest.mark.promise("P225")
def test_a_report_without_a_readable_key_is_refused(client: Client, kitchen: Owned) -> None:
    for key in (None, "", "   ", "x" * 129, "k\x01", "schlüssel"):
        refused(post(client, kitchen, key=key), 400, "no_key")
    assert not Utterance.objects.exists()
    assert post(client, kitchen, key="x" * 128).status_code == 202


@pytest.mark.promise("P225")
def test_a_refused_body_does_not_use_its_key_up(client: Client, kitchen: Owned) -> None:
    refused(post(client, kitchen, {"text": 5, "source": "stream"}), 400, "invalid")
    assert post(client, kitchen).status_code == 202


@pytest.mark.promise("P225")
def test_the_equal_key_of_another_device_is_another_key(client: Client, kitchen: Owned, bedroom: Owned) -> None:
    assert post(client, kitchen).status_code == 202
    answer = post(client, bedroom, HEARD | {"text": "something else"})
    assert answer.status_code == 202
    assert "Idempotent-Replayed" not in answer


@pytest.mark.promise("P225")
def test_a_first_request_still_running_is_said_to_be(client: Client, kitchen: Owned, monkeypatch: pytest.MonkeyPatch) -> None:
    def running(*args: object, **more: object) -> None:
        raise ingress.InFlightError

    monkeypatch.setattr(ingress, "accept", running)
    refused(post(client, kitchen), 409, "in_flight")


@pytest.mark.promise("P007")
def test_user_and_device_are_never_read_from_the_body(client: Client, kitchen: Owned, bedroom: Owned) -> None:
    for stranger in ({"user": bedroom.device.owner_id}, {"device": bedroom.device.pk}, {"client_id": "bedroom"}):
        refused(post(client, kitchen, HEARD | stranger), 400, "invalid")
    post(client, kitchen)
    said = Utterance.objects.get()
    assert (said.device_id, said.owner_id) == (kitchen.device.pk, kitchen.device.owner_id)


@pytest.mark.promise("P008")
def test_a_device_without_an_owner_routes_nothing(client: Client, db: None) -> None:
    device, token = devices.register(None, client_id="lost")
    refused(post(client, Owned(device, token)), 403, "unowned")
    assert not Utterance.objects.exists()


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", "Bearer cdt_x_y", "Token abc", "Bearer cdt_\ud800_x", "Basic YTpi"]
)
def test_a_missing_or_foreign_token_is_refused_with_how_to_show_one(
    client: Client, db: None, authorization: str | None
) -> None:
    headers = {"Idempotency-Key": "k"} | ({"Authorization": authorization} if authorization is not None else {})
    answer = client.post("/api/v1/utterances", json.dumps(HEARD), content_type="application/json", headers=headers)
    refused(answer, 401)
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_missing_token_and_another_content_type_are_answered_with_what_to_send(client: Client, kitchen: Owned) -> None:
    assert "Authorization: Bearer" in refused(post(client, None), 401, "not_authenticated")["message"]
    headers = kitchen.headers | {"Idempotency-Key": "k"}
    form = client.post("/api/v1/utterances", "text=hello", content_type="text/plain", headers=headers)
    assert "application/json" in refused(form, 415)["message"]


@pytest.mark.parametrize(
    "raw", ['{"text": "a", "source": "typed", "\\ud800": 1}', '{"text": "a", "source": "typed", "wake": {"\\udfff": 1}}']
)
def test_half_a_character_in_a_key_is_an_unknown_field(client: Client, kitchen: Owned, raw: str) -> None:
    assert "\\ud" in json.dumps(refused(post(client, kitchen, raw), 400, "invalid")["fields"])
    assert not Utterance.objects.exists()


@pytest.mark.parametrize("path", ["utterances", "events", "events/ticket", "sessions/1/end", "device", "replies/1/playback"])
def test_a_method_that_an_address_does_not_know_is_refused(client: Client, kitchen: Owned, path: str) -> None:
    for method in ("OPTIONS", "PUT", "DELETE"):
        answer = client.generic(method, f"/api/v1/{path}", headers=kitchen.headers)
        refused(answer, 405, "method_not_allowed")
        assert method not in answer["Allow"]


def test_a_revoked_token_and_a_rotated_one_are_refused(client: Client, kitchen: Owned, hall: Owned) -> None:
    devices.revoke(kitchen.device)
    fresh = devices.issue(hall.device)
    refused(post(client, kitchen), 401)
    refused(post(client, hall), 401)
    assert post(client, Owned(hall.device, fresh)).status_code == 202


def test_a_token_is_stored_as_a_hash_only(kitchen: Owned) -> None:
    kitchen.device.refresh_from_db()
    assert kitchen.token not in json.dumps([str(value) for value in vars(kitchen.device).values()])


def test_a_service_token_cannot_speak(client: Client, asha: Any) -> None:
    device, token = devices.register(asha.pk, client_id="feed", scope="service")
    refused(post(client, Owned(device, token)), 403)


@pytest.mark.parametrize("body", ["", "{", "[]", '"text"', "null", '{"text": NaN}', b"\xff\xfe", "[" * 5000])
def test_what_is_no_json_object_is_refused(client: Client, kitchen: Owned, body: str | bytes) -> None:
    refused(post(client, kitchen, body), 400)
    assert not Utterance.objects.exists()


@pytest.mark.parametrize("body", ["null", "[]", '"text"', "7"])
def test_json_that_is_no_object_is_answered_with_what_is_needed(client: Client, kitchen: Owned, body: str) -> None:
    assert "A JSON object is needed" in refused(post(client, kitchen, body), 400, "parse_error")["message"]


@pytest.mark.parametrize("digits", ["9" * 6000, "-" + "9" * 6000, "9" * 21])
def test_an_endless_number_is_refused_in_our_own_words(client: Client, kitchen: Owned, digits: str) -> None:
    body = '{"text": "a", "source": "typed", "seq": ' + digits + "}"
    said = refused(post(client, kitchen, body), 400, "parse_error")["message"]
    assert "is too long" in said
    assert "sys." not in said


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ('{"text": "two milk", "source": "typed", "text": "confirm order"}', "text"),
        ('{"text": "a", "source": "typed", "wake": {"a": 1, "a": 1}}', "a"),
        ('{"\\ud800": 1, "\\ud800": 2}', "\\ud800"),
    ],
)
def test_a_key_that_stands_twice_is_refused_by_name(client: Client, kitchen: Owned, body: str, key: str) -> None:
    told = refused(post(client, kitchen, body), 400, "invalid")
    assert f"'{key}' stands twice" in told["message"]
    assert list(told["fields"]) == [key]
    assert not Utterance.objects.exists()


def test_a_body_of_another_kind_or_size_is_refused(client: Client, kitchen: Owned) -> None:
    form = client.post("/api/v1/utterances", HEARD, headers=kitchen.headers | {"Idempotency-Key": "k"})
    refused(form, 415)
    refused(post(client, kitchen, HEARD | {"text": "x" * 70_000}), 413)
    refused(post(client, kitchen, HEARD | {"text": "x" * 3_000_000}), 413)
    assert not Utterance.objects.exists()


@pytest.mark.parametrize("age", ["-1", "1.5", "soon", "9" * 20, "١"])
def test_an_age_that_is_no_count_of_milliseconds_is_refused(client: Client, kitchen: Owned, age: str) -> None:
    assert "Utterance-Age" in refused(post(client, kitchen, **{"Utterance-Age": age}), 400)["fields"]


def test_the_age_is_stored_with_the_utterance(client: Client, kitchen: Owned) -> None:
    post(client, kitchen, **{"Utterance-Age": "1200"})
    assert Utterance.objects.get().spoken_age_ms == 1200


def test_a_reply_that_this_device_was_never_given_cannot_be_answered(client: Client, kitchen: Owned, hall: Owned) -> None:
    theirs, ours = tell(hall), tell(kitchen)
    assert "in_reply_to" in refused(post(client, kitchen, HEARD | {"in_reply_to": theirs.pk}), 400, "unknown_reply")["fields"]
    played = {"reply_id": 10**9, "state": "finished"}
    assert "playback" in refused(post(client, kitchen, HEARD | {"playback": played}), 400, "unknown_reply")["fields"]
    assert not Utterance.objects.exists()
    assert post(client, kitchen, HEARD | {"in_reply_to": ours.pk}).status_code == 202


@pytest.mark.promise("P250")
def test_the_cursor_is_the_place_in_the_stream_before_the_utterance(client: Client, kitchen: Owned) -> None:
    told = tell(kitchen)
    assert post(client, kitchen).json()["cursor"] == told.seq == events.current_seq(kitchen.device.pk)


def test_without_a_database_the_answer_is_to_come_again(
    client: Client, kitchen: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*args: object, **more: object) -> None:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(ingress, "accept", gone)
    answer = post(client, kitchen)
    refused(answer, 503, "unavailable")
    assert int(answer["Retry-After"]) > 0
