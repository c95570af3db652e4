"""``make bench``: understanding a turn against the bare turn, on the database server that DATABASE_URL names, else on SQLite.

Exits with 1 where a budget is missed, and with 2 where nothing could be measured.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import django

from chronicle import services, stack
from chronicle.bench import cpu, database, page, pairs, turns
from chronicle.bench.database import DatabaseError
from chronicle.bench.understanding import SentenceError
from chronicle.children import ChildError
from chronicle.stack import Stack

SETTINGS = "chronicle.bench.settings"
FAULTS = (ChildError, services.ServiceError, DatabaseError, SentenceError, cpu.NoClockError, turns.TurnError)


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    if options.page:
        print(page.page(page.read(options.page)), end="")
        return 0
    data = Path(tempfile.mkdtemp(prefix="chronicle-bench-"))  # short, for the broker's socket lies there
    kept = False
    try:
        cpu.verify()
        with database.own(os.environ.get("DATABASE_URL", "")) as given:
            missed = _measure(data, environ(given), "PostgreSQL" if given else "SQLite", options.results)
    except FAULTS as error:
        kept = (data / "logs").exists()
        where = f" The logs are kept in {data / 'logs'}" if kept else ""
        print(f"{error}\nNothing was measured.{where}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        if not kept:
            shutil.rmtree(data)
    return 1 if missed else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m chronicle.bench", description=__doc__)
    parser.add_argument("--results", type=Path, help="write the numbers to this file")
    parser.add_argument(
        "--page", nargs="+", type=Path, metavar="FILE", help="print the page from such files, and do nothing else"
    )
    return parser.parse_args(arguments)


def environ(given: dict[str, str]) -> dict[str, str]:
    """A stack that touches nothing of this machine's, serves the floor, and asks no shop."""
    return (
        stack.alone(os.environ)
        | given
        | {
            "DJANGO_SETTINGS_MODULE": SETTINGS,
            "CHRONICLE_LOG_LEVEL": "WARNING",
            "SWIGGY_MCP_URL": "http://127.0.0.1:9/im",
        }
    )


def _measure(data: Path, environment: dict[str, str], called: str, results: Path | None) -> bool:
    """Start the stack, measure, and say what came of it; whether a budget was missed."""
    began = time.monotonic()
    print(f"{called}: starting broker, database, web and worker", flush=True)
    with Stack(data, environ=environment, say=_indented, processes=turns.COUNTED) as system:
        _indented(f"up after {time.monotonic() - began:.0f} s")
        os.environ.update(system.environ)  # we read the mode as the worker does, so with its settings
        django.setup()
        with turns.speaking(system) as speaker:
            measured = pairs.run(speaker, size=pairs.Size(), say=_indented)
    judged = pairs.judge(measured)
    seconds = time.monotonic() - began
    print("\n".join([*page.lines(judged, database=called), f"  {seconds:.0f} s in all"]), flush=True)
    if results is not None:
        page.keep(results, page.record(measured, judged, database=called, seconds=seconds))
    return any(one.missed for one in judged)


def _indented(line: str) -> None:
    print(f"  {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
