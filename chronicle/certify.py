"""``make certify``: the order mode certified against a sandbox, on the database that DATABASE_URL names, else on SQLite.

Leases are scaled to a second here, the mode's own waiting times by its suite; no other set-up of this machine is read.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile

from chronicle import services, stack

SCALED = {"CHRONICLE_LEASE_S": "1", "CHRONICLE_LEASE_MARGIN_S": "0.5", "CHRONICLE_SWEEP_S": "0.1"}


def main(arguments: list[str]) -> int:
    given = os.environ.get("DATABASE_URL", "")
    with tempfile.TemporaryDirectory(prefix="chronicle-certify-") as data:
        environ = (
            stack.alone(os.environ)
            | ({} if "--random" in arguments else SCALED)
            | {
                "CHRONICLE_SECRET_KEY": secrets.token_urlsafe(64),
                "CHRONICLE_DATA_DIR": data,
                "CHRONICLE_CONFIG_DIR": str(services.ROOT / "config" / "demo"),
                "CHRONICLE_LOG_LEVEL": "ERROR",
                "SWIGGY_LINKED_USER_ID": stack.PERSON,
                "SWIGGY_MCP_URL": "http://127.0.0.1:9/im",  # each run has a sandbox of its own
            }
            | ({"DATABASE_URL": given} if given else {})
        )
        command = [sys.executable, "manage.py", "certify", *arguments]
        return subprocess.run(command, cwd=services.ROOT, env=environ, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
