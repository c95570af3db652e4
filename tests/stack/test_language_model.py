"""A language model behind real workers: its choice is done, and a stop is obeyed while it does not answer."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from chronicle import services
from tests.support import llm_server
from tests.support.llm_server import chooses, mute
from tests.support.system import BOUND_S, Speaker, System
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_sqlite

VAGUE = "hmm let me have a think about that then"
WORKERS = ("worker-turns", "worker-effects")
KEY = "sk-a-key-for-tests"


@pytest.fixture
def model(house: System, tmp_path: Path) -> Iterator[llm_server.Server]:
    """The workers know of a model that may take twenty seconds."""
    with llm_server.Server() as running:
        config = tmp_path / "config"
        shutil.copytree(services.ROOT / "tests" / "config", config)
        said: dict[str, Any] = yaml.safe_load((config / "config.yml").read_text())
        said["models"] = {"fast": {"url": running.url, "model": "fast", "key": "FAST_LLM_KEY"}}
        said["defaults"]["fast_llm"] = "fast"
        said["limits"] = {"llm_attempt_s": 20}
        (config / "config.yml").write_text(yaml.safe_dump(said))
        given = {"CHRONICLE_CONFIG_DIR": str(config), "FAST_LLM_KEY": KEY}
        for name in WORKERS:
            child = house.exchange(name, environ={**house.children[name].environ, **given})
            house.wait_consuming(child, name.removeprefix("worker-"))
        yield running


@pytest.mark.long
@pytest.mark.promise("P121", "P266")
def test_the_choice_of_a_model_is_done_and_a_stop_is_obeyed_while_it_is_mute(
    house: System, kitchen: Speaker, model: llm_server.Server
) -> None:
    model.says = {"fast": [chooses("show_cart"), mute]}
    kitchen.ask("order swiggy")
    kitchen.ask("yes")
    assert "The cart is empty" in kitchen.ask(VAGUE)
    assert model.asked[0].headers["authorization"] == f"Bearer {KEY}"
    kitchen.accepted(VAGUE)
    wait_until(lambda: len(model.asked) == 2, BOUND_S, "the model to be asked again")
    stopped = kitchen.accepted("stop")
    assert "closed" in kitchen.answer_to(stopped)["text"]
    heard = _time(house.value("SELECT received_at FROM interactions_utterance WHERE id = %s", stopped["id"]))
    given_up = _time(house.value("SELECT settled_at FROM interactions_checkpoint WHERE outcome = 'abandoned'"))
    assert (given_up - heard).total_seconds() < 1, "half a second, and what a busy machine adds"
    assert KEY not in house.logs()
    assert VAGUE not in house.logs()


def _time(value: Any) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(value)
