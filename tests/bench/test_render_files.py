"""What a renderer writes comes back through the room's reader, word for word, and the same paper gives the same bytes."""

from __future__ import annotations

import io
import random
import shutil
import subprocess
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import docx
import pptx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redwell.bench.generate.laid import Laid, LaidKind, Numbered
from redwell.bench.generate.papers import Change, Heading, Para, Row, Sign, Signatures, Table
from redwell.bench.generate.parts import escaped
from redwell.bench.generate.render import ENDINGS, render
from redwell.bench.generate.render_docx import counts_alike
from redwell.room.formats.read import read_file
from redwell.room.types import Parsed
from tests.bench.papers_at_random import folded, papers, texts

NATIVE: tuple[LaidKind, ...] = ("docx", "xlsx", "eml", "pptx", "txt", "pdf")
DAY = date(2024, 3, 3)
CLAUSES = (
    Numbered("1", "Definitions", "Words have the meanings listed.", (("(a)", "first;"), ("(b)", "second."))),
    Numbered("2", "Fees", ""),
    Numbered("2.1", "Amount", "Fees amount to $1,200,000.", (("(a)", "by wire."),)),
)
CHANGE = Change("The term ends on ", "March 1, 2025", "March 1, 2027", " unless extended.", "Ann Lee")
GRID = Table(
    ("Holder", "Number", "Value", "Filed"),
    (Row(("Founder", 1_200_000, 12.345, date(2020, 1, 5))), Row(("Pool", -12, None, None))),
    sheet="Cap Table",
    caption="Holdings",
)
SIGNED = Signatures((Sign("Alpha, Inc.", "Jane Roe", "Director", True, DAY), Sign("Beta GmbH", "", "", False)))


def paper(kind: LaidKind, *lines: object, **given: object) -> Laid:
    return Laid("Supply Agreement", kind, DAY, ("Alpha, Inc.", "Beta GmbH"), "Jo Clerk", lines, **given)  # type: ignore[arg-type]


def read(laid: Laid, data: bytes | None = None) -> Parsed:
    parsed = read_file(render(laid) if data is None else data, f"paper{ENDINGS[laid.kind]}")
    assert parsed.status == "read", parsed.reason
    assert parsed.problems == []
    return parsed


def all_text(parsed: Parsed, view: str = "final") -> str:
    return folded("\n".join(unit.text for unit in parsed.views[view]))  # type: ignore[index]


@pytest.mark.parametrize("kind", NATIVE)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_text_of_a_paper_comes_back(kind: LaidKind, data: st.DataObject):
    laid = data.draw(papers(kind))
    parsed = read(laid)
    text = all_text(parsed)
    for wanted in texts(laid):
        assert folded(wanted).casefold() in text.casefold()
        assert kind == "txt" or folded(wanted) in text


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(papers("docx"))
def test_both_texts_of_a_tracked_change_come_back(laid: Laid):
    parsed = read(laid)
    original = all_text(parsed, "original") if "original" in parsed.views else ""
    for line in laid.lines:
        if isinstance(line, Change):
            assert folded(line.lead + line.before + line.tail) in original


@pytest.mark.parametrize("kind", ENDINGS)
def test_the_same_paper_gives_the_same_bytes(kind: LaidKind):
    inner = ("terms.docx", paper("docx", *CLAUSES))
    laid = paper(
        kind, *CLAUSES, CHANGE, GRID, SIGNED, attached=(inner,) if kind == "eml" else (), look="7", sender="a@b.example"
    )
    assert render(laid) == render(replace(laid, lines=tuple(laid.lines)))
    looks = {render(replace(laid, look=str(look))) for look in range(6 if kind != "scan" else 2)}
    assert len(looks) > 1 or kind == "txt"


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx"])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_part_is_well_formed_and_every_link_leads_to_one(kind: LaidKind, data: st.DataObject):
    with zipfile.ZipFile(io.BytesIO(render(data.draw(papers(kind))))) as archive:
        names = set(archive.namelist())
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        listed = {part.get("PartName", "").lstrip("/") for part in types if part.get("PartName")}
        assert listed == {name for name in names if name.endswith(".xml") and name != "[Content_Types].xml"}
        for name in names:
            root = ElementTree.fromstring(archive.read(name))
            if name.endswith(".rels"):
                folder = Path(name).parent.parent
                for link in root:
                    target = (Path("/") / folder / link.get("Target", "")).resolve().relative_to("/")
                    assert target.as_posix() in names


