"""The client on the wire: against a server that answers as a test tells it, and against the sandbox."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings

from swiggy_instamart import mcp
from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.shop import Swiggy
from tests.contract import line


@pytest.fixture
def sign_in(settings: LazySettings, tmp_path: Path) -> Path:
    """A sign-in that the sandbox accepts, where the settings look for it."""
    settings.SWIGGY_TOKEN_DIRECTORY = tmp_path / "swiggy"
    seed.write_tokens(settings.SWIGGY_TOKEN_DIRECTORY)
    return Path(settings.SWIGGY_TOKEN_DIRECTORY)


@pytest.fixture
def shop() -> line.Shop:
    return line.Shop()


@pytest.fixture
def swiggy(shop: line.Shop, sign_in: Path, settings: LazySettings) -> Iterator[Swiggy]:
    """The client of this process, talking to ``shop``."""
    with line.serving(shop) as url:
        settings.SWIGGY_MCP_URL = url
        yield mcp.swiggy()
        mcp.close()


@pytest.fixture(scope="package")
def sandbox() -> Iterator[SandboxProcess]:
    with SandboxProcess() as running:
        yield running


@pytest.fixture
def live(sandbox: SandboxProcess, sign_in: Path, settings: LazySettings) -> Iterator[Swiggy]:
    """The client of this process, talking to the sandbox."""
    sandbox.reset()
    settings.SWIGGY_MCP_URL = sandbox.url
    yield mcp.swiggy()
    mcp.close()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Holds the answers of a server until the test, or its end, opens it."""
    held = threading.Event()
    yield held
    held.set()


@pytest.fixture
def aside() -> Iterator[Callable[[Callable[[], object]], threading.Thread]]:
    """Runs a call on another thread, and waits for it at the end."""
    threads: list[threading.Thread] = []

    def start(call: Callable[[], object]) -> threading.Thread:
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        threads.append(thread)
        return thread

    yield start
    for thread in threads:
        thread.join(10)
