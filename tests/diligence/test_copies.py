"""Copies of one document count once."""

from __future__ import annotations

from dataclasses import dataclass

from papers import case, contract, findings

from redwell.diligence.archetypes.case import Case, stem
from redwell.diligence.archetypes.integrity import missing_agreements
from redwell.diligence.guest import checks

BODY = "\n\n".join(
    f"{n}.1 Section {n} says that Customer shall pay fee number {n} within {n + 10} days and that Provider shall deliver lot {n}."
    for n in range(1, 30)
)


def test_a_pdf_and_its_text_are_one_contract_and_the_copy_is_told_once() -> None:
    text = contract(BODY)
    wrapped = text.replace(" that ", "\n").replace(" shall ", "  shall ")
    room = case({"c/belmont-msa.pdf": text, "c/txt/belmont-msa.txt": wrapped + "\nSource: ACME CORP, 8-K, 10/1/2008\n"})
    assert [doc.path for doc in room.docs.values()] == ["c/belmont-msa.pdf"]
    (issue,) = [issue for issue in checks.run(room) if issue["kind"] == "duplicate_document"]
    assert "c/belmont-msa.pdf is also at c/txt/belmont-msa.txt" in issue["claim"]


def test_forms_for_different_people_are_different_contracts() -> None:
    papers = {f"people/{name}.txt": contract(BODY, other=f"{name} Consulting, LLC") for name in ("Adams", "Brown")}
    assert len(case(papers).docs) == 2


def test_later_versions_of_another_date_stay() -> None:
    papers = {"a/msa.txt": contract(BODY), "b/msa.txt": contract(BODY, dated="January 1, 2026")}
    assert len(case(papers).docs) == 2


def test_a_signed_copy_is_kept_before_an_unsigned_one() -> None:
    blank = contract(BODY).replace("/s/ A. Signatory", "________").replace("/s/ B. Signatory", "________")
    room = case({"a/msa.txt": blank, "b/msa (signed).txt": contract(BODY)})
    assert [doc.path for doc in room.docs.values()] == ["b/msa (signed).txt"]


def test_one_document_at_two_paths_is_told() -> None:
    @dataclass
    class At:
        id: str
        path: str
        paths: tuple[str, ...]

    found = findings({"b/amendment.txt": contract(BODY, title="AMENDMENT NO. 1")})
    for each in found:
        each.document = At("1", "b/amendment.txt", ("b/amendment.txt", "a/amendment (copy).txt"))  # type: ignore[assignment]
    issues = checks.run(Case(found, {}))
    (issue,) = [issue for issue in issues if issue["kind"] == "duplicate_document"]
    assert "b/amendment.txt is also at a/amendment (copy).txt" in issue["claim"]


def test_names_without_what_tells_copies_apart() -> None:
    assert stem("x/Lease_Agreement (copy).docx") == stem("y/lease-agreement.PDF") == "lease agreement"
    assert stem("lease 2024.txt") != stem("lease 2025.txt")


def test_the_counterparty_is_the_holder_of_the_right() -> None:
    text = (
        'COLLABORATION AGREEMENT\n\nThis Agreement is made as of June 8, 2018 between RevMed, Inc. ("RevMed") and Aventis, Inc. ("Sanofi").\n\n'
        "12.2 Sanofi may terminate this Agreement upon a change of control of RevMed.\n"
    )
    room = case({"a.txt": text}, target="Nobody, Inc.")
    (doc,) = room.docs.values()
    (finding,) = room.of(doc, "change_of_control_termination")
    assert room.counterparty(doc) == "RevMed, Inc."
    assert room.counterparty(doc, finding) == "Aventis, Inc."


def test_what_is_referred_to_is_missing_once_and_never_the_document_itself() -> None:
    text = contract(
        "1. This amends the Supply and Manufacturing Agreement dated April 1, 2017 and the Amended and Restated Supply and Manufacturing Agreement "
        "dated April 1, 2017.\n\n2. So says the Master Services Agreement dated January 1, 2025."
    )
    room = case({"a/master-services-agreement.txt": text})
    assert [what for what, _, _ in missing_agreements(room)] == [
        "Supply and Manufacturing Agreement of 1 April 2017 with Belmont Process Corporation"
    ]


def test_a_named_plan_is_missing_unless_a_file_is_called_so() -> None:
    minutes = "Minutes of the Board\n\n2.1 RESOLVED, that options be granted under the 2021 Equity Incentive Plan.\n"
    assert [what for what, _, _ in missing_agreements(case({"a/minutes.txt": minutes}))] == [
        "2021 Equity Incentive Plan"
    ]
    plan = {"b/equity-incentive-plan-2021.txt": "Options are granted to employees.\n"}
    assert list(missing_agreements(case({"a/minutes.txt": minutes, **plan}))) == []


def test_a_copy_that_says_more_or_less_is_no_copy() -> None:
    clause = (
        "30.1 If Provider undergoes a Change of Control, Customer may terminate this Agreement within sixty (60) days."
    )
    whole, without = contract(BODY + "\n\n" + clause), contract(BODY)
    room = case({"contracts/signed/belmont-msa.txt": whole, "a/belmont-msa.txt": without})
    assert sorted(doc.path for doc in room.docs.values()) == ["a/belmont-msa.txt", "contracts/signed/belmont-msa.txt"]
    assert "change_of_control_termination" in {issue["kind"] for issue in checks.run(room)}