def test_clauses_are_numbered_by_the_word_processor_or_by_hand_and_read_alike():
    found: dict[bool, list[tuple[str, str]]] = {}
    for look in range(12):
        data = render(paper("docx", *CLAUSES, look=str(look)))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            native = b"<w:numPr>" in archive.read("word/document.xml")
        units = read(paper("docx"), data).views["final"]
        found[native] = [(unit.section, unit.text.split(" ", 1)[1][:6]) for unit in units if unit.label]
    assert set(found) == {False, True}
    expected = [
        ("1", "Defini"),
        ("1(a)", "first;"),
        ("1(b)", "second"),
        ("2", "Fees"),
        ("2.1", "Amount"),
        ("2.1(a)", "by wir"),
    ]
    assert found[True] == found[False] == expected


@pytest.mark.parametrize(
    ("numbers", "alike"),
    [
        (["1", "1.1", "1.2", "2", "2.1"], True),
        (["1", "2", "3"], True),
        (["2", "3"], False),
        (["1", "1.2"], False),
        (["1", "17A"], False),
        (["1", "1.1", "1.1.1", "1.1.2", "1.2"], True),
    ],
)
def test_only_numbers_that_count_on_are_left_to_the_word_processor(numbers: list[str], alike: bool):
    assert counts_alike([Numbered(number, "", "Text.") for number in numbers]) is alike


def test_other_libraries_open_what_is_written():
    letter = docx.Document(io.BytesIO(render(paper("docx", *CLAUSES, GRID, SIGNED))))
    assert [cell.text for cell in letter.tables[0].rows[1].cells] == ["Founder", "1,200,000", "12.35", "2020-01-05"]
    assert letter.core_properties.author == "Jo Clerk"
    assert letter.core_properties.created.date() == DAY
    deck = pptx.Presentation(
        io.BytesIO(render(paper("pptx", Heading("Market"), Para("A point."), Para("Said. " * 80), GRID)))
    )
    titles = [slide.shapes.title.text for slide in deck.slides]
    assert titles == ["Supply Agreement", "Market", "Market"]
    assert deck.slides[1].notes_slide.notes_text_frame.text.strip() == ("Said. " * 80).strip()
    assert [layout.name for layout in deck.slide_layouts] == ["Title Slide", "Title and Content"]


def test_a_tracked_change_names_its_author_and_day():
    with zipfile.ZipFile(io.BytesIO(render(paper("docx", CHANGE)))) as archive:
        text = archive.read("word/document.xml").decode()
    assert '<w:del w:id="1" w:author="Ann Lee" w:date="2024-03-03T09:00:00Z">' in text
    assert '<w:ins w:id="2" w:author="Ann Lee" w:date="2024-03-03T09:00:00Z">' in text
    unknown = render(replace(paper("docx", replace(CHANGE, author="")), day=None))
    with zipfile.ZipFile(io.BytesIO(unknown)) as archive:
        text = archive.read("word/document.xml").decode()
    assert '<w:ins w:id="2" w:author="Jo Clerk">' in text


def test_cells_show_numbers_and_dates_as_a_paper_does():
    units = {unit.path: unit for unit in read(paper("xlsx", GRID)).views["final"]}
    assert units["Cap Table!A1"].text == "Supply Agreement"
    row = units["Cap Table!A5:D5"]
    assert (
        row.text == "Founder | 1,200,000 | 12.35 | 2020-01-05" or row.text == "Founder | 1,200,000 | 12.35 | 2020-01-05"
    )
    assert row.label == "Holder | Number | Value | Filed"
    assert units["Cap Table!A6:B6"].text == "Pool | -12"


def test_a_number_too_large_for_a_workbook_and_a_day_before_its_calendar_stay_exact():
    odd = Table(("A", "B"), (Row((12_345_678_901_234_567, date(1899, 12, 31))),), sheet="S")
    assert "12,345,678,901,234,567 | 1899-12-31" in all_text(read(paper("xlsx", odd)))


def test_a_hidden_sheet_is_hidden_and_a_workbook_has_one_that_is_not():
    parsed = read(paper("xlsx", replace(GRID, hidden=True)))
    hidden = [unit.text for unit in parsed.views["final"] if "hidden" in unit.flags]
    seen = [unit.text for unit in parsed.views["final"] if "hidden" not in unit.flags]
    assert "Founder | 1,200,000 | 12.35 | 2020-01-05" in hidden
    assert seen == ["Cover", "Supply Agreement"]


