"""What the sign-in means to somebody who orders: known before the order and before the checkout, renewed without a word."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from swiggy_instamart import pairs, rotation
from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import NOTHING, Ledger, Speaker

MINUTES_S, HOURS_S = 5 * 60, 20 * 3600


@pytest.fixture
def home(sandbox: SandboxProcess, settings: Any, tmp_path: Path) -> Path:
    """A sign-in of the test's own."""
    settings.SWIGGY_TOKEN_DIRECTORY = tmp_path / "swiggy"
    seed.write_tokens(tmp_path / "swiggy")
    return tmp_path / "swiggy"


def refreshes(sandbox: SandboxProcess) -> list[str]:
    return [refresh["result"] for refresh in sandbox.ledger()["refreshes"]]


# ---- before the order ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P176")
@pytest.mark.case("D04")
def test_a_sign_in_that_ends_within_minutes_opens_no_order(home: Path, asha_speaks: Speaker, ledger: Ledger) -> None:
    seed.write_tokens(home, expires_in_s=MINUTES_S)
    said = asha_speaks.say("order swiggy")
    assert said.startswith("The Swiggy sign-in ends within minutes. The operator has to sign in again")
    assert (asha_speaks.ended, ledger.calls) == ("sign_in_needed", [])


@pytest.mark.case("D04")
def test_the_last_day_is_said_once_in_an_order_at_its_start(home: Path, asha_speaks: Speaker) -> None:
    seed.write_tokens(home, expires_in_s=HOURS_S)
    said = [
        asha_speaks.say(text) for text in ("order swiggy", "change address", "Home", "yes", "milk", "change address", "Home")
    ]
    assert ["ends within a day" in text for text in said] == [True] + [False] * 6
    asha_speaks.say("cancel order")
    assert "ends within a day" in asha_speaks.say("order swiggy")


@pytest.mark.promise("P175")
@pytest.mark.case("D04")
def test_an_ended_sign_in_that_can_be_renewed_is_renewed_without_a_word(
    home: Path, asha_speaks: Speaker, sandbox: SandboxProcess
) -> None:
    seed.write_tokens(home, expires_in_s=-60, refresh_token=seed.refresh_token())
    said = asha_speaks.say("order swiggy")
    assert said == "Use Home for delivery?"
    assert refreshes(sandbox) == ["granted"]


@pytest.mark.promise("P176")
@pytest.mark.case("E02")
def test_a_damaged_sign_in_is_said_and_swiggy_is_not_called(
    home: Path, asha_speaks: Speaker, ledger: Ledger, sandbox: SandboxProcess
) -> None:
    whole = (home / "tokens.json").read_bytes()
    (home / "tokens.json").write_bytes(whole[:30])
    before = sandbox.ledger()["http"]
    assert asha_speaks.say("order swiggy").startswith("The Swiggy sign-in file is damaged. The operator has to sign in again")
    assert (asha_speaks.ended, sandbox.ledger()["http"]) == ("sign_in_needed", before)
    (home / "tokens.json").write_bytes(whole)
    assert "Use Home" in asha_speaks.say("order swiggy")


# ---- before the checkout ------------------------------------------------------------------------------------------------


@pytest.mark.promise("P176", "P177")
@pytest.mark.case("D04")
def test_a_sign_in_that_would_not_outlive_the_payment_arms_no_checkout_and_keeps_the_basket(
    home: Path, asha_speaks: Speaker, ledger: Ledger, tmp_path: Path
) -> None:
    asha_speaks.to_review()
    seed.write_tokens(home, expires_in_s=MINUTES_S)
    held = ledger.cart
    said = asha_speaks.say("confirm order")
    assert "ends too soon to follow a payment, so nothing was placed. The operator has to sign in again" in said
    assert (asha_speaks.phase, asha_speaks.ended, ledger.cart, ledger.money) == ("shopping", "", held, NOTHING)
    assert "ends too soon" in asha_speaks.say("complete order")  # known before it is read out, too
    rotation.replace(home, source=_new(tmp_path))
    asha_speaks.say("complete order")
    asha_speaks.say("confirm order")
    assert asha_speaks.phase == "awaiting_payment"


