"""Which file a judge reads for a deliverable, and what of it."""

from __future__ import annotations

import os
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml

from redwell.bench.deliverables import digest, find, lacking, nothing, read

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def put(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"text of {name}")
    return folder


@pytest.mark.parametrize(
    ("there", "wanted", "file", "how"),
    [
        (["red-flags-report.md", "notes.md"], "red-flags-report.md", "red-flags-report.md", "exact name"),
        (["memo/red-flags-report.md"], "red-flags-report.md", "memo/red-flags-report.md", "exact name"),
        (["report.md", "data.csv"], "red-flags-report.md", "report.md", "only file with this extension"),
        (["Red_Flags_Final.md", "notes.md"], "red-flags-report.md", "Red_Flags_Final.md", "similar name"),
        (["red-flags.docx", "other.docx"], "red-flags-report.md", "red-flags.docx", "similar name"),
        (["psa-term-sheet.txt", "psa-term-sheet.md"], "psa-term-sheet.docx", None, "missing"),
        (["a.md", "b.md"], "red-flags-report.md", None, "missing"),
        (["tracker.xlsx", "memo.docx"], "red-flags-report.md", None, "missing"),
        ([], "red-flags-report.md", None, "missing"),
        ([".red-flags-report.md"], "red-flags-report.md", None, "missing"),
    ],
)
def test_the_file_of_a_deliverable_is_found(
    tmp_path: Path, there: list[str], wanted: str, file: str | None, how: str
) -> None:
    put(tmp_path, *there)
    found, said = find(tmp_path, wanted)
    assert (found.relative_to(tmp_path).as_posix() if found else None, said) == (file, how)


def test_without_names_the_whole_output_is_read(tmp_path: Path) -> None:
    put(tmp_path, "b.md", "a.txt", "more/c.md")
    assert [(one.wanted, one.text) for one in read(tmp_path, ())] == [
        ("a.txt", "text of a.txt"),
        ("b.md", "text of b.md"),
        ("more/c.md", "text of more/c.md"),
    ]


@pytest.mark.parametrize(
    ("delivered", "there", "wanted", "gone"),
    [
        (["red-flags-report.md", "chart.csv"], ["red-flags-report.md"], ["red-flags-report.md"], []),
        (["red-flags-report.md", "chart.csv"], ["red-flags-report.md"], [], ["chart.csv"]),
        (["red-flags-report.md", "notes.md"], ["notes.md"], ["red-flags-report.docx"], ["red-flags-report.md"]),
        (["a/memo.md", ".cache/x"], [], ["memo.md", "list.xlsx"], ["a/memo.md"]),
        ([".cache/x"], [], [], []),
        ([], [], ["memo.md"], []),
    ],
)
def test_what_was_delivered_and_would_be_read_is_missed_when_it_is_gone(
    tmp_path: Path, delivered: list[str], there: list[str], wanted: list[str], gone: list[str]
) -> None:
    put(tmp_path, *there)
    assert lacking(tmp_path, delivered, wanted) == gone


def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "secret/answer_key.md")
    output = put(tmp_path / "output")
    output.mkdir()
    os.symlink(tmp_path / "secret" / "answer_key.md", output / "red-flags-report.md")
    os.symlink(tmp_path / "secret", output / "more")
    assert find(output, "red-flags-report.md") == (None, "missing")
    assert read(output, ()) == []


def _document(path: Path) -> None:
    made = docx.Document()
    made.add_heading("Findings", 1)
    paragraph = made.add_paragraph("The price is ")
    paragraph._p.append(parse_xml(f'<w:del {W} w:id="1" w:author="A"><w:r><w:delText>$10</w:delText></w:r></w:del>'))
    paragraph._p.append(parse_xml(f'<w:ins {W} w:id="2" w:author="A"><w:r><w:t>$12</w:t></w:r></w:ins>'))
    made.save(str(path))


def test_a_word_file_is_read_with_its_changes_accepted_or_shown(tmp_path: Path) -> None:
    _document(tmp_path / "memo.docx")
    (accepted,) = read(tmp_path, ("memo.docx",))
    (shown,) = read(tmp_path, ("memo.docx",), redlines=True)
    assert accepted.text.startswith("## Findings\n\nThe price is $12")
    assert "The price is [-$10-][+$12+]" in shown.text
    assert (accepted.problem, accepted.unreadable) == ("", False)
    assert digest([accepted]) != digest([shown])


def test_what_cannot_be_read_is_unscored_and_what_is_not_there_fails(tmp_path: Path) -> None:
    (tmp_path / "memo.docx").write_bytes(b"PK\x03\x04 no archive")
    (tmp_path / "empty.md").write_text(" \n")
    broken = read(tmp_path, ("memo.docx",))
    assert broken[0].text == ""
    assert "memo.docx cannot be read" in broken[0].problem
    assert nothing(broken)[1] == "unscored"
    assert nothing(read(tmp_path, ("empty.md",))) == ("empty.md is empty", "fail")
    assert nothing(read(tmp_path, ("x.pptx", "y.pptx")))[1] == "fail"
    assert nothing([]) == ("the run delivered nothing", "fail")


def test_the_digest_changes_with_names_and_texts(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "b.md")
    one, other = read(tmp_path, ("a.md",)), read(tmp_path, ("b.md",))
    assert digest(one) == digest(read(tmp_path, ("a.md",)))
    assert len({digest(one), digest(other), digest([*one, *other]), digest([])}) == 4
