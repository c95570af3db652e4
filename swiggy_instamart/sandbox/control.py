"""The control API: what only a test or a demo may do, from this machine alone. Every body is checked; a wrong key is named."""

from __future__ import annotations

import difflib
import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from swiggy_instamart.sandbox import catalogue, faults, ledger, payments, tools_cart
from swiggy_instamart.sandbox.state import Line
from swiggy_instamart.sandbox.switches import Switches
from swiggy_instamart.sandbox.world import RefusalError, World

LOOPBACK = ("127.0.0.1", "::1")
Body = TypeVar("Body", bound=BaseModel)


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Named(Strict):
    """A variant, by its id or by words that find it."""

    spin: str | None = Field(default=None, description="spinId")
    find: str | None = Field(default=None, description="words of a search; the first variant in stock is meant")

    def item(self) -> catalogue.Item:
        if self.spin is not None:
            found = catalogue.items().get(self.spin)
        else:
            rows = sorted(catalogue.search(self.find or ""), key=lambda product: product.promoted)
            found = next((item for product in rows for item in product.items if not item.out_in), None)
        if found is None:
            raise RefusalError(f"no variant {self.spin or self.find!r}: give spin (a spinId) or find (words of a search)")
        return found


class CartLine(Named):
    quantity: int = Field(default=1, ge=0, description="0 takes the row out")


class CartEdit(Strict):
    action: Literal["add", "set", "clear", "expire"] = Field(
        default="add", description="put rows in, replace all, empty, let it time out"
    )
    lines: list[CartLine] = Field(default_factory=list, description="rows, kept as someone else's")
    address_id: str | None = Field(default=None, description="the address of a new cart; Home unless given")


class PaymentMove(Strict):
    state: str = Field(
        description="pending, success, failed, cancelled, cart_changed, refund-initiated, or a word nobody knows"
    )
    order_id: str | None = Field(default=None, description="the last order unless given")
    confirmed: bool | None = Field(default=None, description="whether the backend placed it; the switch decides unless given")
    terminal: bool | None = Field(default=None, description="force the flags: true success, false failure")


class CatalogueEdit(Named):
    in_stock: bool | None = Field(default=None, description="at every store; as in the catalogue until set")
    price_paise: int | None = Field(default=None, gt=0, description="the price of one")
    cap: int | None = Field(default=None, ge=1, description="how many of it a cart may hold")
    name: str | None = Field(default=None, description="what it is called, word for word; titles are data and may say anything")


class Rules(Strict):
    rules: list[faults.Rule] = Field(description="replaces all rules; an empty list clears them")


class Nothing(Strict):
    pass


def _known(model: type[BaseModel]) -> list[str]:
    """Every key that a body may have, at any depth."""
    found = list(model.model_fields)
    for field in model.model_fields.values():
        for part in get_args(field.annotation):
            if isinstance(part, type) and issubclass(part, BaseModel):
                found += _known(part)
    return found or ["(none)"]


def _nearest(errors: list[Any], model: type[BaseModel]) -> str:
    unknown, known = [str(e["loc"][-1]) for e in errors if e["type"] == "extra_forbidden"], _known(model)
    return "; ".join(
        f"unknown key {k!r}, nearest is {difflib.get_close_matches(k, known, n=1, cutoff=0)[0]!r}" for k in unknown
    )


def _wrong(error: ValidationError, model: type[BaseModel]) -> JSONResponse:
    errors = error.errors(include_url=False, include_input=False, include_context=False)
    fields = {".".join(str(part) for part in e["loc"]): e["msg"] for e in errors}
    message = _nearest(errors, model) or "; ".join(f"{name}: {text}" for name, text in fields.items())
    return _problem(HTTPStatus.UNPROCESSABLE_ENTITY, message, fields)


def _problem(status: int, message: str, fields: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"code": "invalid", "message": message, "fields": fields or {}}, status_code=status)


