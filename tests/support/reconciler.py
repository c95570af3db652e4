"""What reconciliation will be one day: it follows the evidence feed to its end, again and again, and keeps what it found.

What it found and how far it read are saved together, as a database would. It may be killed between a page and the saving of it;
the next one begins from what was saved.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Fetch = Callable[[int, int], dict[str, Any]]  # cursor, limit -> the answer of GET /api/v1/utterances


class KilledError(Exception):
    """The reader died before it could save the page."""


class Reconciler:
    """One reader; a new one over the same file goes on where the last one was killed."""

    def __init__(self, fetch: Fetch, file: Path, *, limit: int = 7) -> None:
        self._fetch, self._file, self._limit = fetch, file, limit
        self._saved: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {"cursor": 0, "found": []}

    @property
    def found(self) -> list[dict[str, Any]]:
        """Every row that was read and saved, in the order in which it came."""
        return list(self._saved["found"])

    @property
    def texts(self) -> list[str]:
        return [row["text"] for row in self.found]

    def follow(self, *, dies_at: int | None = None) -> Reconciler:
        """Read up to the end; ``dies_at``: killed with that page in hand, counted from 1."""
        page = 0
        while True:
            answer = self._fetch(self._saved["cursor"], self._limit)
            page += 1
            if page == dies_at:
                raise KilledError
            self._save(answer)
            if not answer["more"]:
                return self

    def _save(self, answer: dict[str, Any]) -> None:
        saved = {"cursor": answer["cursor"], "found": [*self._saved["found"], *answer["utterances"]]}
        draft = self._file.with_suffix(".new")
        draft.write_text(json.dumps(saved))
        draft.replace(self._file)
        self._saved = saved
