"""Putting a sign-in in place: both files or neither, and the pair before it kept for the way back.

The files that the directory shows are links through ``current`` to one of its ``pairs``; one rename of ``current`` switches
both at once, so a process killed anywhere leaves a pair that belongs together.
"""

from __future__ import annotations

import json
import secrets
import shutil
from pathlib import Path

from swiggy_instamart import pairs, vault
from swiggy_instamart.pairs import CLIENT, SIDECAR, TOKENS, Pair, SignInFileError

PAIRS, CURRENT, PREVIOUS = "pairs", "current", "previous"


def replace(directory: Path, *, source: Path, proved: Pair | None = None) -> None:
    """Install the pair that ``source`` holds. Raises SignInFileError where it cannot be read, or is not the one ``proved``."""
    found = pairs.read(source)
    if proved is not None and proved != found:
        raise SignInFileError("damaged", f"The sign-in in {source} changed while it was being proved; run the command again.")
    with vault.locked(directory):
        before = _adopt(directory)
        after = _store(directory, source, found)
        if before is not None:
            _link(directory / PREVIOUS, before)
        _link(directory / CURRENT, after)
        _show(directory)
        _prune(directory)


def rollback(directory: Path) -> None:
    """Put the pair before this one back in place; this one becomes the pair before."""
    with vault.locked(directory):
        previous = _previous(directory)
        before = _adopt(directory)
        if before is not None:
            _link(directory / PREVIOUS, before)
        _link(directory / CURRENT, previous)
        _show(directory)


def previous(directory: Path) -> Path:
    """The directory of the pair before this one. Raises SignInFileError where none is kept."""
    with vault.locked(directory):
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
        vault.write(home / name, (source / name).read_bytes())
    note = {"token": found.identity, "expires_at": found.expires_at.isoformat() if found.expires_at else None}
    vault.write(home / SIDECAR, json.dumps(note).encode())
    vault.sync(home)
    vault.sync(kept)
    return home


def _show(directory: Path) -> None:
    """Make both files of the directory links through ``current``. Each shows the same before and after."""
    for name in (TOKENS, CLIENT):
        target = f"{CURRENT}/{name}"
        path = directory / name
        if not (path.is_symlink() and path.readlink() == Path(target)):
            vault.rename_link(path, target)
    vault.sync(directory)


def _link(path: Path, home: Path) -> None:
    vault.rename_link(path, f"{PAIRS}/{home.name}")
    vault.sync(path.parent)


def _prune(directory: Path) -> None:
    """Keep the pair in force and the one before it; drop older ones and the drafts of runs that were killed."""
    kept = {(directory / name).resolve() for name in (CURRENT, PREVIOUS)}
    for path in (directory / PAIRS).iterdir():
        if path.resolve() not in kept:
            shutil.rmtree(path, ignore_errors=True)
    for name in (TOKENS, CLIENT, CURRENT, PREVIOUS):
        for draft in directory.glob(f".{name}.*"):
            draft.unlink(missing_ok=True)
