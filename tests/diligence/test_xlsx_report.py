"""The report as a workbook: lists with real figures and days, inert words, the same bytes for the same report."""

import io
import zipfile
from dataclasses import replace
from datetime import date, timedelta

import pytest
from lxml import etree
from report_room import cited, make_room

from redwell.diligence.deal import Deal
from redwell.diligence.layout import layout
from redwell.diligence.render_xlsx import CELL_LIMIT, fitted_cell, render_xlsx
from redwell.diligence.report import Basis, Cited, Entry, Exposure, Missing, NoneFound, Report, Row, Unread
from redwell.room.formats.xlsx import read
from redwell.room.room import Room
from redwell.room.types import Limits, Skipped

pytestmark = pytest.mark.xdist_group("xlsx_report")

S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.example")',
)


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> Room:
    return make_room(tmp_path_factory.mktemp("room"))


def entry(identity: str, title: str, citations: tuple[Cited, ...] = (), **more) -> Entry:
    given = {
        "claim": "What was found.", "workstream": "Contracts", "severity": "High", "evidence": "direct",
        "exposure": Exposure(not_quantified="no figure is given"), "next_step": "Ask the seller",
    }  # fmt: skip
    return Entry(id=identity, title=title, citations=citations, **{**given, **more})


@pytest.fixture(scope="module")
def report(room: Room) -> Report:
    lease = cited(room, "lease.txt", "Tenant shall not assign this Lease without Landlord's prior written consent.")
    rent = cited(room, "lease.txt", "Tenant shall pay base rent of $52,000 per month.")
    money = Exposure(500_000.0, 624_000.0, 700_000.5, "EUR", "12 months x 52,000")
    return Report(
        entries=[entry("F-001", "Landlord's consent", (lease, rent), exposure=money), entry("F-002", "No figure here")],
        missing=[Missing("M-001", "Estoppel certificate", "a lease is in the room", "all folders", "Real estate", (lease,))],
        none_found=[NoneFound("Tax audits", "Tax", "all three documents", "one scan")],
        rows=[
            Row("calendar", {"Date": "2026-06-30", "What": "term ends", "Section": "8.10"}, (lease,)),
            Row("calendar", {"Date": "2028-02-29", "What": "option ends", "Section": "2.1"}),
            Row("payments", {"To": "Executives", "Sum": "1,250,000"}),
            Row("payments", {"To": "Lender", "Sum": "80,000.50"}),
        ],
        unread_because="the scan is blank",
    )  # fmt: skip


@pytest.fixture(scope="module")
def basis(room: Room) -> Basis:
    return Basis(
        room="papers",
        read_at="2026-03-02",
        accounting=room.accounting(),
        coverage=0.9996,
        unread=(Unread("letter.txt", 12, 90, "the call failed: timeout"),),
        failures=("1 × timeout: no answer",),
        usage=({"role": "sub", "model": "reader", "calls": 3, "failed": 1, "input": 10, "output": 5, "cost": None},),
        versions={"redwell": "0.1.0"},
        documents=(
            {"path": "8.0 Property/lease.txt", "id": "ab", "kind": "txt", "status": "read", "length": 1_234, "read": 1.0},
            {"path": "notice.txt", "id": "cd", "kind": "txt", "status": "partly_read", "length": 70, "read": 0.9999},
        ),
    )  # fmt: skip


def render(report: Report, basis: Basis, room: Room) -> bytes:
    return render_xlsx(layout(report, basis, Deal(target="Larkfield"), room), report, basis)


@pytest.fixture(scope="module")
def made(report, basis, room) -> bytes:
    return render(report, basis, room)


