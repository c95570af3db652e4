"""Putting a sign-in in place: both files or neither, and the pair before it kept for the way back.

The files that the directory shows are links through ``current`` to one of its ``pairs``; one rename of ``current`` switches
both at once, so a process killed anywhere leaves a pair that belongs together.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from swiggy_instamart import aside, pairs, vault
from swiggy_instamart.pairs import CLIENT, SIDECAR, TOKENS, Pair, SignInFileError

PAIRS, CURRENT, PREVIOUS = "pairs", "current", "previous"


def replace(directory: Path, *, source: Path, proved: Pair | None = None) -> None:
    """Install the pair that ``source`` holds. Raises SignInFileError where it cannot be read, or is not the one ``proved``."""
    found = pairs.read(source)
    if proved is not None and proved != found:
        raise SignInFileError("damaged", f"The sign-in in {source} changed while it was being proved; run the command again.")
    with vault.saving(directory), vault.locked(directory):
        aside.put(directory)
        contents = {name: (source / name).read_bytes() for name in (TOKENS, CLIENT)}
        before = _adopt(directory)
        after = _store(directory, contents, found)
        if before is not None:
            _link(directory / PREVIOUS, before)
        _link(directory / CURRENT, after)
        _show(directory)
        _prune(directory)


def renew(directory: Path, *, tokens: bytes, of: Pair) -> bool:
    """Install what a refresh of this pair brought; False where another sign-in is in force by now. The one before it stays."""
    with vault.saving(directory), vault.locked(directory):
        if pairs.read(directory).access_token != of.access_token:
            return False
        _adopt(directory)
        after = _store(directory, {TOKENS: tokens, CLIENT: (directory / CLIENT).read_bytes()}, None)
        _link(directory / CURRENT, after)
        _show(directory)
        _prune(directory)
    return True


def rollback(directory: Path) -> None:
    """Put the pair before this one back in place; this one becomes the pair before."""
    with vault.saving(directory), vault.locked(directory):
        aside.put(directory)
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
        for name in (TOKENS, CLIENT):
            aside.keep(directory, name)
        return None
    kept = directory / PAIRS
    homes = {path.resolve().parent for path in shown}
    if len(homes) == 1 and (home := homes.pop()).parent == kept.resolve() and all(path.is_symlink() for path in shown):
        return home
    try:
        found = pairs.read(directory)
    except SignInFileError:
        for name in (TOKENS, CLIENT):
            aside.keep(directory, name)
        return None
    home = _store(directory, {name: (directory / name).read_bytes() for name in (TOKENS, CLIENT)}, found)
    _link(directory / CURRENT, home)
    _show(directory)
    return home


def _store(directory: Path, contents: Mapping[str, bytes], found: Pair | None) -> Path:
    """Write a pair under a name of its own, with a note of when it ends; nobody sees it yet."""
    kept = directory / PAIRS
    kept.mkdir(mode=0o700, exist_ok=True)
    number = 1 + max((int(path.name.partition("-")[0]) for path in kept.iterdir() if path.name[:4].isdigit()), default=0)
    home = kept / f"{number:04d}-{secrets.token_hex(3)}"
    try:
        home.mkdir(mode=0o700)
        for name, content in contents.items():
            vault.write(home / name, content)
        found = found or pairs.read(home)
        ends = found.expires_at.isoformat() if found.expires_at else None
        note = {"token": found.identity, "client_id": found.client_id, "expires_at": ends}
        vault.write(home / SIDECAR, json.dumps(note).encode())
        vault.sync(home)
        vault.sync(kept)
    except (OSError, SignInFileError):
        shutil.rmtree(home, ignore_errors=True)
        raise
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
