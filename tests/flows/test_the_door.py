"""The door in front of real processes: each role refuses to start with the same list, and what is off is not imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support import roles

pytestmark = pytest.mark.on_sqlite

ROOT = Path(__file__).resolve().parent.parent.parent

WRONG = {
    "config.yml": "assistant:\n  nmaes: [Hermes]\n",
    "plugins.yml": (
        "plugins:\n"
        "  hermes: {enabled: true, app: chronicle.plugins.hermes}\n"
        "  echo: {enabled: true, app: tests.echo_mode, modes: [echo], phrases: {echo: [stop]}}\n"
        "  again: {enabled: true, app: tests.echo_mode}\n"
    ),
    "plugins/hermes/config.yml": "webhook_secret: ${SECRET\nwebhook_urls: x\n",
}
SAID = """\
config: unknown key 'assistant.nmaes' (CONFIG/config.yml:2); did you mean 'names'?
hermes: '${' begins no variable here; write ${NAME} or ${NAME:-default}, with no brace inside (CONFIG/plugins/hermes/config.yml:1)
hermes: unknown key 'webhook_urls' (CONFIG/plugins/hermes/config.yml:2); did you mean 'webhook_url'?
echo: phrase 'stop' of mode 'echo' can never open it: it says 'stop', whatever is open; choose other words (CONFIG/plugins.yml:3)
again: app 'tests.echo_mode' is already brought in by plugin 'echo' (CONFIG/plugins.yml:3); leave one out (CONFIG/plugins.yml:4)
"""  # noqa: E501  as it is printed


def environ(directory: Path, data: Path) -> dict[str, str]:
    return os.environ | {
        "CHRONICLE_CONFIG_DIR": str(directory),
        "CHRONICLE_DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "chronicle.settings",
        "CHRONICLE_LOG_LEVEL": "ERROR",
    }


@pytest.mark.promise("P080", "P220")
@pytest.mark.case("E10")
def test_web_worker_beat_and_the_check_refuse_with_the_same_list(tmp_path: Path) -> None:
    for name, content in WRONG.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    for role, output in roles.refused(roles.COMMANDS, environ(tmp_path, tmp_path / "data")).items():
        said = {line.strip().removeprefix("- ") for line in output.splitlines() if line.startswith("  - ")}
        assert said == set(SAID.replace("CONFIG", str(tmp_path)).splitlines()), f"{role}:\n{output}"
        assert "the configuration has 5 fault(s)" in output


@pytest.mark.promise("P071", "P162", "P178")
def test_nothing_of_a_plugin_that_is_off_is_imported(tmp_path: Path) -> None:
    listed = yaml.safe_load((ROOT / "config" / "plugins.yml").read_text())["plugins"]
    off = [entry.get("app", plugin) for plugin, entry in listed.items() if not entry["enabled"]]
    assert len(off) == len(listed) >= 3
    script = (
        "import sys, django; django.setup()\n"
        "from django.core.management import call_command; call_command('check')\n"
        f"print([name for name in sys.modules if name.startswith({tuple(off)!r})])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environ(ROOT / "config", tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
