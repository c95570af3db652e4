"""What devices send where it does the most harm: intervals that no clock can hold, and names that steer a terminal."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from interactions import clock, presence
from interactions.models import Device, Presence
from tests.support import talk
from tests.support.people import Owned

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

STEERS = "kitchen\x1b[2J\n\u202eutterance 9"


@pytest.mark.promise("P255")
@pytest.mark.parametrize("text", ["turn on the lamp", ""])
@pytest.mark.parametrize("end", [10**14, 10**17, 2**63 - 1])
def test_a_wake_with_an_interval_that_no_clock_can_hold_is_taken_all_the_same(kitchen: Owned, text: str, end: int) -> None:
    answer = talk.post(kitchen.device, text, source="wake", wake={"word": "hermes"}, start_ms=0, end_ms=end)
    assert answer.body["disposition"] == ("accepted" if text else "recorded")


@pytest.mark.promise("P218")
def test_no_name_that_a_device_gives_steers_the_operators_terminal(kitchen: Owned) -> None:
    Device.objects.filter(pk=kitchen.device.pk).update(name=STEERS, capabilities={"languages": [STEERS]})
    answer = talk.post(kitchen.device, "turn on the lamp", segmentation="win\x1b[2J\ndow")
    for command in (("explain", str(answer.body["id"])), ("devices", "list")):
        out = io.StringIO()
        call_command(*command, stdout=out)
        assert not set("\x1b\u202e") & set(out.getvalue())
        assert all(
            line.partition(" ")[0] != "dow" and not line.startswith("utterance 9") for line in out.getvalue().splitlines()
        )


@pytest.mark.promise("P022")
def test_a_device_stays_there_while_one_process_holds_its_stream_whatever_another_has_seen_of_it(kitchen: Owned) -> None:
    presence.came(kitchen.device.pk)
    elsewhere = presence.came(kitchen.device.pk)
    presence.left({kitchen.device.pk: elsewhere})
    presence.stays([kitchen.device.pk, 10**6])
    assert Presence.objects.filter(device=kitchen.device, until__gt=clock.now()).exists()
