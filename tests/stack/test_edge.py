"""The edge of compose.yaml, started by hand with the file's own configuration: a conversation streams through it."""

from __future__ import annotations

import os
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import ports, services
from chronicle.children import Child, stop
from interactions.client import Device
from tests.support.system import Speaker, System

SOON_S = 8.0  # less than a heartbeat: an edge that buffers would hold an event back longer

pytestmark = [
    pytest.mark.on_sqlite,
    pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx (Debian, Ubuntu: apt-get install nginx-light)"),
]


UNBUFFERED = "proxy_buffering off;"  # without it the edge is as anybody's proxy, which only the answer can tell


@pytest.fixture(params=["as shipped", "as proxies are"])
def edge(house: System, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    port = str(ports.choose("0", 0, name="CHRONICLE_EDGE_LISTEN", say=lambda _: None))
    environ = os.environ | {
        "CHRONICLE_EDGE_TMP": str(tmp_path),
        "CHRONICLE_EDGE_LISTEN": port,
        "CHRONICLE_EDGE_UPSTREAM": house.url.removeprefix("http://"),
    }
    file = tmp_path / "edge.conf"
    written = services.config("edge", environ)
    assert UNBUFFERED in written
    file.write_text(written if request.param == "as shipped" else written.replace(UNBUFFERED, ""))
    command = [str(file) if word == "/etc/nginx/edge.conf" else word for word in services.command("edge", environ)]
    child = Child("edge", command, environ=environ, log=tmp_path / "edge.log", directory=tmp_path)
    child.start()
    address = f"http://127.0.0.1:{port}"
    child.wait_for(lambda: _answers(address), timeout=10, what="passes /healthz through")
    yield address
    stop([child], patience=5)


@pytest.mark.case("E06")
def test_a_reply_streams_through_the_edge_at_once(edge: str, kitchen: Speaker) -> None:
    with Device(edge, kitchen.token) as device:
        device.say("order swiggy")
        list(device.until(lambda event: event.data.get("text") == "Use Home for delivery?", SOON_S))
        device.say("stop")
        list(device.until(lambda event: event.kind == "interaction.ended", SOON_S))


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
