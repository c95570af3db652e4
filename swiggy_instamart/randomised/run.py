"""Many random days, until enough was said: ``main`` for the command, ``play`` for a run that is kept.

Seeds count up from the first, and a batch of days belongs to one seed: the same seed makes the same days, on any machine.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.db import connection

INSTALL = "Random runs need hypothesis, which the service does without: pip install -r tests/requirements.txt"
DAYS, ACTS = 25, 40  # of one seed; in one day
Act = tuple[str, dict[str, Any]]
Acts = Iterable[Act]


def main(*, turns: int = 10_000, seed: int = 1, kept_in: Path | None = None, controls: bool = False) -> int:
    """Run days until ``turns`` sentences were posted, in a database of its own; the number of violations.

    ``controls``: take each guard away instead, and count those whose absence was not noticed within ``turns``.
    """
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        sys.exit(INSTALL)
    from swiggy_instamart.randomised import stage

    before = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        with stage.begin():
            find = _blind if controls else _seeds
            return find(turns, seed, kept_in, say=lambda words: print(words, flush=True))
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


def _seeds(turns: int, seed: int, kept_in: Path | None, *, say: Callable[[str], None]) -> int:
    from swiggy_instamart.randomised.machine import Day, Tally

    Day.tally = tally = Tally()
    began, violations = time.monotonic(), 0
    while tally.turns < turns:
        failed = days(seed)
        if failed is not None:
            violations += 1
            problems, trace = failed
            say(f"seed {seed}: {'; '.join(problems)}")
            path = (kept_in or Path()) / f"seed-{seed}.json"
            path.write_text(dump(trace, problems), encoding="utf-8")
            say(f"seed {seed}: kept in {path.name}")
        seed += 1
        took = time.monotonic() - began
        figures = f"{tally.turns} turns, {tally.runs} days, {tally.orders} orders, {tally.deaths} deaths of workers"
        say(f"{figures}, {violations} violations, {took:.0f} s ({tally.turns / took:.0f} turns/s)")
    return violations


def _blind(turns: int, seed: int, kept_in: Path | None, *, say: Callable[[str], None]) -> int:
    from swiggy_instamart.randomised.controls import CONTROLS
    from swiggy_instamart.randomised.machine import Day, Tally

    unseen = 0
    for name, control in CONTROLS.items():
        Day.tally, number, found = Tally(), seed, None
        with control():
            while found is None and Day.tally.turns < turns:
                found = days(number, small=kept_in is not None)
                number += 1
        unseen += found is None
        if found is not None and kept_in is not None:
            (kept_in / f"{name.replace(' ', '-')}.json").write_text(dump(found[1], found[0]), encoding="utf-8")
        say(f"{name}: {f'seen after {Day.tally.turns} turns: {found[0][0]}' if found else 'not seen'}")
    return unseen


def days(seed: int, *, count: int = DAYS, acts: int = ACTS, small: bool = True) -> tuple[list[str], list[Act]] | None:
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
