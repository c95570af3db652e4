"""A plugin that keeps failing rests, longer each time, is tried again, and is well again; its peer is looked at in bounds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from interactions import clock, doorbells, health, registry, tasks
from interactions.configuration import PluginEntry
from interactions.models import ChainRun, PluginState
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin, UnreachableError
from tests.support import talk
from tests.support.people import Owned

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
LAMP = "lamp"


class Lamp(OrdinaryPlugin):
    """Obeys while its peer is there."""

    id = LAMP

    def __init__(self) -> None:
        super().__init__(PluginEntry(enabled=True, events=["utterance"]), {})
        self.there, self.asked = True, 0

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        self.asked += 1
        if not self.there:
            raise UnreachableError("refused", sent=False)
        return ChainAnswer("The lamp is on.")


class Looking(Lamp):
    """Also looks at its peer, as the test has it."""

    def __init__(self, look: Callable[[], str]) -> None:
        super().__init__()
        self.look = look

    def check(self) -> str:
        return self.look()


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = AT
        monkeypatch.setattr(clock, "now", lambda: self.now)

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def switch_on(monkeypatch: pytest.MonkeyPatch) -> Callable[[OrdinaryPlugin], None]:
    def on(plugin: OrdinaryPlugin) -> None:
        monkeypatch.setattr(registry, "ordinary", lambda: (plugin,))
        monkeypatch.setattr(registry, "plugin", {plugin.id: plugin}.get)

    return on


@pytest.fixture
def lamp(switch_on: Callable[[OrdinaryPlugin], None]) -> Lamp:
    plugin = Lamp()
    switch_on(plugin)
    return plugin


def state() -> PluginState:
    return PluginState.objects.get(plugin=LAMP)


def say(kitchen: Owned) -> str:
    """One sentence; what became of it."""
    talk.post(kitchen.device, "turn on the lamp")
    talk.handle(kitchen.device)
    outcome: str = ChainRun.objects.latest("pk").trace[0]["outcome"]
    return outcome


# ---- failing and recovering ------------------------------------------------------------------------------------------------


@pytest.mark.promise("P082")
def test_a_plugin_that_cannot_reach_its_peer_is_degraded_and_asked_again_after_longer_and_longer_rests(
    kitchen: Owned, lamp: Lamp, time: Clock
) -> None:
    lamp.there = False
    for failures in (1, 2, 3):
        assert say(kitchen) == "failed: unreachable refused"
        assert (state().status, state().failures, state().error) == ("degraded", failures, "unreachable refused")
    for rest_s in (30, 60, 120, 240, 300, 300):
        time.forward(rest_s - 1)
        assert say(kitchen) == "resting"
        time.forward(2)
        assert say(kitchen) == "failed: unreachable refused"
    assert lamp.asked == 9


@pytest.mark.promise("P082")
def test_it_is_well_again_as_soon_as_a_trial_succeeds(
    kitchen: Owned, lamp: Lamp, time: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    lamp.there = False
    for _ in range(3):
        say(kitchen)
    lamp.there = True
    time.forward(31)
    caplog.set_level("INFO")
    assert say(kitchen) == "answered"
    assert (state().status, state().failures, state().error, state().open_until) == ("ok", 0, "", None)
    assert "plugin lamp has recovered" in caplog.text
    assert say(kitchen) == "answered"


@pytest.mark.promise("P082")
def test_a_success_in_between_starts_the_count_again(kitchen: Owned, lamp: Lamp, time: Clock) -> None:
    for there in (False, False, True, False, False):
        lamp.there = there
        say(kitchen)
    assert (state().status, state().failures, state().open_until) == ("degraded", 2, None)


@pytest.mark.promise("P082")
def test_after_a_rest_one_sentence_is_the_trial_and_the_others_pass(db: None) -> None:
    rested = PluginState.objects.create(plugin=LAMP, status="degraded", failures=3, open_until=AT, changed_at=AT)
    assert health.admits(rested, AT, trial_s=10)
    assert not health.admits(rested, AT, trial_s=10), "two workers that have read the same row"
    assert health.rests(state(), AT + timedelta(seconds=9))
    assert health.admits(state(), AT + timedelta(seconds=10), trial_s=10), "a trial that died holds nobody back for ever"


def test_one_that_is_well_costs_no_write(db: None, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        health.well(LAMP, PluginState(plugin=LAMP, status="ok"), AT)


# ---- looks at the peer -----------------------------------------------------------------------------------------------------


def looked(monkeypatch: pytest.MonkeyPatch, now: datetime) -> int:
    """One sweep and the looks that it rings for; how many."""
    rung: list[int] = []
    monkeypatch.setattr(doorbells, "ring", lambda row, task: rung.append(row) if task == doorbells.CHECK else None)
    health.sweep(now)
    for row in rung:
        tasks.check_plugin(row)
        tasks.check_plugin(row)  # a doubled doorbell looks once
    return len(rung)


@pytest.mark.promise("P083")
def test_a_plugin_whose_look_fails_is_passed_over_until_a_look_is_good(
    kitchen: Owned, switch_on: Any, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, looks = ["http_401"], []
    plugin = Looking(lambda: looks.append(1) or found[0])  # type: ignore[func-returns-value]
    switch_on(plugin)
    assert looked(monkeypatch, time.now) == 1
    assert (state().status, state().error) == ("failed", "http_401")
    assert say(kitchen) == "resting"
    time.forward(health.LOOK_S - 1)
    assert looked(monkeypatch, time.now) == 0
    time.forward(1)
    assert looked(monkeypatch, time.now) == 1
    assert say(kitchen) == "resting"
    found[0] = "ok"
    time.forward(health.LOOK_S)
    looked(monkeypatch, time.now)
    assert (state().status, state().error) == ("ok", "")
    assert say(kitchen) == "answered"
    assert (plugin.asked, len(looks)) == (1, 3)


@pytest.mark.promise("P083")
def test_a_look_that_hangs_is_bounded_and_counts_as_no_answer(
    db: None, switch_on: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    monkeypatch.setattr(health, "LOOK_BOUND_S", 0.05)
    switch_on(Looking(lambda: str(released.wait(20))))
    try:
        looked(monkeypatch, clock.now())
    finally:
        released.set()
    assert (state().status, state().error) == ("failed", "no answer")


@pytest.mark.promise("P083")
def test_a_look_that_raises_fails_with_the_type_alone(db: None, switch_on: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> str:
        raise ConnectionError("the token is hunter2")

    switch_on(Looking(look))
    looked(monkeypatch, clock.now())
    assert (state().status, state().error) == ("failed", "ConnectionError")


def test_a_good_look_at_a_degraded_plugin_makes_the_next_sentence_its_trial(
    kitchen: Owned, switch_on: Any, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = Looking(lambda: "ok")
    plugin.there = False
    switch_on(plugin)
    for _ in range(3):
        say(kitchen)
    assert say(kitchen) == "resting"
    looked(monkeypatch, time.now)
    assert (state().status, state().failures) == ("degraded", 3)
    plugin.there = True
    assert say(kitchen) == "answered"


def test_nobody_is_asked_to_look_who_has_nothing_to_look_at(db: None, lamp: Lamp, monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked(monkeypatch, clock.now()) == 0
    assert not PluginState.objects.exists()


# ---- what is shown ---------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P167")
@pytest.mark.parametrize(
    ("row", "green", "said"),
    [
        (None, True, "initialised: not asked yet"),
        ({"status": "ok"}, True, "ok since 2026-11-30 12:00:00 UTC"),
        (
            {"status": "degraded", "failures": 3, "error": "unreachable refused", "open_until": AT + timedelta(seconds=30)},
            True,
            "degraded since 2026-11-30 12:00:00 UTC: unreachable refused, 3 in a row; rests until 12:00:30 UTC",
        ),
        (
            {"status": "failed", "error": "http_401", "open_until": AT - timedelta(seconds=1)},
            False,
            "failed since 2026-11-30 12:00:00 UTC: http_401",
        ),
    ],
)
def test_the_status_page_shows_how_a_plugin_does_and_is_red_only_where_it_failed(
    db: None, lamp: Lamp, time: Clock, row: dict[str, Any] | None, green: bool, said: str
) -> None:
    if row is not None:
        PluginState.objects.create(plugin=LAMP, changed_at=AT, **row)
    shown = health.light(lamp)
    assert (shown.green, shown.text) == (green, said)
