"""What becomes of sign-in files that are damaged, in the wrong hands, half written, or saved on a disk that is full."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from interactions.contracts import NotSentError
from swiggy_instamart import aside, attempts, pairs, rotation, tokens
from swiggy_instamart.pairs import SignInFileError
from swiggy_instamart.tokens import Store
from tests.support import forks
from tests.unit.test_tokens import jwt, shown, write

WHOLE = {"access_token": "opaque", "token_type": "Bearer", "expires_in": 432000}

DAMAGED: dict[str, str] = {
    "cut after 30 bytes": json.dumps(WHOLE)[:30],
    "empty": "",
    "a list": "[]",
    "null": "null",
    "a number": "7",
    "a bare token as JSON": '"hdr.payload.sig"',
    "a bare token": "hdr.payload.sig",
    "a token of another type": '{"access_token": ["hdr.payload.sig"]}',
    "no token": '{"token_type": "Bearer"}',
    "not text": "\udcff\udcfe",
    "far too large": json.dumps(WHOLE | {"more": "x" * 100_000}),
    "made for another client": json.dumps(WHOLE | {"access_token": jwt(client_id="another")}),
}


@pytest.fixture
def long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has touched the files for a while; the change time of a file cannot be set."""
    monkeypatch.setattr(aside, "SETTLED_S", 0.0)


def kept(home: Path) -> list[Path]:
    return sorted((home / aside.PLACE).iterdir()) if (home / aside.PLACE).exists() else []


def damage(path: Path, content: str) -> None:
    path.write_text(content, errors="surrogateescape")


# ---- damaged ------------------------------------------------------------------------------------------------------------


@pytest.mark.case("E02")
@pytest.mark.usefixtures("long_ago")
@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_file_is_named_set_aside_and_never_used(tmp_path: Path, how: str) -> None:
    home = write(tmp_path / "s")
    damage(home / "tokens.json", DAMAGED[how])
    for _ in range(2):  # the second look finds it gone, and still says what happened
        verdict = Store(home).verdict()
        assert (verdict.state, verdict.code, verdict.exit_code) == ("unusable", "damaged", 2)
        assert "tokens.json was damaged" in verdict.sentence
        assert kept(home)[0].name in verdict.sentence
        assert "rotate_swiggy_tokens" in verdict.sentence
        with pytest.raises(NotSentError):
            Store(home).bearer()
    assert [path.read_text(errors="surrogateescape") for path in kept(home)] == [DAMAGED[how]]
    assert kept(home)[0].name.startswith(f"tokens.json.{time.strftime('%Y%m%dT', time.gmtime())}")


@pytest.mark.case("E02")
@pytest.mark.usefixtures("long_ago")
def test_a_directory_in_the_place_of_a_file_is_set_aside(tmp_path: Path) -> None:
    home = write(tmp_path / "s")
    (home / "tokens.json").unlink()
    (home / "tokens.json").mkdir()
    assert Store(home).verdict().code == "damaged"
    assert [path.is_dir() for path in kept(home)] == [True]


@pytest.mark.case("E02")
@pytest.mark.usefixtures("long_ago")
def test_every_damaged_file_is_kept_under_a_name_of_its_own(tmp_path: Path) -> None:
    home = write(tmp_path / "s")
    for content in ("[1]", "[2]", "[3]"):
        write(home)
        damage(home / "tokens.json", content)
        assert Store(home).verdict().code == "damaged"
    assert [path.read_text() for path in kept(home)] == ["[1]", "[2]", "[3]"]
    write(home)
    assert Store(home).verdict().state == "usable"


@pytest.mark.case("E02")
@pytest.mark.usefixtures("long_ago")
def test_a_damaged_file_of_an_installed_pair_is_set_aside_and_the_one_before_comes_back(tmp_path: Path) -> None:
    home = tmp_path / "s"
    for name in ("one", "two"):
        rotation.replace(home, source=write(tmp_path / name, name, client=name))
    damage(home / "client.json", "{")
    assert "client.json was damaged" in Store(home).verdict().sentence
    assert not os.path.lexists(home / "client.json")  # a link that leads nowhere would be in the way of a copy
    rotation.rollback(home)
    assert shown(home) == ("one", "one")
    assert [path.read_text() for path in kept(home)] == ["{"]


