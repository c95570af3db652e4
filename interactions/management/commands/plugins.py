"""``manage.py plugins``: which plugins are on, their place in the ordinary chain, and how each of them does."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from interactions import clock, configuration, health, queues, registry


class Command(BaseCommand):
    help = "List the plugins that are on, with their place in the ordinary chain, their health and its latest error."

    def handle(self, *args: Any, **options: Any) -> None:
        config, states = configuration.current(), health.states()
        on = {name: entry for name, entry in config.plugins.items() if entry.on}
        chain = {plugin.id: place for place, plugin in enumerate(registry.ordinary(), start=1)}
        if not on:
            self.stdout.write(f"No plugin is on. Switch one on in {config.directory / 'plugins.yml'}.")
        for name in sorted(on, key=lambda name: (chain.get(name, len(chain) + 1), name)):
            plugin, entry = registry.plugin(name), on[name]
            self.stdout.write(f"{name}  ({'draining' if entry.enabled == 'draining' else 'on'})")
            if plugin is not None and name in chain:
                place = f"number {chain[name]}, priority {plugin.entry.priority}, condition {plugin.entry.condition}"
                self.stdout.write(f"  chain     {place}, at most {plugin.deadline_s:g} s")
                self.stdout.write(f"  health    {health.line(states.get(name), at=clock.now())}")
            if plugin is not None and (said := health.says(plugin)) != "ok":
                self.stdout.write(f"  says      {said}")
        for queue, who in queues.needed_by().items():
            self.stdout.write(f"queue {queue}: " + (f"needs a worker, for {who}" if who else "needs no worker"))
