"""The door: every plugin and mode is checked once, before a process does anything, and looked up here afterwards.

``load`` raises one error with every fault of the files and of the declarations: plugin, fault, place, nearest valid word. It is
called from ``ready``, since ASGI servers run no system checks and Celery drops their result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from django.core.exceptions import ImproperlyConfigured

from interactions import clock, configuration, declarations, faults, loading, text
from interactions.configuration import Configuration
from interactions.faults import Fault
from interactions.modes import Mode
from interactions.plugins import OrdinaryPlugin


@dataclass(frozen=True, slots=True)
class Registry:
    """What stands behind the door. ``owners``: the plugin of each mode. ``loaded_at``: when this process looked."""

    modes: Mapping[str, Mode] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    activations: tuple[tuple[tuple[str, ...], str], ...] = ()
    ordinary: tuple[OrdinaryPlugin, ...] = ()
    callable: Mapping[str, OrdinaryPlugin] = field(default_factory=dict)
    accepting: frozenset[str] = frozenset()
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


# ---- the check ------------------------------------------------------------------------------------------------------------


def examine(config: Configuration) -> Registry:
    """Everything the configuration brings in, with every fault found on the way. Changes nothing."""
    found = list(config.faults)
    modes: dict[str, Mode] = {}
    owners: dict[str, str] = {}
    built: dict[str, OrdinaryPlugin] = {}
    for plugin_id, entry in config.plugins.items():
        if not entry.on:
            continue
        loaded = loading.load(config, plugin_id)
        found += loaded.faults
        for key, listed in loaded.modes.items():
            found += declarations.faults(listed, owner=plugin_id, place=loaded.place(listed))
            if key in owners:
                text_ = f"mode '{key}' already belongs to plugin '{owners[key]}'"
                found.append(Fault(plugin_id, text_, config.place(plugin_id, "plugins.yml", "modes")))
                continue
            modes[key], owners[key] = listed, plugin_id
        if loaded.ordinary is not None:
            built[plugin_id] = loaded.ordinary
    phrases = {key: tuple(_phrases(config, owners[key], listed)) for key, listed in modes.items()}
    found += _overlaps(config, owners, phrases)
    return Registry(
        modes=MappingProxyType(modes),
        owners=MappingProxyType(owners),
        activations=tuple(
            sorted(
                ((phrase, key) for key, spoken in phrases.items() for phrase in spoken), key=lambda pair: (-len(pair[0]), pair)
            )
        ),
        ordinary=tuple(
            sorted((one for one in built.values() if one.entry.events), key=lambda one: (one.entry.priority, one.id)),
        ),
        callable=MappingProxyType(built),
        accepting=frozenset(key for key in modes if config.plugins[owners[key]].enabled is True),
        faults=tuple(found),
    )


def _phrases(config: Configuration, plugin_id: str, listed: Mode) -> Iterator[tuple[str, ...]]:
    """The declared phrases and the operator's further ones, as words, each once."""
    spoken = listed.phrases if isinstance(listed.phrases, tuple) else ()
    words = (text.tokens(phrase) for phrase in (*spoken, *config.plugins[plugin_id].phrases.get(listed.key, ())))
    yield from dict.fromkeys(phrase for phrase in words if phrase)


def _overlaps(
    config: Configuration, owners: Mapping[str, str], phrases: Mapping[str, tuple[tuple[str, ...], ...]]
) -> Iterator[Fault]:
    """Phrases of two modes that are equal, or of which one begins the other: only one of the two could ever be meant."""
    spoken = [(key, phrase) for key, several in phrases.items() for phrase in several]
    for index, (key, phrase) in enumerate(spoken):
        for first, earlier in spoken[:index]:
            short = min(len(phrase), len(earlier))
            if first == key or phrase[:short] != earlier[:short]:
                continue
            how = "is also a phrase" if phrase == earlier else "overlaps the phrase"
            mine, theirs = " ".join(phrase), " ".join(earlier)
            yield Fault(
                owners[key],
                f"phrase '{mine}' of mode '{key}' {how} '{theirs}' of mode '{first}' (plugin '{owners[first]}')",
                config.place(owners[key], "plugins.yml", "phrases"),
            )
