"""One running system for the stack tests that only speak to it, and the listening side of a device."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.stack import Stack
from tests.support import stack


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("stack")


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """All of it: broker, sandbox, web, workers, beat, with the demo's configuration."""
    with stack.running(tmp_path_factory.mktemp("system")) as running:
        yield running


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Stack]:
    """Broker, sandbox, tables and people, and no service yet; ``spawn`` starts one."""
    with stack.database() as url:
        prepared = Stack(tmp_path, environ=stack.environ(**url), say=lambda _: None)
        try:
            prepared.prepare()
            yield prepared
        finally:
            prepared.stop()
