"""Rupees as Swiggy writes them become paise, or nothing at all."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swiggy_instamart import money


@pytest.mark.parametrize(
    ("said", "paise"),
    [
        ("₹1,234.50", 123450),
        ("₹257", 25700),
        ("₹ 12,34,567.05", 123456705),
        ("Rs. 99", 9900),
        ("INR 30", 3000),
        ("₹99/-", 9900),
        ("-₹20", -2000),
        ("₹-20.50", -2050),
        ("FREE", 0),
        (" free ", 0),
        (30, 3000),
        (28.5, 2850),
        (269.00000000000006, 26900),
        (Decimal("84.10"), 8410),
        ("0", 0),
    ],
)
def test_what_a_bill_says_is_read_to_the_paisa(said: Any, paise: int) -> None:
    assert money.paise(said) == paise


@pytest.mark.parametrize(
    "said",
    [
        "",
        "₹",
        "abc",
        "1.234,50",
        "₹257 ₹300",
        "12,3",
        None,
        True,
        [],
        {},
        "1e5",
        "₹1.005",
        1.005,
        float("nan"),
        float("inf"),
        10**12,
        "१२",
        "about ₹20",
        "--5",
        "1,,000",
        "9" * 5000,
    ],
)
def test_what_cannot_be_read_is_never_guessed(said: Any) -> None:
    assert money.paise(said) is None


def test_a_total_must_be_a_number_that_is_not_negative() -> None:
    assert (money.total("FREE"), money.total("-₹5"), money.total("₹0")) == (None, None, 0)


@given(st.integers(min_value=0, max_value=10**11))
def test_every_amount_survives_being_written_and_read(paise: int) -> None:
    assert money.paise(f"₹{paise // 100:,}.{paise % 100:02d}") == paise
