"""The Swiggy sign-in: a private directory that shows ``tokens.json`` and ``client.json``, read again whenever they change.

Only reading and judging happen here; a pair is put in place by ``rotation``. Nothing here opens a browser or asks Swiggy.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

from interactions.contracts import NotSentError
from swiggy_instamart import aside, attempts, pairs
from swiggy_instamart.pairs import Pair, SignInFileError

SPARE = timedelta(seconds=60)  # with no more than this left, a sign-in counts as ended
EARLY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What every screen says of the sign-in. ``state``: usable, ending, unusable; ``exit_code`` 0, 1, 2."""

    state: str
    sentence: str
    code: str = ""
    expires_at: datetime | None = None
    days_left: int | None = None

    @property
    def good(self) -> bool:
        """Whether its token can be sent now."""
        return self.state != "unusable" and self.code != "renewable"

    @property
    def exit_code(self) -> int:
        return ("usable", "ending", "unusable").index(self.state)


class Store:
    """One token directory. ``load`` is cheap: the files are read only when one of them has changed."""

    def __init__(self, directory: Path, *, private: bool = True) -> None:
        self.directory, self.private = directory, private
        self._lock = threading.Lock()
        self._seen: tuple[object, Pair] | None = None

    def load(self) -> Pair:
        """The pair as it stands. Raises SignInFileError."""
        with self._lock:
            for _ in range(5):
                before = self._signature()
                if self._seen is not None and self._seen[0] == before:
                    return self._seen[1]
                try:
                    found = self._read()
                except SignInFileError as error:
                    if self._signature() == before:
                        raise aside.settled(self.directory, error) if self.private else error from None
                    continue  # the pair was replaced between the two files
                if self._signature() == before:
                    self._seen = before, found
                    return found
        raise SignInFileError("damaged", f"The sign-in files in {self.directory} change while they are read.")

    def bearer(self) -> str:
        """The token to send; raises NotSentError where there is none that can be used."""
        try:
            found = self.load()
            verdict = judge(found, now=datetime.now(UTC))
            if not verdict.good:
                raise SignInFileError(verdict.code, verdict.sentence)
        except SignInFileError as error:
            raise NotSentError("sign_in", error.message) from error
        return found.access_token

    def identity(self) -> str:
        try:
            return self.load().identity
        except SignInFileError as error:
            raise NotSentError("sign_in", error.message) from error

    def verdict(self, *, now: datetime | None = None) -> Verdict:
        now = now or datetime.now(UTC)
        try:
            found = self.load()
        except SignInFileError as error:
            return Verdict("unusable", error.message, code=error.code)
        return judge(found, now=now)

    def _read(self) -> Pair:
        if self.private:
            pairs.check_files(self.directory)
        return pairs.read(self.directory)

    def _signature(self) -> tuple[object, ...]:
        """Changes whenever either file does: also when it is replaced within one tick of the clock, or a link is switched."""
        if self.private:
            pairs.check_private(self.directory)
        seen: list[object] = []
        for name in (pairs.TOKENS, pairs.CLIENT, attempts.NOTE):
            path = self.directory / name
            try:
                there = path.stat()
            except OSError:
                seen.append(None)
            else:
                seen.append((os.path.realpath(path), there.st_ino, there.st_mtime_ns, there.st_size, there.st_mode))
        return tuple(seen)


def configured() -> Store:
    """The store that the settings name; one per process and directory, so that its memory of the files is shared."""
    directory = Path(settings.SWIGGY_TOKEN_DIRECTORY)
    found = _stores.get(directory)
    if found is None:
        pairs.check_place(directory)
        found = _stores.setdefault(directory, Store(directory))
    return found


def load() -> Pair:
    return configured().load()


def verdict(*, now: datetime | None = None) -> Verdict:
    """The one judgement that ``swiggy_status``, the status page and the admin show."""
    try:
        return configured().verdict(now=now)
    except SignInFileError as error:
        return Verdict("unusable", error.message, code=error.code)


def judge(pair: Pair, *, now: datetime) -> Verdict:
    """The verdict on a pair that could be read."""
    expires_at = pair.expires_at
    if expires_at is None:
        return Verdict("usable", "The Swiggy sign-in is usable; when it ends is not known.")
    until, left = f"{expires_at:%Y-%m-%d %H:%M} UTC", expires_at - now
    if left <= SPARE:
        if pair.renewable:
            renewal = "it is renewed before the next call, if Swiggy lets it be."
            return Verdict("ending", f"The Swiggy sign-in ended at {until}; {renewal}", "renewable", expires_at, 0)
        ended = " ".join(filter(None, (f"The Swiggy sign-in ended at {until}.", pair.spent, pairs.RENEW)))
        return Verdict("unusable", ended, "expired", expires_at, 0)
    if left < EARLY:
        return Verdict("ending", f"The Swiggy sign-in ends at {until}. {pairs.RENEW}", "ending", expires_at, 0)
    days = f"{left.days} day{'s' if left.days != 1 else ''}"
    return Verdict("usable", f"The Swiggy sign-in is usable for {days}, until {until}.", "", expires_at, left.days)


_stores: dict[Path, Store] = {}
