"""What every view of the API shares: strict small JSON in, JSON out whatever the client accepts, one shape of refusal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.generics import GenericAPIView
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from interactions.api import strict
from interactions.api.authentication import DeviceTokenAuthentication, HasOwner
from interactions.api.errors import Refusal
from interactions.models import Device

BODY_BYTES = 64 * 1024
LONGEST_NUMBER = 20  # digits; Python would read thousands, slowly


class SmallJSONParser(JSONParser):
    """JSON of a bounded size; DRF's own reads whatever is sent."""

    most_bytes = BODY_BYTES

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        raw = stream.read(self.most_bytes + 1)
        if len(raw) > self.most_bytes:
            raise Refusal(f"A body has at most {self.most_bytes} bytes.", code="too_large", status=413)
        try:
            data = json.loads(raw.decode(), parse_constant=_no_number, parse_int=_whole, object_pairs_hook=_object)
        except RecursionError:
            raise ParseError("This JSON is nested too deeply.") from None
        except UnicodeDecodeError:
            raise ParseError("This is not UTF-8.") from None
        except json.JSONDecodeError as error:
            raise ParseError(f"This is not JSON: {error}.") from None
        if not isinstance(data, dict):
            raise ParseError('A JSON object is needed, like {"text": "two milk"}.')
        return data


def _no_number(word: str) -> NoReturn:
    raise ParseError(f"JSON knows no {word}; send a number, or leave the field out.")


def _whole(digits: str) -> int:
    if (length := len(digits.lstrip("-"))) > LONGEST_NUMBER:
        raise ParseError(f"A number of {length} digits is too long; no field takes more than {LONGEST_NUMBER}.")
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            # Which of the two was meant nobody can say, and the next parser may take the other one.
            name = strict.speakable(key)
            raise Refusal(f"'{name}' stands twice in one object.", code="invalid", fields={name: ["Send this key once."]})
        data[key] = value
    return data


class AlwaysJSON(BaseContentNegotiation):
    """An event stream is asked for with another Accept, and its refusal is JSON all the same."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        sent = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class DeviceView(GenericAPIView[Any]):
    """A view for a device that belongs to somebody; ``self.device`` is the one that asks."""

    authentication_classes = [DeviceTokenAuthentication]
    permission_classes = [HasOwner]
    parser_classes = [SmallJSONParser]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = AlwaysJSON
    pagination_class = None
    filter_backends = []
    http_method_names = ["get", "head", "post", "patch"]  # what DRF says to OPTIONS, /api/docs/ says better
    parameters: frozenset[str] = frozenset()

    @property
    def device(self) -> Device:
        device = self.request.auth
        assert isinstance(device, Device)
        return device

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        unknown = sorted(set(request.query_params) - self.parameters)
        if unknown:
            raise Refusal("Unknown parameters.", code="invalid", fields={name: ["Unknown parameter."] for name in unknown})

    def read(self, serializer: BaseSerializer[Any]) -> dict[str, Any]:
        """The validated body, or a 400."""
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def number(self, name: str, *, maximum: int) -> int | None:
        """A query parameter that is a plain number, or None where it is absent."""
        raw = self.request.query_params.get(name)
        if raw is None:
            return None
        return parse_number(raw, name=name, maximum=maximum)


def parse_number(raw: str, *, name: str, maximum: int) -> int:
    if raw.isascii() and raw.isdigit() and len(raw) <= 19 and int(raw) <= maximum:
        return int(raw)
    message = f"A whole number from 0 to {maximum} is expected."
    raise Refusal(f"{name}: {message}", code="invalid", fields={name: [message]})
