"""POST /utterances: parse, authorise, hand over to ingress; 202 out. Nothing is decided here, and nobody is called."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from interactions import ingress
from interactions.api import serializers
from interactions.api.authentication import HasDevice
from interactions.api.base import DeviceView, parse_number
from interactions.api.errors import Refusal
from interactions.models import DeviceEvent
from interactions.reports import Report

KEY = re.compile(r"[\x20-\x7e]{1,128}")
AGE_MAX_MS = 2_147_483_647
HEADERS = [
    OpenApiParameter(
        "Idempotency-Key", str, OpenApiParameter.HEADER, required=True, description="1 to 128 printable characters"
    ),
    OpenApiParameter("Utterance-Age", int, OpenApiParameter.HEADER, description="ms from the end of speech to this send"),
]
REFUSALS = {status: OpenApiResponse(serializers.Refused, description=text) for status, text in (
    (400, "no key, or a body that cannot be read; the key is not used up"),
    (401, "no token, or one that is not valid"),
    (403, "the device belongs to nobody"),
    (409, "the first request with this key is still running"),
    (422, "this key was used with another body"),
    (503, "the database is down, so ownership cannot be decided; see Retry-After"),
)}  # fmt: skip


class Utterances(DeviceView):
    permission_classes = [HasDevice]
    serializer_class = serializers.UtteranceBody

    @extend_schema(parameters=HEADERS, responses={202: serializers.Accepted, **REFUSALS})
    def post(self, request: Request) -> Response:
        """Report something heard. The same key and body always give the same answer."""
        key = _key(request)
        age = request.headers.get("Utterance-Age")
        age_ms = parse_number(age.strip(), name="Utterance-Age", maximum=AGE_MAX_MS) if age is not None else 0
        said = self.read(self.get_serializer(data=request.data))
        self._replies_are_ours(said)
        said["alternatives"] = tuple(said.get("alternatives", ()))
        answer = ingress.accept(
            self.device.pk, Report(**said, spoken_age_ms=age_ms), key=key, body_hash=body_hash(request.data)
        )
        return Response(answer.body, 202, headers={"Idempotent-Replayed": "true"} if answer.replayed else None)

    def _replies_are_ours(self, said: dict[str, Any]) -> None:
        named = {"in_reply_to": said.get("in_reply_to"), "playback": said.get("playback", {}).get("reply_id")}
        wanted = {number for number in named.values() if number is not None}
        if not wanted:
            return
        ours = set(DeviceEvent.objects.filter(device=self.device, pk__in=wanted).values_list("pk", flat=True))
        if foreign := {name: ["This device was given no such reply."] for name, pk in named.items() if pk and pk not in ours}:
            raise Refusal("A reply is named that this device was never given.", code="unknown_reply", fields=foreign)


def _key(request: Request) -> str:
    key = str(request.headers.get("Idempotency-Key", ""))
    if not KEY.fullmatch(key) or not key.strip():
        message = "Send 1 to 128 printable characters, new for each utterance and the same for each retry."
        raise Refusal(f"Idempotency-Key: {message}", code="no_key", fields={"Idempotency-Key": [message]})
    return key


def body_hash(data: Any) -> str:
    """The same for the same JSON value, however it was spaced and ordered."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
