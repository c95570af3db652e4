"""``make test``: every test in legs, some at a time, since a stack of processes mostly waits.

Each leg is a pytest run of its own with its own database. Its output is shown whole when it ends; the promises kept are added
up over all legs, and the last line counts their tests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.support import manifest, postgres

TRIALS = "tests/mutants/test_trials.py"  # `make mutants`, which CI runs too
AT_ONCE = 5  # on two cores: the legs with a stack of processes mostly wait, and the others wait for the shop now and then
COUNTS = re.compile(r"(\d+) (passed|failed|errors?|skipped)\b")


@dataclass(frozen=True)
class Leg:
    """What one run covers. ``postgres``: on PostgreSQL, else on SQLite."""

    name: str
    paths: tuple[str, ...]
    postgres: bool = False


# What touches no database runs once, and so does what asks about the line to the shop.
FLOWS, RACES, STACK = "tests/flows", "tests/races", "tests/stack"
LEGS = (
    Leg("processes, PostgreSQL", (STACK,), postgres=True),
    Leg("processes, SQLite", (STACK,)),
    Leg("flows and races, PostgreSQL", (FLOWS, RACES, "-m", "not wire"), postgres=True),  # one test database, so one leg
    Leg("flows, SQLite", (FLOWS,)),
    Leg("rules, contracts and races, SQLite", ("tests", *(f"--ignore={path}" for path in (STACK, FLOWS, TRIALS)))),
)


@dataclass(frozen=True)
class Result:
    leg: Leg
    code: int
    output: str
    seconds: float


def run(leg: Leg, *, address: str, tally: Path, arguments: list[str]) -> Result:
    environment = os.environ | {"PROMISES_TALLY": str(tally), "DATABASE_URL": address if leg.postgres else ""}
    if not leg.postgres:
        del environment["DATABASE_URL"]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *leg.paths, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Result(leg, done.returncode, done.stdout, time.monotonic() - began)


def main(arguments: list[str]) -> int:
    total = {"passed": 0, "failed": 0, "skipped": 0}
    tally, codes = manifest.Tally(), []
    print(f"{len(LEGS)} legs, {AT_ONCE} at a time; each is shown when it ends", flush=True)
    with postgres.server() as address, tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        files = [Path(folder) / str(number) for number in range(len(LEGS))]
        waiting = [
            pool.submit(run, leg, address=address, tally=file, arguments=arguments)
            for leg, file in zip(LEGS, files, strict=True)
        ]
        for future, file in zip(waiting, files, strict=True):
            result = future.result()
            print(f"\n==== {result.leg.name} ({result.seconds:.0f} s)\n{result.output.rstrip()}", flush=True)
            codes.append(result.code)
            for count, word in COUNTS.findall(result.output.rstrip().splitlines()[-1] if result.output.strip() else ""):
                total["failed" if word.startswith("error") else word] += int(count)
            if file.exists():
                tally.add(file)
    print(f"\n{tally.line()}")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
