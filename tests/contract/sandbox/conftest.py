"""The shop itself on the wire: one sandbox process for these tests, as good as new for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support.shopper import Shopper


@pytest.fixture(scope="package")
def _process() -> Iterator[SandboxProcess]:
    with SandboxProcess() as process:
        yield process


@pytest.fixture
def swiggy(_process: SandboxProcess) -> SandboxProcess:
    """The server, where the client's tests next door call the client so."""
    _process.reset()
    return _process


@pytest.fixture
def shopper(swiggy: SandboxProcess) -> Iterator[Shopper]:
    one = Shopper(swiggy)
    yield one
    one.close()


@pytest.fixture
def home(shopper: Shopper) -> str:
    return shopper.address("Home")