class Book:
    """A workbook's cells as the file has them: the value as text, whether it is a string, and its style."""

    def __init__(self, data: bytes) -> None:
        self.archive = zipfile.ZipFile(io.BytesIO(data))
        self.names = [s.get("name") for s in self.xml("xl/workbook.xml").iter(S + "sheet")]
        strings = self.xml("xl/sharedStrings.xml")
        self.strings = ["".join(t.text or "" for t in item.iter(S + "t")) for item in strings.iter(S + "si")]
        self.styles = [x.attrib for x in self.xml("xl/styles.xml").find(S + "cellXfs")]

    def xml(self, name: str) -> etree._Element:
        return etree.fromstring(self.archive.read(name))

    def sheet(self, name: str) -> etree._Element:
        return self.xml(f"xl/worksheets/sheet{self.names.index(name) + 1}.xml")

    def cells(self, name: str) -> dict[str, tuple[str, bool, int]]:
        found = {}
        for cell in self.sheet(name).iter(S + "c"):
            value, text = cell.find(S + "v"), cell.get("t") == "s"
            if value is not None:
                found[cell.get("r")] = (self.strings[int(value.text)] if text else value.text, text, int(cell.get("s")))
        return found


def test_a_sheet_for_each_list_that_has_lines(made):
    assert Book(made).names == [
        "Findings", "Quotes", "Payments", "Calendar", "Missing documents", "None found", "Documents", "What this rests on",
    ]  # fmt: skip


def test_exposures_are_numbers_with_their_currency_and_formula(made):
    cells = Book(made).cells("Findings")
    header = {value: reference[0] for reference, (value, _, _) in cells.items() if reference[1:] == "1"}
    low, base, high = (cells[f"{header[name]}2"][:2] for name in ("Exposure low", "Exposure base", "Exposure high"))
    assert (low, base, high) == (("500000", False), ("624000", False), ("700000.5", False))
    assert cells[f"{header['Currency']}2"][0] == "EUR"
    computed = header["How it is computed, or why not"]
    assert [cells[f"{computed}{row}"][0] for row in (2, 3)] == ["12 months x 52,000", "no figure is given"]
    assert f"{header['Exposure base']}3" not in cells


def test_days_are_days_sums_are_sums_and_a_section_stays_as_it_is_written(made):
    book = Book(made)
    calendar, payments = book.cells("Calendar"), book.cells("Payments")
    days = [date(1899, 12, 30) + timedelta(int(calendar[at][0])) for at in ("A2", "A3")]
    assert days == [date(2026, 6, 30), date(2028, 2, 29)]
    assert not calendar["A2"][1]
    assert [calendar[at][:2] for at in ("C2", "C3")] == [("8.10", True), ("2.1", True)]
    assert [payments[at][:2] for at in ("B2", "B3")] == [("1250000", False), ("80000.5", False)]


def test_each_quote_stands_once_with_its_document_place_and_status(made):
    cells = Book(made).cells("Quotes")
    rows = [[cells[f"{column}{row}"][0] for column in "ACDF"] for row in (2, 3, 4, 5)]
    lease = "Tenant shall not assign this Lease without Landlord's prior written consent."
    assert rows == [
        ["F-001", lease, "8.0 Property/lease.txt", "verified"],
        ["F-001", "Tenant shall pay base rent of $52,000 per month.", "8.0 Property/lease.txt", "verified"],
        ["M-001", lease, "8.0 Property/lease.txt", "verified"],
        ["Calendar", lease, "8.0 Property/lease.txt", "verified"],
    ]


def test_the_rooms_own_reader_reads_it_back_with_nothing_hidden_and_no_formula(made):
    parsed = read(made, "report.xlsx", Limits())
    assert (parsed.status, parsed.problems) == ("read", [])
    text = "\n".join(unit.text for unit in parsed.views["final"])
    for words in (
        "Landlord's consent", "Estoppel certificate", "Tax audits: none found. Rests on all three documents. Not covered: one scan.",
        "12 of 90", "the call failed: timeout", "The reader's reason: the scan is blank", "1 × timeout: no answer", "Room read on | 2 March 2026",
    ):  # fmt: skip
        assert words in text
    assert not [unit for unit in parsed.views["final"] if "hidden" in unit.flags or unit.path.endswith("/formulas")]


