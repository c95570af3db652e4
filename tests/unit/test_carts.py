"""Cart arithmetic: edits become exact full replacements, and no line is lost, invented or doubled on the way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swiggy_instamart import carts, searches
from swiggy_instamart.answers import CartLine, Reduced, Variant
from swiggy_instamart.carts import Line, UnfitError

LINES = st.lists(
    st.builds(
        Line,
        spin=st.sampled_from(["a", "b", "c", "d"]),
        sku=st.just("k"),
        name=st.sampled_from(["Milk", "Bread", "Eggs"]),
        size=st.just("1 L"),
        quantity=st.integers(1, 5),
    ),
    max_size=3,
)


def one(spin: str = "a", quantity: int = 1, **more: Any) -> Line:
    return Line(**{"spin": spin, "sku": f"k-{spin}", "name": f"Thing {spin}", "size": "1 L", "quantity": quantity} | more)


def add(line: Line) -> dict[str, Any]:
    return {"kind": "add", "lines": carts.dump([line])}


def put(quantity: int, *queries: str, spin: str | None = None) -> dict[str, Any]:
    return {"kind": "set", "quantity": quantity, "queries": list(queries)} | ({"spin": spin} if spin else {})


@pytest.mark.promise("P114")
@given(LINES, st.integers(1, 5))
def test_adding_raises_one_line_and_keeps_every_other(lines: list[Line], quantity: int) -> None:
    before = carts.counts(lines)
    after = carts.counts(carts.merge(lines, add(one("a", quantity))))
    assert after == before | {"a": before.get("a", 0) + quantity}


@given(LINES)
def test_a_replacement_of_itself_is_the_same_cart(lines: list[Line]) -> None:
    assert carts.same(carts.load(carts.dump(lines)), lines)
    assert not carts.difference(lines, lines)


@given(LINES, LINES)
def test_a_difference_names_exactly_the_lines_that_differ(meant: list[Line], found: list[Line]) -> None:
    gap = carts.difference(meant, found)
    assert bool(gap) is not carts.same(meant, found)
    wanted, there = carts.counts(meant), carts.counts(found)
    assert {line.spin for line in gap.missing} == set(wanted) - set(there)
    assert {line.spin for line in gap.foreign} == set(there) - set(wanted)
    assert {line.spin: (is_, was) for line, was, is_ in gap.changed} == {
        spin: (there[spin], wanted[spin]) for spin in set(wanted) & set(there) if wanted[spin] != there[spin]
    }


@pytest.mark.promise("P113")
@pytest.mark.parametrize(("quantity", "code"), [(21, "too_many"), (-1, "too_few")])
def test_a_count_out_of_range_is_refused(quantity: int, code: str) -> None:
    with pytest.raises(UnfitError) as refused:
        carts.merge([one("a")], put(quantity, spin="a"))
    assert refused.value.code == code


@pytest.mark.promise("P113", "P115")
def test_zero_removes_and_another_count_replaces() -> None:
    held = [one("a", 2), one("b")]
    assert carts.counts(carts.merge(held, put(0, spin="a"))) == {"b": 1}
    assert carts.counts(carts.merge(held, put(5, "thing b"))) == {"a": 2, "b": 5}
    assert carts.counts(carts.merge(held, put(0, "thing a", "thing b"))) == {}


def test_a_line_that_is_not_there_or_not_alone_is_refused_by_name() -> None:
    held = [one("a", name="Amul Milk"), one("b", name="Nandini Milk")]
    for edit, code in ((put(0, "milk"), "several_lines"), (put(0, "eggs"), "no_such_line"), (put(0, spin="x"), "no_such_line")):
        with pytest.raises(UnfitError) as refused:
            carts.merge(held, edit)
        assert refused.value.code == code
    assert carts.counts(carts.merge(held, put(0, "amul"))) == {"b": 1}


@pytest.mark.parametrize("broken", [{"spin": ""}, {"sku": ""}, {"quantity": 0}])
def test_a_cart_with_a_line_that_cannot_be_written_back_is_not_replaced(broken: dict[str, Any]) -> None:
    with pytest.raises(UnfitError) as refused:
        carts.merge([one("b", **broken) if "spin" not in broken else one("")], add(one("a")))
    assert refused.value.code == "unwritable"


def test_two_rows_of_one_variant_count_as_one_line() -> None:
    assert carts.counts(carts.merge([one("a", 2), one("a", 1)], add(one("a", 1)))) == {"a": 4}


@pytest.mark.promise("P134")
def test_the_fingerprint_changes_with_address_line_count_and_total_and_with_nothing_else() -> None:
    held = [one("a", 2), one("b")]
    print_ = carts.fingerprint("home__t", held, 26900)
    assert print_ == carts.fingerprint("home", list(reversed(held)), 26900)
    assert print_ == carts.fingerprint("home", [one("a", 2, name="Renamed"), one("b")], 26900)
    others = [
        carts.fingerprint("office", held, 26900),
        carts.fingerprint("home", [one("a", 3), one("b")], 26900),
        carts.fingerprint("home", [one("a", 2)], 26900),
        carts.fingerprint("home", [one("a", 2), one("b", sku="other")], 26900),
        carts.fingerprint("home", [one("a", 2), one("b", available=False)], 26900),
        carts.fingerprint("home", held, 26901),
    ]
    assert print_ not in others
    assert len(set(others)) == len(others)


# ---- searches -----------------------------------------------------------------------------------------------------------


def found(spin: str, **more: Any) -> Variant:
    row: dict[str, Any] = {"spin": spin, "sku": "k", "product": "p", "name": f"Milk {spin}", "brand": "B", "size": "1 L"}
    return Variant(**row | {"price_paise": 100, "mrp_paise": 110, "in_stock": True} | more)


@pytest.mark.promise("P109", "P110")
def test_samples_are_merged_once_each_organic_first_and_what_is_out_of_stock_dropped() -> None:
    samples = [
        [found("ad", promoted=True), found("a"), found("gone", in_stock=False)],
        [found("a"), found("b"), found("ad", promoted=True)],
        [found("c"), found("no-sku", sku="")],
    ]
    assert [row["spin"] for row in searches.merge(samples)] == ["a", "b", "c", "ad"]


@pytest.mark.promise("P110")
@pytest.mark.parametrize(
    ("wished", "names", "expected"),
    [
        ("onions", ["Cream & Onion Chips", "Onion", "Onion Rings Namkeen", "Red Onions"], [1, 3, 0, 2]),
        ("onion chips", ["Cream & Onion Chips", "Onion"], [0, 1]),
        ("milk", ["Milk Plus Bread", "Toned Milk", "Milk Powder", "Milk Chocolate"], [1, 2, 0, 3]),
        ("butter", ["Buttermilk", "Peanut Butter", "Butter Cookies", "Salted Butter"], [1, 3, 0, 2]),
        ("potatoes", ["Potato", "French Fries"], [0, 1]),
        ("chillies", ["Green Chilli", "Chilli Sauce"], [0, 1]),
        ("unobtainium", ["Chips", "Bread"], [0, 1]),
    ],
)
def test_what_only_has_the_wish_in_its_name_is_offered_last(wished: str, names: list[str], expected: list[int]) -> None:
    sample = [found(str(n), name=name) for n, name in enumerate(names)]
    assert [int(row["spin"]) for row in searches.merge([sample], wished=wished)] == expected
    promoted = searches.merge([[found("ad", name="Onion", promoted=True), found("a", name="Onion Chips")]], wished="onions")
    assert [row["spin"] for row in promoted] == ["a", "ad"]


@pytest.mark.promise("P110")
def test_a_variant_that_is_also_found_unpromoted_is_organic() -> None:
    assert [row["promoted"] for row in searches.merge([[found("a", promoted=True)], [found("a")]])] == [False]


def test_a_report_names_each_line_once_by_the_shops_own_words_first() -> None:
    meant = [one("a", 5), one("b", 2), one("c", 1), one("d", 3)]
    is_ = [one("a", 4), one("d", 1), one("x", 1)]
    removed = [CartLine("b", "k", "Thing b", "1 L", 0)]
    report = searches.report(meant, is_, removed=removed, reduced=[Reduced("a", "Thing a", 5, 4)])
    assert report == {
        "removed": [{"name": "Thing b 1 L", "quantity": 2}],
        "missing": [{"name": "Thing c 1 L", "quantity": 1}],
        "reduced": [{"name": "Thing a 1 L", "meant": 5, "is": 4}],
        "changed": [{"name": "Thing d 1 L", "meant": 3, "is": 1}],
        "foreign": [{"name": "Thing x 1 L", "quantity": 1}],
    }
