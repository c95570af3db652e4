"""A damaged file is taken out of the way, under a name that says when. It is never overwritten, deleted or used.

Somebody may be copying it into place at this moment, and not under our lock: only what has not changed for a while is moved,
or what a command of the operator is about to replace.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import time
from datetime import UTC, datetime
from pathlib import Path

from swiggy_instamart import pairs, vault
from swiggy_instamart.pairs import CLIENT, TOKENS, SignInFileError

PLACE = "damaged"
SETTLED_S = 10.0  # a copy that pauses for longer goes on into the file that was moved, and loses nothing but its place

Seen = tuple[int, int, int]


def settled(directory: Path, error: SignInFileError) -> SignInFileError:
    """What is to be said of a pair that cannot be read, after its damaged file was moved away if the time has come."""
    if error.code == "damaged" and _quiet(directory):
        with contextlib.suppress(OSError, SignInFileError), vault.locked(directory, within_s=0) as mine:
            if mine and _quiet(directory):  # else somebody is about to replace it
                put(directory)
    kept = latest(directory, error.name)
    if kept is None or error.code not in ("damaged", "missing") or os.path.lexists(_file(directory, error.name)):
        return error
    reason = f"The sign-in file {directory / error.name} was damaged; it is kept aside as {PLACE}/{kept.name}. {pairs.RENEW}"
    return SignInFileError("damaged", reason, name=error.name)


def put(directory: Path) -> None:
    """Move the damaged files of a directory away. Expects its lock."""
    for _ in (TOKENS, CLIENT):
        seen = {name: _seen(_file(directory, name)) for name in (TOKENS, CLIENT)}
        try:
            pairs.read(directory)
            return
        except SignInFileError as error:
            if error.code != "damaged":
                return
            _move(directory, error.name, seen[error.name])


def keep(directory: Path, name: str) -> None:
    """Move a file away that is about to be replaced and belongs to no pair. Expects the lock."""
    path = directory / name
    if os.path.lexists(path) and not path.is_symlink():
        _move(directory, name, _seen(path))


def latest(directory: Path, name: str) -> Path | None:
    """The file of this name that was set aside last."""
    try:
        return max((path for path in (directory / PLACE).iterdir() if name and path.name.startswith(f"{name}.")), default=None)
    except OSError:
        return None


def _quiet(directory: Path) -> bool:
    """Whether neither file has changed for a while; a change of owner or mode counts too."""
    changed = [0.0]
    for name in (TOKENS, CLIENT):
        with contextlib.suppress(OSError):
            changed += [(directory / name).lstat().st_ctime, (directory / name).stat().st_ctime]
    return time.time() - max(changed) >= SETTLED_S


def _move(directory: Path, name: str, judged: Seen | None) -> None:
    path, place = _file(directory, name), directory / PLACE
    place.mkdir(mode=0o700, exist_ok=True)
    target = place / f"{name}.{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(2)}"
    path.rename(target)
    if _seen(target) != judged:  # replaced between the judgement and the move: give it back, unless there is a newer one yet
        with contextlib.suppress(OSError):
            os.link(target, path)
            target.unlink()
    if (shown := directory / name).is_symlink() and not shown.exists():
        shown.unlink()  # cp does not write through a link that leads nowhere
    for changed in {place, path.parent, directory}:
        vault.sync(changed)


def _file(directory: Path, name: str) -> Path:
    """The file itself, where the directory shows a link to it."""
    return Path(os.path.realpath(directory / name))


def _seen(path: Path) -> Seen | None:
    try:
        there = path.lstat()
    except OSError:
        return None
    size = 0 if stat.S_ISDIR(there.st_mode) else there.st_size
    return there.st_ino, there.st_mtime_ns, size