@pytest.mark.promise("P175")
@pytest.mark.case("E01")
def test_a_token_that_dies_before_the_checkout_is_renewed_by_the_last_look(
    home: Path, asha_speaks: Speaker, ledger: Ledger, sandbox: SandboxProcess
) -> None:
    seed.write_tokens(home, tid="dead", refresh_token=seed.refresh_token())
    asha_speaks.to_review()
    sandbox.settings(revoked_tokens=["dead"])
    asha_speaks.say("confirm order")
    assert (asha_speaks.phase, ledger.count("checkout"), refreshes(sandbox)) == ("awaiting_payment", 1, ["granted"])


@pytest.mark.promise("P175")
@pytest.mark.case("E01")
def test_a_checkout_whose_token_is_refused_is_a_refusal_and_not_sent_again(
    home: Path, asha_speaks: Speaker, ledger: Ledger, sandbox: SandboxProcess
) -> None:
    seed.write_tokens(home, refresh_token=seed.refresh_token())
    asha_speaks.to_review()
    sandbox.faults([{"tool": "checkout", "kind": "status", "status": 401}])
    said = asha_speaks.say("confirm order")
    assert "Swiggy did not accept our sign-in, so nothing was placed" in said
    assert (asha_speaks.phase, ledger.count("checkout"), ledger.money.orders) == ("shopping", 1, 0)
    assert refreshes(sandbox) == ["granted"]  # for the look at the orders that followed
    sandbox.faults([])
    asha_speaks.say("complete order")
    asha_speaks.say("confirm order")
    assert (asha_speaks.phase, ledger.count("checkout"), ledger.money.orders) == ("awaiting_payment", 2, 1)


def _new(tmp_path: Path) -> Path:
    seed.write_tokens(tmp_path / "new")
    return tmp_path / "new"


# ---- one verdict --------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P235")
@pytest.mark.parametrize(
    ("left_s", "exit_code", "light"), [(4.2 * 86_400, 0, "green"), (HOURS_S, 1, "green"), (-60, 2, "red"), (None, 2, "red")]
)
def test_the_command_the_status_line_and_the_admin_give_one_verdict(
    home: Path, asha: Any, django_user_model: Any, left_s: float | None, exit_code: int, light: str
) -> None:
    from swiggy_instamart.models import Account

    seed.write_tokens(home, expires_in_s=left_s or 0)
    if left_s is None:
        (home / "tokens.json").write_text("null")
    said = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("swiggy_status", stdout=said)
    sentence = said.getvalue().strip()
    assert ended.value.code == exit_code
    operator = Client()
    line = operator.get("/status").json()["parts"]["swiggy sign-in"]
    assert (line["status"], line["text"]) == (light, sentence)
    Account.objects.create(user=asha)
    operator.force_login(django_user_model.objects.create_superuser("operator"))
    page = operator.get("/admin/swiggy_instamart/account/")
    assert sentence in page.content.decode().replace("&#x27;", "'")


# ---- other clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.case("E09")
@pytest.mark.parametrize("off_ms", [90_000, -90_000], ids=["ahead", "behind"])
def test_a_device_whose_clock_is_off_is_heard_in_the_order_of_receipt(home: Path, asha_speaks: Speaker, off_ms: int) -> None:
    def spoken(at_ms: int) -> dict[str, int]:
        return {"start_ms": 200_000 + at_ms, "end_ms": 200_900 + at_ms}

    asha_speaks.say("order swiggy", **spoken(0))
    first = asha_speaks.utter("yes", **spoken(off_ms + 5_000))
    second = asha_speaks.utter("two milk", listened=False, **spoken(-off_ms))
    assert [one["disposition"] for one in (first, second)] == ["accepted"] * 2
    asha_speaks.work()
    assert "For milk I found" in asha_speaks.hear()
    assert asha_speaks.phase == "shopping"


@pytest.mark.case("E09")
def test_a_token_issued_a_second_in_the_future_orders(home: Path, asha_speaks: Speaker) -> None:
    raw = json.loads((home / "tokens.json").read_text())
    raw["issued_at"] = raw["iat"] = 4_000_000_000
    (home / "tokens.json").write_text(json.dumps(raw))
    assert pairs.read(home).expires_at is not None
    assert "Use Home" in asha_speaks.say("order swiggy")
