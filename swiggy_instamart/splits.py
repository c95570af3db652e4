"""A cart that Swiggy split by store: one order for each, of which some may have failed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interactions.contracts import Json, StrangeAnswerError
from swiggy_instamart import fields


@dataclass(frozen=True, slots=True)
class Part:
    """The order of one store; ``order_id`` is empty where that store took none."""

    order_id: str
    status: str = ""
    error: str = ""


class HalfAnOrderError(StrangeAnswerError):
    """There is an order, but not what its payment needs. ``parts``: of a cart that was split, what each store did."""

    code = "half_an_order"

    def __init__(self, message: str, parts: tuple[Part, ...]) -> None:
        super().__init__(message=message)
        self.parts = parts


def of(rows: Sequence[Json]) -> tuple[Part, ...]:
    """One order is no split."""
    return tuple(_part(row) for row in rows) if len(rows) > 1 else ()


def _part(row: Json) -> Part:
    error = row.get("error")
    words = fields.text(error, "message") if isinstance(error, Mapping) else fields.text(row, "error")
    return Part(fields.text(row, "orderId"), fields.text(row, "status").replace("_", " ").lower(), words)
