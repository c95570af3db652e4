"""``manage.py devices``: the token is printed once, and what it cannot do it says with what to do next."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client

from interactions import checks, segmentations, unsettled
from interactions.models import Device, InboxItem
from tests.flows.test_api_screen import session_of
from tests.support.people import Owned

pytestmark = pytest.mark.on_sqlite


def run(*words: object) -> str:
    out = io.StringIO()
    call_command("devices", *map(str, words), stdout=out)
    return out.getvalue()


def seen_as(client: Client, token: str) -> int:
    return client.get("/api/v1/device", headers={"Authorization": f"Bearer {token}"}).status_code


def test_a_new_device_gets_its_token_once(client: Client, asha: Any) -> None:
    token = run("add", "asha", "kitchen", "--name", "Kitchen", "--cap", "voice", "--cap", "microphone=wake").split()[-1]
    assert seen_as(client, token) == 200
    device = Device.objects.get()
    assert (device.owner, device.name, device.capabilities) == (asha, "Kitchen", {"voice": True, "microphone": "wake"})
    listed = run("list")
    assert "kitchen" in listed
    assert token not in listed


def test_a_rotated_token_replaces_the_old_one(client: Client, kitchen: Owned) -> None:
    fresh = run("rotate", kitchen.device.pk).strip()
    assert (seen_as(client, kitchen.token), seen_as(client, fresh)) == (401, 200)


def test_a_revoked_device_is_nobody_and_its_session_is_told_to_end(client: Client, kitchen: Owned) -> None:
    session = session_of(kitchen)
    run("revoke", kitchen.device.pk)
    assert seen_as(client, kitchen.token) == 401
    item = InboxItem.objects.get(session=session)
    assert (item.kind, item.data["reason"]) == ("end", "device_revoked")
    with pytest.raises(CommandError, match="revoked"):
        run("rotate", kitchen.device.pk)


@pytest.mark.parametrize(
    "words",
    [
        ("add", "nobody", "x"),
        ("add", "asha", "kitchen"),
        ("add", "asha", "x", "--cap", "wings"),
        ("rotate", 999),
        ("revoke", 999),
        ("set", 1, "--segmentation", "by_ear"),
        ("set", 999, "--segmentation", "-"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(kitchen: Owned, words: tuple[object, ...]) -> None:
    with pytest.raises(CommandError):
        run(*words)
    assert Device.objects.count() == 1


@pytest.mark.promise("P222")
def test_the_operator_sets_how_the_live_speech_of_one_device_counts_and_takes_it_back(client: Client, kitchen: Owned) -> None:
    for given, counts in (("windowed_batch", "windowed_batch"), ("-", "streaming_stt")):
        assert run("set", kitchen.device.pk, "--segmentation", given).split()[-1] == counts
        assert client.get("/api/v1/device", headers=kitchen.headers).json()["segmentation"] == counts


@pytest.mark.promise("P223")
@pytest.mark.django_db(transaction=True)  # what verifies a start closes the connection
def test_a_device_whose_segmentation_no_table_knows_forbids_the_start_and_is_red(kitchen: Owned) -> None:
    assert segmentations.look().green
    Device.objects.filter(pk=kitchen.device.pk).update(segmentation="windowed_batsh")
    with pytest.raises(ImproperlyConfigured, match=rf"device {kitchen.device.pk} \('kitchen' of asha\).*windowed_batsh"):
        unsettled.verify()
    (message,) = checks.segmentations_are_known(None)
    assert (message.id, "Did you mean 'windowed_batch'?" in message.hint) == ("interactions.E004", True)
    assert f"devices set {kitchen.device.pk}" in message.hint
    assert not segmentations.look().green
    run("set", kitchen.device.pk, "--segmentation", "windowed_batch")
    unsettled.verify()
