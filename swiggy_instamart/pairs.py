"""The two files of a sign-in, ``tokens.json`` and ``client.json``: where they may lie, who may read them, and what they say.

Tolerant of absent and additional fields, as every known sign-in writes them. Pure reading: nothing here is ever changed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from swiggy_instamart import attempts

TOKENS, CLIENT, SIDECAR = "tokens.json", "client.json", "expires.json"
LARGEST = 64_000  # bytes of a file; the real ones have two thousand
RENEW = "Sign in again with swiggy_sign_in and install the files with rotate_swiggy_tokens."


class SignInFileError(Exception):
    """The files cannot be used; ``code`` is missing, damaged, unreadable, not_private, misplaced, not_saved or expired.

    ``name``: which of the two files, where it is one of them.
    """

    def __init__(self, code: str, message: str, *, name: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.name = name


@dataclass(frozen=True, slots=True)
class Pair:
    """A readable pair. ``expires_at`` is ``None`` where nothing tells; then only Swiggy knows."""

    access_token: str = field(repr=False)
    expires_at: datetime | None = None
    client_id: str = ""
    account: str = ""  # a digest of the account's id, to see whether two sign-ins are of one account
    refresh_token: str = field(default="", repr=False)
    spent: str = ""  # why the refresh token will not be tried (again)

    @property
    def identity(self) -> str:
        return hashlib.sha256(self.access_token.encode()).hexdigest()[:16]

    @property
    def renewable(self) -> bool:
        return bool(self.refresh_token) and not self.spent


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


def check_files(directory: Path) -> None:
    """Each lies below its directory and only its owner may read it. What is absent or no file is for ``read`` to name."""
    for name in (TOKENS, CLIENT):
        path = directory / name
        if not Path(os.path.realpath(path)).is_relative_to(directory.resolve()):
            raise SignInFileError("misplaced", f"{path} is a link to a place outside; copy the file itself there.", name=name)
        try:
            there = path.stat()
        except OSError:
            continue
        mode = stat.S_IMODE(there.st_mode)
        if there.st_uid != os.geteuid():
            reason = f"{path} belongs to another user; chown it to the one that runs the service."
            raise SignInFileError("not_private", reason, name=name)
        if stat.S_ISREG(there.st_mode) and mode & 0o077:
            raise SignInFileError("not_private", f"{path} can be read by others; run chmod 600 {path}", name=name)
        if stat.S_ISREG(there.st_mode) and not mode & stat.S_IRUSR:
            raise SignInFileError("unreadable", f"{path} cannot be read; run chmod 600 {path}", name=name)


# ---- reading a pair -----------------------------------------------------------------------------------------------------


def read(directory: Path) -> Pair:
    """Read both files of a directory. Raises SignInFileError: missing, unreadable or damaged."""
    raw, client = _object(directory / TOKENS), _object(directory / CLIENT)
    token = raw.get("access_token")
    if not isinstance(token, str) or not token or not token.isascii() or any(c <= " " or c == "\x7f" for c in token):
        raise _damaged(directory / TOKENS, "it holds no access token")
    if str(raw.get("token_type") or "bearer").lower() != "bearer":
        raise _damaged(directory / TOKENS, "its token is no bearer token")
    if not any(key in client for key in ("client_id", "redirect_uris")):
        raise _damaged(directory / CLIENT, "it describes no client")
    claims, note = _claims(token), _note(directory, token)
    client_id = str(client.get("client_id") or "")
    made_for = next((name for name in (claims.get("client_id"), claims.get("azp"), note.get("client_id")) if name), "")
    if isinstance(made_for, str) and made_for and client_id and made_for != client_id:
        raise _damaged(directory / TOKENS, f"its token was made for another client than the one in {CLIENT}")
    refresh = raw.get("refresh_token")
    refresh = refresh if isinstance(refresh, str) else ""
    return Pair(
        access_token=token,
        expires_at=_expiry(directory, raw, claims, note),
        client_id=client_id,
        account=hashlib.sha256(str(claims["user_id"]).encode()).hexdigest()[:16] if claims.get("user_id") else "",
        refresh_token=refresh,
        spent=attempts.over(attempts.load(directory, token=refresh)) if refresh else "",
    )


def content(path: Path) -> Mapping[str, Any]:
    """One of the files as it stands."""
    return _object(path)


def _object(path: Path) -> Mapping[str, Any]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise _damaged(path, "it is not a file")
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        found = json.loads(raw)
    except FileNotFoundError:
        raise SignInFileError("missing", f"{path} is missing. {RENEW}", name=path.name) from None
    except OSError as error:
        raise SignInFileError("unreadable", f"{path} cannot be read ({error.strerror}).", name=path.name) from None
    except (ValueError, RecursionError):
        raise _damaged(path, "it is not JSON") from None
    if len(raw) > LARGEST:
        raise _damaged(path, "it is far too large")
    if not isinstance(found, dict) or not found:
        raise _damaged(path, "it is not a JSON object with something in it")
    return found


def _damaged(path: Path, why: str) -> SignInFileError:
    return SignInFileError("damaged", f"The sign-in file {path} is damaged: {why}. {RENEW}", name=path.name)


def _note(directory: Path, token: str) -> Mapping[str, Any]:
    """What the rotation wrote down beside this very token."""
    try:
        note = json.loads((Path(os.path.realpath(directory / TOKENS)).parent / SIDECAR).read_bytes())
        return note if note["token"] == hashlib.sha256(token.encode()).hexdigest()[:16] else {}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}


def _expiry(directory: Path, raw: Mapping[str, Any], claims: Mapping[str, Any], note: Mapping[str, Any]) -> datetime | None:
    """Our own note beside the token, else the token's claim, else the file's age: the last is an upper bound."""
    try:
        return datetime.fromisoformat(note["expires_at"]).astimezone(UTC)
    except (ValueError, TypeError, KeyError):
        pass
    if (claimed := _moment(claims.get("exp"))) is not None:
        return claimed
    try:
        return _moment((directory / TOKENS).stat().st_mtime + float(raw["expires_in"]))
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
