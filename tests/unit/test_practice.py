"""Where practice may go, and what its decisions lack: the address, the start, the sandbox that is started, the pure steps."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from django.utils import timezone

from chronicle import children, configuration, stack
from chronicle.stack import Stack
from interactions import host, registry
from interactions.contracts import Call, Failed, Policy, Refused, Unknown
from swiggy_instamart import listening, machine, practice, rehearsing, rows
from swiggy_instamart.machine import Phase
from swiggy_instamart.mode import SwiggyOrderMode
from swiggy_instamart.options import Options
from swiggy_instamart.rehearsal import SwiggyRehearsalMode
from tests.support.ordering import PENDING, Order, cart, line

ROOT = Path(__file__).resolve().parents[2]
HERE = "http://127.0.0.1:8020/im"
ROWLESS = ("practice", "rehearsing", "rehearsal", "errands", "writes")  # the rooms of practice, and what it shares
AT_NO_SHOP = {"recall", "understand"}
OF_REAL_ORDERS = {
    *("accounts", "adoption", "effects", "intents", "late", "linked", "lookups", "models", "notices", "orders", "payments"),
    *("readiness", "recovery", "renewal", "settlement", "tasks", "telling", "tokens", "vault"),
}


# ---- the address --------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P217", "P258")
@pytest.mark.parametrize("real", ["", "https://mcp.swiggy.com/im", "http://127.0.0.1:8010/im"])
@pytest.mark.parametrize("url", [HERE, "http://[::1]:8020/im", "http://127.0.0.1:9/anything"])
def test_a_sandbox_of_this_machine_is_a_place_to_practise(url: str, real: str) -> None:
    assert practice.fault_of(url, real=real) == ""


@pytest.mark.promise("P217", "P258")
@pytest.mark.parametrize(
    "url",
    [
        "https://mcp.swiggy.com/im",
        "http://mcp.swiggy.com/im",
        "https://127.0.0.1:8020/im",
        "http://localhost:8020/im",
        "http://localhost.evil.example:8020/im",
        "http://127.0.0.1.evil.example/im",
        "http://127.0.0.1@mcp.swiggy.com/im",
        "http://user:word@127.0.0.1:8020/im",
        "http://0.0.0.0:8020/im",
        "http://192.168.1.20:8020/im",
        "http://2130706433/im",
        "http://[::ffff:10.0.0.1]:8020/im",
        "http://127.0.0.1:port/im",
        "http://[::1",
        "127.0.0.1:8020/im",
        "file:///etc/passwd",
    ],
)
def test_anywhere_else_is_refused(url: str) -> None:
    found = practice.fault_of(url, real="")
    assert found == f"SWIGGY_REHEARSAL_URL must lead to a sandbox on this machine, by its number, as in {practice.EXAMPLE}"


@pytest.mark.promise("P217")
@pytest.mark.parametrize("real", ["http://127.0.0.1:8020/im", "http://localhost:8020/im", "http://[::1]:8020/other"])
def test_the_place_of_real_orders_is_refused_however_it_is_spelt(real: str) -> None:
    assert "leads to where SWIGGY_MCP_URL does" in practice.fault_of(HERE, real=real)


@pytest.mark.promise("P258")
def test_no_address_at_all_says_what_to_set() -> None:
    assert practice.fault_of("", real="").startswith("SWIGGY_REHEARSAL_URL is not set; set it to a sandbox on this machine")


# ---- the start ----------------------------------------------------------------------------------------------------------


def configured(directory: Path, *modes: str) -> Path:
    entry = {"enabled": True, "modes": list(modes)}
    (directory / "plugins.yml").write_text(yaml.safe_dump({"plugins": {"swiggy_instamart": entry}}))
    (directory / "config.yml").write_text("assistant:\n  names: [Hermes]\n")
    return directory


def start(directory: Path, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A process of the service, with nothing in its environment but this."""
    given = {
        "PATH": os.environ["PATH"],
        "CHRONICLE_TLS": "0",
        "CHRONICLE_CONFIG_DIR": str(directory),
        "CHRONICLE_DATA_DIR": str(directory / "data"),
        "DJANGO_SETTINGS_MODULE": "chronicle.settings",
    }
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=ROOT, env=given | variables, capture_output=True, text=True, check=False, timeout=60)


MODES = "import django; django.setup(); from interactions import registry; print(sorted(registry.modes()), registry.ordinary())"


