"""Workbooks as they show: values through their formats, rows with their headers, formulas, comments, and what is hidden."""

from __future__ import annotations

import io
import random
import time
import zipfile
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.room.formats.number_format import BUILT_IN, general, render, render_text
from redwell.room.formats.ooxml import Package
from redwell.room.formats.xlsx import read
from redwell.room.formats.xlsx_parts import open_workbook
from redwell.room.formats.xlsx_sheet import read_sheet, shift
from redwell.room.types import Limits, Parsed, Unreadable
from tests.room.office_files import changed, raw_workbook, shown, unit, workbook, zipped

LIMITS = Limits()
ACCOUNTING = '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)'


def parse(data: bytes) -> Parsed:
    return read(data, "x.xlsx", LIMITS)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.155, "0.0%", "15.5%"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00_);(#,##0.00)", "(1,234.50)"),
        (-1234.5, "#,##0.00", "-1,234.50"),
        (0, '#,##0;(#,##0);"-"', "-"),
        (1234.5, ACCOUNTING, "$1,234.50"),
        (-1234.5, ACCOUNTING, "$(1,234.50)"),
        (0, ACCOUNTING, "$-"),
        (1.005, "0.00", "1.01"),
        (2.5, "0", "3"),
        (-2.5, "0", "-3"),
        (-0.001, "0", "0"),
        (42, "00000", "00042"),
        (123456789, "000-00-0000", "123-45-6789"),
        (5551234567, "(###) ###-####", "(555) 123-4567"),
        (1234567, "#,##0,", "1,235"),
        (1234567, '$0.0,,"M"', "$1.2M"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1234.5, "#,##0.00\\ [$€-40C]", "1,234.50 €"),
        (7.5, '0.0"x"', "7.5x"),
        (12, '0" months"', "12 months"),
        (5, "[Red]0", "5"),
        (150, '[>=100]"big" 0;"small" 0', "big 150"),
        (50, '[>=100]"big" 0;"small" 0', "small 50"),
        (0.5, ".00", ".50"),
        (0, "#", ""),
        (5, ";;;", ""),
        (0.5, "# ?/?", "1/2"),
        (2.25, "# ?/?", "2 1/4"),
        (3.333, "# ??/??", "3 1/3"),
        (0.375, "# ?/8", "3/8"),
        (12345.678, "0.00E+00", "1.23E+04"),
        (0.00012, "0.00E+00", "1.20E-04"),
        (46112, "yyyy-mm-dd", "2026-03-31"),
        (46112, BUILT_IN[14], "2026-03-31"),
        (46112, "[$-409]mmmm d, yyyy;@", "March 31, 2026"),
        (46112, "dd/mm/yy", "31/03/26"),
        (45123.75, "dddd, mmmm d, yyyy h:mm AM/PM", "Sunday, July 16, 2023 6:00 PM"),
        (45123.75, "hh:mm:ss", "18:00:00"),
        (1.5, "[h]:mm", "36:00"),
        (0.0423611111, "mm:ss", "01:00"),
        (1, "d/m/yyyy", "1/1/1900"),
        (59, "d/m/yyyy", "28/2/1900"),
        (60, "d/m/yyyy", "29/2/1900"),
        (61, "d/m/yyyy", "1/3/1900"),
        (-1, "d/m/yyyy", "-1"),
        (5, "General", "5"),
        (5, 'General" units"', "5 units"),
    ],
)
def test_a_number_shows_as_its_format_says(value: float, code: str, text: str):
    assert render(value, code) == text


def test_dates_from_1904_are_four_years_and_a_day_later():
    assert render(0, "yyyy-mm-dd", date1904=True) == "1904-01-01"
    assert render(44650, "yyyy-mm-dd", date1904=True) == "2026-03-31"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (100 / 3, "33.33333333"),
        (-1 / 3, "-0.333333333"),
        (123456789012345, "123456789012345"),
        (1e20, "1E+20"),
        (1.5e-12, "1.5E-12"),
        (0.0, "0"),
        (12400000.0, "12400000"),
    ],
)
def test_a_number_without_a_format_shows_plainly(value: float, text: str):
    assert general(value) == text


@pytest.mark.parametrize(
    ("code", "text"), [("General", "abc"), ('"Ref "@', "Ref abc"), ('0;0;0;"x"@', "xabc"), (";;;", "")]
)
def test_words_pass_through_a_text_format(code: str, text: str):
    assert render_text("abc", code) == text


