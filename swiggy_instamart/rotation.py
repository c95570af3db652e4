"""Putting a sign-in in place: both files or neither, and the pair before it kept for the way back.

The files that the directory shows are links through ``current`` to one of its ``pairs``; one rename of ``current`` switches
both at once, so a process killed anywhere leaves a pair that belongs together.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from swiggy_instamart import pairs
from swiggy_instamart.pairs import CLIENT, SIDECAR, TOKENS, Pair, SignInFileError

PAIRS, CURRENT, PREVIOUS, LOCK = "pairs", "current", "previous", ".lock"


def replace(directory: Path, *, source: Path, proved: Pair | None = None) -> None:
    """Install the pair that ``source`` holds. Raises SignInFileError where it cannot be read, or is not the one ``proved``."""
    found = pairs.read(source)
    if proved is not None and proved != found:
        raise SignInFileError("damaged", f"The sign-in in {source} changed while it was being proved; run the command again.")
    with _locked(directory):
        before = _adopt(directory)
        after = _store(directory, source, found)
        if before is not None:
            _link(directory / PREVIOUS, before)
        _link(directory / CURRENT, after)
        _show(directory)
        _prune(directory)


def rollback(directory: Path) -> None:
    """Put the pair before this one back in place; this one becomes the pair before."""
    with _locked(directory):
        previous = _previous(directory)
        before = _adopt(directory)
        if before is not None:
            _link(directory / PREVIOUS, before)
        _link(directory / CURRENT, previous)
        _show(directory)


def previous(directory: Path) -> Path:
    """The directory of the pair before this one. Raises SignInFileError where none is kept."""
    with _locked(directory):
        return _previous(directory)


def _previous(directory: Path) -> Path:
    found = directory / PREVIOUS
    if not found.is_dir():
        raise SignInFileError("missing", f"No earlier sign-in is kept in {directory}.")
    return found.resolve()


def _adopt(directory: Path) -> Path | None:
    """The pair in force as one of the stored pairs. Files that were put there by hand are stored first, then shown as links."""
    shown = [directory / TOKENS, directory / CLIENT]
    if not all(path.exists() for path in shown):
        return None
    kept = directory / PAIRS
    homes = {path.resolve().parent for path in shown}
    if len(homes) == 1 and (home := homes.pop()).parent == kept.resolve() and all(path.is_symlink() for path in shown):
        return home
    try:
        found = pairs.read(directory)
    except SignInFileError:
        return None  # nothing that one would want back
    home = _store(directory, directory, found)
    _link(directory / CURRENT, home)
    _show(directory)
    return home


def _store(directory: Path, source: Path, found: Pair) -> Path:
    """Copy a pair under a name of its own, with a note of when it ends; nobody sees it yet."""
    kept = directory / PAIRS
    kept.mkdir(mode=0o700, exist_ok=True)
    number = 1 + max((int(path.name.partition("-")[0]) for path in kept.iterdir() if path.name[:4].isdigit()), default=0)
    home = kept / f"{number:04d}-{secrets.token_hex(3)}"
    home.mkdir(mode=0o700)
    for name in (TOKENS, CLIENT):
        _write(home / name, (source / name).read_bytes())
    note = {"token": found.identity, "expires_at": found.expires_at.isoformat() if found.expires_at else None}
    _write(home / SIDECAR, json.dumps(note).encode())
    _sync(home)
    _sync(kept)
    return home


def _show(directory: Path) -> None:
    """Make both files of the directory links through ``current``. Each shows the same before and after."""
    for name in (TOKENS, CLIENT):
        target = f"{CURRENT}/{name}"
        path = directory / name
        if not (path.is_symlink() and path.readlink() == Path(target)):
            _rename_link(path, target)
    _sync(directory)


def _link(path: Path, home: Path) -> None:
    _rename_link(path, f"{PAIRS}/{home.name}")
    _sync(path.parent)


def _rename_link(path: Path, target: str) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    draft.symlink_to(target)
    draft.replace(path)


def _write(path: Path, content: bytes) -> None:
    """Private from the first byte: the mode is that of the creation, not of a later change."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _prune(directory: Path) -> None:
    """Keep the pair in force and the one before it; drop older ones and the drafts of runs that were killed."""
    kept = {(directory / name).resolve() for name in (CURRENT, PREVIOUS)}
    for path in (directory / PAIRS).iterdir():
        if path.resolve() not in kept:
            shutil.rmtree(path, ignore_errors=True)
    for name in (TOKENS, CLIENT, CURRENT, PREVIOUS):
        for draft in directory.glob(f".{name}.*"):
            draft.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    pairs.check_private(directory)
    handle = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
