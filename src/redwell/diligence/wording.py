"""Figures and dates as a report writes them."""

from __future__ import annotations

from datetime import date
from typing import Any

from redwell.diligence.report import Exposure
from redwell.journal.shown import shortened


def money(value: float, currency: str) -> str:
    """`$12.4M`, `EUR 350,000`: three significant figures from a million up, whole units below."""
    sign = {"USD": "$", "EUR": "€", "GBP": "£"}.get(currency, currency + " ")
    for size, letter in ((1e9, "bn"), (1e6, "M")):
        if value >= size:
            figure = f"{value / size:.3g}" if value / size < 1000 else f"{value / size:,.0f}"
            return f"{sign}{figure}{letter}"
    return f"{sign}{value:,.0f}"


def exposure_line(exposure: Exposure) -> str:
    if exposure.base is None:
        return "Not quantified: " + exposure.not_quantified.rstrip(".") + "."
    base = money(exposure.base, exposure.currency)
    if exposure.low == exposure.high:
        return f"{base} = {exposure.formula}" if exposure.formula else base
    low, high = money(exposure.low or 0.0, exposure.currency), money(exposure.high or 0.0, exposure.currency)
    return f"{base} (between {low} and {high}): {exposure.formula}"


def spoken(day: date | str | None) -> str:
    """A date as a reader writes it: 2 March 2026. Empty when there is none."""
    if not day:
        return ""
    if isinstance(day, str):
        day = date.fromisoformat(day)
    return f"{day.day} {day:%B %Y}"


def percent(share: float) -> str:
    """`100%` only when it is all; `99.9%` for the last bit short of it."""
    if share >= 1:
        return "100%"
    return f"{min(share * 100, 99.9):.1f}%"


def resumed_line(times: int, calls: int) -> str:
    """What interruptions did to the figures of a run: `calls` were out at one of them."""
    said = f"The run was interrupted and gone on with {_times(times)}. "
    if not calls:
        return said + "No call was out then."
    which = "1 call was" if calls == 1 else f"{calls:,} calls were"
    return said + (
        f"{which} out then. What is counted above are the requests whose answers were kept; what was charged for a request whose answer "
        "was lost is in no figure:"
    )


def sent_again_line(call: dict[str, Any]) -> str:
    """One call that was out at an interruption, as `Basis.sent_again` has it."""
    again = f"sent again {_times(call['times'])} under the same key" if call["times"] else "not sent again"
    return f"{call['role']} {call['call']}, {shortened(call['purpose'], 120)}: {again}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")
