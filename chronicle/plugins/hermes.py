"""A Hermes agent: a sentence is put to its chat and the answer spoken, and a person is told something through its webhook.

Telling is one signed POST to a deliver-only route and no model turn; the person's Apprise channels are told beside it. At least
once: whoever asks may ask again, with the same ``id``, which travels as the delivery id so that Hermes drops the twin.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, Any

from django.contrib.auth import get_user_model
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from chronicle import channels, env, peer, webhook
from interactions import text
from interactions.contracts import Json
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent, OrdinaryPlugin, UnreachableError

Text = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value or "")]


class Target(BaseModel):
    """Where one person is told things, in the words of the webhook's route."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    user: Text = Field("", description="a user's name or primary key")
    target: str = Field(min_length=1, description="the channel, as the route names it")


class Channels(BaseModel):
    """Where one person is told things besides, as addresses of Apprise."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    user: Text = Field("", description="a user's name or primary key")
    urls: list[str] = Field(min_length=1, max_length=4, description="Apprise addresses; secret", repr=False)

    @field_validator("urls")
    @classmethod
    def _usable(cls, urls: list[str]) -> list[str]:
        faults = [f"address {place + 1} {fault}" for place, url in enumerate(urls) if (fault := channels.fault(url))]
        if faults:
            raise ValueError("; ".join(faults))
        return urls


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
    channels: list[Channels] = Field(default_factory=list, description="who is told where besides, through Apprise")

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
    """Actions: ``notify`` {user, text, link?, id?} delivers by all ways of that person, ``reach`` {user} says whether it could.

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
        names = () if action == "alarm" else _names(data.get("user"))
        target = data.get("target") if action == "alarm" else self._of(names, "targets", "target")
        urls = self._of(names, "channels", "urls") or []
        if not self.settings["webhook_url"]:
            target = None
            if action == "alarm" or not self.settings["channels"]:
                return ActionResult(ok=False, error="not_configured")
        if not target and not urls:
            return ActionResult(ok=False, error="no_target")
        if action == "reach":
            return ActionResult(ok=True, data={"target": target, "channels": len(urls)})
        told = data.get("text")
        if not isinstance(told, str) or not told.strip():
            return ActionResult(ok=False, error="no_text")
        return self._tell(action, target, urls, {**data, "text": told})

    def health(self) -> str:
        set_ = any(self.settings[name] for name in ("url", "webhook_url", "channels"))
        return "ok" if set_ else "neither HERMES_URL nor HERMES_WEBHOOK_URL is set"

    def check(self) -> str:
        if not self.settings["url"]:
            return self.health()
        return peer.check(self._at("models"), key=self.settings["key"], within_s=self.settings["answer_s"])

    def _at(self, path: str) -> str:
        return f"{str(self.settings['url']).rstrip('/')}/{path}"

    def _of(self, names: Sequence[str], entries: str, wanted: str) -> Any:
        """What is set for this very person; nobody else's will do, since a link can be in what is told."""
        return next((entry[wanted] for entry in self.settings[entries] if entry["user"] in names), None)

    def _tell(self, action: str, target: str | None, urls: Sequence[str], data: Json) -> ActionResult:
        """By the webhook and by every channel at the same time; told is who was told by one of them."""
        ends = time.monotonic() + self.settings["timeout_s"]
        told, link = data["text"], data.get("link") if action == "notify" else None
        answers = channels.tell(urls, f"{told}\n{link}" if link else told)
        result = ActionResult(ok=False, error="no_channel_took_it")
        if target is not None:
            result = webhook.deliver(
                {"event": action, "target": target, "text": told, "link": link},
                url=self.settings["webhook_url"],
                secret=self.settings["webhook_secret"],
                delivery=data.get("id"),
                within_s=self.settings["timeout_s"],
            )
        taken = channels.taken(answers, within_s=max(0, ends - time.monotonic()))
        return ActionResult(ok=True, data={"channels": taken}) if taken and not result.ok else result


def _names(user: Any) -> Sequence[str]:
    """What this person may be called in the settings; none where it is nobody."""
    users = get_user_model().objects
    person = users.filter(pk=user, is_active=True).first() if isinstance(user, int) else None
    if person is None:
        return ()
    key, name = str(person.pk), person.get_username()
    # A user name of digits may be somebody else's primary key: then it means that person, who would miss the link.
    taken = name != key and name.isascii() and name.isdigit() and len(name) < 19 and users.filter(pk=int(name)).exists()
    return (key,) if taken else (key, name)


# ---- what the agent answers, as far as it is looked at ------------------------------------------------------------------


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Answer(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
