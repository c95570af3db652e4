"""The harness that certifies: it counts what is durable, sees how a process ends, and passes only what it has seen."""

from __future__ import annotations

import os
import signal
import sqlite3
import types
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError
from django.db import connection, transaction

from interactions.certification import baseline, plan, summary
from interactions.certification.baseline import Baseline, Points
from interactions.certification.children import Child, ChildError
from interactions.certification.contracts import Act, Case, Control, Conversation, Fault, Outside, Result, Say, Wait
from interactions.certification.databases import SqliteFile
from interactions.certification.probe import Probe, Trap
from interactions.certification.slots import Snapshot
from interactions.certification.summary import Summary
from interactions.management.commands import certify

PATIENCE_S = 20.0


# ---- what is counted ------------------------------------------------------------------------------------------------------


class Watched:
    """A probe on a connection of this test, and what it said."""

    def __init__(self, *traps: Trap) -> None:
        self.said: list[dict[str, Any]] = []
        self.waited = 0
        self.probe = Probe(("tests.",), self.said.append, self._wait, traps)

    def _wait(self) -> None:
        self.waited += 1

    def __enter__(self) -> Watched:
        connection.ensure_connection()
        self.probe.watch(connection)
        return self

    def __exit__(self, *_: object) -> None:
        del connection._commit, connection._rollback
        connection.execute_wrappers.clear()


def two_writes_in_one_commit() -> None:
    with transaction.atomic():
        one_write("asha")
        one_write("ravi")


def one_write(name: str) -> None:
    get_user_model().objects.create(username=name)


def a_write_that_meets_no_row() -> None:
    get_user_model().objects.filter(username="nobody").update(username="somebody")


@pytest.mark.django_db(transaction=True)
def test_a_durable_action_is_a_commit_that_wrote_something_and_bears_the_name_of_who_committed() -> None:
    with Watched() as watched:
        two_writes_in_one_commit()
        one_write("meera")
        a_write_that_meets_no_row()
        assert get_user_model().objects.count() == 3
        with transaction.atomic():
            one_write("lost")
            transaction.set_rollback(True)
    assert [name.rpartition(".")[2] for name in watched.probe.seen] == ["two_writes_in_one_commit", "one_write"]


@pytest.mark.django_db(transaction=True)
def test_a_trap_springs_on_its_side_of_its_action_and_nowhere_else() -> None:
    with Watched(Trap(1, "after", "hold"), Trap(2, "before", "hold")) as watched:
        for name in ("asha", "ravi", "meera"):
            one_write(name)
    assert [(one["number"], one["side"]) for one in watched.said] == [(1, "after"), (2, "before")]
    assert watched.waited == 2


# ---- how a process ends -----------------------------------------------------------------------------------------------------


def test_a_child_that_is_killed_is_told_from_one_that_ends_and_what_it_said_is_kept() -> None:
    def work(channel: Any) -> None:
        channel.send({"label": "at work"})
        os.kill(os.getpid(), signal.SIGKILL)

    child = Child(work)
    assert child.join(within_s=PATIENCE_S) == signal.SIGKILL
    assert child.said("label") == "at work"
    assert Child(lambda channel: None).join(within_s=PATIENCE_S) == 0


def test_a_child_that_breaks_by_itself_is_no_death_but_an_error_with_its_traceback() -> None:
    def work(channel: Any) -> None:
        raise ValueError("the suite is wrong")

    with pytest.raises(ChildError, match="the suite is wrong"):
        Child(work).join(within_s=PATIENCE_S)


def test_a_frozen_child_is_seen_and_goes_on_when_it_is_woken() -> None:
    def work(channel: Any) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)
        channel.send({"label": "awake"})

    child = Child(work)
    assert child.until(lambda: child.stopped, within_s=PATIENCE_S)
    child.send(signal.SIGCONT)
    assert child.join(within_s=PATIENCE_S) == 0
    assert child.said("label") == "awake"


def test_a_child_that_never_ends_is_killed_and_called_hanging() -> None:
    child = Child(lambda channel: channel.recv())
    with pytest.raises(ChildError, match="nothing happened"):
        child.join(within_s=0.1)


def test_a_file_is_put_back_as_it_was_whatever_was_committed_since(tmp_path: Path) -> None:
    database, copy = SqliteFile(tmp_path / "live.sqlite3"), tmp_path / "copy"

    def rows() -> list[tuple[int]]:
        with closing(sqlite3.connect(database.file)) as connected:
            return connected.execute("SELECT number FROM t ORDER BY number").fetchall()

    with closing(sqlite3.connect(database.file)) as connected:
        connected.executescript("PRAGMA journal_mode = wal; CREATE TABLE t (number INTEGER); INSERT INTO t VALUES (1);")
        database.copy(copy)
        connected.executescript("INSERT INTO t VALUES (2);")
    assert rows() == [(1,), (2,)]
    database.put_back(copy)
    assert rows() == [(1,)]


# ---- which runs are made, and when they certify -----------------------------------------------------------------------------


class Shop:
    faults = (Fault("hangs", {}), Fault("refuses", {}))


