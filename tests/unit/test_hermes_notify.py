"""The notify action against a real HTTP server on this machine: signed, bounded, to one person's channel and to no other."""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from pydantic import ValidationError

from chronicle.plugins.hermes import Hermes, HermesSettings
from interactions import masking
from interactions.configuration import PluginEntry
from interactions.plugins import ActionResult, ChainEvent

SECRET = "a secret of this test"
LINK = "upi://pay?pa=merchant&am=269"
PASSWORD = "a-password-of-this-test"


class Webhook(HTTPServer):
    """Remembers each delivery and answers as it was told."""

    def __init__(self) -> None:
        self.deliveries: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 200
        self.wait: threading.Event | None = None
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/webhooks/kitchen"

    @property
    def channel(self) -> str:
        """The same as an address of Apprise."""
        return f"json://user:{PASSWORD}@127.0.0.1:{self.server_port}/told"

    @property
    def messages(self) -> list[str]:
        """What came by that address."""
        return [json.loads(body)["message"] for path, _, body in self.deliveries if path == "/told"]


class Handler(BaseHTTPRequestHandler):
    server: Webhook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.deliveries.append((self.path, dict(self.headers), body))
        if self.server.wait is not None:
            self.server.wait.wait(20)
        self.send_response(self.server.status)
        if 300 <= self.server.status < 400:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    yield from served()


@pytest.fixture
def phone() -> Iterator[Webhook]:
    """What a person's channel leads to."""
    yield from served()


def served() -> Iterator[Webhook]:
    server = Webhook()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    if server.wait is not None:
        server.wait.set()
    server.shutdown()
    thread.join()
    server.server_close()


def hermes(url: str, *users: str, channels: Mapping[str, list[str]] | None = None, **more: Any) -> Hermes:
    given = {
        "targets": [{"user": user, "target": f"{user}s-phone"} for user in users],
        "channels": [{"user": user, "urls": urls} for user, urls in (channels or {}).items()],
    }
    settings = HermesSettings.model_validate({"webhook_url": url, "webhook_secret": SECRET, "timeout_s": 30, **given, **more})
    return Hermes(PluginEntry(enabled=True), settings.model_dump())


@pytest.mark.promise("P088")
def test_a_notification_is_one_signed_post_with_a_delivery_id(webhook: Webhook, asha: Any) -> None:
    result = hermes(webhook.url, "asha").call(
        "notify", {"user": asha.pk, "text": "Pay 269 rupees.", "link": LINK, "id": "watch-7"}
    )
    assert result.ok, result.error
    ((path, headers, body),) = webhook.deliveries
    assert path == "/webhooks/kitchen"
    assert headers["X-Hub-Signature-256"] == "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    assert headers["X-Request-ID"] == "watch-7"
    assert json.loads(body) == {"event": "notify", "target": "ashas-phone", "text": "Pay 269 rupees.", "link": LINK}


@pytest.mark.promise("P088")
def test_a_route_that_would_start_a_model_turn_is_a_failure_that_says_how_to_mend_it(webhook: Webhook, asha: Any) -> None:
    webhook.status = 202
    result = hermes(webhook.url, "asha").call("notify", {"user": asha.pk, "text": "Pay."})
    assert not result.ok
    assert "deliver_only" in result.error


def test_the_same_notification_again_has_the_same_delivery_id(webhook: Webhook, asha: Any) -> None:
    plugin = hermes(webhook.url, "asha")
    first, second = (plugin.call("notify", {"user": asha.pk, "text": "Pay.", "link": LINK}) for _ in range(2))
    other = plugin.call("notify", {"user": asha.pk, "text": "Paid."})
    assert first.data == second.data
    assert first.data != other.data


@pytest.mark.promise("P089")
@pytest.mark.parametrize(
    ("action", "data", "error"),
    [
        ("notify", {}, "no_text"),
        ("notify", {"text": "  "}, "no_text"),
        ("notify", {"text": 7}, "no_text"),
        ("dance", {}, "no action"),
    ],
)
def test_no_text_or_another_action_fails_cleanly(
    webhook: Webhook, asha: Any, action: str, data: dict[str, Any], error: str
) -> None:
    result = hermes(webhook.url, "asha").call(action, {"user": asha.pk, **data})
    assert not result.ok
    assert error in result.error
    assert webhook.deliveries == []


