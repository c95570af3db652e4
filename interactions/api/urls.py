"""The addresses below /api/v1/."""

from __future__ import annotations

from django.urls import path

from interactions.api import description, device, evidence, replies, sessions, streams  # noqa: F401  description registers itself

urlpatterns = [
    path("utterances", evidence.UtterancesAndFeed.as_view(), name="utterances"),
    path("evidence", evidence.Evidence.as_view(), name="evidence"),
    path("events", streams.Events.as_view(), name="events"),
    path("events/ticket", streams.EventTicket.as_view(), name="event-ticket"),
    path("replies", replies.Replies.as_view(), name="replies"),
    path("replies/<int:reply_id>/playback", replies.ReplyPlayback.as_view(), name="reply-playback"),
    path("sessions/current", sessions.CurrentSession.as_view(), name="session-current"),
    path("sessions/<int:session_id>/end", sessions.SessionEnd.as_view(), name="session-end"),
    path("device", device.OwnDevice.as_view(), name="device"),
    path("modes", device.Modes.as_view(), name="modes"),
    path("speech", device.Speech.as_view(), name="speech"),
]
