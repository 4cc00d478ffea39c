"""Words that prove nothing alone and much beside another paper: sums of a year, estimates, releases, steps. Evidence for checks only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Check, Clause, Find, Hit, rule
from redwell.diligence.archetypes.links import RELIEF, YEARLY, sums

_I = re.IGNORECASE


def _outside_contracts(*yes: str, no: Sequence[str]) -> Find:
    """A rule for papers other than the contracts themselves, whose every page speaks of waivers and acceptance."""
    find = rule(*yes, no=no)
    return lambda clause: None if clause.family in _LONG else find(clause)


_LONG = frozenset(["contract", "licence", "lease", "credit", "merger", "charter", "policy", "guarantee", "security", "employment"])  # fmt: skip


def _of_a_year(clause: Clause) -> Hit | None:
    """A sum for a year: fees, sales, charges; not pay, insurance or interest."""
    found = re.search(YEARLY, clause.text, _I)
    if not found or re.search(
        r"salary|bonus|pension|premium|insur|deductible|interest rate|per employee", clause.text, _I
    ):
        return None
    amounts = [amount for amount in sums(clause.text) if amount >= 10_000]
    return (
        Hit({"amount": max(amounts), "currency": (words.money(clause.text) or [(0, "USD")])[0][1]}, found[0])
        if amounts
        else None
    )


def _estimate(clause: Clause) -> Hit | None:
    """What doing something, or doing it again, would cost."""
    if clause.family in _LONG or not sums(clause.text):
        return None
    found = re.search(
        r"\b(?:would|will|could) (?:cost|take|come to)\b|\bestimat\w+|\bput(?:s)? at\b|\bputs?\b[^.;]{0,80}\bat (?=[$€£])|\bonce more\b|\bagain without\b|\bquot(?:es?|ed|ation)\b|\boffers\b|\bfair value\b|\bbook value\b|\bworth\b|\bvalued at\b|\bstruck from the budget|\bceiling\b|\bmaximum\b|\bnot[- ]to[- ]exceed\b|\bdamages to date\b|\bso far\b",
        clause.text, _I,
    )  # fmt: skip
    amounts = [amount for amount in sums(clause.text) if amount >= 1_000]
    return Hit({"amount": max(amounts)}, found[0]) if found and amounts else None


def support(
    identity: str, triggers: tuple[str, ...], find: Find, workstream: str = "Data room integrity", question: str = ""
) -> Archetype:
    """An archetype that is evidence only."""
    return Archetype(
        id=identity, number=0, workstream=workstream, title=identity.replace("_", " ").capitalize(), evidence="direct", severity="Low", why="It is held against other papers.",
        next_step="None by itself.", question=question, triggers=triggers, find=find, support=True,
    )  # fmt: skip


def worked_out(
    identity: str, number: int, workstream: str, title: str, why: str, step: str, protection: str, check: Check, evidence: str = "cross-document", *, quiet: bool = False
) -> Archetype:  # fmt: skip
    """An archetype that is worked out of a case. A `quiet` one reports under a kind that there is already."""
    return Archetype(
        id=identity, number=number, workstream=workstream, title=title, evidence=evidence, severity="Medium", why=why, next_step=step, protection=protection, check=check, support=quiet,
    )  # fmt: skip


ARCHETYPES = (
    support("yearly_sum", ("year", "annual", "annum", "twelve months"), _of_a_year, question="Sums that a contract or product brings in a year (values: amount, currency)"),
    support("estimated_sum", ("cost", "estimat", "put at", "puts ", "once more", "again without", "take us", "quot", "offers", "fair value", "book value", "worth", "valued", "struck from", "ceiling", "maximum", "to-exceed", "damages to date", "so far"), _estimate, question="What something would cost or is worth, estimated or offered (values: amount)"),
    support(
        "relief",
        ("waive", "gives up", "releases ", "consents to", "approves", "joins in", "accept", "declines", "settled", "struck", "deleted", "dissolved", "cancelled", "cured", "executes this", "signed for", "hereby assign", "hereby irrevocably assign", "hereby transfer", "conveys", "we extend", "has paid for", "commercial licen", "in place of the", "perpetual licen", "principal register", "is claimed", "no claim", "will not call", "outside the", "guarantees the same", "save that", "left out of", "makes over", "by this deed"),
        _outside_contracts(RELIEF, no=(r"\bshall not be\b|\bno waiver\b|\bfailure\b[^.;]{0,40}\bwaiver|\bwaivers? (?:of|by)[^.;]{0,30}(?:breach|default|right)s?\b[^.;]{0,40}(?:shall|must|effective)|goods|\bacceptance test|Deliverable|invoice[sd]? (?:is|are)",)),
        question="Waivers, consents, releases, withdrawals and settlements that take a right or a claim away",
    ),
)  # fmt: skip