def test_a_link_goes_to_the_persons_own_channel_and_to_nobody_elses(webhook: Webhook, asha: Any, ravi: Any) -> None:
    plugin = hermes(webhook.url, "asha")
    for user in (ravi.pk, 0, None, "asha"):
        assert plugin.call("notify", {"user": user, "text": "Pay.", "link": LINK}).error == "no_target"
        assert not plugin.call("reach", {"user": user}).ok
    assert webhook.deliveries == []
    assert plugin.call("reach", {"user": asha.pk}).ok


def test_a_target_can_be_named_by_primary_key(webhook: Webhook, asha: Any) -> None:
    assert hermes(webhook.url, str(asha.pk)).call("notify", {"user": asha.pk, "text": "Pay."}).ok


@pytest.mark.parametrize("status", [301, 307, 308, 400, 401, 500, 503])
def test_what_is_not_delivered_is_not_called_delivered_and_no_redirect_is_followed(
    webhook: Webhook, asha: Any, status: int
) -> None:
    webhook.status = status
    result = hermes(webhook.url, "asha").call("notify", {"user": asha.pk, "text": "Pay.", "link": LINK})
    assert (result.ok, result.error) == (False, f"http_{status}")
    assert len(webhook.deliveries) == 1


def test_a_hermes_that_never_answers_costs_its_bound_and_no_more(webhook: Webhook, asha: Any) -> None:
    webhook.wait = threading.Event()
    result = hermes(webhook.url, "asha", timeout_s=0.2).call("notify", {"user": asha.pk, "text": "Pay."})
    assert not result.ok
    assert "ReadTimeout" in result.error


def test_a_hermes_that_is_away_is_a_failed_result(asha: Any) -> None:
    result = hermes("http://127.0.0.1:9/webhooks/kitchen", "asha").call("notify", {"user": asha.pk, "text": "Pay."})
    assert not result.ok
    assert "unreachable" in result.error


def test_without_an_address_nobody_can_be_told(asha: Any) -> None:
    plugin = hermes("", "asha")
    assert plugin.call("reach", {"user": asha.pk}).error == "not_configured"
    assert plugin.health() == "neither HERMES_URL nor HERMES_WEBHOOK_URL is set"


@pytest.mark.parametrize(
    ("url", "secret"),
    [("http://hermes.example/x", SECRET), ("https://u:p@hermes.example/x", SECRET), ("https://hermes.example/x", "")],
)
def test_an_address_in_the_clear_or_without_a_secret_is_refused_at_the_start(url: str, secret: str) -> None:
    with pytest.raises(ValidationError):
        HermesSettings(webhook_url=url, webhook_secret=secret)


def test_a_secret_is_not_shown_when_the_settings_are_printed() -> None:
    assert SECRET not in repr(HermesSettings(webhook_url="https://hermes.example/x", webhook_secret=SECRET))


def test_a_sentence_is_left_to_the_next_plugin(asha: Any) -> None:
    event = ChainEvent(utterance=1, user=asha.pk, device=1, text="a", command="a", source="stream", at=asha.date_joined)
    assert hermes("", "asha").handle(event) is None


# ---- channels through Apprise ---------------------------------------------------------------------------------------------

AWAY = "json://127.0.0.1:9/told"


def test_the_persons_own_channel_is_told_beside_the_webhook_with_the_link(webhook: Webhook, phone: Webhook, asha: Any) -> None:
    result = hermes(webhook.url, "asha", channels={"asha": [phone.channel]}).call(
        "notify", {"user": asha.pk, "text": "Pay 269 rupees.", "link": LINK, "id": "watch-7"}
    )
    assert (result.ok, result.data) == (True, {"delivery": "watch-7"})
    assert len(webhook.deliveries) == 1
    assert phone.messages == [f"Pay 269 rupees.\n{LINK}"]


def test_a_channel_alone_will_do(phone: Webhook, asha: Any) -> None:
    plugin = hermes("", channels={str(asha.pk): [phone.channel]})
    assert plugin.call("reach", {"user": asha.pk}).ok
    assert plugin.call("notify", {"user": asha.pk, "text": "Pay."}) == ActionResult(ok=True, data={"channels": 1})
    assert plugin.health() == "ok"
    assert phone.messages == ["Pay."]


