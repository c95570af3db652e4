"""Reads the configuration directory into frozen values. Every fault is collected with its file and line, none is guessed away.

``${VAR}`` and ``${VAR:-default}`` are replaced only in the own files of plugins that are on; the replaced value is typed as
if it had been written there ('false' is false), and a quoted one stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from chronicle import env
from interactions.configuration import SEGMENTATIONS, Configuration, HostConfiguration, PluginEntry
from interactions.faults import Fault, nearest, validate

Lookup = Callable[[str], str | None]
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
DEPTH = 32


def short(path: Path) -> str:
    """The path as the operator would write it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


class File:
    """One YAML file: its plain data, the line of every key, and its faults."""

    def __init__(self, path: Path, *, owner: str, lookup: Lookup | None = None) -> None:
        self.path = path
        self.owner = owner
        self.name = short(path)
        self.lines: dict[tuple[str, ...], int] = {}
        self.faults: list[Fault] = []
        self._lookup = lookup
        self.data: Any = self._read()

    def where(self, path: tuple[str, ...]) -> str:
        """``file:line`` of ``path``, or of the nearest thing around it."""
        line = next((self.lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.lines), 1)
        return f"{self.name}:{line}"

    def fault(self, text: str, line: int) -> None:
        self.faults.append(Fault(self.owner, text, f"{self.name}:{line}"))

    def _read(self) -> Any:
        try:
            self._loader = yaml.SafeLoader(self.path.read_text(encoding="utf-8"))
            node = self._loader.get_single_node()
        except (OSError, UnicodeDecodeError) as error:
            self.fault(f"cannot be read ({type(error).__name__})", 1)
            return {}
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self.fault(f"is not YAML: {error.problem or error.context}", mark.line + 1 if mark else 1)
            return {}
        except yaml.YAMLError as error:
            self.fault(f"is not YAML: {str(error).splitlines()[0]}", 1)
            return {}
        data = {} if node is None else self._plain(node, ())
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.fault("must hold 'key: value' lines", 1)
            return {}
        return data

    def _plain(self, node: yaml.Node, path: tuple[str, ...]) -> Any:
        if len(path) > DEPTH:
            self.fault("is nested too deeply", node.start_mark.line + 1)
            return None
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
            if key in data:
                self.fault(
                    f"key '{'.'.join(place)}' stands twice: {self.name}:{self.lines[place]} and {self.name}:{line}", line
                )
                continue
            self.lines[place] = line
            data[key] = self._plain(value_node, place)
        return data

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        if self._lookup is not None and "${" in node.value:
            value = VARIABLE.sub(lambda found: self._expanded(found, node.start_mark.line + 1), node.value)
            if node.style in ("'", '"'):
                return value
            tag = self._loader.resolve(yaml.ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
            node = yaml.ScalarNode(tag, value, node.start_mark, node.end_mark, node.style)
        try:
            return self._loader.construct_object(node, deep=True)
        except (yaml.YAMLError, ValueError):
            self.fault(f"'{node.value}' cannot be read as {node.tag.rsplit(':', 1)[-1]}; quote it", node.start_mark.line + 1)
            return None

    def _expanded(self, found: re.Match[str], line: int) -> str:
        assert self._lookup is not None
        name, default = found.group(1), found.group(2)
        value = self._lookup(name)
        if value:
            return value
        if default is None:
            self.fault(
                f"environment variable {name} is not set and '${{{name}}}' has no default; set it or write '${{{name}:-...}}'",
                line,
            )
            return ""
        return default


def load(directory: Path, *, lookup: Lookup) -> Configuration:
    """The whole directory. Never raises for what is written in it: the faults ride along and the door refuses them together."""
    faults: list[Fault] = []
    host, keys = _host(directory, faults, lookup)
    entries, listing = _entries(directory, faults)
    settings: dict[str, dict[str, Any]] = {}
    places: dict[tuple[str, ...], str] = {}
    for (first, *rest), line in listing.lines.items():
        if first == "plugins" and rest:
            places[(rest[0], "plugins.yml", *rest[1:])] = f"{listing.name}:{line}"
    for plugin, entry in entries.items():
        path = directory / "plugins" / plugin / "config.yml"
        if not entry.on or not path.exists():
            continue
        file = File(path, owner=plugin, lookup=lookup)
        faults += file.faults
        settings[plugin] = file.data
        places[(plugin,)] = f"{file.name}:1"
        places.update({(plugin, *at): f"{file.name}:{line}" for at, line in file.lines.items()})
    faults += _strays(directory, listing)
    return Configuration(directory, host, entries, settings, places, tuple(faults), keys)


def _host(directory: Path, faults: list[Fault], lookup: Lookup) -> tuple[HostConfiguration, dict[str, str]]:
    file = File(directory / "config.yml", owner="config")
    host, found = validate(HostConfiguration, file.data, owner="config", where=file.where)
    faults += [*file.faults, *found]
    if host is None:
        return HostConfiguration(), {}
    name = host.defaults.live_segmentation
    if name not in SEGMENTATIONS:
        text = f"'defaults.live_segmentation' has no segmentation '{name}'; there are {', '.join(SEGMENTATIONS)}"
        faults.append(Fault("config", text, file.where(("defaults", "live_segmentation")), nearest(name, SEGMENTATIONS)))
    for key in ("fast_llm", "fallback_llm"):
        model = getattr(host.defaults, key)
        if model is not None and model not in host.models:
            text = f"'defaults.{key}' names model '{model}', which 'models' does not describe"
            faults.append(Fault("config", text, file.where(("defaults", key)), nearest(model, host.models)))
    return host, _keys(host, file, faults, lookup)


def _keys(host: HostConfiguration, file: File, faults: list[Fault], lookup: Lookup) -> dict[str, str]:
    """The keys of the language models, from the variables that they name. None of them travels in the clear."""
    keys: dict[str, str] = {}
    asked = {host.defaults.fast_llm, host.defaults.fallback_llm}
    for name, model in host.models.items():
        if not (env.is_private_url(model.url) or (model.key is None and env.is_private_url(_over_tls(model.url)))):
            text = f"'models.{name}.url' must be an https address (http only without a key, or for this machine)"
            faults.append(Fault("config", text, file.where(("models", name, "url"))))
        if model.key is None:
            continue
        keys[name] = lookup(model.key) or ""
        if not keys[name] and name in asked:
            text = f"'models.{name}.key' names environment variable {model.key}, which is not set; set it or leave the key out"
            faults.append(Fault("config", text, file.where(("models", name, "key"))))
    return keys


def _over_tls(url: str) -> str:
    return re.sub("^http:", "https:", url)


def _entries(directory: Path, faults: list[Fault]) -> tuple[dict[str, PluginEntry], File]:
    file = File(directory / "plugins.yml", owner="plugins")
    faults += file.faults
    for key in file.data:
        if key != "plugins":
            faults.append(Fault("plugins", f"unknown key '{key}'", file.where((key,)), "plugins"))
    listed = file.data.get("plugins") or {}
    if not isinstance(listed, dict):
        faults.append(Fault("plugins", "'plugins' must hold one entry per plugin", file.where(("plugins",))))
        return {}, file
    entries: dict[str, PluginEntry] = {}
    for plugin, data in listed.items():
        where = partial(_within, file, ("plugins", plugin))
        entry, found = validate(PluginEntry, {} if data is None else data, owner=plugin, where=where)
        faults += found
        if entry is not None:
            entries[plugin] = entry
    return entries, file


def _within(file: File, start: tuple[str, ...], path: tuple[str, ...]) -> str:
    return file.where((*start, *path))


def _strays(directory: Path, listing: File) -> list[Fault]:
    """Folders of settings that belong to no listed plugin: a misspelt folder must not fall silent."""
    listed = listing.data.get("plugins")
    known = list(listed) if isinstance(listed, dict) else []
    folders = sorted(path for path in (directory / "plugins").glob("*") if path.is_dir() and (path / "config.yml").exists())
    return [
        Fault(path.name, "has settings but stands in no plugins.yml", f"{short(path)}/config.yml:1", nearest(path.name, known))
        for path in folders
        if path.name not in known
    ]


def installed_apps(configuration: Configuration) -> list[str]:
    """The Django apps of plugins that are on or draining; ordinary plugins without an ``apps`` module need none."""
    return [
        configuration.app(plugin)
        for plugin, entry in configuration.plugins.items()
        if entry.on and _is_app(configuration.app(plugin))
    ]


def _is_app(dotted: str) -> bool:
    try:
        return find_spec(f"{dotted}.apps") is not None
    except (ModuleNotFoundError, ValueError):
        return False
