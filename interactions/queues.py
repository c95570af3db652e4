"""Which queues somebody must serve, as the modes and plugins that are on say: nobody waits for a worker that has no work.

Turns are taken and sentences are offered on ``turns``; whatever may wait for the network is done on ``effects``.
"""

from __future__ import annotations

from interactions import configuration, doorbells, registry
from interactions.plugins import OrdinaryPlugin

TURNS, EFFECTS = "turns", "effects"


def needed_by() -> dict[str, str]:
    """Each queue with who needs a worker on it, in words; empty where nobody does."""
    modes = [f"mode {mode}" for mode in registry.modes()]
    chain = [f"plugin {plugin.id}" for plugin in registry.ordinary()]
    waiting = [f"plugin {plugin.id}" for plugin in registry.ordinary() if says_itself(plugin, "waits", "check")]
    alarm = ["operator.alarm"] if configuration.current().host.operator.alarm is not None else []
    return {TURNS: ", ".join(modes + chain), EFFECTS: ", ".join(modes + waiting + alarm)}


def ask_for_heartbeats() -> None:
    """Have a worker on each queue say that it hears. To a queue that nobody serves nothing is sent: it would stay there."""
    for queue, who in needed_by().items():
        if who:
            doorbells.ask_for_heartbeat(queue)


def says_itself(plugin: OrdinaryPlugin, *names: str) -> bool:
    """Whether the plugin has one of these of its own, and does not leave it at what every plugin does."""
    return any(getattr(type(plugin), name) is not getattr(OrdinaryPlugin, name) for name in names)