def test_a_channel_that_fails_keeps_nothing_from_the_others_and_its_address_out_of_the_log(
    webhook: Webhook, phone: Webhook, asha: Any, caplog: pytest.LogCaptureFixture
) -> None:
    webhook.status = 500
    urls = [AWAY, phone.channel, f"json://user:{PASSWORD}@127.0.0.1:{webhook.server_port}/told"]
    result = hermes(webhook.url, "asha", channels={"asha": urls}).call(
        "notify", {"user": asha.pk, "text": "Pay.", "link": LINK}
    )
    assert result == ActionResult(ok=True, data={"channels": 1})
    assert phone.messages == [f"Pay.\n{LINK}"]
    assert "channel 1 of 3: not_taken" in caplog.text
    assert "channel 3 of 3: not_taken" in caplog.text
    assert PASSWORD not in caplog.text
    assert "upi:" not in caplog.text


def test_a_redirect_takes_no_link_elsewhere(phone: Webhook, asha: Any) -> None:
    phone.status = 307
    result = hermes("", channels={"asha": [phone.channel]}).call("notify", {"user": asha.pk, "text": "Pay.", "link": LINK})
    assert (result.ok, result.error) == (False, "no_channel_took_it")
    assert len(phone.deliveries) == 1


def test_a_channel_that_never_answers_costs_the_bound_and_no_more(phone: Webhook, asha: Any) -> None:
    phone.wait = threading.Event()
    plugin = hermes("", channels={"asha": [phone.channel]}, timeout_s=0.2)
    began = time.monotonic()
    assert plugin.call("notify", {"user": asha.pk, "text": "Pay."}).error == "no_channel_took_it"
    assert time.monotonic() - began < 4, "Apprise itself would wait four seconds"


def test_the_channels_of_one_person_are_nobody_elses_and_no_operators(
    webhook: Webhook, phone: Webhook, asha: Any, ravi: Any
) -> None:
    plugin = hermes(webhook.url, "ravi", channels={"asha": [phone.channel]})
    assert plugin.call("notify", {"user": ravi.pk, "text": "Pay.", "link": LINK}).ok
    assert plugin.call("alarm", {"target": "asha", "user": asha.pk, "text": "Red.", "link": LINK}).ok
    assert phone.deliveries == []
    assert LINK not in str(webhook.deliveries[1])
    for user in (0, None, "asha"):
        assert plugin.call("notify", {"user": user, "text": "Pay.", "link": LINK}).error == "no_target"
    assert (
        hermes("", channels={"asha": [phone.channel]}).call("alarm", {"target": "ops", "text": "Red."}).error
        == "not_configured"
    )


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("whatever", "no address that Apprise knows"),
        (f"nonsense://{PASSWORD}@host", "no address that Apprise knows"),
        (f"json://user:{PASSWORD}@phone.example/told", "in the clear"),
        (f"mailto://user:{PASSWORD}@mail.example", "in the clear"),
        ("syslog://", "in the clear"),
    ],
)
def test_an_address_of_no_use_is_refused_at_the_start_and_not_quoted(url: str, says: str) -> None:
    with pytest.raises(ValidationError, match=f"address 2 {says}|address 2 goes out {says}|address 2 is {says}") as refused:
        HermesSettings.model_validate({"channels": [{"user": "asha", "urls": [f"jsons://u:{PASSWORD}@h", url]}]})
    assert PASSWORD not in refused.value.errors(include_input=False)[0]["msg"]


@pytest.mark.parametrize("url", ["jsons://phone.example/told", f"mailtos://u:{PASSWORD}@mail.example", "json://localhost:8/x"])
def test_an_address_over_tls_or_on_this_machine_is_taken_and_not_shown(url: str) -> None:
    settings = HermesSettings.model_validate({"channels": [{"user": "asha", "urls": [url]}]})
    assert url not in repr(settings)
    assert masking.shown(settings.model_dump(), HermesSettings)["channels"] == [{"user": "asha", "urls": [masking.MASK]}]


def test_apprise_is_imported_only_where_a_channel_is_set() -> None:
    code = """
import sys
import django
django.setup()
from chronicle.plugins.hermes import Hermes, HermesSettings
from interactions import masking
from interactions.configuration import PluginEntry
plugin = Hermes(PluginEntry(enabled=True), HermesSettings().model_dump())
assert not plugin.call("alarm", {"target": "ops", "text": "Red."}).ok
assert "apprise" not in sys.modules
HermesSettings.model_validate({"channels": [{"user": "a", "urls": ["jsons://h"]}]})
assert "apprise" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
