"""Many random days, until enough was said: ``main`` for the command, ``play`` for a run that is kept.

Seeds count up from the first, and a batch of days belongs to one seed: the same seed makes the same days, on any machine.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from functools import cache
from multiprocessing.pool import Pool
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from django.db import connection, connections

INSTALL = "Random runs need hypothesis, which the service does without: pip install -r tests/requirements.txt"
DAYS, ACTS = 25, 40  # of one seed; in one day
Act = tuple[str, dict[str, Any]]
Acts = Iterable[Act]
Failed = tuple[list[str], list[Act]]


def main(
    *, turns: int = 10_000, seed: int = 1, kept_in: Path | None = None, controls: bool = False, at_once: int | None = None
) -> int:
    """Live days until ``turns`` sentences were posted, each process in a database of its own; the number of violations.

    ``controls``: take each guard away instead, and count those whose absence was not noticed within ``turns``.
    """
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        sys.exit(INSTALL)
    processes = at_once or os.cpu_count() or 1
    connections.close_all()  # a connection must not be shared with who is forked off
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        violations = _controls(pool, turns, seed) if controls else _seeds(pool, processes, turns, seed, kept_in)
        pool.close()
        pool.join()  # each takes its database away
    return violations


def _say(words: str) -> None:
    print(words, flush=True)


@cache
def _open_stage() -> None:
    """In each process, once: an empty database of its own, for as long as the process lives.

    Called by what is asked of the process and not as it starts: a pool starts whoever fails there again, for ever.
    """
    from swiggy_instamart.randomised import stage

    name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite":  # there it is in memory
        connection.settings_dict["TEST"]["NAME"] = f"test_{name}_{os.getpid()}"
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    opened = ExitStack()
    opened.callback(connection.creation.destroy_test_db, name, verbosity=0)
    opened.enter_context(stage.begin())
    Finalize(None, opened.close, exitpriority=1)


def _seeds(pool: Pool, processes: int, turns: int, seed: int, kept_in: Path | None) -> int:
    began, violations = time.monotonic(), 0
    total: Counter[str] = Counter()
    while total["turns"] < turns:
        for number, figures, failed in pool.imap_unordered(_seed, range(seed, seed + 2 * processes)):
            total.update(figures)
            if failed is not None:
                violations += 1
                path = (kept_in or Path()) / f"seed-{number}.json"
                path.write_text(dump(failed[1], failed[0]), encoding="utf-8")
                _say(f"seed {number}: {'; '.join(failed[0])}\nseed {number}: kept in {path.name}")
        seed += 2 * processes
        took = time.monotonic() - began
        done = ", ".join(f"{total[name]} {name}" for name in ("turns", "days", "orders", "deaths"))
        _say(f"{done} of workers, {violations} violations, {took:.0f} s ({total['turns'] / took:.0f} turns/s)")
    return violations


def _seed(number: int) -> tuple[int, dict[str, int], Failed | None]:
    from swiggy_instamart.randomised.machine import Day, Tally

    _open_stage()
    Day.tally = Tally()
    failed = days(number)
    return number, Day.tally.figures(), failed


def _controls(pool: Pool, turns: int, seed: int) -> int:
    from swiggy_instamart.randomised.controls import CONTROLS

    asked = [(name, turns, seed) for name in CONTROLS]
    unseen = 0
    for name, taken, problem in pool.imap_unordered(_control, asked):
        unseen += not problem
        _say(f"{name}: {f'seen after {taken} turns: {problem}' if problem else f'not seen in {taken} turns'}")
    return unseen


def _control(asked: tuple[str, int, int]) -> tuple[str, int, str]:
    from swiggy_instamart.randomised.controls import CONTROLS
    from swiggy_instamart.randomised.machine import Day, Tally

    _open_stage()
    name, turns, seed = asked
    Day.tally, found = Tally(), None
    with CONTROLS[name]():
        while found is None and Day.tally.turns < turns:
            found, seed = days(seed, small=False), seed + 1
    return name, Day.tally.turns, found[0][0] if found else ""


def days(seed: int, *, count: int = DAYS, acts: int = ACTS, small: bool = True) -> Failed | None:
    """The days of one seed; the smallest that went wrong, or None."""
    import hypothesis
    from hypothesis.stateful import run_state_machine_as_test

    from swiggy_instamart.randomised.machine import Day, ViolationError

    chosen = hypothesis.settings(
        max_examples=count,
        stateful_step_count=acts,
        database=None,
        deadline=None,
        print_blob=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate,),  # what failed is made smaller as a list of acts, which is shorter and surer
    )
    try:
        run_state_machine_as_test(hypothesis.seed(seed)(Day), settings=chosen)
    except ViolationError as found:
        return smaller(found.trace, found.problems) if small else (found.problems, found.trace)
    return None


def smaller(trace: list[Act], problems: list[str], *, most_s: float = 120) -> tuple[list[str], list[Act]]:
    """The same fault from fewer acts: leave out one after the other for as long as it still shows."""
    kind, ends = kind_of(problems), time.monotonic() + most_s
    for size in (8, 4, 2, 1, 1):
        at = len(trace) - size
        while at >= 0 and time.monotonic() < ends:
            fewer = trace[:at] + trace[at + size :]
            found = play(fewer)
            if kind_of(found) == kind:
                trace, problems = fewer, found
            at -= size
    return problems, trace


def kind_of(problems: list[str]) -> str:
    """What kind of fault it is: its first words, without its numbers."""
    return "".join(letter for letter in problems[0] if not letter.isdigit())[:40] if problems else ""


def play(acts: Acts) -> list[str]:
    """Play a kept run; what was wrong with it."""
    from swiggy_instamart.randomised import rest, stage

    with stage.fresh() as world:
        for name, arguments in acts:
            world.act(name, **arguments)
            if world.problems:
                return world.problems
        rest.day_ends(world)
        return world.problems


def dump(trace: Acts, problems: list[str]) -> str:
    lines = ",\n  ".join(json.dumps([name, arguments], ensure_ascii=False) for name, arguments in trace)
    return f'{{"problems": {json.dumps(problems, ensure_ascii=False)},\n "acts": [\n  {lines}\n]}}\n'


def load(path: Path) -> list[Act]:
    return [(name, arguments) for name, arguments in json.loads(path.read_text(encoding="utf-8"))["acts"]]
