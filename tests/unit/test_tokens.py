"""The sign-in files: what is tolerated, what is refused and how it is said, and how a pair is replaced."""

from __future__ import annotations

import base64
import json
import os
import stat
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from interactions.contracts import NotSentError
from swiggy_instamart import pairs, rotation, tokens
from swiggy_instamart.pairs import SignInFileError
from swiggy_instamart.tokens import Store
from tests.support import forks

NOW = datetime(2026, 9, 20, 12, tzinfo=UTC)


def jwt(**claims: Any) -> str:
    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part({'alg': 'none'})}.{part(claims)}.c2ln"


def write(directory: Path, token: str = "opaque", *, client: str = "swiggy-mcp", **more: Any) -> Path:
    """A pair in which token and client carry one name, so that a mixed pair can be seen."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    fields = {"access_token": token, "token_type": "Bearer", "expires_in": 432000}
    (directory / "tokens.json").write_text(json.dumps(fields | more))
    (directory / "client.json").write_text(json.dumps({"client_id": client, "redirect_uris": ["http://localhost/"]}))
    for name in ("tokens.json", "client.json"):
        (directory / name).chmod(0o600)
    return directory


def shown(directory: Path) -> tuple[str, str]:
    pair = pairs.read(directory)
    return pair.access_token, pair.client_id


# ---- reading ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"token_type": "bearer"},
        {"token_type": None},
        {"expires_in": "432000"},
        {"expires_in": None},
        {"scope": None, "issuer": "x", "refresh_token": None},
    ],
)
def test_what_other_programs_write_is_tolerated(tmp_path: Path, change: dict[str, Any]) -> None:
    assert pairs.read(write(tmp_path / "s", **change)).access_token == "opaque"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "null",
        "{}",
        "{",
        '"x"',
        '{"access_token": ""}',
        '{"access_token": null}',
        '{"access_token": "a\\nb"}',
        "[" * 100_000,
    ],
)
def test_damaged_files_are_named_and_left_where_they_are(tmp_path: Path, content: str) -> None:
    write(tmp_path / "s")
    (tmp_path / "s" / "tokens.json").write_text(content)
    with pytest.raises(SignInFileError, match=r"tokens\.json is damaged") as caught:
        Store(tmp_path / "s").load()
    assert caught.value.code == "damaged"
    assert (tmp_path / "s" / "tokens.json").read_text() == content


@pytest.mark.parametrize("name", ["tokens.json", "client.json"])
def test_one_file_alone_is_no_sign_in(tmp_path: Path, name: str) -> None:
    (write(tmp_path / "s") / name).unlink()
    with pytest.raises(SignInFileError, match=name) as caught:
        Store(tmp_path / "s").load()
    assert caught.value.code == "missing"


@pytest.mark.promise("P171")
def test_a_directory_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "s").chmod(0o750)
    with pytest.raises(SignInFileError, match="chmod 700") as caught:
        Store(tmp_path / "s").load()
    assert caught.value.code == "not_private"


@pytest.mark.promise("P171")
def test_files_lie_outside_the_project_or_below_its_data_directory(settings: LazySettings, tmp_path: Path) -> None:
    settings.CHRONICLE_DATA_DIR = Path(settings.BASE_DIR) / ".data"
    pairs.check_place(tmp_path)
    pairs.check_place(Path(settings.BASE_DIR) / ".data" / "integrations" / "swiggy")
    with pytest.raises(SignInFileError, match="inside the project"):
        pairs.check_place(Path(settings.BASE_DIR) / "config")


@pytest.mark.promise("P171")
def test_the_default_directory_is_below_the_data_directory(settings: LazySettings) -> None:
    assert Path(settings.SWIGGY_TOKEN_DIRECTORY) == Path(settings.CHRONICLE_DATA_DIR) / "integrations" / "swiggy"


# ---- when it ends -------------------------------------------------------------------------------------------------------


def test_the_end_comes_from_the_note_then_the_token_then_the_files_age(tmp_path: Path) -> None:
    exp = int(NOW.timestamp()) + 1000
    home = write(tmp_path / "s", jwt(exp=exp))
    assert pairs.read(home).expires_at == NOW + timedelta(seconds=1000)

    note = {"token": pairs.read(home).identity, "expires_at": NOW.isoformat()}
    (home / "expires.json").write_text(json.dumps(note))
    assert pairs.read(home).expires_at == NOW
    write(home, jwt(exp=exp + 1))  # the note speaks of another token now
    assert pairs.read(home).expires_at == NOW + timedelta(seconds=1001)

    write(home, "opaque", expires_in="100")
    os.utime(home / "tokens.json", (NOW.timestamp(), NOW.timestamp()))
    assert pairs.read(home).expires_at == NOW + timedelta(seconds=100)
    write(home, "opaque", expires_in=None)
    assert pairs.read(home).expires_at is None


@pytest.mark.promise("P235")
@pytest.mark.parametrize(
    ("left", "state", "days", "code"),
    [
        (timedelta(days=4, hours=2), "usable", 4, 0),
        (timedelta(days=1), "usable", 1, 0),
        (timedelta(hours=23), "ending", 0, 1),
        (timedelta(seconds=61), "ending", 0, 1),
        (timedelta(seconds=60), "unusable", 0, 2),
        (timedelta(days=-1), "unusable", 0, 2),
    ],
)
def test_one_verdict_says_how_long_the_sign_in_lasts(tmp_path: Path, left: timedelta, state: str, days: int, code: int) -> None:
    home = write(tmp_path / "s", jwt(exp=int((NOW + left).timestamp())))
    verdict = Store(home).verdict(now=NOW)
    assert (verdict.state, verdict.days_left, verdict.exit_code) == (state, days, code)


@pytest.mark.promise("P176", "P235")
def test_a_sign_in_that_ended_says_so_and_how_to_renew(tmp_path: Path) -> None:
    home = write(tmp_path / "s", jwt(exp=int(time.time()) + 30))
    verdict = Store(home).verdict()
    assert "ended" in verdict.sentence
    assert "rotate_swiggy_tokens" in verdict.sentence
    with pytest.raises(NotSentError) as caught:
        Store(home).bearer()
    assert caught.value.code == "sign_in"


@pytest.mark.promise("P235")
def test_the_verdict_says_why_there_is_no_sign_in(settings: LazySettings, tmp_path: Path) -> None:
    settings.SWIGGY_TOKEN_DIRECTORY = tmp_path / "none"
    verdict = tokens.verdict()
    assert (verdict.state, verdict.code, verdict.exit_code) == ("unusable", "missing", 2)


# ---- replacing ----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P173", "P177", "P234")
def test_a_new_pair_is_used_from_the_next_look_and_the_old_one_comes_back(tmp_path: Path) -> None:
    home = write(tmp_path / "s", "one", client="one")
    store = Store(home)
    assert store.bearer() == "one"
    for name in ("two", "three"):
        rotation.replace(home, source=write(tmp_path / name, name, client=name))
        assert store.bearer() == name
        assert shown(home) == (name, name)
    rotation.rollback(home)
    assert (store.bearer(), shown(home)) == ("two", ("two", "two"))
    rotation.rollback(home)
    assert store.bearer() == "three"


def test_files_put_in_place_by_hand_are_used_and_kept_for_the_way_back(tmp_path: Path) -> None:
    home = write(tmp_path / "s", "one", client="one")
    rotation.replace(home, source=write(tmp_path / "two", "two", client="two"))
    for name in ("tokens.json", "client.json"):
        (write(tmp_path / "hand", "hand", client="hand") / name).replace(home / name)
    assert Store(home).bearer() == "hand"
    rotation.replace(home, source=write(tmp_path / "four", "four", client="four"))
    rotation.rollback(home)
    assert shown(home) == ("hand", "hand")


def test_a_file_changed_within_one_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    home = write(tmp_path / "s", "one")
    store = Store(home)
    assert store.bearer() == "one"
    before = (home / "tokens.json").stat()
    draft = home / "draft"
    draft.touch(0o600)
    draft.write_text((home / "tokens.json").read_text().replace("one", "two"))
    os.utime(draft, ns=(before.st_atime_ns, before.st_mtime_ns))
    draft.replace(home / "tokens.json")
    assert store.bearer() == "two"


def test_the_end_of_a_token_survives_being_copied(tmp_path: Path) -> None:
    source = write(tmp_path / "two", "two", expires_in=1000)
    os.utime(source / "tokens.json", (NOW.timestamp(), NOW.timestamp()))
    home = tmp_path / "s"
    rotation.replace(home, source=source)
    assert pairs.read(home).expires_at == NOW + timedelta(seconds=1000)


@pytest.mark.promise("P173")
def test_everything_that_is_written_is_private(tmp_path: Path) -> None:
    home = tmp_path / "s"
    old = os.umask(0)
    try:
        for name in ("one", "two"):
            rotation.replace(home, source=write(tmp_path / name, name))
    finally:
        os.umask(old)
    for path in (home, *home.rglob("*")):
        if not path.is_symlink():
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.promise("P234")
def test_a_pair_that_cannot_be_read_installs_nothing(tmp_path: Path) -> None:
    home = write(tmp_path / "s", "one", client="one")
    broken = write(tmp_path / "two", "two")
    (broken / "client.json").write_text("null")
    with pytest.raises(SignInFileError, match=r"client\.json is damaged"):
        rotation.replace(home, source=broken)
    assert shown(home) == ("one", "one")
    with pytest.raises(SignInFileError, match="No earlier sign-in"):
        rotation.rollback(home)


@pytest.mark.promise("P234")
@pytest.mark.parametrize("start", ["by hand", "installed", "rollback"])
def test_a_rotation_killed_anywhere_leaves_a_pair_that_belongs_together(tmp_path: Path, start: str) -> None:
    source = write(tmp_path / "new", "new", client="new")
    seen = set()
    for steps in range(200):
        home = write(tmp_path / f"s{steps}", "old", client="old")
        if start != "by hand":
            for name in ("older", "old"):
                rotation.replace(home, source=write(tmp_path / "source", name, client=name))
        act = partial(rotation.rollback, home) if start == "rollback" else partial(rotation.replace, home, source=source)
        done = forks.killed_after(steps, act)
        token, client = shown(home)
        assert token == client, f"killed after {steps} steps"
        seen.add(token)
        rotation.replace(home, source=source)  # and what was left behind is in nobody's way
        assert shown(home) == ("new", "new")
        if done:
            break
    assert done
    assert steps > 3
    assert seen == {"old", "older" if start == "rollback" else "new"}
