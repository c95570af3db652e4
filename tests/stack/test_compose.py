"""compose.yaml by hand: each command and each health check as the file says, with the file's environment and nothing else."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chronicle import ports, services
from chronicle.children import Child, stop
from chronicle.stack import PROCESSES
from tests.support.system import Speaker, System

HTTPS = {"X-Forwarded-Proto": "https"}  # what ends TLS before the edge says of each request


@pytest.fixture
def given(house: System, tmp_path: Path) -> dict[str, str]:
    """The variables that an operator would set, here pointing at what runs already."""
    edge = str(ports.choose("0", 0, name="CHRONICLE_EDGE_LISTEN", say=lambda _: None))
    wanted = ("CHRONICLE_BIND", "CHRONICLE_PORT", "CHRONICLE_DATA_DIR", "CHRONICLE_CONFIG_DIR", "REDIS_URL")
    kept = {name: house.environ[name] for name in (*wanted, "SWIGGY_LINKED_USER_ID", "SWIGGY_MCP_URL")}
    return kept | {
        "CHRONICLE_SECRET_KEY": secrets.token_urlsafe(64),
        "POSTGRES_PASSWORD": secrets.token_urlsafe(16),
        "DATABASE_URL": house.environ.get("DATABASE_URL") or f"sqlite:///{house.data / 'chronicle.sqlite3'}",
        "CHRONICLE_EDGE_TMP": str(tmp_path),
        "CHRONICLE_EDGE_LISTEN": edge,
        "CHRONICLE_EDGE_UPSTREAM": house.url.removeprefix("http://"),
    }


def environment(name: str, given: dict[str, str]) -> dict[str, str]:
    return {"PATH": os.environ["PATH"]} | services.environment(name, given)


@pytest.fixture
def front(house: System, given: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """Where devices come in: the edge, or the web process itself where nginx is not installed."""
    if shutil.which("nginx") is None:
        yield house.url
        return
    file = tmp_path / "edge.conf"
    file.write_text(services.config("edge", given))
    command = [str(file) if word == "/etc/nginx/edge.conf" else word for word in services.command("edge", given)]
    child = Child("edge", command, environ={"PATH": os.environ["PATH"]}, log=tmp_path / "edge.log", directory=tmp_path)
    child.start()
    address = f"http://127.0.0.1:{given['CHRONICLE_EDGE_LISTEN']}"
    child.wait_for(lambda: healthy(address), timeout=10, what="passes /healthz through")
    yield address
    stop([child], patience=5)


def healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.whole
@pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="asked once, with the file's own kind of database")
def test_the_files_commands_with_the_files_environment_serve_a_paid_order(
    house: System, kitchen: Speaker, given: dict[str, str], front: str
) -> None:
    house.shop(autopay_s=0.2)
    house.halt(*PROCESSES)
    migrated = subprocess.run(
        services.command("migrate", given), cwd=services.ROOT, env=environment("migrate", given), check=False
    )
    assert migrated.returncode == 0
    for name in PROCESSES:
        house.exchange(name, environ=environment(name, given) | {"CHRONICLE_PORT": given["CHRONICLE_PORT"]})
    house.children["web"].wait_for(lambda: healthy(house.url), timeout=40, what="answers")

    told = replace(kitchen, url=front, more=HTTPS).order_by_cursor()
    assert told[-1]["data"]["reason"] == "paid"
    counts = house.ledger()["counts"]
    assert (counts["checkouts"], counts["committed"], counts["paid"]) == (1, 1, 1)
    assert kitchen.post("hello").status_code == 301, "plain HTTP is sent to HTTPS"

    assert house.health(environment("web", given) | given, PROCESSES) == dict.fromkeys(PROCESSES[:-1], 0)


def test_the_file_has_every_service_and_only_one_beat() -> None:
    assert set(services.names()) == {*PROCESSES, "migrate", "postgres", "valkey", "edge", "practice"}
    beats = [name for name in services.names() if "beat" in services.document()["services"][name].get("command", ())]
    assert beats == ["beat"]
