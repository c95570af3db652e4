"""Says every sentence, prints the table and the targets, and is 1 where one is missed.

``python -m tests.field [--show VERDICT] [SET ...]`` lists the sentences of that verdict or worse.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, groupby

from swiggy_instamart import hearing
from swiggy_instamart.readings import Waiting
from tests.field import cases, judge, numbers, opening, own, sets, table, wire
from tests.field.judge import Trial, Verdict
from tests.field.table import Row, Target

SETS: Mapping[str, Callable[[], Iterator[Trial]]] = {
    **{case: partial(cases.trials, case) for case in cases.CASES},
    "B02 numbers": numbers.public,
    "B03 measures and counts": numbers.measures,
    "numbers to 100, by parts": numbers.to_a_hundred,
    "B01 yes or no": sets.booleans,
    "B04 yes, no, maybe": sets.answers,
    "B07 affirm, deny": sets.affirmed_and_denied,
    "B04 list add, remove": partial(sets.shopping, "shopping_list_update"),
    "B05 list add, remove": sets.list_changes,
    "B04 order": partial(sets.shopping, "order"),
    "B04 list, read out": partial(sets.shopping, "shopping_list"),
    "B05 list, read out": sets.list_questions,
    "B04 cancel": partial(sets.shopping, "cancel"),
    "B04 small talk": sets.small_talk,
    "B06 other trades": sets.hinglish,
    "B07 hotels": sets.hotels,
    "our own, to the shop": own.shopping,
    "our own, to others": own.talk,
}
CASES = tuple(sorted((*cases.CASES, *wire.CASES)))
YES_NO = ("B01 yes or no", "B04 yes, no, maybe")
ORDER = (*CASES, *(name for name in SETS if name not in CASES))
NUMBERS = ("B02 numbers", "B03 measures and counts", "numbers to 100, by parts")
LISTS = ("B04 list add, remove", "B05 list add, remove")
PARTS = 8  # of each set, so that the long ones are shared among the processors
LEAST_RIGHT, MOST_ASKED = 0.85, 0.10


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    chosen = [name for name in SETS if not options.sets or any(part in name for part in options.sets)]
    rows = _judged(chosen) | _on_the_wire(options.sets)
    print("\n".join(table.lines(sorted(rows.values(), key=lambda row: ORDER.index(row.name)))))
    shown = [
        judged for row in rows.values() for judged in row.worst.values() if options.show and judged.verdict >= options.show
    ]
    targets = list(_targets(rows))
    print("\n".join(["", *map(str, sorted(shown, key=lambda judged: -judged.verdict)), *map(str, targets), _speed(rows)]))
    return 0 if all(target.met for target in targets) else 1


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.field", description=__doc__)
    parser.add_argument("sets", nargs="*", help="parts of the names of sets; all where none is given")
    parser.add_argument(
        "--show", type=lambda name: Verdict[name.upper()], help="asked, wrong or dangerous: list those or worse"
    )
    return parser.parse_args(arguments)


def _judged(chosen: Iterable[str]) -> dict[str, Row]:
    work = [(name, part) for name in chosen for part in range(PARTS)]
    rows: dict[str, Row] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (name, _), part in zip(work, pool.map(_part, work), strict=True):
            row = rows.setdefault(name, Row(name))
            row.worst |= part.worst
            row.opened += part.opened
            row.trials += part.trials
    return rows


def _on_the_wire(chosen: Sequence[str]) -> dict[str, Row]:
    """The cases that need a database, here and not among the processors."""
    rows = {case: Row(case) for case in wire.CASES if not chosen or any(part in case for part in chosen)}
    if rows:
        with wire.service():
            for case, row in rows.items():
                for judged in wire.trials(case):
                    row.take(judged)
    return rows


def _part(work: tuple[str, int]) -> Row:
    """Every eighth sentence of a set, so that all parts take about as long."""
    name, part = work
    row = Row(name)
    for number, (_, trials) in enumerate(groupby(SETS[name](), key=lambda trial: trial.row)):
        if number % PARTS == part:
            first = next(trials)
            if first.stage not in opening.STAGES:
                row.opened += opening.opens(first.said)
            for trial in chain([first], trials):
                row.take(judge.judge(trial))
    return row


# ---- what it is held to -------------------------------------------------------------------------------------------------


def _targets(rows: Mapping[str, Row]) -> Iterator[Target]:
    yield table.none("dangerous reading", sum(row.count(Verdict.DANGEROUS) for row in rows.values()))
    yield table.none("sentence that opens the mode", sum(len(row.opened) for row in rows.values()))
    yield from (_all_right(name, rows[name]) for name in (*CASES, *NUMBERS) if name in rows)
    for name in YES_NO:
        if name in rows:
            yield table.at_least(f"{name}, right", rows[name].share(Verdict.RIGHT), LEAST_RIGHT)
            yield table.none(f"{name}, taken for something else", rows[name].count(Verdict.WRONG))
    for name in LISTS:
        if name in rows:
            yield table.at_least(f"{name}, right where a product is named", rows[name].share(Verdict.RIGHT), LEAST_RIGHT)
    talk = [row for name, row in rows.items() if name not in (*YES_NO, *NUMBERS)]
    if domain := sum(row.domain for row in talk):
        asked = sum(row.count(Verdict.ASKED, domain=True) for row in talk)
        yield table.at_most("of sentences in our domain (but yes, no and numbers), asked back", asked / domain, MOST_ASKED)


def _all_right(name: str, row: Row) -> Target:
    off = [judged.trial.row for judged in row.worst.values() if judged.verdict is not Verdict.RIGHT and judged.trial.domain]
    return Target(f"{name}, all right", ", ".join(off) or f"{row.domain} of {row.domain}", not off)


def _speed(rows: Mapping[str, Row]) -> str:
    """CPU of reading alone, once for every sentence. Shown and not judged: machines differ, and a floor is the benchmark's."""
    taken = []
    for said in {judged.trial.said for row in rows.values() for judged in row.worst.values()}:
        began = time.process_time()
        hearing.read(said, names=opening.NAMES, waiting=Waiting.NOTHING)
        taken.append((time.process_time() - began) * 1000)
    mean, p99 = statistics.fmean(taken), statistics.quantiles(taken, n=100)[-1]
    return f"  reading a sentence: mean {mean:.2f} ms, p99 {p99:.2f} ms of CPU"
