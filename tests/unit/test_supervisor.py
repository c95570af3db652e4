"""What ``make run`` leaves for an operator's commands."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

from chronicle import supervisor
from chronicle.stack import Stack


def test_a_shell_that_reads_the_environment_meets_the_running_system_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    given = {"REDIS_URL": "unix:///tmp/a b'c.sock", "CHRONICLE_PORT": "8000", "HOME": "/elsewhere"}
    file = supervisor.note_environment(Stack(tmp_path, environ=given))
    read = subprocess.run(
        ["/bin/sh", "-c", f'. {file}; printf \'%s %s\' "$REDIS_URL" "$CHRONICLE_PORT"'],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert read.stdout == "unix:///tmp/a b'c.sock 8000"
    assert "HOME" not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
