"""A deploy around a real order: newer code goes on with it, and a start that would cut something off is refused."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection

from interactions import checks, clock, configuration, host, registry, saying, sweep, unsettled
from interactions.configuration import Configuration
from interactions.contracts import Migration, Step
from interactions.models import ChainRun, Checkpoint, InteractionSession
from swiggy_instamart.mode import SwiggyOrderMode
from swiggy_instamart.models import Order
from tests.support import roles, scripted, talk
from tests.support.scripted import Script, ScriptedMode
from tests.support.shop import Till

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]


def without(monkeypatch: pytest.MonkeyPatch, key: str) -> Configuration:
    """What the door would hold if the plugin of this mode were off."""
    door = registry._registry
    modes = MappingProxyType({name: mode for name, mode in door.modes.items() if name != key})
    monkeypatch.setattr(registry, "_registry", replace(door, modes=modes, accepting=door.accepting - {key}))
    return configuration.current()


def said(config: Configuration) -> list[str]:
    return [str(fault) for fault in unsettled.examine(config)]


# ---- newer code ---------------------------------------------------------------------------------------------------------


def deploy(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """From here on, workers run version 2 of the groceries."""
    door = registry._registry
    newer = type("NewerOrderMode", (SwiggyOrderMode,), {"version": 2, **changes})(door.modes["swiggy_order"].settings)
    monkeypatch.setattr(registry, "_registry", replace(door, modes=MappingProxyType({**door.modes, newer.key: newer})))


@pytest.mark.promise("P270")
def test_an_order_that_waits_for_its_payment_is_brought_up_and_paid(till: Till, monkeypatch: Any) -> None:
    till.to_payment()
    deploy(monkeypatch, migrations={1: Migration(lambda phase, state: (phase, state))})
    till.sandbox.payment("success")
    till.poll()
    assert "placed successfully" in till.handle()
    assert (till.reason, talk.session_of(till.device).version, till.intent.state) == ("paid", 2, "paid")
    assert len(till.sandbox.calls("checkout")) == 1


@pytest.mark.promise("P270")
def test_a_basket_that_newer_code_cannot_read_is_kept_and_its_session_ends_with_a_sentence(
    till: Till, monkeypatch: Any
) -> None:
    till.to_review()
    deploy(monkeypatch)
    assert (
        till.say("confirm order")
        == f"{saying.ENGLISH('upgraded')} Nothing was placed, and your basket is kept. Please start again."
    )
    assert till.reason == "upgraded"
    assert Order.objects.get().closed_at is not None  # the account may order again
    assert till.ledger["orders"] == []
    assert till.sandbox.calls("checkout") == []
    till.to_shopping()
    assert (till.phase, talk.session_of(till.device).version) == ("shopping", 2)


@pytest.mark.promise("P206", "P270")
def test_a_payment_that_newer_code_cannot_read_is_followed_and_told_all_the_same(till: Till, monkeypatch: Any) -> None:
    till.to_payment()
    deploy(monkeypatch)
    assert till.say("is it paid") == saying.ENGLISH("stranded")
    till.sandbox.payment("success")
    till.poll()
    assert till.intent.state == "paid"
    assert till.handle() == ""
    frozen = talk.session_of(till.device).frozen_until
    assert frozen is not None
    sweep.deadlines(clock.now() + timedelta(seconds=1))
    assert talk.session_of(till.device).status == "active"
    monkeypatch.setattr(clock, "now", lambda: frozen + timedelta(hours=1))
    sweep.deadlines(clock.now())
    told = till.handle()
    assert told.startswith(saying.ENGLISH("left"))
    assert "placed successfully" in told
    assert till.reason == "hard_timeout"
    assert Order.objects.get().closed_at is not None


# ---- an order under way ---------------------------------------------------------------------------------------------------


@pytest.mark.promise("P269")
def test_an_order_that_waits_for_its_payment_forbids_switching_the_plugin_off(till: Till, monkeypatch: Any) -> None:
    till.to_review()
    config = configuration.current()
    with monkeypatch.context() as off:
        assert said(without(off, "swiggy_order")) == []  # nothing was bought, so nothing is cut off
    till.say("confirm order")
    with monkeypatch.context() as off:
        fault = " ".join(said(without(off, "swiggy_order")))
        session = talk.session_of(till.device)
        assert fault.startswith("swiggy_instamart: mode 'swiggy_order' cannot be switched off while this is under way")
        assert f"checkout of session {session.pk}" in fault
        assert "'enabled: draining'" in fault
        assert "plugins.yml:" in fault
        (message,) = checks.nothing_is_cut_off(None)
        assert message.id == "interactions.E003"
        with pytest.raises(ImproperlyConfigured, match=f"checkout of session {session.pk}"):
            unsettled.verify()
    assert said(config) == []  # on or draining, it may start
    till.sandbox.payment("success")
    till.poll()
    with monkeypatch.context() as off:
        assert said(without(off, "swiggy_order")) == []


@pytest.mark.promise("P269")
def test_a_checkout_that_was_under_way_before_it_was_marked_forbids_it_too(till: Till, monkeypatch: Any) -> None:
    till.to_payment()
    Checkpoint.objects.update(open_since=None)
    import_module("swiggy_instamart.migrations.0006_open_checkouts").mark(apps, None)
    assert Checkpoint.objects.exclude(open_since=None).get().effect == "checkout"
    assert len(said(without(monkeypatch, "swiggy_order"))) == 1


@pytest.mark.promise("P269")
def test_a_checkout_without_an_answer_forbids_it_until_the_look_up_is_over(till: Till, monkeypatch: Any) -> None:
    till.to_review()
    till.sandbox.faults([{"tool": "checkout", "nth": 1, "kind": "drop", "where": "before"}])
    till.say("confirm order")
    assert till.phase == "checkout_outcome_unknown"
    till.say("stop")
    assert not InteractionSession.objects.filter(status="active").exists()
    with monkeypatch.context() as off:
        assert len(said(without(off, "swiggy_order"))) == 1  # the session is over, what it did is not
    type(till.intent).objects.update(look_until=till.intent.created_at)
    till.look()
    assert till.intent.state == "unfound"
    with monkeypatch.context() as off:
        assert said(without(off, "swiggy_order")) == []


@pytest.mark.promise("P269")
def test_draining_lets_an_order_finish_and_opens_no_other(till: Till, hall: Any, monkeypatch: Any) -> None:
    till.to_payment()
    door = registry._registry
    monkeypatch.setattr(registry, "_registry", replace(door, accepting=door.accepting - {"swiggy_order"}))
    assert said(configuration.current()) == []
    till.sandbox.payment("success")
    till.poll()
    assert "placed successfully" in till.handle()
    assert till.reason == "paid"
    assert talk.post(hall.device, "order swiggy").body["session"] is None
    assert ChainRun.objects.count() == 1


# ---- by the kernel's own rows ---------------------------------------------------------------------------------------------


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


def spend(script: Script, device: Any) -> InteractionSession:
    script.decide = scripted.spending
    for text in ("open scripted", "ready", "confirm order"):
        talk.say(device, text)
    return talk.session_of(device)


@pytest.mark.promise("P269")
def test_what_a_lasting_once_began_is_open_until_its_mode_says_that_it_is_over(device: Any, monkeypatch: Any) -> None:
    lasting = {**ScriptedMode.effects, "spend": replace(ScriptedMode.effects["spend"], lasting=True)}
    session = spend(scripted.install(monkeypatch, effects=lasting), device)
    talk.say(device, "stop")
    checkpoint = Checkpoint.objects.get()
    config = without(monkeypatch, "scripted")
    assert f"spend of session {session.pk}" in " ".join(said(config))
    host.mark_open(checkpoint.pk, since=None)
    assert said(config) == []
    host.mark_open(checkpoint.pk, since=checkpoint.created_at)  # seen late, after it had been given up
    assert len(said(config)) == 1


@pytest.mark.promise("P269")
def test_a_once_that_begins_nothing_lasting_is_over_when_its_outcome_was_told(device: Any, monkeypatch: Any) -> None:
    spend(scripted.install(monkeypatch), device)
    assert Checkpoint.objects.get().open_since is None
    config = without(monkeypatch, "scripted")
    assert said(config) == []
    Checkpoint.objects.update(stepped_at=None)
    assert len(said(config)) == 1


def test_what_is_under_way_is_named_up_to_a_handful(device: Any, monkeypatch: Any) -> None:
    spend(scripted.install(monkeypatch), device)
    row = Checkpoint.objects.get()
    Checkpoint.objects.update(open_since=row.created_at)
    for number in range(7):
        Checkpoint.objects.create(
            **{name: getattr(row, name) for name in ("session", "effect", "policy", "payload", "payload_hash", "created_at")},
            revision=100 + number,
            state="settled",
            outcome="done",
            open_since=row.created_at,
        )
    (fault,) = said(without(monkeypatch, "scripted"))
    assert fault.count("spend of session") == unsettled.NAMED
    assert "and 3 more" in fault


# ---- by version -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P270")
def test_a_start_is_refused_that_would_strand_a_session_in_which_something_may_have_been_bought(
    device: Any, monkeypatch: Any
) -> None:
    session = spend(scripted.install(monkeypatch), device)
    spending = {**ScriptedMode.phases, "spent": replace(scripted.EXITS, spending=True)}
    onward = Migration(lambda phase, state: (phase, state))
    config = configuration.current()
    scripted.install(monkeypatch, version=3, phases=spending, migrations={2: onward})
    (fault,) = said(config)
    assert f"session {session.pk} of mode 'scripted' is in spent at version 1" in fault
    assert "leads to 3" in fault
    scripted.install(monkeypatch, version=3, phases=spending, migrations={1: onward, 2: onward})
    assert said(config) == []
    InteractionSession.objects.update(phase="open")
    scripted.install(monkeypatch, version=3, phases=spending, migrations={2: onward})
    assert said(config) == []  # outside, it ends with a sentence


def test_sessions_of_newer_code_are_a_warning(device: Any, monkeypatch: Any) -> None:
    scripted.install(monkeypatch, version=2).decide = lambda standing, event: Step()
    talk.say(device, "open scripted")
    scripted.install(monkeypatch)
    (message,) = checks.nothing_is_cut_off(None)
    assert (message.id, message.level) == ("interactions.W003", 30)
    assert "a newer worker has it" in message.msg


# ---- the processes --------------------------------------------------------------------------------------------------------


def test_a_database_that_is_away_forbids_nothing(monkeypatch: Any) -> None:
    def away(*_: object) -> Any:
        raise OperationalError("no such table: interactions_checkpoint")

    monkeypatch.setattr(unsettled, "_switched_off", away)
    monkeypatch.setattr(unsettled, "_running", away)
    assert unsettled.examine(configuration.current()) == unsettled.newer(configuration.current()) == []


@pytest.mark.promise("P269")
def test_web_worker_and_beat_refuse_to_start_and_say_what_is_under_way(device: Any, monkeypatch: Any, tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the processes ask the same rows, and are slow to start")
    url = f"sqlite:///{connection.settings_dict['NAME']}"
    session = spend(scripted.install(monkeypatch), device)
    Checkpoint.objects.update(open_since=Checkpoint.objects.get().created_at)
    (tmp_path / "plugins.yml").write_text("plugins: {}\n")
    (tmp_path / "config.yml").write_text("")
    environ = os.environ | {
        "CHRONICLE_CONFIG_DIR": str(tmp_path),
        "CHRONICLE_DATA_DIR": str(tmp_path),
        "DATABASE_URL": url,
    }
    for role, output in roles.refused(("web", "worker", "beat"), environ).items():
        assert f"spend of session {session.pk}" in output, f"{role} does not say why:\n{output}"
