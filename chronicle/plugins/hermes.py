"""A Hermes agent: a sentence is put to its chat and the answer spoken, and a person is told something through its webhook.

Telling is one signed POST to a deliver-only route and no model turn. At least once: whoever asks may ask again, with the same
``id``, which travels as the delivery id so that Hermes drops the twin.
"""

from __future__ import annotations

from typing import Annotated, Any

from django.contrib.auth import get_user_model
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from chronicle import env, peer, webhook
from interactions import text
from interactions.contracts import Json
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin, UnreachableError

Text = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value or "")]


class Target(BaseModel):
    """Where one person is told things, in the words of the webhook's route."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    user: Text = Field("", description="a user's name or primary key")
    target: str = Field(min_length=1, description="the channel, as the route names it")


class HermesSettings(BaseModel):
    """plugins/hermes/config.yml"""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    url: Text = Field(
        "", description="the agent's chat, up to /v1; https, or http on this machine; empty: sentences are left to others"
    )
    key: Text = Field("", description="the key of that API; without one Hermes keeps no conversation", repr=False)
    model: str = Field("hermes-agent", min_length=1, description="the agent's name at that address")
    answer_s: float = Field(30, ge=0.2, le=60, description="seconds one sentence may wait for the agent's answer")
    webhook_url: Text = Field(
        "", description="the deliver-only route; https, or http on this machine; empty: nobody can be told"
    )
    webhook_secret: Text = Field("", description="the route's HMAC secret", repr=False)
    timeout_s: float = Field(5, ge=0.2, le=30, description="seconds one delivery may wait for its answer")
    targets: list[Target] = Field(default_factory=list, description="who is told where")

    @model_validator(mode="after")
    def _nothing_unsigned_or_in_the_clear(self) -> HermesSettings:
        if self.url and not env.is_private_url(self.url):
            raise ValueError("url must be an https address (http only for this machine)")
        if self.url and not self.key:
            raise ValueError("url needs key; set HERMES_KEY")
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

    def __init__(self, entry: Any, settings: Json) -> None:
        super().__init__(entry, settings)
        self.deadline_s = settings["answer_s"] + 1  # its own bound comes first

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        if not self.settings["url"] or not text.tokens(event.command):
            return None
        body = {
            "model": self.settings["model"],
            "messages": [{"role": "user", "content": event.command}],  # the earlier ones are the agent's, by the session
            "stream": False,
        }
        session = {"X-Hermes-Session-Id": peer.conversation(event)}
        within_s = self.settings["answer_s"]
        answered = peer.ask(
            self._at("chat/completions"), key=self.settings["key"], within_s=within_s, body=body, headers=session
        )
        try:
            said = peer.plain(_Answer.model_validate(answered).choices[0].message.content)
        except ValidationError:
            raise UnreachableError("strange_answer", sent=True) from None
        if not said:
            raise UnreachableError("empty_answer", sent=True)
        return ChainAnswer(said)

    def waits(self, event: ChainEvent) -> bool:
        return bool(self.settings["url"])

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
        told = data.get("text")
        if not isinstance(told, str) or not told.strip():
            return ActionResult(ok=False, error="no_text")
        body = {"event": action, "target": target, "text": told, "link": data.get("link") if action == "notify" else None}
        address, secret, within_s = (self.settings[name] for name in ("webhook_url", "webhook_secret", "timeout_s"))
        return webhook.deliver(body, url=address, secret=secret, delivery=data.get("id"), within_s=within_s)

    def health(self) -> str:
        set_ = self.settings["url"] or self.settings["webhook_url"]
        return "ok" if set_ else "neither HERMES_URL nor HERMES_WEBHOOK_URL is set"

    def check(self) -> str:
        if not self.settings["url"]:
            return self.health()
        return peer.check(self._at("models"), key=self.settings["key"], within_s=self.settings["answer_s"])

    def _at(self, path: str) -> str:
        return f"{str(self.settings['url']).rstrip('/')}/{path}"

    def _target(self, user: Any) -> str | None:
        """The channel of this very person; nobody else's will do, since a link can be in it."""
        person = get_user_model().objects.filter(pk=user, is_active=True).first() if isinstance(user, int) else None
        if person is None:
            return None
        names = (str(person.pk), person.get_username())
        return next((entry["target"] for entry in self.settings["targets"] if entry["user"] in names), None)


# ---- what the agent answers, as far as it is looked at ------------------------------------------------------------------


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Answer(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
