"""From one entry of plugins.yml to the objects it stands for: its modes, its ordinary plugin, and what is wrong with either.

A dotted path that leads nowhere is a fault like any other; settings are typed before anyone sees them.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from django.apps import AppConfig, apps
from pydantic import BaseModel

from interactions import configuration, declarations, dotted_paths, faults, masking
from interactions.configuration import Configuration, PluginEntry
from interactions.faults import Fault, nearest
from interactions.modes import Mode, ModeConfig
from interactions.plugins import OrdinaryPlugin

API = 1
LIMITS = ("idle_s", "hard_s")
LOOKING = ("keyword_anywhere", "wake_word")  # the conditions that look at keywords


@dataclass(slots=True)
class Loaded:
    """What one plugin brings. ``modes`` holds only those that are listed, ``settings`` only what may be shown."""

    modes: dict[str, Mode] = field(default_factory=dict)
    ordinary: OrdinaryPlugin | None = None
    faults: list[Fault] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict, repr=False)

    @staticmethod
    def place(thing: object) -> str:
        """File and line of its declaration, as short as they can be said."""
        kind = thing if inspect.isclass(thing) else type(thing)
        file = Path(inspect.getfile(kind))
        try:
            line = inspect.getsourcelines(kind)[1]
        except (OSError, TypeError):  # made by code, and not written anywhere
            line = 1
        return f"{file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file}:{line}"


def load(config: Configuration, plugin_id: str) -> Loaded:
    """Everything plugin ``plugin_id`` brings. Never raises for a fault of the plugin, whose own words may hold a secret."""
    loaded = Loaded()
    _load(config, plugin_id, loaded)
    loaded.faults = [replace(fault, text=masking.without(fault.text, loaded.secrets)) for fault in loaded.faults]
    return loaded


def _load(config: Configuration, plugin_id: str, loaded: Loaded) -> None:
    entry, dotted = config.plugins[plugin_id], config.app(plugin_id)
    listing = config.place(plugin_id, "plugins.yml", "app")
    app = next((one for one in apps.get_app_configs() if one.name == dotted), None)
    if app is None and not dotted_paths.exists(dotted):
        text, meant = f"'{dotted}' is not installed: there is no such module", nearest(dotted, configuration.bundled())
        loaded.faults.append(Fault(plugin_id, text, listing, meant))
        return
    if isinstance(app, ModeConfig):
        _load_modes(config, plugin_id, app, loaded)
        entry = entry.listening(app.priority) if app.answers(tuple(entry.modes)) else entry
    elif entry.modes:
        _no_modes(plugin_id, dotted, app, listing, loaded)
    if entry.events or not (entry.modes or isinstance(app, ModeConfig)):
        _load_ordinary(config, plugin_id, entry, dotted if app is None else f"{dotted}.plugin", loaded)
    if entry.condition == "keyword_anywhere" and not entry.keywords:
        place = config.place(plugin_id, "plugins.yml", "condition")
        loaded.faults.append(Fault(plugin_id, "has condition keyword_anywhere and no keywords; list them", place))
    if entry.keywords and entry.condition not in LOOKING:
        text = f"has keywords, at which condition {entry.condition} never looks; leave them out or write {' or '.join(LOOKING)}"
        loaded.faults.append(Fault(plugin_id, text, config.place(plugin_id, "plugins.yml", "keywords")))


def _no_modes(plugin_id: str, dotted: str, app: AppConfig | None, listing: str, loaded: Loaded) -> None:
    """Why nothing can be made of the modes that are listed."""
    if app is not None:
        loaded.faults.append(Fault(plugin_id, f"the app config of '{dotted}' is no ModeConfig", loaded.place(app)))
        return
    try:
        dotted_paths.find(dotted)
        text = f"lists modes, but '{dotted}' has no apps.py with a ModeConfig"
    except dotted_paths.NotLoadedError as error:
        text = f"'{dotted}' cannot be loaded: {error}"
    loaded.faults.append(Fault(plugin_id, text, listing))


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
            near = nearest(key, declared)
            there = "" if near or not declared else f"; '{app.name}' declares {', '.join(sorted(declared))}"
            loaded.faults.append(Fault(plugin_id, f"lists unknown mode '{key}'{there}", where, near))
        elif settings is not None:
            _build(declared[key], settings, config, plugin_id=plugin_id, loaded=loaded)
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


def _build(kind: type[Mode], settings: Mapping[str, Any], config: Configuration, *, plugin_id: str, loaded: Loaded) -> None:
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
    given = config.plugin_settings.get(plugin_id, {})
    wrong = []
    for limit in (limit for limit in LIMITS if settings.get(limit) is not None):
        where = config.place(plugin_id, limit) if limit in given else loaded.place(kind)
        wrong += [Fault(plugin_id, f"'{limit}' {text}", where) for text in declarations.time_limit(settings[limit])]
        setattr(mode, limit, settings[limit])  # the operator's word over the author's
    if wrong:
        loaded.faults += [fault for fault in wrong if fault not in loaded.faults]  # two modes of one file have one line
    else:
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
    merged: Mapping[str, Any] = {**defaults, **given}
    loaded.secrets |= masking.hidden(merged, model)
    unread = any(fault.unread and fault.owner == plugin_id for fault in config.faults)
    if unread and plugin_id not in config.plugin_settings:  # it has a file, which goes by another name
        return None
    absent = "" if plugin_id in config.plugin_settings else f"; there is no plugins/{plugin_id}/config.yml"
    found = [
        Fault(plugin_id, f"missing required setting '{name}'{absent}", config.place(plugin_id))
        for name in required
        if given.get(name) is None
    ]
    if model is not None:
        typed, wrong = faults.validate(model, dict(merged), owner=plugin_id, where=lambda path: config.place(plugin_id, *path))
        found += wrong
        merged = typed.model_dump() if typed is not None else {}
    else:
        known = (*required, *defaults)
        found += [
            faults.unknown_key(plugin_id, name, config.place(plugin_id, name), known) for name in given if name not in known
        ]
    loaded.faults += found
    if found or unread:
        return None
    loaded.settings = masking.shown(merged, model)
    loaded.secrets |= masking.hidden(merged, model)
    return MappingProxyType(dict(merged))