LINES = (Say("kitchen", "milk"), Outside("cart"), Say("kitchen", "confirm"), Wait())
SPOKEN = Conversation("order", LINES, ends="paid", since=0, spends=2)


def played(conversation: Conversation) -> Baseline:
    world = Snapshot(Path(), Path(), {}, 0.0)
    lines = tuple(Points(world, ("ingress.accept", "steps.commit", "steps.commit"), ("checkout",)) for _ in conversation.lines)
    return Baseline(conversation, lines, "paid", ())


def chosen(size: str, *conversations: Conversation) -> list[Case]:
    return plan.cases(Shop(), [played(one) for one in conversations], size=size)  # type: ignore[arg-type]


def test_every_point_is_disturbed_in_every_way_where_money_can_be_spent_and_each_kind_once_elsewhere() -> None:
    full = chosen("full", SPOKEN)
    spends = [case for case in full if case.line >= 2]
    assert len(spends) == 2 * (3 * len(Act) + len(Shop.faults))
    assert len([case for case in full if case.line < 2]) == 2 * len(Act) + len(Shop.faults)


def test_a_line_that_belongs_to_another_conversation_is_disturbed_there_only_and_every_name_of_a_further_one_is() -> None:
    later = Conversation("later", SPOKEN.lines, ends="paid", since=3)
    cases = [case for case in chosen("full", SPOKEN, later) if case.conversation == "later"]
    assert {case.line for case in cases} == {3}
    assert {case.label for case in cases} >= {"ingress.accept", "steps.commit"}


def test_the_quick_size_is_smaller_and_meets_every_kind_of_point_around_the_money() -> None:
    quick, full = chosen("quick", SPOKEN), chosen("full", SPOKEN)
    assert len(quick) < len(full) < len(chosen("all", SPOKEN))
    assert {case.label for case in quick} == {"ingress.accept", "steps.commit", "checkout"}


CASE = Case("order", 2, 1, "kitchen: confirm", "steps.commit", act=Act.KILL_AFTER)


def summed(*results: Result, caught: int = 1) -> Summary:
    done = Summary("SQLite", "order", results=list(results), baselines={"order": "paid"})
    done.caught["no watchdog"] = (caught, 3)
    return done


@pytest.mark.parametrize(
    ("result", "caught", "passes"),
    [
        pytest.param(Result(CASE, (), "steps.commit"), 1, True, id="nothing found"),
        pytest.param(Result(CASE, ("bought twice",), "steps.commit"), 1, False, id="a violation"),
        pytest.param(Result(CASE, (), ""), 1, False, id="a run that never came to its point"),
        pytest.param(Result(CASE, (), "steps.commit"), 0, False, id="a control that was not caught"),
    ],
)
def test_only_what_was_reached_without_a_violation_by_a_harness_that_sees_is_certified(
    result: Result, caught: int, passes: bool
) -> None:
    assert summed(result, caught=caught).passed is passes


def test_a_conversation_that_goes_wrong_by_itself_certifies_nothing() -> None:
    done = summed(Result(CASE, (), "steps.commit"))
    done.broken.append("undisturbed, 'order': bought twice")
    assert not done.passed


@pytest.mark.parametrize(
    ("ends", "faults"),
    [
        (("unknown", "paid"), ()),
        (("unknown", "unknown", "unknown"), ("it ended as 'unknown', and must end as 'paid'",)),
    ],
)
def test_no_run_is_compared_with_an_undisturbed_one_that_ended_wrongly(
    ends: tuple[str, ...], faults: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    left = list(ends)
    monkeypatch.setattr(baseline, "_record", lambda *_: Baseline(SPOKEN, (), left.pop(0), ()))
    found: Any = baseline.record(*cast(Any, (None, None, SPOKEN, None)))
    assert (found.faults, left) == (faults, [])


def test_the_page_states_runs_violations_and_controls_of_both_databases() -> None:
    sqlite, postgres = summed(Result(CASE, (), "steps.commit")), summed(Result(CASE, ("bought twice",), "steps.commit"))
    postgres.database = "PostgreSQL"
    page = summary.page([sqlite.record(), postgres.record()])
    assert "| `steps.commit` | 1, 0 | 1, 1 |" in page
    assert "| no watchdog | caught in 1 of 3 runs | caught in 1 of 3 runs |" in page


def test_a_control_is_tried_where_it_can_be_caught() -> None:
    control = Control("no guard", lambda: None, acts=(Act.STOP,), labels=("steps.commit",))
    cases = [case for _, case in plan.controlled(Shop(), [played(SPOKEN)], control)]  # type: ignore[arg-type]
    assert cases
    assert {case.act for case in cases} == {Act.STOP}
    assert min(case.line for case in cases) == SPOKEN.spends


@pytest.mark.django_db
def test_a_database_that_somebody_uses_is_left_alone() -> None:
    one_write("a stranger")
    with pytest.raises(CommandError, match="in use"):
        certify._refuse_a_used_database(types.SimpleNamespace(owner="asha"))  # type: ignore[arg-type]
