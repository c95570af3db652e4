"""What is done on the disk of the token directory: private from the first byte, whole or not at all, one process at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from swiggy_instamart import pairs
from swiggy_instamart.pairs import SignInFileError

LOCK = ".lock"
LOOK_S = 0.02


def rename_link(path: Path, target: str) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    draft.symlink_to(target)
    draft.replace(path)


def write(path: Path, content: bytes) -> None:
    """Private from the first byte: the mode is that of the creation, not of a later change."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(directory: Path, *, name: str = LOCK, within_s: float | None = None) -> Iterator[bool]:
    """The directory for oneself, among processes and threads. With ``within_s`` the wait may end without the lock."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    pairs.check_private(directory)
    handle = os.open(directory / name, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _taken(handle, within_s=within_s)
    finally:
        os.close(handle)


def _taken(handle: int, *, within_s: float | None) -> bool:
    if within_s is None:
        fcntl.flock(handle, fcntl.LOCK_EX)
        return True
    ends = time.monotonic() + within_s
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        if time.monotonic() >= ends:
            return False
        time.sleep(LOOK_S)  # the kernel has no flock with a time limit


@contextlib.contextmanager
def saving(directory: Path) -> Iterator[None]:
    """What the disk refuses is said as a fault of the sign-in files."""
    try:
        yield
    except OSError as error:
        reason = f"The sign-in could not be saved in {directory} ({error.strerror}); the one before it stands."
        raise SignInFileError("not_saved", reason) from error


def replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        write(draft, content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    sync(path.parent)
