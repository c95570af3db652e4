"""The door: every plugin and mode is checked once, before a process does anything, and looked up here afterwards.

``load`` raises one error with every fault of the files and of the declarations: plugin, fault, place, nearest valid word. It is
called from ``ready``, since ASGI servers run no system checks and Celery drops their result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from interactions import clock, configuration, declarations, faults, loading, phrases
from interactions.configuration import Configuration
from interactions.faults import Fault
from interactions.modes import Mode
from interactions.plugins import OrdinaryPlugin


@dataclass(frozen=True, slots=True)
class Registry:
    """What stands behind the door. ``owners``: the plugin of each mode. ``loaded_at``: when this process looked.

    ``settings``: those of each plugin that is on, with their secrets masked.
    """

    modes: Mapping[str, Mode] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    activations: tuple[tuple[tuple[str, ...], str], ...] = ()
    ordinary: tuple[OrdinaryPlugin, ...] = ()
    callable: Mapping[str, OrdinaryPlugin] = field(default_factory=dict)
    accepting: frozenset[str] = frozenset()
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    loaded_at: datetime = field(default_factory=clock.now)


_registry = Registry()


def load() -> None:
    """Check the configuration of this process and open the door, or raise with everything that is wrong."""
    global _registry
    found = examine(configuration.current())
    if found.faults:
        raise ImproperlyConfigured(faults.report(found.faults))
    _registry = found


def mode(key: str) -> Mode:
    return _registry.modes[key]


def plugin_of(key: str) -> str:
    return _registry.owners[key]


def modes() -> Mapping[str, Mode]:
    return _registry.modes


def loaded_at() -> datetime:
    """When this process read its configuration."""
    return _registry.loaded_at


def activations() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Phrase tokens and mode, the longest phrase first."""
    return _registry.activations


def accepting(key: str) -> bool:
    """Whether a session of this mode may be opened: not while its plugin is draining."""
    return key in _registry.accepting


def ordinary() -> tuple[OrdinaryPlugin, ...]:
    """The plugins of the chain, low priority first."""
    return _registry.ordinary


def plugin(plugin_id: str) -> OrdinaryPlugin | None:
    """A plugin that can be called, or None where it is unknown or off."""
    return _registry.callable.get(plugin_id)


def settings() -> Mapping[str, Mapping[str, Any]]:
    """What each plugin runs with, as it may be shown: secrets are masked."""
    return _registry.settings


# ---- the check ------------------------------------------------------------------------------------------------------------


def examine(config: Configuration) -> Registry:
    """Everything the configuration brings in, with every fault found on the way. Changes nothing."""
    found = list(config.faults)
    modes: dict[str, Mode] = {}
    owners: dict[str, str] = {}
    built: dict[str, OrdinaryPlugin] = {}
    settings: dict[str, Mapping[str, Any]] = {}
    spoken: list[phrases.Phrase] = []
    listing: dict[tuple[str, str], str] = {}
    for plugin_id, entry in config.plugins.items():
        if not entry.on:
            continue
        loaded = loading.load(config, plugin_id)
        found += loaded.faults
        for key, listed in loaded.modes.items():
            declared = loaded.place(listed)
            found += declarations.faults(listed, owner=plugin_id, place=declared)
            at = str(config.plugins[plugin_id].modes.index(key))
            listing[plugin_id, key] = config.place(plugin_id, "plugins.yml", "modes", at)
            if key in owners:
                text = f"mode '{key}' already belongs to plugin '{owners[key]}' ({listing[owners[key], key]}); list it once"
                found.append(Fault(plugin_id, text, listing[plugin_id, key]))
                continue
            modes[key], owners[key] = listed, plugin_id
            spoken += phrases.of(config, plugin_id, listed, declared=declared)
        if loaded.ordinary is not None:
            built[plugin_id] = loaded.ordinary
        settings[plugin_id] = loaded.settings
    found += phrases.faults(spoken, modes, config.host.assistant.names)
    found += _alarm(config, built, {fault.owner for fault in found})
    return Registry(
        modes=MappingProxyType(modes),
        owners=MappingProxyType(owners),
        activations=tuple(sorted(((one.words, one.mode) for one in spoken), key=lambda pair: (-len(pair[0]), pair))),
        ordinary=tuple(
            sorted((one for one in built.values() if one.entry.events), key=lambda one: (one.entry.priority, one.id)),
        ),
        callable=MappingProxyType(built),
        accepting=frozenset(key for key in modes if config.plugins[owners[key]].enabled is True),
        settings=MappingProxyType(settings),
        faults=faults.causes(found),
    )


def _alarm(config: Configuration, built: Mapping[str, OrdinaryPlugin], faulty: Set[str]) -> Iterator[Fault]:
    """The operator's channel must lead somewhere: an alarm that nobody delivers is found out only when it is needed."""
    channel = config.host.operator.alarm
    if channel is None or channel.plugin in built or faulty & {channel.plugin, "plugins"}:
        return
    entry = config.plugins.get(channel.plugin)
    on = [plugin for plugin, one in config.plugins.items() if one.on]
    wrong = "which plugins.yml does not list"
    if entry is not None:
        wrong = "which only brings modes and delivers nothing" if entry.on else "which is off; enable it in plugins.yml"
    text = f"'operator.alarm.plugin' names '{channel.plugin}', {wrong}"
    place = config.place("config.yml", "operator", "alarm", "plugin")
    yield Fault("config", text, place, faults.nearest(channel.plugin, on) if entry is None else None)