@pytest.mark.promise("P258")
def test_practice_alone_starts_without_a_person_a_server_or_a_sign_in(tmp_path: Path) -> None:
    done = start(configured(tmp_path, "swiggy_rehearsal"), MODES, SWIGGY_REHEARSAL_URL=HERE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "['swiggy_rehearsal'] ()"


@pytest.mark.promise("P258")
def test_real_orders_alone_need_nothing_of_practice(tmp_path: Path) -> None:
    real = {"SWIGGY_LINKED_USER_ID": "asha", "SWIGGY_MCP_URL": "https://mcp.swiggy.com/im"}
    done = start(configured(tmp_path, "swiggy_order"), MODES, **real)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['swiggy_order'] (")


@pytest.mark.promise("P217", "P258")
@pytest.mark.parametrize("url", ["https://mcp.swiggy.com/im", "http://localhost:8020/im", ""])
def test_practice_that_could_leave_this_machine_does_not_start(tmp_path: Path, url: str) -> None:
    done = start(configured(tmp_path, "swiggy_rehearsal"), MODES, SWIGGY_REHEARSAL_URL=url)
    assert done.returncode != 0
    assert "swiggy_instamart: mode 'swiggy_rehearsal' cannot be on: SWIGGY_REHEARSAL_URL" in done.stderr


@pytest.mark.promise("P258", "P067")
@pytest.mark.parametrize("directory", ["config", "config/demo"])
def test_it_can_be_listed_beside_real_orders_in_every_configuration_that_ships(directory: str) -> None:
    shipped = configuration.load(ROOT / directory, lookup=lambda name: None)
    modes = ["swiggy_order", "swiggy_rehearsal"]
    entry = shipped.plugins["swiggy_instamart"].model_copy(update={"enabled": True, "modes": modes})
    found = registry.examine(replace(shipped, plugins={"swiggy_instamart": entry}))
    assert [str(fault) for fault in found.faults if "phrase" in str(fault)] == []
    assert sorted(found.modes) == modes


@pytest.mark.promise("P258")
@pytest.mark.parametrize(("modes", "started"), [(("swiggy_order",), False), (("swiggy_order", "swiggy_rehearsal"), True)])
def test_the_stack_starts_a_shop_for_practice_where_the_mode_is_listed(
    tmp_path: Path, modes: tuple[str, ...], started: bool
) -> None:
    system = Stack(tmp_path, environ=stack.alone(os.environ) | {"CHRONICLE_CONFIG_DIR": str(configured(tmp_path, *modes))})
    assert system._practises() is started
    if not started:
        return
    try:
        system._start_practice()
        url = system.environ["SWIGGY_REHEARSAL_URL"]
        assert practice.fault_of(url, real="") == ""
        origin = url.removesuffix("/im")
        assert httpx2.get(f"{origin}/healthz").status_code == 200
        assert httpx2.get(f"{origin}/control/ledger").status_code == 403, "nobody tells it anything"
    finally:
        children.stop(system.children.values(), patience=5)


# ---- what it is made of -------------------------------------------------------------------------------------------------


@pytest.mark.promise("P217")
@pytest.mark.parametrize("room", ROWLESS)
def test_the_rooms_of_practice_know_no_room_of_real_orders(room: str) -> None:
    tree = ast.parse((ROOT / "swiggy_instamart" / f"{room}.py").read_text(encoding="utf-8"))
    known = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Import) for alias in node.names}
    known |= {node.module.rpartition(".")[2] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert not known & OF_REAL_ORDERS
    doors = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "mcp"]
    assert set(doors) <= {"built"}, "the door to Swiggy is another one"


@pytest.mark.promise("P217")
def test_whatever_is_declared_is_performed_by_a_call_of_the_same_name() -> None:
    from swiggy_instamart import effects

    assert set(rehearsing.EFFECTS) == set(SwiggyRehearsalMode.effects)
    assert set(effects.EFFECTS) == set(SwiggyOrderMode.effects)


@pytest.mark.promise("P217")
def test_every_call_of_practice_takes_its_shop_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is added for both: whichever shop a call asks for, it is this one, and no sign-in is looked at."""
    from swiggy_instamart import mcp, tokens

    class Asked(BaseException):
        pass

    def real(*_: Any, **__: Any) -> Any:
        raise AssertionError("a call of practice went to the shop of real orders")

    def asked() -> Any:
        raise Asked

    for module, name in ((mcp, "swiggy"), (tokens, "configured"), (tokens, "verdict")):
        monkeypatch.setattr(module, name, real)
    monkeypatch.setattr(practice, "shop", asked)
    monkeypatch.setattr(host, "active_sessions", lambda *_, **__: [])
    fresh = {"said_at": timezone.now().isoformat(), "address": "a1", "before": [], "after": [], "query": "milk"}
    for name in sorted(set(rehearsing.EFFECTS) - AT_NO_SHOP):
        call = Call(name, defaultdict(list, fresh), 1, 1, 1, 1, timezone.now() + timedelta(seconds=9))
        with pytest.raises(Asked):
            rehearsing.perform(call, options=Options())


@pytest.mark.promise("P217", "P220")
def test_it_declares_the_same_order_without_anything_that_lasts() -> None:
    real, mode = SwiggyOrderMode.effects, SwiggyRehearsalMode.effects
    assert set(mode) == set(real) - {"notify"} | {"payment"}
    assert (mode["checkout"].policy, mode["checkout"].phrases) == (Policy.ONCE, listening.CONFIRM_PHRASES)
    assert [name for name, spec in mode.items() if spec.lasting] == []
    assert set(SwiggyRehearsalMode.phases) == set(SwiggyOrderMode.phases)
    assert not any(phase.spending for phase in SwiggyRehearsalMode.phases.values())


def test_no_phrase_of_practice_begins_as_a_real_order_does() -> None:
    from interactions import text

    real = [text.tokens(phrase) for phrase in SwiggyOrderMode.phrases]
    for phrase in map(text.tokens, SwiggyRehearsalMode.phrases):
        assert not any(text.starts_with(phrase, one) or text.starts_with(one, phrase) for one in real)
    assert "swiggy_rehearsal" not in registry.modes()


# ---- its steps ----------------------------------------------------------------------------------------------------------


class Practice(Order):
    """The same dialogue, rehearsed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.mode = SwiggyRehearsalMode(settings, names=("Hermes",))


