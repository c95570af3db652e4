"""Tokens that the sandbox accepts, in the two files a sign-in leaves behind. The key is public: it opens nothing but this."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any

KEY = b"the sandbox signs with this; it is not a secret"
SCOPE = "mcp:tools mcp:resources mcp:prompts"
FIVE_DAYS_S = 432_000


def _part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _signature(signed: str) -> str:
    return _part(hmac.new(KEY, signed.encode(), hashlib.sha256).digest())


def token(*, expires_in_s: float = FIVE_DAYS_S, tid: str | None = None) -> str:
    """A bearer in the shape of Swiggy's: a JWT with ``user_id``, ``tid`` and ``exp``."""
    claims = {"user_id": "90000001", "tid": tid or secrets.token_hex(8), "exp": int(time.time() + expires_in_s)}
    signed = ".".join(_part(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return f"{signed}.{_signature(signed)}"


def refresh_token() -> str:
    """One that the sandbox redeems."""
    return f"refresh-{token()}"


def claims(bearer: str) -> dict[str, Any] | None:
    """What a token says of itself; None if this sandbox did not make it."""
    signed, _, signature = bearer.rpartition(".")
    if not hmac.compare_digest(signature, _signature(signed)):
        return None
    middle = signed.partition(".")[2]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    return found


def _write(path: Path, content: dict[str, Any]) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(content, file)
    draft.replace(path)


def write_tokens(
    directory: str | Path, *, expires_in_s: float = FIVE_DAYS_S, refresh_token: str | None = None, tid: str | None = None
) -> str:
    """``tokens.json`` and ``client.json``, private, as the SDK's own models would be written. Returns the access token."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    directory.chmod(0o700)
    access = token(expires_in_s=expires_in_s, tid=tid)
    tokens = {"access_token": access, "token_type": "Bearer", "expires_in": FIVE_DAYS_S, "scope": SCOPE}
    _write(directory / "tokens.json", tokens | {"refresh_token": refresh_token})
    client = {
        "redirect_uris": ["http://localhost:8765/callback"],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "scope": SCOPE,
        "client_name": "sandbox",
        "client_id": "swiggy-mcp",
        "client_secret": None,
        "client_id_issued_at": None,
        "client_secret_expires_at": None,
    }
    _write(directory / "client.json", client)
    return access


def write_expired_tokens(directory: str | Path, *, ago_s: float = 3600) -> str:
    """The same pair, with an access token that ran out ``ago_s`` seconds ago."""
    return write_tokens(directory, expires_in_s=-ago_s)
