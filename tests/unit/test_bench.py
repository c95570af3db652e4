"""The bench judges as it says: what is counted, how sure a ratio is, and that it ends with 1 where a budget is missed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from chronicle import services
from chronicle.bench import __main__ as bench
from chronicle.bench import cpu, database, judgement, page, pairs, stages, turns, understanding
from chronicle.bench.judgement import Judged, Spread
from chronicle.bench.pairs import Pair
from chronicle.children import Child

LANGUAGES = {"en", "hi", "hi_latn"}

# ---- the ratio and its interval -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([1, 2, 3, 4, 5, 6], Spread(3.5, 1, 6)),  # 2 / 2^6 = 3 % lie outside of the whole range
        ([7, 6, 5, 4, 3, 2, 1], Spread(4, 1, 7)),  # one taken off at either end would leave out 2 * 8 / 2^7 = 12.5 %
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], Spread(5, 2, 8)),  # 2 * 10 / 2^9 = 3.9 %
        (range(1, 13), Spread(6.5, 3, 10)),  # 2 * (1 + 12 + 66) / 2^12 = 3.9 %
    ],
)
def test_the_interval_leaves_out_the_median_at_most_once_in_twenty(values: list[float], spread: Spread) -> None:
    assert judgement.spread(values) == spread


def test_too_few_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="measure 6 or more"):
        judgement.spread([0.1] * 5)


@pytest.mark.parametrize(
    ("ratio", "missed"),
    [
        (Spread(0.1, 0.05, 0.2), False),
        (Spread(0.5, 0.5, 0.5), False),
        (Spread(0.55, 0.49, 0.7), False),  # too noisy to say so
        (Spread(0.6, 0.51, 0.7), True),
    ],
)
def test_a_budget_is_missed_when_the_whole_interval_is_above_it(ratio: Spread, missed: bool) -> None:
    assert Judged("a turn", ratio, 0.5).missed is missed


def measured(*ratios: float, floor_ms: float = 20.0) -> tuple[Pair, ...]:
    """Pairs in which every sentence costs that share of the floor."""
    sentences = understanding.table()
    return tuple(
        Pair(
            turns.Cost({"web": floor_ms * 0.75, "worker-turns": floor_ms * 0.25}),
            understanding.Cost(dict.fromkeys(sentences, ratio * floor_ms)),
        )
        for ratio in ratios
    )


@pytest.mark.parametrize(("ratio", "missed"), [(0.1, False), (0.49, False), (0.52, True), (2.0, True)])
def test_every_ratio_is_held_to_half_of_the_floor(ratio: float, missed: bool) -> None:
    judged = pairs.judge(measured(*[ratio] * 6))
    assert [one.name for one in judged] == list(pairs.RATIOS)
    assert {one.budget for one in judged} == {0.5}
    assert {one.missed for one in judged} == {missed}


# ---- the sentences ----------------------------------------------------------------------------------------------------------


def test_every_sentence_is_understood_and_every_question_is_answered_in_both_languages() -> None:
    sentences = understanding.table()
    assert {one.stage for one in sentences} == set(stages.STAGES)
    for stage in set(stages.STAGES) - {understanding.LONGEST}:
        assert {one.lang for one in sentences if one.stage == stage} == LANGUAGES, stage


@pytest.mark.parametrize(
    ("stage", "phase"),
    [
        ("address", "confirm_address"),
        ("label", "select_address"),
        ("old cart", "existing_cart_decision"),
        ("shopping", "shopping"),
        ("choosing", "shopping"),
        ("review", "awaiting_confirmation"),
    ],
)
def test_the_order_stands_where_the_stage_says_and_its_prompt_was_heard(stage: str, phase: str) -> None:
    place = stages.STAGES[stage]()
    assert place.standing.phase == phase
    assert place.heard("yes").was_asked


def test_the_phrase_that_spends_is_measured_as_one_that_counts() -> None:
    place = stages.STAGES["review"]()
    effect = place.step(place.heard("confirm order")).effect
    assert effect is not None
    assert effect.name == "recheck"


def test_a_sentence_that_is_not_understood_is_named_and_measures_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "sentences.yml"
    table.write_text('review: {en: ["confirm order", "was that the one from before then"]}')
    monkeypatch.setattr(understanding, "TABLE", table)
    with pytest.raises(understanding.SentenceError, match="review: was that the one from before then") as raised:
        understanding.table()
    assert "confirm order" not in str(raised.value)


def test_what_is_read_twice_is_read_anew() -> None:
    seen: list[int] = []

    def count(place: stages.Place, heard: Any) -> Any:
        step = place.step(heard)
        seen.append(understanding.text.normalise.cache_info().misses)
        return step

    sentences = [one for one in understanding.table() if one.text == "milk"]
    understanding.batch(sentences, rounds=3, understand=count)
    assert min(seen) > 0
    assert len(set(seen)) == 1


# ---- what is counted ---------------------------------------------------------------------------------------------------------

BURNING = "import time\nwhile time.process_time() < {}: pass\n"
PARENT = (
    "import subprocess, sys\n"
    "subprocess.run([sys.executable, '-c', {burning!r}], check=True)\n"
    "print('burnt', flush=True)\n"
    "sys.stdin.read()\n"
)


def test_a_tree_is_counted_with_the_children_that_have_ended_and_nobody_else_is(tmp_path: Path) -> None:
    def child(name: str, program: str) -> Child:
        command = [sys.executable, "-c", program]
        return Child(name, command, environ={}, log=tmp_path / f"{name}.log", directory=tmp_path)

    waits = "print('up', flush=True)\nimport signal\nsignal.pause()\n"
    burner = child("burner", PARENT.format(burning=BURNING.format(0.3)).replace("sys.stdin.read()", waits.split("\n", 1)[1]))
    idler = child("idler", waits)
    started = [burner, idler]
    try:
        for one in started:
            one.start()
        burner.wait_for(lambda: "burnt" in burner.log.read_text(), timeout=20, what="has burnt")
        idler.wait_for(lambda: "up" in idler.log.read_text(), timeout=20, what="is up")
        spent = cpu.used(started)
    finally:
        for one in started:
            one.kill()
    assert set(spent) == {"burner", "idler"}
    assert spent["burner"] >= 290
    assert spent["burner"] - spent["idler"] >= 200, "the idler starts the same Python and burns nothing"


# ---- the command -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("missed", "code"), [(False, 0), (True, 1)])
def test_a_missed_budget_is_the_commands_exit(missed: bool, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(bench, "_measure", lambda *_: missed)
    assert bench.main([]) == code


def test_a_machine_without_a_clock_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cpu, "PROC", tmp_path)
    assert bench.main([]) == 2
    assert "run make bench on Linux" in capsys.readouterr().err


def test_a_server_that_gives_no_database_is_told_what_to_do() -> None:
    way_out = "name a server in DATABASE_URL whose user may create databases, or none"
    with pytest.raises(database.DatabaseError, match=way_out), database.own("postgresql://127.0.0.1:9/nothing"):
        pass


def test_the_terminal_says_which_budget_is_missed() -> None:
    judged = [Judged("one", Spread(0.2, 0.1, 0.3), 0.5), Judged("the other", Spread(0.8, 0.7, 0.9), 0.5)]
    assert list(page.lines(judged, database="SQLite")) == [
        "SQLite, CPU time as a share of the floor's:",
        "  one        0.200 (0.100 to 0.300)  at most 0.5: kept",
        "  the other  0.800 (0.700 to 0.900)  at most 0.5: MISSED",
    ]


def test_the_page_is_made_from_the_numbers_and_the_one_that_is_kept_is_of_this_make(tmp_path: Path) -> None:
    found = measured(*[0.1] * 6)
    file = tmp_path / "kept" / "numbers.json"
    page.keep(file, page.record(found, pairs.judge(found), database="SQLite", seconds=30))
    made = page.page(page.read([file, file]))
    assert "| understanding a sentence, over the mix | at most 0.5 | 0.100 (0.100 to 0.100) | 0.100" in made
    kept = (services.ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert _shape(kept) == _shape(made), "run make bench"


def _shape(text: str) -> list[str]:
    """The page without its numbers."""
    return [line.split("|")[1].strip() if line.startswith("|") else line for line in text.splitlines()]
