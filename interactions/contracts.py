"""What crosses between the host and a mode: frozen values, never a model, a request or a queryset.

A mode is two functions. ``step(standing, event) -> Step`` decides; it is pure and fast. ``perform(call) -> result`` does the
I/O of one effect that a step asked for. Everything else (storing, leases, retries, deadlines, delivery) is the host's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

Json = Mapping[str, Any]


class Policy(StrEnum):
    """What a crash, a redelivery or a lost fence does to an effect that had begun."""

    READ = "read"  # run again, bounded; may be abandoned
    REPLAY = "replay"  # run again with the stored payload, bounded; never abandoned
    ONCE = "once"  # never again: begun without an outcome is unknown


# ---- what happened: the events a mode is stepped with -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Playback:
    """What the device says of a reply at the moment speech began."""

    reply_id: int
    state: str  # started, finished, interrupted, failed
    ended_ms_before_speech: int | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """The latest reply that the mode gave a ``key``, and what is known of its delivery. Times are the server's."""

    key: str
    reply_id: int
    seq: int
    device: int
    words: int
    est_ms: int
    delivered_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    failed: bool = False  # cut or failed, and not played again since


@dataclass(frozen=True, slots=True)
class Started:
    """The session opened; ``text`` is what followed the activation phrase."""

    at: datetime
    text: str
    utterance: int
    source: str = "stream"
    received_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """An accepted utterance. ``spoken_age_ms``: from the end of speech to the send, by the device's own count."""

    at: datetime
    text: str
    utterance: int
    received_at: datetime
    device: int
    source: str = "stream"
    spoken_age_ms: int = 0
    heard_upto: int | None = None
    playback: Playback | None = None
    in_reply_to: int | None = None
    confidence: float | None = None
    prompt: Prompt | None = None
    doubtful: bool = False  # its words were being said by us, as far as is known: it may be our own voice
    told: Told | None = None  # what was said last, where the words ask to hear it again

    @property
    def captured_at(self) -> datetime:
        """When the speech ended, by the server's clock."""
        return self.received_at - timedelta(milliseconds=self.spoken_age_ms)

    @property
    def was_asked(self) -> bool:
        """Whether the latest prompt had reached the device before these words ended, so that they can answer it."""
        prompt = self.prompt
        if prompt is None:
            return True
        heard = self.heard_upto is None or self.heard_upto >= prompt.seq
        older = self.in_reply_to is not None and self.in_reply_to < prompt.reply_id
        return prompt.delivered_at is not None and prompt.delivered_at <= self.captured_at and heard and not older


@dataclass(frozen=True, slots=True)
class Done:
    result: Json


@dataclass(frozen=True, slots=True)
class Refused:
    """The peer said no, on a closed list of ways to say it; nothing was done."""

    code: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """It did not work, and (for a ONCE) it is proven that nothing was sent."""

    code: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may have been done. Never treated as failed."""

    reason: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A READ that a stop word made pointless."""


Outcome = Done | Refused | Failed | Unknown | Abandoned


@dataclass(frozen=True, slots=True)
class Settled:
    at: datetime
    effect: str
    payload: Json
    outcome: Outcome
    prompt: Prompt | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """Something outside moved: a payment settled, an operator acted, the session was handed over."""

    at: datetime
    name: str
    data: Json


@dataclass(frozen=True, slots=True)
class Silence:
    """Nobody has spoken since the last question was played to its end. ``rung`` counts from 1; it moves no deadline."""

    at: datetime
    rung: int


@dataclass(frozen=True, slots=True)
class Deadline:
    at: datetime
    kind: str  # idle, hard


Event = Started | Heard | Settled | Signal | Silence | Deadline


# ---- what is decided: the answer to one event ---------------------------------------------------------------------------