@settings(max_examples=300, deadline=None)
@given(st.floats(), st.text(alphabet='0#?.,%/;[]$€-"\\_*@EeyMmdhs+()AaP> 1', max_size=20))
def test_any_number_in_any_format_is_shown(value: float, code: str):
    assert isinstance(render(value, code), str)


@settings(max_examples=100, deadline=None)
@given(st.integers(-(10**12), 10**12))
def test_grouped_whole_numbers_keep_every_digit(value: int):
    assert render(value, "#,##0") == f"{value:,}"


@pytest.mark.parametrize(
    ("formula", "moved"),
    [
        ("B2*$C$1", "C4*$C$1"),
        ("SUM(A1:B2)", "SUM(B3:C4)"),
        ("Sheet2!A1+'My A1 sheet'!$B3", "Sheet2!B3+'My A1 sheet'!$B5"),
        ('IF(A1="A1",LOG10(B1),Q1_TOTAL)', 'IF(B3="A1",LOG10(C3),Q1_TOTAL)'),
        ("XFD1", "#REF!"),
    ],
)
def test_a_shared_formula_moves_along(formula: str, moved: str):
    assert shift(formula, 2, 1) == moved


def schedule(book: Any) -> None:
    bold = book.add_format({"bold": True})
    money = book.add_format({"num_format": "$#,##0;($#,##0)"})
    percent = book.add_format({"num_format": "0.0%"})
    day = book.add_format({"num_format": "d mmm yyyy"})
    sheet = book.add_worksheet("ARR")
    sheet.write("A1", "ARR schedule", bold)
    sheet.write_row("A3", ["Customer", "ARR", "%", "Term end"], bold)
    sheet.write("A4", "Meridian")
    sheet.write("B4", 12400000, money)
    sheet.write("C4", 0.301, percent)
    sheet.write_datetime("D4", datetime(2027, 12, 31), day)
    sheet.write("A5", "Credit")
    sheet.write("B5", -420000, money)
    sheet.write_boolean("D5", True)
    sheet.write("A6", "Total", bold)
    sheet.write_formula("B6", "=SUM(B4:B5)", money, 11980000)
    sheet.write_formula("C6", "=B6/B$4", percent, "#DIV/0!")
    sheet.write_comment("B4", "Check with FP&A", {"author": "Ann Lee"})


def test_rows_show_their_values_and_carry_their_header():
    parsed = parse(workbook(schedule))
    assert shown(parsed) == [
        ("ARR", "ARR"),
        ("ARR!A1", "ARR schedule"),
        ("ARR!A3:D3", "Customer | ARR | % | Term end"),
        ("ARR!A4:D4", "Meridian | $12,400,000 | 30.1% | 31 Dec 2027"),
        ("ARR!B4/comment", "Ann Lee: Check with FP&A"),
        ("ARR!A5:D5", "Credit | ($420,000) |  | TRUE"),
        ("ARR!A6:C6", "Total | $11,980,000 | #DIV/0!"),
        ("ARR!A6:C6/formulas", "B6 = SUM(B4:B5) | C6 = B6/B$4"),
    ]
    assert unit(parsed, "ARR!A4:D4").label == "Customer | ARR | % | Term end"
    assert unit(parsed, "ARR!A6:C6").label == "Customer | ARR | %"
    assert unit(parsed, "ARR!A1").label == ""
    assert unit(parsed, "ARR!B4/comment").flags == ("comment",)
    assert unit(parsed, "ARR").flags == ("heading",)


def test_what_is_hidden_is_kept_apart_and_flagged():
    def fill(book: Any) -> None:
        white = book.add_format({"font_color": "#FFFFFF"})
        on_black = book.add_format({"font_color": "#FFFFFF", "bg_color": "#000000"})
        vanished = book.add_format({"num_format": ";;;"})
        sheet = book.add_worksheet("Open")
        sheet.write_row("A1", ["seen", "in hidden column", "seen too"])
        sheet.set_column("B:B", None, None, {"hidden": True})
        sheet.write("A2", "in hidden row")
        sheet.set_row(1, None, None, {"hidden": True})
        sheet.write("A3", "white", white)
        sheet.write("A4", "white on black", on_black)
        sheet.write("A5", 7, vanished)
        book.add_worksheet("Shut").write("A1", "in hidden sheet")
        book.get_worksheet_by_name("Shut").hide()
        book.add_worksheet("Deep").write("A1", "in very hidden sheet")
        book.get_worksheet_by_name("Deep").very_hidden()

    parsed = parse(workbook(fill))
    found = {entry.text: entry.flags for entry in parsed.views["final"]}
    assert found == {
        "Open": ("heading",),
        "seen | seen too": (),
        "in hidden column": ("hidden",),
        "in hidden row": ("hidden",),
        "white": ("hidden",),
        "white on black": (),
        "7": ("hidden",),
        "Shut": ("heading", "hidden"),
        "in hidden sheet": ("hidden",),
        "Deep": ("heading", "hidden"),
        "in very hidden sheet": ("hidden",),
    }
    assert parsed.metadata["hidden_sheets"] == "Shut; Deep (very hidden)"


