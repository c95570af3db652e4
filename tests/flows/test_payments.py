"""From the checkout on: the intent, the watch and its endings, each against the sandbox on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support import shop
from tests.support.shop import Till

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with shop.opened(Path(settings.SWIGGY_TOKEN_DIRECTORY)) as running:
        yield running


@pytest.fixture
def till(sandbox: SandboxProcess, kitchen: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Till:
    sandbox.reset()
    settings.SWIGGY_MCP_URL = sandbox.url
    return Till(kitchen.device, sandbox, monkeypatch)


def test_one_order_is_spoken_and_paid(till: Till) -> None:
    till.to_payment()
    print("\n".join(till.said))
    assert till.phase == "awaiting_payment"
    assert till.ledger["checkouts"] == 1
