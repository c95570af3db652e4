"""The environment is read once and typed; what is wrong is named, never guessed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chronicle import broker, database, env

ROOT = Path(__file__).resolve().parents[2]


def test_a_value_may_stand_in_a_file_as_container_secrets_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from a file\n")
    monkeypatch.setenv("SOME_SECRET_FILE", str(tmp_path / "secret"))
    assert env.text("SOME_SECRET") == "from a file"


def test_a_value_given_twice_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOME_SECRET", "here")
    monkeypatch.setenv("SOME_SECRET_FILE", str(tmp_path / "secret"))
    with pytest.raises(env.WrongVariableError, match="not both"):
        env.text("SOME_SECRET")


def test_a_secret_file_that_is_not_there_names_the_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOME_SECRET_FILE", str(tmp_path / "missing"))
    with pytest.raises(env.WrongVariableError, match="SOME_SECRET_FILE: cannot read"):
        env.text("SOME_SECRET")


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("maybe", lambda: env.boolean("SOME_VALUE", False)),
        ("soon", lambda: env.number("SOME_VALUE", 1, minimum=0, maximum=9)),
        ("10", lambda: env.number("SOME_VALUE", 1, minimum=0, maximum=9)),
        ("nan", lambda: env.number("SOME_VALUE", 1, minimum=0, maximum=9)),
        ("1.5", lambda: env.integer("SOME_VALUE", 1, minimum=0, maximum=9)),
        ("wsgi", lambda: env.choice("SOME_VALUE", "web", options=("web", "worker"))),
        ("http://swiggy.example/im", lambda: env.url("SOME_VALUE")),
        ("https://user:word@swiggy.example/im", lambda: env.url("SOME_VALUE")),
        ("ftp://localhost/im", lambda: env.url("SOME_VALUE")),
        ("https://", lambda: env.url("SOME_VALUE")),
        ("", lambda: env.text("SOME_VALUE")),
    ],
)
def test_a_wrong_value_is_an_error_that_names_the_variable(monkeypatch: pytest.MonkeyPatch, value: str, read: Any) -> None:
    monkeypatch.setenv("SOME_VALUE", value)
    with pytest.raises(env.WrongVariableError, match=r"^SOME_VALUE: "):
        read()


@pytest.mark.parametrize(
    ("value", "expected"), [("false", False), ("0", False), ("Off", False), ("1", True), ("yes", True), ("", True)]
)
def test_false_is_false(monkeypatch: pytest.MonkeyPatch, value: str, *, expected: bool) -> None:
    monkeypatch.setenv("SOME_VALUE", value)
    assert env.boolean("SOME_VALUE", True) is expected


def test_plain_http_is_for_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_VALUE", "http://127.0.0.1:8000/im")
    assert env.url("SOME_VALUE") == "http://127.0.0.1:8000/im"


# ---- addresses ------------------------------------------------------------------------------------------------------


def test_sqlite_is_immediate_write_ahead_and_full() -> None:
    entry = database.entry("sqlite:////tmp/some.sqlite3", role="worker", pool_max=10)
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert entry["OPTIONS"]["timeout"] == 20
    assert "journal_mode=WAL" in entry["OPTIONS"]["init_command"]
    assert "synchronous=FULL" in entry["OPTIONS"]["init_command"]
    assert database.entry("sqlite:////tmp/some.sqlite3", role="web", pool_max=10)["OPTIONS"]["timeout"] == 3


def test_only_the_web_process_pools_its_postgresql_connections() -> None:
    url = "postgresql://asha:p%40ss@db.example:5433/chronicle"
    web, worker = (database.entry(url, role=role, pool_max=7) for role in ("web", "worker"))
    assert web["OPTIONS"]["pool"]["max_size"] == 7
    assert web["CONN_MAX_AGE"] == 0
    assert "pool" not in worker["OPTIONS"]
    assert (worker["NAME"], worker["PASSWORD"], worker["HOST"], worker["PORT"]) == ("chronicle", "p@ss", "db.example", "5433")


def test_a_postgresql_socket_directory_can_be_named() -> None:
    entry = database.entry("postgresql://postgres@/chronicle?host=/run/somewhere", role="worker", pool_max=2)
    assert entry["HOST"] == "/run/somewhere"
    assert entry["NAME"] == "chronicle"


@pytest.mark.parametrize(
    "url", ["mysql://a/b", "sqlite://", "sqlite:///", "sqlite:////tmp/a?synchronous=OFF", "postgresql://h:port/x", "chronicle"]
)
def test_a_wrong_database_address_names_the_variable(url: str) -> None:
    with pytest.raises(env.WrongVariableError, match=r"^DATABASE_URL: "):
        database.entry(url, role="web", pool_max=2)


@pytest.mark.parametrize(
    ("url", "celery", "client"),
    [
        ("redis://127.0.0.1:6380/3", "redis://127.0.0.1:6380/3", {"host": "127.0.0.1", "port": 6380, "db": 3}),
        ("unix:///run/v.sock?db=2", "redis+socket:///run/v.sock?virtual_host=2", {"unix_socket_path": "/run/v.sock", "db": 2}),
        (
            "redis+socket:///v.sock?virtual_host=2",
            "redis+socket:///v.sock?virtual_host=2",
            {"unix_socket_path": "/v.sock", "db": 2},
        ),
        ("valkey://h/0", "redis://h/0", {"host": "h", "port": 6379, "db": 0}),
        ("rediss://u:p@h:1/0", "rediss://u:p@h:1/0", {"host": "h", "port": 1, "username": "u", "password": "p", "ssl": True}),
    ],
)
def test_one_broker_address_serves_celery_and_the_event_stream(url: str, celery: str, client: dict[str, Any]) -> None:
    assert broker.celery_url(url) == celery
    assert client.items() <= broker.client_options(url).items()


@pytest.mark.parametrize("url", ["amqp://h/", "redis://h:port/0", "unix:///v.sock?db=two", "redis://h/two"])
def test_a_wrong_broker_address_names_the_variable(url: str) -> None:
    with pytest.raises(env.WrongVariableError, match=r"^REDIS_URL: "):
        broker.client_options(url)


# ---- a whole start --------------------------------------------------------------------------------------------------


def start(tmp_path: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, as an operator would start it."""
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    base = {
        "CHRONICLE_DATA_DIR": str(tmp_path),
        "CHRONICLE_CONFIG_DIR": str(ROOT / "config"),
        "DJANGO_SETTINGS_MODULE": "chronicle.settings",
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**known, **base, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.promise("P162", "P169", "P237")
def test_as_shipped_the_service_starts_with_every_plugin_off_and_no_credentials(tmp_path: Path) -> None:
    script = "import django; django.setup(); from interactions import registry; from django.conf import settings as s; "
    done = start(
        tmp_path, "-c", script + "print(dict(registry.modes()), registry.ordinary(), repr(s.SWIGGY_MCP_URL))", CHRONICLE_TLS="0"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "{} () ''"


@pytest.mark.promise("P172")
def test_ordering_without_a_linked_user_stops_the_start_and_names_the_variable(tmp_path: Path) -> None:
    done = start(tmp_path, "manage.py", "check", CHRONICLE_TLS="0", CHRONICLE_CONFIG_DIR=str(ROOT / "config" / "demo"))
    assert done.returncode != 0
    assert "swiggy_instamart: mode 'swiggy_order' needs SWIGGY_LINKED_USER_ID" in done.stderr
    assert "needs SWIGGY_MCP_URL" in done.stderr
    assert done.stderr.startswith("the configuration has 2 fault(s); mend each and start again:\n")  # no traceback before it


@pytest.mark.promise("P227")
def test_eager_celery_is_refused_outside_unit_tests(tmp_path: Path) -> None:
    done = start(tmp_path, "manage.py", "check", CHRONICLE_TLS="0", CHRONICLE_EAGER="1")
    assert done.returncode != 0
    assert "CHRONICLE_EAGER: eager Celery is for unit tests only" in done.stderr


def test_without_a_secret_key_a_public_service_does_not_start(tmp_path: Path) -> None:
    done = start(tmp_path, "manage.py", "check")
    assert done.returncode != 0
    assert done.stderr.startswith("CHRONICLE_SECRET_KEY: is not set")


def test_a_python_without_the_requirements_is_told_which_one_has_them(tmp_path: Path) -> None:
    done = start(tmp_path, "-I", "-S", "manage.py", "devices", "list")
    assert done.returncode != 0
    assert "run it as .venv/bin/python manage.py devices list" in done.stderr


def test_the_deployment_checks_are_clean(tmp_path: Path) -> None:
    key = "".join(chr(33 + n % 90) for n in range(80))
    done = start(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING", CHRONICLE_SECRET_KEY=key)
    assert done.returncode == 0, done.stderr


def test_a_database_that_could_forget_a_commit_stops_the_start(tmp_path: Path) -> None:
    # The operator's own settings module over ours, as it would be done by someone in search of speed.
    (tmp_path / "faster.py").write_text(
        "from chronicle.settings import *\nDATABASES['default']['OPTIONS'] = {'init_command': 'PRAGMA synchronous=NORMAL;'}\n"
    )
    done = start(
        tmp_path,
        "-c",
        "import chronicle.asgi",
        CHRONICLE_TLS="0",
        DJANGO_SETTINGS_MODULE="faster",
        PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}",
    )
    assert done.returncode != 0
    for fault in ("transaction_mode is DEFERRED", "journal_mode is delete", "synchronous is 1"):
        assert fault in done.stderr


@pytest.mark.postgres
def test_a_postgresql_session_that_answers_before_the_disk_has_it_is_refused(db: None) -> None:
    from django.db import connection

    from chronicle import durability

    assert durability.faults(connection) == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
    assert durability.faults(connection) == ["PostgreSQL synchronous_commit is off, it must be on (or remote_apply)"]
