"""The floor's POST: authenticated and validated as the product's is, one row, one doorbell after the commit."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chronicle.bench.floor import tasks
from chronicle.bench.floor.models import Said
from interactions import clock
from interactions.models import Device

LONGEST = 2000


class Body(serializers.Serializer[None]):
    text = serializers.CharField(max_length=LONGEST)


class Turns(APIView):
    """Everything that is not asked for here comes from the settings, as for the product's own views."""

    def post(self, request: Request) -> Response:
        body = Body(data=request.data)
        body.is_valid(raise_exception=True)
        assert isinstance(request.auth, Device)
        with transaction.atomic():
            said = Said.objects.create(device=request.auth, text=body.validated_data["text"], at=clock.now())
            transaction.on_commit(partial(tasks.answer.delay, said.pk))
        return Response({"id": said.pk}, 202)
