"""The report of a large room: what matters stays in front, long tables are folded, and every reference still leads somewhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from docx import Document
from lxml import html
from report_room import make_room

from redwell.diligence.blocks import Layout
from redwell.diligence.deal import Deal
from redwell.diligence.layout import layout
from redwell.diligence.render_docx import MOST_CITED_ROWS, render_docx
from redwell.diligence.render_html import MOST_ROWS, OPEN_ROWS, render_html
from redwell.diligence.report import Basis, Cited, Missing, Report, Row
from redwell.diligence.sources import sources
from redwell.room.room import Room

pytestmark = pytest.mark.xdist_group("long_reports")

QUOTE = "Tenant shall not assign this Lease without Landlord's prior written consent."
ROWS, MISSING = MOST_CITED_ROWS + 7, 120


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return make_room(tmp_path_factory.mktemp("room"))


def lease(room: Room) -> Cited:
    citation = room.check(QUOTE, room.document("lease.txt").id)
    return Cited(citation, room.place(citation.spans[0]))


@pytest.fixture(scope="module")
def laid(room: Room) -> Layout:
    cited = lease(room)
    absent = [
        Missing(f"M-{number:03d}", f"Plan {number}", "a lease names it", "all folders", "Contracts", (cited,))
        for number in range(1, MISSING + 1)
    ]
    alone = Missing(f"M-{MISSING + 1:03d}", "Estoppel", "a lease is in the room", "all folders", "Real estate")
    rows = [Row("calendar", {"Date": f"day {number}"}, (cited,)) for number in range(ROWS)]
    report = Report(missing=[*absent, alone], rows=rows, summary=f"See M-001 and M-{MISSING:03d}.")
    basis = Basis("papers", "2026-03-02", room.accounting(), 1.0, documents=())
    return layout(report, basis, Deal(), room)


def test_a_long_table_shows_its_first_rows_and_unfolds_the_others(laid: Layout) -> None:
    page = html.fromstring(render_html(laid))
    folded = page.xpath("//details")
    assert [part.findtext("summary") for part in folded] == [
        f"{ROWS - OPEN_ROWS} more rows",
        f"{MISSING + 1 - OPEN_ROWS} more rows",
    ]
    assert [len(part.xpath(".//tbody/tr")) for part in folded] == [ROWS - OPEN_ROWS, MISSING + 1 - OPEN_ROWS]
    dates = page.xpath("//td[starts-with(., 'day ')]")
    assert len(dates) == ROWS
    assert MOST_ROWS > OPEN_ROWS


def test_many_missing_documents_stand_in_their_chapter_alone_and_are_led_to(laid: Layout) -> None:
    page = html.fromstring(render_html(laid))
    targets = page.xpath("//a[@class='ref']/@href")
    assert {"#M-001", f"#M-{MISSING:03d}", f"#M-{MISSING + 1:03d}"} <= set(targets)
    for target in targets:
        assert len(page.xpath(f"//*[@id='{target[1:]}']")) == 1, target
    text = " ".join(page.text_content().split())
    assert f"{MISSING} documents are missing: M-001 to M-{MISSING:03d}, listed under" in text
    assert f"Provide the {MISSING + 1} missing documents: M-001 to M-{MISSING + 1:03d}" in text
    assert text.count("Plan 57") == 1
    assert f"M-{MISSING + 1:03d} Missing: Estoppel." in text, "few of a workstream are still named there"


def test_word_gets_no_more_footnotes_than_it_stands_and_says_where_the_rest_is(laid: Layout) -> None:
    document = Document(io.BytesIO(render_docx(laid)))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert "7 more rows are in report.xlsx and report.html, which hold the whole table." in text
    (table,) = [table for table in document.tables if table._tbl.tr_lst[0].tc_lst[0].p_lst[0].text == "Date"]
    assert len(table._tbl.tr_lst) == 1 + MOST_CITED_ROWS
    names = document.element.xpath("//w:bookmarkStart/@w:name")
    assert set(document.element.xpath("//w:hyperlink/@w:anchor")) <= set(names)
    assert len(names) == len(set(names))


def test_the_more_sources_the_less_text_stands_around_each(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "long.txt").write_text("word " * 400 + "The buyer may end this at will.\n" + "word " * 400)
    Room.read(tmp_path / "files", tmp_path / "store")
    with Room.open(tmp_path / "store") as room:
        citation = room.check("The buyer may end this at will.", room.documents()[0].id)
        cited = Cited(citation, room.place(citation.spans[0]))
        few, many, crowd = (sources([cited] * count, room)[0] for count in (1, 2_000, 20_000))
    assert [len(each.before.removeprefix("… ")) // 100 for each in (few, many, crowd)] == [4, 1, 0]
    assert crowd.after == "\nword word word word word word word …"
    assert few.words == many.words == crowd.words == "The buyer may end this at will."
