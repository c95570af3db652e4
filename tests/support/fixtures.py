"""What the tests of flows and of races share: one shop for all of them, set back before each that shops, and the till at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # this file is read before the apps are; what knows a model is imported where it is used
    from django.test import Client

    from swiggy_instamart.sandbox.process import SandboxProcess
    from tests.support.shop import Till


@pytest.fixture
def client() -> Client:
    """In place of the one pytest-django would make, for the time a new one costs."""
    from tests.support import browsing

    return browsing.client()


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
    sandbox.write_tokens(settings.SWIGGY_TOKEN_DIRECTORY)
    settings.SWIGGY_MCP_URL = sandbox.url
    return Till(kitchen.device, sandbox, monkeypatch)
