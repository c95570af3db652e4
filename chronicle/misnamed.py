"""Files of the configuration whose name is nearly right: nobody reads them, and so they would be silently ignored."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from pathlib import Path

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
    for path in _here(directory):
        meant = _meant(path.name, HOST) if path.is_file() else None
        if meant is not None:
            yield _fault(path, f"the file is called {meant}", _owner(meant))
        elif path.is_dir() and path.name != FOLDER and _alike(path.name, FOLDER) and any(path.glob("*/config.y*ml")):
            yield Fault("plugins", f"{UNREAD}: the folder is called {FOLDER}; rename it", f"{files.short(path)}:1")
    for path in _here(directory / FOLDER):
        stem = _stem(path.name)
        if path.is_file() and stem is not None and stem not in off:
            yield _fault(path, f"the settings of a plugin stand in {FOLDER}/<id>/config.yml", stem)
        elif path.is_dir() and path.name not in off:
            for own in _here(path):
                if own.is_file() and (meant := _meant(own.name, OWN)) is not None:
                    yield _fault(own, f"the file is called {meant}", path.name)


def _fault(path: Path, meant: str, owner: str) -> Fault:
    return Fault(owner, f"{UNREAD}: {meant}; rename it", f"{files.short(path)}:1", unread=True)


def _owner(name: str) -> str:
    return name.removesuffix(".yml")


def _here(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


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
