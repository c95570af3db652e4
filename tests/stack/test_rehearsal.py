"""A practice order on real processes: spoken as a real one is, at a shop of its own, and nothing of it at the real shop."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from chronicle import services
from tests.support.system import BOUND_S, Speaker, System
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_postgres

KNOWING = ("worker-turns", "worker-effects", "worker-ticks", "web")


@pytest.fixture
def practising(house: System, tmp_path: Path) -> System:
    """The same system where the operator has listed the mode too; what knows of modes is started again."""
    config = tmp_path / "config"
    shutil.copytree(services.ROOT / "tests" / "config", config)
    said: dict[str, Any] = yaml.safe_load((config / "plugins.yml").read_text())
    said["plugins"]["swiggy_instamart"]["modes"].append("swiggy_rehearsal")
    (config / "plugins.yml").write_text(yaml.safe_dump(said))
    house._start_practice()
    given = {"CHRONICLE_CONFIG_DIR": str(config), "SWIGGY_REHEARSAL_URL": house.environ.pop("SWIGGY_REHEARSAL_URL")}
    for name in KNOWING:
        house.exchange(name, environ={**house.children[name].environ, **given})
    assert not house.wait_green(timeout=60), "the practice shop has its light, and it turns green"
    return house


@pytest.mark.promise("P217", "P258", "P163")
def test_a_whole_order_is_practised_and_the_real_shop_hears_nothing(practising: System, kitchen: Speaker) -> None:
    told = kitchen.order_by_cursor("practice order swiggy")
    replies = [one["data"] for one in told if one["event"] == "interaction.reply"]
    assert {(one["data"].get("practice"), one["mode"]) for one in replies} == {(True, "swiggy_rehearsal")}
    assert replies[-1]["text"].startswith("That was practice: nothing was ordered and nothing was paid.")
    assert "interaction.payment" not in {one["event"] for one in told}
    assert practising.ledger()["calls"] == []
    assert practising.value("SELECT count(*) FROM swiggy_instamart_checkoutintent") == 0
    wait_until(lambda: "practice shop" not in practising.red(), BOUND_S, "the light of the practice shop")
