"""Tells a person something through a Hermes agent: one signed POST to a deliver-only webhook, and no model turn.

At least once: whoever asks may ask again, with the same ``id``, which travels as the delivery id so that Hermes drops the twin.
Chat with the agent is not here yet: every sentence is left to the next plugin.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from typing import Annotated, Any

import httpx2
from django.contrib.auth import get_user_model
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from chronicle import env
from interactions.contracts import Json
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin

log = logging.getLogger(__name__)

CONNECT_S = 2.0
MODEL_TURN = 202  # a route that is not deliver-only accepts and hands the text to the agent

Text = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value or "")]


class Target(BaseModel):
    """Where one person is told things, in the words of the webhook's route."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    user: Text = Field("", description="a user's name or primary key")
    target: str = Field(min_length=1, description="the channel, as the route names it")


class HermesSettings(BaseModel):
    """plugins/hermes/config.yml"""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    webhook_url: Text = Field(
        "", description="the deliver-only route; https, or http on this machine; empty: nobody can be told"
    )
    webhook_secret: Text = Field("", description="the route's HMAC secret", repr=False)
    timeout_s: float = Field(5, ge=0.2, le=30, description="seconds one delivery may wait for its answer")
    targets: list[Target] = Field(default_factory=list, description="who is told where")

    @model_validator(mode="after")
    def _nothing_unsigned_or_in_the_clear(self) -> HermesSettings:
        if self.webhook_url and not env.is_private_url(self.webhook_url):
            raise ValueError("webhook_url must be an https address (http only for this machine)")
        if self.webhook_url and not self.webhook_secret:
            raise ValueError("webhook_url needs webhook_secret; set HERMES_WEBHOOK_SECRET")
        return self


class Hermes(OrdinaryPlugin):
    """Actions: ``notify`` {user, text, link?, id?} delivers, ``reach`` {user} says whether it could.

    ``alarm`` {target, text, id?} tells the operator, at a channel that is no person's of this service; it carries no link.
    """

    id = "hermes"
    settings_model = HermesSettings

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        return None

    def call(self, action: str, data: Json) -> ActionResult:
        if action not in ("notify", "reach", "alarm"):
            return super().call(action, data)
        target = data.get("target") or None if action == "alarm" else self._target(data.get("user"))
        if not self.settings["webhook_url"]:
            return ActionResult(ok=False, error="not_configured")
        if target is None:
            return ActionResult(ok=False, error="no_target")
        if action == "reach":
            return ActionResult(ok=True, data={"target": target})
        text = data.get("text")
        if not isinstance(text, str) or not text.strip():
            return ActionResult(ok=False, error="no_text")
        body = {"event": action, "target": target, "text": text, "link": data.get("link") if action == "notify" else None}
        return self._deliver(body, delivery=data.get("id"))

    def health(self) -> str:
        return "ok" if self.settings["webhook_url"] else "HERMES_WEBHOOK_URL is not set"

    def _target(self, user: Any) -> str | None:
        """The channel of this very person; nobody else's will do, since a link can be in it."""
        person = get_user_model().objects.filter(pk=user, is_active=True).first() if isinstance(user, int) else None
        if person is None:
            return None
        names = (str(person.pk), person.get_username())
        return next((entry["target"] for entry in self.settings["targets"] if entry["user"] in names), None)

    def _deliver(self, body: Json, *, delivery: Any) -> ActionResult:
        content = json.dumps(body, ensure_ascii=False, sort_keys=True).encode()
        delivery_id = str(delivery or hashlib.sha256(content).hexdigest()[:32])
        signature = hmac.new(self.settings["webhook_secret"].encode(), content, hashlib.sha256).hexdigest()
        headers = {
            "Content-Type": "application/json",
            "X-Hub-Signature-256": f"sha256={signature}",
            "X-Request-ID": delivery_id,
        }
        bounds = httpx2.Timeout(self.settings["timeout_s"], connect=min(CONNECT_S, self.settings["timeout_s"]))
        try:
            # A client per delivery: deliveries are rare, and one made before a fork would be shared by the children.
            with (
                httpx2.Client(timeout=bounds, follow_redirects=False, trust_env=False) as client,
                client.stream("POST", self.settings["webhook_url"], content=content, headers=headers) as response,
            ):
                status = response.status_code
        except (httpx2.HTTPError, OSError) as error:
            log.warning("notify %s: %s", delivery_id, type(error).__name__)
            return ActionResult(ok=False, error=f"unreachable: {type(error).__name__}")
        return self._result(status, delivery_id)

    def _result(self, status: int, delivery_id: str) -> ActionResult:
        if status == MODEL_TURN:
            return ActionResult(ok=False, error="the route starts a model turn; set deliver_only on it")
        if not 200 <= status < 300:
            log.warning("notify %s: HTTP %s", delivery_id, status)
            return ActionResult(ok=False, error=f"http_{status}")
        return ActionResult(ok=True, data={"delivery": delivery_id})
