"""One sheet of a workbook: its rows with what each cell shows, its formulas, and what hides them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from redwell.room.formats.number_format import general, render, render_text
from redwell.room.formats.ooxml import Element, whole
from redwell.room.formats.table_rows import Cell, CellKind, Row, column_letters
from redwell.room.formats.xlsx_parts import MAIN, RELATION, Style, Workbook, events, free, rich_text, unescape
from redwell.room.types import Unreadable

MAX_ROWS = 1_000_000
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_FORMULA_PIECE = re.compile(
    r"""("[^"]*"|'[^']*')|(?<![A-Za-z0-9_.$])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![A-Za-z0-9_.(])"""
)
_PLAIN = Style()
_TAGS = tuple(
    MAIN + tag
    for tag in (
        "row",
        "cols",
        "mergeCell",
        "hyperlink",
        "pane",
        "autoFilter",
        "oddHeader",
        "oddFooter",
        "firstHeader",
        "firstFooter",
    )
)


@dataclass(slots=True)
class SheetData:
    """What a sheet's part holds. `merges` are (first row, first column, last row, last column); `cut` says why rows are missing.
    `broken_strings` counts the cells that are empty only because the text they point at is not in the file."""

    rows: list[Row] = field(default_factory=list)
    merges: list[tuple[int, int, int, int]] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    declared: set[int] = field(default_factory=set)
    margins: list[tuple[str, str]] = field(default_factory=list)
    uncached: list[str] = field(default_factory=list)
    broken_strings: int = 0
    cut: str = ""

    def hides(self, column: int) -> bool:
        return any(first <= column <= last for first, last in self.hidden_columns)


def read_sheet(book: Workbook, part: str, room_left: int) -> SheetData:
    """The rows of a sheet that hold something, at most `room_left` of them.

    Raises:
        Unreadable: when the part is missing, or hostile. A part that breaks off keeps what came before, and `cut` says so.
    """
    data = book.package.part(part)
    if data is None:
        raise Unreadable("it is listed, but its part is missing from the file")
    sheet = SheetData()
    reader = _RowReader(book, sheet)
    links = book.package.relationships(part)
    try:
        for element in events(data, part, _TAGS):
            tag = element.tag[len(MAIN) :]
            if tag == "row":
                if len(sheet.rows) >= room_left:
                    sheet.cut = f"the workbook has more than {MAX_ROWS:,} rows; those after were not read"
                    break
                reader.row(element)
                free(element)
            else:
                _other(sheet, tag, element, {identifier: link.target for identifier, link in links.items()})
    except Unreadable as error:
        if not sheet.rows:
            raise
        sheet.cut = f"{error.reason}; the rows before that were read"
    return sheet


def position(reference: str) -> tuple[int, int] | None:
    """(row, column) of a reference such as `B7` or `$B$7`, or None when it is none."""
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - 64
    row = int(match[2])
    return (row, column) if 0 < row <= _LAST_ROW and column <= _LAST_COLUMN else None


