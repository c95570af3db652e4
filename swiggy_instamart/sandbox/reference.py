"""The tables of ``docs/sandbox.md``, made from the models themselves: ``python -m swiggy_instamart.sandbox.reference`` writes
them into the page, and a test fails when the page is behind.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from swiggy_instamart.sandbox import control, faults, payments, protocol
from swiggy_instamart.sandbox.switches import Switches

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sandbox.md"
BODIES: tuple[type[BaseModel], ...] = (control.CartEdit, control.CartLine, control.PaymentMove, control.CatalogueEdit)
COUNTED = {"seen", "struck"}


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(annotation))
    if isinstance(annotation, UnionType):
        return ", ".join("null" if part is NoneType else _kind(part) for part in get_args(annotation))
    return str(getattr(annotation, "__name__", annotation)).replace("NoneType", "null")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = [] if field.default_factory else field.default
    return value if isinstance(value, str) else json.dumps(value)


def _rows(model: type[BaseModel]) -> list[tuple[str, str, str, str]]:
    rows = []
    for name, field in model.model_fields.items():
        if name in COUNTED:
            continue
        rows.append((f"`{name}`", _kind(field.annotation), _default(field), field.description or ""))
    return rows


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    every = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in every)


def tables() -> dict[str, str]:
    """Name of a marker in the page -> what stands there."""
    columns = ("key", "values", "default", "meaning")
    kinds: list[tuple[str, ...]] = [(f"`{kind}`", text) for kind, text in faults.KINDS.items()]
    ends: list[tuple[str, ...]] = [
        (f"`{state}`", end.terminal or "not an end", end.order_status or "`PLACED` or as it was")
        for state, end in payments.STATES.items()
    ]
    tools: list[tuple[str, ...]] = [
        (
            f"`{tool.name}`",
            ", ".join(tool.required) or "none",
            ", ".join(tool.optional) or "none",
            "writes" if tool.writes else "reads",
        )
        for tool in protocol.TOOLS.values()
    ]
    bodies = [f"`{model.__name__}`\n\n{_table(columns, list(_rows(model)))}" for model in BODIES]
    return {
        "switches": _table(columns, list(_rows(Switches))),
        "kinds": _table(("kind", "what happens"), kinds),
        "rule": _table(columns, list(_rows(faults.Rule))),
        "states": _table(("state", "flags say", "order"), ends),
        "tools": _table(("tool", "required", "optional", ""), tools),
        "bodies": "\n\n".join(bodies),
    }


def page(text: str) -> str:
    """The page with every table as the code has it now."""
    for name, table in tables().items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, opened, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not opened or not closed:
            raise ValueError(f"{PAGE.name} needs {begin.strip()} and {end}")
        text = f"{before}{begin}{table}\n{end}{after}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
