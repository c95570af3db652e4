"""Home Assistant and a Hermes agent as real servers on loopback: they answer as theirs do, and fail as they are told.

``does`` is what a peer does to a request instead of answering it; what it was asked is kept whole, and that is its ledger.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.support.llm_server import Asked, Behaviour

HOME_TOKEN = "a-long-lived-token-for-tests"
HERMES_KEY = "an-api-key-for-tests"
HOUSE = {
    "turn on the lamp": "Turned on the lamp",
    "turn off the lamp": "Turned off the lamp",
    "set the heating to 21 degrees": "Set the heating to 21 degrees",
    "set a timer for ten minutes": "Timer set for ten minutes",
}


class Peer(ThreadingHTTPServer):
    """Runs inside ``with``; whatever hangs is let go at its end."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[Asked] = []
        self.does: Behaviour | None = None
        self.over = threading.Event()
        self._running: threading.Thread | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, asked: Asked) -> tuple[int, Any]:
        raise NotImplementedError

    def reset(self) -> None:
        self.asked, self.does = [], None

    def begin(self) -> None:
        self._running = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._running.start()

    def end(self) -> None:
        self.over.set()
        if self._running is not None:  # to shut down what does not serve waits for ever
            self.shutdown()
        self.server_close()

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what some of these tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Peer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, json.loads(content or b"{}"))
        self.server.asked.append(asked)
        if self.server.does is not None:
            self.server.does(self, asked)  # type: ignore[arg-type]
            return
        status, body = self.server.answer(asked)
        self.send(json.dumps(body).encode(), status=status)

    def do_GET(self) -> None:
        self.do_POST()

    def send(self, body: bytes, *, status: int = 200, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """It says nothing."""


class HomePeer(Peer):
    """Home Assistant: knows the sentences of its house, and no others."""

    def answer(self, asked: Asked) -> tuple[int, Any]:
        if asked.headers.get("authorization") != f"Bearer {HOME_TOKEN}":
            return 401, {"message": "Unauthorized"}
        if asked.path == "/api/":
            return 200, {"message": "API running."}
        if asked.path != "/api/conversation/process":
            return 404, {"message": "Not found"}
        strange = set(asked.body) - {"text", "language", "conversation_id", "agent_id"}
        if strange or not isinstance(asked.body.get("text"), str):
            return 400, {"message": f"Message format incorrect: {strange}"}
        said = HOUSE.get(asked.body["text"].lower().strip(" .!?"))
        return 200, home_answer(said or "Sorry, I couldn't understand that", code="" if said else "no_intent_match")

    @property
    def commands(self) -> list[str]:
        return [asked.body["text"] for asked in self.asked if "text" in asked.body]


class HermesPeer(Peer):
    """A Hermes agent: remembers what was said under each session, and answers with how much that is."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions: defaultdict[str, list[str]] = defaultdict(list)

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    def reset(self) -> None:
        super().reset()
        self.sessions.clear()

    def answer(self, asked: Asked) -> tuple[int, Any]:
        if asked.headers.get("authorization") != f"Bearer {HERMES_KEY}":
            return 401, {"error": {"message": "Invalid API key"}}
        if asked.path == "/v1/models":
            return 200, {"object": "list", "data": [{"id": "hermes-agent", "object": "model"}]}
        if asked.path != "/v1/chat/completions" or asked.body.get("stream") is not False:
            return 404, {"error": {"message": "Not found"}}
        heard = self.sessions[asked.headers.get("x-hermes-session-id", "")]
        heard.append(asked.body["messages"][-1]["content"])
        return 200, hermes_answer(f"Hermes heard {len(heard)}: {heard[-1]}")

    @property
    def commands(self) -> list[str]:
        return [asked.body["messages"][-1]["content"] for asked in self.asked if "messages" in asked.body]


def home_answer(said: str, *, code: str = "", **more: Any) -> dict[str, Any]:
    """What Home Assistant answers, of the kind that ``code`` names, or done."""
    data: dict[str, Any] = {"code": code} if code else {"targets": [], "success": [{"id": "light.lamp"}], "failed": []}
    response = {
        "speech": {"plain": {"speech": said, "extra_data": None}},
        "card": {},
        "language": "en",
        "response_type": "error" if code else "action_done",
        "data": data,
    }
    return {"response": response | more.pop("response", {}), "conversation_id": "any", "continue_conversation": False} | more


def hermes_answer(content: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return {"id": "chatcmpl-1", "object": "chat.completion", "model": "hermes-agent", "choices": [choice]}