class _RowReader:
    def __init__(self, book: Workbook, sheet: SheetData) -> None:
        self._book = book
        self._sheet = sheet
        self._shared: dict[str, tuple[str, int, int]] = {}
        self._number = 0

    def row(self, element: Element) -> None:
        stated = whole(element.get("r")) or 0
        self._number = stated if 0 < stated <= _LAST_ROW else self._number + 1
        height = element.get("ht", "")
        hidden = element.get("hidden", "0") in ("1", "true") or height in ("0", "0.0")
        cells: list[Cell] = []
        column = 0
        for child in element:
            if child.tag != MAIN + "c":
                continue
            at = position(child.get("r", ""))
            column = at[1] if at is not None else column + 1
            cell = self._cell(child, column)
            if cell is not None:
                cells.append(cell)
        if cells:
            cells.sort(key=lambda cell: cell.column)
            self._sheet.rows.append(Row(self._number, cells, hidden))

    def _cell(self, element: Element, column: int) -> Cell | None:
        value = formula_element = inline = None
        for child in element:
            if child.tag == MAIN + "v":
                value = child.text
            elif child.tag == MAIN + "f":
                formula_element = child
            elif child.tag == MAIN + "is":
                inline = child
        if value is None and formula_element is None and inline is None:
            return None
        number, styles = whole(element.get("s")), self._book.styles
        style = styles[number] if number is not None and number < len(styles) else _PLAIN
        formula = "" if formula_element is None else self._formula(formula_element, column)
        if inline is not None and value is None:
            text, kind = rich_text(inline), "text"
        elif value is None:
            if not formula:
                return None
            self._sheet.uncached.append(f"{column_letters(column)}{self._number}")
            text, kind = "=" + formula, "text"
        else:
            text, kind = self._shown(value, element.get("t", "n"), style)
            if element.get("t") == "s" and self._shared_text(value) is None:
                self._sheet.broken_strings += 1
        hidden = style.invisible
        if (
            not text.strip() and value is not None and style.code
        ):  # the format shows nothing: the value itself is hidden text
            text, kind = self._shown(value, element.get("t", "n"), _PLAIN)
            hidden = True
        if not text.strip() and not formula:
            return None
        shown: CellKind = kind  # type: ignore[assignment]
        return Cell(column, text.strip(), shown, style.bold, hidden, formula)

    def _shown(self, value: str, kind: str, style: Style) -> tuple[str, str]:
        if kind == "s":
            text = self._shared_text(value) or ""
            return (render_text(text, style.code) if text and "@" in style.code else text), "text"
        if kind == "b":
            return ("TRUE" if value.strip() in ("1", "true") else "FALSE"), "boolean"
        if kind == "e":
            return value.strip(), "error"
        if kind in ("str", "inlineStr"):
            return unescape(value), "text"
        if kind == "d":
            return value.replace("T00:00:00", "").replace("T", " "), "date"
        try:
            number = float(value)
        except ValueError:
            return value, "text"
        if not style.code:
            return general(number), "number"
        return render(number, style.code, date1904=self._book.date1904), "date" if style.is_date else "number"

    def _shared_text(self, value: str) -> str | None:
        """The text that a cell points at; None when the file has no such text."""
        number, strings = whole(value), self._book.strings
        return strings[number] if number is not None and number < len(strings) else None

    def _formula(self, element: Element, column: int) -> str:
        text = (element.text or "").strip()
        kind = element.get("t", "normal")
        if kind == "shared":
            key = element.get("si", "")
            if text:
                self._shared[key] = (text, self._number, column)
            elif key in self._shared:
                master, row, first = self._shared[key]
                text = shift(master, self._number - row, column - first)
        elif kind == "array" and text:
            text = "{" + text + "}"
        elif kind == "dataTable":
            text = f"TABLE({element.get('r1', '')},{element.get('r2', '')})"
        return text.replace("_xlfn.", "").replace("_xlws.", "")


def shift(formula: str, rows: int, columns: int) -> str:
    """A formula as it reads that many rows down and columns right: references without `$` move along."""

    def moved(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        at = position(match[3] + match[5])
        if at is None:
            return match[0]
        row = at[0] if match[4] else at[0] + rows
        column = at[1] if match[2] else at[1] + columns
        if not (0 < row <= _LAST_ROW and 0 < column <= _LAST_COLUMN):
            return "#REF!"
        return f"{match[2]}{column_letters(column)}{match[4]}{row}"

    return _FORMULA_PIECE.sub(moved, formula)


def _other(sheet: SheetData, tag: str, element: Element, links: dict[str, str]) -> None:
    if tag == "cols":
        for column in element:
            first, last = whole(column.get("min")), whole(column.get("max"))
            hidden = column.get("hidden", "0") in ("1", "true") or column.get("width") in ("0", "0.0")
            if hidden and first is not None and last is not None:
                sheet.hidden_columns.append((first, last))
    elif tag == "mergeCell":
        if box := _box(element.get("ref", "")):
            sheet.merges.append(box)
    elif tag == "hyperlink":
        target = links.get(element.get(RELATION + "id", ""), "") or element.get("location", "")
        if target:
            sheet.links.append((element.get("ref", ""), target))
    elif tag == "pane":
        rows = whole(element.get("ySplit")) or 0
        if element.get("state") in ("frozen", "frozenSplit") and 0 < rows <= 20:
            sheet.declared.add(rows)
    elif tag == "autoFilter":
        if box := _box(element.get("ref", "")):
            sheet.declared.add(box[0])
    elif element.text:
        sheet.margins.append(("header" if tag.endswith("Header") else "footer", element.text))


def _box(reference: str) -> tuple[int, int, int, int] | None:
    first, _, last = reference.partition(":")
    start, end = position(first), position(last or first)
    return None if start is None or end is None else (*start, *end)
