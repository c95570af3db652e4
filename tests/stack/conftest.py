"""One running system for the stack tests of a run. ``house`` is that system as if it had just been started."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import stack
from tests.support.system import Speaker, System


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker("stack")
        if item.get_closest_marker("long") and not os.environ.get("LONG_TESTS"):
            item.add_marker(pytest.mark.skip(reason="waits for half a minute; set LONG_TESTS=1"))


@pytest.fixture(scope="session")
def system() -> Iterator[System]:
    """All of it: broker, sandbox, web, workers, beat. Its directory has a short path, for the broker's socket lies there."""
    with (
        stack.database() as database,
        tempfile.TemporaryDirectory(prefix="chronicle-stack-") as data,
        System(Path(data), database=database) as running,
    ):
        yield running


@pytest.fixture
def house(system: System) -> System:
    """Every process runs, nobody has said anything, nothing was bought."""
    system.fresh()
    return system


@pytest.fixture
def kitchen(house: System) -> Speaker:
    """Asha's speaker; hers is the Swiggy account."""
    return house.speakers["kitchen"]


@pytest.fixture
def hall(house: System) -> Speaker:
    """Asha's second speaker."""
    return house.speakers["hall"]


@pytest.fixture
def bedroom(house: System) -> Speaker:
    """Ravi's speaker, in the same house."""
    return house.speakers["bedroom"]
