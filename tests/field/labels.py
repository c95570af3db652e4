"""The readings that were written down by hand for rows of the public files, by row number; nothing of the files is copied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import yaml

from tests.field import expected
from tests.field.expected import Expected

HERE = Path(__file__).parent


@cache
def of(name: str) -> Mapping[int, Expected]:
    """Row number -> what the row should lead to, of ``name``.yml."""
    written = yaml.safe_load((HERE / f"{name}.yml").read_text(encoding="utf-8"))
    found: dict[int, Expected] = {}
    for reading, rows in written.items():
        for row in _rows(str(rows)):
            assert row not in found, f"row {row} of {name}.yml is there twice"
            found[row] = expected.parse(reading)
    return found


def _rows(written: str) -> Iterator[int]:
    for span in written.split():
        first, _, last = span.partition("-")
        yield from range(int(first), int(last or first) + 1)
