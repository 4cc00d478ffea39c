"""What mutated files have found: each was once answered wrongly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redwell.room.formats.read import read_file
from redwell.room.formats.table_rows import kind_of
from redwell.room.quotes_fold import fold
from redwell.room.types import Limits, Parsed
from redwell.room.walk import Entry, walk
from redwell.room.wire import decode, encode
from tests.room.office_files import changed, presentation, workbook, zipped
from tests.room.pdf_builder import Pdf, text


def test_pieces_of_one_line_on_several_pages_have_paths_of_their_own() -> None:
    parsed = read_file(b"First page.\x0cSecond page.\x0cThird page.\n\nThe end.", "a.txt")
    assert [(unit.path, unit.text) for unit in parsed.views["final"]] == [
        ("line 1", "First page."),
        ("line 1, part 2", "Second page."),
        ("line 1, part 3", "Third page."),
        ("line 3", "The end."),
    ]


def test_rows_of_two_sheets_of_one_name_have_paths_of_their_own() -> None:
    def fill(book) -> None:  # type: ignore[no-untyped-def]
        book.add_worksheet("Fees").write("A1", "one")
        book.add_worksheet("Feet").write("A1", "two")

    data = changed(workbook(fill), {"xl/workbook.xml": lambda xml: xml.replace('"Feet"', '"Fees"')})
    units = read_file(data, "fees.xlsx").views["final"]
    assert [unit.text for unit in units if unit.text in ("one", "two")] == ["one", "two"]
    assert len({unit.path for unit in units}) == len(units)


def final(data: bytes, name: str) -> list[str]:
    return [unit.text for unit in read_file(data, name).views["final"]]


def test_a_style_sheet_hides_what_its_rules_say_and_media_and_comments_do_not() -> None:
    sheet = (
        "<!-- @media print { .a { display: none } .b { display: none } } /* .c { display: none } */ @import url(x.css);"
        " .d, p.e { display: none } .f .g { display: none } -->"
        " @font-face { font-family: x } .h { color: red; display: none } .i { display: none"
    )
    body = "".join(f"<p class={letter}>{letter}</p>" for letter in "abcdefghij")
    units = read_file(f"<html><style>{sheet}</style>{body}</html>".encode(), "a.html").views["final"]
    assert "".join(unit.text for unit in units if "hidden" not in unit.flags) == "abcfgj"
    assert "".join(unit.text for unit in units if "hidden" in unit.flags) == "dehi"


def test_a_comment_of_a_style_sheet_that_nothing_ends_goes_on_to_its_end() -> None:
    data = b"<html><style>.a { display: none } /* .b { display: none }</style><p class=a>a<p class=b>b</html>"
    units = read_file(data, "a.html").views["final"]
    assert [(unit.text, "hidden" in unit.flags) for unit in units] == [("a", True), ("b", False)]


@pytest.mark.parametrize("piece", ["a", "/*", "@a{", "{", "}", "a{", "a;", "@"])
def test_a_style_sheet_of_one_thing_again_and_again_costs_one_pass(piece: str) -> None:
    sheet = piece * (400_000 // len(piece))
    assert final(f"<html><style>{sheet}</style><p>words</p></html>".encode(), "a.html") == ["words"]


@pytest.mark.parametrize("cell", ["1{}y", "${}y", "-{}", "1.5 {}5)", "USD{}", "{}1"])
def test_a_cell_that_is_almost_a_number_and_very_long_costs_one_pass(cell: str) -> None:
    cell = cell.format(" " * 400_000)
    assert final(f"Name,Fee\nAda,{cell}\nBea,2".encode(), "a.csv") == ["Name | Fee", f"Ada | {cell.strip()}", "Bea | 2"]


def test_figures_in_any_dress_are_numbers() -> None:
    numbers = (
        "1,200.50",
        "(5)",
        "-$ 5",
        "$(1,000)",
        "US$ 12",
        "1.200,50 €",
        "12 %",
        "(5%)",
        "5x",
        "EUR 5",
        "1 000",
        "(-5)",
    )
    assert [kind_of(text) for text in numbers] == ["number"] * len(numbers)
    words = ("USD", "$", "-", "5 y", "1-2-3", "x5", "5%%", "()", "Five", "", ".,")
    assert [kind_of(text) for text in words] == ["text"] * len(words)


def test_a_member_without_a_name_is_unpacked() -> None:
    data = zipped({"a.txt": "words"}).replace(b"a.txt", b"\0.txt")
    parsed = read_file(data, "a.zip")
    assert [(child.name, child.data) for child in parsed.children] == [("member", b"words")]


def test_a_digit_that_is_no_decimal_one_is_no_number_of_columns() -> None:
    page = "<table><tr><th colspan=²>a<td>b<tr><th rowspan=²>1<td>2</table>"
    assert final(page.encode(), "a.html") == ["a | b", "1 | 2"]


@pytest.mark.parametrize("number", ["²", "9" * 5_000, "-1", "99999"])
def test_numbers_in_a_workbook_that_are_none_are_passed_over(number: str) -> None:
    def fill(book) -> None:  # type: ignore[no-untyped-def]
        sheet = book.add_worksheet("Fees")
        sheet.write("A1", "one", book.add_format({"num_format": "0.000"}))
        sheet.write_comment("A1", "a note", {"author": "Ada"})
        sheet.set_column("C:D", None, None, {"hidden": True})
        sheet.freeze_panes(1, 0)

    def mark(*names: str):  # type: ignore[no-untyped-def]
        return lambda xml: re.sub(rf'\b({"|".join(names)})="[^"]*"', rf'\1="{number}"', xml)

    data = changed(
        workbook(fill),
        {
            "xl/worksheets/sheet1.xml": mark("r", "s", "min", "max", "ySplit"),
            "xl/styles.xml": mark("numFmtId"),
            "xl/comments1.xml": mark("authorId"),
        },
    )
    assert "one" in final(data, "fees.xlsx")


@pytest.mark.parametrize("number", ["²", "9" * 5_000])
def test_sizes_in_a_presentation_that_are_none_are_passed_over(number: str) -> None:
    def fill(deck) -> None:  # type: ignore[no-untyped-def]
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "words"

    data = changed(
        presentation(fill),
        {
            "ppt/presentation.xml": lambda xml: re.sub(r'(<p:sldSz cx=)"\d+"', rf'\1"{number}"', xml),
            "ppt/slides/slide1.xml": lambda xml: re.sub(r"<a:r>", f'<a:r><a:rPr sz="{number}"/>', xml),
        },
    )
    assert final(data, "a.pptx") == ["words"]


def test_a_page_of_very_many_lines_costs_one_pass() -> None:
    pdf = Pdf()
    pdf.page(b"".join(text(10, 780 - number % 770, str(number % 7), size=1) for number in range(30_000)))
    units = read_file(pdf.build(), "a.pdf").views["final"]
    assert sum(unit.text.count(str(digit)) for unit in units for digit in range(7)) == 30_000


def test_a_reason_is_made_of_characters_that_are_shown() -> None:
    parsed = Parsed("zip", status="partly_read", reason="xmlns: '\t' is\x1b[2J no \u202eURI \ud800")
    parsed.views["final"] = []
    parsed.problems = ["\x00" * 5_000]
    parsed.skipped, parsed.unopened = [("a\tb", "it is\x85 odd")], [("c", "it \u200bis")]
    header, pieces = encode(parsed)
    reading = decode(header, memoryview(b"".join(pieces)))
    assert reading.reason == "xmlns: '\\t' is\\x1b[2J no \\u202eURI \ufffd"
    assert reading.problems == [("\\x00" * 500)[:1999] + "…"]
    assert [reason for _, reason in (*reading.skipped, *reading.unopened)] == ["it is\\x85 odd", "it \\u200bis"]


@pytest.mark.parametrize("piece", ["**a ", "~~a ", "*a **b ***c ", "_a "])
def test_marks_of_emphasis_that_nothing_ends_cost_one_pass(piece: str) -> None:
    block = (piece * (19_900 // len(piece))).strip()
    assert final("\n\n".join([block] * 100).encode(), "a.md") == [block] * 100


def test_stars_around_words_go_and_other_stars_stay() -> None:
    given = {
        "**a** and *b*, ***c***": "a and b, c",
        "**a *b* c**": "a b c",
        "[***] and 2 * 3 * 4": "[***] and 2 * 3 * 4",
        r"\*a* **b\** c": "*a* **b** c",
        "****a**** **b": "****a**** **b",
        "~~old~~ new ~~a ~b~~": "old new a ~b",
    }
    assert [final(text.encode(), "a.md") for text in given] == [[text] for text in given.values()]


def test_a_line_of_hyphens_between_figures_folds_in_one_pass() -> None:
    line = " " * 50_000 + "1" + "-1" * 200_000
    assert fold(line).text.endswith("1-1-1")
    assert [fold(f"see{blanks}- 3 -\n4 on").text for blanks in ("\n", "\n" + " " * 60)] == ["see - 3 - 4 on"] * 2


def test_a_member_without_a_name_in_a_room_that_is_an_archive_is_found(tmp_path: Path) -> None:
    room = tmp_path / "room.zip"
    room.write_bytes(zipped({"a.txt": "words", "b.txt": "more"}).replace(b"a.txt", b"\0.txt"))
    found = [entry for entry in walk(room, Limits()) if isinstance(entry, Entry)]
    assert [(entry.path, entry.read()) for entry in found] == [("member", b"words"), ("b.txt", b"more")]


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("CONTENTS", "CONTENTS x"),
        ("SIGNATURE", "SIGNATURE x"),
        ("a|b\n-", "a|b x"),
        ("###### a", "a x"),
        ("# #", "# x"),
    ],
)
def test_a_line_that_is_almost_of_a_kind_and_very_long_costs_one_pass(start: str, words: str) -> None:
    given = f"{start}{' ' * 400_000}x"
    assert " ".join(" ".join(final(given.encode(), "a.md")).split()) == words


def test_marks_that_close_a_heading_go() -> None:
    given = {"## Fees ##": "Fees", "# C#": "C#", "# A # B #\t": "A # B", "## a##": "a##", "# a \\#": "a #", "#\tb": "b"}
    assert [final(text.encode(), "a.md") for text in given] == [[text] for text in given.values()]
    assert final(b"# ##\n\n#\n\na", "a.md") == ["a"]
