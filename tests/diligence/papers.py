"""A room of a few texts, read by the embedded reader and put together as a case, without a store or a sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.catalogue import EVENTS
from redwell.diligence.guest import checks
from redwell.diligence.reader import read_text
from redwell.room.quotes import check

TARGET = "Larkfield Instruments, Inc."


@dataclass
class Cited:
    quote: str
    document: str
    holds: bool


@dataclass
class Found:
    kind: str
    claim: str
    values: dict[str, Any]
    citations: list[Cited]
    document: str


def findings(papers: dict[str, str]) -> list[Found]:
    """What the reader says of each paper, every quote really looked for in its text."""
    return [
        Found(
            each["kind"],
            each["claim"],
            each["values"],
            [Cited(q["text"], path, check(text, q["text"], document=path).holds) for q in each["quotes"]],
            path,
        )
        for path, text in papers.items()
        for each in read_text(text, path=path)
    ]


def case(papers: dict[str, str], **deal: Any) -> Case:
    return Case(findings(papers), {"target": TARGET, "currency": "USD", **deal}, EVENTS)


def issues(papers: dict[str, str], **deal: Any) -> dict[str, dict[str, Any]]:
    """The issues by kind; the first of each."""
    found: dict[str, dict[str, Any]] = {}
    for issue in checks.run(case(papers, **deal)):
        found.setdefault(issue["kind"], issue)
    return found


def contract(
    body: str,
    *,
    title: str = "MASTER SERVICES AGREEMENT",
    other: str = "Belmont Process Corporation",
    dated: str = "January 1, 2025",
) -> str:
    """A signed contract in which the target is Provider and the other side Customer."""
    return (
        f'{title}\n\nThis Agreement is made as of {dated} between {TARGET}, a Delaware corporation ("Provider"), and {other}, a Texas corporation ("Customer").\n\n'
        f"{body}\n\nIN WITNESS WHEREOF the parties have signed.\n\n{TARGET}\nBy: /s/ A. Signatory\n\n{other}\nBy: /s/ B. Signatory\n"
    )


REVENUE = """ARR SCHEDULE

As of 2026-03-01

Customer | Annual recurring revenue | Share of total ARR
Belmont Process Corporation | $9,300,000 | 31.0%
Kestrel Water Utilities, LLC | $5,100,000 | 17.0%
Orbis Analytical GmbH | $600,000 | 2.0%
Other customers (64 accounts) | $15,000,000 | 50.0%
Total | $30,000,000 | 100.0%
"""
