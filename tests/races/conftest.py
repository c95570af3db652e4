"""Every test here carries the marker ``race``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # this file is read before the apps are; what knows a model is imported where it is used
    from tests.support.interleave import Stage
    from tests.support.scripted import Script
    from tests.support.shop import Till


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("race")


@pytest.fixture
def till(till: Till) -> Till:
    """The cart is filled at the shop: the talk that fills it is not what is raced for."""
    till.finds = True
    return till


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    from tests.support import scripted

    return scripted.install(monkeypatch)


@pytest.fixture
def stage(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Where workers, devices and beats meet. It is cleared before the database is."""
    from tests.support.interleave import Stage

    stage = Stage(monkeypatch)
    yield stage
    stage.close()
