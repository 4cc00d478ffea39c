"""Figures, dates and lists as papers write them. The same value in several forms is one of the ways in which wordings differ."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def money(amount: float, currency: str = "USD") -> str:
    """`$12,400,000`; cents only when there are some."""
    digits = f"{amount:,.0f}" if float(amount).is_integer() else f"{amount:,.2f}"
    return _SIGNS[currency] + digits if currency in _SIGNS else f"{currency} {digits}"


def millions(amount: float, currency: str = "USD") -> str:
    """`$12.4 million`, with as many decimals as the amount needs, three at most (amounts to the thousand lose nothing)."""
    digits = f"{amount / 1e6:,.3f}".rstrip("0").rstrip(".")
    return (_SIGNS.get(currency) or f"{currency} ") + f"{digits} million"


def thousands(amount: float) -> str:
    """`12,400`, for a table that says it is in thousands."""
    return f"{amount / 1e3:,.0f}"


def spelled(number: int) -> str:
    """A whole number below one million in words: `ninety`, `one hundred and eighty`."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, one = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[one]}" if one else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_ONES[hundreds]} hundred" + (f" and {spelled(rest)}" if rest else "")
    whole, rest = divmod(number, 1000)
    joint = " and " if 0 < rest < 100 else " "
    return f"{spelled(whole)} thousand" + (f"{joint}{spelled(rest)}" if rest else "")


def both(number: int) -> str:
    """`ninety (90)`, as contracts write it."""
    return f"{spelled(number)} ({number})"


def percent(value: float) -> str:
    """`12.5%`, without decimals that say nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"


def us_date(day: date) -> str:
    """`March 3, 2024`."""
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"


def day_month(day: date) -> str:
    """`3 March 2024`."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def month_year(day: date) -> str:
    """`March 2024`."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def ordinal(number: int) -> str:
    """`1st`, `22nd`, `13th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def listed(names: Sequence[str]) -> str:
    """`A, B and C`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def years_after(day: date, years: int) -> date:
    """The same day of another year; 29 February becomes the 28th."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def months_after(day: date, months: int) -> date:
    """The same day of a later month, or the month's last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for number in range(day.day, 27, -1):
        try:
            return date(year, month + 1, number)
        except ValueError:
            continue
    return date(year, month + 1, day.day)
