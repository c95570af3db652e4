"""Fields that take their type and no other: a number in quotes is text, a 1 is not true, an unknown key is a mistake."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

LARGEST = 2**63 - 1
YEARS = range(1970, 2200)  # further away, a time cannot be shown in every zone


class Text(serializers.CharField):
    """A string as it was sent: not trimmed, and without NUL or half characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False} | options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise ValidationError("A string is expected.", "type")
        return str(super().to_internal_value(data))


class Word(serializers.ChoiceField):
    """One of a few words."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            raise ValidationError(f"One of {', '.join(map(str, self.choices))} is expected.", "choice")
        return data


class Whole(serializers.IntegerField):
    """A JSON integer."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST} | options)

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            raise ValidationError("A whole number is expected.", "type")
        return data


class Share(serializers.FloatField):
    """A number from 0 to 1."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float) or not math.isfinite(data) or not 0 <= data <= 1:
            raise ValidationError("A number from 0 to 1 is expected.", "type")
        return float(data)


class Switch(serializers.BooleanField):
    """``true`` or ``false``."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise ValidationError("true or false is expected.", "type")
        return data


class Moment(serializers.DateTimeField):
    """A date and a time with their zone, as ISO 8601 writes them; without the zone it would be a guess."""

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(data) if isinstance(data, str) else None
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None or moment.year not in YEARS:
            raise ValidationError("A time with its zone is expected, like 2026-05-04T18:30:00+05:30.", "time")
        return moment.astimezone(UTC)


class Body(serializers.Serializer[Any]):
    """An object that says which of its keys nobody knows."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError({"body": ["A JSON object is expected."]}, "type")
        faults: dict[str, Any] = {speakable(key): ["Unknown field."] for key in data if key not in self.fields}
        try:
            values = super().to_internal_value(data)
        except ValidationError as error:
            raise ValidationError(faults | dict(error.detail)) from None  # type: ignore[arg-type]
        if faults:
            raise ValidationError(faults)
        return values


def speakable(key: object) -> str:
    """A key as it can be sent back: JSON may hold half a character in it, an answer may not."""
    return str(key).encode("utf-8", "backslashreplace").decode()
