"""The sandbox's pure rooms: catalogue, bills, tokens, rules; and its page, which must say what the code does."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path

import pytest

from swiggy_instamart.sandbox import catalogue, faults, money, protocol, reference, seed, state, tools_search, world

ROOM = Path(catalogue.__file__).parent


def test_at_least_three_hundred_variants_are_sold_and_each_has_its_own_ids() -> None:
    every = [item for product in catalogue.products() for item in product.items]
    assert len(every) >= 300
    assert len(catalogue.items()) == len(every)
    assert len({product.id for product in catalogue.products()}) == len(catalogue.products())
    assert len({catalogue.sku(item.spin, store=store) for item in every for store in ("S1", "S2")}) == 2 * len(every)


def test_every_variant_costs_something_and_never_more_than_is_printed_on_it() -> None:
    for item in catalogue.items().values():
        assert 0 < item.offer <= item.mrp, item
        assert item.cap >= 1, item


def test_the_stock_has_sponsored_missing_capped_and_store_bound_rows() -> None:
    every = list(catalogue.items().values())
    assert sum(product.promoted for product in catalogue.products()) >= 8
    assert sum(item.out_in == {"S1", "S2"} for item in every) >= 20
    assert sum(item.out_in == {"S2"} for item in every) >= 20
    assert sum(item.cap < catalogue.DEFAULT_CAP for item in every) >= 20
    assert any(item.offer % 100 for item in every)  # paise
    assert set(tools_search.GO_TO) <= {product.name for product in catalogue.products()}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("toned milk", "Nandini Toned Milk"),
        ("Onions", "Fresho Onion"),
        ("doodh", "Nandini Toned Milk"),
        ("amul butter", "Amul Salted Butter"),
        ("1 litre milk", "Nandini Toned Milk"),
        ("parle-g", "Parle Parle-G Gluco Biscuits"),
        ("haldirams bhujia", "Haldiram's Aloo Bhujia"),
        ("tomatoes", "Fresho Tomato Hybrid"),
        ("idly batter", "iD Idli Dosa Batter"),
    ],
)
def test_words_find_what_they_name(query: str, first: str) -> None:
    organic = [product.name for product in catalogue.search(query) if not product.promoted]
    assert organic[0] == first


@pytest.mark.parametrize("query", ["", "zebra", "500 ml", "two", "''", "🥛"])
def test_words_that_name_nothing_find_nothing(query: str) -> None:
    assert catalogue.search(query) == ()


@pytest.mark.parametrize(
    ("item_total", "to_pay"),
    [(2400, 8400), (9899, 15900), (9900, 14500), (9999, 14600), (10000, 12600), (19899, 22500), (19900, 20900), (20000, 21300)],
)
def test_fees_depend_on_the_total_and_the_sum_is_rounded_up(item_total: int, to_pay: int) -> None:
    assert money.round_up(item_total + sum(fee for _, fee in world.fees(item_total))) == to_pay


@pytest.mark.parametrize(
    ("paise", "number", "text", "exact"),
    [
        (2800, 28, "₹28", "₹28.00"),
        (2750, 27.5, "₹27.50", "₹27.50"),
        (123400, 1234, "₹1,234", "₹1,234.00"),
        (-500, -5, "-₹5", "-₹5.00"),
    ],
)
def test_money_has_the_forms_of_the_field(paise: int, number: float, text: str, exact: str) -> None:
    assert (money.number(paise), money.text(paise), money.text(paise, decimals=True)) == (number, text, exact)


def test_the_pair_of_files_is_private_and_its_token_is_let_in(tmp_path: Path) -> None:
    directory = tmp_path / "deep" / "swiggy"
    access = seed.write_tokens(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert sorted(path.name for path in directory.iterdir()) == ["client.json", "tokens.json"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()} == {0o600}
    stored = json.loads((directory / "tokens.json").read_text())
    assert (stored["access_token"], stored["expires_in"], stored["refresh_token"]) == (access, 432000, None)
    claims = seed.claims(access)
    assert claims is not None
    assert claims["exp"] - time.time() == pytest.approx(432000, abs=5)
    assert access.count(".") == 2


def test_an_expired_pair_says_when_it_ended_and_a_changed_token_is_nobodys(tmp_path: Path) -> None:
    access = seed.write_expired_tokens(tmp_path, ago_s=60)
    claims = seed.claims(access)
    assert claims is not None
    assert claims["exp"] < time.time()
    assert seed.claims(access[:-2] + "xx") is None
    assert seed.claims("a.b.c") is None


def test_a_rule_counts_only_the_calls_it_is_for() -> None:
    rules = [faults.Rule(tool="get_cart", kind="drop", nth=2), faults.Rule(kind="slow", times=1)]
    struck = [
        [rule.kind for rule in faults.pick(rules, method="tools/call", tool=tool)]
        for tool in ("get_cart", "checkout", "get_cart", "get_cart")
    ]
    assert struck == [["slow"], [], ["drop"], []]
    assert faults.pick([faults.Rule(kind="drop")], method="tools/list", tool=None) == []


def test_the_sixteen_served_tools_and_no_other() -> None:
    assert len(protocol.TOOLS) == 16
    for tool in protocol.TOOLS.values():
        schema = tool.schema()
        assert set(schema["required"]) <= set(schema["properties"])


def test_a_world_without_a_directory_writes_nothing_and_one_with_it_finds_itself_again(tmp_path: Path) -> None:
    first = world.World(data=tmp_path / "data")
    first.state.cart.lines.append(state.Line(spin="S", sku="K", quantity=2))
    for n in (1, 2):
        first.state.calls.append(state.Call(n=n, tool="get_cart", arguments={}, at=1.0))
        first.commit(first.state.calls[-1])
    first.state.calls[0].outcome = "done"
    first.commit(first.state.calls[0])
    assert world.World(data=tmp_path / "data").state == first.state
    with (tmp_path / "data" / "calls.jsonl").open("a") as file:
        file.write('{"n": 3, "to')  # torn by a kill
    again = world.World(data=tmp_path / "data")
    assert len(again.state.calls) == 2
    again.state.calls.append(state.Call(n=3, tool="get_cart", arguments={}, at=2.0))
    again.commit(again.state.calls[-1])
    assert len(world.World(data=tmp_path / "data").state.calls) == 3
    world.World().commit()
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["calls.jsonl", "sandbox.json"]


def test_a_damaged_journal_is_named_and_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "sandbox.json").write_text("{}")
    with pytest.raises(SystemExit, match="delete it to start anew"):
        world.World(data=tmp_path)
    assert (tmp_path / "sandbox.json").read_text() == "{}"


def test_the_page_says_what_the_code_does() -> None:
    text = reference.PAGE.read_text(encoding="utf-8")
    assert reference.page(text) == text, "docs/sandbox.md is behind: run python -m swiggy_instamart.sandbox.reference"


def test_no_room_of_the_sandbox_is_longer_than_250_lines() -> None:
    long = {path.name: count for path in ROOM.glob("*.py") if (count := len(path.read_text().splitlines())) > 250}
    assert not long
