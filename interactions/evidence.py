"""Evidence that no device of the host reported: uploads, imports, and what a recorder of somebody's screen wrote down.

It is stored and nothing else: no mailbox, no turn, no chain, no event. Items come in any order of time and any number of times;
one is known by its collector, its person and its id, and what was stored first stands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from interactions import events
from interactions.models import Device, Utterance

KINDS = ("upload", "screenpipe", "import")
MOST_ITEMS = 500
WORDS = ("alternatives",)  # what of an utterance's details was said, too


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of speech as its collector tells it. ``person`` is the id of its user, ``key`` the collector's id of it."""

    key: str
    person: int
    kind: str
    text: str
    started_at: datetime
    ended_at: datetime
    segmentation: str = ""
    details: dict[str, Any] = field(default_factory=dict)  # speaker, lang, confidence

    @property
    def digest(self) -> str:
        """The same for the same item, whatever zone its times were written in."""
        times = [moment.astimezone(UTC).isoformat() for moment in (self.started_at, self.ended_at)]
        whole = json.dumps([self.kind, self.text, *times, self.segmentation, self.details], sort_keys=True)
        return hashlib.sha256(whole.encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of the items of one post. ``conflicts``: ids that were stored before, and hold something else now."""

    stored: int
    known: int
    conflicts: tuple[str, ...] = ()


def take(collector: Device, items: Sequence[Item], *, at: datetime) -> Taken:
    """Store those of the items that are new, all of them or none."""
    fresh: list[Item] = []
    conflicts: list[str] = []
    with transaction.atomic():
        events.hold(collector.pk)  # its posts go one after the other, so that each can say what it stored
        known = _known(collector, [item.key for item in items])
        for item in items:
            if (item.person, item.key) not in known:
                known[item.person, item.key] = item.digest
                fresh.append(item)
            elif known[item.person, item.key] != item.digest:
                conflicts.append(item.key)
        Utterance.objects.bulk_create([_row(collector, item, at=at) for item in fresh])
    return Taken(len(fresh), len(items) - len(fresh) - len(conflicts), tuple(conflicts))


def _known(collector: Device, keys: Sequence[str]) -> dict[tuple[int, str], str]:
    stored = Utterance.objects.filter(device=None, collector=collector, key__in=keys)
    return {(owner, key): digest for owner, key, digest in stored.values_list("owner_id", "key", "body_hash")}


def _row(collector: Device, item: Item, *, at: datetime) -> Utterance:
    return Utterance(
        collector=collector,
        owner_id=item.person,
        key=item.key,
        body_hash=item.digest,
        text=item.text,  # not normalised: it is nobody's twin
        source=item.kind,
        ingest=item.kind,
        segmentation=item.segmentation,
        details=item.details,
        received_at=at,
        captured_at=item.started_at,
        captured_until=item.ended_at,
        disposition="recorded",
        reason="ingest",
    )


def redact(utterances: QuerySet[Utterance], *, at: datetime) -> int:
    """Take the words out of evidence, for good. The rows stay, and their places in the feed; so does what came of them."""
    with transaction.atomic():
        # Locked without their keys, so that what is said meanwhile may name them as its twins.
        chosen = utterances.filter(redacted_at=None).select_for_update(no_key=True).order_by("pk")
        rows = list(chosen.only("details"))
        for row in rows:
            row.text, row.normal, row.redacted_at = "", "", at
            row.details = {name: value for name, value in row.details.items() if name not in WORDS}
        Utterance.objects.bulk_update(rows, ["text", "normal", "details", "redacted_at"], batch_size=200)
    return len(rows)