@pytest.mark.case("E02")
def test_a_file_that_is_being_copied_into_place_is_left_alone(tmp_path: Path) -> None:
    home = write(tmp_path / "s")
    store = Store(home)
    with (home / "tokens.json").open("w") as copying:
        copying.write(json.dumps(WHOLE)[:30])
        copying.flush()
        verdict = store.verdict()
        assert (verdict.code, "is damaged" in verdict.sentence) == ("damaged", True)
        copying.write(json.dumps(WHOLE)[30:])
    assert store.bearer() == "opaque"
    assert kept(home) == []


@pytest.mark.usefixtures("long_ago")
def test_a_file_that_was_replaced_at_the_last_instant_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = write(tmp_path / "s")
    damage(home / "tokens.json", "[]")
    other = write(tmp_path / "other", "new")

    real = Path.rename

    def late(self: Path, target: Path) -> Path:
        if target.parent.name == aside.PLACE:
            (other / "tokens.json").replace(self)
        return real(self, target)

    monkeypatch.setattr(Path, "rename", late)
    Store(home).verdict()
    assert Store(home).bearer() == "new"


@pytest.mark.case("E02")
def test_a_rotation_overwrites_no_damaged_file(tmp_path: Path) -> None:
    home = write(tmp_path / "s")
    damage(home / "tokens.json", "{")
    rotation.replace(home, source=write(tmp_path / "two", "two", client="two"))
    assert shown(home) == ("two", "two")
    assert "{" in [path.read_text() for path in kept(home)]


def test_a_client_that_is_not_the_one_of_an_installed_token_is_no_pair(tmp_path: Path) -> None:
    home = tmp_path / "s"
    rotation.replace(home, source=write(tmp_path / "one", "one", client="one"))
    (write(tmp_path / "two", "two", client="two") / "client.json").replace(home / "client.json")
    assert "another client" in Store(home).verdict().sentence


# ---- in the wrong hands -------------------------------------------------------------------------------------------------


def elsewhere(home: Path) -> None:
    (home / "tokens.json").rename(home.parent / "tokens.json")
    (home / "tokens.json").symlink_to(home.parent / "tokens.json")


@pytest.mark.promise("P173")
@pytest.mark.case("E02")
@pytest.mark.usefixtures("long_ago")
@pytest.mark.parametrize(
    ("act", "code", "cure"),
    [
        (lambda home: (home / "tokens.json").chmod(0o640), "not_private", "chmod 600"),
        (lambda home: (home / "client.json").chmod(0o604), "not_private", "chmod 600"),
        (lambda home: (home / "tokens.json").chmod(0o000), "unreadable", "chmod 600"),
        (elsewhere, "misplaced", "copy the file itself"),
    ],
    ids=["group", "others", "nobody", "elsewhere"],
)
def test_a_file_in_the_wrong_hands_is_refused_where_it_lies(
    tmp_path: Path, act: Callable[[Path], None], code: str, cure: str
) -> None:
    home = write(tmp_path / "s")
    store = Store(home)
    assert store.bearer() == "opaque"
    act(home)
    verdict = store.verdict()
    assert (verdict.state, verdict.code) == ("unusable", code)
    assert cure in verdict.sentence
    with pytest.raises(NotSentError):
        store.bearer()
    assert kept(home) == []  # nothing in it is broken


# ---- saving -------------------------------------------------------------------------------------------------------------


def renewed(home: Path) -> None:
    fresh = json.dumps(WHOLE | {"access_token": jwt(client_id="old", sub="new"), "refresh_token": "r2"})
    rotation.renew(home, tokens=fresh.encode(), of=pairs.read(home))


@pytest.mark.promise("P173")
@pytest.mark.parametrize("start", ["by hand", "installed"])
def test_a_refresh_killed_anywhere_leaves_the_old_pair_or_the_new_one(tmp_path: Path, start: str) -> None:
    old, new = jwt(client_id="old", sub="old"), jwt(client_id="old", sub="new")
    seen = set()
    for steps in range(200):
        home = write(tmp_path / f"s{steps}", old, client="old", refresh_token="r1")
        if start == "installed":
            rotation.replace(home, source=write(tmp_path / "source", old, client="old", refresh_token="r1"))
        done = forks.killed_after(steps, partial(renewed, home))
        pair = pairs.read(home)
        assert (pair.access_token, pair.refresh_token) in [(old, "r1"), (new, "r2")], f"killed after {steps} steps"
        assert Store(home).verdict().state == "usable"
        seen.add(pair.refresh_token)
        if done:
            break
    assert done
    assert seen == {"r1", "r2"}


