"""Whether an utterance may spend money: the phrase itself, and proof that the person had heard what it answers.

Pure, and one list of grounds read from top to bottom: each either refuses with its own verdict or lets the next one look. A new
ground is a new line in ``GROUNDS``. Doubt always refuses, since asking again costs a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from interactions import text
from interactions.contracts import Heard, Playback, Prompt


class Verdict(StrEnum):
    """``OK`` spends; every other word says why not."""

    OK = "ok"
    NOT_THE_PHRASE = "not_the_phrase"
    UNSURE = "unsure"  # the recogniser doubts its own words
    OTHER_DEVICE = "other_device"
    OLD = "old"  # said too long before the call would be made
    NOT_HEARD = "not_heard"  # said to something else than this review, or before it arrived
    CUT = "cut"  # its playback failed or was interrupted
    TOO_EARLY = "too_early"  # it was still being read


LEAST_CONFIDENCE = 0.6
LONGEST_AGE = timedelta(seconds=10)
LEAST_GAP = timedelta(milliseconds=600)
BOUND_START = timedelta(seconds=2)
PER_WORD = timedelta(milliseconds=500)
CLOCK_STEP = timedelta(seconds=1)
BY_HAND = frozenset({"typed", "tap"})


@dataclass(frozen=True, slots=True)
class _Case:
    heard: Heard
    prompt: Prompt | None
    names: tuple[str, ...]
    phrases: tuple[str, ...]
    now: datetime
    device: int


def verdict(
    heard: Heard, prompt: Prompt | None, *, names: Iterable[str], phrases: Iterable[str], now: datetime, device: int
) -> Verdict:
    """Judge ``heard`` as consent to ``prompt``, the review now in force, on the session's ``device``."""
    case = _Case(heard, prompt, tuple(names), tuple(phrases), now, device)
    return next((refusal for ground in GROUNDS if (refusal := ground(case))), Verdict.OK)


def _phrase(case: _Case) -> Verdict | None:
    return None if text.is_phrase(case.heard.text, case.phrases, case.names) else Verdict.NOT_THE_PHRASE


def _confidence(case: _Case) -> Verdict | None:
    given = case.heard.confidence
    return None if given is None or given >= LEAST_CONFIDENCE else Verdict.UNSURE  # NaN is below everything


def _device(case: _Case) -> Verdict | None:
    if case.heard.device != case.device or (case.prompt and case.prompt.device != case.device):
        return Verdict.OTHER_DEVICE
    return None


def _age(case: _Case) -> Verdict | None:
    # A clock that stepped back makes an old phrase look fresh, so a receipt in the future is no evidence of freshness.
    if case.now - _ended(case) > LONGEST_AGE or case.heard.received_at - case.now > CLOCK_STEP:
        return Verdict.OLD
    return None


def _delivered(case: _Case) -> Verdict | None:
    heard, prompt = case.heard, case.prompt
    if prompt is None or prompt.delivered_at is None or heard.heard_upto is None or heard.heard_upto < prompt.seq:
        return Verdict.NOT_HEARD
    return Verdict.NOT_HEARD if _ended(case) < prompt.delivered_at else None


def _named(case: _Case) -> Verdict | None:
    heard, prompt = case.heard, _given(case)
    if heard.source in BY_HAND:
        return None if heard.in_reply_to == prompt.reply_id else Verdict.NOT_HEARD
    # By voice a device may name a later reply ("I was still reading"), never one from before the review.
    return Verdict.NOT_HEARD if heard.in_reply_to is not None and heard.in_reply_to < prompt.reply_id else None


def _whole(case: _Case) -> Verdict | None:
    prompt, playback = _given(case), case.heard.playback
    cut = playback is not None and playback.reply_id == prompt.reply_id and playback.state in {"interrupted", "failed"}
    return Verdict.CUT if prompt.failed or cut else None


def _read_out(case: _Case) -> Verdict | None:
    """By voice: what the utterance says of the playback, else a reported end, else the bound."""
    heard, prompt = case.heard, _given(case)
    if heard.source in BY_HAND:
        return None
    playback = heard.playback
    if playback is not None and playback.reply_id < prompt.reply_id:
        return Verdict.TOO_EARLY  # the last thing played was older than the review
    if playback is not None and playback.reply_id == prompt.reply_id:
        if playback.state != "finished":
            return Verdict.TOO_EARLY
        if playback.ended_ms_before_speech is not None:
            return None if _believable(case, playback) else Verdict.TOO_EARLY
    if playback is not None and playback.reply_id > prompt.reply_id and _still_said(playback):
        return Verdict.TOO_EARLY
    if prompt.finished_at is not None:
        return None if prompt.finished_at + LEAST_GAP <= _began(case) else Verdict.TOO_EARLY
    bound = max(_delivered_at(case), prompt.started_at or _delivered_at(case)) + BOUND_START + PER_WORD * prompt.words
    return None if bound <= _ended(case) else Verdict.TOO_EARLY


def _still_said(playback: Playback) -> bool:
    """A later reply, which may speak of the phrase, was being played or had just ended."""
    gap = playback.ended_ms_before_speech
    return playback.state == "started" or (gap is not None and timedelta(milliseconds=gap) < LEAST_GAP)


def _own_voice(case: _Case) -> Verdict | None:
    """Said into something later than the review that speaks of the phrase ("say ... to place it"): perhaps by us."""
    return Verdict.TOO_EARLY if case.heard.doubtful else None


def _believable(case: _Case, playback: Playback) -> bool:
    """Ended long enough before the speech, and not before the review could have reached the device."""
    gap = timedelta(milliseconds=playback.ended_ms_before_speech or 0)
    return gap >= LEAST_GAP and _delivered_at(case) + gap <= _ended(case)


def _ended(case: _Case) -> datetime:
    """When the speech ended; a device that counts backwards gains nothing."""
    return min(case.heard.captured_at, case.heard.received_at)


def _began(case: _Case) -> datetime:
    """When the phrase began, at the earliest: a turn carries the end of its speech, so half a second a word is taken off."""
    return _ended(case) - PER_WORD * len(text.tokens(case.heard.text))


def _given(case: _Case) -> Prompt:
    assert case.prompt is not None  # _delivered has looked
    return case.prompt


def _delivered_at(case: _Case) -> datetime:
    delivered = _given(case).delivered_at
    assert delivered is not None  # _delivered has looked
    return delivered


GROUNDS: tuple[Callable[[_Case], Verdict | None], ...] = (
    _phrase,
    _confidence,
    _device,
    _age,
    _delivered,
    _named,
    _whole,
    _read_out,
    _own_voice,
)
