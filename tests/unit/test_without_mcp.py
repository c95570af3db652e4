"""A deployment that has no Swiggy, and no MCP package either: every process loads, and a sentence is answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GIVEN = ("SWIGGY_", "HERMES_", "HOME_ASSISTANT_", "CHRONICLE_", "DATABASE_URL")

PLUGINS = """\
plugins:
  swiggy_instamart:
    enabled: false
    modes: [swiggy_order]
  answerer:
    enabled: true
    app: tests.plugins.answerer
    events: [utterance]
"""

# What each process of the deployment does, one after the other, in one where importing ``mcp`` fails as if it were not there.
DEPLOYMENT = """
import json, sys
sys.modules["mcp"] = None
import django
django.setup()
from django.core.management import call_command
call_command("check")                       # also before the first migration
call_command("migrate", verbosity=0)
call_command("check")
import chronicle.asgi                       # web
from chronicle.celery import app            # worker and beat
app.loader.import_default_modules()
from django.contrib.auth import get_user_model
from django.test import Client
from interactions import queues, sweep
from interactions.models import ChainRun
from tests.support import people, talk
owned = people.with_device(get_user_model().objects.create_user("asha"), "kitchen")
body = {"text": "order swiggy", "source": "stream", "final": True, "segmentation": "streaming_stt", "ingest": "live"}
posted = Client(SERVER_NAME="localhost").post(
    "/api/v1/utterances", json.dumps(body), content_type="application/json", headers={**owned.headers, "Idempotency-Key": "k1"}
)
talk.handle(owned.device)
sweep.tick()
print(json.dumps({
    "status": posted.status_code,
    "session": posted.json().get("session"),
    "spoken": talk.spoken(owned.device),
    "tasks": sorted(name for name in app.tasks if name.startswith("swiggy")),
    "queues": queues.needed_by(),
    "loaded": sorted(name for name in sys.modules if name.startswith(("swiggy_instamart", "mcp."))),
}))
"""


@pytest.mark.promise("P071", "P161", "P162", "P178")
@pytest.mark.skipif(os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="brings a database of its own")
def test_a_deployment_without_the_mode_works_where_the_mcp_package_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("")
    (tmp_path / "plugins.yml").write_text(PLUGINS)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(GIVEN)}
    environ |= {
        "DJANGO_SETTINGS_MODULE": "chronicle.settings",
        "CHRONICLE_CONFIG_DIR": str(tmp_path),
        "CHRONICLE_DATA_DIR": str(tmp_path / "data"),
        "CHRONICLE_TLS": "0",
        "REDIS_URL": "redis://127.0.0.1:9/0",
    }
    done = subprocess.run(
        [sys.executable, "-c", DEPLOYMENT], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert told == {
        "status": 202,
        "session": None,
        "spoken": ["The chain heard: order swiggy"],
        "tasks": [],
        "queues": {"turns": "plugin answerer", "effects": ""},
        "loaded": [],
    }
