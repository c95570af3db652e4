"""Renewing an access token that ended or was refused, where the sign-in holds a refresh token. Never a browser, never a prompt.

Once, however many processes meet it: under a lock of its own, with the files read again after it was taken. A note is written
before the request, so that a refresh whose answer was lost is known of, bounded in number, and said.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from interactions.contracts import NotSentError
from swiggy_instamart import attempts, grants, pairs, rotation, tokens, vault
from swiggy_instamart.attempts import Attempt
from swiggy_instamart.grants import Grant, Said
from swiggy_instamart.pairs import Pair, SignInFileError
from swiggy_instamart.tokens import SPARE, Store

LOCK = ".refresh.lock"
RESERVE, RESERVED = ".reserve", 64_000  # bytes of disk held while asking, so that the answer can be saved
BOUND_S = 10.0  # of one refresh, and of waiting for somebody else's

log = logging.getLogger(__name__)


def ready(store: Store, *, url: str, within_s: float, lasting: timedelta = SPARE, refused: str = "") -> Pair:
    """The pair in force, good for ``lasting`` and other than the ``refused`` one; renewed first where that is needed.

    Raises NotSentError where there is none: nothing of the call that waits for it has left. A refused token that cannot be
    renewed is given back as it is, since only Swiggy knows.
    """
    ends = time.monotonic() + min(within_s, BOUND_S)
    try:
        found = store.load()
        if _stale(found, lasting=lasting, refused=refused) and found.renewable:
            with vault.locked(store.directory, name=LOCK, within_s=ends - time.monotonic()) as mine:
                found = store.load()  # somebody may have done it while we waited
                if _stale(found, lasting=lasting, refused=refused) and found.renewable:
                    if not mine:
                        raise SignInFileError("expired", "The Swiggy sign-in is being renewed and is not there yet.")
                    _renew(store, found, url=url, ends=ends)
                    found = store.load()
        verdict = tokens.judge(found, now=datetime.now(UTC))
        if not verdict.good:
            raise SignInFileError("expired", verdict.sentence)
        if _stale(found, lasting=lasting):
            raise SignInFileError("expired", f"The Swiggy sign-in ends too soon for what is to be done. {pairs.RENEW}")
    except SignInFileError as error:
        raise NotSentError("sign_in", error.message) from error
    except OSError as error:
        raise NotSentError("sign_in", f"The sign-in in {store.directory} cannot be looked after ({error.strerror}).") from error
    return found


def _stale(pair: Pair, *, lasting: timedelta, refused: str = "") -> bool:
    soon = pair.expires_at is not None and pair.expires_at - datetime.now(UTC) <= lasting
    return soon or pair.identity == refused


def _renew(store: Store, pair: Pair, *, url: str, ends: float) -> None:
    """Ask, and save what came. Expects the lock of the refresh. Where it fails, the pair in force is as it was."""
    directory, before = store.directory, attempts.load(store.directory, token=pair.refresh_token)
    if attempts.waits(before, now=datetime.now(UTC)):
        return
    attempt = attempts.begun(before, token=pair.refresh_token)
    with vault.saving(directory):
        vault.replace(directory / attempts.NOTE, attempt.dump())
        vault.replace(directory / RESERVE, b" " * RESERVED)
    raw = pairs.content(directory / pairs.TOKENS)
    grant = grants.refresh(url, pair, secret=_secret(store), within_s=ends - time.monotonic())
    with contextlib.suppress(OSError):
        (directory / RESERVE).unlink()
    if grant.said is Said.GRANTED and _saved(store, pair, raw, grant):
        log.info("the swiggy sign-in was renewed")
        return
    state = {Said.REFUSED: attempts.REFUSED, Said.UNSENT: attempts.UNSENT}.get(grant.said, attempts.SENT)
    log.warning("the swiggy sign-in was not renewed: %s (%s)", grant.said, grant.why)
    _note(store, replace(attempt, state=state))


def _saved(store: Store, pair: Pair, raw: Mapping[str, Any], grant: Grant) -> bool:
    """Install the answer; a refresh token that was not replaced is kept. A sign-in that was installed meanwhile stays."""
    fresh = {**raw, **grant.fields}
    another = grant.fields.get("refresh_token")
    fresh["refresh_token"] = another if isinstance(another, str) and another else pair.refresh_token
    try:
        rotation.renew(store.directory, tokens=json.dumps(fresh).encode(), of=pair)
    except SignInFileError as error:
        if error.code == "not_saved":
            lost = "Swiggy renewed the sign-in, but it could not be saved and is lost."
            raise SignInFileError("not_saved", f"{lost} {error.message} {pairs.RENEW}") from error
        log.warning("what swiggy granted cannot be used: %s", error.code)
        return False
    # Where what came is soon refused or over in turn, not every call may ask for the next.
    _note(store, Attempt(attempts.digest(fresh["refresh_token"]), attempts.UNSENT, datetime.now(UTC)))
    return True


def _note(store: Store, attempt: Attempt) -> None:
    with contextlib.suppress(OSError):  # the note from before the request stands, and says less
        vault.replace(store.directory / attempts.NOTE, attempt.dump())


def _secret(store: Store) -> str:
    secret = pairs.content(store.directory / pairs.CLIENT).get("client_secret")
    return secret if isinstance(secret, str) else ""
