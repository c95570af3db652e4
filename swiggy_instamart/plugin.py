"""Answers "where is my order" and "what did I order" outside an order, to the linked user and nobody else.

It opens no session: one read, one answer. Whatever is not surely about an order at this shop is left to the next plugin, and
so is "when will it come" unless something was ordered here a short while ago.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from interactions import host, text
from interactions.configuration import PluginEntry
from interactions.contracts import EffectError, Json, Reply
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin
from swiggy_instamart import afterwards, inquiries, linked, mcp, tongues, tracking, wording
from swiggy_instamart.inquiries import Inquiry
from swiggy_instamart.options import Options

SLACK_S = 2  # that an attempt may take longer than its bound


class Inquiries(OrdinaryPlugin):
    """The ordinary half of the plugin; the other one is the mode."""

    id = "swiggy_instamart"
    settings_model = Options

    def __init__(self, entry: PluginEntry, settings: Json) -> None:
        super().__init__(entry, settings)
        self.deadline_s = settings["mcp_attempt_s"] + SLACK_S

    def waits(self, event: ChainEvent) -> bool:
        return _read(event) is not None

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        inquiry = _read(event)
        reply = self._answer(event, inquiry) if inquiry is not None else None
        return None if reply is None else ChainAnswer(reply.text, lang=reply.lang)

    def _answer(self, event: ChainEvent, inquiry: Inquiry) -> Reply | None:
        say, owner = wording.of(tongues.language(event.text) or host.language_of(user_id=event.user)), linked.lookup().user
        if owner != event.user:  # an order of theirs is at another shop, or is none of ours to speak of
            refusal = afterwards.not_set_up if owner is None else afterwards.not_yours
            return refusal(say) if inquiry.named else None
        if inquiry.vague and not tracking.recent(event.user, now=timezone.now()):
            return None
        now = timezone.now()
        try:
            shop = mcp.swiggy().until(now + timedelta(seconds=self.settings["mcp_attempt_s"]))
            result = tracking.answer(shop, user=event.user, now=now)
        except EffectError as error:
            return afterwards.unread(say, error.code)
        return afterwards.orders(say, result, asked=inquiry.ask)


def _read(event: ChainEvent) -> Inquiry | None:
    return inquiries.read(text.strip_farewell(text.strip_courtesy(text.tokens(event.command))))
