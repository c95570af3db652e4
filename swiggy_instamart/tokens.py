"""The Swiggy sign-in: a private directory that shows ``tokens.json`` and ``client.json``, read again whenever they change.

Only reading and judging happen here; a pair is put in place by ``rotation``. Nothing here opens a browser or asks Swiggy.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from interactions.contracts import NotSentError

TOKENS, CLIENT, SIDECAR = "tokens.json", "client.json", "expires.json"
SPARE_S = 60  # with less than this left, a sign-in counts as ended
EARLY = timedelta(days=1)
RENEW = "Sign in again with swiggy_sign_in and install the files with rotate_swiggy_tokens."


class SignInFileError(Exception):
    """The files cannot be used; ``code`` is missing, damaged, not_private, misplaced or expired."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Tokens:
    """A readable pair. ``expires_at`` is ``None`` where nothing tells; then only Swiggy knows."""

    access_token: str = field(repr=False)
    expires_at: datetime | None = None
    client_id: str = ""
    account: str = ""  # a digest of the account's id, to see whether two sign-ins are of one account

    @property
    def identity(self) -> str:
        return hashlib.sha256(self.access_token.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What every screen says of the sign-in. ``state``: usable, ending, unusable; ``exit_code`` 0, 1, 2."""

    state: str
    sentence: str
    code: str = ""
    expires_at: datetime | None = None
    days_left: int | None = None

    @property
    def exit_code(self) -> int:
        return ("usable", "ending", "unusable").index(self.state)


class Store:
    """One token directory. ``load`` is cheap: the files are read only when one of them has changed."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._lock = threading.Lock()
        self._seen: tuple[object, Tokens] | None = None

    def load(self) -> Tokens:
        """The pair as it stands. Raises SignInFileError."""
        with self._lock:
            for _ in range(5):
                before = self._signature()
                if self._seen is not None and self._seen[0] == before:
                    return self._seen[1]
                found = read_pair(self.directory)
                if self._signature() == before:  # else the pair was replaced between the two files
                    self._seen = before, found
                    return found
        raise SignInFileError("damaged", f"The sign-in files in {self.directory} change while they are read.")

    def bearer(self) -> str:
        """The token to send; raises NotSentError where there is none that can be used."""
        try:
            found = self.load()
            if _ended(found, now=datetime.now(UTC)):
                raise SignInFileError("expired", f"The Swiggy sign-in has ended. {RENEW}")
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
        expires_at = found.expires_at
        if expires_at is None:
            return Verdict("usable", "The Swiggy sign-in is usable; when it ends is not known.")
        if _ended(found, now=now):
            return Verdict("unusable", f"The Swiggy sign-in ended at {_stamp(expires_at)}. {RENEW}", "expired", expires_at, 0)
        left = expires_at - now
        if left < EARLY:
            return Verdict("ending", f"The Swiggy sign-in ends at {_stamp(expires_at)}. {RENEW}", "ending", expires_at, 0)
        days = left.days
        return Verdict(
            "usable", f"The Swiggy sign-in is usable for {days} day{'s' if days != 1 else ''}.", "", expires_at, days
        )

    def _signature(self) -> tuple[object, ...]:
        """Changes whenever either file does: also when it is replaced within one tick of the clock, or a link is switched."""
        check_private(self.directory)
        seen: list[object] = []
        for name in (TOKENS, CLIENT):
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
        check_place(directory)
        found = _stores.setdefault(directory, Store(directory))
    return found


def load() -> Tokens:
    return configured().load()


def verdict(*, now: datetime | None = None) -> Verdict:
    """The one judgement that ``swiggy_status``, the status page and the admin show."""
    try:
        return configured().verdict(now=now)
    except SignInFileError as error:
        return Verdict("unusable", error.message, code=error.code)


_stores: dict[Path, Store] = {}


# ---- where the files may lie --------------------------------------------------------------------------------------------


def check_place(directory: Path) -> None:
    """Not in the project tree, where they would be committed or copied into an image; its data directory is neither."""
    here, project = directory.resolve(), Path(settings.BASE_DIR).resolve()
    if here.is_relative_to(project) and not here.is_relative_to(Path(settings.CHRONICLE_DATA_DIR).resolve()):
        raise SignInFileError(
            "misplaced",
            f"SWIGGY_TOKEN_DIRECTORY is inside the project ({here}); choose one outside, or below the data directory.",
        )


def check_private(directory: Path) -> None:
    """The directory belongs to the process owner and nobody else may enter it."""
    try:
        there = directory.stat()
    except OSError:
        raise SignInFileError("missing", f"There is no sign-in at {directory}. {RENEW}") from None
    if there.st_uid != os.geteuid():
        raise SignInFileError("not_private", f"{directory} belongs to another user; chown it to the one that runs the service.")
    if stat.S_IMODE(there.st_mode) & 0o077:
        raise SignInFileError("not_private", f"{directory} is open to others; run chmod 700 {directory}")


# ---- reading a pair -----------------------------------------------------------------------------------------------------


def read_pair(directory: Path) -> Tokens:
    """Read both files of a directory. Raises SignInFileError: missing or damaged."""
    raw, client = _object(directory / TOKENS), _object(directory / CLIENT)
    token = raw.get("access_token")
    if not isinstance(token, str) or not token or not token.isascii() or any(c <= " " or c == "\x7f" for c in token):
        raise _damaged(directory / TOKENS, "it holds no access token")
    if str(raw.get("token_type") or "bearer").lower() != "bearer":
        raise _damaged(directory / TOKENS, "its token is no bearer token")
    if not any(key in client for key in ("client_id", "redirect_uris")):
        raise _damaged(directory / CLIENT, "it describes no client")
    claims = _claims(token)
    return Tokens(
        access_token=token,
        expires_at=_expiry(directory, raw, claims),
        client_id=str(client.get("client_id") or ""),
        account=hashlib.sha256(str(claims["user_id"]).encode()).hexdigest()[:16] if claims.get("user_id") else "",
    )


def _object(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise SignInFileError("missing", f"{path} is missing. {RENEW}") from None
    except OSError as error:
        raise SignInFileError("missing", f"{path} cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError):
        raise _damaged(path, "it is not JSON") from None
    if not isinstance(found, dict) or not found:
        raise _damaged(path, "it is not a JSON object with something in it")
    return found


def _damaged(path: Path, why: str) -> SignInFileError:
    return SignInFileError("damaged", f"The sign-in file {path} is damaged: {why}. {RENEW}")


def _expiry(directory: Path, raw: Mapping[str, Any], claims: Mapping[str, Any]) -> datetime | None:
    """Our own note beside the token, else the token's claim, else the file's age: the last is an upper bound."""
    path = Path(os.path.realpath(directory / TOKENS))
    try:
        note = json.loads((path.parent / SIDECAR).read_bytes())
        if note["token"] == hashlib.sha256(str(raw["access_token"]).encode()).hexdigest()[:16]:
            return datetime.fromisoformat(note["expires_at"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        pass
    if (claimed := _moment(claims.get("exp"))) is not None:
        return claimed
    try:
        return _moment(path.stat().st_mtime + float(raw["expires_in"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _claims(token: str) -> Mapping[str, Any]:
    """What a JWT says of itself; unverified, since only Swiggy can verify it, and empty where it is none."""
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        found = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _moment(seconds: Any) -> datetime | None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _ended(found: Tokens, *, now: datetime) -> bool:
    return found.expires_at is not None and found.expires_at - now <= timedelta(seconds=SPARE_S)


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
