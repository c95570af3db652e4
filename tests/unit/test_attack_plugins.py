"""Plugins and their peers at their worst: answers that are none, pages that take for ever to read, and a slow tongue."""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command

from chronicle import peer
from chronicle.plugins.hermes import Hermes, HermesSettings
from interactions import clock, conditions, configuration, health, host, registry, status
from interactions.configuration import PluginEntry
from interactions.models import PluginState
from interactions.plugins import ActionResult, ChainAnswer, ChainEvent
from tests.unit.test_chain import Scripted, say, told

__all__ = ["say"]

STRANGE: tuple[Any, ...] = (
    lambda: "The lamp is on.",
    lambda: ChainAnswer(5),  # type: ignore[arg-type]
    lambda: ChainAnswer("On.", speech=b"on"),  # type: ignore[arg-type]
    lambda: ChainAnswer("On.", lang=1),  # type: ignore[arg-type]
    lambda: ChainAnswer("On.", data=None),  # type: ignore[arg-type]
    lambda: ChainAnswer("On.", data={"lamp": object()}),
    lambda: ChainAnswer("On.", data={"lamp": "\0"}),
    lambda: ChainAnswer("On\0."),
    lambda: ChainAnswer("On\ud800."),
)


class Strange(Scripted):
    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        made: ChainAnswer = self.makes()  # type: ignore[attr-defined]
        return made


@pytest.mark.promise("P075")
@pytest.mark.parametrize("makes", STRANGE)
def test_an_answer_that_is_none_is_a_fault_of_its_plugin_and_the_next_one_is_asked(request: Any, makes: Any) -> None:
    strange = Strange("strange")
    strange.makes = makes  # type: ignore[attr-defined]
    done = request.getfixturevalue("say")("turn on the lamp", strange, Scripted("second", ChainAnswer("Done.")))
    assert (done.status, done.answered_by) == ("done", "second")
    assert done.trace[0]["outcome"].startswith("failed: ")
    assert told() == [("plugin.reply", "Done.")]


