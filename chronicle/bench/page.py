"""What a bench shows: a table on the terminal, numbers to keep, and the page that states them.

Ratios come first, since they mean the same on every machine; what is absolute is said beside the machine it was measured on.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from chronicle.bench import judgement, pairs, turns
from chronicle.bench.judgement import Judged
from chronicle.bench.pairs import Pair

HEAD = """# Benchmarks

Written by `make bench`; do not edit. The floor is the bare turn on the real stack: one POST to a DRF view behind the
service's own middleware and authentication, one row, one Celery task in a real worker, one more row, one event on an open
stream. Counted is what the kernel charged the web process and the worker; the broker and the database server are left out,
which makes the floor lower and the ratios higher. Understanding is everything from the words to the decision: every rung of
the ladder, the machine's step and the words of the reply, for the sentences of `chronicle/bench/sentences.yml`, counted by
the thread that reads them, with nothing remembered from one sentence to the next. Batches of the two take turns, so that a
busy machine disturbs both. A ratio is the middle of its pairs of batches, with the interval that holds the true one with 95 %.
A budget is missed when that whole interval is above it.
"""


def lines(judged: Sequence[Judged], *, database: str) -> Iterator[str]:
    """The verdict for the terminal."""
    yield f"{database}, CPU time as a share of the floor's:"
    width = max(len(one.name) for one in judged)
    for one in judged:
        verdict = "MISSED" if one.missed else "kept"
        yield f"  {one.name:<{width}}  {one.ratio}  at most {one.budget}: {verdict}"


def record(measured: Sequence[Pair], judged: Sequence[Judged], *, database: str, seconds: float) -> dict[str, Any]:
    """What the page is written from."""
    return {
        "database": database,
        "ratios": {one.name: {"ratio": str(one.ratio), "budget": one.budget} for one in judged},
        "questions": pairs.shares(measured, "stage"),
        "languages": pairs.shares(measured, "lang"),
        "absolute": dict(_absolute(measured)),
        "seconds": round(seconds),
    }


def _absolute(measured: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    yield "bare turn, ms", _middle(pair.floor.ms for pair in measured)
    for name in turns.COUNTED:
        yield f"of it in {name}, ms", _middle(pair.floor.by_process[name] for pair in measured)
    yield "understanding a sentence, ms", _middle(pair.reading.mix for pair in measured)
    yield "the dearest sentence, ms", _middle(pair.reading.dearest for pair in measured)
    yield "nearly sixty words, ms", _middle(pair.reading.longest for pair in measured)
    yield "pairs of batches", str(len(measured))
    yield "sentences of the mix", str(measured[0].reading.in_mix)
    yield "cores", str(len(os.sched_getaffinity(0)))
    yield "Python", platform.python_version()


def _middle(values: Iterable[float]) -> str:
    found = list(values)
    held = judgement.spread(found)
    return f"{statistics.median(found):.2f} ({held.low:.2f} to {held.high:.2f})"


# ---- the page ---------------------------------------------------------------------------------------------------------------


def page(records: Sequence[dict[str, Any]]) -> str:
    databases = [one["database"] for one in records]
    ratios = (
        (name, f"at most {row['budget']}", *(one["ratios"][name]["ratio"] for one in records))
        for name, row in records[0]["ratios"].items()
    )
    parts = [HEAD, "## Shares of the floor\n", _table(("CPU time of", "budget", *databases), ratios)]
    for title, key in (("By open question", "questions"), ("By language", "languages")):
        rows = ((name, *(f"{one[key][name]:.3f}" for one in records)) for name in records[0][key])
        parts += [f"\n## {title}\n", _table(("mean of the mix", *databases), rows)]
    absolute = ((name, *(one["absolute"][name] for one in records)) for name in records[0]["absolute"])
    parts += ["\n## On the machine that it was written on\n", _table(("CPU time", *databases), absolute)]
    return "\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def keep(file: Path, found: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found, indent=1), encoding="utf-8")


def read(files: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]
