"""The sign-in of a system that runs: replaced, ended and damaged under its workers, none of which is restarted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from swiggy_instamart import pairs, rotation
from swiggy_instamart.sandbox import seed
from tests.support.system import BOUND_S, Speaker, System
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_sqlite


@pytest.fixture
def sign_in(house: System) -> Iterator[Path]:
    """Where the running system keeps it; whole again afterwards."""
    home = house.data / "integrations" / "swiggy"
    seed.write_tokens(home, tid="first")
    yield home
    seed.write_tokens(home)


@pytest.mark.promise("P175", "P177")
@pytest.mark.case("D04")
def test_workers_use_a_replaced_sign_in_and_then_a_renewed_one_from_their_next_call(
    house: System, kitchen: Speaker, sign_in: Path, tmp_path: Path
) -> None:
    assert "Use Home" in kitchen.ask("order swiggy")
    seed.write_tokens(tmp_path / "new", tid="second")
    rotation.replace(sign_in, source=tmp_path / "new")
    house.shop(revoked_tokens=["first"])
    kitchen.answer_to(kitchen.accepted("yes"), question=True)
    seed.write_tokens(sign_in, tid="third", refresh_token=seed.refresh_token())
    house.shop(revoked_tokens=["first", "second", "third"])  # the workers hold a session of the second
    assert "For milk I found" in kitchen.answer_to(kitchen.accepted("milk"), question=True)["text"]
    ledger = house.ledger()
    assert [refresh["result"] for refresh in ledger["refreshes"]] == ["granted"]
    assert pairs.read(sign_in).refresh_token
    assert "swiggy sign-in" not in house.red()


@pytest.mark.promise("P176", "P235")
@pytest.mark.case("E02")
def test_a_damaged_sign_in_turns_the_status_red_is_said_and_heals_by_new_files(
    house: System, kitchen: Speaker, sign_in: Path
) -> None:
    (sign_in / "tokens.json").write_text("hdr.payload.sig")
    assert "tokens.json is damaged" in house.red()["swiggy sign-in"]
    assert "sign-in file is damaged" in kitchen.ask("order swiggy")
    assert house.calls() == []
    seed.write_tokens(sign_in)
    wait_until(lambda: "swiggy sign-in" not in house.red(), BOUND_S, "a green sign-in")
    assert "Use Home" in kitchen.ask("order swiggy")
