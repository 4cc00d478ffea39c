"""Issues worked out of a case, as the arguments of `report.add`. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from redwell.diligence.archetypes import direct, dossier, summary
from redwell.diligence.archetypes.base import Issue
from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.catalogue import ALL, BY_ID
from redwell.diligence.archetypes.dossier_kinds import DOSSIERS
from redwell.diligence.archetypes.stakes import graded


def run(case: Case, only: str = "", naming: dossier.Naming | None = None) -> list[dict[str, Any]]:
    """Checks first, so that what they use is not said again as a direct finding; then the direct findings, put together. `naming` finds the lines of the room in which a subject is named."""
    issues: list[Issue] = []
    for archetype in ALL:
        if archetype.check is not None and only in ("", archetype.id):
            issues += archetype.check(case)
    issues += dossier.issues(
        case,
        [each for each in DOSSIERS if only in ("", each.kind)],
        issues,
        {key: each.number for key, each in BY_ID.items()},
        naming,
    )
    issues += direct.issues(case, only)
    worked = [as_arguments(issue, case) for issue in issues]
    return sorted(worked, key=lambda issue: summary.rank(issue["severity"]))


def as_arguments(issue: Issue, case: Case) -> dict[str, Any]:
    """The arguments of `report.add`; what the issue leaves empty is its archetype's."""
    archetype = BY_ID[issue.kind]
    return {
        "title": issue.title[:200],
        "claim": issue.claim,
        "citations": [part for part in issue.parts if part is not None][:200],
        "workstream": issue.workstream or archetype.workstream,
        "severity": graded(case, issue.severity or archetype.severity, issue.exposure.get("base"), issue.contingent),
        "exposure": issue.exposure or {"not_quantified": "the documents read give no figure to compute from"},
        "next_step": issue.next_step or archetype.next_step,
        "why": issue.why or archetype.why,
        "protection": issue.protection or archetype.protection,
        "evidence": issue.evidence or archetype.evidence,
        "kind": issue.kind,
        "searched": issue.searched,
    }


def in_order(findings: Iterable[Any]) -> list[Any]:
    """The findings as they stand in the room, so that the issues are the same in whatever order they arrived."""
    return sorted(findings, key=_standing)


def _standing(finding: Any) -> tuple[str, int, str, str]:
    """Where a finding stands: its document's path, the start of its first quote, its kind and claim."""
    document = finding.document
    starts = [span.start for citation in finding.citations for span in citation.spans[:1]]
    return str(getattr(document, "path", document)), min(starts, default=0), finding.kind, finding.claim