def test_merged_cells_name_what_they_span():
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("M")
        sheet.merge_range("B1:C1", "2025")
        sheet.merge_range("D1:E1", "Plan")
        sheet.write_row("A2", ["Item", "Q1", "Q2", "Q3", "Q4"])
        sheet.write_row("A3", ["Revenue", 1, 2, 3, 4])
        sheet.merge_range("A4:A5", "North")
        sheet.write_row("B4", [5, 6])
        sheet.write_row("B5", [7, 8])
        sheet.merge_range("E4:E5", 99)

    parsed = parse(workbook(fill))
    assert unit(parsed, "M!A3:E3").label == "Item | 2025 / Q1 | 2025 / Q2 | Plan / Q3 | Plan / Q4"
    assert unit(parsed, "M!A4:E4").text == "North | 5 | 6 |  | 99"
    assert unit(parsed, "M!A5:C5").text == "North | 7 | 8"


def test_tables_side_by_side_are_not_run_together():
    parsed = parse(
        workbook(
            lambda book: (
                book.add_worksheet("S").write_row("A1", ["left"])
                or book.get_worksheet_by_name("S").write("T1", "right")
            )
        )
    )
    assert shown(parsed)[1:] == [("S!A1", "left"), ("S!T1", "right")]


def test_a_sparse_sheet_takes_no_time():
    data = raw_workbook(
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>'
    )
    started = time.process_time()
    assert shown(parse(data)) == [("Data", "Data"), ("Data!A1", "1"), ("Data!XFD1048576", "2")]
    assert time.process_time() - started < 1.0


def test_strings_of_every_kind():
    data = raw_workbook(
        '<sheetData><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>inline</t></is></c>'
        '<c t="str"><f>A1</f><v>computed</v></c><c t="b"><v>0</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2026-03-31T00:00:00</v></c>'
        '<c t="s"><v>9</v></c></row></sheetData>',
        strings=[
            "<r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb='0' eb='1'><t>reading</t></rPh>",
            "<t>two_x000D_\nlines</t>",
        ],
    )
    parsed = parse(data)
    assert unit(parsed, "Data!A1:G1").text == "rich text | two\nlines | inline | computed | FALSE | #REF! | 2026-03-31"
    assert (parsed.status, parsed.reason) == ("partly_read", "1 cell refers to a text that is not in the file")


def test_cells_whose_text_is_not_in_the_file_stay_empty_and_are_counted_once_each():
    cells = "".join(
        f'<c r="{at}" t="s"{style}><v>{index}</v></c>'
        for at, index, style in (
            ("A1", "0", ""),
            ("B1", "7", ""),
            ("C1", "1", ""),
            ("D1", "9", ' s="1"'),
            ("E1", "²", ""),
        )
    )
    sheet = f'<sheetData><row r="1">{cells}</row></sheetData>'
    styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="49"/></cellXfs>'
    parsed = parse(raw_workbook(sheet, strings=["<t>Borrower</t>", "<t>Due</t>"], styles=styles))
    assert (parsed.status, parsed.reason) == ("partly_read", "3 cells refer to texts that are not in the file")
    assert shown(parsed) == [("Data", "Data"), ("Data!A1:C1", "Borrower |  | Due")]
    whole = parse(raw_workbook(sheet, strings=[f"<t>text {i}</t>" for i in range(10)], styles=styles))
    assert whole.reason == "1 cell refers to a text that is not in the file"


