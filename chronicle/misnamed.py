"""Files of the configuration whose name is nearly right: nobody reads them, and so they would be silently ignored."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from chronicle import files
from interactions.faults import Fault

HOST, OWN, FOLDER = ("config.yml", "plugins.yml"), ("config.yml",), "plugins"
YAML = (
    ".yml",
    ".yaml",
    ".yam",
    ".yaml.txt",
    ".yml.txt",
)  # a name with any other ending is a note or a copy, put there on purpose
ALIKE = 0.75
UNREAD = "is read by nobody"


def faults(directory: Path, off: Collection[str]) -> Iterator[Fault]:
    """Each of them with the name it should have. Plugins that are ``off`` may keep what they like."""
    yield from _closed(directory, "config")
    for path in files.inside(directory):
        meant = _meant(path.name, HOST) if files.is_a(S_ISREG, path) else None
        if meant is not None:
            yield _fault(path, f"the file is called {meant}", _owner(meant))
        elif (
            files.is_a(S_ISDIR, path) and path.name != FOLDER and _alike(path.name, FOLDER) and any(path.glob("*/config.y*ml"))
        ):
            yield Fault("plugins", f"{UNREAD}: the folder is called {FOLDER}; rename it", f"{files.short(path)}:1")
    yield from _closed(directory / FOLDER, "plugins")
    for path in files.inside(directory / FOLDER):
        stem = _stem(path.name)
        if files.is_a(S_ISREG, path) and stem is not None and stem not in off:
            yield _fault(path, f"the settings of a plugin stand in {FOLDER}/<id>/config.yml", stem)
        elif files.is_a(S_ISDIR, path) and path.name not in off:
            yield from _closed(path, path.name)
            for own in files.inside(path):
                if files.is_a(S_ISREG, own) and (meant := _meant(own.name, OWN)) is not None:
                    yield _fault(own, f"the file is called {meant}", path.name)


def _closed(folder: Path, owner: str) -> Iterator[Fault]:
    """Nobody can tell what lies there and is read by nobody."""
    if not files.is_a(S_ISDIR, folder):
        return
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        yield Fault(owner, files.unread(error), f"{files.short(folder)}:1")


def _fault(path: Path, meant: str, owner: str) -> Fault:
    return Fault(owner, f"{UNREAD}: {meant}; rename it", f"{files.short(path)}:1", unread=True)


def _owner(name: str) -> str:
    return name.removesuffix(".yml")


def _stem(name: str) -> str | None:
    """What stands before the ending of a YAML file, in small letters; None of any other file."""
    small = name.lower()
    ending = next((one for one in sorted(YAML, key=len, reverse=True) if small.endswith(one)), None)
    return small.removesuffix(ending) if ending and not small.startswith(".") else None


def _meant(name: str, known: Collection[str]) -> str | None:
    stem = _stem(name)
    if name in known or stem is None:
        return None
    return next((one for one in known if _alike(stem, _owner(one))), None)


def _alike(name: str, known: str) -> bool:
    return difflib.SequenceMatcher(None, name.lower(), known).ratio() >= ALIKE
