"""A mode of somebody else: two files and one entry, and it talks in the hall while an order is open in the kitchen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from interactions import registry
from tests import echo_mode
from tests.flows.order.dialogue import NOTHING, Ledger, Speaker
from tests.support.people import Owned

pytestmark = pytest.mark.on_sqlite

HERE = Path(echo_mode.__file__).parent
LISTED = HERE.parent / "config" / "plugins.yml"


@pytest.mark.promise("P068", "P169")
def test_a_mode_is_two_files_and_one_entry_that_the_host_finds_by_name() -> None:
    written = {path.name for path in HERE.glob("*.py") if path.read_text(encoding="utf-8").strip()}
    assert written == {"apps.py", "mode.py"}
    entry = yaml.safe_load(LISTED.read_text(encoding="utf-8"))["plugins"]["echo"]
    assert (entry["app"], entry["modes"]) == ("tests.echo_mode", ["echo"])
    assert registry.plugin_of("echo") == "echo"
    root = HERE.parent.parent
    rooms = [path for package in ("chronicle", "interactions", "swiggy_instamart") for path in (root / package).rglob("*.py")]
    assert [path.name for path in rooms if "echo_mode" in path.read_text(encoding="utf-8")] == []


@pytest.mark.promise("P059", "P061", "P164")
def test_it_holds_a_conversation_in_the_hall_while_an_order_is_open_in_the_kitchen(
    asha_speaks: Speaker, at: Callable[[Owned], Speaker], hall: Owned, ledger: Ledger
) -> None:
    echo = at(hall)
    assert asha_speaks.say("order swiggy") == "Use Home for delivery?"
    assert echo.say("open echo") == "Echo is open."
    assert asha_speaks.say("yes") == "What would you like?"
    assert echo.say("milk and bread") == "You said: milk and bread"
    assert "Which one?" in asha_speaks.say("milk")
    assert echo.say("look up the weather") == "look_up: the weather"
    assert "The cart has 1 x" in asha_speaks.say("option 1")
    assert echo.say("option 1") == "You said: option 1"
    assert [speaker.session.mode for speaker in (asha_speaks, echo)] == ["swiggy_order", "echo"]
    assert {row["session_id"] for row in echo.events} == {echo.session.pk}
    assert echo.say("stop") == "Echo is closed."
    assert (echo.ended, asha_speaks.ended, asha_speaks.phase) == ("cancelled", "", "shopping")
    assert len(ledger.cart) == 1
    assert "closed the order" in asha_speaks.say("cancel order")
    assert ledger.money == NOTHING
