"""The process: one uvicorn server with Swiggy at ``/im``, the control API beside it, and a line that says where it listens."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from swiggy_instamart.sandbox import protocol, seed, signin
from swiggy_instamart.sandbox.control import Control
from swiggy_instamart.sandbox.paypage import PayPage
from swiggy_instamart.sandbox.switches import Switches
from swiggy_instamart.sandbox.wire import Wire
from swiggy_instamart.sandbox.world import World

PATH = "/im"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    host: str = "127.0.0.1"
    port: int = 0
    data: Path | None = None
    tokens: Path | None = None
    hold_s: float | None = None
    autopay_s: float | None = None
    pay_page: bool | None = None
    control: bool = True
    ready_file: Path | None = None
    follow_stdin: bool = False


class App:
    """``/im`` goes to the wire untouched, so that it can reach the socket; the rest to Starlette."""

    def __init__(self, world: World, *, control: bool) -> None:
        manager = protocol.build(world)
        self.wire = Wire(world, inner=manager.handle_request)

        @contextlib.asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            async with manager.run():
                yield

        async def healthz(request: Request) -> JSONResponse:
            return JSONResponse({"status": "ok"})

        control_api, pay_page = Control(world, allowed=control), PayPage(world)
        routes = [Route("/healthz", healthz), *signin.routes(world), *pay_page.routes(), *control_api.routes()]
        self.rest = Starlette(routes=routes, lifespan=lifespan)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        at_swiggy = scope["type"] == "http" and scope["path"].rstrip("/") == PATH
        await (self.wire if at_swiggy else self.rest)(scope, receive, send)


def world_of(options: Options) -> World:
    given = {"hold_s": options.hold_s, "autopay_s": options.autopay_s, "pay_page": options.pay_page}
    return World(data=options.data, start=Switches.model_validate({k: v for k, v in given.items() if v is not None}))


class Server(uvicorn.Server):
    """Says where it listens once it does."""

    announce: str = ""
    ready_file: Path | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.ready_file is not None:
            draft = self.ready_file.with_suffix(".new")
            draft.write_text(self.announce, encoding="utf-8")
            draft.replace(self.ready_file)
        print(f"sandbox ready at {self.announce}", flush=True)


def _follow(server: Server) -> None:
    sys.stdin.buffer.read()
    server.should_exit = True


def listen(options: Options) -> socket.socket:
    listener = socket.socket(socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
    except OSError as error:
        listener.close()
        raise SystemExit(f"sandbox: cannot listen on {options.host}:{options.port} ({error.strerror}); try --port 0") from None
    return listener


def serve(options: Options, *, app: type[App] = App) -> None:
    """Run until told to stop."""
    listener = listen(options)
    if options.tokens is not None:
        seed.write_tokens(options.tokens)
    world = world_of(options)
    world.origin = f"http://{options.host}:{listener.getsockname()[1]}"
    config = uvicorn.Config(
        app(world, control=options.control),
        log_level="warning",
        access_log=False,
        lifespan="on",
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = Server(config)
    server.announce = world.origin + PATH
    server.ready_file = options.ready_file
    if options.follow_stdin:
        threading.Thread(target=_follow, args=(server,), daemon=True).start()
    server.run(sockets=[listener])
