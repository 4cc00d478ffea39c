"""`checks`: what is known of diligence, for the cells of a root. Runs in the sandbox; standard library only."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from redwell.diligence.archetypes import direct, integrity, rows, summary, worked
from redwell.diligence.archetypes.addressed import ADDRESSES, VEILED, in_metadata, in_name
from redwell.diligence.archetypes.base import Archetype, Issue
from redwell.diligence.archetypes.case import Case, document_id
from redwell.diligence.archetypes.catalogue import ALL, EVENTS
from redwell.diligence.archetypes.dossier import points
from redwell.diligence.archetypes.families import likely
from redwell.harness.guest.listing import Listing, named
from redwell.harness.guest.room import Document, Span, room

__all__ = ["checks", "deal"]

MOST_HITS = 1_000  # that are asked for at a time
LETTER = 14_000  # characters of a paper that is looked through for its sums and dates
REACH = 600  # characters before and after a word that are looked at, within its line
MOST_OF_A_NAME = 300  # characters of the target's name that the report takes
MOST_WORDS = 40  # that one search looks for

DEAL = "{}"
"""The deal file as JSON. The host sends this source with the run's own value after it."""

deal: dict[str, Any] = {}
"""The deal as the deal file gives it: target, aliases, buyer, seller, structure, price, currency, materiality, dates, focus."""


class Worked(dict[str, Any]):
    """The arguments of `report.add` for one issue, printed as what one reads before adding it."""

    def __repr__(self) -> str:
        exposure = self["exposure"]
        figures = [
            f"{name} {exposure[name]:,.0f}" for name in ("low", "base", "high") if exposure.get(name) is not None
        ]
        cost = ", ".join([exposure.get("currency", ""), *figures]).strip(", ") if figures else "not quantified"
        places = list(dict.fromkeys(each.place for each in self["citations"]))
        more = f" and {len(places) - 3} more" if len(places) > 3 else ""
        return (
            f"{self['severity']} {self['workstream']}: {self['title']}\n        {self['claim']}\n        {cost}: "
            f"{exposure.get('formula') or exposure.get('not_quantified', '')}\n        {'; '.join(places[:3])}{more}"
        )

    __str__ = __repr__


class Issues(Listing[Worked]):
    """All of them, each in full."""

    noun = "issues"

    def __repr__(self) -> str:
        return "\n".join([f"{len(self)} issues:", *(f"  [{place}] {each!r}" for place, each in enumerate(self))])

    __str__ = __repr__


