"""The operator's window on every row of the host. No form adds, edits or deletes; the one act is to ask a session to end.

A payment link is somebody's money and is masked wherever a payload is shown; the plugin that owns it has its own page.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from interactions import clock, sessions
from interactions.models import (
    Alarm,
    ChainRun,
    Checkpoint,
    Device,
    DeviceEvent,
    Heartbeat,
    InboxItem,
    InteractionSession,
    Person,
    PluginState,
    Presence,
    Ticket,
    Utterance,
)
from interactions.pages import ReadOnlyAdmin


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
    actions = ("end_conversations",)

    def has_end_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("interactions.change_interactionsession")

    @admin.action(description="End the conversation (what was placed or is being paid stands)", permissions=["end"])
    def end_conversations(self, request: HttpRequest, chosen: QuerySet[InteractionSession]) -> None:
        ended = 0
        for session in chosen.order_by("pk").values_list("pk", flat=True):
            with transaction.atomic():
                ended += sessions.end(session, by="operator", at=clock.now())
        self.message_user(request, f"{ended} asked to end; each does so between two of its steps.")

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


@admin.register(PluginState)
class PluginStateAdmin(ReadOnlyAdmin):
    list_display = ("plugin", "status", "failures", "error", "open_until", "changed_at", "checked_at")
    list_filter = ("status",)
    ordering = ("plugin",)


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


@admin.register(Presence)
class PresenceAdmin(ReadOnlyAdmin):
    list_display = ("device", "until")
    list_select_related = ("device",)


@admin.register(Alarm)
class AlarmAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "text", "attempts", "sent_at", "last_error")
    ordering = ("-pk",)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("name", "at")
