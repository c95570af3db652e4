"""The operator's window on every row of the host. It shows and changes nothing: no form adds, edits or deletes.

A payment link is somebody's money and is masked wherever a payload is shown; the plugin that owns it has its own page.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Field, JSONField, Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from interactions import clock
from interactions.models import (
    ChainRun,
    Checkpoint,
    Device,
    DeviceEvent,
    Heartbeat,
    InboxItem,
    InteractionSession,
    Person,
    Ticket,
    Utterance,
)

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
    """Every field of a row, for reading. JSON is shown indented and masked; hashes of secrets are not shown."""

    list_per_page = 50
    show_full_result_count = False
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [_shown_as(field) for field in self.opts.fields if field.name not in SECRET_FIELDS]

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


@admin.register(Person)
class PersonAdmin(ReadOnlyAdmin):
    list_display = ("user", "lang", "accepted")
    list_select_related = ("user",)


@admin.register(Device)
class DeviceAdmin(ReadOnlyAdmin):
    list_display = ("client_id", "name", "owner", "scope", "segmentation", "event_seq", "last_seen", "revoked_at")
    list_filter = ("scope",)
    list_select_related = ("owner",)
    search_fields = ("client_id", "name", "owner__username")


@admin.register(Utterance)
class UtteranceAdmin(ReadOnlyAdmin):
    """What was heard and what became of it."""

    list_display = ("received_at", "owner", "device", "source", "text", "disposition", "reason", "session")
    list_filter = ("disposition", "source", "ingest")
    list_select_related = ("owner", "device", "session")
    search_fields = ("text", "owner__username")
    date_hierarchy = "received_at"
    ordering = ("-pk",)


@admin.register(InteractionSession)
class InteractionSessionAdmin(ReadOnlyAdmin):
    """The active ones first: who, where, in which phase, what is asked, and how long it may still last."""

    list_display = (
        "id",
        "status",
        "user",
        "device",
        "mode",
        "phase",
        "question",
        "turn",
        "time_left",
        "frozen",
        "in_flight",
        "end_reason",
    )
    list_filter = ("status", "mode", "phase")
    list_select_related = ("user", "device", "prompt")
    ordering = ("status", "-pk")

    @admin.display(description="open question")
    def question(self, session: InteractionSession) -> str:
        return str(session.prompt.payload.get("text", "")) if session.prompt else ""

    @admin.display(description="left: idle / hard")
    def time_left(self, session: InteractionSession) -> str:
        if session.status != InteractionSession.Status.ACTIVE:
            return ""
        now = clock.now()
        return " / ".join(f"{max(0, int((end - now).total_seconds()))} s" for end in (session.idle_at, session.hard_at))

    @admin.display(boolean=True)
    def frozen(self, session: InteractionSession) -> bool:
        return session.frozen_until is not None and session.frozen_until > clock.now()

    @admin.display(description="effect in flight")
    def in_flight(self, session: InteractionSession) -> str:
        unsettled = [one.effect for one in session.checkpoints.all() if one.state != Checkpoint.State.SETTLED]
        return ", ".join(unsettled)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("checkpoints")


@admin.register(InboxItem)
class InboxItemAdmin(ReadOnlyAdmin):
    list_display = ("session", "sequence", "kind", "status", "attempts", "text", "created_at", "done_at", "note")
    list_filter = ("status", "kind")
    list_select_related = ("session",)
    ordering = ("-pk",)


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin):
    list_display = ("id", "session", "effect", "policy", "state", "outcome", "attempts", "consent", "created_at", "took")
    list_filter = ("state", "outcome", "policy", "effect")
    list_select_related = ("session", "consent")
    ordering = ("-pk",)

    @admin.display(description="took")
    def took(self, checkpoint: Checkpoint) -> str:
        if checkpoint.started_at is None or checkpoint.settled_at is None:
            return ""
        return f"{(checkpoint.settled_at - checkpoint.started_at).total_seconds():.2f} s"


@admin.register(ChainRun)
class ChainRunAdmin(ReadOnlyAdmin):
    list_display = ("utterance", "status", "answered_by", "created_at", "claimed_at", "done_at")
    list_filter = ("status", "answered_by")
    list_select_related = ("utterance",)
    ordering = ("-pk",)


@admin.register(DeviceEvent)
class DeviceEventAdmin(ReadOnlyAdmin):
    list_display = ("device", "seq", "kind", "words", "speak", "created_at", "delivered_at", "heard")
    list_filter = ("kind", "speak", "playback")
    list_select_related = ("device",)
    ordering = ("-pk",)

    @admin.display(description="text")
    def words(self, event: DeviceEvent) -> str:
        return str(event.payload.get("text", ""))

    @admin.display(description="playback")
    def heard(self, event: DeviceEvent) -> str:
        if event.playback or event.device.capabilities.get("playback_reports", False):
            return event.playback
        return "this device reports nothing"


@admin.register(Ticket)
class TicketAdmin(ReadOnlyAdmin):
    list_display = ("device", "expires_at", "used_at")
    list_select_related = ("device",)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("name", "at")
