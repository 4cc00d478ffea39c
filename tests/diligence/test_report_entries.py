"""What may enter the report, and what is refused with which reason."""

import asyncio
from pathlib import Path

import pytest
from report_room import make_room

from redwell.diligence.application import Diligence
from redwell.diligence.deal import Deal
from redwell.diligence.entries import CitationInput, checked
from redwell.diligence.report import Report, entry_json, entry_of
from redwell.harness.types import Failure, Finding, RunState, Task
from redwell.journal.journal import Journal
from redwell.room.room import Room, read_room
from redwell.room.types import Citation, Span
from redwell.sandbox.types import HostRefusal

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


def test_a_paraphrase_is_refused_with_the_passage_closest_to_it(application):
    wrong = {**QUOTE, "quote": "Consent of the Landlord in writing is required before the Lease is assigned by Tenant"}
    reason = refused(application, "add", **entry(citations=[wrong]))
    assert "closest by its words is lease.txt" in reason
    assert "Tenant shall not assign this Lease" in reason


def test_a_refusal_names_the_call_and_the_values_that_there_are(application):
    assert refused(application, "deal", structure="unknown") == (
        "report.deal was refused\n- structure: 'unknown' is none of: 'merger', 'share purchase' or 'asset purchase'"
    )
    assert refused(application, "summary", text="Too short.") == (
        "report.executive_summary was refused\n- text: has 10 characters of at least 40"
    )


def test_the_outline_counts_the_lines_of_tables_and_names_the_sections(application):
    for who in ("Landlord", "Lender"):
        call(application, "row", table="consents", cells={"Who": who})
    call(application, "section", workstream="Real estate", summary="Two consents.")
    assert "  tables: consents 2\n  sections: Real estate\n" in application.outline()


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


def test_a_quote_alone_is_looked_for_in_the_whole_room(application):
    call(application, "add", **entry(citations=[{"quote": QUOTE["quote"]}]))
    assert application.report.entries[0].citations[0].place.path == QUOTE["document"]
    assert "is not in the room" in refused(
        application, "add", **entry(citations=[{"quote": "Rent is payable in wheat."}])
    )


def test_a_quote_alone_that_stands_in_two_documents_is_refused_with_both(tmp_path):
    for name in ("north", "south"):
        (tmp_path / "papers").mkdir(exist_ok=True)
        (tmp_path / "papers" / f"{name}.txt").write_text(
            f"{name}\n\nThe licence may not be transferred.\n", encoding="utf-8"
        )
    read_room(tmp_path / "papers", tmp_path / "store", jobs=1)
    with Room.open(tmp_path / "store") as room:
        held, [reason] = checked(room, [CitationInput(quote="The licence may not be transferred.")])
    assert held == ()
    assert reason.endswith("several documents: say which, as (document, quote): north.txt, south.txt")


def test_a_bare_figure_is_an_amount_and_other_shapes_are_refused_with_the_right_ones(application):
    assert "how it was computed" in refused(application, "add", **entry(exposure=5))
    for wrong in ("$5M", None, True, [1]):
        assert "'not_quantified': 'why there is no figure'" in refused(application, "add", **entry(exposure=wrong))


def test_what_is_missing_and_what_is_not_known_are_named(application):
    reason = refused(application, "add", **entry(next_step="", next_steps="Ask"))
    assert "next_step: is missing" in reason
    assert "next_steps: there is no such argument; add takes title, claim, citations," in reason


def test_an_entry_can_be_changed_and_its_other_fields_stay(application):
    call(application, "add", **entry(kind="a"))
    call(application, "add", **entry(kind="a", title="Another title for the same", claim="Other words."))
    call(application, "change", id="F-001", fields={"severity": "low", "exposure": {"not_quantified": "no rent roll"}})
    [changed] = application.report.entries
    assert (changed.id, changed.severity, changed.claim) == (
        "F-001",
        "Low",
        "The lease cannot be assigned without consent.",
    )
    assert changed.exposure.base is None
    assert changed.exposure.not_quantified == "no rent roll"
    assert changed.also == ("Other words.",)
    assert len(changed.citations) == 1
    assert Report.of(application.journal) == application.report


@pytest.mark.parametrize(
    ("identity", "fields", "expected"),
    [
        ("F-009", {"severity": "Low"}, "no entry 'F-009'"),
        ("F-001", {"colour": "red"}, "report.change was refused"),
        ("F-001", {"citations": [{**QUOTE, "quote": "Rent is payable in wheat."}]}, "is not in lease.txt"),
        ("F-001", {"evidence": "cross-document"}, "at least two documents"),
    ],
)
def test_a_change_is_held_to_the_rules_of_an_entry(application, identity, fields, expected):
    call(application, "add", **entry())
    before = application.report.entries
    assert expected in refused(application, "change", id=identity, fields=fields)
    assert application.report.entries == before


def test_what_is_removed_is_gone_its_number_is_not_given_again_and_texts_that_name_it_are_refused(application):
    call(application, "add", **entry())
    call(
        application,
        "add",
        **entry(title="The rent rises every year", citations=[{**QUOTE, "quote": "base rent of $52,000"}]),
    )
    call(application, "section", workstream="Real estate", summary="See F-002.")
    call(application, "remove", id="F-002")
    call(application, "remove", id="F-002")
    assert [each.id for each in application.report.entries] == ["F-001"]
    assert any("Real estate refers to F-002" in reason for reason in call(application, "check"))
    assert call(application, "add", **entry(title="Landlord was never asked")) == "F-003"
    assert "no 'F-007'" in refused(application, "remove", id="F-007")
    assert Report.of(application.journal) == application.report


def test_the_deal_is_completed_from_the_room_where_the_deal_file_is_silent(application, tmp_path):
    application.deal = Deal(target="Acme")
    call(application, "deal", buyer="Summit", structure="share purchase")
    call(application, "deal", price=5_000_000, currency="EUR")
    assert "the deal file gives target" in refused(application, "deal", target="Other", seller="Y")
    assert "structure" in refused(application, "deal", structure="marriage")
    assert Report.of(application.journal) == application.report
    files = application.deliver(RunState(), tmp_path / "output")
    text = next(path for path in files if path.name == "report.md").read_text(encoding="utf-8")
    assert "Summit is to acquire Acme by share purchase." in text
    assert "The price is not given" not in text


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