def test_formulas_without_a_stored_result_are_shown_and_said():
    parsed = parse(raw_workbook('<sheetData><row r="5"><c r="C5"><f>SUM(C2:C4)</f></c></row></sheetData>'))
    assert shown(parsed)[1:] == [("Data!C5", "=SUM(C2:C4)"), ("Data!C5/formulas", "C5 = SUM(C2:C4)")]
    assert parsed.problems == ["sheet Data: 1 formulas have no stored result and are shown as formulas (C5)"]


def test_shared_and_array_formulas_are_written_out():
    parsed = parse(
        raw_workbook(
            '<sheetData><row r="1"><c r="B1"><f t="shared" si="0" ref="B1:B2">A1*2</f><v>2</v></c></row>'
            '<row r="2"><c r="B2"><f t="shared" si="0"/><v>4</v></c><c r="C2"><f t="array" ref="C2">SUM(A1:A2*2)</f><v>6</v></c></row></sheetData>'
        )
    )
    assert unit(parsed, "Data!B1/formulas").text == "B1 = A1*2"
    assert unit(parsed, "Data!B2:C2/formulas").text == "B2 = A2*2 | C2 = {SUM(A1:A2*2)}"


def test_the_1904_calendar_is_kept():
    sheet = '<sheetData><row r="1"><c r="A1" s="1"><v>44650</v></c></row></sheetData>'
    styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    assert unit(parse(raw_workbook(sheet, styles=styles)), "Data!A1").text == "2022-03-30"
    later = raw_workbook(sheet, styles=styles, properties='<workbookPr date1904="1"/>')
    assert unit(parse(later), "Data!A1").text == "2026-03-31"


def test_text_boxes_charts_and_page_headers_are_read():
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        sheet.write_column("A1", ["2024", "2025"])
        sheet.write_column("B1", [34.1, 41.2])
        sheet.insert_textbox("D1", "Draft for review")
        chart = book.add_chart({"type": "column"})
        chart.add_series({"name": "ARR", "categories": "=S!$A$1:$A$2", "values": "=S!$B$1:$B$2"})
        chart.set_title({"name": "ARR growth"})
        sheet.insert_chart("D9", chart)
        sheet.set_header('&L&"Arial,Bold"Confidential && private&RPage &P of &N')

    found = shown(parse(workbook(fill)))
    assert ("S!header", "Confidential & private Page of") in found
    assert ("S!drawing 2", "Draft for review") in found
    assert ("S!drawing 1/chart/text", "ARR growth") in found
    assert ("S!drawing 1/chart/series 1", "ARR | 2024: 34.1 | 2025: 41.2") in found


def test_links_names_and_outside_sources_are_told():
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        sheet.write_url("A1", "https://x.example/terms", string="Terms")
        book.define_name("Price", "=S!$B$2")
        sheet.repeat_rows(0)

    data = workbook(fill)
    link = '<Relationship Id="rIdX" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLink" Target="externalLinks/externalLink1.xml"/>'
    data = changed(
        data, {"xl/_rels/workbook.xml.rels": lambda text: text.replace("</Relationships>", link + "</Relationships>")}
    )
    outside = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="x/externalLinkPath" Target="budget.xlsx" TargetMode="External"/></Relationships>'
    data = changed(
        data,
        {
            "xl/externalLinks/externalLink1.xml": "<externalLink/>",
            "xl/externalLinks/_rels/externalLink1.xml.rels": outside,
            "xl/vbaProject.bin": "x",
        },
    )
    parsed = parse(data)
    assert parsed.metadata["hyperlinks"] == "S!A1 -> https://x.example/terms"
    assert parsed.metadata["defined_names"] == "Price = S!$B$2"
    assert parsed.metadata["print_titles"] == "S!1:1"
    assert parsed.problems == [
        "it takes values from another workbook: budget.xlsx",
        "it has macros, which were not run",
    ]


def test_threaded_comments_replace_their_old_notes():
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        sheet.write("A1", 5)
        sheet.write_comment("A1", "[Threaded comment] Your version of Excel ...")

    kind = "http://schemas.microsoft.com/office/2017/10/relationships/"
    space = 'xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"'
    data = changed(
        workbook(fill),
        {
            "xl/worksheets/_rels/sheet1.xml.rels": lambda text: text.replace(
                "</Relationships>",
                f'<Relationship Id="rT" Type="{kind}threadedComment" Target="../threadedComments/t1.xml"/></Relationships>',
            ),
            "xl/_rels/workbook.xml.rels": lambda text: text.replace(
                "</Relationships>",
                f'<Relationship Id="rP" Type="{kind}person" Target="persons/person.xml"/></Relationships>',
            ),
            "xl/threadedComments/t1.xml": f'<ThreadedComments {space}><threadedComment ref="A1" personId="{{1}}"><text>Is this right?</text></threadedComment>'
            f'<threadedComment ref="A1" personId="{{2}}"><text>Yes.</text></threadedComment></ThreadedComments>',
            "xl/persons/person.xml": f'<personList {space}><person displayName="Ann" id="{{1}}"/><person displayName="Bob" id="{{2}}"/></personList>',
        },
    )
    assert [text for path, text in shown(parse(data)) if path.endswith("/comment")] == [
        "Ann: Is this right?",
        "Bob: Yes.",
    ]


