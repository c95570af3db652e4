"""The note that a refresh leaves before it is sent, so that whoever comes after a crash knows that one was.

It is keyed to the refresh token it used: a new sign-in makes it void. Pure reading and judging; ``renewal`` writes it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

NOTE = ".refresh.json"
MOST = 3  # refreshes of one token whose answer was lost
WAIT = timedelta(seconds=30)  # before the next one, times those that were lost

SENT, UNSENT, REFUSED = "sent", "unsent", "refused"


@dataclass(frozen=True, slots=True)
class Attempt:
    """``state``: sent (no answer yet, or none came), unsent (proven), refused. ``lost``: how many answers before never came."""

    token: str
    state: str
    at: datetime
    lost: int = 0

    def dump(self) -> bytes:
        return json.dumps(asdict(self) | {"at": self.at.isoformat()}).encode()


def digest(refresh_token: str) -> str:
    return hashlib.sha256(refresh_token.encode()).hexdigest()[:16]


def load(directory: Path, *, token: str) -> Attempt | None:
    """The last attempt with this refresh token."""
    try:
        note = json.loads((directory / NOTE).read_bytes())
        found = Attempt(str(note["token"]), str(note["state"]), datetime.fromisoformat(note["at"]), int(note["lost"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return found if found.token == digest(token) and found.at.tzinfo is not None else None


def over(attempt: Attempt | None) -> str:
    """Why this refresh token will not be tried again; empty where it may be."""
    if attempt is None:
        return ""
    if attempt.state == REFUSED:
        after = ", after an earlier answer had been lost" if attempt.lost else ""
        return f"Swiggy refused to renew it{after}."
    if attempt.lost + (attempt.state == SENT) >= MOST:
        return f"It was to be renewed {MOST} times and no answer came."
    return ""


def waits(attempt: Attempt | None, *, now: datetime) -> bool:
    """Whether the last attempt is too recent for another. A clock that was set back since holds nobody up."""
    if attempt is None:
        return False
    times = attempt.lost + (attempt.state == SENT)
    return timedelta(0) <= now - attempt.at < WAIT * max(1, times)


def begun(attempt: Attempt | None, *, token: str) -> Attempt:
    """The note to write before the next request is sent."""
    lost = attempt.lost + (attempt.state == SENT) if attempt is not None else 0
    return Attempt(digest(token), SENT, datetime.now(UTC), lost)
