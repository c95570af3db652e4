"""The certification itself, in its smallest form: the commit that begins the checkout, killed, frozen and rewound."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_S = 240

pytestmark = pytest.mark.stack


@pytest.mark.promise("P203", "P263")
@pytest.mark.skipif(os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="asked once here; CI asks on both")
def test_at_the_commit_that_begins_a_checkout_nothing_that_is_done_to_the_processes_spends_twice() -> None:
    asked = ["--size", "full", "--conversation", "plain order", "--only", "confirm order: 11 "]
    done = subprocess.run(
        [sys.executable, "-m", "chronicle.certify", *asked],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 runs in" in done.stdout
    assert "violations: 0" in done.stdout
