"""Reads the configuration directory into frozen values. Every fault is collected with its file and line, none is guessed away.

Variables are replaced only in the own files of plugins that are on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from stat import S_ISREG
from typing import Any

from chronicle import env, files, installed, misnamed
from chronicle.files import File
from chronicle.variables import Lookup
from interactions.configuration import SEGMENTATIONS, Configuration, HostConfiguration, PluginEntry
from interactions.faults import Fault, causes, nearest, unknown_key, validate

ID = re.compile(r"[a-z][a-z0-9_]{0,63}")


def load(directory: Path, *, lookup: Lookup, beside: Sequence[str] = ()) -> Configuration:
    """The whole directory. Never raises for what is written in it: the faults ride along and the door refuses them together.

    ``beside`` are the Django apps that are installed whatever is written here.
    """
    faults: list[Fault] = []
    file = File(directory / "config.yml", owner="config")
    host, keys = _host(file, faults, lookup)
    entries, listing = _entries(directory, faults)
    settings: dict[str, dict[str, Any]] = {}
    places = {("config.yml", *at): f"{file.name}:{line}" for at, line in file.lines.items()}
    for (first, *rest), line in listing.lines.items():
        if first == "plugins" and rest:
            places[(rest[0], "plugins.yml", *rest[1:])] = f"{listing.name}:{line}"
            places.setdefault((rest[0],), f"{listing.name}:{line}")  # of a plugin without a file of its own
    clashes = list(installed.clashes(entries, places, beside))
    faults += clashes
    entries = {plugin: entry for plugin, entry in entries.items() if all(plugin != clash.owner for clash in clashes)}
    for plugin, entry in entries.items():
        path = directory / "plugins" / plugin / "config.yml"
        if not entry.on or not files.is_there(path):
            continue
        own = File(path, owner=plugin, lookup=lookup)
        faults += own.faults
        settings[plugin] = own.data
        places[(plugin,)] = f"{own.name}:1"
        places.update({(plugin, *at): f"{own.name}:{line}" for at, line in own.lines.items()})
    faults += _strays(directory, listing)
    off = [plugin for plugin, entry in entries.items() if not entry.on]
    faults = _named(directory, [*faults, *misnamed.faults(directory, off)])
    return Configuration(directory, host, entries, settings, places, causes(faults), keys)


def _host(file: File, faults: list[Fault], lookup: Lookup) -> tuple[HostConfiguration, dict[str, str]]:
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
        try:
            keys[name] = lookup(model.key) or ""
        except env.WrongVariableError as error:
            faults.append(Fault("config", f"environment variable {error}", file.where(("models", name, "key"))))
            continue
        if not keys[name] and name in asked:
            variable = f" {model.key}" if model.key.isupper() else ""  # anything else may be the key itself
            text = f"'models.{name}.key' names environment variable{variable}, which is not set; set it or leave the key out"
            faults.append(Fault("config", text, file.where(("models", name, "key"))))
    return keys


def _over_tls(url: str) -> str:
    return re.sub("^http:", "https:", url)


def _entries(directory: Path, faults: list[Fault]) -> tuple[dict[str, PluginEntry], File]:
    file = File(directory / "plugins.yml", owner="plugins")
    faults += file.faults
    for key in file.data:
        if key != "plugins":
            faults.append(unknown_key("plugins", key, file.where((key,)), ("plugins",)))
    listed = file.data.get("plugins") or {}
    if not isinstance(listed, dict):
        faults.append(Fault("plugins", "'plugins' must hold one entry per plugin", file.where(("plugins",))))
        return {}, file
    entries: dict[str, PluginEntry] = {}
    for plugin, data in listed.items():
        where = partial(_within, file, ("plugins", plugin))
        if not ID.fullmatch(plugin):
            text = f"'{plugin}' cannot be the id of a plugin; ids are small letters, digits and _, a letter first"
            faults.append(Fault("plugins", text, where(())))
            continue
        entry, found = validate(PluginEntry, {} if data is None else data, owner=plugin, where=where)
        faults += found
        if entry is not None:
            entries[plugin] = entry
    return entries, file


def _within(file: File, start: tuple[str, ...], path: tuple[str, ...]) -> str:
    return file.where((*start, *path))


def _named(directory: Path, faults: list[Fault]) -> list[Fault]:
    """Without the complaint that a file is missing which only goes by another name, and without what is said of a folder where
    a file in it says the same.
    """
    renamed = {fault.owner for fault in faults if fault.unread and fault.text.startswith(misnamed.UNREAD)}
    missing = {
        f"{files.short(directory / name)}:1"
        for name in misnamed.HOST
        if name.removesuffix(".yml") in renamed and not files.is_there(directory / name)
    }
    closed = [fault.place for fault in faults if fault.unread and fault.text.startswith(files.CLOSED)]
    return [fault for fault in faults if fault.place not in missing and not _is_around(fault, closed)]


def _is_around(fault: Fault, closed: Sequence[str]) -> bool:
    folder = fault.place.removesuffix(":1") + "/"
    return fault.text.startswith(files.CLOSED) and any(place.startswith(folder) for place in closed)


def _strays(directory: Path, listing: File) -> list[Fault]:
    """Folders of settings that belong to no listed plugin: a misspelt folder must not fall silent."""
    known = listing.data.get("plugins")
    if not isinstance(known, dict):
        return []
    folders = [path for path in files.inside(directory / "plugins") if files.is_a(S_ISREG, path / "config.yml")]
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
