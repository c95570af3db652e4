"""``swiggy_sign_in`` as an operator runs it: a process of its own, a browser played by the test, and the sandbox."""

from __future__ import annotations

import importlib
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from django.conf import LazySettings

from swiggy_instamart import mcp, pairs
from swiggy_instamart.sandbox.process import ROOT, SandboxProcess


@contextmanager
def signing_in(sandbox: SandboxProcess, target: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it asked the operator to open."""
    command = [sys.executable, "manage.py", "swiggy_sign_in", "--to", str(target), "--no-browser", *more]
    environ = os.environ | {"SWIGGY_MCP_URL": sandbox.url}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environ, stdout=pipe, stderr=subprocess.STDOUT, text=True) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline().startswith("Open this address")
            yield running, running.stdout.readline().strip()
        finally:
            running.kill()


@pytest.mark.promise("P257", "P173")
def test_an_operator_signs_in_and_the_two_files_are_good_and_private(
    sandbox: SandboxProcess, settings: LazySettings, tmp_path: Path
) -> None:
    sandbox.reset()
    target = tmp_path / "new"
    with signing_in(sandbox, target) as (running, address):
        asked = parse_qs(urlsplit(address).query)
        assert (asked["code_challenge_method"], asked["response_type"]) == (["S256"], ["code"])
        callback = asked["redirect_uri"][0]
        assert urlsplit(callback).hostname == "127.0.0.1"
        stranger = httpx2.get(f"{callback}?code=theirs&state=theirs", trust_env=False)
        assert stranger.status_code == 400
        assert httpx2.get(address, follow_redirects=True, trust_env=False).status_code == 200
        said, _ = running.communicate(timeout=20)
        assert running.returncode == 0, said
    pair = pairs.read(target)
    assert "rotate_swiggy_tokens --from" in said
    assert pair.access_token not in said
    assert pair.client_id == "swiggy-mcp"
    assert {stat.S_IMODE(path.stat().st_mode) for path in target.iterdir()} == {0o600}
    assert stat.S_IMODE(target.stat().st_mode) == 0o700
    settings.SWIGGY_MCP_URL = sandbox.url
    with mcp.using(target) as swiggy:
        assert swiggy.cart() is not None


@pytest.mark.promise("P257")
def test_a_sign_in_that_was_turned_down_writes_nothing(sandbox: SandboxProcess, tmp_path: Path) -> None:
    with signing_in(sandbox, tmp_path / "new") as (running, address):
        asked = parse_qs(urlsplit(address).query)
        denied = f"{asked['redirect_uri'][0]}?error=access_denied&state={asked['state'][0]}"
        httpx2.get(denied, trust_env=False)
        said, _ = running.communicate(timeout=20)
    assert running.returncode == 1
    assert "did not sign you in (access_denied)" in said
    assert not (tmp_path / "new").exists()


@pytest.mark.promise("P257", "P175")
def test_no_other_process_can_import_it() -> None:
    with pytest.raises(ImportError, match="operator's terminal alone"):
        importlib.import_module("swiggy_instamart.management.commands.swiggy_sign_in")
