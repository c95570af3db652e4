"""What the operator may set: a frozen schema of the configuration files, with each limit's default, range and meaning.

The files themselves are read by the project (it knows the environment and the disk); here is only what they may say.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from django.conf import settings as django_settings
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from interactions import text
from interactions.faults import Fault


@dataclass(frozen=True, slots=True)
class Segmentation:
    """How live speech was cut into utterances. ``open_turns``: whether its intervals may be turns of a mode."""

    name: str
    open_turns: bool


SEGMENTATIONS: dict[str, Segmentation] = {
    entry.name: entry
    for entry in (
        Segmentation("streaming_stt", open_turns=True),
        Segmentation("windowed_batch", open_turns=False),
    )
}


class Section(BaseModel):
    """A part of a file: every key is known, and no value is guessed from another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _spoken(words: str) -> str:
    if not text.tokens(words):
        raise ValueError("holds no word that could be said; write one, or leave it out")
    return words


def _once(entries: list[str]) -> list[str]:
    _no_twin(entries, entries)
    return entries


def _said_once(entries: list[str]) -> list[str]:
    _no_twin(entries, (" ".join(text.tokens(entry)) for entry in entries))
    return entries


def _no_twin(entries: list[str], as_compared: Iterable[str]) -> None:
    seen: dict[str, int] = {}
    for index, compared in enumerate(as_compared):
        if compared in seen:
            first = seen[compared]
            raise ValueError(f"holds '{entries[index]}' at {index + 1} and '{entries[first]}' at {first + 1}: leave one out")
        seen[compared] = index


def _switch(value: object) -> object:
    """1 and 0 equal true and false, and would be taken for them."""
    return value if isinstance(value, bool) or not isinstance(value, int | float) else None


Word = Annotated[str, AfterValidator(_spoken)]
Words = Annotated[list[Word], AfterValidator(_said_once)]
Modes = Annotated[list[Annotated[str, Field(min_length=1)]], AfterValidator(_once)]


class Defaults(Section):
    live_segmentation: str = Field(
        default="streaming_stt", description="how live speech counts, unless the device's record says otherwise"
    )
    fast_llm: str | None = Field(default=None, description="the model asked first about what the rules leave open")
    fallback_llm: str | None = Field(default=None, description="the model asked when the first did not answer")
    tts: str | None = Field(default=None, description="the voice that serves replies as sound")
    stt: str | None = Field(default=None, description="the recogniser for uploads")


class Assistant(Section):
    names: Words = Field(default_factory=lambda: ["Hermes"], description="names that may stand before a phrase")


class ModelEntry(Section):
    url: str = Field(description="the OpenAI-style address, up to /v1; https, or http without a key or on this machine")
    model: str = Field(description="the model's name at that address")
    key: str | None = Field(
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="the environment variable that holds its key"
    )


class Limits(Section):
    dedupe_window_s: float = Field(
        default=5, ge=0, le=60, description="seconds in which a near-equal text of another source is a twin"
    )
    llm_attempt_s: float = Field(default=3, ge=0.2, le=30, description="seconds of one attempt at a language model")


def _known_zone(name: str) -> str:
    if name not in available_timezones():
        near = difflib.get_close_matches(name, available_timezones(), n=1)
        raise ValueError(f"is no known time zone: {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return name


class AlarmChannel(Section):
    plugin: str = Field(min_length=1, description="the plugin that delivers alarms; it must be enabled")
    target: str = Field(min_length=1, description="the operator's channel, in that plugin's words")


class Operator(Section):
    alarm: AlarmChannel | None = Field(default=None, description="where the operator is told of an unknown checkout at once")


class HostConfiguration(Section):
    """config.yml"""

    time_zone: Annotated[str, AfterValidator(_known_zone)] = Field(
        default="Asia/Kolkata", description="the household's time zone: times are spoken, and shown to the operator, in it"
    )
    defaults: Defaults = Defaults()
    assistant: Assistant = Assistant()
    models: dict[str, ModelEntry] = Field(default_factory=dict)
    limits: Limits = Limits()
    operator: Operator = Operator()


class PluginEntry(Section):
    """One plugin of plugins.yml"""

    enabled: Annotated[Literal[True, False, "draining"], BeforeValidator(_switch)] = Field(
        default=False, description="on, off, or draining (opens nothing new)"
    )
    app: str | None = Field(
        default=None, pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", description="dotted module; the plugin's id where left out"
    )
    modes: Modes = Field(default_factory=list, description="ids of the modes that are on")
    events: Annotated[list[Literal["utterance"]], AfterValidator(_once)] = Field(
        default_factory=list, description="ordinary events it is given"
    )
    condition: Literal["always", "wake_word", "keyword_anywhere", "acoustic_wake_word"] = Field(
        default="always", description="which sentences of the chain it is given"
    )
    priority: int = Field(default=100, ge=0, le=10_000, description="its place in the chain, low first")
    keywords: Words = Field(default_factory=list, description="the words of keyword_anywhere, or more names for wake_word")
    phrases: dict[str, Words] = Field(default_factory=dict, description="further activation phrases by mode id")

    @property
    def on(self) -> bool:
        return self.enabled is not False

    def listening(self, priority: int) -> PluginEntry:
        """The same, given ordinary sentences too; ``priority`` is its place where the operator named none."""
        place = self.priority if "priority" in self.model_fields_set else priority
        return self.model_copy(update={"events": self.events or ["utterance"], "priority": place})


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything the files say. ``places`` tells where a plugin's setting stands, ``faults`` what stops the start."""

    directory: Path
    host: HostConfiguration
    plugins: Mapping[str, PluginEntry]
    plugin_settings: Mapping[str, Mapping[str, Any]] = field(repr=False)  # with their secrets; ``masking`` shows them
    places: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # of the language models, by name

    def app(self, plugin: str) -> str:
        return self.plugins[plugin].app or plugin

    def place(self, *path: str) -> str:
        """``file:line`` of a setting, or of the nearest thing around it that has a line."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.places:
                return self.places[path[:end]]
        return f"{self.directory / 'plugins.yml'}:1"


def bundled() -> list[str]:
    """The dotted apps that come with this project, on or off: what a misspelt one may have meant."""
    root = Path(__file__).resolve().parent.parent
    packages = [one.name for one in pkgutil.iter_modules([str(root)]) if (root / one.name / "apps.py").exists()]
    return packages + [
        f"{package}.plugins.{one.name}"
        for package in packages
        for one in pkgutil.iter_modules([str(root / package / "plugins")])
    ]


def current() -> Configuration:
    configuration = django_settings.CHRONICLE
    assert isinstance(configuration, Configuration)
    return configuration