class _Checks:
    """Known issues of due diligence.

    checks.question                    a question for sub-agents that asks for every known issue and fact of a slice
    checks.archetypes(workstream)      what is known: id, title, evidence, severity
    checks.run(findings)               issues worked out of findings: direct, cross-document, absent, computed; each a dict for
                                       report.add(**issue)
    checks.at_once(findings)           those of them that can be added while others are still being read
    checks.tracked(room.documents())   words that tracked changes strike out, each a dict for report.add(**issue)
    checks.addressed(findings)         documents whose text, name or metadata tells a reviewer what to conclude, and which no finding
                                       reports; each a dict for report.add(**issue)
    checks.rows(findings, entries)     lines for report.row(**line): consents, payments, calendar, contracts, and, from the entries,
                                       schedule and contradictions
    checks.missing(findings)           what is referred to or expected and absent, for report.missing(**item)
    checks.none_found(findings, basis, occurs) what the rules found none of, for report.none_found(**item); occurs(pattern) names the
                                       documents in which words stand
    checks.sections(findings, entries) a summary of each workstream, for report.section(workstream, text)
    checks.likeliest(room.documents()) the documents in the order in which they are likely to matter, by their names alone
    checks.summary(findings, entries)  an executive summary of the entries: [(id returned by report.add, issue), ...]
    """

    workstreams = rows.WORKSTREAMS

    @property
    def question(self) -> str:
        return summary.question()

    def archetypes(self, workstream: str = "") -> list[Archetype]:
        return [each for each in ALL if workstream in ("", each.workstream)]

    def case(self, findings: Iterable[Any]) -> Case:
        """The findings put together: documents, parties, revenue, the target. In whatever order they arrived, the issues are the same."""
        return Case(worked.in_order(findings), _deal(), EVENTS)

    def target(self, findings: Iterable[Any]) -> str:
        """The target as the deal file names it, or the party that the documents name most often; empty when it cannot be told."""
        return self.case(findings).target[:MOST_OF_A_NAME]

    def run(self, findings: Iterable[Any]) -> Issues:
        return Issues(run(self.case(findings), naming=_naming))

    def run_one(self, identity: str, findings: Iterable[Any]) -> Issues:
        """The issues of one kind only."""
        return Issues(
            issue for issue in run(self.case(findings), only=identity, naming=_naming) if issue["kind"] == identity
        )

    def at_once(self, findings: Iterable[Any]) -> Issues:
        case = self.case(findings)
        return Issues(as_arguments(issue, case) for issue in direct.at_once(case))

    def rows(self, findings: Iterable[Any], entries: Iterable[Any] | None = None) -> Listing[dict[str, Any]]:
        case = self.case(findings)
        known = [("", issue) for issue in run(self.case(case.findings))] if entries is None else list(entries)
        return named("lines", rows.rows(case, known))

    def tracked(self, documents: Iterable[Any]) -> Issues:
        """Words that tracked changes strike from the documents."""
        case = self.case(())
        return Issues(as_arguments(issue, case) for issue in integrity.tracked(documents, _text))

    def addressed(self, findings: Iterable[Any] = ()) -> Issues:
        """What addresses reviewers, looked for by rules in the whole room: a model that obeyed it would not have reported it."""
        known = {document_id(f) for f in findings if f.kind == "reviewer_instruction" and f.holds}
        telling = {document.id for pattern in (ADDRESSES, VEILED) for document in _matching(pattern)}
        documents = [
            each
            for each in room
            if each.id in telling
            or "tracked_changes" in each.metadata
            or any(map(in_name, each.paths))
            or in_metadata(each.metadata)
        ]
        case = self.case(())
        return Issues(as_arguments(issue, case) for issue in integrity.addressing(documents, known, _text))

    def missing(self, findings: Iterable[Any]) -> Listing[dict[str, Any]]:
        return named("missing items", rows.missing(self.case(findings)))

    def none_found(
        self, findings: Iterable[Any], basis: str = "", occurs: Callable[[str], Iterable[str]] | None = None
    ) -> Listing[dict[str, Any]]:
        return named("statements", rows.none_found(self.case(findings), basis, occurs))

    def sections(self, findings: Iterable[Any], entries: Iterable[Any]) -> dict[str, str]:
        return summary.sections(self.case(findings), list(entries))

    def likeliest(self, documents: Iterable[Document]) -> Listing[Document]:
        """For who cannot read everything: disclosure schedules, cap tables and debt first, what the name says nothing of last."""
        return named("documents", sorted(documents, key=lambda each: (likely(each.path), each.path)))

    def summary(self, findings: Iterable[Any], entries: Iterable[Any]) -> str:
        return summary.executive(self.case(findings), list(entries))

    def __repr__(self) -> str:
        return f"{len(ALL)} known kinds of issue.\n{self.__doc__}"


def _text(document: Any, view: str) -> str:
    return Span(document, 0, 10**9, view).text


def _matching(pattern: str) -> list[Document]:
    """The documents that a pattern matches; one that it matches without end must not crowd out others."""
    found: list[Document] = []
    left = [document for document in room if document.length]
    while left:
        hits = room.grep(pattern, documents=left, limit=MOST_HITS)
        found += dict.fromkeys(hit.document for hit in hits)
        if len(hits) < MOST_HITS:
            break
        left = [document for document in left if document not in set(found)]
    return found


def run(
    case: Case, only: str = "", naming: Callable[[list[str]], Iterable[tuple[str, str]]] | None = None
) -> list[Worked]:
    """The issues of a case, each printed as what one reads before adding it."""
    return [Worked(issue) for issue in worked.run(case, only, naming)]


def _naming(words: list[str]) -> list[tuple[str, str]]:
    """(document id, line) of every line of the room in which one of the words stands, and of what letters that are called after one come to."""
    lines: dict[tuple[str, int], str] = {}
    texts: dict[str, str] = {}
    for first in range(0, len(words), MOST_WORDS):
        some = "|".join(map(re.escape, words[first : first + MOST_WORDS]))
        for hit in room.grep(rf"\b(?:{some})\b", limit=MOST_HITS):
            text = texts.setdefault(hit.document.id, hit.document.text)
            start = max(text.rfind("\n", 0, hit.start) + 1, hit.start - REACH)
            end = text.find("\n", hit.start)
            lines[hit.document.id, start] = text[start : min(end if end >= 0 else len(text), hit.start + REACH)]
    found = [(identity, line) for (identity, _), line in lines.items()]
    known = set(words)
    for document in room:
        if 0 < document.length <= LETTER and known.intersection(
            re.findall(r"[a-z]{3,}|\w*\d\w*", document.path.rsplit("/", 1)[-1].casefold())
        ):
            found += [(document.id, line) for line in points(document.text)]
    return found


def as_arguments(issue: Issue, case: Case) -> Worked:
    return Worked(worked.as_arguments(issue, case))


def _deal() -> dict[str, Any]:
    given: dict[str, Any] = json.loads(DEAL)
    deal.update(given)
    return given


checks = _Checks()