def test_each_list_can_be_filtered_and_printed(made):
    book = Book(made)
    for name in book.names:
        sheet = book.sheet(name)
        assert sheet.find(f".//{S}pane").get("state") == "frozen"
        assert sheet.find(f"{S}pageSetup").get("orientation") == "landscape"
        assert sheet.find(f"{S}pageSetup").get("fitToHeight") == "0"
        assert "Page &P of &N" in sheet.find(f"{S}headerFooter/{S}oddFooter").text
        assert (sheet.find(f"{S}autoFilter") is None) == (name == "What this rests on")
    titles = [
        n.text for n in book.xml("xl/workbook.xml").iter(S + "definedName") if n.get("name") == "_xlnm.Print_Titles"
    ]
    assert len(titles) == len(book.names)


def test_a_document_is_read_in_full_only_when_it_is(made):
    cells = Book(made).cells("Documents")
    assert [cells[at][0] for at in ("E2", "F2", "F3", "C3")] == ["1234", "1", "0.999", "partly read"]


def test_files_that_are_no_documents_are_listed_with_their_reason(report, basis, room):
    account = replace(
        basis.accounting, not_read=(*basis.accounting.not_read, Skipped("lock.tmp", "a socket, not a file"))
    )
    cells = Book(render(report, replace(basis, accounting=account), room)).cells("Documents")
    assert [cells[at][0] for at in ("A4", "C4", "D4")] == ["lock.tmp", "skipped", "a socket, not a file"]


def test_with_hardly_anything_read_nothing_is_said_to_be_absent(report, basis, room):
    cells = Book(render(report, replace(basis, coverage=0.02), room)).cells("None found")
    assert cells["C2"][0] == "Tax audits: cannot be said; only 2.0% of the readable text was read."


def test_the_same_report_gives_the_same_bytes(report, basis, room, made):
    assert render(report, basis, room) == made
    assert b"2026-03-02T00:00:00Z" in Book(made).archive.read("docProps/core.xml")


@pytest.mark.parametrize("text", FORMULAS)
def test_no_words_are_a_formula_and_none_becomes_one_when_it_is_edited(text, report, basis, room):
    evil = entry(
        "F-003", f"{text} title", claim=text, protection=text, next_step=text, exposure=Exposure(not_quantified=text)
    )
    rows = [Row("consents", {"Contract": text, text: "x"})]
    book = Book(render(Report(entries=[evil], rows=rows), basis, room))
    for name in book.names:
        assert not list(book.sheet(name).iter(S + "f"))
        assert not list(book.sheet(name).iter(S + "hyperlink"))
        for value, is_text, style in book.cells(name).values():
            if value[:1] in ("=", "+", "-", "@", "\t", "\r", "\n"):
                assert is_text
                assert book.styles[style].get("quotePrefix") == "1"
    assert not [name for name in book.archive.namelist() if "externalLink" in name or "connection" in name]
    assert not [n for n in book.archive.namelist() if n.startswith("xl/worksheets/_rels")]


def test_what_no_cell_can_hold_is_cut_and_says_so():
    assert fitted_cell("x" * CELL_LIMIT) == "x" * CELL_LIMIT
    cut = fitted_cell("x" * (CELL_LIMIT + 1))
    assert len(cut) == CELL_LIMIT
    assert cut.endswith("(cut here; report.json has the whole)")
    assert len(fitted_cell("\U0001d504" * 20_000).encode("utf-16-le")) // 2 <= CELL_LIMIT
    assert fitted_cell("a\n" * 400).count("\n") < 253


def test_a_report_of_nothing_is_a_workbook_too(basis, room):
    book = Book(render(Report(), basis, room))
    assert book.names == ["Findings", "Documents", "What this rests on"]
