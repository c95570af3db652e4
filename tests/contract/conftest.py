"""One sandbox process for the tests on the wire, as good as new for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support.shopper import Shopper


@pytest.fixture(scope="session")
def _sandbox() -> Iterator[SandboxProcess]:
    with SandboxProcess() as process:
        yield process


@pytest.fixture
def swiggy(_sandbox: SandboxProcess) -> SandboxProcess:
    _sandbox.reset()
    return _sandbox


@pytest.fixture
def shopper(swiggy: SandboxProcess) -> Iterator[Shopper]:
    one = Shopper(swiggy)
    yield one
    one.close()


@pytest.fixture
def home(shopper: Shopper) -> str:
    return shopper.address("Home")
