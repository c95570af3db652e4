"""The public sentence files, read where they lie: in ``shared/data`` beside the project, or where CHRONICLE_FIELD_DATA says.

They are test material only and nothing of them is copied here; a test that needs them says so where they are absent.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def path(name: str) -> Path:
    found = Path(os.environ.get("CHRONICLE_FIELD_DATA") or BESIDE) / name
    if not found.is_file():
        pytest.skip(f"the public file {name} is not here; set CHRONICLE_FIELD_DATA to the directory that holds it")
    return found


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path(name).read_text(encoding="utf-8").splitlines() if line.strip()]


def booleans() -> Iterator[tuple[str, bool]]:
    for row in json.loads(path("recognizers-boolean-en.json").read_text(encoding="utf-8")):
        yield row["Input"], row["Results"][0]["Resolution"]["value"]


def number_inputs() -> list[str]:
    return [row["Input"] for row in json.loads(path("recognizers-number-en.json").read_text(encoding="utf-8"))]


def numbers() -> Iterator[tuple[str, Fraction]]:
    """Those rows whose whole input is one number."""
    for row in json.loads(path("recognizers-number-en.json").read_text(encoding="utf-8")):
        said, results = row["Input"].strip(), row["Results"]
        if len(results) == 1 and results[0]["Text"].casefold() == said.strip(" .").casefold():
            try:
                yield said, Fraction(results[0]["Resolution"]["value"])
            except ValueError:  # pragma: no cover  (a value that is no plain number)
                continue


def measures() -> Iterator[tuple[str, Fraction, str]]:
    """Spoken measures and counts, with what they are worth."""
    for name in ("nemo-itn-measure-en.txt", "nemo-itn-cardinal-en.txt"):
        for line in path(name).read_text(encoding="utf-8").splitlines():
            said, _, written = line.partition("~")
            if match := re.fullmatch(r"(-?[\d.,]+) ?(\S*)", written):
                yield said, Fraction(match[1].replace(",", "")), match[2]
