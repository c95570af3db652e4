"""The outermost ASGI layer of ``/im``: gate, ledger, faults, framing. What goes wrong on a wire goes wrong here.

An effect is never cut in half by a client that leaves: the inner server runs to its end on a request of our own, and its
reply is held back until the rules that strike after the effect have had their turn.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import anyio
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from swiggy_instamart.sandbox import faults, forms, gate, replies
from swiggy_instamart.sandbox.state import Call
from swiggy_instamart.sandbox.switches import Form
from swiggy_instamart.sandbox.world import World

NO_REPLY_YET = b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'


@dataclass
class Exchange:
    """One request on its way: what was asked, what it is called in the ledger, and what the inner server said."""

    request_id: Any
    method: str
    form: Form
    call: Call | None = None
    status: int = HTTPStatus.OK
    reply: bytes | None = None


def _read(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


class Wire:
    def __init__(self, world: World, *, inner: ASGIApp) -> None:
        self.world, self.inner = world, inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, http = Headers(scope=scope), self.world.state.http
        body = await Request(scope, receive).body()
        message = _read(body)
        method, request_id = message.get("method"), message.get("id")
        params = message.get("params") if isinstance(message.get("params"), dict) else {}
        tool = str(params.get("name")) if params and method == "tools/call" else None
        http[scope["method"]] = http.get(scope["method"], 0) + 1
        if isinstance(method, str):
            self.world.state.rpc[method] = self.world.state.rpc.get(method, 0) + 1
        refusal = (
            gate.signed_in(self.world, headers, request_id)
            or gate.posted(scope["method"])
            or gate.readable(headers, request_id)
            or gate.known_method(method, request_id)
            or gate.in_time(self.world, tool)
        )
        call = self._begin(tool, params or {}, turned_away=refusal is not None)
        if refusal is not None:
            http["turned away"] = http.get("turned away", 0) + 1
            self.world.commit(call)
            await refusal(send)
            return
        exchange = Exchange(request_id, str(method), self.world.switches.form, call=call)
        if method == "initialize":
            body = gate.older_initialize(message)
        rules = faults.pick(self.world.state.rules, method=str(method), tool=tool)
        if call is not None:
            call.fault = ", ".join(f"{rule.kind} {rule.where}" for rule in rules) or None
        self.world.commit(call)
        await self._run(exchange, rules, body=body, scope=scope, receive=receive, send=send)

    def _begin(self, tool: str | None, params: dict[str, Any], *, turned_away: bool) -> Call | None:
        if tool is None:
            return None
        calls, args = self.world.state.calls, params.get("arguments")
        call = Call(n=len(calls) + 1, tool=tool, arguments=args if isinstance(args, dict) else {}, at=self.world.now())
        if turned_away:
            call.outcome, call.ended_at = "turned away", self.world.now()
        calls.append(call)
        return call

    async def _run(
        self, exchange: Exchange, rules: list[faults.Rule], *, body: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if exchange.call is not None and self.world.switches.latency_ms:
            await anyio.sleep(self.world.switches.latency_ms / 1000)
        for rule in (r for r in rules if r.where == "before"):
            if await self._strike(rule, exchange, receive=receive, send=send):
                return self._end(exchange, lost=True)
        exchange.form = next((r.form for r in rules if r.kind == "form" and r.form), exchange.form)
        await self._ask_inner(exchange, body=body, scope=scope)
        for rule in (r for r in rules if r.where == "after" and r.kind != "form"):
            if await self._strike(rule, exchange, receive=receive, send=send):
                return self._end(exchange)
        self._end(exchange)
        await self._reply(exchange, send)

    def _end(self, exchange: Exchange, *, lost: bool = False) -> None:
        call = exchange.call
        if call is not None:
            call.ended_at, call.outcome = self.world.now(), "lost" if lost else call.outcome
            self.world.commit(call)

    async def _ask_inner(self, exchange: Exchange, *, body: bytes, scope: Scope) -> None:
        """Let the package's server answer, on a request that cannot be hung up on."""
        asked, parts = [body], list[bytes]()

        async def receive() -> Message:
            if asked:
                return {"type": "http.request", "body": asked.pop(), "more_body": False}
            await anyio.sleep_forever()
            raise AssertionError("never reached")

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
            else:
                parts.append(message.get("body", b""))

        await self.inner({**scope, "sandbox": exchange}, receive, send)
        exchange.reply = b"".join(parts)

    async def _reply(self, exchange: Exchange, send: Send) -> None:
        reply = exchange.reply or b""
        headers: replies.Headers = ()
        if exchange.status != HTTPStatus.OK:
            return await replies.plain(send, exchange.status, reply)
        if exchange.method == "initialize" and self.world.switches.session_header:
            headers = (("mcp-session-id", "sandbox-session"),)
        body, kind = replies.frame(reply, sse=self.world.switches.reply == "sse")
        await replies.plain(send, HTTPStatus.OK, body, kind=kind, headers=headers)

    async def _strike(self, rule: faults.Rule, exchange: Exchange, *, receive: Receive, send: Send) -> bool:
        """Do what the rule says; True when nothing more is to be sent."""
        sse = self.world.switches.reply == "sse"
        match rule.kind:
            case "slow":
                await anyio.sleep(rule.seconds)
                return False
            case "die":
                os._exit(137)
            case "hang":
                await replies.gone(receive)
            case "drop":
                await replies.hang_up(send, receive, reset=rule.reset)
            case "half":
                body, kind = replies.frame(exchange.reply or NO_REPLY_YET, sse=sse)
                await replies.half(send, receive, body, kind=kind)
            case "malformed":
                await replies.plain(send, HTTPStatus.OK, rule.body.encode())
            case "empty":
                await replies.plain(send, rule.status or HTTPStatus.OK)
            case "status":
                wait = () if rule.retry_after is None else (("retry-after", str(rule.retry_after)),)
                await replies.as_json(
                    send, rule.status or HTTPStatus.SERVICE_UNAVAILABLE, {"error": rule.message}, headers=wait
                )
            case _:
                body, kind = replies.frame(self._wrong(rule, exchange), sse=sse)
                await replies.plain(send, HTTPStatus.OK, body, kind=kind)
        return True

    def _wrong(self, rule: faults.Rule, exchange: Exchange) -> bytes:
        """A well-formed reply that says it did not work."""
        if rule.kind == "rpc_error":
            return replies.error(exchange.request_id, code=rule.code, message=rule.message)
        if rule.kind == "is_error":
            return replies.result(exchange.request_id, forms.error(rule.message))
        tool, prose = exchange.call.tool if exchange.call else "", f"Error: {rule.message}"
        result = forms.render(forms.failure(rule.message), prose=prose, form=exchange.form, tool=tool)
        return replies.result(exchange.request_id, result)
