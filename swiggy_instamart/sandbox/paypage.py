"""The page behind a payment link, for a person at this machine: a bill, a button that pays it and one that does not.

Only with the switch ``pay_page``; else the link is opaque and leads nowhere, as it does for a client that must not open it.
"""

from __future__ import annotations

from html import escape
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from swiggy_instamart.sandbox import money, payments
from swiggy_instamart.sandbox.state import Order
from swiggy_instamart.sandbox.world import World

BUTTONS = {"success": "Pay", "failed": "Let it fail", "cancelled": "Cancel"}
PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Practice payment</title>
<body style="font:1.2rem system-ui;max-width:24rem;margin:3rem auto"><h1>{total}</h1><p>Order {id}: {state}. No money moves.</p>
<form method="post">{buttons}</form>"""


class PayPage:
    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[Route]:
        return [Route("/pay/{key}", self.page, methods=["GET", "POST"])]

    def _order(self, request: Request) -> Order | None:
        key = f"/pay/{request.path_params['key']}"
        return next((o for o in self.world.state.orders if o.bridge_url and o.bridge_url.endswith(key)), None)

    async def page(self, request: Request) -> Response:
        order = self._order(request)
        if order is None or order.payment is None or not self.world.switches.pay_page:
            return HTMLResponse("This link leads nowhere.", status_code=HTTPStatus.NOT_FOUND)
        if request.method == "POST":
            pressed = (await request.body()).decode("latin-1").removeprefix("state=")
            if pressed in BUTTONS and order.payment.state == "pending":
                payments.move(self.world, order, to=pressed)
                self.world.commit()
            return RedirectResponse(request.url.path, status_code=HTTPStatus.SEE_OTHER)
        buttons = "".join(f'<button name="state" value="{to}">{text}</button> ' for to, text in BUTTONS.items())
        shown = buttons if order.payment.state == "pending" else ""
        state = escape(order.payment.state)
        return HTMLResponse(PAGE.format(total=money.text(order.total), id=order.id, state=state, buttons=shown))
