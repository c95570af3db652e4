"""The people of every test, the devices in their kitchens, and a guard: no test reaches past this machine.

The environment is set before Django reads it, so one settings file serves the product and its tests.
"""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = tempfile.TemporaryDirectory(prefix="chronicle-tests-")

os.environ |= {
    "DJANGO_SETTINGS_MODULE": "chronicle.settings",
    "CHRONICLE_CONFIG_DIR": str(ROOT / "tests" / "config"),
    "CHRONICLE_DATA_DIR": SCRATCH.name,
    "CHRONICLE_SECRET_KEY": "only-for-tests-" + "x" * 50,
    "CHRONICLE_DEBUG": "0",
    "CHRONICLE_TLS": "0",  # the test client speaks plain HTTP
    "REDIS_URL": "redis://127.0.0.1:9/0",  # nobody listens there: in process, nothing may need a broker
    "SWIGGY_LINKED_USER_ID": "asha",
    "SWIGGY_MCP_URL": "http://127.0.0.1:9/im",
}

pytest_plugins = ["tests.support.fixtures"]

# The default bounds each example by 200 ms of wall clock, which on a loaded machine says nothing about the code.
hypothesis.settings.register_profile("project", deadline=None)
hypothesis.settings.load_profile("project")

from tests.support import manifest  # noqa: E402  (after the environment, like everything that may read settings)

TALLY = pytest.StashKey[manifest.Tally]()


# ---- people and their devices -------------------------------------------------------------------------------------------


@pytest.fixture
def asha(db: None, django_user_model: Any) -> Any:
    """Owns the Swiggy account."""
    return django_user_model.objects.create_user("asha")


@pytest.fixture
def ravi(db: None, django_user_model: Any) -> Any:
    """Lives in the same house; is not linked to the account."""
    return django_user_model.objects.create_user("ravi")


@pytest.fixture
def meera(db: None, django_user_model: Any) -> Any:
    """A stranger; must see nothing of theirs."""
    return django_user_model.objects.create_user("meera")


@pytest.fixture
def kitchen(asha: Any) -> Any:
    """Asha's speaker: ``.device`` and its ``.token``."""
    from tests.support import people

    return people.with_device(asha, "kitchen")


@pytest.fixture
def hall(asha: Any) -> Any:
    """Asha's second speaker."""
    from tests.support import people

    return people.with_device(asha, "hall")


@pytest.fixture
def bedroom(ravi: Any) -> Any:
    """Ravi's speaker."""
    from tests.support import people

    return people.with_device(ravi, "bedroom")


@pytest.fixture
def elsewhere(meera: Any) -> Any:
    """Meera's speaker."""
    from tests.support import people

    return people.with_device(meera, "elsewhere")


# ---- the database -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """SQLite tests use a file, as the product does: in memory there is no WAL and no second connection."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database.setdefault("TEST", {})["NAME"] = str(Path(SCRATCH.name) / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """After each test that commits, Django would look for every content type and permission again and write them anew.

    That was a fifth of such a test. What asks for a permission commits nothing, and so runs before those and finds them.
    """
    from django.contrib.contenttypes.management import create_contenttypes
    from django.db.models.signals import post_migrate

    assert post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    assert post_migrate.disconnect(create_contenttypes)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL"))


# ---- nothing leaves this machine ----------------------------------------------------------------------------------------


class PastThisMachineError(AssertionError):
    """A test tried to reach another machine."""


def _is_here(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a unix socket
    host = str(address[0])
    if host in {"localhost", ""}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True, scope="session")
def _network_guard() -> Iterator[None]:
    real = {name: getattr(socket.socket, name) for name in ("connect", "connect_ex")}

    def guarded(name: str) -> Any:
        def call(self: socket.socket, address: Any) -> Any:
            if not _is_here(address):
                raise PastThisMachineError(f"a test tried to reach {address}")
            return real[name](self, address)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in real:
            patch.setattr(socket.socket, name, guarded(name))
        yield


# ---- the promises kept, at the end of every run -------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    django.setup()  # before any test module imports a model; the environment above is read here
    config.stash[TALLY] = manifest.Tally()


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.collect()
    gc.freeze()  # thousands of collected tests live to the end; walking them again and again costs a tenth of the run
    for item in session.items:
        ids = tuple(str(promise) for marker in item.iter_markers("promise") for promise in marker.args)
        session.config.stash[TALLY].expect(item.nodeid, ids)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: pytest.TestReport = yield  # type: ignore[misc, assignment]
    item.config.stash[TALLY].record(item.nodeid, passed=report.when == "call" and report.passed, failed=report.failed)
    return report  # type: ignore[return-value]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if kept_in := os.environ.get("PROMISES_TALLY"):  # one leg of several; whoever runs them adds them up
        config.stash[TALLY].save(Path(kept_in))
    else:
        terminalreporter.write_line(config.stash[TALLY].line())
