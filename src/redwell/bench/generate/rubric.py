"""The rubric of a room: the criteria of its issues and decoys, and those of the report as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from redwell.bench.generate.plan import ROOM_CRITERIA
from redwell.bench.key import Check, Criterion, PlantedIssue

_ORDER = {"Critical": 0, "High": 1, "Medium": 2, "Low": 3}
_CONSENT = ("consent", "waiver")


def with_ids(criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """C-001, C-002 and so on."""
    return tuple(
        Criterion(f"C-{number:03}", it.title, it.match_criteria, it.style, it.issue, it.check)
        for number, it in enumerate(criteria, 1)
    )


def of_the_report(preset: str, issues: Sequence[PlantedIssue], criteria: Sequence[Criterion]) -> list[Criterion]:
    """The executive summary names the gravest issues, the list of missing documents the absences, the overview of consents the consents."""
    most = ROOM_CRITERIA[preset]
    about = {it.issue: it.check for it in reversed(criteria) if it.check.about and it.style != "precision"}
    missing = {it.issue: it.check for it in reversed(criteria) if it.style == "absence"}
    real = sorted(
        (issue for issue in issues if not issue.decoy and issue.id in about),
        key=lambda issue: (_ORDER.get(issue.severity, 4), -(issue.exposure.amount if issue.exposure else 0.0), issue.id),
    )  # fmt: skip
    top = real[: min(5, max(2, most // 3))]
    found = [
        _criterion(
            f"Executive summary: {issue.title}",
            f"PASS if the report's executive summary names this issue among the most important: {issue.title}.",
            Check(about=about[issue.id].about[:1], section="executive summary"),
        )
        for issue in top
    ]
    absent = [issue for issue in real if issue.id in missing and issue.absences]
    consents = [issue for issue in absent if any(word in issue.absences[0].what.lower() for word in _CONSENT)]
    share = max(1, (most - len(found)) // 2)
    found += [
        _criterion(
            f"Missing documents: {issue.absences[0].what}",
            f"PASS if the report's list of missing documents includes: {issue.absences[0].what}.",
            Check(about=missing[issue.id].about[:1], section="missing"),
        )
        for issue in absent[:share]
    ]
    found += [
        _criterion(
            f"Overview of consents: {issue.absences[0].what}",
            f"PASS if the report's overview of consents and approvals includes: {issue.absences[0].what}.",
            Check(about=missing[issue.id].about[:1], section="consents"),
        )
        for issue in consents[: most - len(found)]
    ]
    return found


def _criterion(title: str, text: str, check: Check) -> Criterion:
    return Criterion("", title, text, "report", "", check)
