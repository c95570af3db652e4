"""The door's list as system checks, so that ``manage.py check`` shows the same faults with ids and hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

from interactions import configuration, registry, segmentations, unsettled
from interactions.contracts import Policy
from interactions.modes import Mode


@checks.register("interactions")
def plugins_are_right(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    found = registry.examine(configuration.current()).faults
    return [
        checks.Error(f"{fault.owner}: {fault.text}", hint=_hint(fault.place, fault.nearest), id="interactions.E001")
        for fault in found
    ]


@checks.register("interactions")
def nothing_is_cut_off(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    config = configuration.current()
    found = [
        checks.Error(f"{fault.owner}: {fault.text}", hint=_hint(fault.place, None), id="interactions.E003")
        for fault in unsettled.examine(config)
    ]
    return found + [checks.Warning(f"{fault.owner}: {fault.text}", id="interactions.W003") for fault in unsettled.newer(config)]


@checks.register("interactions")
def segmentations_are_known(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    return [
        checks.Error(f"{fault.owner}: {fault.text}", hint=_hint(fault.place, fault.nearest), id="interactions.E004")
        for fault in segmentations.faults()
    ]


@checks.register("interactions")
def celery_is_not_eager(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        return []
    hint = "Unset CHRONICLE_EAGER and start a worker: eager tasks would run modes in the web process."
    return [checks.Error("Celery is eager.", hint=hint, id="interactions.E002")]


@checks.register("interactions")
def the_operator_can_be_told(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    """Where something can be spent, an outcome that nobody knows must reach the operator, and not only a page."""
    config = configuration.current()
    spending = sorted(key for key, mode in registry.modes().items() if _spends(mode))
    if not spending or config.host.operator.alarm is not None:  # that it leads somewhere is seen to by the door
        return []
    said = f"No alarm channel: an unknown outcome of {', '.join(spending)} would only be seen on the operator's pages."
    hint = f"Set operator.alarm (plugin, target) in {config.directory / 'config.yml'}."
    return [checks.Warning(said, hint=hint, id="interactions.W001")]


def _spends(mode: Mode) -> bool:
    return any(spec.policy is Policy.ONCE for spec in mode.effects.values())


def _hint(place: str, nearest: str | None) -> str:
    return f"Mend {place}." + (f" Did you mean '{nearest}'?" if nearest else "")