REMARK = "remark"  # the key of what asks nothing: an answer that comes after it answers no question before it


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer a screen can show as a button; a tap sends ``say`` as an utterance."""

    say: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """One thing to say. ``speech`` is derived from ``text`` where the mode gives none; a link stands in ``data`` only."""

    text: str
    speech: str | None = None
    choices: tuple[Choice, ...] = ()
    expects_reply: bool = True
    speak: bool = True
    key: str | None = None  # names a prompt whose delivery a later event will report
    data: Json = field(default_factory=dict)
    kind: str = "interaction.reply"  # or interaction.payment
    valid_s: int = 120
    lang: str | None = None  # of its words; None: the language of the session


@dataclass(frozen=True, slots=True)
class Told:
    """What one step had spoken. ``said`` is why, as that step gave it."""

    replies: tuple[Reply, ...]
    said: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """What to do next. ``payload`` is stored before the first byte leaves, and replayed as stored."""

    name: str
    payload: Json = field(default_factory=dict)
    consent: int | None = None  # the utterance that spoke the declared phrase; a ONCE needs one


@dataclass(frozen=True, slots=True)
class Step:
    """The whole decision. ``phase`` and ``state`` left out mean unchanged; a state given replaces the old one whole."""

    phase: str | None = None
    state: Json | None = None
    say: tuple[Reply, ...] = ()
    effect: Effect | None = None
    cue: str | None = None
    end: str | None = None
    freeze_s: int | None = None  # no deadline ends the session for so long; 0 thaws
    rows: tuple[Any, ...] = ()  # the mode's own rows, written by record() in the same transaction
    take_over: int | None = None  # a session of the same person and mode that shall go on at this device, and end this one
    said: str = ""  # why, in a word or two, for whoever asks later
    lang: str | None = None  # the language the person speaks from here on; None: as before


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a session stands when it is stepped."""

    session: int
    user: int
    device: int
    phase: str
    state: Json
    revision: int
    turn: int
    started_at: datetime
    lang: str = "en"
    capabilities: Json = field(default_factory=dict)
    working: str = ""  # the READ under way, for whoever is asked meanwhile; what then changes more than what is said waits


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt at an effect. ``deadline`` bounds all attempts together; ``abandoned()`` is true once nobody waits."""

    effect: str
    payload: Json
    session: int
    user: int
    checkpoint: int
    attempt: int
    deadline: datetime
    abandoned: Callable[[], bool] = lambda: False


# ---- what a mode declares -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EffectSpec:
    """``budget_s`` is the wall clock of all attempts. A ONCE names the phase and the exact phrases that release it.

    What a ``lasting`` ONCE began goes on after its outcome: its mode cannot be switched off before ``host.mark_open`` says
    that it is over.
    """

    policy: Policy
    budget_s: float
    attempts: int = 1
    phase: str | None = None
    phrases: tuple[str, ...] = ()
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """The exits every phase must have; each is a sentence for people or the phase it leads to.

    ``spending``: something may have been bought. No upgrade ever ends a session there.
    """

    stop: str
    help: str
    silence: str
    deadline: str
    spending: bool = False


@dataclass(frozen=True, slots=True)
class StoredEffect:
    """An effect as an older version of the mode stored it; ``outcome`` is None while it has none."""

    name: str
    payload: Json
    outcome: Outcome | None = None


def unchanged(effect: StoredEffect) -> StoredEffect:
    return effect


@dataclass(frozen=True, slots=True)
class Migration:
    """How what one version of a mode stored reads in the next. Both are pure.

    ``session`` takes phase and state and returns both, or None where this session cannot go on. An ``effect`` keeps its
    policy, and may be asked again and again: its row is never rewritten.
    """

    session: Callable[[str, Json], tuple[str, Json] | None]
    effect: Callable[[StoredEffect], StoredEffect] = unchanged


# ---- how an effect fails: sorted by what is known, not by exception type ------------------------------------------------


class EffectError(Exception):
    """The base; ``code`` is a word for programs."""

    code = "failed"

    def __init__(self, code: str | None = None, message: str = "", *, retry_after_s: float | None = None) -> None:
        super().__init__(message or code or self.code)
        self.code = code or self.code
        self.message = message
        self.retry_after_s = retry_after_s


class NotSentError(EffectError):
    """Proven: no byte of the request left this machine."""

    code = "not_sent"


class TurnedDownError(EffectError):
    """The peer refused, on the closed list of refusals that leave nothing done."""

    code = "refused"


class SignInNeededError(TurnedDownError):
    """The peer does not know us (any more); only a person can sign in again."""

    code = "sign_in"


class NoAnswerError(EffectError):
    """The request may have arrived; whether it was done is not known."""

    code = "no_answer"


class StrangeAnswerError(NoAnswerError):
    """An answer came that cannot be read; for a ONCE that is no answer."""

    code = "strange_answer"


class OvertakenError(EffectError):
    """The world is neither as before nor as intended; nothing was written."""

    code = "overtaken"


class NotYetError(EffectError):
    """Nothing may be sent before ``until``; the host puts the session back."""

    code = "not_yet"

    def __init__(self, until: datetime) -> None:
        super().__init__()
        self.until = until


class AbandonedError(EffectError):
    """A READ noticed that nobody waits for it any more."""

    code = "abandoned"
