"""Every setting of every file as one table, made from the schemas that check the files, so that it cannot fall behind them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import NoneType
from typing import Any, get_args

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from interactions.configuration import HostConfiguration, PluginEntry

# Which schema checks which file. The plugins' own are named, not imported: most installations have most of them off.
FILES: tuple[tuple[str, type[BaseModel] | str, str], ...] = (
    ("config.yml", HostConfiguration, ""),
    ("plugins.yml", PluginEntry, "plugins.<id>."),
    ("plugins/swiggy_instamart/config.yml", "swiggy_instamart.options.Options", ""),
    ("plugins/hermes/config.yml", "chronicle.plugins.hermes.HermesSettings", ""),
    ("plugins/home_assistant/config.yml", "chronicle.plugins.home_assistant.HomeAssistantSettings", ""),
)
TITLE = """# Settings

Made by `manage.py reference`; a test holds it to the code. Each value is the shipped one; a wrong key, type or value stops the
start with its file, line and the nearest right key. Environment variables are listed in the README.
"""


def page() -> str:
    return TITLE + "".join(_table(name, model, prefix) for name, model, prefix in FILES)


def _table(name: str, model: type[BaseModel] | str, prefix: str) -> str:
    rows = "".join(
        f"| `{prefix}{key}` | {default} | {limits} | {text} |\n" for key, default, limits, text in _rows(_found(model))
    )
    return f"\n## {name}\n\n| key | shipped | may be | |\n| --- | --- | --- | --- |\n{rows}"


def _found(model: type[BaseModel] | str) -> type[BaseModel]:
    if not isinstance(model, str):
        return model
    module, _, name = model.rpartition(".")
    found: type[BaseModel] = getattr(import_module(module), name)
    return found


def _rows(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, str, str, str]]:
    for name, field in model.model_fields.items():
        inner = _section(field)
        if inner is not None:
            yield from _rows(inner[0], f"{path}{name}{inner[1]}.")
        else:
            yield f"{path}{name}", _shown(field), _limits(field), field.description or ""


def _section(field: FieldInfo) -> tuple[type[BaseModel], str] | None:
    """The schema inside a field, and how its place is written."""
    if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
        return field.annotation, ""
    for kind in get_args(field.annotation):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            several = ".<name>" if str in get_args(field.annotation) else "[]"
            return kind, "" if NoneType in get_args(field.annotation) else several
    return None


def _shown(field: FieldInfo) -> str:
    if field.is_required():
        return "(required)"
    value = field.get_default(call_default_factory=True, validated_data={})
    return "" if value in ("", None, [], {}) else f"`{_yaml(value)}`"


def _yaml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


def _limits(field: FieldInfo) -> str:
    least = next((limit for limit in field.metadata if isinstance(limit, Ge | Gt)), None)
    most = next((limit for limit in field.metadata if isinstance(limit, Le | Lt)), None)
    kinds = get_args(field.annotation)
    words = [_yaml(kind) for kind in kinds if isinstance(kind, str | bool)]
    if least is None and most is None:
        return ", ".join(words)
    low, high = getattr(least, "ge", getattr(least, "gt", "")), getattr(most, "le", getattr(most, "lt", ""))
    return f"{low} to {high}" + (", or null" if type(None) in kinds else "")
