"""A language model beside the shop: in its process and its ledger, and struck by the same faults. It wants the cart read."""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from interactions import configuration
from interactions.configuration import Configuration, Defaults, Limits, ModelEntry
from swiggy_instamart.sandbox import faults, replies, server
from swiggy_instamart.sandbox.wire import Exchange, Wire
from swiggy_instamart.sandbox.world import World

PATH = "/v1/chat/completions"
CALLED = "understand"  # in the ledger, and wherever a point is named
ATTEMPT_S = 1.5
CHOICE = {"id": "call_1", "type": "function", "function": {"name": "show_cart", "arguments": "{}"}}
MESSAGE = {"role": "assistant", "content": None, "tool_calls": [CHOICE]}
ANSWER = {
    "id": "1",
    "object": "chat.completion",
    "created": 0,
    "model": "certified",
    "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "tool_calls"}],
}


def configured(origin: str) -> Configuration:
    """The configuration as it is, with this model as the only one that is asked."""
    current = configuration.current()
    host = current.host.model_copy(
        update={
            "defaults": Defaults(fast_llm="certified"),
            "models": {"certified": ModelEntry(url=f"{origin}/v1", model="certified")},
            "limits": Limits(llm_attempt_s=ATTEMPT_S),
        }
    )
    return replace(current, host=host)


class Shop(server.App):
    """The sandbox with a model beside it."""

    def __init__(self, world: World, *, control: bool) -> None:
        super().__init__(world, control=control)
        self.model = _Model(world, inner=_answer)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["path"] == PATH
        await (self.model(scope, receive, send) if asked else super().__call__(scope, receive, send))


class _Model(Wire):
    """No sign-in and no protocol of tools stands before it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await Request(scope, receive).body()
        call = self._begin(CALLED, {}, turned_away=False)
        rules = faults.pick(self.world.state.rules, method="tools/call", tool=CALLED)
        exchange = Exchange(None, "tools/call", self.world.switches.form, call=call)
        self.world.commit(call)
        await self._run(exchange, rules, body=body, scope=scope, receive=receive, send=send)

    async def _ask_inner(self, exchange: Exchange, *, body: bytes, scope: Scope) -> None:
        await super()._ask_inner(exchange, body=body, scope=scope)
        if exchange.call is not None:
            exchange.call.outcome = "done"

    async def _reply(self, exchange: Exchange, send: Send) -> None:
        await replies.plain(send, exchange.status, exchange.reply or b"", kind="application/json")


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    await replies.plain(send, HTTPStatus.OK, json.dumps(ANSWER).encode(), kind="application/json")
