"""Each guard of money and recovery is removed once, in a copy of the tree, and the named test must fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import promises
from tests.mutants.mutants import GUARDED, MUTANTS, Mutant

ROOT = Path(__file__).resolve().parent.parent.parent
LEFT_BEHIND = shutil.ignore_patterns(".venv", ".git", ".data", ".*_cache", ".hypothesis", "__pycache__", "static")
FAILED = 1  # pytest's exit code for failed tests; others mean that nothing was tried
MUTANT_S = 120


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    tree = tmp_path_factory.mktemp("mutants") / "tree"
    shutil.copytree(ROOT, tree, ignore=LEFT_BEHIND)
    yield tree
    shutil.rmtree(tree, ignore_errors=True)


def test_every_guarded_promise_that_is_kept_has_a_mutant() -> None:
    missing = set(GUARDED) - promises.NOT_YET.keys() - {mutant.promise for mutant in MUTANTS}
    assert not missing, f"no mutant removes the guard of {', '.join(sorted(missing))}: add one to tests/mutants/mutants.py"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.promise}-{Path(mutant.file).stem}")
def test_without_its_guard_the_named_test_fails(mutant: Mutant, copy: Path) -> None:
    file = copy / mutant.file
    source = file.read_text()
    assert source.count(mutant.original) == 1, f"{mutant.file} holds {mutant.original!r} {source.count(mutant.original)} times"
    assert mutant.original != mutant.replacement
    file.write_text(source.replace(mutant.original, mutant.replacement))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", mutant.test],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=MUTANT_S,
            check=False,
        )
    finally:
        file.write_text(source)
    assert done.returncode == FAILED, f"{mutant.test} passes without its guard, or was not found:\n{done.stdout[-2000:]}"
    assert " error" not in done.stdout.splitlines()[-1], f"the mutant broke more than its guard:\n{done.stdout[-2000:]}"
