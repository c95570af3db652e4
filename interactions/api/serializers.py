"""The bodies that devices send, as data: what each may hold, and how much of it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from interactions import devices
from interactions.api.strict import Body, Share, Switch, Text, Whole, Word

TEXT_MAX = 2000
SOURCES = ("stream", "wake", "typed", "tap")
INGESTS = ("live", "upload", "screenpipe", "import")
PLAYBACK_STATES = ("started", "finished", "interrupted", "failed")
REPORT_STATES = (*PLAYBACK_STATES, "shown")
A_DAY_MS = 86_400_000


class Detection(Body):
    """A wake word, and how sure the detector is."""

    word = Text(max_length=64)
    score = Share(required=False)


class AlsoFired(Detection):
    """A detection, or only its word."""

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value({"word": data} if isinstance(data, str) else data)


class WakeBody(Detection):
    """The detection that won at this device; ``also_fired``: those that lost against it."""

    also_fired = serializers.ListField(child=AlsoFired(), max_length=8, required=False)


class PlaybackBody(Body):
    """What the device was playing when the speech began."""

    reply_id = Whole(min_value=1)
    state = Word(choices=PLAYBACK_STATES)
    ended_ms_before_speech = Whole(required=False, max_value=A_DAY_MS)


class UtteranceBody(Body):
    """A report of something heard. What stands here is evidence; who is asking comes from the token alone."""

    text = Text(max_length=TEXT_MAX, allow_blank=True)
    source = Word(choices=SOURCES)  # type: ignore[assignment]  # the wire calls it so; DRF takes declared fields out of the class
    final = Switch(required=False)
    # Any name: what the deployment does not know is evidence with its reason, and no mistake of the body.
    segmentation = Text(max_length=32, required=False)
    ingest = Word(choices=INGESTS, required=False)
    audio_session_id = Text(max_length=128, required=False)
    capture_epoch = Text(max_length=64, required=False)
    start_ms = Whole(required=False)
    end_ms = Whole(required=False)
    wake = WakeBody(required=False)
    has_speech = Switch(required=False)
    speaker = Text(max_length=128, required=False)
    confidence = Share(required=False)
    alternatives = serializers.ListField(child=Text(max_length=TEXT_MAX, allow_blank=True), max_length=10, required=False)
    lang = Text(max_length=16, required=False)
    in_reply_to = Whole(min_value=1, required=False)
    heard_upto = Whole(required=False)
    playback = PlaybackBody(required=False)
    seq = Whole(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        start, end = attrs.get("start_ms"), attrs.get("end_ms")
        if (start is None) != (end is None):
            raise ValidationError({"end_ms": ["An interval has both start_ms and end_ms."]})
        if start is not None and end is not None and end < start:
            raise ValidationError({"end_ms": ["The end lies before the start."]})
        return attrs


class PlaybackReport(Body):
    """How far a reply got. ``shown`` is for a device without a voice and counts as finished there."""

    state = Word(choices=REPORT_STATES)
    position_ms = Whole(required=False, max_value=A_DAY_MS)


class SpeechBody(Body):
    """Someone has begun or stopped speaking; no words yet."""

    state = Word(choices=("started", "stopped"))


class CapabilitiesBody(Body):
    voice = Switch(required=False)
    screen = Switch(required=False)
    microphone = Word(choices=devices.MICROPHONES, required=False)
    playback_reports = Switch(required=False)
    languages = serializers.ListField(child=Text(max_length=16), max_length=16, required=False)


class DeviceBody(Body):
    name = Text(max_length=80, allow_blank=True, required=False)
    capabilities = CapabilitiesBody(required=False)


# ---- what is answered, for the description ------------------------------------------------------------------------------


class Accepted(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    disposition = serializers.ChoiceField(choices=["accepted", "duplicate", "echo", "recorded", "ignored", "late"])
    reason = serializers.CharField()
    session = serializers.IntegerField(allow_null=True)
    cursor = serializers.IntegerField(help_text="the stream position before this utterance")


class Refused(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    fields_ = serializers.DictField()

    def get_fields(self) -> Any:  # a field cannot be called "fields" in the class body
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found
