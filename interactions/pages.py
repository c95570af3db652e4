"""An admin page that shows every field of a row and changes nothing: no form adds, edits or deletes.

JSON is shown indented and masked: a payment link is somebody's money.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Field, JSONField, Model
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

if TYPE_CHECKING:  # generic for the type checker alone
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin

SECRET_KEYS = frozenset({"link", "bridge_url"})
SECRET_FIELDS = frozenset({"token_hash", "secret_hash"})
MASK = "•••"


def masked(value: Any) -> Any:
    """The same JSON without what only the linked user may see."""
    if isinstance(value, dict):
        return {key: MASK if key in SECRET_KEYS and inner else masked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [masked(inner) for inner in value]
    return value


class ReadOnlyAdmin(_ModelAdmin):
    """Every field of a row but the ``hidden`` ones and the hashes of secrets, for reading."""

    hidden: ClassVar[frozenset[str]] = frozenset()
    list_per_page = 50
    show_full_result_count = False
    actions: Any = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [_shown_as(field) for field in self.opts.fields if field.name not in SECRET_FIELDS | self.hidden]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return self.get_fields(request, obj)

    def __getattr__(self, name: str) -> Any:
        # One callable per JSON column, made when the page asks for it.
        if name.startswith("json_"):
            return _json_column(name.removeprefix("json_"))
        raise AttributeError(name)


def _shown_as(field: Field[Any, Any]) -> str:
    return f"json_{field.name}" if isinstance(field, JSONField) else field.name


def _json_column(field: str) -> Any:
    @admin.display(description=field.replace("_", " "))
    def column(row: Model) -> SafeString:
        text = json.dumps(masked(getattr(row, field)), indent=2, ensure_ascii=False, sort_keys=True)
        return format_html("<pre>{}</pre>", text)

    return column