def test_tables_of_one_name_share_a_sheet_and_names_are_made_fit():
    long = "A name that is far too long for a sheet"
    parsed = read(
        paper(
            "xlsx", GRID, GRID, replace(GRID, sheet="cap table"), replace(GRID, sheet=long), replace(GRID, sheet="A/B")
        )
    )
    sheets = [unit.text for unit in parsed.views["final"] if "heading" in unit.flags]
    assert sheets == ["Cap Table", "cap table (2)", long[:31].strip(), "A B"]


def test_a_mail_has_its_headers_and_attachments():
    terms = paper("docx", *CLAUSES)
    before = paper("eml", Para("Earlier words."), sender="x@y.example", to="a@b.example")
    laid = paper(
        "eml",
        Para("Dear José,"),
        sender="Jürgen Öster <j@alpha.example>",
        to="b@beta.example",
        attached=(("Terms – v2.docx", terms), ("before.eml", before)),
    )
    parsed = read(laid)
    shown = [unit.text for unit in parsed.views["final"]]
    assert shown[0] == "From: Jürgen Öster <j@alpha.example>"
    assert shown[1] == "To: b@beta.example"
    assert shown[2].startswith("Date: Sun, 03 Mar 2024 ")
    assert shown[3:] == ["Subject: Supply Agreement", "Dear José,"]
    assert [child.name for child in parsed.children] == ["Terms – v2.docx", "before.eml"]
    assert parsed.children[0].data == render(terms)
    assert "Earlier words." in all_text(read(before, parsed.children[1].data))
    undated = read(replace(laid, day=None, attached=()))
    assert not any(unit.text.startswith("Date:") for unit in undated.views["final"])


def test_what_is_too_long_for_a_slide_is_in_its_notes():
    long = " ".join(["A sentence that a speaker says."] * 20)
    parsed = read(paper("pptx", Heading("Market"), Para("Short point."), Para(long)))
    units = {unit.path: unit.text for unit in parsed.views["final"]}
    assert units["slide 2/shape 1"] == "Market"
    assert units["slide 2/shape 2"] == "Short point."
    assert units["slide 2/notes"] == long


def test_a_draft_says_so_and_a_final_paper_does_not():
    for kind in ("docx", "txt", "pdf", "pptx"):
        assert "DRAFT" in all_text(read(paper(kind, Para("Text."), status="draft")))
        assert "DRAFT" not in all_text(read(paper(kind, Para("Text."))))


def test_a_blank_line_stands_where_nobody_signed():
    text = all_text(read(paper("docx", SIGNED)))
    assert "By: /s/ Jane Roe" in text
    assert "Date: March 3, 2024" in text
    assert "Beta GmbH By: ____" in text


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_a_scan_can_be_read():
    words = "The Supplier delivers the goods within thirty days after each order has been received at its office in Chicago."
    parsed = read(paper("scan", Para(words), *CLAUSES[:1], look="3"))
    assert {unit.source for unit in parsed.views["final"]} == {"ocr"}
    assert words in all_text(parsed)


def test_text_that_no_format_can_hold_is_left_out():
    assert escaped("a\x00b\x0bc\ud800d\ttab\nline & <x>") == "abcd tab line &amp; &lt;x&gt;"


def test_a_letter_that_the_standard_fonts_lack_loses_its_accent():
    assert "Anton Dvorák" in all_text(read(paper("pdf", Para("Anton Dvořák"))))


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_libreoffice_opens_them_and_shows_their_text(tmp_path: Path):
    lines = (Heading("Scope"), Para("Some words of the scope."), *CLAUSES, CHANGE, GRID, SIGNED)
    rng = random.Random(5)
    names = []
    for kind in ("docx", "xlsx", "pptx"):
        path = tmp_path / f"{kind}_file.{kind}"
        path.write_bytes(render(paper(kind, *lines, status="draft", look=str(rng.random()))))
        names.append(str(path))
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    done = subprocess.run(
        ["soffice", "--headless", profile, "--convert-to", "pdf", "--outdir", str(tmp_path), *names],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    for name in names:
        pdf = Path(name).with_suffix(".pdf")
        text = folded(
            subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
        )
        for wanted in (
            "Supply Agreement",
            "Some words of the scope.",
            "Fees amount to $1,200,000.",
            "1,200,000",
            "2020-01-05",
            "Jane Roe",
        ):
            assert wanted in text
