"""Every verdict that ingress can give has its sentence for the operator."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from interactions import evidence, ownership, reports, revisions, verdicts


def given() -> Iterator[tuple[str, str]]:
    """What the table of refusals gives, what the code that decides the owner writes out, and what evidence is stored as."""
    yield from ((disposition, reason) for disposition, reason, _ in reports.RULES)
    for module, name in ((ownership, "Verdict"), (revisions, "Verdict"), (evidence, "Utterance")):
        for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                named = dict(zip(("disposition", "reason"), node.args, strict=False))
                named |= {word.arg: word.value for word in node.keywords if word.arg in ("disposition", "reason")}
                yield from itertools.product(*(words(named.get(one)) for one in ("disposition", "reason")))


def words(node: ast.expr | None) -> list[str]:
    """The literal words that this expression may be."""
    match node:
        case ast.Constant(value=str(word)):
            return [word]
        case ast.IfExp(body=one, orelse=other):
            return [*words(one), *words(other)]
    return []


@pytest.mark.promise("P218")
def test_each_verdict_that_is_given_is_explained_in_a_sentence_of_its_own() -> None:
    pairs = set(given())
    assert {("accepted", "chain"), ("duplicate", "twin"), ("recorded", "ingest"), ("late", "order")} <= pairs
    assert pairs <= verdicts.MEANING.keys()
    assert len(set(verdicts.MEANING.values())) == len(verdicts.MEANING)


def test_a_verdict_of_another_release_is_shown_by_its_word() -> None:
    assert "by_moonlight" in verdicts.meaning("recorded", "by_moonlight")
