"""What may enter the report, and what is refused with which reason."""

import asyncio
from pathlib import Path

import pytest

from redwell.diligence.application import Diligence
from redwell.diligence.deal import Deal
from redwell.diligence.report import Report, entry_json, entry_of
from redwell.harness.types import Failure, Finding, RunState, Task
from redwell.journal.journal import Journal
from redwell.room.types import Citation, Span
from redwell.sandbox.types import HostRefusal
from report_room import make_room

QUOTE = {
    "document": "8.0 Property/lease.txt",
    "quote": "Tenant shall not assign this Lease without Landlord's prior written consent.",
}


@pytest.fixture
def application(tmp_path: Path):
    room = make_room(tmp_path)
    journal = Journal.create(tmp_path / "run", {"kind": "diligence"})
    yield Diligence(room, journal, Deal(), Task("t", "review"), (), "")
    journal.close()
    room.close()


def call(application: Diligence, name: str, **arguments):
    return asyncio.run(application.handle(f"report.{name}", arguments))


def entry(**changes):
    return {
        "title": "Landlord consent needed for the plant lease",
        "claim": "The lease cannot be assigned without consent.",
        "citations": [QUOTE],
        "workstream": "Real estate",
        "severity": "High",
        "exposure": {"amount": 624_000, "formula": "12 months x $52,000"},
        "next_step": "Obtain the landlord's consent",
        **changes,
    }


def refused(application: Diligence, name: str, **arguments) -> str:
    with pytest.raises(HostRefusal) as refusal:
        call(application, name, **arguments)
    return str(refusal.value)


def test_an_entry_with_a_true_quote_is_numbered_and_knows_where_the_quote_stands(application):
    assert call(application, "add", **entry()) == "F-001"
    [added] = application.report.entries
    assert added.citations[0].citation.status == "verified"
    assert added.citations[0].place.section == "2.1"
    assert (added.exposure.low, added.exposure.base, added.exposure.high) == (624_000, 624_000, 624_000)


def test_a_changed_word_is_refused_and_the_nearest_passage_is_shown(application):
    wrong = {**QUOTE, "quote": "Tenant shall assign this Lease without Landlord's prior written consent."}
    reason = refused(application, "add", **entry(citations=[wrong]))
    assert "is not in lease.txt" in reason
    assert "shall not assign" in reason
    assert application.report.entries == []


def test_every_reason_is_given_at_once(application):
    reason = refused(
        application,
        "add",
        **entry(
            citations=[{**QUOTE, "quote": "Rent is payable in wheat and barley."}],
            exposure={"amount": 5},
            evidence="absence",
        ),
    )
    assert "is not in lease.txt" in reason
    assert "how it was computed" in reason
    assert "must say what was searched" in reason


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"citations": []}, "at least one passage"),
        ({"exposure": {}}, "without a figure must say why"),
        ({"exposure": {"low": 9, "base": 5, "high": 7, "formula": "x"}}, "must rise"),
        ({"exposure": {"amount": float("nan"), "formula": "x"}}, "finite"),
        ({"exposure": {"amount": -1, "formula": "x"}}, "finite figure of zero or more"),
        ({"workstream": "Cooking"}, "is none of: Corporate"),
        ({"severity": "Urgent"}, "is none of: Critical"),
        ({"title": "Short"}, "title"),
        ({"colour": "red"}, "colour"),
        ({"evidence": "cross-document"}, "at least two documents"),
        ({"citations": [{"document": "nowhere.txt", "quote": "some words of it"}]}, "nowhere.txt"),
        ({"citations": [{**QUOTE, "quote": "Tenant"}]}, "too short"),
    ],
)
def test_what_an_entry_must_have(application, changes, expected):
    assert expected in refused(application, "add", **entry(**changes))


def test_names_are_taken_in_any_case(application):
    call(application, "add", **entry(severity="high", workstream="real estate"))
    assert application.report.entries[0].severity == "High"
    assert application.report.entries[0].workstream == "Real estate"


def test_a_duplicate_is_merged_and_what_it_said_differently_is_kept(application):
    first = call(application, "add", **entry(kind="landlord_consent"))
    second = call(
        application,
        "add",
        **entry(
            kind="landlord_consent",
            title="Lease: assignment restricted",
            claim="Consent of the landlord is missing.",
            severity="Critical",
        ),
    )
    assert (first, second) == ("F-001", "F-001")
    [merged] = application.report.entries
    assert merged.severity == "Critical"
    assert merged.also == ("Consent of the landlord is missing.",)


def test_none_found_is_refused_over_passages_that_failed(application):
    document = application.room.document("letter.txt")
    application.journal.append(
        "call.sent", "root", {"call": "c1", "role": "sub", "spans": [[document.id, 0, 10, "final"]]}
    )
    application.journal.append("call.failed", "root", {"call": "c1", "role": "sub", "failure": "timeout"})
    assert "would not be true" in refused(
        application, "none_found", topic="Fraud", workstream="Corporate", rests_on="all"
    )
    call(
        application, "none_found", topic="Fraud", workstream="Corporate", rests_on="all", despite="letter.txt timed out"
    )
    assert application.report.none_found[0].despite == "letter.txt timed out"


def test_a_summary_may_only_refer_to_entries_that_exist(application):
    call(application, "add", **entry())
    assert "F-009" in refused(
        application, "summary", text="The lease (F-001) and the loan (F-009) need consents before closing."
    )
    call(application, "summary", text="The lease (F-001) needs the landlord's consent before closing.")


def test_submit_is_refused_while_something_is_undisclosed(application):
    document = application.room.document("lease.txt")
    state = RunState(unread=[Span(document.id, 0, 40)])
    reasons = " ".join(application.refusals(state))
    assert "no executive summary" in reasons
    assert "nothing is said of Corporate" in reasons
    assert "40 readable characters in 1 documents" in reasons
    call(application, "unread", reason="out of budget for the last passage")
    assert "readable characters" not in " ".join(application.refusals(state))


def test_the_report_rebuilt_from_the_journal_is_the_same(application):
    call(application, "add", **entry(kind="a"))
    call(application, "add", **entry(kind="a", title="Another title for the same", claim="Other words."))
    call(
        application,
        "missing",
        what="Estoppel",
        expected_because="2.1",
        searched="all",
        workstream="Real estate",
        citations=[QUOTE],
    )
    call(application, "row", table="consents", cells={"Who": "Landlord"}, citations=[QUOTE])
    call(application, "section", workstream="Real estate", summary="See F-001.")
    assert Report.of(application.journal) == application.report
    assert entry_of(entry_json(application.report.entries[0])) == application.report.entries[0]


def test_a_salvaged_report_holds_what_was_found_and_says_why(application):
    document = application.room.document("lease.txt")
    citation = application.room.check(QUOTE["quote"], document.id)
    bad = Citation("not there at all", document.id, (), "unverified")
    state = RunState(
        findings=[
            Finding(
                "1",
                "anti_assignment",
                "The lease cannot be assigned without consent.",
                (citation,),
                document=document.id,
            ),
            Finding("2", "anti_assignment", "Invented.", (bad,), document=document.id),
            Finding("3", "fact:parties", "Parties are known.", (citation,), document=document.id),
        ],
        failures=[Failure("timeout", "no answer", (Span(document.id, 0, 5),))],
    )
    application.salvage(state, "the root ran out of budget")
    assert application.report.salvaged == "the root ran out of budget"
    assert [e.claim for e in application.report.ranked()] == ["The lease cannot be assigned without consent."]
    assert Report.of(application.journal) == application.report
    application.recover(application.journal)
    assert application.report == Report(), "a root that goes on starts from its own entries"
