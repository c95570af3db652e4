"""``manage.py check --deploy`` and the missing migrations, asked with the settings of a real deployment.

Run by ``make check``. Plugins are on here, so that their rows and their settings are looked at too.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COMMANDS = (("makemigrations", "--check", "--dry-run"), ("check", "--deploy", "--fail-level", "WARNING"))


def main() -> int:
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
        for command in COMMANDS:
            done = subprocess.run(
                [sys.executable, "manage.py", *command], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(done.stdout + done.stderr, file=sys.stderr)
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
