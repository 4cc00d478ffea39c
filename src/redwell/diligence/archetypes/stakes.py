"""Whether the deal sets a clause off, whose money is at stake, and how words and days are said. Standard library only."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from redwell.diligence.archetypes.case import SEVERITIES, Case, Doc

MOST_SAID = 600  # characters of a quote within a claim

_SETS_OFF = {
    "share purchase": {"control", "shares"},
    "merger": {"control", "shares", "merger"},
    "asset purchase": {"control", "assets"},
}
"""What a structure is, in the words of clauses: who buys shares neither merges the target nor takes over its assets."""


def reached(case: Case, finding: Any) -> bool:
    """Whether the chosen structure is an event that the clause names. Without a structure, or without named events, it is taken to be."""
    events = set(str(finding.values.get("events", "")).split())
    known = _SETS_OFF.get(str(case.deal.get("structure") or ""))
    return not events or known is None or bool(events & known)


def stake(case: Case, about: Doc | Any) -> str:
    """The one name of a contract's yearly money, so that it counts once however many clauses put it at risk. Takes a document or a row."""
    row = case.row_of(about) if isinstance(about, Doc) else about
    return f"{row.values['customer'] if row is not None else case.counterparty(about)}: revenue"


def graded(case: Case, severity: str, amount: float | None, contingent: bool) -> str:
    """The more serious of what is said and what the sum is worth by the rule for the price; one step less for money that nothing in the deal
    sets off and no one yet claims."""
    if not case.deal.get("price") or not amount:
        return severity
    by_sum = SEVERITIES.index(case.grade(amount)) + contingent
    return SEVERITIES[min(SEVERITIES.index(severity), by_sum)]


def said(finding: Any) -> str:
    """The finding's own words, unaltered but for line breaks. Longer ones end at the last clause that fits."""
    if not finding.citations:
        return str(finding.claim)
    quote = " ".join(finding.citations[0].quote.split())
    if len(quote) <= MOST_SAID:
        return quote
    edge = max(quote.rfind(mark, 200, MOST_SAID) for mark in ("; ", ". ", ", "))
    return quote[: edge + 1 if edge > 0 else quote.rfind(" ", 0, MOST_SAID)].rstrip(" ,")


def where(doc: Doc) -> str:
    """A document in running text: its title and its file, or its file alone."""
    title = doc.title if doc.title and len(doc.title) < 90 and doc.title != doc.name else ""
    return f"{title} ({doc.name})" if title else doc.name


def between(case: Case, doc: Doc) -> str:
    """With whom: the other side, or, where no one knows which side the target is, both."""
    names = [str(party["name"]) for party in doc.parties[:2]]
    return " and ".join(names) if not case.target and len(names) > 1 else case.counterparty(doc)


def holder_of_rights(case: Case, doc: Doc, finding: Any) -> str:
    """Whose right a term is. In a table of capital it is the class that the heading names, and never the buyer."""
    if doc.family != "cap_table":
        return case.counterparty(doc)
    series = re.search(r"Series [A-Z]\d?(?: Preferred)?", f"{finding.values.get('heading', '')} {said(finding)}")
    return f"The holders of {series[0]}" if series else "The preferred holders"


def day_said(day: date | str | None) -> str:
    """A day as a lawyer writes it: 1 April 2026. A text that is no ISO date stays as it is."""
    if isinstance(day, str):
        try:
            day = date.fromisoformat(day[:10])
        except ValueError:
            return str(day)
    return f"{day.day} {day:%B %Y}" if day else ""
