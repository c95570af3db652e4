"""What the author of an ordinary plugin writes against: it is offered sentences that no mode owns, and can be called by name.

A plugin never sees a model, a request or another plugin. What it is given is frozen, so no plugin can change it for the next.
"""

from __future__ import annotations

import json
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
    woken: bool = False  # said to us for certain: a wake report, or speech within the follow-up window of an answer


@dataclass(frozen=True, slots=True)
class ChainAnswer:
    """The sentence was this plugin's. Without words nothing is said; ``should_continue`` also offers it to the next.

    ``success`` is false where the plugin took the sentence and could not do it: its words are said only if nobody succeeds, and
    no follow-up window opens after them.
    """

    text: str = ""
    speech: str | None = None
    should_continue: bool = False
    lang: str | None = None  # of its words; None: the language of the sentence
    data: Json = field(default_factory=dict)
    success: bool = True

    def __post_init__(self) -> None:
        """What can be neither said nor stored is the plugin's fault, and is found while it is asked."""
        if not isinstance(self.text, str) or not all(one is None or isinstance(one, str) for one in (self.speech, self.lang)):
            raise TypeError("text, speech and lang are strings")
        if not isinstance(self.data, Mapping):
            raise TypeError("data is a mapping")
        written = json.dumps([self.text, self.speech, self.lang, dict(self.data)], ensure_ascii=False, allow_nan=False)
        written.encode()  # half a character raises here
        if "\\u0000" in written.replace("\\\\", ""):
            raise ValueError("a NUL cannot be stored")


class UnreachableError(Exception):
    """The peer gave no answer. ``sent``: it may have had the command, and nobody else may be asked to do it again."""

    def __init__(self, reason: str = "", *, sent: bool) -> None:
        super().__init__(reason)
        self.sent = sent


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
    observes: ClassVar[bool] = False  # only looks on and answers nothing: nobody waits for an answer because it is asked
    deadline_s: float = 5  # a plugin that has not answered by then is not waited for; one with a setting for it sets it so

    def __init__(self, entry: PluginEntry, settings: Json) -> None:
        self.entry = entry
        self.settings = settings

    @abstractmethod
    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        """Answer the sentence, or return None to leave it to the next plugin. Bounded: the worker waits.

        Raises UnreachableError where the peer is away; whatever else it raises is a fault of the plugin.
        """

    def waits(self, event: ChainEvent) -> bool:
        """Whether handling this sentence may wait for the network; a worker that may wait handles it then. Quick and pure."""
        return False

    def call(self, action: str, data: Json) -> ActionResult:
        """Do something for a mode. The outcome is a value: an action that does not exist is a failed result."""
        return ActionResult(ok=False, error=f"{self.id} has no action '{action}'")

    def health(self) -> str:
        """A word for the status page: ``ok``, or what is wrong. Quick and without I/O."""
        return "ok"

    def check(self) -> str:
        """``health``, as a bounded look at the peer finds it. Called from time to time by a worker that may wait."""
        return self.health()
