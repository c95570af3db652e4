"""compose.yaml is read as compose reads it: variables, defaults, demands, the interpreter of this machine."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from chronicle import ports, services
from chronicle.children import ChildError
from chronicle.stack import Stack

GIVEN = {"CHRONICLE_SECRET_KEY": "key", "POSTGRES_PASSWORD": "word"}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("${A}", "a"),
        ("${MISSING}", ""),
        ("${A:-b}", "a"),
        ("${MISSING:-b}", "b"),
        ("${EMPTY:-b}", "b"),
        ("${MISSING:-x${A}y}", "xay"),
        ("$$host", "$host"),
        ("price: $5", "price: $5"),
    ],
)
def test_variables_are_filled_in_as_compose_does(text: str, filled: str) -> None:
    assert services.substitute(text, {"A": "a", "EMPTY": ""}) == filled


def test_a_variable_that_the_file_insists_on_is_named() -> None:
    with pytest.raises(services.ServiceError, match="CHRONICLE_SECRET_KEY is not set"):
        services.environment("web", {})


def test_an_unknown_service_is_answered_with_the_known_ones() -> None:
    with pytest.raises(services.ServiceError, match=r"no service wib; it has migrate, web, worker-turns"):
        services.command("wib", {})


def test_every_service_of_the_file_can_be_read() -> None:
    for name in services.names():
        services.command(name, GIVEN)
        services.health(name, GIVEN)
        assert "" not in services.environment(name, GIVEN)
    assert services.command("web", GIVEN)[0] == sys.executable
    assert services.environment("web", GIVEN)["CHRONICLE_DATA_DIR"] == "/app/data"


def test_the_workers_take_the_three_queues_in_processes_and_there_is_one_beat() -> None:
    workers = {name: services.command(name, GIVEN) for name in services.names() if name.startswith("worker-")}
    assert {command[command.index("-Q") + 1] for command in workers.values()} == {"turns", "effects", "ticks"}
    assert {command[command.index("-P") + 1] for command in workers.values()} == {"prefork"}
    assert [name for name in services.names() if "beat" in services.command(name, GIVEN)] == ["beat"]


def test_no_service_of_ours_runs_as_root_or_keeps_its_data_in_itself() -> None:
    for name in ("web", "worker-turns", "worker-effects", "worker-ticks", "beat", "migrate"):
        entry = services.document()["services"][name]
        assert entry["user"] == "10001:10001"
        assert entry["volumes"] == ["data:/app/data"]


def test_a_taken_port_is_named_or_another_is_chosen_and_said() -> None:
    with socket.socket() as taken:
        taken.bind((ports.HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ChildError, match=f"port {port} is taken.*set WEB_PORT"):
            ports.choose(str(port), 8000, name="WEB_PORT", say=print)
        said: list[str] = []
        assert ports.choose(None, port, name="WEB_PORT", say=said.append) > port
        assert f"port {port} is taken" in said[0]
    with pytest.raises(ChildError, match="is no port"):
        ports.choose("eighty", 8000, name="WEB_PORT", say=print)


def test_a_data_directory_that_cannot_be_used_is_named_with_the_way_out(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.touch()
    with (
        pytest.raises(ChildError, match=r"cannot run in .*file \(.*File exists.*\): set CHRONICLE_DATA_DIR"),
        Stack(taken, environ={}),
    ):
        pass
