"""What mutated files have found: each was once answered wrongly."""

from __future__ import annotations

from redwell.room.formats.read import read_file
from tests.room.office_files import changed, workbook


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
