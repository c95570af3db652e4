"""One shop for all races, set back before each that shops; every test here carries the marker ``race``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # this file is read before the apps are; what knows a model is imported where it is used
    from swiggy_instamart.sandbox.process import SandboxProcess
    from tests.support.interleave import Stage
    from tests.support.scripted import Script
    from tests.support.shop import Till


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("race")


@pytest.fixture(scope="session")
def sandbox() -> Iterator[SandboxProcess]:
    from django.conf import settings

    from tests.support import shop

    with shop.opened(Path(settings.SWIGGY_TOKEN_DIRECTORY)) as running:
        yield running


@pytest.fixture
def till(sandbox: SandboxProcess, kitchen: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Till:
    from tests.support.shop import Till

    sandbox.reset()
    sandbox.settings(hold_s=0)
    settings.SWIGGY_MCP_URL = sandbox.url
    till = Till(kitchen.device, sandbox, monkeypatch)
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
