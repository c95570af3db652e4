"""Which Django apps the plugins bring, and which plugin brings what is there already.

Django refuses two apps of one name or label in words that name no plugin, and before the door can speak. So the second is
taken for a fault of its entry, as if it were not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from interactions.configuration import Configuration, PluginEntry
from interactions.faults import Fault

_GIVEN = re.compile(r"""^ +label *= *["'](\w+)["']""", re.MULTILINE)


def apps(configuration: Configuration) -> list[str]:
    """The apps of plugins that are on or draining; ordinary plugins without an ``apps`` module need none."""
    return [
        configuration.app(plugin)
        for plugin, entry in configuration.plugins.items()
        if entry.on and _label(configuration.app(plugin)) is not None
    ]


def clashes(
    entries: Mapping[str, PluginEntry], places: Mapping[tuple[str, ...], str], beside: Sequence[str]
) -> Iterator[Fault]:
    """Plugins that bring what is there already: in the service itself, which is ``beside``, or of an earlier plugin."""

    def place(plugin: str) -> str:
        return places.get((plugin, "plugins.yml", "app")) or places[(plugin, "plugins.yml")]

    owners = dict.fromkeys(beside, "this service")
    labels = {_last(app): app for app in beside}
    for plugin, entry in entries.items():
        if not entry.on:
            continue
        app = entry.app or plugin
        label = _label(app)
        if app in owners:
            yield Fault(plugin, f"app '{app}' is already brought in by {owners[app]}; leave one out", place(plugin))
        elif label is not None and label in labels:
            text = f"app '{app}' has Django's label '{label}', and so has '{labels[label]}' of {owners[labels[label]]}"
            yield Fault(plugin, f"{text}; rename one", place(plugin))
        else:
            owners[app] = f"plugin '{plugin}' ({place(plugin)})"
            labels |= {label: app} if label is not None else {}


def _label(app: str) -> str | None:
    """By which Django knows the app, or None where it is none. Read and not imported: no model may be imported this early."""
    try:
        found = find_spec(f"{app}.apps")
    except Exception:  # noqa: BLE001  looking for a module imports what is around it; the door says what is wrong there
        return None
    if found is None:
        return None
    source = Path(found.origin).read_text(encoding="utf-8") if found.origin and Path(found.origin).exists() else ""
    given = _GIVEN.search(source)
    return given[1] if given else _last(app)


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]
