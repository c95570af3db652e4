"""What a certification shows: lines on the terminal while it goes on, numbers to keep, and the page that states them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interactions.certification.contracts import Result

SHOWN = 20  # of the runs that never came to their point


@dataclass
class Summary:
    """The numbers of one database."""

    database: str
    mode: str
    points: int = 0
    seconds: float = 0.0
    size: str = "full"
    results: list[Result] = field(default_factory=list)
    baselines: dict[str, str] = field(default_factory=dict)
    caught: dict[str, tuple[int, int]] = field(default_factory=dict)  # control -> runs with a violation, runs
    broken: list[str] = field(default_factory=list)

    @property
    def violations(self) -> list[Result]:
        return [result for result in self.results if result.violations]

    @property
    def unreached(self) -> list[Result]:
        return [result for result in self.results if not result.reached and not result.violations]

    @property
    def otherwise(self) -> list[Result]:
        return [result for result in self.results if result.otherwise and not result.violations]

    @property
    def blind(self) -> list[str]:
        return [name for name, (caught, _) in self.caught.items() if not caught]

    @property
    def passed(self) -> bool:
        return (
            bool(self.results)
            and not (self.violations or self.blind or self.broken)
            and len(self.unreached) <= len(self.results) // 50
        )

    def lines(self) -> Iterator[str]:
        yield f"{self.mode} on {self.database}: {self.points} points, {len(self.results)} runs in {self.seconds:.0f} s"
        for name, (caught, runs) in self.caught.items():
            yield f"control, {name}: " + (f"caught in {caught} of {runs} runs" if caught else f"NOT CAUGHT in {runs} runs")
        if self.unreached:
            yield f"{len(self.unreached)} runs never came to their point and prove nothing:"
            yield from (f"  {result.case.words}" for result in self.unreached[:SHOWN])
        yield f"{len(self.otherwise)} runs ended otherwise than undisturbed"
        yield from (f"BROKEN: {line}" for line in self.broken)
        yield f"violations: {len(self.violations)}"

    def record(self) -> dict[str, Any]:
        """What the page is written from."""
        return {
            "database": self.database,
            "mode": self.mode,
            "size": self.size,
            "points": self.points,
            "runs": len(self.results),
            "seconds": round(self.seconds),
            "violations": len(self.violations),
            "unreached": len(self.unreached),
            "ended otherwise": len(self.otherwise),
            "caught": {name: list(counts) for name, counts in self.caught.items()},
            "conversations": [
                {"name": name, "end": end, **_counts(r for r in self.results if r.case.conversation == name)}
                for name, end in self.baselines.items()
            ],
            "actions": _by(self.results, act=True),
            "calls": _by(self.results, act=False),
            "kinds": dict(Counter(result.case.what for result in self.results)),
        }


def _counts(results: Iterable[Result]) -> dict[str, int]:
    found = list(results)
    return {"runs": len(found), "violations": sum(bool(result.violations) for result in found)}


def _by(results: Sequence[Result], *, act: bool) -> dict[str, dict[str, int]]:
    mine = [result for result in results if (result.case.act is not None) is act]
    labels = sorted({result.case.label for result in mine})
    return {label: _counts(r for r in mine if r.case.label == label) for label in labels}


def story(result: Result) -> str:
    """One violation, so that it can be found and run again."""
    lines = (*result.violations, *result.said)
    return "\n".join(
        (f"VIOLATION at {result.case.words} (hit {result.reached or 'nothing'})", *(f"    {one}" for one in lines))
    )


# ---- the page ---------------------------------------------------------------------------------------------------------------

HEAD = """# Certification

Written by `make certify`; do not edit. A point is a durable action or a remote call of a conversation. For each run the rows
and the shop's memory are put back to the line before, fresh processes play the line, something terrible is done at the point,
others go on, the conversation is spoken to its end, and the invariants are asked of the rows and of the shop's own ledger. A
violation is a broken invariant, an end other than the undisturbed one for which nothing that was left unanswered is the
reason, somebody left waiting without a last word, an error of our own in the log, or a process that hangs. Runs that ended
otherwise are counted apart: after a kill or a freeze the rows must show why (an effect that failed, a call never answered);
after a fault at a call, or a restore, another end is allowed for as long as every invariant holds.
"""


def page(records: Sequence[dict[str, Any]]) -> str:
    parts = [HEAD, "## In all\n", _table(("", *(r["database"] for r in records)), _totals(records))]
    for title, key in (("Conversations", "conversations"), ("Durable actions", "actions"), ("Remote calls", "calls")):
        parts += [f"\n## {title}\n", _table(_heads(title, records), _rows(key, records))]
    parts += ["\n## What was done\n", _table(("", *(r["database"] for r in records)), _kinds(records))]
    parts += ["\n## Controls\n\nThe system with one guard removed; each must be caught.\n"]
    parts.append(_table(("guard removed", *(r["database"] for r in records)), _controls(records)))
    return "\n".join(parts) + "\n"


def _heads(title: str, records: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    first = {"Conversations": ("conversation", "ends undisturbed as")}.get(title, (title.lower()[:-1],))
    return (*first, *(f"{r['database']}: runs, violations" for r in records))


def _totals(records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for name in ("points", "runs", "violations", "ended otherwise", "unreached", "seconds"):
        yield (name, *(str(record[name]) for record in records))


def _rows(key: str, records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    if key == "conversations":
        for number, first in enumerate(records[0][key]):
            cells = (record[key][number] for record in records)
            yield (first["name"], first["end"], *(f"{cell['runs']}, {cell['violations']}" for cell in cells))
        return
    for label in sorted({label for record in records for label in record[key]}):
        cells = (record[key].get(label, {"runs": 0, "violations": 0}) for record in records)
        yield (f"`{label}`", *(f"{cell['runs']}, {cell['violations']}" for cell in cells))


def _kinds(records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for kind in sorted({kind for record in records for kind in record["kinds"]}):
        yield (kind, *(str(record["kinds"].get(kind, 0)) for record in records))


def _controls(records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for name in records[0]["caught"]:
        yield (name, *("caught in {} of {} runs".format(*record["caught"][name]) for record in records))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def read(files: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]
