"""Each guard of money and recovery is removed once, in a copy of the tree, and the named test must fail: ``make mutants``."""

from __future__ import annotations

import compileall
import os
import py_compile
import queue
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.mutants.mutants import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parent.parent.parent
LEFT_BEHIND = shutil.ignore_patterns(".venv", ".git", ".data", ".*_cache", ".hypothesis", "__pycache__", "static*")
FAILED = 1  # pytest's exit code for failed tests; others mean that nothing was tried
MUTANT_S = 120
AT_ONCE = 2
# Without what takes longer than most of these tests: rewriting their asserts, and Hypothesis's plugin.
WITHOUT = ("--assert=plain", "-pno:cacheprovider", "-pno:randomly", "-pno:hypothesispytest")
PYTEST = ("-m", "pytest", "-q", "-x", "--tb=line", *WITHOUT)
NOTICED = ("AssertionError", "DID NOT RAISE")  # a test that fails in other words may have met a broken mutant


@pytest.fixture(scope="module")
def trials(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Mutant, Future[str]]]:
    """Every mutant that was asked for, tried two at a time, each in a tree of its own."""
    trees: queue.Queue[Path] = queue.Queue()
    for number in range(AT_ONCE):
        tree = tmp_path_factory.mktemp("mutants") / f"tree-{number}"
        shutil.copytree(ROOT, tree, ignore=LEFT_BEHIND)
        # Checked by content: a file changed twice within a second must never be taken for the one before.
        compileall.compile_dir(tree, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
        trees.put(tree)

    def tried(mutant: Mutant) -> str:
        tree = trees.get()
        try:
            return _try(mutant, tree)
        finally:
            trees.put(tree)

    items = [item for item in request.session.items if isinstance(item, pytest.Function) and hasattr(item, "callspec")]
    chosen = [item.callspec.params["mutant"] for item in items if "mutant" in item.callspec.params]
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="mutants")
    try:
        yield {mutant: pool.submit(tried, mutant) for mutant in chosen}
    finally:
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.promise}-{Path(mutant.file).stem}")
def test_without_its_guard_the_named_test_fails(mutant: Mutant, trials: dict[Mutant, Future[str]]) -> None:
    told = trials[mutant].result()
    assert any(word in told for word in NOTICED), f"{mutant.test} failed for another reason:\n{told}"


def _try(mutant: Mutant, tree: Path) -> str:
    """What the named test says of the mutant, as the line that pytest sums the failure up with."""
    file = tree / mutant.file
    source = file.read_text()
    assert source.count(mutant.original) == 1, f"{mutant.file} holds {mutant.original!r} {source.count(mutant.original)} times"
    assert mutant.original != mutant.replacement
    file.write_text(source.replace(mutant.original, mutant.replacement))
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}  # on SQLite
    try:
        done = subprocess.run(
            [sys.executable, *PYTEST, mutant.test],
            cwd=tree,
            env=environment | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "400"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=MUTANT_S,
            check=False,
        )
    finally:
        file.write_text(source)
    assert done.returncode == FAILED, f"{mutant.test} passes without its guard, or was not found:\n{done.stdout[-2000:]}"
    summary = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    assert summary, f"the mutant broke more than its guard:\n{(done.stdout + done.stderr)[-2000:]}"
    return summary[0]