def test_a_broken_sheet_costs_only_itself():
    def fill(book: Any) -> None:
        book.add_worksheet("Good").write("A1", "kept")
        book.add_worksheet("Cut").write_column("A1", [f"row {n}" for n in range(50)])
        book.add_worksheet("Bad").write("A1", "lost")

    data = changed(
        workbook(fill),
        {
            "xl/worksheets/sheet2.xml": lambda text: text[: text.index('<row r="40"')],
            "xl/worksheets/sheet3.xml": '<!DOCTYPE x [<!ENTITY e "y">]><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="str"><v>&e;</v></c></row></sheetData></worksheet>',
        },
    )
    parsed = parse(data)
    assert parsed.status == "partly_read"
    assert "sheet Cut: its part xl/worksheets/sheet2.xml is not well-formed XML (Premature end of data" in parsed.reason
    assert "; the rows before that were read" in parsed.reason
    assert "sheet Bad: its part xl/worksheets/sheet3.xml declares a document type" in parsed.reason
    texts = [text for _, text in shown(parsed)]
    assert "kept" in texts
    assert "row 38" in texts
    assert "row 39" not in texts


def test_rows_beyond_the_limit_are_said_to_be_left_out():
    data = workbook(lambda book: book.add_worksheet("S").write_column("A1", list(range(5))))
    book = open_workbook(Package(data, LIMITS))
    content = read_sheet(book, book.sheets[0].part, 3)
    assert [row.number for row in content.rows] == [1, 2, 3]
    assert content.cut == "the workbook has more than 1,000,000 rows; those after were not read"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04 cut", "not a whole zip"),
        (zipped({"xl/workbook.xml": "<workbook/>"}), "not a workbook"),
        (zipped({"xl/workbook.xml": "<workbook"}), "not well-formed"),
        (zipped({"other.xml": "<a/>"}), "main part"),
    ],
)
def test_what_is_no_workbook_is_refused(data: bytes, words: str):
    with pytest.raises(Unreadable, match=words):
        parse(data)


def test_a_bomb_in_a_sheet_is_stopped():
    data = changed(raw_workbook("<sheetData/>"), {"xl/worksheets/sheet1.xml": "<worksheet>" + " " * 30_000_000})
    with pytest.raises(Unreadable, match="zip bomb"):
        parse(data)


def test_a_hundred_thousand_cells_are_read_in_seconds():
    rows = "".join(
        f'<row r="{r}">' + "".join(f'<c r="{c}{r}"><v>{r}.5</v></c>' for c in "ABCDEFGHIJ") + "</row>"
        for r in range(1, 10_001)
    )
    started = time.process_time()
    parsed = parse(raw_workbook(f"<sheetData>{rows}</sheetData>"))
    assert len(parsed.views["final"]) == 10_001
    assert unit(parsed, "Data!A77:J77").text == " | ".join(["77.5"] * 10)
    assert time.process_time() - started < 20


def test_damaged_workbooks_are_read_in_part_or_refused():
    source = random.Random(11)
    whole = workbook(schedule)
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    for round_number in range(150):
        if round_number % 3 == 0:
            data = bytearray(whole)
            for _ in range(source.randrange(1, 20)):
                data[source.randrange(len(data))] = source.randrange(256)
        else:
            name = source.choice([name for name in entries if name.startswith("xl/")])
            part = bytearray(entries[name])
            for _ in range(source.randrange(1, 12)):
                part[source.randrange(len(part))] = source.choice(b'<>/="0 9AZ&;\xff')
            data = bytearray(zipped({**entries, name: bytes(part)}))
        try:
            assert read(bytes(data), "x.xlsx", LIMITS).status in ("read", "partly_read")
        except Unreadable:
            continue
