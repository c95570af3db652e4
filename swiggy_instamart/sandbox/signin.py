"""The sign-in of the field, quirks included: the advertised resource metadata is a web page, the real one lives under /food,
and every client that registers becomes the shared ``swiggy-mcp``. Consent is given at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from swiggy_instamart.sandbox import replies, seed
from swiggy_instamart.sandbox.state import Refresh
from swiggy_instamart.sandbox.world import World

CODE_LIFE_S = 120
LOOPBACK = ("localhost", "127.0.0.1")
CLIENT = "swiggy-mcp"


def _origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}"


def _allowed(redirect: str) -> bool:
    return urlsplit(redirect).hostname in LOOPBACK


def _refused(reason: str, *, error: str = "invalid_grant") -> JSONResponse:
    return JSONResponse({"error": error, "error_description": reason}, status_code=HTTPStatus.BAD_REQUEST)


class Silence(Response):
    """The connection is cut, or held until the client leaves: what was done stays done."""

    def __init__(self, *, cut: bool) -> None:
        super().__init__()
        self.cut = cut

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (replies.hang_up(send, receive) if self.cut else replies.gone(receive))


class SignIn:
    def __init__(self, world: World) -> None:
        self.world = world
        self.codes: dict[str, tuple[float, str, str]] = {}  # code -> made at, challenge, redirect

    async def website(self, request: Request) -> Response:
        return HTMLResponse("<!doctype html><title>Order food online</title>")

    async def resource(self, request: Request) -> Response:
        origin = _origin(request)
        return JSONResponse({"resource": f"{origin}/food", "authorization_servers": [f"{origin}/auth"]})

    async def metadata(self, request: Request) -> Response:
        origin = _origin(request)
        return JSONResponse(
            {
                "issuer": f"{origin}/auth",
                "authorization_endpoint": f"{origin}/auth/authorize",
                "token_endpoint": f"{origin}/auth/token",
                "registration_endpoint": f"{origin}/auth/register",
                "response_types_supported": ["code"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "code_challenge_methods_supported": ["S256"],
                "scopes_supported": seed.SCOPE.split(),
                "token_endpoint_auth_methods_supported": ["none", "client_secret_post", "client_secret_basic"],
            }
        )

    async def register(self, request: Request) -> Response:
        """Also for a redirect that authorize will refuse: as in the field."""
        asked = json.loads(await request.body() or b"{}")
        given = asked if isinstance(asked, dict) else {}
        return JSONResponse(given | {"client_id": CLIENT, "token_endpoint_auth_method": "none"}, status_code=HTTPStatus.CREATED)

    async def redirect_known(self, request: Request) -> Response:
        known = _allowed(request.query_params.get("redirect_uri", ""))
        return JSONResponse({"whitelisted": known, "signupEnabled": known})

    async def authorize(self, request: Request) -> Response:
        asked = request.query_params
        redirect, challenge = asked.get("redirect_uri", ""), asked.get("code_challenge", "")
        if not _allowed(redirect):
            return HTMLResponse("This app isn't whitelisted yet", status_code=HTTPStatus.BAD_REQUEST)
        if asked.get("code_challenge_method") != "S256" or not challenge:
            return HTMLResponse("S256 is required", status_code=HTTPStatus.BAD_REQUEST)
        code = secrets.token_urlsafe(16)
        self.codes[code] = (time.monotonic(), challenge, redirect)
        return RedirectResponse(f"{redirect}?{urlencode({'code': code, 'state': asked.get('state', '')})}")

    async def token(self, request: Request) -> Response:
        is_json = request.headers.get("content-type", "").startswith("application/json")
        asked: dict[str, Any] = await request.json() if is_json else _form(await request.body())
        if asked.get("grant_type") == "refresh_token":
            return self._refresh(asked, body="json" if is_json else "form")
        made_at, challenge, redirect = self.codes.pop(str(asked.get("code")), (0.0, "", ""))
        proof = base64.urlsafe_b64encode(hashlib.sha256(str(asked.get("code_verifier", "")).encode()).digest())
        if not challenge or time.monotonic() - made_at > CODE_LIFE_S:
            return _refused("the code is unknown, used or older than two minutes")
        if proof.rstrip(b"=").decode() != challenge or asked.get("redirect_uri", redirect) != redirect:
            return _refused("the verifier or the redirect is not the one of this code")
        granted = {"access_token": seed.token(), "token_type": "Bearer", "expires_in": seed.FIVE_DAYS_S, "scope": seed.SCOPE}
        return JSONResponse(granted)

    def _refresh(self, asked: dict[str, Any], *, body: str) -> Response:
        """Whether the real one redeems a refresh token is not known; this one does as it is told."""
        given, switches = str(asked.get("refresh_token", "")), self.world.switches
        if switches.token_body not in ("any", body):
            return self._noted(body, "unread", _refused("the body cannot be read", error="invalid_request"))
        if switches.token_reply == "down":
            return self._noted(body, "down", JSONResponse({"error": "down"}, status_code=HTTPStatus.SERVICE_UNAVAILABLE))
        known = seed.claims(given.removeprefix("refresh-")) is not None and given.startswith("refresh-")
        if not known or switches.refresh == "refused" or given in self.world.state.used_up or asked.get("client_id") != CLIENT:
            return self._noted(body, "refused", _refused("the refresh token is unknown or used"))
        granted: dict[str, Any] = {"token_type": "Bearer", "scope": seed.SCOPE, "expires_in": int(switches.token_life_s)}
        granted["access_token"] = seed.token(expires_in_s=switches.token_life_s)
        if switches.refresh == "rotate":
            self.world.state.used_up.append(given)
            granted["refresh_token"] = seed.refresh_token()
        odd = JSONResponse({"access_token": 7})
        answers = {"lost": Silence(cut=True), "hang": Silence(cut=False), "odd": odd}
        return self._noted(body, "granted", answers.get(switches.token_reply, JSONResponse(granted)))

    def _noted(self, body: str, result: str, answer: Response) -> Response:
        self.world.state.refreshes.append(Refresh(at=self.world.now(), body=body, result=result))
        self.world.commit()
        return answer


def _form(body: bytes) -> dict[str, Any]:
    return dict(parse_qsl(body.decode("latin-1")))


def routes(world: World) -> list[Route]:
    door = SignIn(world)
    return [
        Route("/.well-known/oauth-protected-resource", door.website),
        Route("/food/.well-known/oauth-protected-resource", door.resource),
        Route("/.well-known/oauth-authorization-server", door.metadata),
        Route("/auth/register", door.register, methods=["POST"]),
        Route("/auth/check-redirect-uri", door.redirect_known),
        Route("/auth/authorize", door.authorize),
        Route("/auth/token", door.token, methods=["POST"]),
    ]