class Control:
    def __init__(self, world: World, *, allowed: bool) -> None:
        self.world, self.allowed = world, allowed

    def routes(self) -> list[Route]:
        posts: list[tuple[str, type[Any], Callable[[Any], dict[str, Any]]]] = [
            ("reset", Nothing, self.reset),
            ("faults", Rules, self.faults),
            ("cart", CartEdit, self.cart),
            ("payment", PaymentMove, self.payment),
            ("catalogue", CatalogueEdit, self.catalogue),
            ("settings", Switches, self.settings),
        ]
        gets: list[tuple[str, Callable[[], dict[str, Any]]]] = [
            ("ledger", lambda: ledger.show(self.world)),
            ("settings", self.world_settings),
        ]
        return [
            *(Route(f"/control/{name}", self._post(model, act), methods=["POST"]) for name, model, act in posts),
            *(Route(f"/control/{name}", self._get(show), methods=["GET"]) for name, show in gets),
        ]

    def _closed(self, request: Request) -> JSONResponse | None:
        if not self.allowed:
            return _problem(HTTPStatus.FORBIDDEN, "this sandbox was started with --no-control")
        if request.client is None or request.client.host not in LOOPBACK:
            return _problem(HTTPStatus.FORBIDDEN, "the control API answers this machine only")
        return None

    def _get(self, show: Callable[[], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return self._closed(request) or JSONResponse(show())

        return endpoint

    def _post(self, model: type[Body], act: Callable[[Body], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            closed = self._closed(request)
            if closed is not None:
                return closed
            try:
                given = json.loads(await request.body() or b"{}")
                if model is Switches and isinstance(given, dict):
                    given = self.world.switches.model_dump() | given
                done = act(model.model_validate(given))
            except ValidationError as error:
                return _wrong(error, model)
            except ValueError as error:
                return _problem(HTTPStatus.BAD_REQUEST, f"the body is not JSON: {error}")
            except RefusalError as error:
                return _problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
            self.world.commit()
            return JSONResponse(done)

        return endpoint

    def reset(self, body: Nothing) -> dict[str, Any]:
        self.world.reset()
        return {}

    def faults(self, body: Rules) -> dict[str, Any]:
        self.world.state.rules = body.rules
        return {"rules": [rule.model_dump() for rule in body.rules]}

    def world_settings(self) -> dict[str, Any]:
        return self.world.switches.model_dump()

    def settings(self, body: Switches) -> dict[str, Any]:
        self.world.state.switches = body
        return body.model_dump()

    def cart(self, body: CartEdit) -> dict[str, Any]:
        cart = tools_cart.current(self.world)
        if body.action in ("clear", "expire", "set"):
            tools_cart.empty(self.world)
            cart = self.world.state.cart if body.action != "set" else cart.model_copy(update={"lines": []})
            self.world.state.cart = cart
        address_id = body.address_id or cart.address_id
        address_id = address_id or next((a.id for a in self.world.addresses() if a.label == "Home"), None)
        cart.address_id, cart.touched_at = address_id, self.world.now()
        address = tools_cart.address_of(self.world, cart)
        for line in body.lines:
            item = line.item()
            cart.lines = [kept for kept in cart.lines if kept.spin != item.spin]
            if line.quantity:
                sku = catalogue.sku(item.spin, store=(address.store if address else None) or "S1")
                cart.lines.append(Line(spin=item.spin, sku=sku, quantity=line.quantity, foreign=True))
        return ledger.cart(self.world)

    def payment(self, body: PaymentMove) -> dict[str, Any]:
        for order in reversed(self.world.state.orders):
            if body.order_id in (None, order.id):
                payments.move(self.world, order, to=body.state, confirmed=body.confirmed, terminal=body.terminal)
                return order.model_dump()
        raise RefusalError("no such order: there is nothing to pay for")

    def catalogue(self, body: CatalogueEdit) -> dict[str, Any]:
        item, state = body.item(), self.world.state
        if body.in_stock is not None:
            state.out[item.spin] = not body.in_stock
        if body.price_paise is not None:
            state.prices[item.spin] = body.price_paise
        if body.cap is not None:
            state.caps[item.spin] = body.cap
        if body.name is not None:
            state.names[item.spin] = body.name
        return {"spin": item.spin, "name": self.world.name(item), "size": item.size, "price_paise": self.world.price(item)}
