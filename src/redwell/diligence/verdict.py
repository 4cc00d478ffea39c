"""What the first page says of the whole: the view on the deal and the money at risk, both by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redwell.diligence.report import Basis, Entry, Exposure
from redwell.diligence.wording import money, percent

LEAST_FOR_A_VIEW = 0.5  # of the readable text; with less read, neither a view nor a "none found" is printed


def view(entries: Sequence[Entry], coverage: float) -> str:
    """A rule, not a judgement: what was read and the highest severity decide."""
    if coverage < LEAST_FOR_A_VIEW:
        return f"No view can be given: only {percent(coverage)} of the readable text was read."
    said = "No red flag was found in what was read; see what this rests on."
    if worst := [e for e in entries if e.severity == "Critical"]:
        plural = "s" if len(worst) > 1 else ""
        said = f"Proceed only on conditions: {len(worst)} critical issue{plural} must be resolved or priced before signing."
    elif any(e.severity == "High" for e in entries):
        said = "Proceed with protections: high issues need a condition, an indemnity or a price adjustment."
    elif entries:
        said = (
            "Nothing found in what was read stands in the way of the deal; the points below need ordinary protection."
        )
    if coverage < 1:
        said = f"Provisional, on the {percent(coverage)} of the text that was read. {said}"
    return said


def totals(entries: Sequence[Entry]) -> list[str]:
    """Sums by currency; issues over the same money count once, with the largest figure."""
    largest: dict[tuple[str, str], Exposure] = {}
    for entry in entries:
        exposure = entry.exposure
        key = (exposure.currency, exposure.of.casefold() or entry.id)
        if exposure.base is not None and exposure.base > (largest[key].base or 0.0 if key in largest else -1.0):
            largest[key] = exposure
    out = []
    for currency in sorted({currency for currency, _ in largest}):
        counted = [exposure for (of, _), exposure in largest.items() if of == currency]
        low, base, high = (sum(getattr(e, name) or 0.0 for e in counted) for name in ("low", "base", "high"))
        span = "" if low == high else f" (low {money(low, currency)}, high {money(high, currency)})"
        out.append(f"{money(base, currency)}{span}")
    return out


def shown_line(basis: Basis) -> str:
    """What a slow language model was shown of the text, and who read the rest."""
    return (
        f"The language model {basis.models.get('sub', '')} was shown {percent(basis.shown)} of the readable text: passages that rules "
        f"picked by the words in them. The other {percent(basis.coverage - basis.shown)} that was read was read by rules alone, which find "
        "known patterns: what is worded in an unusual way there can have been missed."
    )


def read_share(document: dict[str, Any]) -> str:
    """How much of a document was read, and how much of it by rules alone where a language model was there to read it."""
    by_rules = document.get("by_rules", 0.0)
    return percent(document["read"]) + (f", {percent(by_rules)} by rules alone" if by_rules else "")
