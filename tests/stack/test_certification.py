"""The certification itself, in its smallest form: the commit that begins the checkout, killed, frozen and rewound."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from swiggy_instamart.certification import conversations

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "certification.md"
PATIENCE_S = 240
FEWEST_RUNS = 200

pytestmark = pytest.mark.stack


@pytest.mark.whole
@pytest.mark.promise("P203", "P263")
@pytest.mark.skipif(os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="asked once here; CI asks on both")
def test_at_the_commit_that_begins_a_checkout_nothing_that_is_done_to_the_processes_spends_twice() -> None:
    asked = ["--size", "full", "--conversation", "plain order", "--only", "confirm order: 10 interactions.steps.commit"]
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


@pytest.mark.promise("P203")
def test_the_page_states_a_whole_certification_of_every_conversation_on_both_databases() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    total = {name: [int(cell) for cell in cells] for name, *cells in rows if name in ("runs", "violations")}
    assert len(total["runs"]) == 2
    assert min(total["runs"]) >= FEWEST_RUNS
    assert max(total["violations"]) == 0
    missing = [one.name for one in conversations.ALL if f"| {one.name} |" not in page]
    assert not missing, f"make certify has not been run since {', '.join(missing)} came: run it, and commit the page"
