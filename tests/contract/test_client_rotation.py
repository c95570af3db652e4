"""``swiggy_status`` and ``rotate_swiggy_tokens``, as an operator runs them, against the sandbox."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.core.management import call_command

from swiggy_instamart import mcp, pairs
from swiggy_instamart.management.commands import rotate_swiggy_tokens, swiggy_status
from swiggy_instamart.sandbox import seed
from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.shop import Swiggy


def run(command: Any, *arguments: str) -> tuple[int, str]:
    """The exit code and everything that was printed."""
    said = io.StringIO()
    try:
        call_command(command, *arguments, stdout=said, stderr=said)
    except SystemExit as ended:
        return int(ended.code or 0), said.getvalue()
    return 0, said.getvalue()


def status() -> tuple[int, str]:
    return run(swiggy_status.Command())


def rotate(*arguments: str) -> tuple[int, str]:
    return run(rotate_swiggy_tokens.Command(), *arguments)


@pytest.fixture(autouse=True)
def _no_tables_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: str) -> Any:
        raise LookupError

    monkeypatch.setattr(apps, "get_model", absent)


@pytest.mark.promise("P235")
def test_swiggy_status_exits_by_the_verdict(sign_in: Path) -> None:
    assert status()[0] == 0
    assert "4 days" in status()[1]
    seed.write_tokens(sign_in, expires_in_s=3600)
    assert status()[0] == 1
    seed.write_expired_tokens(sign_in)
    code, said = status()
    assert code == 2
    assert "rotate_swiggy_tokens" in said


@pytest.mark.promise("P234")
def test_a_proved_pair_is_installed_used_at_once_and_can_be_taken_back(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, tmp_path: Path
) -> None:
    live.cart()
    before = pairs.read(sign_in).access_token
    new = seed.write_tokens(tmp_path / "new")
    reads = len(sandbox.calls())
    code, said = rotate("--from", str(tmp_path / "new"))
    assert (code, len(sandbox.calls()) - reads) == (0, 1)
    assert "Installed" in said
    assert before not in said
    assert new not in said
    assert pairs.read(sign_in).access_token == new
    assert mcp.swiggy().cart() is not None
    assert rotate("--rollback")[0] == 0
    assert pairs.read(sign_in).access_token == before


@pytest.mark.promise("P234")
@pytest.mark.parametrize("fault", ["no client", "damaged", "expired", "renewable", "no directory"])
def test_files_that_cannot_be_used_change_nothing_and_ask_nobody(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, tmp_path: Path, fault: str
) -> None:
    source = tmp_path / "new"
    if fault != "no directory":
        refresh_token = seed.refresh_token() if fault == "renewable" else None
        ended = fault in ("expired", "renewable")
        seed.write_tokens(source, expires_in_s=-1 if ended else 1000, refresh_token=refresh_token)
    if fault == "no client":
        (source / "client.json").unlink()
    if fault == "damaged":
        (source / "tokens.json").write_text("[]")
    before = pairs.read(sign_in)
    code, said = rotate("--from", str(source))
    assert code == 2
    assert "Nothing was changed" in said
    assert pairs.read(sign_in) == before
    assert (sandbox.calls(), sandbox.ledger()["refreshes"]) == ([], [])
    assert rotate("--rollback")[0] == 2


@pytest.mark.promise("P234")
def test_a_pair_that_swiggy_refuses_is_not_installed(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, tmp_path: Path
) -> None:
    before = pairs.read(sign_in)
    seed.write_tokens(tmp_path / "new", tid="gone")
    sandbox.settings(revoked_tokens=["gone"])
    code, said = rotate("--from", str(tmp_path / "new"))
    assert code == 3
    assert "refused" in said
    assert pairs.read(sign_in) == before


@pytest.mark.promise("P234")
def test_a_pair_that_cannot_be_proved_is_not_installed(sign_in: Path, settings: LazySettings, tmp_path: Path) -> None:
    settings.SWIGGY_MCP_URL = "http://127.0.0.1:9/im"
    before = pairs.read(sign_in)
    seed.write_tokens(tmp_path / "new")
    assert rotate("--from", str(tmp_path / "new"))[0] == 3
    assert pairs.read(sign_in) == before


@pytest.mark.promise("P234")
def test_an_open_order_is_warned_about(
    live: Swiggy, sandbox: SandboxProcess, sign_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Rows:
        def filter(self, **_: Any) -> Rows:
            return self

        def count(self) -> int:
            return 1

    monkeypatch.setattr(apps, "get_model", lambda *_: type("Order", (), {"_default_manager": Rows()}))
    seed.write_tokens(tmp_path / "new")
    code, said = rotate("--from", str(tmp_path / "new"))
    assert code == 0
    assert "an order is open" in said


def test_the_end_of_a_token_without_a_claim_is_counted_from_when_it_was_got(sign_in: Path, tmp_path: Path) -> None:
    old = time.time() - 6 * 86_400
    seed.write_tokens(tmp_path / "new")
    path = tmp_path / "new" / "tokens.json"
    path.write_text('{"access_token": "opaque", "expires_in": 432000}')
    os.utime(path, (old, old))
    code, said = rotate("--from", str(tmp_path / "new"))
    assert code == 2
    assert "ended" in said
