"""One shop for all of these tests, set back before each; and the people who speak to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support.shopper import Shopper

if TYPE_CHECKING:  # this file is read before the apps are; what knows a model is imported where it is used
    from tests.flows.order.dialogue import Clock, Ledger, Speaker
    from tests.support.people import Owned


@pytest.fixture(scope="session")
def _shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SandboxProcess, Path]]:
    from swiggy_instamart import mcp

    directory = tmp_path_factory.mktemp("order") / "swiggy"
    seed.write_tokens(directory)
    mcp.preload()  # as a worker does, so that no first call pays for it out of its budget
    with SandboxProcess(hold_s=0) as running:
        yield running, directory
        mcp.close()


@pytest.fixture
def sandbox(_shop: tuple[SandboxProcess, Path], settings: Any, monkeypatch: pytest.MonkeyPatch) -> SandboxProcess:
    """The shop, as it is at its start; the service signed in to it, and in no mood to wait between two attempts."""
    from interactions import attempts, bounded

    running, directory = _shop
    running.reset()
    settings.SWIGGY_MCP_URL, settings.SWIGGY_TOKEN_DIRECTORY = running.url, directory
    monkeypatch.setattr(attempts, "BACKOFF_S", 0.01)
    # A thread of its own would not see what the test's transaction holds.
    monkeypatch.setattr(bounded, "call", lambda work, seconds: work())
    return running


@pytest.fixture
def clock(sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> Clock:
    from tests.flows.order import dialogue

    return dialogue.Clock(monkeypatch, sandbox)


@pytest.fixture
def ledger(sandbox: SandboxProcess) -> Ledger:
    from tests.flows.order import dialogue

    return dialogue.Ledger(sandbox)


@pytest.fixture
def shopper(sandbox: SandboxProcess) -> Iterator[Shopper]:
    """Somebody else with the same account: at the shop itself, past the service."""
    somebody = Shopper(sandbox)
    yield somebody
    somebody.close()


@pytest.fixture
def at(sandbox: SandboxProcess, clock: Clock) -> Callable[[Owned], Speaker]:
    """Somebody at some device."""
    from tests.flows.order import dialogue

    return lambda owned: dialogue.Speaker(owned, sandbox, clock)


@pytest.fixture
def asha_speaks(at: Callable[[Owned], Speaker], kitchen: Owned) -> Speaker:
    """Asha in her kitchen; the account is hers."""
    return at(kitchen)


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``options(order_limit_rupees=None)``: what the operator has set."""
    from interactions import registry

    mode: Any = registry.mode("swiggy_order")

    def change(**values: Any) -> None:
        monkeypatch.setattr(mode, "options", mode.options.model_copy(update=values))

    return change


@pytest.fixture
def restart(sandbox: SandboxProcess) -> Callable[[], None]:
    """Forget everything that a process keeps in memory: the session with the shop, the modes, the database connection."""
    from django.db import connection

    from interactions import registry
    from swiggy_instamart import mcp

    def again() -> None:
        mcp.close()
        if not connection.in_atomic_block:
            connection.close()
        registry.load()

    return again
