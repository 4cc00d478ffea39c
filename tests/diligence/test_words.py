"""Sums, periods, dates and parties in legal prose."""

from __future__ import annotations

from datetime import date

import pytest

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.case import alike, bare


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an annual fee of US $12,400,000 (the fee)", [(12_400_000.0, "USD")]),
        ("$41.2M and EUR 3,000,000", [(41_200_000.0, "USD"), (3_000_000.0, "EUR")]),
        ("£2.5 million", [(2_500_000.0, "GBP")]),
        ("Section 12.3 and 50 percent", []),
    ],
)
def test_sums(text: str, expected: list[tuple[float, str]]) -> None:
    assert words.money(text) == expected


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("upon thirty (30) days' prior written notice", 30),
        ("not less than sixty days", 60),
        ("within three (3) months", 90),
        ("a one (1)-year term", 365),
        ("promptly", None),
    ],
)
def test_periods_in_days(text: str, days: int | None) -> None:
    assert words.days(text) == days


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as of January 1, 2025", date(2025, 1, 1)),
        ("on 31 December 2027", date(2027, 12, 31)),
        ("the 5th day of May, 2014", date(2014, 5, 5)),
        ("2026-03-31", date(2026, 3, 31)),
        ("3/15/99", date(1999, 3, 15)),
    ],
)
def test_dates(text: str, expected: date) -> None:
    assert words.dates(text) == [expected]


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert words.dates("February 30, 2024") == []


def test_months_are_added_to_the_last_day_there_is() -> None:
    assert words.add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert words.add_months(date(2025, 3, 1), 24) == date(2027, 3, 1)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("2.1 Distributor shall purchase Products.", "Distributor"),
        (
            "During the term neither Supplier nor any of its Affiliates shall sell goods.",
            "Supplier nor any of its Affiliates",
        ),
        ("Notwithstanding the foregoing, the Customer may terminate.", "Customer"),
        ("Neither party may assign this Agreement.", "Neither party"),
    ],
)
def test_who_is_bound(text: str, who: str) -> None:
    assert words.actor(text) == who


def test_names_are_the_same_but_for_legal_form_and_case() -> None:
    assert alike("Harbor Foods Distribution, LLC", "HARBOR FOODS DISTRIBUTION")
    assert alike("Tidewater Distribution N.V.", "Tidewater Distribution N.V. (BE)")
    assert alike("Cobalt Retail Group", "Cobalt Retail Group, Inc.")
    assert not alike("Harbor Foods", "Harbor Equipment Finance Corp.")
    assert not alike("", "Acme, Inc.")
    assert bare("Acme, Inc.") == "acme"
