"""``manage.py certify [MODE]``: kill, freeze, rewind and confuse a mode at every point, and see what it spent."""

from __future__ import annotations

import json
import os
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from celery import current_app
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections

from interactions import devices, registry
from interactions.certification import plan, summary
from interactions.certification.baseline import Baseline
from interactions.certification.contracts import Conversation, Suite
from interactions.certification.controls import CONTROLS
from interactions.certification.pool import Pool, Task
from interactions.certification.summary import Summary

MEMORY = Path("/dev/shm")
BUDGETS_S = {"read": 3.0, "replay": 2.5, "once": 3.0}  # of a call, while certified


class Command(BaseCommand):
    help = "Disturb a mode at every durable action and remote call, and check what it spent against the peer's ledger."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("mode", nargs="?", help="the mode's id; the only one that brings a suite unless given")
        parser.add_argument("--size", choices=("quick", "full", "all"), default="full", help="how many points are disturbed")
        parser.add_argument("--slots", type=int, default=4, help="runs side by side")
        parser.add_argument("--conversation", default="", help="only conversations whose name contains this")
        parser.add_argument("--only", default="", help="only cases whose conversation, point or disturbance contains this")
        parser.add_argument("--random", action="store_true", help="random days in one process instead, judged at every step")
        parser.add_argument("--turns", type=int, default=10_000, help="with --random: how many sentences are spoken")
        parser.add_argument("--seed", type=int, default=1, help="with --random: the first seed; the same seed, the same days")
        parser.add_argument("--results", type=Path, help="write the numbers to this file")
        parser.add_argument(
            "--page", nargs="+", type=Path, metavar="FILE", help="print the page from such files, and do nothing else"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["page"]:
            self.stdout.write(summary.page(summary.read(options["page"])), ending="")
            return
        suite = _suite(options["mode"])
        if options["random"]:
            if suite.random(turns=options["turns"], seed=options["seed"]):
                raise CommandError("not certified: the days above break a promise; each says how it is lived again")
            return
        with tempfile.TemporaryDirectory(prefix="certify-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as home:
            _prepare(suite)
            done = self._certify(suite, Path(home), options)
        for line in done.lines():
            self.stdout.write(line)
        if options["results"]:
            options["results"].parent.mkdir(parents=True, exist_ok=True)
            options["results"].write_text(json.dumps(done.record(), indent=1), encoding="utf-8")
        if not done.passed:
            raise CommandError("not certified")

    def _certify(self, suite: Suite, home: Path, options: dict[str, Any]) -> Summary:
        began = time.monotonic()
        vendor = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]
        done = Summary(vendor, suite.mode, size=options["size"])
        with Pool(suite, home, options["slots"]) as pool:
            wanted = [one for one in suite.conversations if options["conversation"] in one.name]
            if not wanted:
                raise CommandError(f"no conversation is called {options['conversation']!r}; leave it out to hear of all")
            if options["size"] == "quick":
                wanted = [one for one in wanted if one.spends is not None]
            baselines = list(self._baselines(pool, wanted, began=began))
            done.baselines = {one.conversation.name: one.end for one in baselines}
            for one in baselines:
                done.broken += [f"undisturbed, {one.conversation.name!r}: {fault}" for fault in one.faults]
            chosen = [case for case in plan.cases(suite, baselines, size=options["size"]) if options["only"] in case.words]
            done.points = len({(case.conversation, case.line, case.number, case.act is None) for case in chosen})
            by_name = {one.conversation.name: one for one in baselines}
            if not chosen:
                raise CommandError("nothing matches what was asked for; say less in --conversation and --only")
            tasks = [Task(case, by_name[case.conversation]) for case in chosen]
            self._run(pool, tasks, done, began=began)
            if not options["only"]:
                self._controls(pool, suite, baselines, done)
        done.seconds = time.monotonic() - began
        return done

    def _baselines(self, pool: Pool, wanted: Sequence[Conversation], *, began: float) -> Iterator[Baseline]:
        for one in pool.baselines(wanted):
            points = sum(len(line.actions) + len(line.calls) for line in one.lines)
            spent = time.monotonic() - began
            self.stdout.write(f"undisturbed: {one.conversation.name}: {points} points, ends as {one.end} ({spent:.0f} s)")
            yield one

    def _run(self, pool: Pool, tasks: Sequence[Task], done: Summary, *, began: float) -> None:
        for number, (_, result) in enumerate(pool.runs(tasks), 1):
            done.results.append(result)
            if result.violations:
                self.stdout.write(summary.story(result))
            if number % 25 == 0 or number == len(tasks):
                spent = time.monotonic() - began
                self.stdout.write(f"{number} of {len(tasks)} runs, {len(done.violations)} violations, {spent:.0f} s")

    def _controls(self, pool: Pool, suite: Suite, baselines: Sequence[Baseline], done: Summary) -> None:
        """Each until it was caught once; a batch at a time, so that no worker stands idle."""
        for control in CONTROLS:
            tasks = [Task(case, one, control) for one, case in plan.controlled(suite, baselines, control)]
            caught = runs = 0
            for batch in (tasks[at : at + pool.slots] for at in range(0, len(tasks), pool.slots)):
                results = [result for _, result in pool.runs(batch)]
                caught, runs = caught + sum(bool(result.violations) for result in results), runs + len(results)
                if caught:
                    break
            done.caught[control.name] = (caught, runs)


def _suite(mode: str | None) -> Suite:
    found: dict[str, Suite] = {}
    for key in registry.modes():
        app = type(registry.mode(key)).__module__.rpartition(".")[0]
        try:
            found[key] = import_module(f"{app}.certification").SUITE
        except ModuleNotFoundError as error:
            if error.name != f"{app}.certification":
                raise
    if mode is None and len(found) == 1:
        return next(iter(found.values()))
    if mode not in found:
        if not found:
            raise CommandError("no mode that is on brings a certification; python -m chronicle.certify has one on")
        raise CommandError(f"name the mode to certify: {', '.join(sorted(found))}")
    return found[mode]


def _prepare(suite: Suite) -> None:
    """Rows to start from, and short waiting times; afterwards nothing is open, so that forks are clean."""
    _refuse_a_used_database(suite)
    call_command("migrate", verbosity=0)
    owner, _ = get_user_model().objects.get_or_create(username=suite.owner)
    for name in set(suite.devices) - set(owner.devices.values_list("client_id", flat=True)):
        devices.register(owner.pk, client_id=name, name=name, capabilities={"screen": True})
    for mode in registry.modes().values():
        mode.effects = {  # type: ignore[misc]
            name: _scaled(spec) for name, spec in mode.effects.items()
        }
    suite.hasten()
    suite.preload()
    current_app.loader.import_default_modules()
    connections.close_all()


def _refuse_a_used_database(suite: Suite) -> None:
    """People's own rows must not be copied about, nor strangers be put among them."""
    people = get_user_model()
    used = people._meta.db_table in connection.introspection.table_names()
    if used and people.objects.exclude(username=suite.owner).exists():
        raise CommandError("this database is in use: name an empty one in DATABASE_URL, or run python -m chronicle.certify")


def _scaled(spec: Any) -> Any:
    return replace(spec, budget_s=min(spec.budget_s, BUDGETS_S[spec.policy.value]))
