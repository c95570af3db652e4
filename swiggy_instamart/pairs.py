"""The two files of a sign-in, ``tokens.json`` and ``client.json``: where they may lie, and what they say.

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

TOKENS, CLIENT, SIDECAR = "tokens.json", "client.json", "expires.json"
RENEW = "Sign in again with swiggy_sign_in and install the files with rotate_swiggy_tokens."


class SignInFileError(Exception):
    """The files cannot be used; ``code`` is missing, damaged, not_private, misplaced or expired."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Pair:
    """A readable pair. ``expires_at`` is ``None`` where nothing tells; then only Swiggy knows."""

    access_token: str = field(repr=False)
    expires_at: datetime | None = None
    client_id: str = ""
    account: str = ""  # a digest of the account's id, to see whether two sign-ins are of one account

    @property
    def identity(self) -> str:
        return hashlib.sha256(self.access_token.encode()).hexdigest()[:16]


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


def read(directory: Path) -> Pair:
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
    return Pair(
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
