"""``make test``: every test in legs, one more at once than there are cores: those with a stack of processes mostly wait.

More at once take longer in sum: on two cores, six legs at once cost half as much CPU again as the same six one by one. Long
ones and those that wait come first.

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
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.support import manifest, postgres

TRIALS = "tests/mutants/test_trials.py"  # `make mutants`, which CI runs too
COUNTS = re.compile(r"(\d+) (passed|failed|errors?|skipped)\b")
EVERYWHERE = "--everywhere"


@dataclass(frozen=True)
class Leg:
    """What one run covers. ``postgres``: on PostgreSQL, in a test database named after this; else on SQLite."""

    name: str
    paths: tuple[str, ...]
    postgres: str = ""


FLOWS, ORDERS, RACES, STACK = "tests/flows", "tests/flows/order", "tests/races", "tests/stack"


def legs(*, everywhere: bool) -> tuple[Leg, ...]:
    """``everywhere``, as CI asks: orders and races on both databases, and what else make test asks on one or not at all."""
    sqlite = () if everywhere else ("-m", "not on_postgres and not whole")
    postgres = ("-m", "not wire" if everywhere else "not wire and not on_sqlite and not whole")
    every = (
        Leg("processes, PostgreSQL", (STACK, *postgres), postgres="postgres"),
        Leg("flows and races, PostgreSQL", (FLOWS, RACES, f"--ignore={ORDERS}", *postgres), postgres="flows"),
        Leg("orders, SQLite", (ORDERS,)),
        Leg("processes, SQLite", (STACK, *sqlite)),
        Leg("rules and contracts, SQLite", ("tests", *(f"--ignore={path}" for path in (STACK, FLOWS, RACES, TRIALS)))),
        Leg("flows, SQLite", (FLOWS, f"--ignore={ORDERS}", *sqlite)),
    )
    more = (Leg("races, SQLite", (RACES,)), Leg("orders, PostgreSQL", (ORDERS, *postgres), postgres="orders"))
    return (*every, *more) if everywhere else every


@dataclass(frozen=True)
class Result:
    leg: Leg
    code: int
    output: str
    seconds: float
    cpu_s: float


def run(leg: Leg, *, address: str, tally: Path, arguments: list[str]) -> Result:
    # Some hundred processes import the same modules: compile them once. SQLite is where no database is named.
    left_out = ("PYTHONDONTWRITEBYTECODE", "DATABASE_URL")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment["PROMISES_TALLY"] = str(tally)
    if leg.postgres:
        environment["DATABASE_URL"] = urlunsplit(urlsplit(address)._replace(path=f"/{leg.postgres}"))
    if os.access(postgres.MEMORY, os.W_OK):
        environment["TMPDIR"] = postgres.MEMORY
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *leg.paths, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process.stdout or nullcontext() as output:
        said = output.read() if output else ""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Result(leg, process.returncode, said, time.monotonic() - began, used.ru_utime + used.ru_stime)


def main(arguments: list[str]) -> int:
    total = {"passed": 0, "failed": 0, "skipped": 0}
    tally, codes, all_legs = manifest.Tally(), [], legs(everywhere=EVERYWHERE in arguments)
    arguments = [argument for argument in arguments if argument != EVERYWHERE]
    at_once = min((os.cpu_count() or 1) + 1, len(all_legs))
    print(f"{len(all_legs)} legs, {at_once} at once; each is shown when it and those before it have ended", flush=True)
    with postgres.server() as address, tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(at_once) as pool:
        files = [Path(folder) / str(number) for number in range(len(all_legs))]
        waiting = [
            pool.submit(run, leg, address=address, tally=file, arguments=arguments)
            for leg, file in zip(all_legs, files, strict=True)
        ]
        for future, file in zip(waiting, files, strict=True):
            result = future.result()
            print(
                f"\n==== {result.leg.name} ({result.seconds:.0f} s, {result.cpu_s:.0f} s of CPU)\n{result.output.rstrip()}",
                flush=True,
            )
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
