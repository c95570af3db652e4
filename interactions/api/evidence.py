"""POST /evidence and GET /utterances: what collectors bring in, and the feed of all evidence out. Both take a service token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from interactions import clock, evidence, feed
from interactions.api.authentication import HasService
from interactions.api.base import DeviceView, SmallJSONParser
from interactions.api.errors import Refusal
from interactions.api.serializers import TEXT_MAX
from interactions.api.strict import LARGEST, Body, Moment, Share, Text, Word
from interactions.api.utterances import Utterances


class ItemBody(Body):
    """One piece of speech: whose, when, and the id by which its collector will know it again."""

    id = Text(max_length=128)
    person = Text(max_length=150, help_text="the user name")
    kind = Word(choices=evidence.KINDS)
    text = Text(max_length=TEXT_MAX)
    started_at = Moment()
    ended_at = Moment(required=False)
    segmentation = Text(max_length=32, required=False, help_text="how it was cut, in the collector's word")
    speaker = Text(max_length=128, required=False)
    lang = Text(max_length=16, required=False)
    confidence = Share(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.setdefault("ended_at", attrs["started_at"]) < attrs["started_at"]:
            raise ValidationError({"ended_at": ["The end lies before the start."]})
        return attrs


class EvidenceBody(Body):
    items = serializers.ListField(child=ItemBody(), min_length=1, max_length=evidence.MOST_ITEMS)


TAKEN = inline_serializer(
    "Taken",
    {
        "stored": serializers.IntegerField(),
        "known": serializers.IntegerField(help_text="they were stored before; sending them again changes nothing"),
        "conflicts": serializers.ListField(
            child=serializers.CharField(), help_text="ids that were stored before with something else; what was stored stands"
        ),
    },
)


class LargeJSONParser(SmallJSONParser):
    most_bytes = 512 * 1024


class Evidence(DeviceView):
    permission_classes = [HasService]
    parser_classes = [LargeJSONParser]
    serializer_class = EvidenceBody

    @extend_schema(responses=TAKEN)
    def post(self, request: Request) -> Response:
        """Bring in up to 500 items, in any order of time. All are stored or none; send them again if in doubt."""
        items = self.read(self.get_serializer(data=request.data))["items"]
        taken = evidence.take(self.device, _items(items), at=clock.now())
        return Response({"stored": taken.stored, "known": taken.known, "conflicts": taken.conflicts})


def _items(sent: list[dict[str, Any]]) -> list[evidence.Item]:
    people = _people(item["person"] for item in sent)
    strange = {place: item["person"] for place, item in enumerate(sent) if item["person"] not in people}
    if strange:
        message = "No such person; send the user name of somebody who is switched on."
        fields = {"items": {str(place): {"person": [message]} for place in strange}}
        raise Refusal("Some fields are wrong; nothing was stored.", code="invalid", fields=fields)
    return [
        evidence.Item(
            key=item["id"],
            person=people[item["person"]],
            kind=item["kind"],
            text=item["text"],
            started_at=item["started_at"],
            ended_at=item["ended_at"],
            segmentation=item.get("segmentation", ""),
            details={name: item[name] for name in feed.TOLD if name in item},
        )
        for item in sent
    ]


def _people(names: Iterable[str]) -> dict[str, int]:
    users = get_user_model()
    wanted = {f"{users.USERNAME_FIELD}__in": set(names), "is_active": True}
    return {user.get_username(): user.pk for user in users.objects.filter(**wanted)}


# ---- the feed ---------------------------------------------------------------------------------------------------------------


class UtterancesAndFeed(Utterances):
    """One address: a device reports there, and a service reads what was reported."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if request.method in ("GET", "HEAD"):
            self.permission_classes = [HasService]
            self.parameters = frozenset({"cursor", "limit"})
        super().initial(request, *args, **kwargs)

    @extend_schema(
        parameters=[
            OpenApiParameter("cursor", int, description="from the page before; absent: from the beginning"),
            OpenApiParameter("limit", int, description=f"at most so many, up to {feed.PAGE}"),
        ],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request) -> Response:
        """The evidence feed: each utterance once, in an order that does not change. ``more``: ask again at once."""
        after = self.number("cursor", maximum=LARGEST) or 0
        page = feed.page(after, limit=self.number("limit", maximum=feed.PAGE) or feed.PAGE)
        return Response({"utterances": [feed.row(one) for one in page.utterances], "cursor": page.cursor, "more": page.more})
