"""From one entry of plugins.yml to the objects it stands for: its modes, its ordinary plugin, and what is wrong with either.

A dotted path that leads nowhere is a fault like any other; settings are typed before anyone sees them.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from django.apps import apps
from pydantic import BaseModel

from interactions import configuration, dotted_paths, faults
from interactions.configuration import Configuration, PluginEntry
from interactions.faults import Fault, nearest
from interactions.modes import Mode, ModeConfig
from interactions.plugins import OrdinaryPlugin

API = 1


@dataclass(slots=True)
class Loaded:
    """What one plugin brings. ``modes`` holds only those that are listed."""

    modes: dict[str, Mode] = field(default_factory=dict)
    ordinary: OrdinaryPlugin | None = None
    faults: list[Fault] = field(default_factory=list)

    @staticmethod
    def place(thing: object) -> str:
        """The file that declares it, as short as it can be said."""
        kind = thing if inspect.isclass(thing) else type(thing)
        file = Path(inspect.getfile(kind))
        return str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)


def load(config: Configuration, plugin_id: str) -> Loaded:
    """Everything plugin ``plugin_id`` brings. Never raises for a fault of the plugin."""
    loaded = Loaded()
    entry, dotted = config.plugins[plugin_id], config.app(plugin_id)
    listing = config.place(plugin_id, "plugins.yml", "app")
    app = next((one for one in apps.get_app_configs() if one.name == dotted), None)
    if app is None and not dotted_paths.exists(dotted):
        text, meant = f"'{dotted}' is not installed: there is no such module", nearest(dotted, configuration.bundled())
        loaded.faults.append(Fault(plugin_id, text, listing, meant))
        return loaded
    if isinstance(app, ModeConfig):
        _load_modes(config, plugin_id, app, loaded)
        entry = entry.listening(app.priority) if app.answers(tuple(entry.modes)) else entry
    elif entry.modes:
        text = (
            f"lists modes, but '{dotted}' has no apps.py with a ModeConfig"
            if app is None
            else f"the app config of '{dotted}' is no ModeConfig"
        )
        loaded.faults.append(Fault(plugin_id, text, listing if app is None else loaded.place(app)))
    if entry.events or not (entry.modes or isinstance(app, ModeConfig)):
        _load_ordinary(config, plugin_id, entry, dotted if app is None else f"{dotted}.plugin", loaded)
    if entry.condition == "keyword_anywhere" and not entry.keywords:
        place = config.place(plugin_id, "plugins.yml", "condition")
        loaded.faults.append(Fault(plugin_id, "has condition keyword_anywhere and no keywords", place))
    return loaded


# ---- modes -----------------------------------------------------------------------------------------------------------


def _load_modes(config: Configuration, plugin_id: str, app: ModeConfig, loaded: Loaded) -> None:
    entry, place = config.plugins[plugin_id], loaded.place(app)
    if app.api != API:
        loaded.faults.append(Fault(plugin_id, f"is written for api {app.api}; this host speaks api {API}", place))
        return
    settings = _mode_settings(config, plugin_id, app, loaded)
    declared: dict[str, type[Mode]] = {}
    for path in _paths(app):
        try:
            found = dotted_paths.find(f"{app.name}.{path}")
        except dotted_paths.NotLoadedError as error:
            loaded.faults.append(Fault(plugin_id, f"mode '{path}' cannot be loaded: {error}", place))
            continue
        if not (inspect.isclass(found) and issubclass(found, Mode)):
            loaded.faults.append(Fault(plugin_id, f"'{path}' is no Mode", place))
            continue
        key = getattr(found, "key", "")
        if key in declared:
            loaded.faults.append(Fault(plugin_id, f"declares mode '{key}' twice", place))
        declared[key] = found
    for index, key in enumerate(entry.modes):
        where = config.place(plugin_id, "plugins.yml", "modes", str(index))
        if key not in declared:
            loaded.faults.append(
                Fault(plugin_id, f"lists unknown mode '{key}'", where, nearest(key, declared) or " | ".join(declared) or None)
            )
        elif settings is not None:
            _build(declared[key], settings, plugin_id=plugin_id, loaded=loaded)
    for key in entry.phrases:
        if key not in entry.modes:
            where = config.place(plugin_id, "plugins.yml", "phrases", key)
            loaded.faults.append(
                Fault(plugin_id, f"has phrases for mode '{key}', which is not listed", where, nearest(key, entry.modes))
            )
    if "" in declared:
        loaded.faults.append(Fault(plugin_id, "declares a mode with an empty key", loaded.place(declared[""])))
    if settings is not None:
        where = config.place(plugin_id)
        loaded.faults += [Fault(plugin_id, fault, where) for fault in app.faults(tuple(entry.modes), settings)]


def _paths(app: ModeConfig) -> tuple[str, ...]:
    declared = getattr(app, "mode", ())
    return (declared,) if isinstance(declared, str) else tuple(declared)


def _build(kind: type[Mode], settings: Mapping[str, Any], *, plugin_id: str, loaded: Loaded) -> None:
    if inspect.isabstract(kind):
        missing = ", ".join(sorted(kind.__abstractmethods__))
        loaded.faults.append(Fault(plugin_id, f"mode '{kind.key}' does not define {missing}", loaded.place(kind)))
        return
    try:
        mode = kind(settings)
    except Exception as error:  # noqa: BLE001  a plugin's own code; whatever it raises is its fault, and one line of the list
        loaded.faults.append(
            Fault(plugin_id, f"mode '{kind.key}' cannot be built: {dotted_paths.words(error)}", loaded.place(kind))
        )
        return
    for limit in ("idle_s", "hard_s"):  # the operator's word over the author's
        if settings.get(limit) is not None:
            setattr(mode, limit, settings[limit])
    loaded.modes[kind.key] = mode


def _mode_settings(config: Configuration, plugin_id: str, app: ModeConfig, loaded: Loaded) -> Mapping[str, Any] | None:
    model: type[BaseModel] | None = None
    if app.settings_model is not None:
        try:
            model = dotted_paths.find(f"{app.name}.{app.settings_model}")
        except dotted_paths.NotLoadedError as error:
            loaded.faults.append(Fault(plugin_id, f"settings_model cannot be loaded: {error}", loaded.place(app)))
            return None
    return _settings(config, plugin_id, model, app.required_settings, app.default_settings, loaded)


# ---- ordinary plugins ------------------------------------------------------------------------------------------------


def _load_ordinary(config: Configuration, plugin_id: str, entry: PluginEntry, dotted: str, loaded: Loaded) -> None:
    listing = config.place(plugin_id, "plugins.yml", "app")
    try:
        module = dotted_paths.find(dotted)
    except dotted_paths.NotLoadedError as error:
        loaded.faults.append(Fault(plugin_id, f"'{dotted}' cannot be loaded: {error}", listing))
        return
    kinds = list(_kinds(module))
    if len(kinds) != 1:
        loaded.faults.append(Fault(plugin_id, f"'{dotted}' must define one OrdinaryPlugin, it defines {len(kinds)}", listing))
        return
    kind = kinds[0]
    settings = _settings(config, plugin_id, kind.settings_model, kind.required_settings, kind.default_settings, loaded)
    if settings is None:
        return
    try:
        loaded.ordinary = kind(entry, settings)
    except Exception as error:  # noqa: BLE001  a plugin's own code, as above
        loaded.faults.append(Fault(plugin_id, f"cannot be built: {dotted_paths.words(error)}", loaded.place(kind)))


def _kinds(module: ModuleType) -> Iterator[type[OrdinaryPlugin]]:
    for thing in vars(module).values():
        if inspect.isclass(thing) and issubclass(thing, OrdinaryPlugin) and thing.__module__ == module.__name__:
            yield thing


# ---- both ------------------------------------------------------------------------------------------------------------


def _settings(
    config: Configuration,
    plugin_id: str,
    model: type[BaseModel] | None,
    required: tuple[str, ...],
    defaults: Mapping[str, Any],
    loaded: Loaded,
) -> Mapping[str, Any] | None:
    """The plugin's own file over its defaults, typed and frozen; None where it cannot be used."""
    given = config.plugin_settings.get(plugin_id, {})
    found = [
        Fault(plugin_id, f"missing required setting '{name}'", config.place(plugin_id))
        for name in required
        if given.get(name) is None
    ]
    merged: Mapping[str, Any] = {**defaults, **given}
    if model is not None:
        typed, wrong = faults.validate(model, dict(merged), owner=plugin_id, where=lambda path: config.place(plugin_id, *path))
        found += wrong
        merged = typed.model_dump() if typed is not None else {}
    else:
        known = (*required, *defaults)
        found += [
            Fault(
                plugin_id,
                f"unknown key '{name}'",
                config.place(plugin_id, name),
                nearest(name, known) or " | ".join(known) or None,
            )
            for name in given
            if name not in known
        ]
    loaded.faults += found
    return None if found else MappingProxyType(dict(merged))
