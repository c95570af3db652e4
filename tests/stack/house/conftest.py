"""One running system for a whole household; each test finds it as if it had just been started."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.system import Speaker, System


@pytest.fixture(scope="session")
def running() -> Iterator[System]:
    with System() as system:
        yield system


@pytest.fixture
def house(running: System) -> System:
    running.fresh()
    return running


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