def small(limit: int, act: Callable[[], Any]) -> Callable[[], str]:
    """``act`` where no file may grow beyond ``limit`` bytes, as on a disk that is full; under no umask at all."""

    def limited() -> str:
        os.umask(0)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            act()
        except SignInFileError as error:
            return f"{error.code}: {error.message}"
        return "saved"

    return limited


@pytest.mark.promise("P173")
@pytest.mark.parametrize("limit", [0, 10, 120])
def test_a_full_disk_leaves_the_pair_in_force_and_is_said(tmp_path: Path, limit: int) -> None:
    home = write(tmp_path / "s", "old", client="old")
    rotation.replace(home, source=write(tmp_path / "one", "old", client="old"))
    source = write(tmp_path / "two", jwt(sub="x" * 100), client="old")
    before = sorted(path.name for path in (home / "pairs").iterdir())
    for act in (partial(rotation.replace, home, source=source), partial(renewed, home)):
        (said,) = forks.together(1, small(limit, act))
        assert said.startswith("not_saved"), said
        assert "could not be saved" in said
        assert shown(home) == ("old", "old")
        assert sorted(path.name for path in (home / "pairs").iterdir()) == before


@pytest.mark.promise("P173")
def test_what_a_refresh_and_the_care_of_a_damaged_file_write_is_private(tmp_path: Path) -> None:
    home = write(tmp_path / "s", "old", client="old")
    seen: list[int] = []
    real, old = os.open, os.umask(0)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "open", lambda path, flags, *mode, **more: _noted(real(path, flags, *mode, **more), flags, seen))
            renewed(home)
            damage(home / "tokens.json", "[]")
            patch.setattr(aside, "SETTLED_S", 0.0)
            assert Store(home).verdict().code == "damaged"
    finally:
        os.umask(old)
    assert len(seen) > 3
    assert set(seen) == {0o600}  # already when it was made, before a byte was in it
    for path in (home, *home.rglob("*")):
        if not path.is_symlink():
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def _noted(handle: int, flags: int, seen: list[int]) -> int:
    if flags & os.O_CREAT:
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
    return handle


# ---- the verdict of an ended sign-in that can be renewed ----------------------------------------------------------------


@pytest.mark.promise("P235")
def test_an_ended_sign_in_that_may_be_renewed_is_not_called_lost_until_swiggy_refused(tmp_path: Path) -> None:
    home = write(tmp_path / "s", jwt(exp=int(time.time()) - 5), refresh_token="r1")
    store = Store(home)
    assert (store.verdict().code, store.verdict().exit_code) == ("renewable", 1)
    with pytest.raises(NotSentError):
        store.bearer()
    attempt = attempts.begun(None, token="r1")
    (home / attempts.NOTE).write_bytes(attempts.Attempt(attempt.token, attempts.REFUSED, attempt.at).dump())
    assert (store.verdict().code, store.verdict().exit_code) == ("expired", 2)
    assert "refused to renew it" in store.verdict().sentence
    write(home, jwt(exp=int(time.time()) - 5), refresh_token="r2")  # the note speaks of another one now
    assert store.verdict().code == "renewable"


def test_a_refresh_whose_answer_was_lost_waits_and_is_tried_three_times_at_most(tmp_path: Path) -> None:
    attempt = None
    for _ in range(attempts.MOST):
        assert attempts.over(attempt) == ""
        attempt = attempts.begun(attempt, token="r1")
        assert attempts.waits(attempt, now=attempt.at)
        assert not attempts.waits(attempt, now=attempt.at + attempts.WAIT * attempts.MOST)
    assert "no answer came" in attempts.over(attempt)


@pytest.mark.case("E09")
@pytest.mark.parametrize("ahead_s", [1, 90])
def test_a_token_issued_in_the_future_by_another_clock_is_good(tmp_path: Path, ahead_s: int) -> None:
    now = int(time.time())
    home = write(tmp_path / "s", jwt(iat=now + ahead_s, nbf=now + ahead_s, exp=now + 432_000))
    assert Store(home).bearer()
    assert tokens.judge(pairs.read(home), now=pairs.datetime.now(pairs.UTC)).state == "usable"
