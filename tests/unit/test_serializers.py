"""What a body may hold: its own types and keys, and no more of anything than there is room for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interactions.api import serializers
from interactions.api.utterances import body_hash

HEARD = {"text": "two milk", "source": "stream"}
EVERYTHING = HEARD | {
    "final": True,
    "segmentation": "streaming_stt",
    "ingest": "live",
    "audio_session_id": "a1",
    "capture_epoch": "e1",
    "start_ms": 0,
    "end_ms": 900,
    "wake": {"word": "hermes", "score": 0.9, "also_fired": [{"word": "jarvis", "score": 0.4}, {"word": "alexa"}]},
    "has_speech": True,
    "speaker": "asha",
    "confidence": 1,
    "alternatives": ["to milk", ""],
    "lang": "en",
    "in_reply_to": 7,
    "heard_upto": 0,
    "playback": {"reply_id": 7, "state": "finished", "ended_ms_before_speech": 700},
    "seq": 0,
}


def faults(**changes: Any) -> Any:
    serializer = serializers.UtteranceBody(data=HEARD | changes)
    serializer.is_valid()
    return serializer.errors


def test_a_report_with_everything_in_it_is_read_as_it_was_sent() -> None:
    serializer = serializers.UtteranceBody(data=EVERYTHING)
    assert serializer.is_valid(), serializer.errors
    assert json.loads(json.dumps(serializer.validated_data)) == EVERYTHING


def test_the_words_are_kept_as_they_were_sent_spaces_included() -> None:
    serializer = serializers.UtteranceBody(data=HEARD | {"text": "  दो दूध \n"})
    assert serializer.is_valid()
    assert serializer.validated_data["text"] == "  दो दूध \n"


def test_a_detection_that_lost_may_be_only_its_word() -> None:
    serializer = serializers.UtteranceBody(data=HEARD | {"wake": {"word": "hermes", "also_fired": ["jarvis"]}})
    assert serializer.is_valid(), serializer.errors
    assert serializer.validated_data["wake"]["also_fired"] == [{"word": "jarvis"}]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", 5),
        ("text", None),
        ("text", ["a"]),
        ("text", "x" * 2001),
        ("text", "a\x00b"),
        ("text", "half \ud83d"),
        ("source", "radio"),
        ("source", ["stream"]),
        ("final", "true"),
        ("final", 1),
        ("segmentation", "x" * 33),
        ("segmentation", 5),
        ("ingest", "telepathy"),
        ("audio_session_id", "x" * 129),
        ("audio_session_id", ""),
        ("start_ms", 1.0),
        ("start_ms", -1),
        ("end_ms", True),
        ("end_ms", 2**63),
        ("wake", "hermes"),
        ("wake", {"score": 0.5}),
        ("wake", {"word": "hermes", "loud": True}),
        ("wake", {"word": "hermes", "score": 1.5}),
        ("wake", {"word": "hermes", "also_fired": "jarvis"}),
        ("wake", {"word": "hermes", "also_fired": [{"score": 0.5}]}),
        ("wake", {"word": "hermes", "also_fired": [5]}),
        ("wake", {"word": "hermes", "also_fired": ["jarvis"] * 9}),
        ("confidence", "0.9"),
        ("confidence", float("nan")),
        ("alternatives", "two milk"),
        ("alternatives", [1]),
        ("alternatives", ["x"] * 11),
        ("in_reply_to", 0),
        ("in_reply_to", "7"),
        ("playback", {"reply_id": 1, "state": "humming"}),
        ("heard_upto", -1),
        ("seq", 1.5),
        ("user", 1),
        ("device", 1),
    ],
)
def test_what_is_wrong_is_named_and_never_guessed(field: str, value: object) -> None:
    assert field in faults(**{field: value})


def test_an_interval_has_two_ends_in_their_order() -> None:
    assert faults(start_ms=5)
    assert faults(end_ms=5)
    assert faults(start_ms=6, end_ms=5)
    assert not faults(start_ms=5, end_ms=5)


def test_two_thousand_characters_are_read_and_one_more_is_not() -> None:
    assert not faults(text="अ" * 2000)
    assert "text" in faults(text="अ" * 2001)


def test_all_faults_come_at_once() -> None:
    assert set(faults(text=1, colour="red", seq="2")) == {"text", "colour", "seq"}


def test_a_body_hash_sees_values_and_not_their_spacing_or_order() -> None:
    assert body_hash(json.loads('{"a": 1, "b": [true, "é"]}')) == body_hash(json.loads('{"b":[true,"\\u00e9"],"a":1}'))
    assert body_hash({"a": 1}) != body_hash({"a": "1"})
    assert body_hash({"a": 1}) != body_hash({"a": True})
