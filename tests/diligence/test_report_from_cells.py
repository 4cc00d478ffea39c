"""`report` as a root's cells use it: what may be handed in as a passage, and what comes back."""

import asyncio
from pathlib import Path

import pytest
from report_room import make_room

from redwell.diligence import run
from redwell.diligence.deal import Deal
from redwell.diligence.report import Report
from redwell.harness.types import Settings
from redwell.models.budget import Budget
from tests.harness.support import Root, Sub, backend

LEASE = "8.0 Property/lease.txt"
WORDS = "Tenant shall not assign this Lease"

BEGIN = f"""
LEASE, WORDS = {LEASE!r}, {WORDS!r}
def add(title, citations, **others):
    given = dict(claim="The lease cannot be assigned.", workstream="Real estate", severity="High", next_step="Ask", exposure={{"not_quantified": "a consent"}})
    return report.add(title=title, citations=citations, **(given | others))
found = ask("Which rents?", over=LEASE)
"""


def played(tmp_path: Path, *cells: str) -> tuple[Report, list[str]]:
    """The report after these cells, and what the root was told of each."""
    room = make_room(tmp_path)
    root = Root(BEGIN, *cells)
    settings = Settings(sandbox=backend(), max_turns=len(cells) + 1, cell_seconds=20.0)
    journal = run.start(tmp_path / "run", room, "papers", Deal(), {"root": root, "sub": Sub()}, settings, {})
    asyncio.run(run.go(journal, room, {"root": root, "sub": Sub()}, Budget()))
    report = Report.of(journal)
    outputs = [
        journal.text(event.blobs["output"]) + journal.text(event.blobs["error"])
        for event in journal.events("cell.finished")
    ]
    journal.close()
    room.close()
    return report, outputs


@pytest.mark.parametrize(
    "passage",
    [
        "(LEASE, WORDS)",
        "[(room.document(LEASE), WORDS)]",
        "WORDS",
        '{"document": LEASE, "quote": WORDS}',
        "room.grep(WORDS)",
        "room.grep('2.1 ' + WORDS)[0]",
        "room.document(LEASE)[:0].around(200)",
        "room.grep('nant shall not assign this Lea')",
        "found",
        "found[0].citations[0]",
        "[found[0], (LEASE, WORDS)]",
        "(WORDS, 'We have not been asked for any consent')",
    ],
)
def test_passages_of_every_shape_become_citations(tmp_path: Path, passage: str) -> None:
    report, outputs = played(tmp_path, f"add('Landlord consent is needed', {passage})")
    assert outputs[1] == "'F-001'\n"
    assert {c.place.path for c in report.entries[0].citations} >= {LEASE}


def test_what_is_no_passage_is_refused_with_the_shapes(tmp_path: Path) -> None:
    _, outputs = played(tmp_path, "add('Landlord consent is needed', [7])")
    assert (
        "HostError: a passage is a finding, a citation, a span, (document, quote) or a quote alone; got 7" in outputs[1]
    )


def test_findings_are_unused_until_an_entry_cites_their_words(tmp_path: Path) -> None:
    _, outputs = played(
        tmp_path,
        "report.unused(found)",
        "add('The rent is high', found)\nreport.unused(found)",
        "report.remove('F-001')\nlen(report.unused(found))",
    )
    assert outputs[1].startswith("1 finding that nothing cites:")
    assert outputs[2] == "no findings that nothing cites\n"
    assert outputs[3] == "1\n"


def test_an_entry_is_changed_from_a_cell(tmp_path: Path) -> None:
    report, _ = played(
        tmp_path, "add('Landlord consent is needed', WORDS)", "report.change('F-001', severity='Low', citations=found)"
    )
    [entry] = report.entries
    assert entry.severity == "Low"
    assert "base rent of $52,000" in entry.citations[0].citation.quote


def test_a_quote_of_no_document_is_not_looked_for_in_the_others(tmp_path: Path) -> None:
    found = "Finding({'id': 'f', 'kind': 'k', 'claim': 'c', 'citations': [{'quote': 'Tenant shall not assign this Lease', 'document': '', 'status': 'unverified'}]})"
    report, outputs = played(tmp_path, f"add('A pledge that nobody made', {found})")
    assert report.entries == []
    assert "is from no document that its call had read" in outputs[1]


CONSENT = 'dict(title="Consent of the landlord", claim="The lease cannot be assigned.", citations=WORDS, workstream="Real estate", severity="High", next_step="Ask", exposure={"not_quantified": "a consent"}, kind="consent")'


def test_issues_are_added_together_and_one_that_is_refused_stops_none(tmp_path: Path) -> None:
    report, outputs = played(
        tmp_path, f"issue = {CONSENT}\nreport.add_all([issue | dict(citations='no such words'), issue, issue])", "report.add_all([issue])"
    )  # fmt: skip
    assert [entry.title for entry in report.entries] == ["Consent of the landlord"]
    assert outputs[1].startswith("1 entries added, 0 there before, 1 refused:\nnot added: 'Consent of the landlord'")
    assert outputs[2] == "0 entries added, 1 there before\n"


@pytest.mark.parametrize("given", ["'Consent'", "found", "[LEASE]"])
def test_what_are_no_issues_is_told_so(tmp_path: Path, given: str) -> None:
    report, outputs = played(tmp_path, f"report.add_all({given})")
    assert "HostError: give a list of issues, such as checks.run(all_findings())" in outputs[1]
    assert report.entries == []


def test_a_report_is_concluded_by_rules_and_may_then_be_handed_in(tmp_path: Path) -> None:
    report, outputs = played(
        tmp_path,
        f"report.add_all([{CONSENT}])",
        "b = dispatch('Which rents?', over=coverage().unread)\nb.results()\nlen(all_findings())",
        "report.conclude(all_findings())",
        "submit()",
    )
    assert report.summary
    assert set(report.sections) == {"Real estate"}
    assert "Corporate" in {item.workstream for item in report.none_found}
    assert outputs[2] == "1\n"  # that of `found`, asked in the first cell
    assert "parts written" in outputs[3]
    assert "still lacking" not in outputs[3]
    assert not report.salvaged


@pytest.mark.parametrize(
    ("own", "named"),
    [("pass", {"target": "By Rules Ltd"}), ("report.deal(target='My Own Ltd')", {"target": "My Own Ltd"})],
)
def test_concluding_names_the_target_where_the_root_has_not(tmp_path: Path, own: str, named: dict[str, str]) -> None:
    by_rules = "type(checks).target = lambda self, findings: 'By Rules Ltd'"
    report, _ = played(tmp_path, own, f"{by_rules}\nreport.conclude(all_findings())")
    assert report.deal == named
