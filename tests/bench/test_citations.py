"""Citations of a deliverable, measured against the room and the answer key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from room.room_builder import build, text

from redwell.bench.citations import Citations, citations, quotes_in
from redwell.bench.key import Check, Criterion, Evidence, Key, PlantedIssue
from redwell.room.room import Room

pytestmark = pytest.mark.xdist_group("citations")

CLAUSE = "Kestrel Freight may terminate this Agreement within ninety (90) days after a Change of Control of Supplier."
OTHER = "Orbis Analytical pays all invoices within thirty days of their receipt by its accounts department."


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return build(
        tmp_path_factory.mktemp("room") / "store",
        {
            "6.0 Contracts/kestrel-msa.txt": text(
                "Master Services Agreement.", CLAUSE, "Kestrel Freight pays monthly in arrears by wire."
            ),
            "6.0 Contracts/orbis-msa.txt": text(OTHER),
            "3.0 Finance/arr.txt": text("Belmont Process | $9,300,000 | 31.0% of all revenue =="),
        },
    )


@pytest.fixture(scope="module")
def key() -> Key:
    issue = PlantedIssue(
        "I-001", 24, "change_of_control_termination", "Kestrel may leave", "Contracts", "direct", "clause", "test", False, "High",
        (Evidence("clause", "6.0 Contracts/kestrel-msa.txt", "line 2", (CLAUSE,)),),
    )  # fmt: skip
    check = Check(about=(("Kestrel Freight",),))
    return Key("r", "T", "1", "desk", "test", (issue,), (Criterion("C-001", "t", "PASS if", "fact", "I-001", check),))


def written(folder: Path, report: str) -> Path:
    (folder / "report.md").write_text(report, encoding="utf-8")
    return folder


def test_a_quote_of_the_evidence_supports_its_claim(room: Room, key: Key, tmp_path: Path) -> None:
    report = f"# Report\n\n## Kestrel Freight may leave\n\nIt can go.\n\n> “{CLAUSE}” (kestrel-msa.txt)\n"
    assert citations(written(tmp_path, report), ["report.md"], room, key) == Citations(1, 1, 1, 1, 1, 1, 1)


def test_the_right_document_and_another_passage_is_told_apart(room: Room, key: Key, tmp_path: Path) -> None:
    report = "## Kestrel Freight may leave\n\n“Kestrel Freight pays monthly in arrears by wire.”\n"
    assert citations(written(tmp_path, report), ["report.md"], room, key) == Citations(1, 1, 1, 1, 0, 1, 0)


def test_a_quote_of_another_document_supports_nothing(room: Room, key: Key, tmp_path: Path) -> None:
    report = f'## Kestrel Freight may leave\n\nSee "{OTHER}"\n'
    assert citations(written(tmp_path, report), ["report.md"], room, key) == Citations(1, 1, 1, 0, 0, 1, 0)


def test_an_invented_quote_is_not_verified(room: Room, key: Key, tmp_path: Path) -> None:
    report = "## Kestrel Freight\n\n“Kestrel Freight may terminate at any time and for no reason at all.”\n"
    found = citations(written(tmp_path, report), ["report.md"], room, key)
    assert (found.quotes, found.verified, found.document) == (1, 0, 0)


def test_escaped_markdown_is_the_quote_that_was_copied(room: Room, tmp_path: Path) -> None:
    report = "> “Belmont Process \\| $9,300,000 \\| 31.0% of all revenue \\=\\=”\n"
    assert citations(written(tmp_path, report), ["report.md"], room, None) == Citations(1, 1)


def test_terms_and_names_in_quotation_marks_are_no_citations() -> None:
    assert quotes_in("the “Change of Control” clause and the “Master Services Agreement”") == {}


def test_without_a_key_only_verification_is_counted(room: Room, tmp_path: Path) -> None:
    report = f"“{CLAUSE}”\n\n“{OTHER}”\n"
    assert citations(written(tmp_path, report), ["report.md"], room, None) == Citations(2, 2)


def test_a_deliverable_that_is_not_there_counts_for_nothing(room: Room, key: Key, tmp_path: Path) -> None:
    assert citations(tmp_path, ["report.md"], room, key) == Citations(evidence=1)


def test_a_quote_is_looked_for_in_the_file_that_is_named_after_it(room: Room, tmp_path: Path) -> None:
    # Named wrongly it is looked for everywhere: the measure is whether the words stand in the room.
    right = citations(written(tmp_path, f"“{CLAUSE}” (kestrel-msa.txt, line 2)\n"), ["report.md"], room, None)
    wrong = citations(written(tmp_path, f"“{CLAUSE}” (orbis-msa.txt, line 2)\n"), ["report.md"], room, None)
    assert right == wrong == Citations(1, 1)


@pytest.mark.parametrize("said", ["{", "[]", '{"entries": [{"citations": [{"quote": 1}]}]}', "true", "lies"])
def test_what_a_report_says_of_its_own_quotes_changes_nothing(room: Room, key: Key, tmp_path: Path, said: str) -> None:
    """`report.json` only says where to look first: with a wrong document in it, or as rubbish, the same is found."""
    folder = written(tmp_path, f"## Kestrel Freight may leave\n\n> “{CLAUSE}”\n\n> “{CLAUSE[:-2]} of the sun.”\n")
    plain = citations(folder, ["report.md"], room, key)
    assert (plain.quotes, plain.verified, plain.passage, plain.cited) == (2, 1, 1, 1)
    orbis = next(document.id for document in room.documents() if document.path.endswith("orbis-msa.txt"))
    if said == "lies":
        cited = [{"quote": CLAUSE, "document": place} for place in (orbis, "no document")]
        said = json.dumps({"entries": [{"citations": cited}]})
    (folder / "report.json").write_text(said, encoding="utf-8")
    assert citations(folder, ["report.md"], room, key) == plain
