"""``manage.py modes``: which modes are on, whose they are, what opens them, and what they may do.

With ``--with-settings`` also what each plugin runs with, its secrets masked.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

import yaml
from django.core.management.base import BaseCommand

from interactions import configuration, registry
from interactions.contracts import EffectSpec, Policy
from interactions.modes import Mode


class Command(BaseCommand):
    help = "List the modes that are on, with their phrases, phases and effects, and the plugins of the ordinary chain."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--with-settings", action="store_true", help="also what each plugin runs with, secrets masked")

    def handle(self, *args: Any, **options: Any) -> None:
        modes = registry.modes()
        if not modes:
            self.stdout.write(f"No mode is on. Switch one on in {configuration.current().directory / 'plugins.yml'}.")
        for key, mode in modes.items():
            self._mode(key, mode)
        chain = registry.ordinary()
        self.stdout.write("ordinary chain: " + (", ".join(f"{one.id} ({one.entry.priority})" for one in chain) or "empty"))
        if options["with_settings"]:
            for plugin, settings in registry.settings().items():
                self._settings(plugin, settings)

    def _settings(self, plugin: str, settings: Mapping[str, Any]) -> None:
        self.stdout.write(f"settings of {plugin}" + ("" if settings else ": none"))
        for line in yaml.safe_dump(dict(settings), allow_unicode=True, sort_keys=False).splitlines() if settings else ():
            self.stdout.write(f"  {line}")

    def _mode(self, key: str, mode: Mode) -> None:
        state = "on" if registry.accepting(key) else "draining: opens no new session"
        phrases = (" ".join(phrase) for phrase, owner in registry.activations() if owner == key)
        self.stdout.write(f"{key}  (plugin {registry.plugin_of(key)}, {state})")
        self.stdout.write("  opens with   " + ", ".join(f'"{phrase}"' for phrase in phrases))
        self.stdout.write("  phases       " + ", ".join(mode.phases))
        for name, spec in mode.effects.items():
            self.stdout.write(f"  effect       {_effect(name, spec)}")
        self.stdout.write(f"  closes       after {mode.idle_s} s without input, {mode.hard_s} s at the latest")


def _effect(name: str, spec: EffectSpec) -> str:
    line = f"{name}: {spec.policy}, within {spec.budget_s:g} s"
    if spec.policy is not Policy.ONCE:
        return line
    return f"{line}, only by " + " or ".join(f'"{phrase}"' for phrase in spec.phrases) + f" in {spec.phase}"
