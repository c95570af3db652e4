"""One YAML file of the configuration: its plain data, the line of every key, and what is wrong with it.

Where the file is read with a look-up its variables are replaced; the replaced value is typed as if it had been written there
('false' is false), and a quoted one stays text. No fault quotes a value: it may be a secret.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import ComposerError

from chronicle import variables
from chronicle.variables import Lookup
from interactions.faults import Fault

DEPTH = 32
MOST = 20_000  # values of one file; aliases can write down any number in a few lines
UNREAD = object()  # stands where a value could not be read: no schema takes it, so that no rule is asked about half a file
CLOSED = "may not be read by this process"


def short(path: Path) -> str:
    """The path as the operator would write it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def is_there(path: Path) -> bool:
    """Whether anything has this name, be it something that cannot be read: whoever reads it is told why."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def is_a(kind: Callable[[int], bool], path: Path) -> bool:
    """Whether it is one (``stat.S_ISREG``, ``stat.S_ISDIR``), as far as that can be seen."""
    try:
        return kind(path.stat().st_mode)
    except OSError:
        return False


def inside(folder: Path) -> list[Path]:
    """What lies in a folder; nothing where there is none, or one that may not be listed."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def unread(error: OSError) -> str:
    """Why a file or a folder cannot be read, and what to do about it."""
    if isinstance(error, FileNotFoundError):
        return "is not there; write it (an empty one will do), or set CHRONICLE_CONFIG_DIR to the folder that has it"
    if isinstance(error, PermissionError):
        return f"{CLOSED}; let its user read it, and enter the folder that it lies in"
    if isinstance(error, IsADirectoryError):
        return "is a folder; a file of this name belongs there"
    return f"cannot be read: {error.strerror or type(error).__name__}"


class File:
    """One YAML file: its plain data, the line of every key, and its faults."""

    def __init__(self, path: Path, *, owner: str, lookup: Lookup | None = None) -> None:
        self.path = path
        self.owner = owner
        self.name = short(path)
        self.lines: dict[tuple[str, ...], int] = {}
        self.faults: list[Fault] = []
        self._lookup = lookup
        self._values = 0
        self.data: Any = self._read()

    def where(self, path: tuple[str, ...]) -> str:
        """``file:line`` of ``path``, or of the nearest thing around it."""
        line = next((self.lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.lines), 1)
        return f"{self.name}:{line}"

    def fault(self, text: str, line: int) -> None:
        self.faults.append(Fault(self.owner, text, f"{self.name}:{line}", unread=True))

    def _read(self) -> Any:
        try:
            self._loader = yaml.SafeLoader(self.path.read_bytes().decode("utf-8"))
            node = self._loader.get_single_node()
        except OSError as error:
            self.fault(unread(error), 1)
            return {}
        except UnicodeDecodeError as error:
            self.fault("is not UTF-8 from this line on; save it as UTF-8", error.object.count(b"\n", 0, error.start) + 1)
            return {}
        except RecursionError:
            self.fault("is nested too deeply", 1)
            return {}
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            text = (error.problem or error.context or "").partition(" '" if isinstance(error, ComposerError) else "\n")[0]
            self.fault(f"is not YAML: {text}", mark.line + 1 if mark else 1)
            return {}
        except yaml.YAMLError as error:
            self.fault(f"is not YAML: {str(error).splitlines()[0]}", 1)
            return {}
        data = None if node is None else self._plain(node, ())
        if data is None or data is UNREAD:
            return {}
        if not isinstance(data, dict):
            self.fault("must hold 'key: value' lines", 1)
            return {}
        return data

    def _plain(self, node: yaml.Node, path: tuple[str, ...]) -> Any:
        self._values += 1
        if self._values > MOST:
            if self._values == MOST + 1:
                self.fault(f"is too large: it holds more than {MOST} values", node.start_mark.line + 1)
            return UNREAD
        if len(path) > DEPTH:
            self.fault("is nested too deeply", node.start_mark.line + 1)
            return UNREAD
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            for index, entry in enumerate(node.value):
                self.lines[(*path, str(index))] = entry.start_mark.line + 1
            return [self._plain(entry, (*path, str(index))) for index, entry in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, path: tuple[str, ...]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag == "tag:yaml.org,2002:merge":
                self.fault("a key must be a plain word", line)
                continue
            key = str(key_node.value)
            place = (*path, key)
            if variables.BEGIN in key:
                self.fault("variables stand in values only, and this key holds one", line)
                continue
            if key in data:
                self.fault(
                    f"key '{'.'.join(place)}' stands twice: {self.name}:{self.lines[place]} and {self.name}:{line}", line
                )
                continue
            self.lines[place] = line
            data[key] = self._plain(value_node, place)
        return data

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        line = node.start_mark.line + 1
        if variables.BEGIN in node.value:
            value = self._expanded(node.value, line)
            if value is None:
                return UNREAD
            if node.style in ("'", '"'):
                return value
            tag = self._loader.resolve(yaml.ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
            node = yaml.ScalarNode(tag, value, node.start_mark, node.end_mark, node.style)
        try:
            return self._loader.construct_object(node, deep=True)
        except Exception:  # noqa: BLE001  of a tag that does not fit the value, the library raises whatever it trips over
            self.fault(f"what is written here cannot be read as {node.tag.rsplit(':', 1)[-1]}; quote it", line)
            return UNREAD

    def _expanded(self, written: str, line: int) -> str | None:
        if self._lookup is None:
            self.fault("variables are replaced in plugins/<id>/config.yml only; write the value itself", line)
            return None
        return variables.expand(written, self._lookup, partial(self.fault, line=line))
