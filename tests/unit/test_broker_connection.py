"""How a worker looks for a broker that went away: often enough that work goes on soon after its return."""

from __future__ import annotations

from typing import Any

import kombu.utils.functional
import pytest
from kombu.exceptions import OperationalError

from chronicle.celery import app

SOON_S = 3  # of the ten seconds within which work goes on


def intervals(connection: Any, *, tries: int = 12) -> list[float]:
    waited: list[float] = []
    with pytest.raises(OperationalError):
        connection.ensure_connection(lambda _, interval: waited.append(interval), tries)
    return waited


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kombu.utils.functional, "sleep", lambda seconds: None)


@pytest.mark.promise("P204")
def test_a_worker_looks_for_its_broker_every_few_seconds_however_long_it_was_away() -> None:
    with app.connection_for_read() as connection:
        assert max(intervals(connection)) <= SOON_S


def test_the_transport_alone_would_look_more_and_more_seldom() -> None:
    with kombu.Connection(app.conf.broker_url, transport_options=app.conf.broker_transport_options) as connection:
        assert max(intervals(connection)) > 10
