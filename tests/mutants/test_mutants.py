"""The list of mutants is whole and names the tests of the promises that it guards; ``test_trials`` tries them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests import promises
from tests.mutants.mutants import GUARDED, MUTANTS

ROOT = Path(__file__).resolve().parent.parent.parent


def test_every_guarded_promise_that_is_kept_has_a_mutant() -> None:
    missing = set(GUARDED) - promises.NOT_YET.keys() - {mutant.promise for mutant in MUTANTS}
    assert not missing, f"no mutant removes the guard of {', '.join(sorted(missing))}: add one to tests/mutants/mutants.py"


def test_every_guard_stands_once_where_its_mutant_removes_it() -> None:
    gone = [f"{one.file}: {one.original}" for one in MUTANTS if (ROOT / one.file).read_text().count(one.original) != 1]
    assert not gone, "a guard was moved or written in other words: adapt its mutant"


@pytest.mark.parametrize("test", sorted({mutant.test for mutant in MUTANTS}))
def test_every_named_test_names_the_promises_it_guards(test: str) -> None:
    guarded = {mutant.promise for mutant in MUTANTS if mutant.test == test}
    assert guarded <= _promised(test), f"{test} names only {_promised(test)}"


@cache
def _promised(test: str) -> set[str]:
    path, _, name = test.partition("::")
    found = [node for node in ast.parse((ROOT / path).read_text()).body if getattr(node, "name", "") == name]
    assert found, f"there is no {test}"
    assert isinstance(found[0], ast.FunctionDef)
    return {
        str(ast.literal_eval(argument))
        for call in found[0].decorator_list
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.promise"
        for argument in call.args
    }
