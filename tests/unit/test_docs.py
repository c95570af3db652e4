"""What the pages say is what the code does: the tutorial is the echo mode, the table of settings is the schemas."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from chronicle import reference
from interactions.configuration import HostConfiguration
from swiggy_instamart import money_phrase
from swiggy_instamart.options import Options

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"<!-- (?P<how>file|part of): (?P<path>\S+) -->\n```\w+\n(?P<text>.*?)\n```", re.DOTALL)


@pytest.mark.promise("P220")
def test_the_tutorial_is_the_echo_mode() -> None:
    blocks = list(BLOCK.finditer((ROOT / "docs" / "writing-a-mode.md").read_text(encoding="utf-8")))
    assert [block["path"] for block in blocks] == [
        "tests/echo_mode/apps.py",
        "tests/echo_mode/mode.py",
        "tests/config/plugins.yml",
    ]
    for block in blocks:
        file = (ROOT / block["path"]).read_text(encoding="utf-8")
        if block["how"] == "file":
            assert block["text"] == file.rstrip(), f"{block['path']} has changed: put it into docs/writing-a-mode.md again"
        else:
            assert block["text"].removeprefix("plugins:\n") in file


def test_the_table_of_settings_is_made_from_the_schemas() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == reference.page(), "run manage.py reference"


@pytest.mark.promise("P132", "P133")
def test_the_table_of_what_confirms_is_made_from_the_rules() -> None:
    page = (ROOT / "docs" / "money-phrase.md").read_text(encoding="utf-8")
    assert page == money_phrase.page(), "run manage.py reference"


@pytest.mark.parametrize(
    ("schema", "limit", "shipped"),
    [
        (Options, "idle_s", 600),
        (Options, "hard_s", 1800),
        (Options, "mcp_attempt_s", 6),
        (Options, "read_attempts", 2),
        (Options, "search_samples", 3),
        (Options, "review_validity_s", 120),
        (Options, "order_limit_rupees", 1000),
        (Options, "payment_interval_s", 5),
        (Options, "payment_window_s", 600),
        (HostConfiguration.model_fields["limits"].annotation, "dedupe_window_s", 5),
        (HostConfiguration.model_fields["limits"].annotation, "llm_attempt_s", 3),
    ],
)
def test_each_limit_is_a_named_setting_with_its_value_and_its_range(schema: type, limit: str, shipped: float) -> None:
    assert getattr(schema(), limit) == shipped
    rows = [line for line in reference.page().splitlines() if f"{limit}` | `{shipped}` |" in line]
    assert len(rows) == 1
    assert " to " in rows[0].split("|")[3]


def test_the_modes_command_shows_what_opens_a_mode_and_what_releases_its_once() -> None:
    out = StringIO()
    call_command("modes", stdout=out)
    shown = out.getvalue()
    assert '"open echo"' in shown
    assert 'shout: once, within 10 s, only by "shout it" in confirming' in shown
    assert "ordinary chain: recorder (0), swiggy_instamart (50), home_assistant (100), hermes (200), answerer (900)" in shown
