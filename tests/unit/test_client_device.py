"""The device in software keeps to what it asks of every device: one key per utterance, its true age, an epoch per run."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx2
import pytest

from interactions import client
from interactions.client import Device, DeviceError

ACCEPTED = {"id": 1, "disposition": "accepted", "reason": "mode", "session": 1, "cursor": 0}


def device(answer: Callable[[httpx2.Request], httpx2.Response]) -> Device:
    made = Device("http://service", "cdt_a_b")
    made._http = httpx2.Client(base_url="http://service", transport=httpx2.MockTransport(answer))
    return made


@pytest.mark.promise("P254")
def test_a_second_run_of_a_device_counts_anew_in_an_epoch_of_its_own() -> None:
    bodies: list[dict[str, object]] = []

    def note(request: httpx2.Request) -> httpx2.Response:
        bodies.append(json.loads(request.content))
        return httpx2.Response(202, json=ACCEPTED)

    for run in (device(note), device(note)):
        run.say("order swiggy")
        run.say("yes")
    assert [body["seq"] for body in bodies] == [1, 2, 1, 2]
    epochs = [body["capture_epoch"] for body in bodies]
    assert epochs[0] == epochs[1] != epochs[2] == epochs[3]


@pytest.mark.promise("P225")
def test_what_nobody_answered_is_sent_again_with_its_key_and_its_age(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RECONNECT_S", 0.02)
    sent: list[httpx2.Request] = []

    def fall_once(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        if len(sent) == 1:
            raise httpx2.ReadError("the web process was killed")
        return httpx2.Response(202, json=ACCEPTED)

    assert device(fall_once).say("confirm order") == ACCEPTED
    first, second = sent
    assert first.content == second.content
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert int(first.headers["Utterance-Age"]) < 20 <= int(second.headers["Utterance-Age"])


def test_a_service_that_stays_away_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused")

    monkeypatch.setattr(client, "UNREACHED_S", 0.0)
    with pytest.raises(DeviceError, match=r"http://service cannot be reached \(ConnectError\); see whether `make run`"):
        device(nobody).say("hello")


# ---- the cue of what takes longer ---------------------------------------------------------------------------------------


def told(seq: int, **data: object) -> client.Event:
    return client.Event(seq, "interaction.reply", {"status": "active", **data})


WORKING = {"status": "working", "cue": "thinking", "cue_after_ms": 20}


@pytest.mark.promise("P215")
def test_the_cue_is_played_once_its_time_has_come_and_nothing_else_has() -> None:
    slow, played = device(lambda request: httpx2.Response(202, json=ACCEPTED)), list[str]()
    slow.cue = played.append
    slow._came.put(told(1, **WORKING))
    assert slow.next(1).seq == 1
    assert played == []
    for _ in range(2):
        with pytest.raises(client.SilenceError):
            slow.next(0.05)
    assert played == ["thinking"]


@pytest.mark.promise("P215")
@pytest.mark.parametrize("answer", [{"text": "Which one?"}, {"status": "ended"}])
def test_an_answer_that_is_there_in_time_leaves_the_cue_unplayed(answer: dict[str, object]) -> None:
    quick, played = device(lambda request: httpx2.Response(202, json=ACCEPTED)), list[str]()
    quick.cue = played.append
    for event in (told(1, **WORKING), told(2, **answer)):
        quick._came.put(event)
    assert [quick.next(1).seq, quick.next(1).seq] == [1, 2]
    with pytest.raises(client.SilenceError):
        quick.next(0.05)
    assert played == []
