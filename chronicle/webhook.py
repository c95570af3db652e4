"""One signed POST to a deliver-only webhook of Hermes.

At least once: the same delivery again carries the same id, by which Hermes drops the twin.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from typing import Any

import httpx2

from chronicle import cutting
from interactions import bounded
from interactions.contracts import Json
from interactions.plugins import ActionResult

log = logging.getLogger(__name__)

CONNECT_S = 2.0
SLACK_S = 0.5  # the client's own bound, which counts from byte to byte, comes first where there is silence
MODEL_TURN = 202  # a route that is not deliver-only accepts and hands the text to the agent


def deliver(body: Json, *, url: str, secret: str, delivery: Any, within_s: float) -> ActionResult:
    content = json.dumps(body, ensure_ascii=False, sort_keys=True).encode()
    delivery_id = str(delivery or hashlib.sha256(content).hexdigest()[:32])
    signature = hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()
    headers = {
        "Content-Type": "application/json",
        "X-Hub-Signature-256": f"sha256={signature}",
        "X-Request-ID": delivery_id,
    }
    bounds = httpx2.Timeout(within_s, connect=min(CONNECT_S, within_s))

    def post() -> int:
        # A client per delivery: deliveries are rare, and one made before a fork would be shared by the children.
        with (
            httpx2.Client(timeout=bounds, follow_redirects=False, trust_env=False) as client,
            cutting.after(within_s + 2 * SLACK_S) as line,  # nobody waits for it any more, and its thread shall not stay
            client.stream("POST", url, content=content, headers=headers, extensions={"trace": line.trace}) as response,
        ):
            return response.status_code

    try:
        status = bounded.call(post, within_s + SLACK_S)
    except (httpx2.HTTPError, OSError, bounded.DeadlineError) as error:
        log.warning("notify %s: %s", delivery_id, type(error).__name__)
        return ActionResult(ok=False, error=f"unreachable: {type(error).__name__}")
    return _result(status, delivery_id)


def _result(status: int, delivery_id: str) -> ActionResult:
    if status == MODEL_TURN:
        return ActionResult(ok=False, error="the route starts a model turn; set deliver_only on it")
    if not 200 <= status < 300:
        log.warning("notify %s: HTTP %s", delivery_id, status)
        return ActionResult(ok=False, error=f"http_{status}")
    return ActionResult(ok=True, data={"delivery": delivery_id})
