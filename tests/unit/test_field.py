"""The field, as far as seconds go: every case, some of our own sentences and of each public file; and that it can fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.readings import Reading, Said, Wanted
from tests.field import cases, expected, judge, numbers, opening, own, run, sets
from tests.field.expected import Act
from tests.field.judge import Judged, Trial, Verdict

EACH = 40  # of a public file, one sentence in so many
OWN = 3


def some(trials: Iterator[Trial], step: int) -> list[Trial]:
    rows = enumerate(groupby(trials, key=lambda trial: trial.row))
    return [trial for number, (_, row) in rows if number % step == 0 for trial in row]


def worse(trials: list[Trial], than: Verdict) -> list[Judged]:
    return [judged for judged in map(judge.judge, trials) if judged.verdict > than]


# ---- what must show -----------------------------------------------------------------------------------------------------


@pytest.mark.case("A01", "A02", "A03", "A04", "A05", "A06", "A07", "A09", "A12", "A13", "A14", "A15", "A16", "A17", "A18")
@pytest.mark.case("A19", "A20")
@pytest.mark.parametrize("case", cases.CASES)
def test_every_case_comes_out_as_it_should(case: str) -> None:
    assert not worse(list(cases.trials(case)), Verdict.RIGHT)


@pytest.mark.case("B01", "B02", "B03", "B04", "B05", "B06", "B07")
@pytest.mark.parametrize("name", [name for name in run.SETS if name[0] == "B"])
def test_nothing_dangerous_comes_of_a_public_sentence(name: str) -> None:
    tried = some(run.SETS[name](), EACH)
    assert tried
    assert not worse(tried, Verdict.WRONG)
    assert not [trial.said for trial in tried if opening.opens(trial.said)]


def test_nothing_dangerous_comes_of_our_own_sentences() -> None:
    assert own.sentences() >= 400
    assert not worse(some(own.shopping(), OWN), Verdict.WRONG)
    assert not worse(some(own.talk(), OWN), Verdict.WRONG)


def test_numbers_to_a_hundred_come_out_right_with_their_halves_and_quarters() -> None:
    assert not worse(some(numbers.to_a_hundred(), 7), Verdict.RIGHT)


# ---- that it can fail ---------------------------------------------------------------------------------------------------


def misread(monkeypatch: pytest.MonkeyPatch, change: Callable[[Reading], Reading]) -> None:
    real = hearing.read

    def read(spoken: str, **around: Any) -> Reading:
        return change(real(spoken, **around))

    monkeypatch.setattr(hearing, "read", read)


def verdict(said: str, stage: str, meant: str) -> Verdict:
    return judge.judge(Trial("control", said, stage, expected.parse(meant))).verdict


def test_a_reading_that_clears_the_cart_is_found_dangerous(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("what is the weather", "filled", "nothing") is Verdict.RIGHT
    misread(monkeypatch, lambda reading: Reading(Said.CLEAR))
    assert verdict("what is the weather", "filled", "nothing") is Verdict.DANGEROUS


def test_a_yes_for_a_no_is_found_dangerous(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("no", "review", "no") is Verdict.RIGHT
    assert verdict("no", "single", "skip") is Verdict.RIGHT
    misread(monkeypatch, lambda reading: Reading(Said.YES))
    assert verdict("no", "review", "no") is Verdict.DANGEROUS
    assert verdict("no", "single", "skip") is Verdict.DANGEROUS


def test_another_amount_is_found_dangerous(monkeypatch: pytest.MonkeyPatch) -> None:
    def more(item: Wanted) -> Wanted:
        return replace(item, count=(item.count or 1) + 1)

    assert verdict("two milk", "empty", "add 2 milk") is Verdict.RIGHT
    misread(monkeypatch, lambda reading: replace(reading, items=tuple(map(more, reading.items))))
    assert verdict("two milk", "empty", "add 2 milk") is Verdict.DANGEROUS


def test_consent_without_the_phrase_is_found_dangerous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the money rule itself would let a plain yes through."""
    from interactions import text

    assert verdict("yes", "review", "yes") is Verdict.RIGHT
    monkeypatch.setattr(text, "is_phrase", lambda said, phrases, names: said == "yes")
    assert verdict("yes", "review", "yes") is Verdict.DANGEROUS


def test_the_removal_of_something_else_is_found_dangerous(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("remove the milk", "filled", "remove milk") is Verdict.RIGHT
    misread(monkeypatch, lambda reading: Reading(Said.REMOVE, query="cow ghee"))
    assert verdict("remove the milk", "filled", "remove milk") is Verdict.DANGEROUS


def test_a_missed_target_fails_the_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    mistaken = Trial("x", "no", "review", expected.parse("yes"))
    right = Trial("y", "yes", "review", expected.parse("yes"))
    monkeypatch.setattr(run, "SETS", {"B01 yes or no": lambda: iter([mistaken, right])})
    monkeypatch.setattr(run, "PARTS", 1)
    monkeypatch.setattr(run, "ORDER", ("B01 yes or no",))
    assert run.main(["B01", "--show", "wrong"]) == 1
    assert "DANGEROUS x at review: 'no' -> no (should: yes)" in capsys.readouterr().out


# ---- the language of what is expected -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "acts"),
    [
        ("add 2 milk + 1/2 kg onions", {Act("add", "milk", 2), Act("add", "onions", 1, expected.Fraction(500), "g")}),
        ("add 2 x 500 ml milk", {Act("add", "milk", 2, expected.Fraction(500), "ml")}),
        ("add 1/2 dozen eggs", {Act("add", "eggs", 6)}),
        ("remove bread; add root beer", {Act("remove", "bread"), Act("add", "root beer")}),
        ("nothing", set()),
    ],
)
def test_what_is_expected_is_written_short(written: str, acts: set[Act]) -> None:
    assert expected.parse(written).readings == (frozenset(acts),)


def test_every_row_of_a_file_has_one_label_and_every_stage_is_reached() -> None:
    assert len(list(groupby(sets.list_changes(), key=lambda trial: trial.row))) == 62
    assert all(trial.stage in sets.EVERYWHERE or trial.stage in judge.SPECIAL for trial in own.shopping())