def practised() -> Practice:
    order = Practice()
    order.to_checkout()
    return order


@pytest.mark.promise("P217")
def test_no_step_of_a_whole_rehearsal_leaves_a_row_a_link_or_a_freeze() -> None:
    order = practised()
    order.settle(PENDING)
    assert order.calls[-1] == "payment"
    order.settle({"paid": True, "total_paise": 26900})
    assert order.last.end == "rehearsed"
    assert "notify" not in order.calls
    for step in order.steps:
        assert (step.rows, step.freeze_s) == ((), None)
        assert all(reply.kind == "interaction.reply" for reply in step.say)
        assert PENDING["link"] not in str(step.say)
    assert "Practice. Instamart order placed successfully." in order.words
    assert "That was practice" in order.words


@pytest.mark.promise("P217")
@pytest.mark.parametrize(
    "outcome",
    [
        Unknown("timeout"),
        {**PENDING, "placing": "placed"},
        {**PENDING, "placing": "split", "parts": []},
        {**PENDING, "paas_id": ""},
    ],
)
def test_however_the_practice_checkout_ends_it_ends_as_practice(outcome: Any) -> None:
    order = practised()
    order.settle(outcome)
    while order.pending is not None:
        order.settle({"paid": False, "total_paise": None})
    assert order.phase == "finished"
    assert order.words.endswith("Say order Swiggy when you mean it.")
    assert all(step.rows == () for step in order.steps)


@pytest.mark.promise("P217")
@pytest.mark.parametrize("outcome", [Refused("store_closed", "The store is closed"), Failed("not_sent")])
def test_a_refusal_is_practised_too(outcome: Any) -> None:
    order = practised()
    order.settle(outcome)
    if order.pending is not None:
        assert order.pending.name == "lookup"
        order.settle({"order": None})
    assert order.phase == "shopping"
    assert order.words.startswith("Practice. ")


@pytest.mark.promise("P217")
@pytest.mark.parametrize("name", ["recovered", "payment", "lookup", "settled", "stray", "awaits"])
def test_what_comes_to_light_of_real_orders_is_none_of_its_business(name: str) -> None:
    order = Practice().to_review()
    order.signal(name, utterance=1, result="paid", placed=True, order_id="X", reviewed_paise=1)
    assert (order.phase, order.last.say, order.last.rows) == ("awaiting_confirmation", (), ())


@pytest.mark.promise("P217", "P132")
def test_practice_wants_the_same_words() -> None:
    order = Practice().to_review(held=cart(line("milk-1", 2)))
    for spoken in ("yes", "confirm the order please", "buy it"):
        order.say(spoken)
        assert "checkout" not in order.calls
    order.say("confirm order")
    assert order.calls[-1] == "recheck"


# ---- beside a real order ------------------------------------------------------------------------------------------------


@pytest.mark.promise("P217")
def test_whatever_leads_to_a_review_from_elsewhere_says_that_it_is_read_back() -> None:
    ways = {row.then for (phase, _), row in machine.TABLE.items() if row.to is Phase.REVIEW and phase is not Phase.REVIEW}
    assert ways == {machine.Then.SAY_REVIEW}
    assert Order().to_review().last.rows == (rows.ReadBack(),)
    assert Practice().to_review().last.rows == ()


@pytest.mark.promise("P217")
@pytest.mark.parametrize("phase", ["to_address", "to_shopping", "to_review", "to_checkout"])
@pytest.mark.parametrize("lang", ["en", "hi"])
def test_a_practice_that_a_real_review_ends_says_why_and_sends_nobody_to_order(phase: str, lang: str) -> None:
    order = Practice()
    getattr(order, phase)()
    order.standing = order.standing_in(lang)
    order.signal("end", by="signal", reason="real_order_in_review")
    somewhere = order.sentence("at.somewhere")
    assert (order.last.end, order.words) == ("real_order_in_review", order.sentence("rehearsal.cut", at=somewhere))
    assert all(reply.data["practice"] for reply in order.last.say)


@pytest.mark.promise("P217")
def test_whoever_else_ends_a_practice_is_told_as_ever() -> None:
    order = Practice().to_review()
    order.signal("end", by="operator")
    assert (order.last.end, order.words.startswith("That was practice")) == ("ended_by_operator", True)
