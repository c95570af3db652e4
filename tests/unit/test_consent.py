"""Which utterance may spend: a table of grounds, each broken by itself in an otherwise perfect case."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import consent
from interactions.consent import Verdict
from interactions.contracts import Heard, Playback, Prompt

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
KITCHEN, PHONE = 1, 2
REVIEW, EARLIER, LATER = 70, 60, 80


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


# Delivered 30 s ago, forty words: by the bound it is over 22 s later, 8 s before now.
PROMPT = Prompt(key="review", reply_id=REVIEW, seq=12, device=KITCHEN, words=40, est_ms=16_000, delivered_at=ago(30))
SPOKEN = Heard(
    at=NOW,
    text="Confirm order.",
    utterance=5,
    received_at=NOW,
    device=KITCHEN,
    source="stream",
    heard_upto=12,
    playback=Playback(reply_id=REVIEW, state="finished", ended_ms_before_speech=900),
)
TYPED = replace(SPOKEN, source="typed", playback=None, in_reply_to=REVIEW)
UNREPORTED = replace(SPOKEN, playback=None)


def verdict(heard: Heard, prompt: Prompt | None = PROMPT, **changed: Any) -> Verdict:
    given = {"names": ("Hermes",), "phrases": ("confirm order",), "now": NOW, "device": KITCHEN} | changed
    return consent.verdict(heard, prompt, **given)


def played(state: str, gap: int | None = None, reply: int = REVIEW) -> Heard:
    return replace(SPOKEN, playback=Playback(reply_id=reply, state=state, ended_ms_before_speech=gap))


@pytest.mark.promise("P132", "P201")
@pytest.mark.parametrize("heard", [SPOKEN, TYPED, UNREPORTED, replace(TYPED, source="tap"), replace(SPOKEN, source="wake")])
def test_the_phrase_after_the_read_back_spends(heard: Heard) -> None:
    assert verdict(heard) is Verdict.OK


@pytest.mark.promise("P132", "P133")
@pytest.mark.parametrize("heard", [SPOKEN, TYPED, UNREPORTED])
@pytest.mark.parametrize("said", ["yes", "confirm order please", "complete order confirm order", "confirm\norder", ""])
def test_other_words_spend_nothing_however_well_timed(heard: Heard, said: str) -> None:
    assert verdict(replace(heard, text=said)) is Verdict.NOT_THE_PHRASE


@pytest.mark.promise("P132")
@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        (None, Verdict.OK),
        (1.0, Verdict.OK),
        (0.6, Verdict.OK),
        (0.59, Verdict.UNSURE),
        (0.0, Verdict.UNSURE),
        (float("nan"), Verdict.UNSURE),
    ],
)
def test_a_recogniser_that_doubts_itself_spends_nothing(confidence: float | None, expected: Verdict) -> None:
    assert verdict(replace(SPOKEN, confidence=confidence)) is expected
    assert verdict(replace(TYPED, confidence=confidence)) is expected


@pytest.mark.promise("P202")
@pytest.mark.parametrize("heard", [SPOKEN, TYPED, UNREPORTED])
def test_another_device_spends_nothing(heard: Heard) -> None:
    assert verdict(replace(heard, device=PHONE)) is Verdict.OTHER_DEVICE
    assert verdict(heard, replace(PROMPT, device=PHONE)) is Verdict.OTHER_DEVICE
    assert verdict(heard, device=PHONE) is Verdict.OTHER_DEVICE


@pytest.mark.promise("P261")
@pytest.mark.parametrize(
    ("received", "age_ms", "expected"),
    [
        (0, 0, Verdict.OK),
        (5, 5_000, Verdict.OK),
        (5, 5_001, Verdict.OLD),
        (10.1, 0, Verdict.OLD),
        (0, 10_001, Verdict.OLD),
        (0, 60_000, Verdict.OLD),
        (11, -5_000, Verdict.OLD),  # a negative age makes nothing younger
        (-5, 0, Verdict.OLD),  # the clock stepped back
    ],
)
def test_ten_seconds_after_the_speech_it_is_too_old(received: float, age_ms: int, expected: Verdict) -> None:
    early = replace(PROMPT, delivered_at=ago(300))
    assert verdict(replace(TYPED, received_at=ago(received), spoken_age_ms=age_ms), early) is expected


@pytest.mark.promise("P253", "P261")
@pytest.mark.parametrize("heard", [SPOKEN, TYPED, UNREPORTED])
def test_what_was_said_before_the_review_arrived_spends_nothing(heard: Heard) -> None:
    assert verdict(heard, None) is Verdict.NOT_HEARD
    assert verdict(heard, replace(PROMPT, delivered_at=None)) is Verdict.NOT_HEARD
    assert verdict(replace(heard, heard_upto=11)) is Verdict.NOT_HEARD
    assert verdict(replace(heard, heard_upto=None)) is Verdict.NOT_HEARD
    assert verdict(replace(heard, spoken_age_ms=4_000), replace(PROMPT, delivered_at=ago(3))) is Verdict.NOT_HEARD


@pytest.mark.promise("P201", "P202")
@pytest.mark.parametrize("source", ["typed", "tap"])
@pytest.mark.parametrize("named", [None, EARLIER, LATER])
def test_by_hand_the_review_itself_must_be_named(source: str, named: int | None) -> None:
    assert verdict(replace(TYPED, source=source, in_reply_to=named)) is Verdict.NOT_HEARD
    assert verdict(replace(SPOKEN, source=source, in_reply_to=named)) is Verdict.NOT_HEARD


@pytest.mark.promise("P202")
def test_a_spoken_answer_to_something_older_is_no_answer_to_the_review() -> None:
    assert verdict(replace(SPOKEN, in_reply_to=EARLIER)) is Verdict.NOT_HEARD
    assert verdict(replace(SPOKEN, in_reply_to=REVIEW)) is Verdict.OK
    assert verdict(replace(SPOKEN, in_reply_to=LATER)) is Verdict.OK


@pytest.mark.promise("P248")
@pytest.mark.parametrize("heard", [SPOKEN, TYPED, UNREPORTED])
def test_a_review_that_was_cut_is_not_confirmed(heard: Heard) -> None:
    assert verdict(heard, replace(PROMPT, failed=True)) is Verdict.CUT
    assert verdict(heard, replace(PROMPT, failed=True, finished_at=ago(20))) is Verdict.CUT


@pytest.mark.promise("P201", "P248")
@pytest.mark.parametrize(
    ("heard", "expected"),
    [
        (played("finished", 600), Verdict.OK),
        (played("finished", 599), Verdict.TOO_EARLY),
        (played("finished", 0), Verdict.TOO_EARLY),
        (played("finished", -900), Verdict.TOO_EARLY),
        (played("finished", 31_000), Verdict.TOO_EARLY),  # over before it could have begun: not to be believed
        (played("started"), Verdict.TOO_EARLY),
        (played("started", 900), Verdict.TOO_EARLY),
        (played("paused", 900), Verdict.TOO_EARLY),
        (played("interrupted", 900), Verdict.CUT),
        (played("failed", 900), Verdict.CUT),
        (played("finished", 900, reply=EARLIER), Verdict.TOO_EARLY),
        (played("finished", 900, reply=LATER), Verdict.OK),  # by the bound
        (played("failed", 900, reply=LATER), Verdict.OK),  # another reply's fate
    ],
)
def test_the_playback_that_the_utterance_carries_decides_first(heard: Heard, expected: Verdict) -> None:
    assert verdict(heard) is expected


@pytest.mark.promise("P201")
@pytest.mark.parametrize(
    ("finished", "expected"), [(5, Verdict.OK), (1.6, Verdict.OK), (1.5, Verdict.TOO_EARLY), (0.6, Verdict.TOO_EARLY)]
)
def test_a_reported_end_counts_from_before_the_phrase_began(finished: float, expected: Verdict) -> None:
    """Two words take a second, so speech that ended now began a second ago at the earliest."""
    assert verdict(UNREPORTED, replace(PROMPT, finished_at=ago(finished))) is expected
    assert verdict(played("finished"), replace(PROMPT, finished_at=ago(finished))) is expected


@pytest.mark.promise("P201")
def test_what_the_utterance_says_comes_before_what_a_report_says() -> None:
    assert verdict(played("finished", 100), replace(PROMPT, finished_at=ago(10))) is Verdict.TOO_EARLY
    assert verdict(played("finished", 700), replace(PROMPT, finished_at=ago(0))) is Verdict.OK


@pytest.mark.promise("P201")
@pytest.mark.parametrize(
    ("delivered", "started", "words", "expected"),
    [
        (22, None, 40, Verdict.OK),
        (21.9, None, 40, Verdict.TOO_EARLY),
        (3, None, 2, Verdict.OK),
        (30, 22, 40, Verdict.OK),
        (30, 21, 40, Verdict.TOO_EARLY),  # it began late
        (30, 40, 40, Verdict.OK),  # a start before the delivery shortens nothing
    ],
)
def test_without_any_report_the_bound_decides(delivered: float, started: float | None, words: int, expected: Verdict) -> None:
    prompt = replace(PROMPT, delivered_at=ago(delivered), started_at=None if started is None else ago(started), words=words)
    assert verdict(UNREPORTED, prompt) is expected


@pytest.mark.promise("P201", "P260")
@pytest.mark.parametrize("heard", [SPOKEN, UNREPORTED, played("finished", 900, reply=LATER)])
def test_what_may_be_our_own_voice_spends_nothing(heard: Heard) -> None:
    assert verdict(replace(heard, doubtful=True)) is Verdict.TOO_EARLY


@pytest.mark.promise("P201")
@pytest.mark.parametrize("state", ["started", "finished"])
@pytest.mark.parametrize(("gap", "spends"), [(None, False), (0, False), (599, False), (600, True)])
def test_a_later_reply_that_is_still_being_said_lets_nothing_be_spent(state: str, gap: int | None, spends: bool) -> None:
    """The hint after a near miss speaks of the phrase too."""
    given = played(state, gap, reply=LATER)
    good = Verdict.OK if (spends and state == "finished") or (state == "finished" and gap is None) else Verdict.TOO_EARLY
    assert verdict(given, replace(PROMPT, finished_at=ago(10))) is good


@pytest.mark.promise("P201")
def test_an_unknown_source_is_held_to_the_rules_of_voice() -> None:
    assert verdict(replace(TYPED, source="gesture"), replace(PROMPT, delivered_at=ago(5))) is Verdict.TOO_EARLY


MAYBE = st.one_of(st.none(), st.integers(-1000, 40_000))


@pytest.mark.promise("P132", "P201", "P202", "P261")
@given(
    device=st.sampled_from([KITCHEN, PHONE]),
    source=st.sampled_from(["stream", "wake", "typed", "tap"]),
    age=st.integers(0, 15_000),
    upto=st.one_of(st.none(), st.integers(10, 14)),
    named=st.one_of(st.none(), st.sampled_from([EARLIER, REVIEW, LATER])),
    state=st.sampled_from([None, "started", "finished", "interrupted", "failed"]),
    gap=MAYBE,
    delivered=st.one_of(st.none(), st.integers(0, 60)),
    finished=st.one_of(st.none(), st.integers(0, 60)),
    failed=st.booleans(),
    confidence=st.one_of(st.none(), st.floats(0, 1)),
)
def test_whatever_spends_has_every_ground(**case: Any) -> None:
    playback = case["state"] and Playback(REVIEW, case["state"], case["gap"])
    heard = replace(
        SPOKEN,
        device=case["device"],
        source=case["source"],
        spoken_age_ms=case["age"],
        heard_upto=case["upto"],
        in_reply_to=case["named"],
        playback=playback,
        confidence=case["confidence"],
    )
    prompt = replace(
        PROMPT,
        delivered_at=None if case["delivered"] is None else ago(case["delivered"]),
        finished_at=None if case["finished"] is None else ago(case["finished"]),
        failed=case["failed"],
    )
    if verdict(heard, prompt) is not Verdict.OK:
        return
    assert heard.device == KITCHEN
    assert not prompt.failed
    assert heard.captured_at >= ago(10)
    assert heard.heard_upto is not None
    assert heard.heard_upto >= prompt.seq
    assert heard.confidence is None or heard.confidence >= 0.6
    if heard.source in ("typed", "tap"):
        assert heard.in_reply_to == REVIEW
    elif heard.playback:
        assert heard.playback.state == "finished"
        assert heard.playback.ended_ms_before_speech is None or heard.playback.ended_ms_before_speech >= 600
