"""What the author of an ordinary plugin writes against: it is offered sentences that no mode owns, and can be called by name.

A plugin never sees a model, a request or another plugin. What it is given is frozen, so no plugin can change it for the next.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from pydantic import BaseModel

from interactions.configuration import PluginEntry
from interactions.contracts import Json


@dataclass(frozen=True, slots=True)
class ChainEvent:
    """One sentence. ``command`` is ``text`` without the wake word or keyword that made it this plugin's."""

    utterance: int
    user: int
    device: int
    text: str
    command: str
    source: str
    at: datetime
    wake: str | None = None
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class ChainAnswer:
    """The sentence was this plugin's. Without words nothing is said; ``should_continue`` also offers it to the next."""

    text: str = ""
    speech: str | None = None
    should_continue: bool = False
    lang: str | None = None  # of its words; None: the language of the sentence
    data: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What came of an action; ``error`` is a word or a sentence for the log."""

    ok: bool
    data: Json = field(default_factory=dict)
    error: str = ""


class OrdinaryPlugin(ABC):
    """One instance per process, built when the process starts: open nothing in ``__init__`` that a fork would share."""

    id: ClassVar[str]
    required_settings: ClassVar[tuple[str, ...]] = ()
    default_settings: ClassVar[Mapping[str, Any]] = {}
    settings_model: ClassVar[type[BaseModel] | None] = None

    def __init__(self, entry: PluginEntry, settings: Json) -> None:
        self.entry = entry
        self.settings = settings

    @abstractmethod
    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        """Answer the sentence, or return None to leave it to the next plugin. Bounded: the worker waits."""

    def waits(self, event: ChainEvent) -> bool:
        """Whether handling this sentence may wait for the network; a worker that may wait handles it then. Quick and pure."""
        return False

    def call(self, action: str, data: Json) -> ActionResult:
        """Do something for a mode. The outcome is a value: an action that does not exist is a failed result."""
        return ActionResult(ok=False, error=f"{self.id} has no action '{action}'")

    def health(self) -> str:
        """A word for the status page: ``ok``, or what is wrong."""
        return "ok"
