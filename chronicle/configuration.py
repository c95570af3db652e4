"""Reads the configuration directory into frozen values. Every fault is collected with its file and line, none is guessed away.

Variables are replaced only in the own files of plugins that are on.
"""

from __future__ import annotations

import re
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from chronicle import env, files
from chronicle.files import File, Lookup
from interactions.configuration import SEGMENTATIONS, Configuration, HostConfiguration, PluginEntry
from interactions.faults import Fault, nearest, validate


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
        Fault(
            path.name,
            "has settings but stands in no plugins.yml",
            f"{files.short(path)}/config.yml:1",
            nearest(path.name, known),
        )
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
