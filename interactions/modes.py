"""What a mode author writes against: ``Mode`` and ``ModeConfig``. The door that checks them is ``registry``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.apps import AppConfig

from interactions import saying
from interactions.contracts import Call, EffectSpec, Event, Json, Migration, Outcome, PhaseSpec, Reply, Standing, Step


class Mode(ABC):
    """A bounded workflow with first refusal of every utterance of one user and device until it ends."""

    key: ClassVar[str]
    phrases: ClassVar[tuple[str, ...]]
    version: ClassVar[int] = 1
    idle_s: ClassVar[int] = 600
    hard_s: ClassVar[int] = 1800
    # How long after the end of playback nobody has spoken when the mode is stepped with the next ``Silence``; then it is quiet.
    silence_s: ClassVar[tuple[float, ...]] = (10.0, 20.0)
    first_phase: ClassVar[str]
    phases: ClassVar[Mapping[str, PhaseSpec]]
    effects: ClassVar[Mapping[str, EffectSpec]] = {}
    migrations: ClassVar[Mapping[int, Migration]] = {}  # by the version that each starts from
    # More spellings of the words that work everywhere (stop, cancel, help, repeat), as tokens; the host knows the plain ones.
    universal: ClassVar[Mapping[str, frozenset[tuple[str, ...]]]] = {}
    kept: ClassVar[str] = ""  # what stays when an upgrade ends a session, as a sentence: "Your basket is kept."

    def __init__(self, settings: Json) -> None:
        self.settings = settings

    @abstractmethod
    def step(self, standing: Standing, event: Event) -> Step:
        """Decide. Pure: no I/O, no clock (``event.at`` is the time), no randomness."""

    def perform(self, call: Call) -> Json:
        """Do the I/O of one effect; returns its result or raises an EffectError. Runs outside any transaction."""
        raise NotImplementedError(call.effect)

    def record(self, standing: Standing, step: Step, *, at: datetime, checkpoint: int | None) -> None:
        """Write the rows of ``step.rows``, in the step's own transaction. An IntegrityError discards the step."""

    def orphaned(self, standing: Standing, effect: str, payload: Json, *, until: datetime) -> None:
        """A sender of this effect died or was abandoned; its request may still land before ``until``. In a transaction."""

    def waits(self, standing: Standing, effect: str, *, until: datetime, at: datetime) -> Reply | None:
        """What a person is told, once, while this effect may not start before ``until``. Pure."""
        return None

    def unfinished(self, standing: Standing, text: str) -> bool:
        """Whether this speech breaks off where more is surely to come ("two packets of"), so that the turn waits a moment for
        it. The answer that ``standing`` waits for is whole. Pure.
        """
        return False

    def continues(self, standing: Standing, text: str, more: str) -> bool:
        """Whether ``more``, said right after the ``unfinished`` ``text``, goes on with it, so that both are one turn: not an
        answer, not a command of its own. Pure.
        """
        return True

    def kept_in(self, lang: str) -> str:
        """``kept``, in the language of whoever hears it. Pure."""
        return self.kept

    def left(self, standing: Standing, place: str) -> Reply:
        """What is said at a device that the session leaves for another, which people call ``place``. Pure."""
        return saying.tell(standing.lang, "goes_on", place=place)

    def witness(self, standing: Standing, call: Call, outcome: Outcome) -> None:
        """The outcome of a ONCE whose fence was lost meanwhile, kept as evidence. In a transaction of its own."""

    def recover(self, *, at: datetime) -> Mapping[str, int]:
        """The database may be older than the world: let nothing be spent before the mode has looked at what may be missing.

        Called outside any transaction, as often as the operator likes. Each active session is then stepped with
        ``Signal("recovered")``, before whatever waits. Returns how often what was done, in words for the operator.
        """
        return {}

    def closed(self, standing: Standing, reason: str, *, at: datetime) -> None:
        """The session ends by whatever road, in the transaction that ends it. Release what the mode holds."""


class ModeConfig(AppConfig):
    """The AppConfig of a plugin that declares modes: ``mode`` is a dotted path inside the app, or several.

    Django picks the one AppConfig marked default; a base imported beside its subclass would otherwise make two candidates,
    of which it silently uses neither.
    """

    default = False
    api = 1
    mode: ClassVar[str | tuple[str, ...]]
    required_settings: ClassVar[tuple[str, ...]] = ()
    default_settings: ClassVar[Mapping[str, Any]] = {}
    priority: ClassVar[int] = 100  # of what it ``answers``, where the operator gives none
    settings_model: ClassVar[str | None] = None  # a pydantic model (dotted inside the app) that types the plugin's own file

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.default = True

    def answers(self, modes: tuple[str, ...]) -> bool:
        """Whether its module ``plugin`` is offered ordinary sentences while these modes are on, whatever ``events`` says."""
        return False

    def faults(self, modes: tuple[str, ...], settings: Json) -> Iterable[str]:
        """What else is wrong with the plugin's set-up for the modes that are on; each is one line of the door's list."""
        return ()