@pytest.mark.promise("P075")
@pytest.mark.parametrize("piece", ["[", "![", "\n", "\n ", "a\n", "*", "`", "#", "- ", "[a](", "-" * 9 + "x\n", "> ", "_~"])
def test_the_largest_page_that_a_peer_may_send_is_read_at_once(piece: str) -> None:
    said = piece * (peer.LARGEST_BODY // len(piece)) + "x"
    began = time.thread_time()
    assert len(peer.plain(said)) <= peer.MOST_SAID
    assert time.thread_time() - began < 2


def test_marks_of_a_page_are_taken_away_line_by_line() -> None:
    said = (
        "# Title\n\n  > quoted\n\n- one\n* two\n---\n#\n[the *site*](https://x.example) and ![a cat](c.png)\n```py\nend **now**"
    )
    assert peer.plain(said) == "Title\nquoted\none\ntwo\nthe site and a cat\nend now"


@pytest.fixture
def dripping() -> Iterator[str]:
    """A server that begins its answer and goes on with it, a header at a time, for as long as anybody listens."""
    over = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        talking, _ = listening.accept()
        with talking:
            talking.recv(65536)
            talking.sendall(b"HTTP/1.1 200 OK\r\n")
            try:
                while not over.wait(0.05):
                    talking.sendall(b"x-more: 1\r\n")
            except OSError:
                return

    running = threading.Thread(target=serve, daemon=True)
    running.start()
    ends = threading.Timer(8, over.set)
    ends.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    over.set()
    ends.cancel()
    running.join(5)
    listening.close()


@pytest.mark.promise("P088")
def test_a_webhook_that_never_comes_to_the_end_of_its_answer_costs_its_bound_and_no_more(
    dripping: str, django_user_model: Any, db: None
) -> None:
    asha = django_user_model.objects.create_user("asha")
    settings = HermesSettings(
        webhook_url=dripping, webhook_secret="s3cret", timeout_s=0.3, targets=[{"user": "asha", "target": "telegram"}]
    ).model_dump()
    began = time.monotonic()
    result = Hermes(PluginEntry(enabled=True), settings).call("notify", {"user": asha.pk, "text": "hello"})
    assert not result.ok
    assert time.monotonic() - began < 4


@pytest.mark.promise("P142")
def test_a_name_of_digits_is_not_taken_for_another_persons_number(django_user_model: Any, db: None) -> None:
    asha = django_user_model.objects.create_user("asha")
    ravi = django_user_model.objects.create_user(str(asha.pk))
    settings = HermesSettings(
        webhook_url="http://localhost:1/", webhook_secret="s3cret", targets=[{"user": str(asha.pk), "target": "ashas"}]
    ).model_dump()
    hermes = Hermes(PluginEntry(enabled=True), settings)
    assert hermes.call("reach", {"user": asha.pk}).ok
    assert hermes.call("reach", {"user": ravi.pk}).error == "no_target"


@pytest.mark.promise("P086")
def test_an_answer_with_a_number_of_any_size_is_spoken(request: Any) -> None:
    done = request.getfixturevalue("say")("how much is it", Scripted("agent", ChainAnswer("About ₹36,00,00,00,00,000.50.")))
    assert (done.status, done.answered_by) == ("done", "agent")
    assert told() == [("plugin.reply", "About ₹36,00,00,00,00,000.50.")]


@pytest.mark.promise("P081")
def test_an_action_that_returns_no_result_is_a_failed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(Scripted):
        def call(self, action: str, data: Any) -> Any:
            return None

    monkeypatch.setattr(registry, "plugin", lambda plugin_id: Forgetful(plugin_id))
    assert host.call_plugin("forgetful", "notify", {}) == ActionResult(ok=False, error="TypeError")


class Ill(Scripted):
    """Breaks wherever it is asked how it does."""

    def health(self) -> str:
        raise RuntimeError("my key is sk-secret")

    def check(self) -> Any:
        return None


@pytest.mark.promise("P083", "P167")
def test_a_plugin_that_cannot_say_how_it_does_costs_nobody_else_their_line(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ill = Ill("ill")
    monkeypatch.setattr(registry, "ordinary", lambda: (ill,))
    monkeypatch.setattr(registry, "plugin", lambda plugin_id: ill)
    config = configuration.current()
    monkeypatch.setattr(configuration, "current", lambda: replace(config, plugins={"ill": PluginEntry(enabled=True)}))
    out = io.StringIO()
    call_command("plugins", stdout=out)
    assert "says      RuntimeError" in out.getvalue()
    assert "sk-secret" not in out.getvalue()


@pytest.mark.promise("P083")
def test_a_look_that_finds_no_word_is_a_failed_one(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "plugin", Ill)
    state = PluginState.objects.create(plugin="ill", changed_at=clock.now())
    health.check(state.pk)
    state.refresh_from_db()
    assert (state.status, state.error) == (health.FAILED, "None")


@pytest.mark.promise("P163")
def test_a_line_of_the_status_that_raises_is_red_and_the_others_are_shown(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> status.Light:
        raise RuntimeError("my key is sk-secret")

    monkeypatch.setattr(status, "_looks", {"ill": broken, "well": lambda: status.Light(True, "well")})
    lights = status.lights()
    assert (lights["ill"].green, lights["ill"].text) == (False, "cannot say how it does: RuntimeError")
    assert lights["well"].green


@pytest.mark.promise("P077")
@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Heating -5 degrees", "-5 degrees"),
        ("heating: - warmer -", "warmer"),
        ("heating, \u22125", "\u22125"),
        ("heating \u2013 off", "off"),
    ],
)
def test_a_minus_stays_where_the_word_before_it_is_taken_away(said: str, left: str) -> None:
    plugin = Scripted("heating", condition="keyword_anywhere", keywords=["heating"])
    event = ChainEvent(1, 1, 1, said, said, "stream", clock.now())
    assert conditions.command(plugin, event, names=("Hermes",)) == left
