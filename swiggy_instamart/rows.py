"""What a step wants written in its own transaction. Plain values: the step stays pure, ``orders`` does the writing."""

from __future__ import annotations

from dataclasses import dataclass, field

from interactions.contracts import Json


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """The account's one order is this session's from now on."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The order is at the session's device from now on, and what is still to be told of it too."""


@dataclass(frozen=True, slots=True)
class ReadBack:
    """The order waits for the phrase that spends from now on."""


@dataclass(frozen=True, slots=True)
class Intend:
    """A checkout is about to be called, on the word of ``utterance``."""

    utterance: int
    review: Json


@dataclass(frozen=True, slots=True)
class Awaits:
    """Swiggy took the order and waits for the payment; it is watched from now on."""

    utterance: int
    order_id: str
    paas_id: str
    transaction_id: str
    link: str
    total_paise: int | None
    interval_ms: int | None
    window_ms: int | None


@dataclass(frozen=True, slots=True)
class Ended:
    """How the call ended: placed, refused, not_sent, unknown; with what is known."""

    utterance: int
    state: str
    facts: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Looked:
    """One look at the orders after an unknown outcome. ``order`` is what was positively seen, if anything."""

    utterance: int
    order: Json | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """The end of the payment or of the look-up was spoken by this step."""

    utterance: int


@dataclass(frozen=True, slots=True)
class ToldStray:
    """An order that nobody here knows was spoken of by this step."""

    order_id: str


def awaits(utterance: int, result: Json) -> Awaits:
    """From a checkout's answer."""
    return Awaits(
        utterance=utterance,
        order_id=result["order_ids"][0],
        paas_id=result["paas_id"],
        transaction_id=result["transaction_id"],
        link=result["link"],
        total_paise=result["total_paise"],
        interval_ms=result["poll_every_ms"],
        window_ms=result["poll_for_ms"],
    )
