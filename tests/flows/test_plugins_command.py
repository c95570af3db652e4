"""``manage.py plugins``: who stands in the chain, how each does, and which workers they need."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.core.management import call_command

from interactions import clock
from interactions.models import PluginState


def listed() -> str:
    out = io.StringIO()
    call_command("plugins", stdout=out)
    return out.getvalue()


@pytest.mark.promise("P167", "P072")
def test_each_plugin_is_listed_in_its_place_with_its_health_and_the_latest_error(db: None) -> None:
    at = clock.now()
    PluginState.objects.create(plugin="recorder", status="ok", changed_at=at)
    PluginState.objects.create(
        plugin="answerer",
        status="degraded",
        failures=3,
        error="unreachable refused",
        open_until=at + timedelta(minutes=1),
        changed_at=at,
    )
    said = listed()
    names = [line.split()[0] for line in said.splitlines() if line.endswith("(on)")]
    assert names[:2] == ["recorder", "swiggy_instamart"], "the order in which they are asked"
    assert names.index("home_assistant") < names.index("hermes") < names.index("answerer")
    assert "number 1, priority 0, condition always" in said
    assert "health    ok since" in said
    assert "health    initialised: not asked yet" in said
    assert "unreachable refused, 3 in a row; rests until" in said


def test_a_plugin_that_lacks_a_setting_says_which(db: None) -> None:
    assert "says      HOME_ASSISTANT_URL is not set" in listed()


@pytest.mark.promise("P161")
def test_it_names_the_queues_that_need_a_worker(db: None) -> None:
    said = listed()
    assert "queue turns: needs a worker, for mode " in said
    assert "operator.alarm" in said
