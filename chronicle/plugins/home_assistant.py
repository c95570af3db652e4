"""Gives a sentence to Home Assistant's conversation API and speaks what it answers.

What Home Assistant has no intent for is left to the next plugin, and so is everything where no address is set.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from chronicle import env, peer
from interactions import text
from interactions.contracts import Json
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin, UnreachableError

NOT_FOR_US = "no_intent_match"
NOTHING_DONE = "no_valid_targets"  # understood, but the house has no such thing; whoever comes next may know better

Text = Annotated[str, BeforeValidator(lambda value: value or "")]


class HomeAssistantSettings(BaseModel):
    """plugins/home_assistant/config.yml"""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    url: Text = Field("", description="its address without a path; https, or http on this machine; empty: it is asked nothing")
    token: Text = Field("", description="a long-lived access token of Home Assistant", repr=False)
    timeout_s: float = Field(5, ge=0.2, le=30, description="seconds one sentence may wait for its answer")

    @model_validator(mode="after")
    def _nothing_unnamed_or_in_the_clear(self) -> HomeAssistantSettings:
        if self.url and not env.is_private_url(self.url):
            raise ValueError("url must be an https address (http only for this machine)")
        if self.url and not self.token:
            raise ValueError("url needs token; set HOME_ASSISTANT_TOKEN")
        return self


class HomeAssistant(OrdinaryPlugin):
    id = "home_assistant"
    settings_model = HomeAssistantSettings

    def __init__(self, entry: Any, settings: Json) -> None:
        super().__init__(entry, settings)
        self.deadline_s = settings["timeout_s"] + 1  # its own bound comes first

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        if not self.settings["url"] or not text.tokens(event.command):
            return None
        answer = self._process(event)
        response = answer.response
        if response.response_type == "error" and response.data.code == NOT_FOR_US:
            return None
        said = response.speech.plain.speech if response.speech and response.speech.plain else ""
        return ChainAnswer(
            peer.plain(said),
            lang=response.language,
            success=response.done or answer.continue_conversation,  # what asks back must hear the answer
            should_continue=response.response_type == "error" and response.data.code == NOTHING_DONE,
        )

    def waits(self, event: ChainEvent) -> bool:
        return bool(self.settings["url"])

    def health(self) -> str:
        return "ok" if self.settings["url"] else "HOME_ASSISTANT_URL is not set"

    def check(self) -> str:
        if not self.settings["url"]:
            return self.health()
        return peer.check(self._at("/api/"), key=self.settings["token"], within_s=self.settings["timeout_s"])

    def _process(self, event: ChainEvent) -> _Answer:
        # Home Assistant keeps a conversation under an id of our own too, and ends it five minutes after its last use.
        body = {"text": event.command, "language": event.lang, "conversation_id": peer.conversation(event)}
        url = self._at("/api/conversation/process")
        answered = peer.ask(url, key=self.settings["token"], within_s=self.settings["timeout_s"], body=body)
        try:
            return _Answer.model_validate(answered)
        except ValidationError:
            raise UnreachableError("strange_answer", sent=True) from None

    def _at(self, path: str) -> str:
        return str(self.settings["url"]).rstrip("/") + path


# ---- what it answers, as far as it is looked at -------------------------------------------------------------------------


class _Plain(BaseModel):
    speech: str = ""


class _Speech(BaseModel):
    plain: _Plain | None = None


class _Data(BaseModel):
    code: str = ""
    success: list[Any] = Field(default_factory=list)
    failed: list[Any] = Field(default_factory=list)


def _known(value: Any) -> str | None:
    return value if isinstance(value, str) and re.fullmatch(r"[A-Za-z]{2,3}([-_][A-Za-z]{2,8})?", value) else None


Language = Annotated[str | None, BeforeValidator(_known)]


class _Response(BaseModel):
    response_type: Literal["action_done", "query_answer", "error"]
    language: Language = None
    data: _Data = Field(default_factory=_Data)
    speech: _Speech | None = None

    @property
    def done(self) -> bool:
        return self.response_type != "error" and (bool(self.data.success) or not self.data.failed)


class _Answer(BaseModel):
    response: _Response
    continue_conversation: bool = False
