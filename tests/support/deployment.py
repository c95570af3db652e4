"""Runs a check with the settings of a real deployment, every bundled plugin on: ``python -m tests.support.deployment COMMAND``.

Types, missing migrations and ``check --deploy`` are asked this way, so that the plugins' rows and settings are looked at too.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def main(command: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="chronicle-check-") as data:
        environ = os.environ | {
            "CHRONICLE_SECRET_KEY": secrets.token_urlsafe(64),
            "CHRONICLE_DATA_DIR": data,
            "CHRONICLE_CONFIG_DIR": str(ROOT / "config" / "demo"),
            "CHRONICLE_LOG_LEVEL": "WARNING",
            "SWIGGY_LINKED_USER_ID": "asha",
            "SWIGGY_MCP_URL": "http://127.0.0.1:9/im",
        }
        environ.pop("DATABASE_URL", None)
        return subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environ, stdin=subprocess.DEVNULL, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
